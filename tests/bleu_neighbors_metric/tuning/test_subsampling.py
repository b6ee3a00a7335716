"""Subsampled pools against fitting each draw, and what they are for."""

from __future__ import annotations

import json

import numpy as np
import pytest
from click.testing import CliRunner
from example_fits import CANDIDATES

from bleu_neighbors_metric import BLEUNeighbors
from bleu_neighbors_metric.tuning.learning_curve import draw_members
from bleu_neighbors_metric.tuning.subsampling import SubsampledNeighbors, draw_size, over_draws, sample_deviation
from metric_commons.support.validation import InputError, NotFittedError
from referenceless_metrics.cli import cli


def test_each_draw_is_a_pool_of_its_own(fitted):
    drawn = SubsampledNeighbors(fitted, subsample=30, n_draws=4, seed=7)
    candidates = [*CANDIDATES, ""]
    draws, size = drawn.draw(candidates)
    result = drawn.predict(candidates)
    assert draws.shape == (4, len(candidates))
    assert size == result.pool_size == 30
    members_of_draws = draw_members(len(fitted.texts_), [30] * 4, np.random.default_rng(7))
    for members, estimates in zip(members_of_draws.T > 0, draws, strict=True):
        kept = np.flatnonzero(members)
        alone = BLEUNeighbors(fitted.threshold_, min_neighbors=2)
        alone.fit([fitted.texts_[i] for i in kept], fitted.ratings_[kept])
        expected = alone.predict(candidates)
        np.testing.assert_allclose(estimates, expected.values, atol=1e-12)
    covered = ~np.isnan(draws).all(axis=0)
    np.testing.assert_allclose(result.values[covered], np.nanmean(draws[:, covered], axis=0))
    assert np.isnan(result.values[~covered]).all()
    assert np.isnan(result.spread[-1])
    assert result.covered_share[-1] == 0


def test_the_whole_pool_is_the_estimator_itself_with_no_spread(fitted):
    draws, _ = SubsampledNeighbors(fitted, 1.0, n_draws=3, seed=0).draw()
    np.testing.assert_allclose(draws, np.tile(fitted.leave_one_out().values, (3, 1)), atol=1e-12)
    assert np.nanmax(over_draws(draws, sample_deviation)) < 1e-12


def test_draws_are_seeded_and_otherwise_new_at_each_call(fitted):
    candidates = CANDIDATES
    seeded = SubsampledNeighbors(fitted, 0.3, seed=3)
    np.testing.assert_array_equal(seeded.draw(candidates)[0], seeded.draw(candidates)[0])
    fresh = SubsampledNeighbors(fitted, 0.3)
    assert not np.array_equal(fresh.draw(candidates)[0], fresh.draw(candidates)[0], equal_nan=True)


def test_fewer_texts_spread_more(fitted):
    drawn = (SubsampledNeighbors(fitted, share, n_draws=40, seed=0).draw()[0] for share in (0.3, 0.9))
    small, large = (np.nanmean(over_draws(draws, sample_deviation)) for draws in drawn)
    assert small > 2 * large


@pytest.mark.parametrize(
    ("subsample", "error", "message"),
    [
        (0.0, ValueError, "share above 0"),
        (1.5, ValueError, r"in \[0, 1\]"),
        (0, ValueError, "at least 1"),
        (97, InputError, "a draw of 97 texts cannot be made from a pool of 96"),
        (1, InputError, "a draw of 1 of the pool's 96 texts can cover nothing"),
        ("half", TypeError, "`subsample` to be a number"),
        (True, TypeError, "`subsample` to be a number"),
    ],
)
def test_bad_draws(fitted, subsample, error, message):
    with pytest.raises(error, match=message):
        SubsampledNeighbors(fitted, subsample).predict(["a text"])


@pytest.mark.parametrize("bad", [{"n_draws": 0}, {"seed": -1}])
def test_bad_numbers_and_states(fitted, bad):
    with pytest.raises(ValueError, match=f"`{next(iter(bad))}`"):
        SubsampledNeighbors(fitted, **bad).predict(["a"])
    with pytest.raises(NotFittedError):
        SubsampledNeighbors(BLEUNeighbors()).predict(["a"])
    assert draw_size(0.001, 10) == 1


@pytest.fixture
def files(tmp_path, fitted):
    fitted.save(tmp_path / "pool.index")
    (tmp_path / "candidates.txt").write_text("\n".join(CANDIDATES) + "\n", encoding="utf-8")
    return [str(tmp_path / "candidates.txt"), "--pool", str(tmp_path / "pool.index")]


def test_the_command_tells_the_spread(files, fitted, run):
    arguments = ["score", *files, "--resample", 0.4, "--draws", 5, "--seed", 3]
    found = json.loads(run(*arguments, "--format", "json").stdout)
    expected = SubsampledNeighbors(fitted, 0.4, n_draws=5, seed=3).predict(CANDIDATES)
    for name, values in (("value", expected.values), ("spread", expected.spread)):
        np.testing.assert_allclose([np.nan if row[name] is None else row[name] for row in found["rows"]], values)
    assert found["mean"] == pytest.approx(expected.mean)
    assert found["pool_size"] == 38
    assert "|resample:0.4|draws:5|seed:3" in run(*arguments, "--format", "csv").stderr


@pytest.mark.parametrize(
    ("more", "message"),
    [
        (["--resample", "0"], "not in the range"),
        (["--draws", "3"], "--draws and --seed belong to --resample"),
        (["--resample", "0.5", "--pool-rating-column", "a", "--pool-rating-column", "b"], "one --pool-rating-column"),
    ],
)
def test_wrong_usage_of_the_command(files, more, message):
    result = CliRunner().invoke(cli, ["score", *files, *more])
    assert result.exit_code == 2
    assert message in result.output
