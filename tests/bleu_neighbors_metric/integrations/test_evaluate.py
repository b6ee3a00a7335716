"""BLEU Neighbors through `evaluate`."""

import json

import pytest
from example_fits import CANDIDATES, POOL, RATED_POOL, fit
from numpy.testing import assert_equal
from refusals import refused

from bleu_neighbors_metric import BLEUNeighbors
from metric_commons.hub.modules import load, module_path

evaluate = pytest.importorskip("evaluate")


@pytest.fixture(scope="module")
def expected():
    return fit().predict(CANDIDATES)


def check(result, expected):
    names = ("bleu_neighbors", "coverage", "values", "reasons", "n_neighbors", "fewest", "most")
    names += ("in_pool",)
    assert tuple(result) == (*names, "signature")
    plain = {"bleu_neighbors": expected.mean, **expected.as_plain()}
    assert_equal({name: result[name] for name in (*names, "signature")}, plain)
    assert type(result["bleu_neighbors"]) is float
    assert {type(value) for value in result["values"]} == {float, type(None)}
    assert {type(value) for value in result["n_neighbors"]} == {int}
    json.dumps(result, allow_nan=False)


def test_an_index_with_other_parameters_over_it(expected, tmp_path):
    path = tmp_path / "pool.index"
    fit().save(path)
    metric = load("bleu_neighbors", pool=str(path))
    check(metric.compute(predictions=CANDIDATES), expected)
    stricter = fit(0.2, 1, 1.0, tokenize="13a", smooth_method="exp")
    parameters = {"threshold": 0.2, "min_neighbors": 1, "max_fraction": 1.0, "tokenize": "13a", "smooth_method": "exp"}
    check(metric.compute(predictions=CANDIDATES, **parameters), stricter.predict(CANDIDATES))
    check(metric.compute(predictions=CANDIDATES), expected)  # parameters given once do not stay


def test_the_published_rule_is_a_configuration_whatever_a_file_was_fitted_with(tmp_path):
    path, module = tmp_path / "own.index", module_path("bleu_neighbors")
    published = BLEUNeighbors.published().fit(*RATED_POOL).predict(CANDIDATES)
    fit(0.2, 1, tokenize="13a").save(path)
    for bound in ({"rated_texts": POOL.texts, "ratings": POOL.ratings}, {"pool": str(path)}):
        check(evaluate.load(module, "published", **bound).compute(predictions=CANDIDATES), published)
    with refused(r"`config_name` to be one of {'default', 'published'}, but got 'publisht'"):
        evaluate.load(module, "publisht")
