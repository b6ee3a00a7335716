"""Sentences on raters' agreement: what figures rest on."""

import pytest
from command_lines import done
from text_files import write_table

pytestmark = [pytest.mark.filterwarnings("ignore"), pytest.mark.usefixtures("folder")]


def rated(n, raters):
    return [(item, rater, 1 + (item + (item % 4 == 0) * len(rater)) % 5) for item in range(n) for rater in raters]


def test_kappa_tells_over_how_many_pairs_of_raters_it_is_the_mean():
    """Ann and Bob share 12 outputs, Cleo and Dan 14, and each of Eve's pairs only 3."""
    rows = [*rated(12, ("ann", "bobby")), *((n + 50, *row) for n, *row in rated(14, ("cleo", "d")))]
    write_table("t.csv", ["item", "rater", "rating"], [*rows, *((n, "eve the last", 3) for n in range(3))])
    told = done("agreement t.csv").stdout
    assert "the mean over 2 pairs of raters who share 10 outputs or more, of 4 who share any." in told
    write_table("two.csv", ["item", "rater", "rating"], rated(12, ("ann", "bobby")))
    assert "of one pair of raters who share 10 outputs or more." in done("agreement two.csv").stdout
    write_table("few.csv", ["item", "rater", "rating"], rated(8, ("ann", "bobby")))
    assert "(no two raters share 10 outputs or more)" in done("agreement few.csv").stdout


def test_the_correlation_of_a_rater_is_explained():
    write_table("t.csv", ["item", "rater", "rating"], rated(12, ("ann", "bobby")))
    assert "; correlation: the rater's mean Pearson's r with each other one" in done("agreement t.csv").stdout
