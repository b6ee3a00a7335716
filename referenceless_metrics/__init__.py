"""Referenceless text-quality metrics: one door to BLEU Neighbors, the SLOR family and quality estimation.

Adapters of frameworks that have to be installed, such as `TextQualityMetric`, are names too, but `import *` leaves them
out.

>>> import referenceless_metrics as rm
>>> rm.WPSLOR().predict(["the cat sat on the mat ."]).coverage
1.0
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from referenceless_metrics.core.support.installation import lazy_names, project_version

if TYPE_CHECKING:
    from bleu_neighbors_metric import BLEUNeighbors
    from bleu_neighbors_metric.example import example_candidates, example_pool
    from bleu_neighbors_metric.integrations.sacrebleu import BLEUNeighborsMetric
    from bleu_neighbors_metric.tuning.calibration import calibrate
    from quality_estimation_metric import QualityEstimator, parse_mr, slot_errors
    from quality_estimation_metric import example as example_outputs
    from quality_estimation_metric.integrations.sacrebleu import QualityEstimationMetric
    from referenceless_metrics import datasets
    from referenceless_metrics.advice.advise import advise
    from referenceless_metrics.advice.look.looking import look
    from referenceless_metrics.comparison.from_python import compare, human_score, human_score_by_criterion, report
    from referenceless_metrics.core.files.reading import Reading
    from referenceless_metrics.core.files.text_io import read_rated, read_texts
    from referenceless_metrics.core.registry import load_metric as load
    from referenceless_metrics.frameworks.batch_scorer import BatchScorer
    from referenceless_metrics.frameworks.deepeval import DeepEvalMetric as DeepEvalMetric
    from referenceless_metrics.frameworks.hub import modules as hub
    from referenceless_metrics.frameworks.hub.modules import register
    from referenceless_metrics.frameworks.inspect_ai import inspect_scorer as inspect_scorer
    from referenceless_metrics.frameworks.mlflow import mlflow_scorer as mlflow_scorer
    from referenceless_metrics.frameworks.promptfoo import promptfoo_assertion as promptfoo_assertion
    from referenceless_metrics.frameworks.service import build_service as build_service
    from referenceless_metrics.frameworks.torchmetrics import TextQualityMetric as TextQualityMetric
    from referenceless_metrics.frameworks.trainer import GenerationMetrics as generation_metrics  # noqa: F401
    from referenceless_metrics.human_evaluation.exports.reading import log_rows
    from referenceless_metrics.human_evaluation.scores.meta_evaluation import judge_metrics
    from referenceless_metrics.human_evaluation.studies.reading import read_study
    from referenceless_metrics.selection.mbr import MBR, rerank
    from referenceless_metrics.selection.reward import Reward
    from slor_metric import ROUGELM, SLOR, WPSLOR, Fluency, FluencyNgram, load_language_model
    from slor_metric.contributions import token_contributions
    from slor_metric.fluency.faults import likeliest_fault
    from slor_metric.integrations.sacrebleu import (
        FluencyMetric,
        FluencyNgramMetric,
        ROUGELMMetric,
        SLORMetric,
        WPSLORMetric,
    )
    from slor_metric.language_models.ngram import train_ngram

    __version__: str

__all__ = [
    "MBR",
    "ROUGELM",
    "SLOR",
    "WPSLOR",
    "BLEUNeighbors",
    "BLEUNeighborsMetric",
    "BatchScorer",
    "Fluency",
    "FluencyMetric",
    "FluencyNgram",
    "FluencyNgramMetric",
    "QualityEstimationMetric",
    "QualityEstimator",
    "ROUGELMMetric",
    "Reading",
    "Reward",
    "SLORMetric",
    "WPSLORMetric",
    "__version__",
    "advise",
    "calibrate",
    "compare",
    "datasets",
    "example_candidates",
    "example_outputs",
    "example_pool",
    "hub",
    "human_score",
    "human_score_by_criterion",
    "judge_metrics",
    "likeliest_fault",
    "load",
    "load_language_model",
    "log_rows",
    "look",
    "parse_mr",
    "read_rated",
    "read_study",
    "read_texts",
    "register",
    "report",
    "rerank",
    "slot_errors",
    "token_contributions",
    "train_ngram",
]

_find, _dir = lazy_names(
    __name__,
    {
        "advise": "referenceless_metrics.advice.advise:advise",
        "BatchScorer": "referenceless_metrics.frameworks.batch_scorer:BatchScorer",
        "BLEUNeighbors": "bleu_neighbors_metric:BLEUNeighbors",
        "BLEUNeighborsMetric": "bleu_neighbors_metric.integrations.sacrebleu:BLEUNeighborsMetric",
        "build_service": "referenceless_metrics.frameworks.service:build_service",
        "calibrate": "bleu_neighbors_metric.tuning.calibration:calibrate",
        "compare": "referenceless_metrics.comparison.from_python:compare",
        "datasets": "referenceless_metrics.datasets",
        "DeepEvalMetric": "referenceless_metrics.frameworks.deepeval:DeepEvalMetric",
        "example_candidates": "bleu_neighbors_metric.example:example_candidates",
        "example_outputs": "quality_estimation_metric.example",
        "example_pool": "bleu_neighbors_metric.example:example_pool",
        "Fluency": "slor_metric:Fluency",
        "FluencyMetric": "slor_metric.integrations.sacrebleu:FluencyMetric",
        "FluencyNgram": "slor_metric:FluencyNgram",
        "FluencyNgramMetric": "slor_metric.integrations.sacrebleu:FluencyNgramMetric",
        "generation_metrics": "referenceless_metrics.frameworks.trainer:GenerationMetrics",
        "hub": "referenceless_metrics.frameworks.hub.modules",
        "human_score": "referenceless_metrics.comparison.from_python:human_score",
        "human_score_by_criterion": "referenceless_metrics.comparison.from_python:human_score_by_criterion",
        "inspect_scorer": "referenceless_metrics.frameworks.inspect_ai:inspect_scorer",
        "judge_metrics": "referenceless_metrics.human_evaluation.scores.meta_evaluation:judge_metrics",
        "likeliest_fault": "slor_metric.fluency.faults:likeliest_fault",
        "load": "referenceless_metrics.core.registry:load_metric",
        "load_language_model": "slor_metric:load_language_model",
        "log_rows": "referenceless_metrics.human_evaluation.exports.reading:log_rows",
        "look": "referenceless_metrics.advice.look.looking:look",
        "MBR": "referenceless_metrics.selection.mbr:MBR",
        "mlflow_scorer": "referenceless_metrics.frameworks.mlflow:mlflow_scorer",
        "parse_mr": "quality_estimation_metric:parse_mr",
        "promptfoo_assertion": "referenceless_metrics.frameworks.promptfoo:promptfoo_assertion",
        "QualityEstimationMetric": "quality_estimation_metric.integrations.sacrebleu:QualityEstimationMetric",
        "QualityEstimator": "quality_estimation_metric:QualityEstimator",
        "read_rated": "referenceless_metrics.core.files.text_io:read_rated",
        "read_study": "referenceless_metrics.human_evaluation.studies.reading:read_study",
        "read_texts": "referenceless_metrics.core.files.text_io:read_texts",
        "Reading": "referenceless_metrics.core.files.reading:Reading",
        "register": "referenceless_metrics.frameworks.hub.modules:register",
        "report": "referenceless_metrics.comparison.from_python:report",
        "rerank": "referenceless_metrics.selection.mbr:rerank",
        "Reward": "referenceless_metrics.selection.reward:Reward",
        "ROUGELM": "slor_metric:ROUGELM",
        "ROUGELMMetric": "slor_metric.integrations.sacrebleu:ROUGELMMetric",
        "SLOR": "slor_metric:SLOR",
        "SLORMetric": "slor_metric.integrations.sacrebleu:SLORMetric",
        "slot_errors": "quality_estimation_metric:slot_errors",
        "TextQualityMetric": "referenceless_metrics.frameworks.torchmetrics:TextQualityMetric",
        "token_contributions": "slor_metric.contributions:token_contributions",
        "train_ngram": "slor_metric.language_models.ngram:train_ngram",
        "WPSLOR": "slor_metric:WPSLOR",
        "WPSLORMetric": "slor_metric.integrations.sacrebleu:WPSLORMetric",
    },
)


def __getattr__(name: str) -> Any:
    if name == "__version__":
        return project_version()
    return _find(name)


def __dir__() -> list[str]:
    return sorted({*__all__, *_dir()})
