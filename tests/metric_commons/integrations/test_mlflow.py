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
from bleu_neighbors_metric.integrations import mlflow as neighbors  # noqa: E402
from slor_metric.estimator import ROUGELM, SLOR  # noqa: E402
from slor_metric.integrations import mlflow as fluency  # noqa: E402

STATISTICS = {"rouge_l_mean": 0.5, "rouge_l_std": 0.2, "wpslor_mean": 1.0, "wpslor_std": 2.0}
REFERENCES = [text[::-1] for text in CANDIDATES]
ESTIMATES = BLEUNeighbors(**PARAMETERS).fit(POOL, RATINGS).predict(CANDIDATES)
SLOR_SCORES = SLOR(LengthModel()).score(CANDIDATES)
ROUGE_LM_SCORES = ROUGELM(LengthModel(), statistics=STATISTICS).score(CANDIDATES, [[text] for text in REFERENCES])
POOL_ARGUMENTS: dict[str, Any] = {"training_texts": POOL, "training_quality": RATINGS, **PARAMETERS}


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
    scorers = [
        neighbors.scorer(**POOL_ARGUMENTS),
        fluency.slor_scorer(lm=LengthModel()),
        fluency.wpslor_scorer(lm=LengthModel()),
        fluency.rouge_lm_scorer(lm=LengthModel(), statistics=STATISTICS),
    ]
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
    np.testing.assert_allclose(values, ESTIMATES.quality)


def test_models_evaluate() -> None:
    data = pd.DataFrame({"text": CANDIDATES, "reference": REFERENCES})
    result = mlflow.models.evaluate(
        data=data,
        predictions="text",
        targets="reference",
        extra_metrics=[
            neighbors.metric(**POOL_ARGUMENTS),
            fluency.slor_metric(lm=LengthModel()),
            fluency.wpslor_metric(lm=LengthModel()),
            fluency.rouge_lm_metric(lm=LengthModel(), statistics=STATISTICS),
        ],
        evaluators="default",
    )
    assert result.metrics["bleu_neighbors/v1/mean"] == pytest.approx(ESTIMATES.mean)
    assert result.metrics["bleu_neighbors/v1/coverage"] == pytest.approx(ESTIMATES.coverage)
    assert result.metrics["slor/v1/mean"] == pytest.approx(SLOR_SCORES.mean)
    assert result.metrics["rouge_lm/v1/mean"] == pytest.approx(ROUGE_LM_SCORES.mean)
    table = result.tables["eval_results_table"]
    np.testing.assert_allclose(table["bleu_neighbors/v1/score"].to_numpy(dtype=float), ESTIMATES.quality)


def test_rouge_lm_without_a_reference_is_an_error_on_the_row() -> None:
    scorer = fluency.rouge_lm_scorer(lm=LengthModel(), statistics=STATISTICS)
    with pytest.raises(ValueError, match="expected_response"):
        scorer(outputs="text", expectations={})
