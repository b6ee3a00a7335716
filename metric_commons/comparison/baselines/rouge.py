"""ROUGE-1, ROUGE-2 and ROUGE-L (Lin 2004) by the rouge-score package, the best reference counting."""

from __future__ import annotations

from typing import Any, ClassVar

from metric_commons.comparison.baselines.base import PairBaseline
from metric_commons.integrations.sacrebleu import Streams
from metric_commons.support.installation import import_extra
from metric_commons.support.validation import check_choice

MEASURES = ("precision", "recall", "fmeasure")


class Rouge(PairBaseline):
    """ROUGE-1, ROUGE-2 or ROUGE-L.

    Args:
        kind: `rouge1`, `rouge2` or `rougeL`.
        measure: `fmeasure`, as rouge-score and most papers report it, `recall`, as ROUGE was defined, or `precision`.
        stem: whether words are brought to Porter's stems.
        references: reference streams to keep.

    Raises:
        ImportError: without rouge-score; the message names the extra.
        ValueError: for an unknown kind or measure.
    """

    name: ClassVar[str] = "ROUGE"
    key: ClassVar[str] = "rouge"
    TITLES: ClassVar[dict[str, str]] = {"rouge1": "ROUGE-1", "rouge2": "ROUGE-2", "rougeL": "ROUGE-L"}

    def __init__(
        self, kind: str = "rougeL", *, measure: str = "fmeasure", stem: bool = False, references: Streams | None = None
    ) -> None:
        check_choice(kind, "kind", tuple(self.TITLES))
        check_choice(measure, "measure", MEASURES)
        scorer = import_extra("rouge_score.rouge_scorer", "baselines", self.TITLES[kind])
        self.kind, self.measure, self.stem = kind, measure, stem
        self.name, self.key = self.TITLES[kind], kind  # type: ignore[misc]  # one class, three names
        self._scorer: Any = scorer.RougeScorer([kind], use_stemmer=stem)
        super().__init__(references)

    def pair_value(self, text: str, reference: str) -> float:
        """Return the value of a text against one reference."""
        return float(getattr(self._scorer.score(reference, text)[self.kind], self.measure))

    def _signature_parts(self) -> dict[str, tuple[str, object]]:
        return {"measure": ("m", self.measure), "stem": ("st", self.stem), "rouge_tok": ("rt", "rouge_score")}
