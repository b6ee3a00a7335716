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
)


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


def baseline(name: str) -> Any:
    """Return a metric by its name, one of `NAMES`, as one of sacrebleu's metrics.

    Raises:
        ImportError: where what it needs is not installed; the message names the extra.
        ValueError: for an unknown name; the message lists the known ones.
    """
    from sacrebleu.metrics import BLEU, CHRF, TER

    from metric_commons.comparison.baselines.rouge import Rouge

    made: dict[str, Callable[[], Any]] = {
        "bleu": BLEU,
        "chrf": CHRF,
        "chrf++": lambda: CHRF(word_order=2),
        "ter": TER,
        **{kind: lambda kind=kind: Rouge(kind) for kind in Rouge.TITLES},  # type: ignore[misc]
    }
    return made[canonical_name(name)]()


def baselines(names: Sequence[str]) -> list[Any]:
    """Return metrics by their names, each one of `NAMES`; raises as `baseline`."""
    return [baseline(name) for name in names]
