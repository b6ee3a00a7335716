"""Learning curves against fitting a pool for every draw and text."""

import json
import math

import numpy as np
import pytest
from bleu_neighbors_metric.tuning.learning_curve import default_sizes, estimates_in_parts, learning_curve
from command_lines import typed
from example_fits import POOL, POOL_FILE, fit
from refusals import refused

from bleu_neighbors_metric import BLEUNeighbors
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


def test_the_last_point_is_leaving_one_out(fitted):
    curve = learning_curve(fitted, n_draws=3)
    from scipy.stats import spearmanr

    expected = fitted.leave_one_out()
    last = curve.points[-1]
    kept = expected.covered
    assert (last.size, last.n_draws) == (96, 1)
    assert last.coverage == pytest.approx(expected.coverage)
    assert last.spearman == pytest.approx(spearmanr(expected.values[kept], fitted.ratings_[kept]).statistic, abs=1e-9)
    assert last.mse == pytest.approx(np.mean((expected.values - fitted.ratings_)[kept] ** 2))
    assert (last.spearman_std, last.coverage_std) == (0.0, 0.0)


def test_draws_depend_on_the_seed_alone_and_coverage_grows(fitted):
    first = learning_curve(fitted, (20, 60), seed=1)
    assert first == learning_curve(fitted, (60, 20, 20), seed=1)
    assert first != learning_curve(fitted, (20, 60), seed=2)
    assert first.points[0].coverage < first.points[1].coverage
    assert first.points[0].spearman_std > 0
    assert first.points[0].n_draws == 20


def test_it_is_said_in_words_what_more_ratings_would_bring(fitted):
    said = " ".join(learning_curve(fitted).findings)
    assert "The last doubling brought" in said
    constant = BLEUNeighbors().fit(fitted.texts_, np.full(96, 0.3))
    curve = learning_curve(constant)
    assert all(math.isnan(point.spearman) for point in curve.points)
    assert "all ratings are equal" in curve.findings[0]


def test_little_coverage_points_to_its_reason(fitted):
    crowded = BLEUNeighbors(0.0).fit(fitted.texts_, fitted.ratings_)
    assert "`referenceless calibrate` tells whether" in learning_curve(crowded, (40, 96)).findings[-1]


def test_sizes_suit_the_pool():
    assert default_sizes(12, 5) == (10, 11, 12)
    assert default_sizes(1000, 5)[0] == 100
    assert default_sizes(10, 20) == (10,)


@pytest.mark.filterwarnings("ignore:no text can be covered")
def test_pools_too_small_for_the_draw(fitted):
    small = BLEUNeighbors().fit(["a b c", "d e f"], [0, 1])
    with refused("needs at least 10 distinct rated texts, but the pool has 2", InputError):
        learning_curve(small)
    with refused("a pool of 97 texts cannot be drawn from one of 96 distinct texts", InputError):
        learning_curve(fitted, (97,))


@pytest.mark.parametrize(
    "arguments, error, name",
    [
        ({"sizes": (0,)}, ValueError, "sizes"),
        ({"sizes": ()}, ValueError, "sizes"),
        *(({"sizes": sizes}, TypeError, "sizes") for sizes in (5, "12", ["a", 3], [2.5])),
        ({"n_draws": 0}, ValueError, "n_draws"),
        ({"seed": -1}, ValueError, "seed"),
    ],
)
def test_bad_arguments_are_named(fitted, arguments, error, name):
    with refused(f"argument `{name}` to ", error):
        learning_curve(fitted, **arguments)


def test_the_command_tells_and_plots(tmp_path):
    index, plot = tmp_path / "pool.index", tmp_path / "curve.png"
    fit().save(index)
    command = f"calibrate --learning-curve --draws 4 --sizes 20,50,96 --plot {plot}"
    of_file, of_index = (typed(f"{command} {source} --format json").out for source in (POOL_FILE, index))
    assert of_file == of_index
    assert [row["size"] for row in json.loads(of_file)["rows"]] == [20, 50, 96]
    assert plot.read_bytes().startswith(b"\x89PNG")
    assert "±" in typed(f"{command} {index}").out
