"""The metrics as scorers of an Inspect task, run by Inspect itself."""

import json

import numpy as np
import pytest
from scipy.stats import sem
from small_metrics import CANDIDATES, FITTED, FLUENCY, REFERENCES, ROUGE_LM

pytest.importorskip("inspect_ai")

from inspect_ai import Epochs, Task
from inspect_ai import eval as run_eval
from inspect_ai.dataset import Sample
from inspect_ai.model import ModelOutput
from inspect_ai.solver import solver

from metric_commons.integrations.inspect_ai import inspect_scorer
from metric_commons.metric import score_texts

TARGETS = [text or "nothing" for text in REFERENCES]
SAMPLES = [Sample(id=i, input=str(i), target=target) for i, target in enumerate(TARGETS)]


@solver
def parrot():
    """Answer a sample with the candidate of its number."""

    async def solve(state, generate):
        state.output = ModelOutput.from_content("parrot", CANDIDATES[int(state.input_text)])
        return state

    return solve


def run(folder, dataset, *metrics, epochs=1):
    task = Task(
        dataset=dataset,
        solver=parrot(),
        scorer=[inspect_scorer(metric) for metric in metrics],
        epochs=Epochs(epochs),
        name="small_generation",
    )
    (log,) = run_eval(task, model="mockllm/model", display="none", log_dir=str(folder), log_format="json")
    return log


def figures(log):
    return {score.name: {name: one.value for name, one in score.metrics.items()} for score in log.results.scores}


@pytest.mark.parametrize("epochs", [1, 2])
def test_means_with_errors_and_coverage_and_the_samples(tmp_path, epochs):
    log = run(tmp_path, SAMPLES, FITTED, FLUENCY, ROUGE_LM, epochs=epochs)
    assert log.status == "success", log.error
    found = figures(log)
    for metric in (FITTED, FLUENCY, ROUGE_LM):
        name, result = metric.name, score_texts(metric, CANDIDATES, TARGETS)
        assert 0 < result.coverage < 1
        assert found[name]["mean"] == pytest.approx(result.mean)
        assert found[name]["stderr"] == pytest.approx(sem(result.values[result.covered]))
        assert found[f"{name}_coverage"]["mean"] == pytest.approx(result.coverage)
        for sample in log.samples:
            score, place = sample.scores[name], int(sample.input)
            np.testing.assert_equal(score.value[name], result.values[place])
            assert score.explanation == result.reasons[place]
            assert score.answer == CANDIDATES[place]
    assert log.results.scores[0].params == {"signature": FITTED.signature}
    (written,) = tmp_path.glob("*.json")
    assert json.loads(written.read_text())["results"]["total_samples"] == epochs * len(CANDIDATES)


def test_a_missing_target_says_so(tmp_path):
    log = run(tmp_path, [Sample(input="0")], ROUGE_LM)
    assert "Expected `target`, without which there is no rouge_lm" in log.error.message
