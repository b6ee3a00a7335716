"""Metrics with references, to stand beside a referenceless one: BLEU, chrF, TER and ROUGE (Lin 2004).

Their counts are those of well kept libraries: sacrebleu for BLEU, chrF and TER, rouge-score for ROUGE-1, -2 and -L.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import Any, ClassVar

import numpy as np

from metric_commons.results import MetricResult
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


class Rouge:
    """ROUGE-1, ROUGE-2 or ROUGE-L of each text, against its best reference: F1 of unstemmed words.

    Args:
        kind: `rouge1`, `rouge2` or `rougeL`.

    Raises:
        ImportError: without rouge-score; the message names the extra.
        ValueError: for an unknown kind.
    """

    signature = "measure:fmeasure|stem:no|rouge_tok:rouge_score"
    needs_references, needs_sources = True, False
    TITLES: ClassVar[dict[str, str]] = {"rouge1": "ROUGE-1", "rouge2": "ROUGE-2", "rougeL": "ROUGE-L"}

    def __init__(self, kind: str = "rougeL") -> None:
        check_choice(kind, "kind", tuple(self.TITLES))
        scorer = import_extra("rouge_score.rouge_scorer", "baselines", self.TITLES[kind])
        self.name, self._kind = self.TITLES[kind], kind
        self._scorer: Any = scorer.RougeScorer([kind])

    def predict(self, texts: Iterable[str], *, references: Any = None, sources: Any = None) -> MetricResult:
        """Score texts by the best of their references."""

        def value(text: str, reference: str) -> float:
            return float(self._scorer.score(reference, text)[self._kind].fmeasure)

        pairs = zip(texts, references, strict=True)
        values = np.array([max(value(text, reference) for reference in own) for text, own in pairs])
        return MetricResult(values, (None,) * len(values), self.signature)


def canonical_name(name: str) -> str:
    """Return a metric's name as it stands in `NAMES`, whatever its case.

    >>> canonical_name("ROUGEl")
    'rougeL'

    Raises:
        ValueError: for an unknown name; the message lists the known ones.
    """
    known, asked = {each.lower(): each for each in NAMES}, name.strip().lower()
    if asked not in known:
        raise ValueError(f"Expected one of {', '.join(NAMES)}, but got {name!r}")
    return known[asked]


def baseline(name: str) -> Any:
    """Return a metric by its name, one of `NAMES`, as one of sacrebleu's metrics.

    Raises:
        ImportError: where what it needs is not installed; the message names the extra.
        ValueError: for an unknown name; the message lists the known ones.
    """
    from sacrebleu.metrics import BLEU, CHRF, TER

    from metric_commons.integrations.sacrebleu import SacrebleuAdapter

    made: dict[str, Callable[[], Any]] = {
        "bleu": BLEU,
        "chrf": CHRF,
        "chrf++": lambda: CHRF(word_order=2),
        "ter": TER,
        **{kind: lambda kind=kind: SacrebleuAdapter(Rouge(kind)) for kind in Rouge.TITLES},  # type: ignore[misc]
    }
    return made[canonical_name(name)]()
