"""Checks of user input: accepted values, and the message of each error."""

import math
import re

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from refusals import refused
from text_strategies import texts

from referenceless_metrics.core.support.validation import (
    check_choice,
    check_number,
    check_ratings,
    check_texts,
    describe,
    finite_number,
    lone_surrogate,
)

MASKED = np.ma.masked_array([1.0, 5.0, 2.0], mask=[False, True, False])
NO_LIST = "to be a list of strings, but got"
NO_NUMBERS = "to be a list of numbers, but got"
A_NUMBER, A_TEXT = "to hold numbers only, but item", "to hold strings only, but item"
FINITE = "to hold finite numbers only, but"
WRONG_TYPES = {
    check_texts: [
        ("one text", f"{NO_LIST} a bare str; for one text write ['one text']"),
        (b"bytes", f"{NO_LIST} a bare bytes"),
        (None, f"{NO_LIST} None"),
        (np.array("scalar"), f"{NO_LIST} ndarray array('scalar'"),
        (np.array([["a"]]), f"{NO_LIST} a ndarray, which has no order or more than one dimension"),
        ({"a", "b"}, f"{NO_LIST} a set"),
        (["a", None], f"{A_TEXT} 1 is None"),
        ([b"a"], f"{A_TEXT} 0 is bytes b'a'"),
        (["a", math.nan], f"{A_TEXT} 1 is float nan"),  # pandas' missing value
    ],
    check_ratings: [
        ("0.5", f"{NO_NUMBERS} str '0.5'"),
        (0.5, f"{NO_NUMBERS} float 0.5"),
        ({0.5: 1}, f"{NO_NUMBERS} dict {{0.5: 1}}"),
        ([0.5, "1"], f"{A_NUMBER} 1 is str '1'"),
        ([1.0, np.ma.masked], f"{A_NUMBER} 1 is"),
        (np.array(["0.5", "1"]), f"{A_NUMBER} 0 is str_"),
        (np.array(["2020-01-01"], dtype="datetime64[D]"), f"{A_NUMBER} 0 is datetime64"),
        ([object()], "to be a flat list of numbers, but got list [<object"),
    ],
    check_number: [
        ("0.5", "to be a number, but got str '0.5'"),
        (True, "to be a number, but got bool True"),
        (5.0, "to be a whole number, but got float 5.0", {"integer": True}),
    ],
}
WRONG_VALUES = {
    check_texts: [([], "to hold at least one text, but it is empty", {"allow_empty": False})],
    check_ratings: [
        ([[1], [2]], "to have one dimension, but got shape (2, 1)"),
        ([0.5, math.nan], f"{FINITE} item 1 is nan"),
        (np.array([0, -math.inf]), f"{FINITE} item 1 is -inf"),
        (MASKED, f"{FINITE} item 1 is nan"),
        ([10**400], f"{FINITE} one is beyond float64"),
        ([0.1, 0.2], "to have one value for each of the 3 texts, but got 2", {"length": 3}),
        ([1e308, 1e308], "to hold numbers whose sum is finite, but got 1e+308", {"finite_sum": True}),
    ],
    check_number: [
        (math.nan, "to be a finite number, but got nan"),
        (math.inf, "to be a number of at least 0, but got inf", {"minimum": 0}),
        (10**400, "to be a finite whole number, but got 1000", {"integer": True}),
        (3, "to be a number of at most 2.5, but got 3", {"maximum": 2.5}),
        (0, "to be a whole number of at least 1, but got 0", {"minimum": 1, "integer": True}),
    ],
    check_choice: [
        *(
            (value, f"to be one of {{'char', '13a'}}, but got {value!r}", {"choices": ("char", "13a")})
            for value in ("word", None, 3, ["char"], "")
        )
    ],
}


def cases(wrong):
    return [(check, *case) if len(case) > 2 else (check, *case, {}) for check, own in wrong.items() for case in own]


@pytest.mark.parametrize("check, value, message, options", cases(WRONG_TYPES))
def test_wrong_types_are_named(check, value, message, options):
    with refused(re.escape(f"Expected argument `x` {message}"), TypeError):
        check(value, "x", **options)


@pytest.mark.parametrize("check, value, message, options", cases(WRONG_VALUES))
def test_wrong_values_are_named(check, value, message, options):
    with refused(re.escape(f"Expected argument `x` {message}")):
        check(value, "x", **options)


@given(st.lists(texts, max_size=5))
def test_texts_of_any_iterable_come_back_as_the_same_list(given_texts):
    for same in (given_texts, tuple(given_texts), iter(given_texts)):
        assert check_texts(same, "texts") == given_texts


def test_texts_of_arrays_and_columns():
    import datasets
    import pandas

    expected = ["a", "", "ü"]
    for same in (np.array(expected), pandas.Series(expected), datasets.Dataset.from_dict({"text": expected})["text"]):
        assert check_texts(same, "texts") == expected
    assert check_texts([""], "pool", allow_empty=False) == [""]


@given(st.lists(st.floats(allow_nan=False, allow_infinity=False), max_size=6))
def test_quality_of_any_sequence_comes_back_as_float64(values):
    for same in (values, tuple(values), np.array(values, dtype=float), iter(values)):
        result = check_ratings(same, "rating", length=len(values))
        assert result.dtype == np.float64
        assert result.tolist() == values


def test_quality_of_masked_arrays_series_and_tensors():
    import pandas

    for same in (np.ma.masked_array([0.5, 2.0]), pandas.Series([0.5, 2]), np.array([0.5, 2], dtype=object)):
        assert check_ratings(same, "rating").tolist() == [0.5, 2.0]
    assert check_ratings(np.array([True, False]), "rating", finite_sum=True).tolist() == [1.0, 0.0]
    torch = pytest.importorskip("torch")
    assert check_ratings(torch.tensor([1, 2]), "rating").tolist() == [1.0, 2.0]


def test_long_values_are_cut():
    assert len(describe("x" * 10_000)) < 60
    assert describe(list(range(1000))).startswith("list [0, 1, 2")
    with pytest.raises(TypeError) as caught:
        check_texts("long " * 1000, "texts")
    assert len(str(caught.value)) < 200


@given(st.text())
def test_whole_text_has_no_lone_surrogate(text):
    assert lone_surrogate(text) is None
    assert lone_surrogate(text + "\ud83d") == len(text)


NO_NUMBER = ("1_0", "1_000.5", "", "x", "nan", "inf", "1e999", None, True, [1], 10**400)
READ = [("10", 10.0), (" 2.5\t", 2.5), ("-1e3", -1000.0), (3, 3.0), (0.5, 0.5)]


@pytest.mark.parametrize("value, number", [*READ, *((value, None) for value in NO_NUMBER)])
def test_numbers_in_a_file(value, number):
    assert finite_number(value) == number
