"""BLEU Neighbors through `evaluate`."""

from example_fits import CANDIDATES, POOL, RATED_POOL, fit
from lazily import lazily
from numpy.testing import assert_equal
from refusals import refused

from bleu_neighbors_metric import BLEUNeighbors
from referenceless_metrics.frameworks.hub.modules import load, module_path

evaluate = lazily("evaluate")


def check(result, expected):
    plain = expected.as_plain()
    assert_equal({name: result[name] for name in plain}, plain)


def test_an_index_with_other_parameters_over_it(tmp_path):
    fit().save(tmp_path / "pool.index")
    metric = load("bleu_neighbors", pool=str(tmp_path / "pool.index"))
    stricter = {"threshold": 0.2, "min_neighbors": 1, "max_fraction": 1.0, "tokenize": "13a", "smooth_method": "exp"}
    for parameters in ({}, stricter, {}):  # those given once do not stay
        check(metric.compute(predictions=CANDIDATES, **parameters), fit(**parameters).predict(CANDIDATES))


def test_the_published_rule_is_a_configuration_whatever_a_file_was_fitted_with(tmp_path):
    path, module = tmp_path / "own.index", module_path("bleu_neighbors")
    published = BLEUNeighbors.published().fit(*RATED_POOL).predict(CANDIDATES)
    fit(0.2, 1, tokenize="13a").save(path)
    for bound in ({"rated_texts": POOL.texts, "ratings": POOL.ratings}, {"pool": str(path)}):
        check(evaluate.load(module, "published", **bound).compute(predictions=CANDIDATES), published)
    with refused(r"`config_name` to be one of {'default', 'published'}, but got 'publisht'"):
        evaluate.load(module, "publisht")
