"""Ranks are no ratings: whether 1 is the best has to be said."""

import warnings
from itertools import permutations

import pytest
from refusals import refused
from text_files import write_table

from referenceless_metrics.core.files.reading import InputNote
from referenceless_metrics.human_evaluation.ratings.columns import RatingColumns
from referenceless_metrics.human_evaluation.ratings.rating_files import read_rating_table
from referenceless_metrics.human_evaluation.scores.table import read_scores

SYSTEMS = ("base", "big", "ours")
ORDERS = [*permutations((1, 2, 3)), (1, 1, 3), (2, 1, 1), (1, 2, 2)]


@pytest.fixture(autouse=True)
def _quiet(folder):
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", InputNote)
        yield


def wide(rows, **columns):
    write_table("ranks.csv", ["item", *SYSTEMS], [(n, *row) for n, row in enumerate(rows)])
    return read_rating_table(["ranks.csv"], RatingColumns(ratings=SYSTEMS, columns_are="systems", **columns))


def long(rows, **columns):
    cells = [(n, system, rank) for n, row in enumerate(rows) for system, rank in zip(SYSTEMS, row, strict=True)]
    write_table("ranks.csv", ["item", "system", "place"], cells)
    return read_rating_table(["ranks.csv"], RatingColumns(ratings=["place"], **columns))


@pytest.mark.parametrize("read", [wide, long])
def test_ranks_are_refused_with_both_ways_to_read_them(read):
    for rows in (ORDERS, [*ORDERS, ("", 1, 2)]):
        with refused("are ranks, from 1 to at most 3.*--values 1=3,2=2,3=1 if 1 is best, or --values 1=1,2=2,3=3 if 3"):
            read(rows)
    frame = read(ORDERS, words={"1": 3.0, "2": 2.0, "3": 1.0}).frame
    assert frame[frame["item"] == "0"].set_index("system")["rating"].to_dict() == {"base": 3, "big": 2, "ours": 1}


@pytest.mark.parametrize(
    "rows",
    [
        [*ORDERS, (2, 3, 2)],  # no order: nothing is first
        [*ORDERS, (1, 2, 4)],
        ORDERS[:4],  # too few
        [(1, 1, 1), (1, 1, 2)] * 5,  # ties for the most part
    ],
)
def test_other_numbers_are_ratings(rows):
    assert len(wide(rows).frame) == 3 * len(rows)
    assert len(long(rows).frame) == 3 * len(rows)


def test_ranks_of_each_rater():
    rows = [(n, r, s, 1 + (n + r + at) % 3) for n in range(4) for r in (0, 1) for at, s in enumerate(SYSTEMS)]
    write_table("ranks.csv", ["item", "rater", "system", "rating"], rows)
    with refused("the numbers in 'rating' are ranks"):
        read_rating_table(["ranks.csv"])
    assert len(read_rating_table(["ranks.csv"], repeats=True).frame) == len(rows)  # they agree or do not


def test_two_systems_need_more_orders():
    rows = [(n, system, 1 + (n + at) % 2) for n in range(10) for at, system in enumerate("xy")]
    write_table("ranks.csv", ["item", "system", "rating"], rows)
    with refused("are ranks, from 1 to at most 2"):
        read_rating_table(["ranks.csv"])
    write_table("ranks.csv", ["item", "system", "rating"], rows[:-2])
    assert len(read_rating_table(["ranks.csv"]).frame) == 18


def test_ranks_as_scores_are_pointed_out():
    write_table("ranks.csv", ["item", *SYSTEMS], [(n, *row) for n, row in enumerate(ORDERS)])
    cells = [(n, system, rank) for n, row in enumerate(ORDERS) for system, rank in zip(SYSTEMS, row, strict=True)]
    write_table("scores.csv", ["item", "system", "place"], cells)
    told = " ".join(read_scores(["scores.csv"], score_columns=["place"]).assumed)
    assert "place puts the systems of each item in an order" in told
    assert "--lower-is-better place if 1 is the best rank" in told
    lower = read_scores(["scores.csv"], score_columns=["place"], lower_is_better=["place"])
    assert "order" not in " ".join(lower.assumed)
