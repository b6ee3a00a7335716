"""The metrics in a local task, run by lighteval's own pipeline."""

from __future__ import annotations

import json
import textwrap
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest
from scipy.stats import sem
from small_metrics import CANDIDATES, FITTED, FLUENCY, REFERENCES, ROUGE_LM

pytest.importorskip("lighteval", reason="needs lighteval (lighteval)")

from metric_commons.metric import score_texts

TASK = """
from small_metrics import FITTED, FLUENCY, ROUGE_LM
from toy_metrics import Matches

from lighteval.tasks.lighteval_task import LightevalTaskConfig
from lighteval.tasks.requests import Doc
from metric_commons.integrations.lighteval import lighteval_metric


def prompt(line, task_name=None):
    specific = {{"source": line["source"]}}
    return Doc(
        task_name=task_name, query=line["prompt"], choices=[line["reference"]], gold_index=0, specific=specific
    )


TASKS_TABLE = [
    LightevalTaskConfig(
        name="small_generation",
        prompt_function=prompt,
        hf_repo={data!r},
        hf_subset="default",
        hf_avail_splits=["test"],
        evaluation_splits=["test"],
        generation_size=16,
        metrics=[
            *map(lighteval_metric, (FITTED, FLUENCY, ROUGE_LM, Matches(references=False, sources=True)))
        ],
    )
]
"""

MODEL = """
from small_metrics import CANDIDATES

from lighteval.models.abstract_model import LightevalModel
from lighteval.models.model_output import ModelResponse
from lighteval.utils.cache_management import SampleCache


class Parrot(LightevalModel):
    "Answers a prompt that is a number with the candidate of that number."

    def __init__(self, config):
        self.config = config
        self._cache = SampleCache(config)

    @property
    def tokenizer(self):
        return None

    @property
    def add_special_tokens(self):
        return False

    @property
    def max_length(self):
        return 100

    def greedy_until(self, docs):
        return [ModelResponse(text=[CANDIDATES[int(doc.query)]]) for doc in docs]

    def loglikelihood(self, docs):
        raise NotImplementedError

    loglikelihood_rolling = loglikelihood
"""


def _pipeline(folder: Path) -> Any:
    from lighteval.logging.evaluation_tracker import EvaluationTracker
    from lighteval.models.custom.custom_model import CustomModelConfig
    from lighteval.pipeline import ParallelismManager, Pipeline, PipelineParameters

    return Pipeline(
        tasks="small_generation|0",
        pipeline_parameters=PipelineParameters(
            launcher_type=ParallelismManager.CUSTOM, custom_tasks_directory=str(folder / "small_task.py")
        ),
        evaluation_tracker=EvaluationTracker(output_dir=str(folder / "out")),
        model_config=CustomModelConfig(model_name="parrot", model_definition_file_path=str(folder / "parrot.py")),
    )


def _answer_downloads(patch: pytest.MonkeyPatch) -> None:
    """At its start, lighteval loads its own tasks, one of which downloads a file and fails without a network."""
    import requests

    patch.setattr(requests, "get", lambda url, **_: SimpleNamespace(status_code=404, url=url))


@pytest.fixture(scope="module")
def _lighteval_starts() -> None:
    import xxhash
    from lighteval.tasks.registry import Registry

    with pytest.MonkeyPatch.context() as patch:
        _answer_downloads(patch)
        try:
            Registry(tasks="gsm8k|0")  # one of its own
            xxhash.xxh64("text")  # as its log of details does
        except TypeError as error:
            pytest.skip(f"lighteval 0.13 needs huggingface_hub<2 and xxhash<4: {error}")


@pytest.fixture(scope="module")
def pipeline_results(_lighteval_starts: None, tmp_path_factory: pytest.TempPathFactory) -> dict[str, Any]:
    folder: Path = tmp_path_factory.mktemp("lighteval")
    data = folder / "data"
    data.mkdir()
    rows = [{"prompt": str(i), "reference": text[::-1], "source": text} for i, text in enumerate(CANDIDATES)]
    (data / "test.jsonl").write_text("".join(json.dumps(row) + "\n" for row in rows))
    (folder / "small_task.py").write_text(textwrap.dedent(TASK.format(data=str(data))))
    (folder / "parrot.py").write_text(MODEL)
    with pytest.MonkeyPatch.context() as patch:
        _answer_downloads(patch)
        pipeline = _pipeline(folder)
    pipeline.evaluate()
    pipeline.save_and_push_results()
    written = list((folder / "out").rglob("results_*.json"))
    assert len(written) == 1
    results: dict[str, Any] = json.loads(written[0].read_text())["results"]["small_generation|0"]
    return results


def check(results: dict[str, Any]) -> None:
    for metric in (FITTED, FLUENCY, ROUGE_LM):
        name, scores = metric.name, score_texts(metric, CANDIDATES, REFERENCES)
        assert 0 < scores.coverage < 1
        assert results[name] == pytest.approx(scores.mean)
        assert results[f"{name}_stderr"] == pytest.approx(sem(scores.values[scores.covered]))
        assert results[f"{name}_coverage"] == pytest.approx(scores.coverage)
    assert (results["matches"], results["matches_coverage"]) == (1.0, 1.0)


def test_a_task_in_the_pipeline(pipeline_results: dict[str, Any]) -> None:
    check(pipeline_results)


def test_the_steps_of_the_pipeline() -> None:
    """Scoring and aggregation by lighteval's own functions, without its registry of tasks."""
    from lighteval.logging.info_loggers import MetricsLogger
    from lighteval.metrics import apply_metric
    from lighteval.models.model_output import ModelResponse
    from lighteval.tasks.lighteval_task import LightevalTask
    from lighteval.tasks.requests import Doc

    module: dict[str, Any] = {}
    exec(compile(TASK.format(data="unused"), "small_task.py", "exec"), module)
    task = LightevalTask(module["TASKS_TABLE"][0])
    docs = [
        Doc(query=str(i), choices=[text[::-1]], gold_index=0, specific={"source": text})
        for i, text in enumerate(CANDIDATES)
    ]
    outputs = apply_metric([ModelResponse(text=[text]) for text in CANDIDATES], docs, task.metrics)
    assert len(outputs) == len(CANDIDATES)
    logger = MetricsLogger()
    for output in outputs:
        logger.log(task.full_name, output)
    logger.aggregate({task.full_name: task}, bootstrap_iters=1000)
    check(logger.metric_aggregated[task.full_name])


def test_nothing_covered_is_nan_with_coverage_zero() -> None:
    from metric_commons.integrations.lighteval import lighteval_metric

    aggregate = lighteval_metric(FITTED).corpus_level_fn
    result = aggregate([float("nan")] * 3)
    assert result["bleu_neighbors"] != result["bleu_neighbors"]
    assert result["bleu_neighbors_coverage"] == 0.0
