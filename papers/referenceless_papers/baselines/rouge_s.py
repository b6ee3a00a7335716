"""ROUGE-S (Lin 2004, Section 4): pairs of words in their order, whatever stands between them."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from typing import ClassVar

from metric_commons.integrations.sacrebleu import Streams
from metric_commons.support.validation import check_choice, check_number
from metric_commons.support.words import rouge_words
from metric_commons.systems.baselines import MEASURES
from referenceless_papers.baselines.base import PairBaseline
from referenceless_papers.baselines.counts import Overlap, overlap


def skip_bigrams(tokens: Sequence[str], max_skip: int | None = None) -> Counter[tuple[str, str]]:
    """Return how often each pair of words stands in a text, in this order.

    Args:
        tokens: n tokens, of which there are n (n − 1) / 2 pairs.
        max_skip: how many words may stand between the two; None for any number.

    >>> sorted(skip_bigrams(["a", "b", "c"]))
    [('a', 'b'), ('a', 'c'), ('b', 'c')]
    >>> sorted(skip_bigrams(["a", "b", "c"], max_skip=0))
    [('a', 'b'), ('b', 'c')]
    """
    reach = len(tokens) if max_skip is None else max_skip + 1
    return Counter(
        (first, second) for place, first in enumerate(tokens) for second in tokens[place + 1 : place + 1 + reach]
    )


def rouge_s(candidate: Sequence[str], reference: Sequence[str], max_skip: int | None = None) -> Overlap:
    """Return precision and recall of skip-bigrams; 0 for a side of fewer than two words."""
    return overlap(Counter(skip_bigrams(candidate, max_skip)), Counter(skip_bigrams(reference, max_skip)))


class RougeS(PairBaseline):
    """ROUGE-S on rouge-score's words, the best reference counting.

    Args:
        measure: `fmeasure`, `recall` or `precision`.
        max_skip: how many words may stand between the two of a pair; None for any number, as defined.
        references: reference streams to keep.

    Raises:
        ValueError: for an unknown measure, or a negative `max_skip`.
    """

    name: ClassVar[str] = "ROUGE-S"
    key: ClassVar[str] = "rougeS"

    def __init__(
        self, *, measure: str = "fmeasure", max_skip: int | None = None, references: Streams | None = None
    ) -> None:
        check_choice(measure, "measure", MEASURES)
        if max_skip is not None:
            check_number(max_skip, "max_skip", minimum=0, integer=True)
        self.measure, self.max_skip = measure, max_skip
        super().__init__(references)

    def pair_value(self, text: str, reference: str) -> float:
        """Return the value of a text against one reference."""
        return rouge_s(rouge_words(text), rouge_words(reference), self.max_skip).measure(self.measure)

    def _signature_parts(self) -> dict[str, tuple[str, object]]:
        return {"measure": ("m", self.measure), "skip": ("sk", self.max_skip), "rouge_tok": ("rt", "rouge_score")}
