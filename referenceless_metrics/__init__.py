"""Referenceless text-quality metrics: one door to BLEU Neighbors, the SLOR family and quality estimation.

>>> import referenceless_metrics as rm
>>> rm.WPSLOR().score(["the cat sat on the mat ."]).coverage
1.0
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from metric_commons.support.installation import lazy_names

if TYPE_CHECKING:
    from bleu_neighbors_metric import BLEUNeighbors
    from metric_commons import datasets
    from metric_commons.hub.modules import register
    from metric_commons.registry import load_metric as load
    from quality_estimation_metric import QualityEstimator
    from referenceless_metrics.batch_scorer import BatchScorer
    from referenceless_metrics.selection.mbr import MBR
    from referenceless_metrics.selection.rerank import rerank
    from referenceless_metrics.selection.reward import Reward
    from slor_metric import ROUGELM, SLOR, WPSLOR, Fluency

    __version__: str

_PLACES = {
    "BatchScorer": "referenceless_metrics.batch_scorer:BatchScorer",
    "BLEUNeighbors": "bleu_neighbors_metric:BLEUNeighbors",
    "Fluency": "slor_metric:Fluency",
    "MBR": "referenceless_metrics.selection.mbr:MBR",
    "QualityEstimator": "quality_estimation_metric:QualityEstimator",
    "ROUGELM": "slor_metric:ROUGELM",
    "Reward": "referenceless_metrics.selection.reward:Reward",
    "SLOR": "slor_metric:SLOR",
    "WPSLOR": "slor_metric:WPSLOR",
    "datasets": "metric_commons.datasets",
    "load": "metric_commons.registry:load_metric",
    "register": "metric_commons.hub.modules:register",
    "rerank": "referenceless_metrics.selection.rerank:rerank",
}

__all__ = [
    "MBR",
    "ROUGELM",
    "SLOR",
    "WPSLOR",
    "BLEUNeighbors",
    "BatchScorer",
    "Fluency",
    "QualityEstimator",
    "Reward",
    "__version__",
    "datasets",
    "load",
    "register",
    "rerank",
]

_find = lazy_names(__name__, _PLACES)


def __getattr__(name: str) -> Any:
    if name == "__version__":
        from metric_commons.support.installation import project_version

        return project_version()
    return _find(name)


def __dir__() -> list[str]:
    return sorted(__all__)
