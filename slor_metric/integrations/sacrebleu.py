"""SLOR, WPSLOR, ROUGE-LM and Fluency as metrics of sacrebleu."""

from __future__ import annotations

import hashlib
from collections.abc import Mapping
from typing import Any, ClassVar

from metric_commons.integrations.sacrebleu import MetricOfSacrebleu, Streams
from slor_metric.estimator import ROUGELM, SLOR, WPSLOR
from slor_metric.fluency.metric import Fluency
from slor_metric.language_models.base import LanguageModel, UnigramModel
from slor_metric.language_models.known import MAX_UNKNOWN
from slor_metric.measures import FittedMeasure
from slor_metric.rouge.rouge_lm import ZStatistics
from slor_metric.rouge.tokenize import Tokenise


class SLORMetric(MetricOfSacrebleu):
    """SLOR beside BLEU and chrF: `corpus_score`, `sentence_score`, bootstrap intervals and paired tests.

    The corpus score is the mean over the segments that have tokens, in nats a token, with their share as coverage.
    References are accepted, as by sacrebleu's metrics, and ignored.

    Args:
        lm: as in `SLOR`: `"default"`, another name, a path or an object with `token_logprobs`.
        unigram: the unigram model; None for the one that the language model carries.
        lm_options: options for loading the language model.
        unknown: as in `SLOR`: `"abstain"` or `"score"`.
        max_unknown: as in `SLOR`.
        measure: as in `SLOR`.
        estimator: instead of all these, a `SLOR` (or `WPSLOR`, for its metric).

    Attributes:
        metric: the `SLOR` or `WPSLOR` behind.

    Raises:
        TypeError: as in `SLOR`.
        ValueError: as in `SLOR`.
    """

    name: ClassVar[str] = "SLOR"
    key: ClassVar[str] = "slor"
    _kind: ClassVar[type[SLOR]] = SLOR

    def __init__(
        self,
        lm: str | LanguageModel = "default",
        *,
        unigram: str | UnigramModel | None = None,
        lm_options: Mapping[str, Any] | None = None,
        unknown: str = "abstain",
        max_unknown: float = MAX_UNKNOWN,
        measure: str | FittedMeasure = "slor",
        estimator: SLOR | None = None,
    ) -> None:
        super().__init__(
            estimator
            or self._kind(
                lm, unigram=unigram, lm_options=lm_options, unknown=unknown, max_unknown=max_unknown, measure=measure
            )
        )


class WPSLORMetric(SLORMetric):
    """WPSLOR as a metric of sacrebleu; the arguments are those of `SLORMetric`."""

    name: ClassVar[str] = "WPSLOR"
    key: ClassVar[str] = "wpslor"
    _kind: ClassVar[type[SLOR]] = WPSLOR


class FluencyMetric(MetricOfSacrebleu):
    """Fluency as a metric of sacrebleu: the mean over the segments that have a score, with their share as coverage.

    Args:
        lm: as in `Fluency`: `"default"` or `"smollm2"`.
        lm_options: as in `Fluency`.
        max_unknown: as in `Fluency`.
        measure: as in `Fluency`.
        estimator: instead of these, a `Fluency`.

    Attributes:
        metric: the `Fluency` behind.

    Raises:
        TypeError: as in `Fluency`.
        ValueError: as in `Fluency`.
    """

    name: ClassVar[str] = "Fluency"
    key: ClassVar[str] = "fluency"

    def __init__(
        self,
        lm: str = "default",
        *,
        lm_options: Mapping[str, Any] | None = None,
        max_unknown: float = MAX_UNKNOWN,
        measure: str | FittedMeasure | None = None,
        estimator: Fluency | None = None,
    ) -> None:
        super().__init__(estimator or Fluency(lm, lm_options=lm_options, max_unknown=max_unknown, measure=measure))


class ROUGELMMetric(MetricOfSacrebleu):
    """ROUGE-LM as a metric of sacrebleu: z(ROUGE-L-mult) + z(WPSLOR), which needs references.

    A z-score is on the scale of the set whose mean and standard deviation it was taken with, and systems can be
    compared only on one scale. It is given as `statistics`, or else that of the first corpus scored: of the baseline
    in a paired test, whose own score is then 0, and a system above 0 is better than it.

    Args:
        lm: as in `WPSLOR`.
        unigram: as in `WPSLOR`.
        lm_options: as in `WPSLOR`.
        statistics: means and standard deviations for z; None for those of the first corpus scored.
        tokenize: the tokeniser of ROUGE-L.
        stem: whether ROUGE-L stems tokens.
        unknown: as in `WPSLOR`.
        references: reference streams to keep, so that `corpus_score(texts, None)` uses them.
        estimator: instead of all but `references`, a `ROUGELM`.

    Attributes:
        metric: the `ROUGELM` behind, which holds the statistics once they are known.

    Raises:
        TypeError: as in `ROUGELM`.
        ValueError: as in `ROUGELM`, and for streams of unequal lengths.
    """

    name: ClassVar[str] = "ROUGE-LM"
    key: ClassVar[str] = "rouge_lm"

    def __init__(
        self,
        lm: str | LanguageModel = "default",
        *,
        unigram: str | UnigramModel | None = None,
        lm_options: Mapping[str, Any] | None = None,
        statistics: ZStatistics | Mapping[str, float] | None = None,
        tokenize: str | Tokenise = "unicode",
        stem: bool = False,
        unknown: str = "abstain",
        references: Streams | None = None,
        estimator: ROUGELM | None = None,
    ) -> None:
        super().__init__(
            estimator
            or ROUGELM(
                lm,
                unigram=unigram,
                lm_options=lm_options,
                statistics=statistics,
                tokenize=tokenize,
                stem=stem,
                unknown=unknown,
            ),
            references,
        )

    def _signature_parts(self) -> dict[str, tuple[str, object]]:
        statistics = self.metric.statistics
        scale = "first" if statistics is None else hashlib.sha256(repr(statistics).encode()).hexdigest()[:8]
        return {**super()._signature_parts(), "z": ("z", scale)}


def metric_of(estimator: SLOR) -> SLORMetric | ROUGELMMetric:
    """Return the metric of sacrebleu that goes with a `SLOR`, `WPSLOR` or `ROUGELM`, which it shares."""
    if isinstance(estimator, ROUGELM):
        return ROUGELMMetric(estimator=estimator)
    return (WPSLORMetric if isinstance(estimator, WPSLOR) else SLORMetric)(estimator=estimator)
