"""One file of ratings gets one verdict, in one sentence, wherever it is shown."""

import html
import json
import re
import warnings

import pytest
from command_lines import done
from example_fits import CANDIDATES, POOL, RATED_POOL
from text_files import ROOT, read

from bleu_neighbors_metric import BLEUNeighbors
from quality_estimation_metric import QualityEstimator
from referenceless_metrics.assessment.agreement import CANNOT_TELL, WEAK
from referenceless_metrics.core.files.paper_tables import true_minus
from referenceless_metrics.frameworks.hub.modules import load
from referenceless_metrics.pages.app.explainer import explainer
from referenceless_metrics.pages.rendering import apart_from_verdict

MAKERS = {"default": BLEUNeighbors, "published": BLEUNeighbors.published}


@pytest.fixture(autouse=True)
def files(folder):
    done("demo --files .")


def run(line, *more):
    return done(line, *more).output


def reported(line):
    return json.loads(run(f"{line} --format json"))


def page_says(page, said, verdict):
    text = html.unescape(page)
    return true_minus(apart_from_verdict(said)) in text and f"</span> {verdict}</span>" in text


def test_the_readme_says_what_calibrate_says_of_the_packaged_pool():
    if not (ROOT / "docs").is_dir():
        pytest.skip("needs the project's documentation")
    found = MAKERS["default"]().fit(*RATED_POOL).verdict_
    (measured,) = re.findall(r"\(ρ [^]]+\]", found.summary)
    assert f"*{found.verdict}* there {true_minus(measured).replace('0.', '.')})" in read(ROOT / "README.md")


@pytest.mark.parametrize("preset", ["default", pytest.param("published", marks=pytest.mark.long)])
def test_every_place_says_the_same_of_bleu_neighbors(preset):
    metric = MAKERS[preset]().fit(*RATED_POOL)
    said, verdict = metric.verdict_.summary, metric.verdict_.verdict
    assert verdict == {"default": CANNOT_TELL, "published": WEAK}[preset]  # each for a reason of its own
    own = "" if preset == "default" else f"--preset {preset}"
    assert said in run(f"calibrate pool.csv {own}")
    calibrated = reported(f"calibrate pool.csv {own}")
    assert (calibrated["findings"][0], calibrated["verdict"]) == (said, verdict)
    assert said in run(f"fit pool.csv -o pool.index {own}")
    for pool in (f"pool.csv {own}", "pool.index"):
        chosen = f"--metric bleu_neighbors --pool {pool}"
        assert said in run(f"score outputs.txt {chosen}")
        assert said in run(f"score outputs.txt {chosen} --format csv")
        assert reported(f"score outputs.txt {chosen}")["verdict"] == verdict
        kept = "--keep 'bleu_neighbors > 0' -o kept.csv"
        assert said in run(f"filter outputs.txt {chosen} {kept}")
        assert said in run(f"compare baseline.txt ours.txt {chosen}")
    run(f"report --pool pool.csv {own} baseline.txt ours.txt -o report")
    assert page_says(read("report/index.html"), said, verdict)
    part = explainer("bleu_neighbors")
    settings = {} if preset == "default" else {"threshold": 0.08, "weights": "uniform"}
    scored = part.score({"texts": CANDIDATES, "pool": POOL}, settings)
    assert page_says(part.summary_html(scored), said, verdict)
    module = load("bleu_neighbors", config_name=preset, pool="pool.index")
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        results = [module.compute(predictions=CANDIDATES) for _ in range(2)]
    told = [str(one.message) for one in caught if "left out" in str(one.message)]
    assert told == [f"bleu_neighbors: {said}"]  # once
    assert [(one["verdict"], one["expected_spearman"]) for one in results] == [(verdict, metric.verdict_.spearman)] * 2
    module = load("bleu_neighbors", config_name=preset, pool="pool.csv")  # measured in use
    with pytest.warns(UserWarning, match=re.escape(f"bleu_neighbors: {said}")):
        assert module.compute(predictions=CANDIDATES)["verdict"] == verdict
    asked = load("bleu_neighbors", config_name=preset, pool="pool.csv", calibrated=True).compute(predictions=CANDIDATES)
    assert asked == results[0]
    if preset == "default":
        assert said in read(ROOT / "hub_cards/metrics/bleu_neighbors.md")


@pytest.mark.long
def test_every_place_says_the_same_of_a_trained_estimator_and_of_what_is_advised():
    said = QualityEstimator().fit(*RATED_POOL).verdict_.summary
    assert said in run("fit --metric quality_estimation pool.csv -o model.npz")
    assert said in run("evaluate --metric quality_estimation pool.csv")
    assert said in run("score outputs.txt --metric quality_estimation --model-file model.npz")
    advised = reported("advise pool.csv")
    assert advised["use"] == "quality estimator"
    assert advised["findings"][0].startswith(f"{said} Use quality estimator")
