"""Outputs that are rated texts themselves: counted wherever a mean is shown, and left out where asked."""

import json

import numpy as np
import pytest
from click.testing import CliRunner
from numpy.testing import assert_array_equal

from bleu_neighbors_metric import BLEUNeighbors
from bleu_neighbors_metric.example import example_candidates, example_pool
from metric_commons.app.explainer import explainer
from metric_commons.files.tables import RatedTexts
from quality_estimation_metric import QualityEstimator
from referenceless_metrics.cli import cli

POOL = example_pool()
NEW = example_candidates()[:8]
TEXTS = [*NEW, *POOL.texts[:4]]
CAUTION = "4 of 12 texts are rated texts themselves"


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    folder = tmp_path_factory.mktemp("files")
    rows = "".join(f"{json.dumps({'text': t, 'rating': r})}\n" for t, r in zip(POOL.texts, POOL.ratings, strict=True))
    (folder / "pool.jsonl").write_text(rows, encoding="utf-8")
    (folder / "ours.txt").write_text("\n".join(TEXTS) + "\n", encoding="utf-8")
    (folder / "new.txt").write_text("\n".join(NEW + NEW[:4]) + "\n", encoding="utf-8")
    return folder


def run(folder, command, *arguments, metric=True):
    given = [*(["--metric", "bleu_neighbors"] if metric else []), "--pool", str(folder / "pool.jsonl"), *arguments]
    done = CliRunner().invoke(cli, [command, *given], catch_exceptions=False)
    assert done.exit_code == 0, done.output
    return done


def estimators():
    return [
        BLEUNeighbors(min_neighbors=1, max_fraction=1.0).fit(POOL.texts, POOL.ratings),
        QualityEstimator().fit(POOL.texts, POOL.ratings),
    ]


@pytest.mark.parametrize("estimator", estimators(), ids=lambda one: one.name)
def test_they_are_counted_and_left_out(estimator, tmp_path):
    before = estimator.predict(TEXTS)
    assert (before.in_pool, before.coverage) == (4, 1.0)
    signature, verdict = estimator.signature, estimator.verdict
    after = estimator.set_params(exclude_pool=True).predict(TEXTS)
    assert (after.in_pool, after.n_covered, after.abstentions) == (4, 8, {"rated text": 4})
    assert_array_equal(after.values[:8], before.values[:8])
    if "lower" in after.columns:
        assert np.isnan(after.lower[8:]).all()
        assert np.isnan(after.upper[8:]).all()
    assert set(estimator.signature.split("|")) - set(signature.split("|")) == {"exclude:pool"}
    assert estimator.verdict == verdict
    estimator.save(tmp_path / "saved")
    loaded = type(estimator).load(tmp_path / "saved")
    assert (loaded.exclude_pool, loaded.predict(TEXTS).in_pool) == (False, 4)
    with pytest.raises(TypeError, match="`exclude_pool` to be True or False, but got str 'yes'"):
        estimator.set_params(exclude_pool="yes").fit(POOL.texts, POOL.ratings)


def test_a_mapped_pool_knows_its_texts(tmp_path):
    texts = [*POOL.texts, "", "é", "\ud800 alone"]
    estimator = BLEUNeighbors().fit(texts, np.arange(len(texts)))
    estimator.save_shared(tmp_path / "folder")
    mapped = BLEUNeighbors.load(tmp_path / "folder")
    for text in (*texts, "e", "É", POOL.texts[0][:-1], POOL.texts[0] + " ", "\ud800"):
        assert (text in mapped.texts_) == (text in texts)
    assert mapped.predict([*texts, "new"]).in_pool == len(texts)


def test_an_estimator_without_its_texts_counts_none(tmp_path):
    QualityEstimator().fit(POOL.texts, POOL.ratings).save(tmp_path / "model", texts=False)
    assert "in_pool" not in QualityEstimator.load(tmp_path / "model").predict(TEXTS).details


@pytest.mark.parametrize("format", ["table", "json", "jsonl"])
def test_score(folder, format):
    done = run(folder, "score", str(folder / "ours.txt"), "--format", format)
    if format == "json":
        assert json.loads(done.stdout)["in_pool"] == 4
    else:
        told = done.stdout if format == "table" else done.stderr
        assert "rated texts themselves: 4 of 12\n" in told
        assert f"caution: {CAUTION}" in told
    left = run(folder, "score", str(folder / "ours.txt"), "--format", format, "--exclude-pool")
    assert left.stdout.count("rated text") - left.stdout.count("rated texts") >= 4
    assert CAUTION not in left.output


def test_compare_and_report(folder):
    systems = (str(folder / "new.txt"), str(folder / "ours.txt"))
    told = run(folder, "compare", *systems, "--n-samples", "20").stdout
    assert "outputs that are rated texts themselves: new.txt 0, ours.txt 4 of 12" in told
    assert f"ours.txt: {CAUTION}" in told
    found = json.loads(run(folder, "compare", *systems, "--n-samples", "20", "--format", "json").stdout)
    assert [row["in_pool"] for row in found["systems"]] == [0, 4]
    for options, shown in (((), True), (("--exclude-pool",), False)):
        given = ("-o", str(folder / "report"), "--n-samples", "20", *options)
        run(folder, "report", *systems, *given, metric=False)
        page = (folder / "report" / "index.html").read_text(encoding="utf-8")
        assert (CAUTION in page) is shown
        assert "4 rated themselves" in page


def test_app():
    part = explainer("bleu_neighbors")
    settings = {control.name: control.options.get("value") for control in part.settings}
    rated = RatedTexts(POOL.texts, POOL.ratings)
    scored = None
    for texts, shown in ((TEXTS * 50, True), (NEW, False)):  # more than one part; then a caution that is past
        scored = part.score({"texts": texts, "pool": rated}, settings, earlier=scored)
        page = part.summary_html(scored)
        assert ("200 of 600 texts are rated texts themselves" in page) is shown
        assert ('id="in-pool">200 ' in page) is shown
