"""Options that name columns of a table."""

from __future__ import annotations

from collections.abc import Sequence

from referenceless_metrics.advice.look.columns.column_kinds import LISTS_OF_TEXTS
from referenceless_metrics.advice.look.columns.column_parts import part_by_name
from referenceless_metrics.advice.look.lines.parts import Parts
from referenceless_metrics.core.files.nested_rows import PLACE
from referenceless_metrics.core.files.reading import names_in
from referenceless_metrics.human_evaluation.ratings.ranks import rank_values

MOST_RATINGS = 3
"""Most columns of ratings that get command lines of their own."""

_MOST_SLICES = 12
"""Most data sets that have figures of their own."""

WITH_REFERENCES = ("--with", "bleu,chrf")
"""The option for metrics with references that are proposed beside one without."""

ALONE = ("--metric", "bleu", "--metric", "chrf")
"""The options for metrics with references alone, which read outputs in any language."""

BY_CHARACTERS = ("--metric", "chrf")
"""The options for the metric that suits short answers, of which several may be right."""

_REPEATED = 0.7
"""Largest number of items, as a share of that of the texts, of which texts are left out together."""


def outputs_rated(parts: Parts, keys: Sequence[str]) -> list[str]:
    """Return the options for `agreement` that tell what was rated."""
    return [*of_outputs(keys), *items_by_text(parts)]


def references_of(parts: Parts) -> list[str]:
    """Return the options for metrics with references beside fluency, if each row has a text that is its reference."""
    named = [column.name for column in parts.all("reference") if column.kind == "text" and not column.blank]
    return ["--reference-columns", named[0], *WITH_REFERENCES] if named else []


def references_alone(parts: Parts) -> list[str]:
    """Return the options for metrics with references alone, if each row has its reference or a list of references."""
    for kind, metrics in (("text", ALONE), (LISTS_OF_TEXTS, BY_CHARACTERS)):
        named = [column.name for column in parts.all("reference") if column.kind == kind and not column.blank]
        if named:
            return ["--reference-columns", named[0], *metrics]
    return []


def clusters_of(parts: Parts) -> list[str]:
    """Return the option that names the outputs' clusters; none without such a column, or if some cells are blank."""
    whole = [column.name for column in parts.all("cluster") if column.blank == 0 and column.distinct > 1]
    return ["--cluster-column", whole[0]] if whole else []


def groups_of(parts: Parts) -> list[str]:
    """Return the option that leaves the texts of one item out together; none if most items have a single text.

    Without a column of items, texts of one source are of one item. Items whose numbers begin again tell nothing alone.
    """
    if parts.begin_again or parts.first("item") == PLACE:
        return []
    items = parts.all("item") or [column for column in parts.all("source") if column.kind in ("text", "labels", "ids")]
    told = [column.name for column in items if 1 < column.distinct <= _REPEATED * parts.n_texts and not column.blank]
    return ["--group-column", told[0]] if told and len(names_in(told[0])) == 1 else []


def turned_of(parts: Parts, rating: str) -> list[str]:
    """Return the option that turns ranks, of which 1 is the best; none for other ratings."""
    return ["--values", rank_values(parts.ranks[rating], ties=parts.ties[rating])] if rating in parts.ranks else []


def reading_by_criterion(parts: Parts) -> list[str]:
    """Return the options of commands on ratings, which tell each criterion apart.

    Ratings beside scores with a row for each metric stand in several rows: those of one metric count.
    """
    are_repeated = bool(parts.first("metric") and parts.all("score") and not parts.first("criterion"))
    once = parts.one_criterion if are_repeated else ()
    return [*parts.option("criterion", "criterion"), *parts.reading, *once]


def option_for_each(option: str, names: Sequence[str]) -> list[str]:
    """Return an option with each of several columns."""
    return [word for name in names for word in (option, name)]


def text_of(parts: Parts) -> list[str]:
    """Return the option that names the column of texts; none for its usual name."""
    return [] if parts.text in (None, "text") else ["--text-column", str(parts.text)]


def keys_of_scores(parts: Parts) -> list[str]:
    """Return the options that name the keys of scores beside items and systems."""
    names = [name for name in ("rater", "run", "metric", "cluster") if parts.first(name)]
    named = [word for name in names for word in (f"--{name}-column", str(parts.first(name)))]
    sliced = parts.begin_again if parts.begin_again == parts.first("slice") else ""
    sliced = sliced or _sliced_items(parts)
    return [*named, "--slice-column", sliced] if sliced else named


def _sliced_items(parts: Parts) -> str:
    """Return the column of items if these are a few data sets or tasks, of which runs have figures; "" for others."""
    items = next(iter(parts.all("item")), None)
    if items is None or parts.first("run") is None or items.distinct > _MOST_SLICES:
        return ""
    return items.name if part_by_name(items) == "slice" else ""


def of_outputs(keys: Sequence[str]) -> list[str]:
    """Return the options of keys as `agreement` takes them: it has no slices, and clusters tell outputs apart, too."""
    return ["--cluster-column" if word == "--slice-column" else word for word in keys]


def items_by_text(parts: Parts) -> list[str]:
    """Return the option for `agreement` that takes texts for items, if no column holds items."""
    has_other = parts.first("item") or parts.rows_are_items
    return [] if has_other or parts.text is None else ["--item-column", parts.text]


def sources(parts: Parts) -> list[str]:
    """Return the option for the column of sources, that with the most different ones; none without."""
    sources = parts.all("source")
    return ["--source-column", max(sources, key=lambda column: column.distinct).name] if sources else []
