"""BLEU Neighbors through `evaluate`."""

import json

import pytest
from example_fits import CANDIDATES, POOL, RATED_POOL, fit
from numpy.testing import assert_equal
from refusals import refused

from bleu_neighbors_metric import BLEUNeighbors
from metric_commons.hub.modules import load, module_path
from quality_estimation_metric import QualityEstimator

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


def test_pool_is_what_the_command_line_takes(tmp_path):
    import pyarrow
    from pyarrow import parquet

    columns = pyarrow.table({"output": POOL.texts, "naturalness": POOL.ratings, "fluency": POOL.ratings[::-1]})
    parquet.write_table(columns, tmp_path / "pool")
    named = {"pool_text_column": "output", "pool_rating_column": "naturalness", "pool_format": "parquet"}
    fit().save(tmp_path / "indexed", index=True)
    estimator = QualityEstimator().fit(*RATED_POOL)
    estimator.save(tmp_path / "model")
    for metric, fitted_file in ((fit(), "indexed"), (estimator, "model")):
        expected = pytest.approx(metric.predict(CANDIDATES).mean)
        for file, reading in (("pool", named), (fitted_file, {})):
            result = load(metric.name, pool=str(tmp_path / file), **reading).compute(predictions=CANDIDATES)
            assert result[metric.name] == expected
    named |= {"pool_rating_column": ["naturalness", "fluency"]}
    both = load("bleu_neighbors", pool=str(tmp_path / "pool"), **named)
    assert {"parts_naturalness", "parts_fluency"} <= both.compute(predictions=CANDIDATES).keys()


def test_the_published_rule_is_a_configuration_whatever_a_file_was_fitted_with(tmp_path):
    path, module = tmp_path / "own.index", module_path("bleu_neighbors")
    published = BLEUNeighbors.published().fit(*RATED_POOL).predict(CANDIDATES)
    fit(0.2, 1, tokenize="13a").save(path)
    for bound in ({"rated_texts": POOL.texts, "ratings": POOL.ratings}, {"pool": str(path)}):
        check(evaluate.load(module, "published", **bound).compute(predictions=CANDIDATES), published)
    with refused(r"`config_name` to be one of {'default', 'published'}, but got 'publisht'"):
        evaluate.load(module, "publisht")
