"""Findings of ratings or preferences, ready to be written by `human-score`."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from referenceless_metrics.core.support.validation import Record

if TYPE_CHECKING:
    from referenceless_metrics.human_evaluation.inference.human_score import Contrast, HumanScores


@dataclass(frozen=True)
class Analysis:
    """Findings of ratings or preferences.

    Attributes:
        headline: in a sentence.
        rows: in a table.
        lines: in words.
        baseline: the system with which the gate compares the others.
        contrasts: the differences or win rates on which the gate rests.
        scores: of ratings, for a drawing; None of preferences.
        notes: what was left out, in sentences.
    """

    headline: str
    rows: list[Record]
    lines: list[str]
    baseline: str
    contrasts: Sequence[Contrast]
    scores: HumanScores | None = None
    notes: Sequence[str] = field(default=())


def of_slice(part: str, rows: Sequence[Record]) -> list[Record]:
    """Return rows with the slice that they are of in front; "" for all items."""
    return [{"slice": part, **row} for row in rows]
