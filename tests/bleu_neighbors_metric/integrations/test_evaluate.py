"""BLEU Neighbors through `evaluate`."""

from __future__ import annotations

import json

import pytest
from example_fits import CANDIDATES, POOL, fit

from metric_commons.hub.modules import load, module_path

evaluate = pytest.importorskip("evaluate")


@pytest.fixture(scope="module")
def expected():
    return fit().predict(CANDIDATES)


def check(result, expected):
    own = {
        "bleu_neighbors": expected.mean,
        "coverage": expected.coverage,
        "values": pytest.approx(expected.values.tolist(), nan_ok=True),
        "reasons": list(expected.reasons),
        "n_neighbors": expected.n_neighbors.tolist(),
        "fewest": expected.fewest,
        "most": expected.most,
    }
    assert list(result) == [*own, "signature"]
    assert {name: result[name] for name in own} == own
    assert type(result["bleu_neighbors"]) is float
    assert {type(value) for value in result["values"]} == {float}
    assert {type(value) for value in result["n_neighbors"]} == {int}
    json.dumps(result)


def test_a_pool_bound_at_load(expected):
    metric = evaluate.load(
        module_path("bleu_neighbors"), training_texts=POOL.texts, training_quality=POOL.quality.tolist()
    )
    for _ in range(2):
        check(metric.compute(predictions=CANDIDATES), expected)


def test_an_index_with_other_parameters_over_it(expected, tmp_path):
    path = tmp_path / "pool.index"
    fit().save(path)
    metric = load("bleu_neighbors", index=str(path))
    check(metric.compute(predictions=CANDIDATES), expected)
    stricter = fit(0.2, 1, 1.0, tokenize="13a", smooth_method="exp")
    parameters = {"threshold": 0.2, "min_neighbors": 1, "max_fraction": 1.0, "tokenize": "13a", "smooth_method": "exp"}
    check(metric.compute(predictions=CANDIDATES, **parameters), stricter.predict(CANDIDATES))
    check(metric.compute(predictions=CANDIDATES), expected)  # parameters given once do not stay


def test_a_missing_pool_is_refused():
    with pytest.raises(ValueError, match=r"needs a pool of rated texts.*missing: `training_texts`, `training_quality`"):
        load("bleu_neighbors").compute(predictions=["a"])
