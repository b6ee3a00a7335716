"""The metrics in a local task, scored and aggregated by lighteval's own functions."""

import pytest
from scipy.stats import sem
from small_metrics import CANDIDATES, FITTED, FLUENCY, REFERENCES, ROUGE_LM
from toy_metrics import Matches

pytest.importorskip("lighteval")

from lighteval.logging.info_loggers import MetricsLogger
from lighteval.metrics import apply_metric
from lighteval.models.model_output import ModelResponse
from lighteval.tasks.lighteval_task import LightevalTask, LightevalTaskConfig
from lighteval.tasks.requests import Doc

from metric_commons.integrations.lighteval import lighteval_metric
from metric_commons.metric import score_texts

METRICS = [FITTED, FLUENCY, ROUGE_LM, Matches(references=False, sources=True)]


def test_the_steps_of_the_pipeline():
    docs = [
        Doc(query=str(i), choices=[reference], gold_index=0, specific={"source": text})
        for i, (text, reference) in enumerate(zip(CANDIDATES, REFERENCES, strict=True))
    ]
    task = LightevalTask(
        LightevalTaskConfig(
            name="small_generation",
            prompt_function=lambda line, task_name=None: docs[line["number"]],
            hf_repo="unused",
            hf_subset="default",
            hf_avail_splits=["test"],
            evaluation_splits=["test"],
            generation_size=16,
            metrics=[*map(lighteval_metric, METRICS)],
        )
    )
    outputs = apply_metric([ModelResponse(text=[text]) for text in CANDIDATES], docs, task.metrics)
    assert len(outputs) == len(CANDIDATES)
    logger = MetricsLogger()
    for output in outputs:
        logger.log(task.full_name, output)
    logger.aggregate({task.full_name: task}, bootstrap_iters=1000)
    results = logger.metric_aggregated[task.full_name]
    for metric in METRICS:
        name, scores = metric.name, score_texts(metric, CANDIDATES, REFERENCES, CANDIDATES)
        assert results[name] == pytest.approx(scores.mean)
        assert results[f"{name}_stderr"] == pytest.approx(sem(scores.values[scores.covered]))
        assert results[f"{name}_coverage"] == pytest.approx(scores.coverage)


def test_nothing_covered_is_nan_with_coverage_zero():
    result = lighteval_metric(FITTED).corpus_level_fn([float("nan")] * 3)
    assert result["bleu_neighbors"] != result["bleu_neighbors"]
    assert result["bleu_neighbors_coverage"] == 0.0
