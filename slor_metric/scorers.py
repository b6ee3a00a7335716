"""SLOR, WPSLOR and ROUGE-LM with their models bound: what the adapters of other frameworks are made from."""

from __future__ import annotations

from functools import partial
from typing import Any

import numpy as np
from numpy.typing import NDArray

from metric_commons.text_scorer import TextScorer
from slor_metric.estimator import ROUGELM, SLOR, WPSLOR


def slor_scorer(**arguments: Any) -> TextScorer:
    """Bind the models of SLOR; the arguments are those of `SLOR`."""
    return _fluency(SLOR(**arguments))


def wpslor_scorer(**arguments: Any) -> TextScorer:
    """Bind the models of WPSLOR; the arguments are those of `WPSLOR`."""
    return _fluency(WPSLOR(**arguments))


def rouge_lm_scorer(**arguments: Any) -> TextScorer:
    """Bind the models and statistics of ROUGE-LM; the arguments are those of `ROUGELM`.

    Raises:
        ValueError: without `statistics`. A framework scores texts in batches or one by one, and z-scores over a batch
            have a mean of 0 whatever its quality.
    """
    if arguments.get("statistics") is None:
        raise ValueError(
            "Expected argument `statistics`, the means and standard deviations for z (those of a development set: "
            "`ROUGELM().score(texts, references).statistics`), but got None; scores of a batch by itself average to 0"
        )
    metric = ROUGELM(**arguments)
    return TextScorer(metric.name, metric.signature, partial(_combined_scores, metric), needs_references=True)


def _fluency(metric: SLOR) -> TextScorer:
    # a partial of a function, and not a lambda: adapters are pickled
    return TextScorer(metric.name, metric.signature, partial(_scores, metric))


def _scores(metric: SLOR, texts: list[str], _: Any) -> NDArray[np.float64]:
    return metric.score(texts).scores


def _combined_scores(metric: ROUGELM, texts: list[str], references: Any) -> NDArray[np.float64]:
    return metric.score(texts, references).scores
