"""Coverage of systems on items of their own."""

import numpy as np
from command_lines import typed
from scipy.stats import hypergeom
from text_files import write_table

from referenceless_metrics.human_evaluation.scores.unpaired_coverage import UnpairedCoverage, fewer_p


def having(n, of):
    return np.arange(of) < n


def test_p_is_that_of_the_hypergeometric_distribution():
    for ours, n, base, m in ((1, 10, 5, 10), (30, 60, 70, 90), (0, 5, 0, 5), (7, 7, 9, 9), (609, 1000, 996, 1000)):
        expected = hypergeom.cdf(ours, n + m, ours + base, n)
        np.testing.assert_allclose(fewer_p(ours, n, base, m), expected, rtol=1e-8)


def test_clearly_fewer_values_are_told_from_as_many():
    fewer = UnpairedCoverage.of(("ours", having(30, 60)), ("base", having(88, 90)))
    assert fewer.is_lower(0.05)
    assert not UnpairedCoverage.of(("ours", having(88, 90)), ("base", having(30, 60))).is_lower(0.05)
    alike = UnpairedCoverage.of(("ours", having(59, 60)), ("base", having(88, 90)))
    assert not alike.is_lower(0.05)
    assert alike.p_value > 0.5
    assert fewer.share == 0.5


def test_values_of_clusters_count_as_dependent():
    """Half of the clusters lack all their values: 30 of 60 items are 3 of 6 documents."""
    clusters = np.repeat(np.arange(6), 10), np.repeat(np.arange(6), 10)
    ours, base = ("ours", having(30, 60)), ("base", having(57, 60))
    assert UnpairedCoverage.of(ours, base).p_fewer < 1e-6
    assert 0.01 < UnpairedCoverage.of(ours, base, clusters).p_fewer < 0.1
    few = np.repeat(np.arange(3), 20), np.repeat(np.arange(3), 20)
    too_few = UnpairedCoverage.of(ours, base, few)
    assert (too_few.p_fewer, too_few.p_value) == (1, 1)


def test_complete_clusters_are_no_difference():
    clusters = np.repeat(np.arange(6), 10), np.repeat(np.arange(6), 10)
    complete = UnpairedCoverage.of(("ours", having(60, 60)), ("base", having(60, 60)), clusters)
    assert (complete.p_fewer, complete.p_value) == (1, 1)


def test_a_day_with_fewer_values_does_not_pass_a_gate(folder):
    """The mean of the outputs that are left is as high as the day before."""
    days = (("monday", 100, 0), ("tuesday", 100, 39))
    scored = [(f"{day}{i}", day, "" if i < n_empty else 3 + i % 3) for day, n, n_empty in days for i in range(n)]
    write_table("scores.csv", ("item", "system", "score"), scored)
    line = "compare --scores scores.csv --unpaired --scale 1-5 --fail-if-worse"
    done = typed(line, 3)
    told = "tuesday has no score for 39 of 100 items, and monday for 0 of 100 (p < 0.0001"
    assert f"{told}, one-sided), and outputs that fail" in done.err
    of_test = told.replace("(p", "(Fisher's exact test, p")
    assert f"{of_test}), which the means leave out." in " ".join(done.out.split())
    err = typed(f"{line} --min-coverage 0", 0).err
    assert "; 61 of 100 items of tuesday have a score, and 100 of 100 of monday" in err
    rated = [
        (f"{day}{i}", day, f"r{i % 7}", "" if i < n_empty else 3 + i % 3) for day, n, n_empty in days for i in range(n)
    ]
    write_table("ratings.csv", ("item", "system", "rater", "rating"), rated)
    err = typed("human-score --ratings ratings.csv --unpaired --scale 1-5 --fail-if-worse", 3).err
    assert "tuesday has no rating for 39 of 100 items, and monday for 0 of 100 (p < 0.0001, one-sided)" in err
