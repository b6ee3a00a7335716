"""The metrics with references by the names that `compare --with` takes."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from metric_commons.support.validation import check_choice

#: Names, in the order in which help lists them.
NAMES = (
    "bleu",
    "chrf",
    "chrf++",
    "ter",
    "rouge1",
    "rouge2",
    "rougeL",
    "rougeW",
    "rougeS",
    "meteor",
    "cider",
)
#: Lower is better in these, or they have no greatest value, so that they are no ratings.
_NO_LEVELS = ("ter",)


def canonical_name(name: str) -> str:
    """Return a metric's name as it stands in `NAMES`, whatever its case.

    >>> canonical_name("ROUGEl")
    'rougeL'

    Raises:
        ValueError: for an unknown name; the message lists the known ones.
    """
    known = {each.lower(): each for each in NAMES}
    check_choice(name.strip().lower(), "name", tuple(known))
    return known[name.strip().lower()]


def baseline(name: str, *, of_segments: bool = False) -> Any:
    """Return a metric by its name, as one of sacrebleu's metrics.

    Args:
        name: one of `NAMES`.
        of_segments: whether its values of single segments are wanted; BLEU then counts only the orders that a segment
            is long enough for.

    Raises:
        ImportError: where what it needs is not installed; the message names the extra.
        InputError: for METEOR without WordNet.
        ValueError: for an unknown name; the message lists the known ones.
    """
    from sacrebleu.metrics import BLEU, CHRF, TER

    from metric_commons.comparison.baselines.cider import Cider
    from metric_commons.comparison.baselines.meteor import Meteor
    from metric_commons.comparison.baselines.rouge import Rouge
    from metric_commons.comparison.baselines.rouge_s import RougeS
    from metric_commons.comparison.baselines.rouge_w import RougeW

    made: dict[str, Callable[[], Any]] = {
        "bleu": lambda: BLEU(effective_order=of_segments),
        "chrf": CHRF,
        "chrf++": lambda: CHRF(word_order=2),
        "ter": TER,
        **{kind: lambda kind=kind: Rouge(kind) for kind in Rouge.TITLES},  # type: ignore[misc]
        "rougeW": RougeW,
        "rougeS": RougeS,
        "meteor": Meteor,
        "cider": Cider,
    }
    return made[canonical_name(name)]()


def baselines(
    names: Sequence[str],
    *,
    as_ratings: bool = False,
    systems: Sequence[Sequence[str]] = (),
    references: Sequence[Sequence[str | None]] | None = None,
) -> list[Any]:
    """Return metrics by their names.

    Args:
        names: each one of `NAMES`.
        as_ratings: whether values of segments are mapped to ratings from 1 to 6 (see `rating_levels`). CIDEr-D is
            scaled first: its least value over all systems becomes 0, its greatest 1.
        systems: the outputs that will be scored, for that scale.
        references: their streams of references, likewise.

    Raises:
        ValueError: for an unknown name, or one that cannot be a rating.
        ImportError: as `baseline`.
        InputError: as `baseline`.
    """
    chosen = [canonical_name(name) for name in names]
    if not as_ratings:
        return [baseline(name) for name in chosen]
    from metric_commons.comparison.baselines.rating_levels import RatingLevels

    for name in chosen:
        if name in _NO_LEVELS:
            raise ValueError(f"Expected metrics of which more is better to be taken as ratings, but got {name!r}")
    made = []
    for name in chosen:
        metric, bounds = baseline(name, of_segments=True), None
        if name == "cider" and references is not None:
            values = [metric.segment_scores(texts, references) for texts in systems]
            if values:
                bounds = float(min(each.min() for each in values)), float(max(each.max() for each in values))
        made.append(RatingLevels(metric, bounds))
    return made
