"""The page of BLEU Neighbors: estimates, the worth of the pool, and the neighbours of a candidate."""

import numpy as np
import pytest
from example_fits import CANDIDATES, POOL, fit
from numpy.testing import assert_array_equal
from page_standards import NASTY, check_fragment

from bleu_neighbors_metric import explain
from bleu_neighbors_metric.options import AUTOMATIC
from bleu_neighbors_metric.tuning.coverage import coverage_curves
from referenceless_metrics.core.files.tables import RatedTexts
from referenceless_metrics.core.support.validation import InputError
from referenceless_metrics.pages.app import explainer as generic
from referenceless_metrics.pages.app.explainer import ORDERS, explainer

PART = explainer("bleu_neighbors")


def score(texts, pool=POOL, settings=None):
    return PART.score({"texts": texts, "pool": pool}, settings or {})


def fragments(scored):
    explained = [PART.explanation_html(scored, place, 10, 4) for place in range(min(12, len(scored.texts)))]
    return [PART.summary_html(scored), PART.table_html(scored, ORDERS[0]), PART.charts_html(scored), *explained]


@pytest.fixture(scope="module")
def scored():
    return score(CANDIDATES)


def test_the_numbers_are_the_estimator_s(scored):
    expected = fit().predict(CANDIDATES)
    assert_array_equal(scored.result.values, expected.values)
    summary = PART.summary_html(scored)
    assert f'id="mean-score">{expected.mean:.4f}<' in summary
    assert f"{expected.coverage:.1%} <small>{expected.covered.sum()} of 12" in summary
    thresholds, (shares,) = coverage_curves(scored.metric, [scored.texts])
    assert shares[thresholds == scored.metric.threshold_] == [expected.coverage]
    table = PART.table_html(scored, ORDERS[0])
    for value, count in zip(expected.values, expected.n_neighbors, strict=True):
        assert np.isnan(value) or f"<strong>{value:.3f}</strong>" in table
        assert f'data-label="Neighbours">{count}</td>' in table


def test_the_neighbours_of_one_candidate(scored):
    html = PART.explanation_html(scored, 1, 10, 4)
    assert html.count("<li>") == 10
    for neighbor in scored.metric.kneighbors(CANDIDATES[1], 10):
        assert f"Similarity <strong>{neighbor.similarity:.3f}</strong>" in html
    assert "The 10 most similar of 30 neighbours." in html
    assert "<mark> is quiet </mark>" in html
    many = PART.explanation_html(scored, 1, 50, 4)
    assert many.count("<li>") == 50
    assert "not a neighbour" in many
    uncovered = PART.explanation_html(scored, 11, 10, 4)
    assert "<strong>No estimate</strong>: 0 neighbours, where at least 5 are needed." in uncovered
    lower = score(CANDIDATES, settings={"threshold": 0.08})
    assert "so many (more than 63)" in PART.explanation_html(lower, 0, 10, 4)


@pytest.mark.parametrize("tokenizer", ["char", "13a"])
def test_every_fragment_is_well_formed_and_escapes_texts(tokenizer):
    texts = [NASTY, "", "  ", "a" * 5000, "the \x00 \x1b[31m cat", NASTY.upper(), *POOL.texts[:5]]
    rated = RatedTexts([*POOL.texts, NASTY, NASTY + "!"], np.append(POOL.ratings, [0.5, 0.6]))
    scored = score(texts, rated, {"tokenize": tokenizer, "min_neighbors": 1})
    for html in fragments(scored):
        check_fragment(html)
    assert PART.explanation_html(scored, 0, 5, 2).count("<mark>") > 1


def test_small_pools():
    two = score(["a text"], RatedTexts(["one", "two"], np.array([1.0, 2.0])))
    assert "no text can be covered" in PART.summary_html(two)
    assert "No candidate has an estimate" in PART.charts_html(two)
    assert 'id="mean-score">–<' in PART.summary_html(two)
    one = score(["a text"], RatedTexts(["one"], np.array([1.0])), {"min_neighbors": 1, "max_fraction": 1.0})
    for html in fragments(one):
        check_fragment(html)
    assert "nothing can be left out" in PART.summary_html(one)


def test_large_pools(monkeypatch):
    monkeypatch.setattr(explain, "MOST_LEFT_OUT", 95)
    assert "takes too long while you wait" in PART.summary_html(score(["a"]))
    monkeypatch.setattr(generic, "MOST_RATED", 2)
    with pytest.raises(InputError, match="at most 2 rated texts, but there are 96"):
        score(["a"])


def test_settings_of_the_page_are_parameters():
    settings = {control.name: control.options["value"] for control in PART.settings}
    automatic = fit(**AUTOMATIC)
    found = score(["a"], settings=settings)
    assert found.result.signature == automatic.signature
    assert found.metric.threshold_ == automatic.threshold_
    assert score(["a"], settings=settings | {"threshold": 0.3}).metric.threshold_ == 0.3
