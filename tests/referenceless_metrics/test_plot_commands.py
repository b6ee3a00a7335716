"""`--plot FILE` of every command that has it."""

import pytest
from click.testing import CliRunner

from bleu_neighbors_metric import BLEUNeighbors
from bleu_neighbors_metric.example import example_pool
from bleu_neighbors_metric.tuning.calibration import attach_calibration, calibrate
from referenceless_metrics.cli import cli
from referenceless_metrics.demo import write_example_files

pytest.importorskip("matplotlib")

COMMANDS = (
    ["calibrate", "pool.csv"],
    ["calibrate", "--sweep", "pool.csv", "--thresholds", "0.05,0.1", "--min-neighbors-values", "3,5"],
    ["calibrate", "--learning-curve", "pool.csv", "--sizes", "30,60", "--draws", "2"],
    ["compare", "baseline.txt", "ours.txt", "--metric", "wpslor", "--n-samples", "100"],
    ["score", "outputs.txt"],
    ["score", "outputs.txt", "--metric", "fluency"],
    ["score", "outputs.txt", "--metric", "bleu_neighbors", "--pool", "pool.index"],
    ["human-score", "outputs.txt", "--ratings", "rated.csv", "--metric", "wpslor"],
)


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    target = tmp_path_factory.mktemp("examples")
    write_example_files(target)
    texts = (target / "outputs.txt").read_text(encoding="utf-8").splitlines()[:10]
    rows = "".join(f'"{text}",{number % 4 + 1}\n' for number, text in enumerate(texts))
    (target / "rated.csv").write_text("text,rating\n" + rows, encoding="utf-8")
    pool = example_pool()
    metric = BLEUNeighbors("auto").fit(pool.texts, pool.ratings)
    attach_calibration(metric, calibrate(metric, n_resamples=10))
    metric.save(target / "pool.index")
    return target


@pytest.mark.parametrize("command", COMMANDS, ids=lambda command: "-".join(command[:1] + command[2:4]))
def test_a_picture_is_written(command, folder, monkeypatch):
    monkeypatch.chdir(folder)
    result = CliRunner().invoke(cli, [*command, "--plot", "plot.svg"])
    assert result.exit_code == 0, result.output
    assert "<dc:title>" in (folder / "plot.svg").read_text(encoding="utf-8")


def test_another_suffix_and_a_metric_without_tokens_are_refused(folder, monkeypatch):
    monkeypatch.chdir(folder)
    refused = CliRunner().invoke(cli, ["score", "outputs.txt", "--plot", "plot.jpeg"])
    assert refused.exit_code == 2
    assert "ends in .png or .svg" in refused.output
    options = ["--metric", "bleu_neighbors", "--pool", "pool.csv"]
    refused = CliRunner().invoke(cli, ["score", "outputs.txt", *options, "--plot", "plot.png"])
    assert refused.exit_code == 2
    assert "nothing to --plot" in refused.output
