"""Wraps a metric for lighteval: a sample-level metric that is computed for all documents at once."""

from __future__ import annotations

from typing import Any

import numpy as np

try:
    from lighteval.metrics.metrics_sample import SampleLevelComputation
    from lighteval.metrics.utils.metric_utils import SampleLevelMetric
    from lighteval.models.model_output import ModelResponse
    from lighteval.tasks.requests import Doc, SamplingMethod
except ImportError as error:  # pragma: no cover - with lighteval installed it cannot happen
    raise ImportError(
        f"{error}; the metrics for lighteval need lighteval, which no extra brings, since it asks for older versions "
        'of what others need: in an environment of its own, pip install "lighteval>=0.13" "inspect-ai>=0.3.285" '
        '"huggingface_hub<2" "xxhash<4"',
        name=error.name,
    ) from error

from metric_commons.metric import Metric, check_metric, coverage_name, score_texts

__all__ = ["SampleLevelMetric", "lighteval_metric"]


class _Scores(SampleLevelComputation):  # type: ignore[misc]  # lighteval is untyped
    """The scores of all responses in one call."""

    def __init__(self, metric: Metric) -> None:
        self.metric = metric

    def __str__(self) -> str:
        return self.metric.signature

    def compute(self, responses: list[ModelResponse], docs: list[Doc], **_: Any) -> list[float]:
        references = [doc.get_golds() for doc in docs] if self.metric.needs_references else None
        sources = [self._source(doc) for doc in docs] if self.metric.needs_sources else None
        texts = [response.final_text[0] for response in responses]
        values: list[float] = score_texts(self.metric, texts, references, sources).values.tolist()
        return values

    def _source(self, doc: Doc) -> Any:
        """Return what the text was to be made from: the query will not do, since it holds instructions too."""
        source = (doc.specific or {}).get("source")
        if source is None:
            raise ValueError(
                f"Expected `specific['source']` of a document, without which there is no {self.metric.name}"
            )
        return source


class _MeanWithCoverage:
    """From the scores of a task to its results: mean, standard error and coverage.

    lighteval computes standard errors itself, except where the results are a dict: its own would be NaN as soon as one
    text is undefined, and for an aggregation that is not called a mean too small by the square root of the number of
    resamples.
    """

    def __init__(self, metric: Metric) -> None:
        self.metric = metric
        self.__name__ = f"mean_{metric.name}"

    def __call__(self, scores: list[float]) -> dict[str, float]:
        from scipy.stats import sem

        defined = np.array([score for score in scores if score == score])
        return {
            self.metric.name: float(defined.mean()) if len(defined) else np.nan,
            f"{self.metric.name}_stderr": float(sem(defined)) if len(defined) > 1 else np.nan,
            coverage_name(self.metric): len(defined) / len(scores),
        }


def lighteval_metric(metric: Metric) -> SampleLevelMetric:
    """Return the metric to put into a `LightevalTaskConfig`'s `metrics`.

    A task's results then hold `<name>`, `<name>_stderr` (of the mean) and `<name>_coverage`. The model's answer is
    the first one of a document; references, for a metric that reads them, are the document's golds, and sources its
    `specific["source"]`, which the task's prompt function sets.
    """
    check_metric(metric, batches=True)
    return SampleLevelMetric(
        metric_name=metric.name,
        higher_is_better=True,
        category=SamplingMethod.GENERATIVE,
        sample_level_fn=_Scores(metric),
        corpus_level_fn=_MeanWithCoverage(metric),
        batched_compute=True,
    )
