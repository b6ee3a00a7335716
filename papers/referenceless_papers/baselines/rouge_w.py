"""ROUGE-W (Lin 2004, Section 3.2): the longest common subsequence, runs of adjacent words counting more.

With f(k) = k^α, a run of k matches adds f(k) instead of k. With W from the table below, m and n words,

    recall = f⁻¹(W / f(m)),  precision = f⁻¹(W / f(n)),  f⁻¹(x) = x^(1/α).
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import ClassVar

from metric_commons.integrations.sacrebleu import Streams
from metric_commons.support.validation import check_choice, check_number
from metric_commons.support.words import rouge_words
from metric_commons.systems.baselines import MEASURES
from referenceless_papers.baselines.base import PairBaseline
from referenceless_papers.baselines.counts import Overlap


def weighted_lcs(first: Sequence[str], second: Sequence[str], weight: float = 1.2) -> float:
    """Return the weighted longest common subsequence of two token lists, by the paper's table.

    A cell (i, j) whose tokens match extends the run of (i − 1, j − 1); any other takes the larger neighbour, and ends
    the run. As in the paper, a match is always taken.

    Args:
        first: tokens.
        second: tokens.
        weight: α of f(k) = k^α, at least 1.

    >>> round(weighted_lcs("abcdefg", "abcdhik"), 3), round(weighted_lcs("abcdefg", "ahbkcid"), 3)
    (5.278, 4.0)
    """
    check_number(weight, "weight", minimum=1.0)
    gains = [(run + 1) ** weight - run**weight for run in range(min(len(first), len(second)) + 1)]
    row, runs = [0.0] * (len(second) + 1), [0] * (len(second) + 1)
    for token in first:
        corner, corner_run = 0.0, 0
        for place, other in enumerate(second, start=1):
            above, above_run = row[place], runs[place]
            if token == other:
                row[place], runs[place] = corner + gains[corner_run], corner_run + 1
            else:
                row[place], runs[place] = max(above, row[place - 1]), 0
            corner, corner_run = above, above_run
    return row[-1]


def rouge_w(candidate: Sequence[str], reference: Sequence[str], weight: float = 1.2) -> Overlap:
    """Return precision and recall of ROUGE-W; 0 for an empty side."""
    if not candidate or not reference:
        return Overlap(0.0, 0.0)
    found = weighted_lcs(candidate, reference, weight)
    return Overlap(*((found / len(side) ** weight) ** (1 / weight) for side in (candidate, reference)))


class RougeW(PairBaseline):
    """ROUGE-W on rouge-score's words, the best reference counting.

    Args:
        measure: `fmeasure`, `recall` or `precision`.
        weight: α, at least 1; 1.2 is what the paper's author used.
        references: reference streams to keep.

    Raises:
        ValueError: for an unknown measure, or a weight below 1.
    """

    name: ClassVar[str] = "ROUGE-W"
    key: ClassVar[str] = "rougeW"

    def __init__(self, *, measure: str = "fmeasure", weight: float = 1.2, references: Streams | None = None) -> None:
        check_choice(measure, "measure", MEASURES)
        check_number(weight, "weight", minimum=1.0)
        self.measure, self.weight = measure, float(weight)
        super().__init__(references)

    def pair_value(self, text: str, reference: str) -> float:
        """Return the value of a text against one reference."""
        return rouge_w(rouge_words(text), rouge_words(reference), self.weight).measure(self.measure)

    def _signature_parts(self) -> dict[str, tuple[str, object]]:
        return {"measure": ("m", self.measure), "weight": ("wt", self.weight), "rouge_tok": ("rt", "rouge_score")}
