"""BLEU Neighbors as a module of `evaluate`."""

from __future__ import annotations

from typing import ClassVar

from bleu_neighbors_metric.estimator import BLEUNeighbors
from bleu_neighbors_metric.pool_source import bleu_neighbors
from metric_commons.integrations.evaluate import MetricModule

_CITATION = """\
@article{ethayarajh-sadigh-2020-bleu-neighbors,
  title = {{BLEU} Neighbors: A Reference-less Approach to Automatic Evaluation},
  author = {Ethayarajh, Kawin and Sadigh, Dorsa},
  journal = {arXiv preprint arXiv:2004.12726},
  year = {2020},
}
"""

_POOL = ("training_texts", "training_quality", "index", "allow_models")


class BLEUNeighborsModule(MetricModule):
    """`evaluate.load("bleu_neighbors")`: see `BLEUNeighbors` for the metric and its parameters."""

    make = staticmethod(bleu_neighbors)
    parameters: ClassVar[frozenset[str]] = frozenset(_POOL) | frozenset(BLEUNeighbors.parameter_names())
    together: ClassVar[tuple[str, ...]] = _POOL
    description: ClassVar[str] = (
        "BLEU Neighbors estimates the quality of a text without references: the mean human rating of the rated texts "
        "that resemble it, or no estimate where too few or too many do."
    )
    citation: ClassVar[str] = _CITATION
    urls: ClassVar[tuple[str, ...]] = ("https://arxiv.org/abs/2004.12726",)
    arguments: ClassVar[str] = """\
    training_texts: the pool of rated texts; bind it at `evaluate.load`, or give it here.
    training_quality: one rating for each of them.
    index: instead of the two, a file that `bleu-neighbors fit` or `BLEUNeighbors.save` wrote.
    allow_models: whether a model that the index names may be loaded.
    threshold, min_neighbors, max_fraction, tokenize, ngram_orders, smooth_method, smooth_value, clip, kernel,
        kernel_options, weights, n_jobs, progress: parameters of `BLEUNeighbors`; over an index, they replace those that
        it was saved with.
"""
    results: ClassVar[str] = """\
    n_neighbors: how many rated texts each prediction resembles.
    fewest, most: with how many of them an estimate is defined.
"""
    example: ClassVar[str] = """\
    >>> import evaluate
    >>> from bleu_neighbors_metric.example import example_candidates, example_pool
    >>> pool = example_pool()  # in its place: your rated texts, with one rating each
    >>> metric = evaluate.load("bleu_neighbors", training_texts=pool.texts, training_quality=pool.quality)
    >>> results = metric.compute(predictions=example_candidates())
    >>> round(results["bleu_neighbors"], 3), results["coverage"]
    (0.626, 0.5)
"""
