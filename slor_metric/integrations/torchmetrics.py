"""SLOR, WPSLOR and ROUGE-LM as metrics of torchmetrics (extra `torchmetrics`)."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from metric_commons.integrations.torchmetrics import TextQualityMetric
from slor_metric.language_models.base import LanguageModel, UnigramModel
from slor_metric.rouge.rouge_lm import ZStatistics
from slor_metric.rouge.tokenize import Tokenise
from slor_metric.scorers import rouge_lm_scorer, slor_scorer, wpslor_scorer


class SLORScore(TextQualityMetric):
    """Mean SLOR of generated texts in nats per token, with its coverage; see `slor_metric.estimator.SLOR`.

    Args:
        lm: the language model, as in `SLOR`.
        unigram: the unigram model, as in `SLOR`.
        lm_options: options for loading the language model.
        return_sentence_level_score: also return each text's score, NaN where undefined.
        kwargs: those of `torchmetrics.Metric`.

    Raises:
        TypeError: as in `SLOR`.
        ValueError: as in `SLOR`.
    """

    _make_scorer = staticmethod(slor_scorer)

    def __init__(
        self,
        lm: str | LanguageModel = "default",
        *,
        unigram: str | UnigramModel | None = None,
        lm_options: Mapping[str, Any] | None = None,
        return_sentence_level_score: bool = False,
        **kwargs: Any,
    ) -> None:
        scorer = self._make_scorer(lm=lm, unigram=unigram, lm_options=lm_options)
        super().__init__(scorer, return_sentence_level_score=return_sentence_level_score, **kwargs)


class WPSLORScore(SLORScore):
    """Mean WPSLOR of generated texts in nats per WordPiece; the arguments are those of `SLORScore`."""

    _make_scorer = staticmethod(wpslor_scorer)


class ROUGELMScore(TextQualityMetric):
    """Mean ROUGE-LM of generated texts with references; see `slor_metric.estimator.ROUGELM`.

    Args:
        lm: the language model, as in `WPSLOR`.
        unigram: the unigram model, as in `SLOR`.
        lm_options: options for loading the language model.
        statistics: the means and standard deviations for z, such as those of a development set; without them, the mean
            of every batch would be 0.
        tokenize: the tokeniser of ROUGE-L.
        stem: whether ROUGE-L stems tokens.
        return_sentence_level_score: also return each text's score, NaN where undefined.
        kwargs: those of `torchmetrics.Metric`.

    Raises:
        TypeError: as in `ROUGELM`.
        ValueError: as in `ROUGELM`.
    """

    def __init__(
        self,
        lm: str | LanguageModel = "default",
        *,
        statistics: ZStatistics | Mapping[str, float],
        unigram: str | UnigramModel | None = None,
        lm_options: Mapping[str, Any] | None = None,
        tokenize: str | Tokenise = "unicode",
        stem: bool = False,
        return_sentence_level_score: bool = False,
        **kwargs: Any,
    ) -> None:
        scorer = rouge_lm_scorer(
            lm=lm, unigram=unigram, lm_options=lm_options, statistics=statistics, tokenize=tokenize, stem=stem
        )
        super().__init__(scorer, return_sentence_level_score=return_sentence_level_score, **kwargs)
