"""A pool by place, texts and then ratings, is the same everywhere; so are a file or a fitted metric in its place."""

import pytest
from refusals import refused

import referenceless_metrics as rm
from bleu_neighbors_metric import BLEUNeighbors
from bleu_neighbors_metric.example import example_pool
from bleu_neighbors_metric.integrations.sacrebleu import BLEUNeighborsMetric
from bleu_neighbors_metric.pool_source import bleu_neighbors
from referenceless_metrics.frameworks.hub import modules

POOL = example_pool()
RATED = POOL.texts, POOL.ratings.tolist()


def of_evaluate(*pool, **options):
    pytest.importorskip("evaluate")
    module = modules.load("bleu_neighbors", **dict(zip(("rated_texts", "ratings"), pool, strict=False)), **options)
    module.compute(predictions=["a text"])
    return module._metric


WAYS = {
    "make": bleu_neighbors,
    "load": lambda *pool, **options: rm.load("bleu_neighbors", *pool, **options),
    "sacrebleu": lambda *pool, **options: BLEUNeighborsMetric(*pool, **options).metric,
    "evaluate": of_evaluate,
}


@pytest.mark.parametrize("way", WAYS)
def test_pools_of_bleu_neighbors(way, tmp_path):
    make = WAYS[way]
    fitted = BLEUNeighbors().fit(*RATED)
    fitted.save(tmp_path / "p.index")
    by_name = make(rated_texts=RATED[0], ratings=RATED[1])
    found = [make(*RATED), make(tmp_path / "p.index"), make(str(tmp_path / "p.index")), make(fitted)]
    assert {one.signature for one in found} == {by_name.signature} == {fitted.signature}
    assert make(*RATED, min_neighbors=2).min_neighbors == 2
    with refused("got rated_texts and pool"):
        make(fitted, pool=tmp_path / "p.index")
    with refused("ratings"):
        make(RATED[0])
