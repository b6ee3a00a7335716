"""Sweeps against the estimator itself, setting by setting; their front, their advice, their command."""

import numpy as np
import pytest
from command_lines import as_json, typed
from example_fits import POOL, POOL_FILE
from hypothesis import given
from hypothesis import strategies as st
from text_files import write_table

from bleu_neighbors_metric import BLEUNeighbors
from bleu_neighbors_metric.pool import GRID
from bleu_neighbors_metric.tuning.sweep import FEWEST_COVERED, THRESHOLDS, pareto_front, sweep

texts = st.lists(st.text("ab ", min_size=0, max_size=12), min_size=2, max_size=14, unique=True)


@given(
    texts=texts,
    threshold=st.sampled_from([0.0, 0.1, 0.3, 0.7, 1.0]),
    weights=st.sampled_from(["uniform", "similarity"]),
)
@pytest.mark.filterwarnings("ignore:no text can be covered")
def test_a_sweep_measures_what_leaving_one_out_gives(texts, threshold, weights):
    quality = np.random.default_rng(len(texts)).random(len(texts))
    for a, b in ((1, 1.0), (2, 0.5), (3, 0.9)):
        estimator = BLEUNeighbors(threshold, a, b, weights=weights).fit(texts, quality)
        expected = estimator.leave_one_out()
        setting = sweep(estimator, thresholds=[0.05, threshold], min_neighbors=[a], max_fractions=[b]).settings[1]
        assert setting.coverage == expected.coverage
        error = np.mean((expected.values - quality)[expected.covered] ** 2) if expected.n_covered else np.nan
        # the estimator sums weights in whole units of 2^-36, the sweep as they are
        assert setting.mse == pytest.approx(error, abs=1e-10, nan_ok=True)


def test_no_setting_beats_one_of_the_front(fitted):
    result = sweep(fitted)
    credible = [each for each in result.settings if each.n_covered >= FEWEST_COVERED]
    for member in result.pareto:
        assert not any(each.spearman > member.spearman and each.coverage >= member.coverage for each in credible)
    assert [each.coverage for each in result.pareto] == sorted((e.coverage for e in result.pareto), reverse=True)
    assert pareto_front(()) == ()


@pytest.mark.long
def test_other_kernels_get_thresholds_of_their_own_scale(fitted):
    other = BLEUNeighbors(0.06, kernel="rouge_l").fit(fitted.texts_, fitted.ratings_)
    for metric, expected in ((fitted, THRESHOLDS), (other, GRID)):
        found = sweep(metric)
        assert {setting.threshold for setting in found.settings} == set(expected)
        assert found.best is not None


BAD = [
    ({"thresholds": []}, ValueError, "`thresholds` to hold at least one value"),
    ({"thresholds": "0.1"}, TypeError, "`thresholds` to be a list of numbers, but got str"),
    ({"min_neighbors": [0]}, ValueError, "`min_neighbors` to be a whole number of at least 1"),
]


@pytest.mark.parametrize("arguments, error, message", BAD)
def test_bad_arguments(fitted, arguments, error, message):
    with pytest.raises(error, match=message):
        sweep(fitted, **arguments)


@pytest.mark.long
def test_the_command_recommends_warns_and_plots(tmp_path):
    plot = tmp_path / "sweep.png"
    command = f"calibrate --sweep {POOL_FILE} --plot {plot}"
    table = typed(command).out
    assert "recommended: --threshold" in table
    assert "never choose settings on a test set" in table
    assert plot.read_bytes().startswith(b"\x89PNG")
    content = as_json(command)
    assert content["n_settings"] == 12 * 8 * 6
    assert content["recommended"] in content["rows"]


@pytest.mark.parametrize(
    "texts, ratings, reason",
    [
        (POOL.texts[:8], POOL.ratings[:8], "Rate more texts"),
        (POOL.texts, [0.5] * 96, "all ratings are equal, so nothing can correlate"),
    ],
)
@pytest.mark.filterwarnings("ignore:no text can be covered")
def test_the_command_says_when_and_why_nothing_can_be_recommended(texts, ratings, reason, tmp_path):
    write_table(tmp_path / "pool.csv", ["text", "rating"], zip(texts, ratings, strict=True))
    told = typed(f"calibrate --sweep {tmp_path / 'pool.csv'}").out
    (line,) = [line for line in told.splitlines() if "No setting" in line]
    assert reason in line


def test_a_sweep_takes_no_groups():
    assert "without groups" in typed(f"calibrate {POOL_FILE} --sweep --system-column a", 2).err


@pytest.mark.long
def test_a_test_split_is_warned_of(data_dir):
    told = typed(f"calibrate --sweep asap_sas:set_3:test --data-dir {data_dir('asap-sas')}")
    assert "warning: asap_sas:set_3:test is a test split" in told.err
