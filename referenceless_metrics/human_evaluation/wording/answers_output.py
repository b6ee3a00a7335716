"""Counts of ratings in words, such as good and bad, in sentences."""

from __future__ import annotations

from typing import TYPE_CHECKING

from referenceless_metrics.human_evaluation.ratings.wide import WORDS

if TYPE_CHECKING:
    import pandas as pd

_MOST_SYSTEMS = 8
"""Most systems of which the words are counted."""


def answer_lines(frame: pd.DataFrame) -> list[str]:
    """Return the counts of the words that ratings stand for, the highest rating first, a sentence for each system.

    Args:
        frame: ratings as in `RatingTable`; those that are no words have no sentence.
    """
    if WORDS not in frame:
        return []
    by_system = frame.groupby("system", sort=False) if "system" in frame else [("", frame)]
    parts = [(str(name), part) for name, part in by_system]
    return [_told(name, part) for name, part in parts] if len(parts) <= _MOST_SYSTEMS else []


def _told(system: str, frame: pd.DataFrame) -> str:
    filled = frame[frame[WORDS] != ""]
    means = filled.groupby(WORDS)["rating"].mean()
    counts = filled[WORDS].value_counts()
    order = sorted(counts.index, key=lambda word: (-means[word] if means[word] == means[word] else 0.0, word))
    told = ", ".join(f"{word} {counts[word]} ({counts[word] / len(filled):.1%})" for word in order)
    of = f" of {system}" if system else ""
    n_blank = len(frame) - len(filled)
    return f"Answers{of}: {told}{f'; {n_blank} blank' if n_blank else ''}."
