"""Ratings find the outputs that they are of."""

import numpy as np
import pandas as pd
import pytest

from referenceless_metrics.core.files.reading import InputNote
from referenceless_metrics.core.support.validation import InputError
from referenceless_metrics.human_evaluation.ratings.rating_table import RatingTable
from referenceless_metrics.human_evaluation.ratings.system_ratings import systems_of_files


def found(outputs, rated, ratings, **further):
    table = pd.DataFrame({"text": list(rated), "rating": np.array(ratings, float), **further})
    (system,) = systems_of_files(RatingTable("rated_outputs.csv", table), [("ours", list(outputs))])
    return system.ratings


@pytest.mark.parametrize(
    "outputs, rated, ratings, expected",
    [
        ("abc", "bba", [1, 2, 5], [5, 1.5, np.nan]),
        ("aaaaab", "aa", [1, 3], [2, 2, *[np.nan] * 4]),
        ("a", "", [], [np.nan]),
    ],
)
def test_several_ratings_are_averaged_and_an_output_counts_as_often_as_it_was_rated(outputs, rated, ratings, expected):
    np.testing.assert_array_equal(found(outputs, rated, ratings), expected)


@pytest.mark.parametrize("rated, message", [("xy", "none of the 2 rated texts are"), ("ax", "1 of the 2")])
def test_ratings_of_other_texts_are_refused(rated, message):
    with pytest.raises(InputError, match=rf"rated_outputs\.csv \(ours\): {message}.*'x'"):
        found("ab", rated, [1, 2])


@pytest.mark.parametrize(
    "texts, items, expected",
    [
        ("aaba", [1, 4], [2, np.nan, np.nan, 5]),
        ("aaaa", ["0", "2"], [2, np.nan, 5, np.nan]),
        ("aabb", [1, 3], [2, 5, np.nan, np.nan]),  # the items do not number the outputs
        ("aaba", ["x", "y"], [2, 5, np.nan, np.nan]),
    ],
)
def test_items_that_number_the_outputs_tell_equal_ones_apart(texts, items, expected):
    np.testing.assert_array_equal(found(texts, "aa", [2, 5], item=items), expected)


def places_of_items(rated, **texts):
    """Return the places at which systems, given by their texts, have the rated items, given as `SYSTEM:PLACE`."""
    rows = [(system, item, texts[system][place]) for item, where in rated.items() for system, place in where]
    table = pd.DataFrame(rows, columns=["system", "item", "text"]).assign(rating=1.0, rater="r")
    systems = systems_of_files(RatingTable("esa.jsonl", table), [(name, list(of)) for name, of in texts.items()])
    return {system.name: list(np.flatnonzero(system.rated)) for system in systems}


def test_texts_of_other_systems_tell_equal_outputs_apart():
    rated = {"x": [("base", 2), ("ours", 2)], "y": [("base", 3), ("ours", 3)]}
    assert places_of_items(rated, base="abad", ours="efgh") == {"base": [2, 3], "ours": [2, 3]}


def test_numbers_of_items_within_documents_tell_equal_outputs_apart():
    rated = {f"news_{n}": [("base", 4 + n), ("ours", 4 + n)] for n in (1, 2, 3)}
    assert places_of_items(rated, base="a...xayz", ours="b...xbyz") == {"base": [5, 6, 7], "ours": [5, 6, 7]}


def test_ratings_of_equal_outputs_that_nothing_tells_apart_are_left_out_with_a_note():
    rated = {name: [("base", place), ("ours", place)] for name, place in {"n": 3, "y": 1, "z": 2}.items()}
    with pytest.warns(InputNote, match=r"esa\.jsonl: 2 of 6 ratings are left out: their texts stand on several lines"):
        assert places_of_items(rated, base="axya", ours="bxyb") == {"base": [1, 2], "ours": [1, 2]}


def test_numbers_of_items_that_do_not_follow_the_lines_tell_no_places():
    rated = {name: [("base", place), ("ours", place)] for name, place in {"n_1": 3, "n_2": 1, "n_5": 2}.items()}
    with pytest.warns(InputNote, match="2 of 6 ratings are left out"):
        assert places_of_items(rated, base="axya", ours="bxyb") == {"base": [1, 2], "ours": [1, 2]}


def test_as_many_rated_items_as_equal_outputs_take_them_in_order():
    rated = {name: [("base", place), ("ours", place)] for name, place in {"n": 3, "m": 0, "z": 2}.items()}
    assert places_of_items(rated, base="axya", ours="bxyb") == {"base": [0, 2, 3], "ours": [0, 2, 3]}
