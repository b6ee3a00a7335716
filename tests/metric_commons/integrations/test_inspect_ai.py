"""The metrics as scorers of an Inspect task, run by Inspect itself."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from scipy.stats import sem
from small_metrics import CANDIDATES, PARAMETERS, POOL, RATINGS, LengthModel

pytest.importorskip("inspect_ai", reason="needs Inspect (inspect-ai)")

from inspect_ai import Epochs, Task
from inspect_ai import eval as run_eval
from inspect_ai.dataset import Sample
from inspect_ai.model import ModelOutput
from inspect_ai.solver import Generate, TaskState, solver

from bleu_neighbors_metric.estimator import BLEUNeighbors
from metric_commons.integrations.inspect_ai import inspect_scorer
from metric_commons.support.errors import NotFittedError
from slor_metric.estimator import ROUGELM, SLOR

STATISTICS = {"rouge_l_mean": 0.5, "rouge_l_std": 0.2, "wpslor_mean": 1.0, "wpslor_std": 2.0}
FITTED = BLEUNeighbors(**PARAMETERS).fit(POOL, RATINGS)
ROUGE_LM = ROUGELM(LengthModel(), statistics=STATISTICS)
TARGETS = [text[::-1] or "nothing" for text in CANDIDATES]


@solver
def parrot() -> Any:
    """Answer a sample with the candidate of its number."""

    async def solve(state: TaskState, generate: Generate) -> TaskState:
        state.output = ModelOutput.from_content("parrot", CANDIDATES[int(state.input_text)])
        return state

    return solve


def samples(**metadata: Any) -> list[Sample]:
    return [
        Sample(id=i, input=str(i), target=target, metadata={"source": text, **metadata})
        for i, (text, target) in enumerate(zip(CANDIDATES, TARGETS, strict=True))
    ]


def run(folder: Path, dataset: list[Sample], *metrics: Any, epochs: int = 1) -> Any:
    task = Task(
        dataset=dataset,
        solver=parrot(),
        scorer=[inspect_scorer(metric) for metric in metrics],
        epochs=Epochs(epochs),
        name="small_generation",
    )
    (log,) = run_eval(task, model="mockllm/model", display="none", log_dir=str(folder), log_format="json")
    return log


def figures(log: Any) -> dict[str, dict[str, float]]:
    return {score.name: {name: one.value for name, one in score.metrics.items()} for score in log.results.scores}


@pytest.mark.parametrize("epochs", [1, 2])
def test_mean_error_and_coverage(tmp_path: Path, epochs: int) -> None:
    log = run(tmp_path, samples(), FITTED, SLOR(LengthModel()), ROUGE_LM, epochs=epochs)
    assert log.status == "success", log.error
    found = figures(log)
    references = [[target] for target in TARGETS]
    for name, result in (
        ("bleu_neighbors", FITTED.predict(CANDIDATES)),
        ("slor", SLOR(LengthModel()).predict(CANDIDATES)),
        ("rouge_lm", ROUGE_LM.predict(CANDIDATES, references=references)),
    ):
        assert 0 < result.coverage < 1
        assert found[name]["mean"] == pytest.approx(result.mean)
        assert found[name]["stderr"] == pytest.approx(sem(result.values[result.covered]))
        assert found[f"{name}_coverage"]["mean"] == pytest.approx(result.coverage)


def test_samples_carry_values_reasons_and_the_signature(tmp_path: Path) -> None:
    log = run(tmp_path, samples(), FITTED)
    result = FITTED.predict(CANDIDATES)
    for sample in log.samples:
        score = sample.scores["bleu_neighbors"]
        place = int(sample.input)
        np.testing.assert_equal(score.value["bleu_neighbors"], result.values[place])
        assert score.explanation == result.reasons[place]
        assert score.answer == CANDIDATES[place]
    assert log.results.scores[0].params == {"signature": FITTED.signature}
    (written,) = tmp_path.glob("*.json")
    assert json.loads(written.read_text())["results"]["total_samples"] == len(CANDIDATES)


def test_nothing_covered(tmp_path: Path) -> None:
    log = run(tmp_path, [Sample(input="2"), Sample(input="1")], FITTED)
    found = figures(log)
    assert FITTED.predict([CANDIDATES[1], CANDIDATES[2]]).coverage == 0
    assert np.isnan(found["bleu_neighbors"]["mean"])
    assert found["bleu_neighbors_coverage"] == {"mean": 0.0}


def test_a_missing_target_says_so(tmp_path: Path) -> None:
    log = run(tmp_path, [Sample(input="0")], ROUGE_LM)
    assert "Expected `target`, without which there is no rouge_lm" in log.error.message


def test_what_is_refused() -> None:
    with pytest.raises(NotFittedError, match="call `fit` first"):
        inspect_scorer(BLEUNeighbors())
    with pytest.raises(ValueError, match=r"statistics.*development set"):
        inspect_scorer(ROUGELM(LengthModel()))
