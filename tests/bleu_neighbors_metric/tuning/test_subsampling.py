"""Subsampled pools against fitting each draw, and what they are for."""

import json

import numpy as np
import pytest
from command_lines import typed
from example_fits import CANDIDATES
from numpy.testing import assert_allclose, assert_array_equal
from text_files import write

from bleu_neighbors_metric import BLEUNeighbors
from bleu_neighbors_metric.tuning.subsampling import (
    SubsampledNeighbors,
    draw_members,
)
from referenceless_metrics.core.support.validation import InputError, NotFittedError


@pytest.mark.parametrize("weights", ["uniform", "similarity"])
def test_each_draw_is_a_pool_of_its_own(fitted, weights):
    drawn = SubsampledNeighbors(
        fitted.set_params(max_fraction=0.1, weights=weights), subsample=30 / 96, n_draws=4, seed=7
    )
    candidates = [*CANDIDATES, ""]
    draws, size = drawn.draw(candidates)
    result = drawn.predict(candidates)
    assert draws.shape == (4, len(candidates))
    assert size == result.pool_size == 30
    members_of_draws = draw_members(len(fitted.texts_), [30] * 4, np.random.default_rng(7))
    texts = np.array(fitted.texts_)
    for members, estimates, left_out in zip(members_of_draws.T > 0, draws, drawn.draw()[0], strict=True):
        alone = BLEUNeighbors(fitted.threshold_, 2, 0.1, weights=weights)
        alone.fit(texts[members], fitted.ratings_[members])
        assert_allclose(estimates, alone.predict(candidates).values, atol=1e-12)
        assert_allclose(left_out[members], alone.leave_one_out().values, atol=1e-9)
        assert_allclose(left_out[~members], alone.predict(texts[~members]).values, atol=1e-9)
    covered = ~np.isnan(draws).all(axis=0)
    assert_allclose(result.values[covered], np.nanmean(draws[:, covered], axis=0))
    assert np.isnan(result.values[~covered]).all()
    assert np.isnan(result.spread[-1])
    assert result.covered_share[-1] == 0


def test_draws_are_seeded_and_otherwise_new_at_each_call(fitted):
    seeded, fresh = SubsampledNeighbors(fitted, 0.3, seed=3), SubsampledNeighbors(fitted, 0.3)
    assert_array_equal(seeded.draw(CANDIDATES)[0], seeded.draw(CANDIDATES)[0])
    assert not np.array_equal(fresh.draw(CANDIDATES)[0], fresh.draw(CANDIDATES)[0], equal_nan=True)


@pytest.mark.parametrize(
    "options, error, message",
    [
        ({"subsample": 0}, ValueError, "`subsample` to be a number in"),
        ({"subsample": 97}, ValueError, "`subsample` to be a number in"),
        ({"subsample": 0.01}, InputError, "a draw of 1 of the pool's 96 texts can cover nothing"),
        ({"subsample": True}, TypeError, "`subsample` to be a number"),
        ({"n_draws": 0}, ValueError, "`n_draws`"),
        ({"seed": -1}, ValueError, "`seed`"),
        ({"estimator": BLEUNeighbors()}, NotFittedError, "call `fit`"),
    ],
)
def test_bad_draws(fitted, options, error, message):
    with pytest.raises(error, match=message):
        SubsampledNeighbors(**{"estimator": fitted, **options}).predict(["a text"])


@pytest.fixture
def command(tmp_path, fitted):
    fitted.save(tmp_path / "pool.index")
    write(tmp_path / "candidates.txt", CANDIDATES)
    return f"score {tmp_path / 'candidates.txt'} --pool {tmp_path / 'pool.index'}"


def test_the_command_tells_the_spread(command, fitted):
    command += " --resample 0.4 --draws 5 --seed 3 --format"
    found = json.loads(typed(f"{command} json").out)
    expected = SubsampledNeighbors(fitted, 0.4, n_draws=5, seed=3).predict(CANDIDATES)
    for name, values in (("bleu_neighbors", expected.values), ("spread", expected.spread)):
        assert_allclose(np.array([row[name] for row in found["rows"]], float), values)
    assert found["mean"] == pytest.approx(expected.mean)
    assert found["pool_size"] == 38
    assert "|resample:0.4|draws:5|seed:3" in typed(f"{command} csv").err


@pytest.mark.parametrize(
    "more, message",
    [
        ("--resample 0", "not in the range"),
        ("--draws 3", "--draws and --seed belong to --resample"),
    ],
)
def test_wrong_usage_of_the_command(command, more, message):
    assert message in " ".join(typed(f"{command} {more}", 2).err.split())
