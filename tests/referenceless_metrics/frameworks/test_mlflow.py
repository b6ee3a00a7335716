"""The metrics in MLflow's evaluation, on a local store."""

import numpy as np
import pytest
from numpy.testing import assert_allclose
from small_metrics import CANDIDATES, ESTIMATES, FITTED, FLUENCY, REFERENCES, ROUGE_LM

mlflow = pytest.importorskip("mlflow")
pytestmark = pytest.mark.long

from referenceless_metrics.core.metric import score_texts  # noqa: E402
from referenceless_metrics.frameworks.mlflow import mlflow_scorer  # noqa: E402

METRICS = [FITTED, FLUENCY, ROUGE_LM]


def check(figures, mean, coverage):
    """Check the mean and the coverage of every metric, under names that hold the metric's own."""
    for metric in METRICS:
        result = score_texts(metric, CANDIDATES, REFERENCES)
        assert 0 < result.coverage < 1
        assert figures[mean.format(metric.name)] == pytest.approx(result.mean)
        assert figures[coverage.format(metric.name)] == pytest.approx(result.coverage)


@pytest.fixture(autouse=True, scope="module")
def store(tmp_path_factory):
    folder = tmp_path_factory.mktemp("mlflow")
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("MLFLOW_DISABLE_TELEMETRY", "true")
        patch.setenv("MLFLOW_GENAI_EVAL_MAX_WORKERS", "2")
        patch.chdir(folder)
        before = mlflow.get_tracking_uri()
        mlflow.set_tracking_uri(f"sqlite:///{folder}/mlflow.db")
        mlflow.set_experiment("metrics")
        yield folder
        mlflow.set_tracking_uri(before)


def test_genai_evaluate():
    rows = [
        {"inputs": {"prompt": str(i)}, "outputs": text, "expectations": {"expected_response": reference}}
        for i, (text, reference) in enumerate(zip(CANDIDATES, REFERENCES, strict=True))
    ]
    result = mlflow.genai.evaluate(data=rows, scorers=[mlflow_scorer(metric) for metric in METRICS])
    check(result.metrics, "{}/mean", "{}_coverage/mean")
    check(mlflow.get_run(result.run_id).data.metrics, "{}/mean", "{}_coverage/mean")
    table = result.result_df
    prompts = [int(request["prompt"]) for request in table["request"]]
    values = table["bleu_neighbors/value"].to_numpy(dtype=float)[np.argsort(prompts)]
    assert_allclose(values, ESTIMATES.values)
