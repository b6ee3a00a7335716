"""Learning curves of pools: pools too small for one, and the command; their points: `test_similarity_blocks`."""

import json

import pytest
from command_lines import typed
from example_fits import POOL_FILE, fit
from refusals import refused

from bleu_neighbors_metric import BLEUNeighbors
from bleu_neighbors_metric.tuning.parts import pool_learning_curve
from referenceless_metrics.core.support.validation import InputError


@pytest.mark.filterwarnings("ignore:no text can be covered")
def test_pools_too_small_for_the_draw(fitted):
    small = BLEUNeighbors().fit(["a b c", "d e f"], [0, 1])
    with refused("needs at least 10 distinct rated texts, but the pool has 2", InputError):
        pool_learning_curve(small)
    with refused("a pool of 97 texts cannot be drawn from one of 96 distinct texts", InputError):
        pool_learning_curve(fitted, (97,))


@pytest.mark.long
def test_the_command_tells_and_plots(tmp_path):
    index, plot = tmp_path / "pool.index", tmp_path / "curve.png"
    fit().save(index)
    command = f"calibrate --learning-curve --plot {plot}"
    of_file, of_index = (typed(f"{command} {source} --format json").out for source in (POOL_FILE, index))
    assert of_file == of_index
    assert [row["size"] for row in json.loads(of_file)["rows"]][-1] == 96
    assert plot.read_bytes().startswith(b"\x89PNG")
    assert "±" in typed(f"{command} {index}").out
