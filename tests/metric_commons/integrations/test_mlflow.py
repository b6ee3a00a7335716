"""The metrics in MLflow's two evaluations, on a local store."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import pytest
from small_metrics import CANDIDATES, PARAMETERS, POOL, RATINGS, LengthModel

mlflow = pytest.importorskip("mlflow", reason="needs MLflow (mlflow)")

from bleu_neighbors_metric.estimator import BLEUNeighbors  # noqa: E402
from metric_commons.integrations.mlflow import mlflow_metric, mlflow_scorer  # noqa: E402
from metric_commons.support.errors import NotFittedError  # noqa: E402
from slor_metric.estimator import ROUGELM, SLOR, WPSLOR  # noqa: E402

STATISTICS = {"rouge_l_mean": 0.5, "rouge_l_std": 0.2, "wpslor_mean": 1.0, "wpslor_std": 2.0}
REFERENCES = [text[::-1] for text in CANDIDATES]
FITTED = BLEUNeighbors(**PARAMETERS).fit(POOL, RATINGS)
ESTIMATES = FITTED.predict(CANDIDATES)
SLOR_SCORES = SLOR(LengthModel()).score(CANDIDATES)
ROUGE_LM = ROUGELM(LengthModel(), statistics=STATISTICS)
ROUGE_LM_SCORES = ROUGE_LM.score(CANDIDATES, [[text] for text in REFERENCES])
METRICS: list[Any] = [FITTED, SLOR(LengthModel()), WPSLOR(LengthModel()), ROUGE_LM]


@pytest.fixture(autouse=True, scope="module")
def store(tmp_path_factory: pytest.TempPathFactory) -> Any:
    folder: Path = tmp_path_factory.mktemp("mlflow")
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("MLFLOW_DISABLE_TELEMETRY", "true")
        patch.setenv("MLFLOW_GENAI_EVAL_MAX_WORKERS", "2")
        patch.chdir(folder)
        before = mlflow.get_tracking_uri()
        mlflow.set_tracking_uri(f"sqlite:///{folder}/mlflow.db")
        mlflow.set_experiment("metrics")
        yield folder
        mlflow.set_tracking_uri(before)


def test_genai_evaluate() -> None:
    rows = [
        {"inputs": {"prompt": str(i)}, "outputs": text, "expectations": {"expected_response": reference}}
        for i, (text, reference) in enumerate(zip(CANDIDATES, REFERENCES, strict=True))
    ]
    scorers = [mlflow_scorer(metric) for metric in METRICS]
    result = mlflow.genai.evaluate(data=rows, scorers=scorers)
    assert 0 < ESTIMATES.coverage < 1
    assert result.metrics["bleu_neighbors/mean"] == pytest.approx(ESTIMATES.mean)
    assert result.metrics["bleu_neighbors_coverage/mean"] == pytest.approx(ESTIMATES.coverage)
    assert result.metrics["slor/mean"] == pytest.approx(SLOR_SCORES.mean)
    assert result.metrics["wpslor/mean"] == pytest.approx(SLOR_SCORES.mean)
    assert result.metrics["rouge_lm/mean"] == pytest.approx(ROUGE_LM_SCORES.mean)
    logged = mlflow.get_run(result.run_id).data.metrics
    assert logged["bleu_neighbors/mean"] == pytest.approx(ESTIMATES.mean)
    table = result.result_df
    prompts = [int(request["prompt"]) for request in table["request"]]
    values = table["bleu_neighbors/value"].to_numpy(dtype=float)[np.argsort(prompts)]
    np.testing.assert_allclose(values, ESTIMATES.values)


def test_models_evaluate() -> None:
    data = pd.DataFrame({"text": CANDIDATES, "reference": REFERENCES})
    result = mlflow.models.evaluate(
        data=data,
        predictions="text",
        targets="reference",
        extra_metrics=[mlflow_metric(metric) for metric in METRICS],
        evaluators="default",
    )
    assert result.metrics["bleu_neighbors/v1/mean"] == pytest.approx(ESTIMATES.mean)
    assert result.metrics["bleu_neighbors/v1/coverage"] == pytest.approx(ESTIMATES.coverage)
    assert result.metrics["slor/v1/mean"] == pytest.approx(SLOR_SCORES.mean)
    assert result.metrics["rouge_lm/v1/mean"] == pytest.approx(ROUGE_LM_SCORES.mean)
    table = result.tables["eval_results_table"]
    np.testing.assert_allclose(table["bleu_neighbors/v1/score"].to_numpy(dtype=float), ESTIMATES.values)


def test_rouge_lm_without_a_reference_is_an_error_on_the_row() -> None:
    scorer = mlflow_scorer(ROUGE_LM)
    with pytest.raises(ValueError, match="expected_response"):
        scorer(outputs="text", expectations={})


def test_what_cannot_score_a_row_alone_is_refused() -> None:
    with pytest.raises(ValueError, match=r"statistics.*development set"):
        mlflow_scorer(ROUGELM(LengthModel()))
    for adapter in (mlflow_scorer, mlflow_metric):
        with pytest.raises(NotFittedError, match="call `fit` first"):
            adapter(BLEUNeighbors(**PARAMETERS))
        with pytest.raises(TypeError, match="`metric` to be a metric"):
            adapter("slor")  # type: ignore[arg-type]


def test_a_whole_table_is_a_set_and_takes_its_own_scale() -> None:
    metric = mlflow_metric(ROUGELM(LengthModel()))
    own = ROUGELM(LengthModel()).score(CANDIDATES, [[text] for text in REFERENCES])
    value = metric.eval_fn(pd.Series(CANDIDATES), pd.Series(REFERENCES))
    np.testing.assert_allclose(value.scores, own.values)
    assert value.aggregate_results == {"mean": pytest.approx(0.0, abs=1e-12), "coverage": own.coverage}


def test_an_abstention_says_why() -> None:
    value, covered = mlflow_scorer(FITTED)(outputs="")
    assert (value.value, value.rationale, covered.value) == (None, "empty text", False)
