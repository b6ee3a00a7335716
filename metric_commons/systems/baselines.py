"""Metrics with references, to stand beside a referenceless one: BLEU, chrF, TER and ROUGE (Lin 2004).

Their counts are those of well kept libraries: sacrebleu for BLEU, chrF and TER, rouge-score for ROUGE-1, -2 and -L.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, ClassVar

import numpy as np
from numpy.typing import NDArray

from metric_commons.integrations.sacrebleu import SegmentMetric, Streams
from metric_commons.support.installation import import_extra
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


class Rouge(SegmentMetric):
    """ROUGE-1, ROUGE-2 or ROUGE-L of each segment, against its best reference: F1 of unstemmed words.

    Args:
        kind: `rouge1`, `rouge2` or `rougeL`.
        references: reference streams to keep.

    Raises:
        ImportError: without rouge-score; the message names the extra.
        ValueError: for an unknown kind.
    """

    name: ClassVar[str] = "ROUGE"
    key: ClassVar[str] = "rouge"
    needs_references: ClassVar[bool] = True
    TITLES: ClassVar[dict[str, str]] = {"rouge1": "ROUGE-1", "rouge2": "ROUGE-2", "rougeL": "ROUGE-L"}

    def __init__(self, kind: str = "rougeL", *, references: Streams | None = None) -> None:
        check_choice(kind, "kind", tuple(self.TITLES))
        scorer = import_extra("rouge_score.rouge_scorer", "baselines", self.TITLES[kind])
        self.name, self.key = self.TITLES[kind], kind  # type: ignore[misc]  # one class, three names
        self._scorer: Any = scorer.RougeScorer([kind])
        super().__init__(references)

    def _segment_scores(self, texts: list[str], references: list[list[str]] | None) -> NDArray[np.float64]:
        def value(text: str, reference: str) -> float:
            return float(self._scorer.score(reference, text)[self.key].fmeasure)

        pairs = zip(texts, references or [], strict=True)
        return np.array([max(value(text, reference) for reference in own) for text, own in pairs])

    def _signature_parts(self) -> dict[str, tuple[str, object]]:
        return {"measure": ("m", "fmeasure"), "stem": ("st", False), "rouge_tok": ("rt", "rouge_score")}


def canonical_name(name: str) -> str:
    """Return a metric's name as it stands in `NAMES`, whatever its case.

    >>> canonical_name("ROUGEl")
    'rougeL'

    Raises:
        ValueError: for an unknown name; the message lists the known ones.
    """
    known, given = {each.lower(): each for each in NAMES}, name.strip().lower()
    check_choice(given, "name", tuple(known))
    return known[given]


def baseline(name: str) -> Any:
    """Return a metric by its name, one of `NAMES`, as one of sacrebleu's metrics.

    Raises:
        ImportError: where what it needs is not installed; the message names the extra.
        ValueError: for an unknown name; the message lists the known ones.
    """
    from sacrebleu.metrics import BLEU, CHRF, TER

    made: dict[str, Callable[[], Any]] = {
        "bleu": BLEU,
        "chrf": CHRF,
        "chrf++": lambda: CHRF(word_order=2),
        "ter": TER,
        **{kind: lambda kind=kind: Rouge(kind) for kind in Rouge.TITLES},  # type: ignore[misc]
    }
    return made[canonical_name(name)]()
