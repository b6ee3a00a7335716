"""BLEU Neighbors as a metric of sacrebleu."""

from __future__ import annotations

from typing import Any, ClassVar

from bleu_neighbors_metric.estimator import BLEUNeighbors
from bleu_neighbors_metric.pool_source import bleu_neighbors
from metric_commons.integrations.sacrebleu import MetricOfSacrebleu


class BLEUNeighborsMetric(MetricOfSacrebleu):
    """BLEU Neighbors beside BLEU and chrF: `corpus_score`, `sentence_score`, bootstrap intervals and paired tests.

    The corpus score is the mean estimate over the covered segments, in the unit of the pool's ratings, and comes with
    its coverage. References are accepted, as by sacrebleu's metrics, and ignored.

    A paired test tells whether the metric's means differ, and not whether people would rate the systems differently:
    the estimates err by a bias that differs between systems, and that only ratings of a system's own outputs show
    (`referenceless human-score`). The signature says so.

    Args:
        training_texts: the pool of rated texts.
        training_quality: one rating for each of them.
        index: instead of the two, a file that `bleu-neighbors fit` or `BLEUNeighbors.save` wrote.
        estimator: instead of all these, a fitted `BLEUNeighbors`. Alone in the first place, a path is an index and a
            fitted estimator is itself.
        parameters: those of `BLEUNeighbors`; over an index, they replace those that it was saved with.

    Attributes:
        metric: the fitted `BLEUNeighbors`.

    Raises:
        TypeError: for an unknown parameter.
        ValueError: for no pool, more than one, or an estimator that is not fitted.
        FileNotFoundError: for an index that does not exist.

    Example:
        >>> texts = ["the cat sat on the mat", "the cat sat on a mat", "cat the on mat sat sat", "mat mat mat"]
        >>> metric = BLEUNeighborsMetric(texts, [0.9, 0.8, 0.2, 0.0], threshold=0.7, min_neighbors=1, max_fraction=1.0)
        >>> metric.corpus_score(["a cat sat on the mat", "colourless green ideas"])
        BLEUNeighbors = 0.8500 (coverage = 0.500 segments = 2)
    """

    name: ClassVar[str] = "BLEUNeighbors"
    key: ClassVar[str] = "bleu_neighbors"

    def __init__(
        self,
        training_texts: Any = None,
        training_quality: Any = None,
        *,
        index: Any = None,
        estimator: BLEUNeighbors | None = None,
        **parameters: Any,
    ) -> None:
        super().__init__(
            bleu_neighbors(training_texts, training_quality, index=index, estimator=estimator, **parameters)
        )
