"""The metrics in a run of Weights & Biases that stays on this machine."""

import json
import math
from pathlib import Path

import pytest
from small_metrics import CANDIDATES, ESTIMATES, FITTED, FLUENCY
from toy_metrics import Lengths

wandb = pytest.importorskip("wandb")

from metric_commons.integrations.wandb import wandb_log  # noqa: E402


@pytest.fixture(scope="module")
def run(tmp_path_factory):
    folder = tmp_path_factory.mktemp("wandb")
    with pytest.MonkeyPatch.context() as patch:
        for name in ("WANDB_DIR", "WANDB_CACHE_DIR", "WANDB_CONFIG_DIR", "WANDB_DATA_DIR"):
            patch.setenv(name, str(folder))
        patch.setenv("WANDB_SILENT", "true")
        with wandb.init(mode="offline", project="metrics", dir=str(folder)) as started:
            yield started


def table_of(run, name):
    """Return the last table that was logged under a name, from the file that the run keeps."""
    files = sorted(Path(run.dir).glob(f"media/table/{name}_*.json"), key=lambda path: path.stat().st_mtime_ns)
    return json.loads(files[-1].read_text())


def test_mean_coverage_values_and_texts(run):
    result = wandb_log(run, FITTED, CANDIDATES)
    assert 0 < ESTIMATES.coverage < 1
    assert run.summary["bleu_neighbors"] == pytest.approx(ESTIMATES.mean) == result.mean
    assert run.summary["bleu_neighbors_coverage"] == pytest.approx(ESTIMATES.coverage)
    assert sum(run.summary["bleu_neighbors_values"]["values"]) == ESTIMATES.n_covered
    assert run.config["bleu_neighbors_signature"] == FITTED.signature
    table = table_of(run, "bleu_neighbors_texts")
    assert table["columns"] == ["text", "value", "reason", "n_neighbors"]
    assert [row[0] for row in table["data"]] == CANDIDATES
    values = [math.nan if row[1] is None else row[1] for row in table["data"]]
    assert values == pytest.approx(ESTIMATES.values.tolist(), nan_ok=True)
    assert tuple(row[2] for row in table["data"]) == ESTIMATES.reasons


def test_a_step_and_a_prefix(run):
    wandb_log(run, FLUENCY, CANDIDATES, step=run.step + 7, prefix="eval/", table=False)
    run.log({"loss": 1.0})  # a step that was named is written when the next one begins
    assert run.summary["eval/slor"] == pytest.approx(FLUENCY.predict(CANDIDATES).mean)
    assert "eval/slor_texts" not in run.summary.keys()  # noqa: SIM118  # no mapping


def test_nothing_covered_is_logged_too(run):
    result = wandb_log(run, Lengths(strict=True), ["", ""])
    assert math.isnan(result.mean)
    assert run.summary["lengths_coverage"] == 0.0
    assert "lengths" in run.summary.keys()  # noqa: SIM118
    assert "lengths_values" not in run.summary.keys()  # noqa: SIM118
