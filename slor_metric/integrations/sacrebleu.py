"""SLOR, WPSLOR and ROUGE-LM as metrics of sacrebleu."""

from __future__ import annotations

import hashlib
from collections.abc import Mapping, Sequence
from typing import Any, ClassVar

import numpy as np
from numpy.typing import NDArray

from metric_commons.integrations.sacrebleu import SegmentMetric, SegmentScore, Streams
from slor_metric.estimator import ROUGELM, SLOR, WPSLOR, model_signature
from slor_metric.language_models.base import LanguageModel, UnigramModel
from slor_metric.rouge.rouge_lm import ZStatistics
from slor_metric.rouge.tokenize import Tokenise


class SLORMetric(SegmentMetric):
    """SLOR beside BLEU and chrF: `corpus_score`, `sentence_score`, bootstrap intervals and paired tests.

    The corpus score is the mean over the segments that have tokens, in nats a token, with their share as coverage.
    References are accepted, as by sacrebleu's metrics, and ignored.

    Args:
        lm: as in `SLOR`: `"default"`, another name, a path or an object with `token_logprobs`.
        unigram: the unigram model; None for the one that the language model carries.
        lm_options: options for loading the language model.
        estimator: instead of all these, a `SLOR` (or `WPSLOR`, for its metric).

    Attributes:
        estimator: the `SLOR` or `WPSLOR` behind.

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
        estimator: SLOR | None = None,
    ) -> None:
        super().__init__()
        self.estimator: SLOR = estimator or self._kind(lm, unigram=unigram, lm_options=lm_options)

    def _segment_scores(self, texts: list[str], references: list[list[str]] | None) -> NDArray[np.float64]:
        return _finite(self.estimator.score(texts).scores)

    def _signature_parts(self) -> dict[str, tuple[str, object]]:
        return {
            "lm": ("lm", model_signature(self.estimator.language_model)),
            "unigram": ("u", model_signature(self.estimator.unigram_model)),
        }


class WPSLORMetric(SLORMetric):
    """WPSLOR as a metric of sacrebleu; the arguments are those of `SLORMetric`."""

    name: ClassVar[str] = "WPSLOR"
    key: ClassVar[str] = "wpslor"
    _kind: ClassVar[type[SLOR]] = WPSLOR


class ROUGELMMetric(SegmentMetric):
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
        references: reference streams to keep, so that `corpus_score(texts, None)` uses them.
        estimator: instead of all but `references`, a `ROUGELM`.

    Attributes:
        estimator: the `ROUGELM` behind, which holds the statistics once they are known.

    Raises:
        TypeError: as in `ROUGELM`.
        ValueError: as in `ROUGELM`, and for streams of unequal lengths.
    """

    name: ClassVar[str] = "ROUGE-LM"
    key: ClassVar[str] = "rouge_lm"
    needs_references: ClassVar[bool] = True

    def __init__(
        self,
        lm: str | LanguageModel = "default",
        *,
        unigram: str | UnigramModel | None = None,
        lm_options: Mapping[str, Any] | None = None,
        statistics: ZStatistics | Mapping[str, float] | None = None,
        tokenize: str | Tokenise = "unicode",
        stem: bool = False,
        references: Streams | None = None,
        estimator: ROUGELM | None = None,
    ) -> None:
        super().__init__(references)
        self.estimator: ROUGELM = estimator or ROUGELM(
            lm, unigram=unigram, lm_options=lm_options, statistics=statistics, tokenize=tokenize, stem=stem
        )

    def sentence_score(self, hypothesis: str, references: Sequence[str] | None = None) -> SegmentScore:
        """Score one text.

        Raises:
            TypeError: where `hypothesis` is not a string.
            ValueError: for missing references, or where there are no `statistics` yet: one text has no z-score.
        """
        if self.estimator.statistics is None:
            raise ValueError(
                "Expected argument `statistics` of ROUGELMMetric, or a corpus scored before, to place one text on a "
                "scale, but there is neither"
            )
        return super().sentence_score(hypothesis, references)

    def score_systems(
        self, systems: Sequence[Sequence[str]], references: Streams | None = None
    ) -> list[NDArray[np.float64]]:
        """Score the outputs of several systems; without `statistics`, z is taken over all of them together."""
        if self.estimator.statistics is None:
            texts = [text for system in systems for text in system]
            lists = self._references_of(references, len(systems[0])) if systems else None
            self._segment_scores(texts, None if lists is None else lists * len(systems))
        return super().score_systems(systems, references)

    def _segment_scores(self, texts: list[str], references: list[list[str]] | None) -> NDArray[np.float64]:
        result = self.estimator.score(texts, references or [])
        # where nothing is defined, there is no scale to keep
        if self.estimator.statistics is None and np.isfinite(result.scores).any():
            self.estimator.statistics = result.statistics
        return _finite(result.scores)

    def _signature_parts(self) -> dict[str, tuple[str, object]]:
        told = dict(part.split(":", 1) for part in self.estimator.signature.split("|"))
        statistics = self.estimator.statistics
        scale = "first" if statistics is None else hashlib.sha256(repr(statistics).encode()).hexdigest()[:8]
        return {
            "lm": ("lm", model_signature(self.estimator.language_model)),
            "unigram": ("u", model_signature(self.estimator.unigram_model)),
            "rouge_tok": ("rt", told["rouge_tok"]),
            "stem": ("st", told["stem"]),
            "z": ("z", scale),
        }


def metric_of(estimator: SLOR) -> SLORMetric | ROUGELMMetric:
    """Return the metric of sacrebleu that goes with a `SLOR`, `WPSLOR` or `ROUGELM`, which it shares."""
    if isinstance(estimator, ROUGELM):
        return ROUGELMMetric(estimator=estimator)
    return (WPSLORMetric if isinstance(estimator, WPSLOR) else SLORMetric)(estimator=estimator)


def _finite(scores: NDArray[np.float64]) -> NDArray[np.float64]:
    """Return scores with NaN for an infinite one: a text that the model holds impossible has no place in a mean."""
    return np.where(np.isfinite(scores), scores, np.nan)
