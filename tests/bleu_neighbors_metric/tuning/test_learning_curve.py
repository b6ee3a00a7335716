"""Learning curves against fitting a pool for every draw and text."""

import json

import numpy as np
import pytest
from command_lines import typed
from example_fits import POOL, POOL_FILE, fit
from refusals import refused

from bleu_neighbors_metric import BLEUNeighbors
from bleu_neighbors_metric.tuning.subsampling import estimates_in_parts, pool_learning_curve
from metric_commons.support.validation import InputError


@pytest.mark.filterwarnings("ignore:no text can be covered")
@pytest.mark.parametrize("weights", ["uniform", "similarity"])
def test_estimates_from_a_draw_are_those_of_a_pool_that_is_fitted_on_it(weights):
    texts, ratings = POOL.texts[:40], POOL.ratings[:40]
    whole = BLEUNeighbors(0.08, 1, 1.0, weights=weights).fit(texts, ratings)
    member = np.random.default_rng(3).random(40) < 0.4
    estimate = estimates_in_parts(whole, member[:, None].astype(float))
    for i, text in enumerate(texts):
        kept = [j for j in range(40) if member[j] and j != i]
        drawn = BLEUNeighbors(0.08, 1, 1.0, weights=weights).fit([texts[j] for j in kept], ratings[kept])
        expected = drawn.predict([text])
        assert estimate[i, 0] == pytest.approx(expected.values[0], nan_ok=True)


@pytest.mark.filterwarnings("ignore:no text can be covered")
def test_pools_too_small_for_the_draw(fitted):
    small = BLEUNeighbors().fit(["a b c", "d e f"], [0, 1])
    with refused("needs at least 10 distinct rated texts, but the pool has 2", InputError):
        pool_learning_curve(small)
    with refused("a pool of 97 texts cannot be drawn from one of 96 distinct texts", InputError):
        pool_learning_curve(fitted, (97,))


def test_the_command_tells_and_plots(tmp_path):
    index, plot = tmp_path / "pool.index", tmp_path / "curve.png"
    fit().save(index)
    command = f"calibrate --learning-curve --plot {plot}"
    of_file, of_index = (typed(f"{command} {source} --format json").out for source in (POOL_FILE, index))
    assert of_file == of_index
    assert [row["size"] for row in json.loads(of_file)["rows"]][-1] == 96
    assert plot.read_bytes().startswith(b"\x89PNG")
    assert "±" in typed(f"{command} {index}").out
