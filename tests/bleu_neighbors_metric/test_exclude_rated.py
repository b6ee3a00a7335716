"""Outputs that are rated texts themselves: counted beside every mean, and left out on request."""

import numpy as np
import pytest
from command_lines import typed
from example_fits import CANDIDATES, POOL, POOL_FILE, RATED_POOL
from numpy.testing import assert_array_equal
from text_files import read, write

from bleu_neighbors_metric import BLEUNeighbors
from quality_estimation_metric import QualityEstimator
from referenceless_metrics.core.files.tables import RatedTexts
from referenceless_metrics.pages.app.explainer import explainer

NEW = CANDIDATES[:8]
TEXTS = [*NEW, *POOL.texts[:4]]
WARNING = "4 of 12 texts are rated texts themselves"


@pytest.fixture(autouse=True)
def files(folder):
    for name, texts in {"ours.txt": TEXTS, "new.txt": NEW + NEW[:4]}.items():
        write(name, texts)


def run(line):
    return typed(f"{line} --pool {POOL_FILE}")


@pytest.mark.parametrize("kind", [BLEUNeighbors, QualityEstimator])
def test_they_are_counted_and_left_out(kind, tmp_path):
    parameters = {"min_neighbors": 1, "max_fraction": 1.0} if kind is BLEUNeighbors else {}
    estimator = kind(**parameters).fit(*RATED_POOL)
    before = estimator.predict(TEXTS)
    assert (before.n_rated_texts, before.coverage) == (4, 1.0)
    signature, verdict = estimator.signature, estimator.verdict_
    after = estimator.set_params(exclude_rated=True).predict(TEXTS)
    assert (after.n_rated_texts, after.n_covered, after.abstentions) == (4, 8, {"rated text": 4})
    assert_array_equal(after.values[:8], before.values[:8])
    if "lower" in after.columns:
        assert np.isnan(after.lower[8:]).all()
        assert np.isnan(after.upper[8:]).all()
    assert set(estimator.signature.split("|")) - set(signature.split("|")) == {"exclude:rated"}
    assert estimator.verdict_ == verdict
    estimator.save(tmp_path / "saved")
    loaded = kind.load(tmp_path / "saved")
    assert (loaded.exclude_rated, loaded.predict(TEXTS).n_rated_texts) == (False, 4)
    with pytest.raises(TypeError, match="`exclude_rated` to be True or False, but got str 'yes'"):
        estimator.set_params(exclude_rated="yes").fit(*RATED_POOL)


@pytest.mark.parametrize("format", ["table", "jsonl"])
def test_score(format):
    command = f"score ours.txt --metric bleu_neighbors --format {format}"
    told = "".join(run(command))
    assert "rated texts themselves: 4 of 12\n" in told
    assert f"warning: {WARNING}" in told
    told = "".join(run(f"{command} --exclude-rated"))
    assert told.count("rated text") - told.count("rated texts") >= 4
    assert WARNING not in told


def test_compare_and_report():
    systems = "new.txt ours.txt --n-samples 20"
    told = run(f"compare {systems} --metric bleu_neighbors").out
    assert "outputs that are rated texts themselves: new 0, ours 4 of 12" in told
    assert f"ours: {WARNING}" in told
    for option, shown in (("", True), ("--exclude-rated", False)):
        run(f"report {systems} -o report {option}")
        page = read("report/index.html")
        assert (WARNING in page) is shown
        assert "4 rated themselves" in page


def test_app():
    part = explainer("bleu_neighbors")
    settings = {control.name: control.options.get("value") for control in part.settings}
    rated = RatedTexts(*RATED_POOL)
    for texts, shown in ((TEXTS * 50, True), (NEW, False)):  # more than one part; then none
        scored = part.score({"texts": texts, "pool": rated}, settings)
        page = part.summary_html(scored)
        assert ("200 of 600 texts are rated texts themselves" in page) is shown
        assert ('id="rated-texts">200 ' in page) is shown
