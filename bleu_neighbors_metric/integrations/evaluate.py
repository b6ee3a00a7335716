"""BLEU Neighbors as a module of `evaluate`."""

from __future__ import annotations

from typing import Any

from bleu_neighbors_metric.estimator import BLEUNeighbors
from bleu_neighbors_metric.pool_source import estimator_from
from metric_commons.integrations.evaluate import MetricModule, module_info

_CITATION = """\
@article{ethayarajh-sadigh-2020-bleu-neighbors,
  title = {{BLEU} Neighbors: A Reference-less Approach to Automatic Evaluation},
  author = {Ethayarajh, Kawin and Sadigh, Dorsa},
  journal = {arXiv preprint arXiv:2004.12726},
  year = {2020},
}
"""

_DESCRIPTION = """\
BLEU Neighbors estimates the quality of a text without references: the mean human rating of the rated texts that
resemble it, or no estimate where too few or too many do.
"""

_INPUTS = """
Args:
    predictions: the texts to score, a list of strings. References are neither needed nor read.
    training_texts: the pool of rated texts; bind it at `evaluate.load`, or give it here.
    training_quality: one rating for each of them.
    index: instead of the two, a file that `bleu-neighbors fit` or `BLEUNeighbors.save` wrote.
    threshold, min_neighbors, max_fraction, tokenize, ngram_orders, smooth_method, smooth_value, clip, kernel,
        kernel_options, weights, n_jobs, progress: parameters of `BLEUNeighbors`; over an index, they replace those that
        it was saved with.

Returns:
    bleu_neighbors: mean estimate over the covered predictions, NaN where none is covered.
    coverage: share of predictions with an estimate. Report it beside the mean.
    quality: one estimate a prediction, NaN where undefined.
    n_neighbors: how many rated texts each prediction resembles.
    signature: what determines the result.
"""

_POOL = ("training_texts", "training_quality", "index")


class BleuNeighbors(MetricModule):
    """`evaluate.load("bleu_neighbors")`: see `BLEUNeighbors` for the metric and its parameters."""

    parameters = frozenset(_POOL) | frozenset(BLEUNeighbors.parameter_names())

    _bound_metric: BLEUNeighbors | None = None  # fitted once, whatever the number of `compute` calls
    _metric: BLEUNeighbors

    def _info(self) -> Any:
        return module_info(_DESCRIPTION, _CITATION, _INPUTS, urls=["https://arxiv.org/abs/2004.12726"])

    def prepare(self, given: dict[str, Any]) -> None:
        """Fit or load the pool."""
        if given:
            # A pool given here replaces the bound one whole: its texts are never paired with other ratings.
            replaced = _POOL if any(name in given for name in _POOL) else ()
            kept = {name: value for name, value in self.bound.items() if name not in replaced}
            self._metric = estimator_from(**{**kept, **given})
            return
        if self._bound_metric is None:
            self._bound_metric = estimator_from(**self.bound)
        self._metric = self._bound_metric

    def score(self, predictions: list[str]) -> dict[str, Any]:
        """Return the estimates of `predictions` and their mean."""
        estimates = self._metric.predict(predictions)
        return {
            "bleu_neighbors": estimates.mean_quality,
            "coverage": estimates.coverage,
            "quality": estimates.quality.tolist(),
            "n_neighbors": estimates.n_neighbors.tolist(),
            "signature": self._metric.signature,
        }
