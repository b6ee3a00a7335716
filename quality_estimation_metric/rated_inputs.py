"""Checks of the texts, ratings, sources and groups that an estimator learns from; errors name the item."""

from __future__ import annotations

import functools
import hashlib
import warnings
from collections.abc import Hashable, Iterable, Mapping, Sequence
from typing import Any

import numpy as np
from numpy.typing import ArrayLike

from quality_estimation_metric.models import KERNEL, check_model
from quality_estimation_metric.sources import Source, Triples, parse_mr
from quality_estimation_metric.sources.slot_errors import SCOPES, Reading
from referenceless_metrics.assessment.conformal import check_level
from referenceless_metrics.assessment.folds import number_groups
from referenceless_metrics.assessment.near_copies import near_copies
from referenceless_metrics.assessment.rating_estimator import check_fill
from referenceless_metrics.core.metric import UNKNOWN_RULES
from referenceless_metrics.core.support.validation import (
    Floats,
    InputError,
    Integers,
    Options,
    check_choice,
    check_flag,
    check_ratings,
    check_texts,
    check_whole,
    describe,
)

LEAST_TEXTS = 20
"""Fewest rated texts that an estimator learns from."""


def check_parameters(parameters: Options) -> None:
    """Check the parameters of a `QualityEstimator`.

    Raises:
        ImportError: for a model that is not installed; the message names what to install.
        TypeError: for one that is no number if one is expected.
        ValueError: for one outside its range.
    """
    model, augment = parameters["model"], parameters["augment"]
    check_model(model)
    check_choice(parameters["delexicalise"], "delexicalise", ("auto", *SCOPES))
    check_whole(augment, "augment", 0, 100)
    check_whole(parameters["seed"], "seed", 0, 2**32 - 1)
    check_level(parameters["level"])
    check_flag(parameters.get("exclude_rated", False), "exclude_rated")
    check_fill(parameters.get("fill"))
    check_choice(parameters.get("unknown", "abstain"), "unknown", UNKNOWN_RULES)
    if augment and model == KERNEL:
        raise ValueError(
            f'Expected argument `augment` to be 0 for model="{model}", which learns from rated texts alone, but got '
            f"{augment}"
        )


def check_rated_texts(texts: Any, name: str = "texts") -> list[str]:
    """Return the rated texts, after checking that they are strings and none is empty.

    Raises:
        TypeError: as `check_texts`.
        ValueError: for no texts, or an empty one.
    """
    checked = check_texts(texts, name, allow_empty=False)
    for number, text in enumerate(checked):
        if not text.strip():
            raise ValueError(f"Expected argument `{name}` to hold rated texts, but item {number} is empty")
    return checked


def parse_sources(sources: Any, n_texts: int) -> list[Triples]:
    """Parse the sources of n texts.

    Args:
        sources: one source per text, as `parse_mr` reads it.
        n_texts: the number of texts.

    Raises:
        TypeError: for a bare string or mapping, or an item that is no source.
        ValueError: for another number of sources than of texts, or a malformed source; the message names the item.
    """
    if isinstance(sources, (str, bytes, Mapping)) or not isinstance(sources, Iterable):
        raise TypeError(
            f"Expected argument `sources` to be a list with one source for each text, but got {describe(sources)}"
        )
    items: list[Source] = list(sources)
    if len(items) != n_texts:
        raise ValueError(
            f"Expected argument `sources` to have one source for each of the {n_texts} texts, but got {len(items)}"
        )
    read_text = functools.cache(parse_mr)
    parsed = []
    for number, item in enumerate(items):
        try:
            parsed.append(read_text(item) if isinstance(item, str) else parse_mr(item))
        except InputError as error:
            raise InputError(f"Expected argument `sources` to hold sources, but item {number} is a {error}") from None
        except TypeError:
            raise TypeError(
                f"Expected argument `sources` to hold texts, mappings or lists of triples, but item {number} is "
                f"{describe(item)}"
            ) from None
    return parsed


def sources_as_fitted(sources: Any, n_texts: int, has_sources: bool) -> list[Triples] | None:
    """Parse the sources of texts to estimate. A model that was fitted with sources needs them; another takes none.

    Raises:
        TypeError: as `parse_sources`.
        ValueError: as `parse_sources`, for missing sources, and for sources that the model does not take.
    """
    if has_sources and sources is None and n_texts:
        raise ValueError("Expected argument `sources`, as this estimator was fitted with sources, but got None")
    if not has_sources and sources is not None:
        raise ValueError(
            "Expected no argument `sources`, as this estimator was fitted without sources; fit it with sources, or "
            "leave them out"
        )
    return None if sources is None else parse_sources(sources, n_texts)


def ratings_to_learn_from(ratings: ArrayLike, n_texts: int) -> Floats:
    """Return the ratings as numbers, after checking that they are enough and vary.

    Raises:
        TypeError: as `check_ratings`.
        ValueError: as `check_ratings`, for fewer than 20, and for ratings that are all equal.
    """
    values = check_ratings(ratings, "ratings", length=n_texts)
    if n_texts < LEAST_TEXTS:
        raise ValueError(f"Expected at least {LEAST_TEXTS} rated texts to learn from, but got {n_texts}")
    if np.ptp(values) == 0:
        raise ValueError(f"Expected argument `ratings` to vary, but all {n_texts} are {values[0]:g}")
    if np.abs(values).max() > 1e100:
        raise ValueError(
            f"Expected argument `ratings` to hold numbers whose squares are finite, but got {values.max()}"
        )
    return values


def known_slots(triples: Sequence[Triples] | None) -> frozenset[str]:
    """Return the slots of sources, in lower case."""
    return frozenset(triple.slot.lower() for item in triples or () for triple in item if triple.slot)


def unseen_slots(triples: Sequence[Triples] | None, seen: frozenset[str]) -> list[str]:
    """Return the slots of sources that no training source had.

    Warns:
        UserWarning: if there are any.
    """
    unseen = sorted(known_slots(triples) - seen)
    if unseen:
        named = ", ".join(unseen[:5]) + (", …" if len(unseen) > 5 else "")
        warnings.warn(
            f"no training source had {len(unseen)} of the slots of `sources` ({named}): estimates rest on the rest",
            UserWarning,
            stacklevel=3,
        )
    return unseen


def group_numbers(groups: Iterable[Hashable] | None, readings: Sequence[Reading]) -> Integers:
    """Return the number of each rated text's group; None groups texts that are equal after delexicalisation.

    Raises:
        ValueError: for another number of groups than of texts, or one group only.
    """
    if groups is None:
        return number_groups(reading.delexicalised for reading in readings)
    keys = list(groups)
    if len(keys) != len(readings):
        raise ValueError(
            f"Expected argument `groups` to have one group for each of the {len(readings)} texts, but got {len(keys)}"
        )
    numbers = number_groups(keys)
    if numbers.max() == 0:
        raise ValueError("Expected argument `groups` to hold at least two groups, but all are equal")
    return numbers


def near_copies_of_readings(readings: Sequence[Reading]) -> Integers | None:
    """Return the number of each rated text's group of near copies, after delexicalisation; None if there are few.

    Equal texts are in one group.
    """
    texts = [reading.delexicalised for reading in readings]
    distinct = list(dict.fromkeys(texts))
    copies = near_copies(distinct)
    if not copies.are_many or copies.groups.max() == 0:
        return None
    group_of = dict(zip(distinct, copies.groups.tolist(), strict=True))
    return number_groups(group_of[text] for text in texts)


def content_digest(texts: Sequence[str], ratings: Floats) -> str:
    """Return the digest of rated texts: eight hexadecimal digits."""
    total = hashlib.sha256(ratings.astype("<f8").tobytes())
    for text in texts:
        total.update(text.encode("utf-8", "surrogatepass") + b"\0")
    return total.hexdigest()[:8]


def rows_of(items: Sequence[Any] | None, rows: Integers) -> Any:
    """Return some of the items, in the order of `rows`; None of None."""
    return None if items is None else [items[row] for row in rows.tolist()]
