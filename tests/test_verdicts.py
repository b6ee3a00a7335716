"""One file of ratings gets one verdict, in one sentence, wherever it is shown."""

import html
import json
import warnings
from pathlib import Path

import pytest
from click.testing import CliRunner
from example_fits import CANDIDATES, POOL

from bleu_neighbors_metric import BLEUNeighbors
from metric_commons.app.explainer import explainer
from metric_commons.assessment.agreement import USEFUL, VERDICTS, WEAK
from metric_commons.hub.modules import load
from metric_commons.report.rendering import apart_from_verdict
from quality_estimation_metric import QualityEstimator
from referenceless_metrics.cli import cli

ROOT = Path(__file__).resolve().parents[1]
MAKERS = {"default": BLEUNeighbors, "published": BLEUNeighbors.published}


@pytest.fixture(autouse=True)
def files(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    assert CliRunner().invoke(cli, ["demo", "--files", "."]).exit_code == 0


def run(*arguments):
    result = CliRunner().invoke(cli, list(arguments))
    assert result.exit_code == 0, result.output
    return result.output


def sentence(metric):
    return metric.verdict.summary  # an optional part of the protocol


def page_says(page, said, verdict):
    text = html.unescape(page)
    return apart_from_verdict(said) in text and f"</span> {verdict}</span>" in text


@pytest.mark.parametrize("preset", MAKERS)
def test_every_place_says_the_same_of_bleu_neighbors(preset):
    metric = MAKERS[preset]().fit(POOL.texts, POOL.ratings)
    said, own = sentence(metric), [] if preset == "default" else ["--preset", preset]
    verdict = metric.verdict.verdict if metric.verdict else ""
    assert verdict == {"default": WEAK, "published": USEFUL}[preset]  # each for a reason of its own
    pool = ["--metric", "bleu_neighbors", "--pool", "pool.csv", *own]
    assert said in run("calibrate", "pool.csv", *own)
    calibrated = json.loads(run("calibrate", "pool.csv", *own, "--format", "json"))
    assert (calibrated["findings"][0], calibrated["verdict"]) == (said, verdict)
    assert said in run("fit", "pool.csv", "-o", "pool.index", *own)
    for source in (pool, ["--metric", "bleu_neighbors", "--pool", "pool.index"]):
        assert said in run("score", "outputs.txt", *source)
        assert said in run("score", "outputs.txt", *source, "--format", "csv")
        assert json.loads(run("score", "outputs.txt", *source, "--format", "json"))["verdict"] == verdict
        assert said in run("compare", "baseline.txt", "ours.txt", *source)
    run("report", "--pool", "pool.csv", *own, "baseline.txt", "ours.txt", "-o", "report")
    assert page_says(Path("report/index.html").read_text(encoding="utf-8"), said, verdict)
    part = explainer("bleu_neighbors")
    settings = {} if preset == "default" else {"threshold": 0.08, "weights": "uniform"}
    scored = part.score({"texts": CANDIDATES, "pool": POOL}, settings)
    assert page_says(part.summary_html(scored), said, verdict)
    module = load("bleu_neighbors", config_name=preset, pool="pool.csv")
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        results = [module.compute(predictions=CANDIDATES) for _ in range(2)]
    told = [str(one.message) for one in caught if "left out" in str(one.message)]
    assert told == ([] if verdict == USEFUL else [f"bleu_neighbors: {said}"])  # once
    assert metric.verdict is not None
    assert [(one["verdict"], one["expected_spearman"]) for one in results] == [(verdict, metric.verdict.spearman)] * 2
    if preset == "default":
        assert said in (ROOT / "hub_cards" / "metrics" / "bleu_neighbors.md").read_text(encoding="utf-8")
        assert said in (ROOT / "docs" / "tutorials" / "ratings.ipynb").read_text(encoding="utf-8")


def test_every_place_says_the_same_of_a_trained_estimator_and_of_what_is_advised():
    estimator = QualityEstimator().fit(POOL.texts, POOL.ratings)
    said = sentence(estimator)
    trained = ["--metric", "quality_estimation", "pool.csv"]
    assert said in run("fit", *trained, "-o", "model.npz")
    assert said in run("evaluate", *trained)
    assert said in run("score", "outputs.txt", "--metric", "quality_estimation", "--model-file", "model.npz")
    advised = json.loads(run("advise", "pool.csv", "--format", "json"))
    assert advised["use"] == "quality estimator"
    assert advised["findings"][0].startswith(f"{said} Use quality estimator")
    without = json.loads(run("advise", "pool.csv", "--no-quality-estimator", "--format", "json"))
    chosen = {"published rule": BLEUNeighbors.published(), "similarity weights": BLEUNeighbors()}[without["use"]]
    metric = chosen.fit(POOL.texts, POOL.ratings)
    assert without["findings"][0].startswith(sentence(metric))
    assert without["verdict"] in VERDICTS
