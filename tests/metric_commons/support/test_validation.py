"""Checks of user input: what passes, and what each error says."""

from __future__ import annotations

import math
import re
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from text_strategies import texts

from metric_commons.support.validation import (
    check_choice,
    check_number,
    check_quality,
    check_texts,
    describe,
    finite_number,
    lone_surrogate,
)


@given(st.lists(texts, max_size=5))
def test_texts_of_any_iterable_come_back_as_the_same_list(given_texts: list[str]) -> None:
    assert check_texts(given_texts, "texts") == given_texts
    assert check_texts(tuple(given_texts), "texts") == given_texts
    assert check_texts((text for text in given_texts), "texts") == given_texts


def test_texts_of_arrays_and_columns() -> None:
    import datasets
    import pandas

    expected = ["a", "", "ü"]
    assert check_texts(np.array(expected), "texts") == expected
    assert check_texts(pandas.Series(expected), "texts") == expected
    assert check_texts(datasets.Dataset.from_dict({"text": expected})["text"], "texts") == expected


BAD_TEXTS = [
    ("one text", TypeError, "`texts` to be a list of strings, but got a bare str; for one text write ['one text']"),
    (b"bytes", TypeError, "`texts` to be a list of strings, but got a bare bytes"),
    (None, TypeError, "`texts` to be a list of strings, but got None"),
    (3, TypeError, "`texts` to be a list of strings, but got int 3"),
    (np.array("scalar"), TypeError, "`texts` to be a list of strings, but got ndarray array('scalar'"),
    ({"a": 1}, TypeError, "`texts` to be a list of strings, but got a dict"),
    ({"a", "b"}, TypeError, "`texts` to be a list of strings, but got a set"),
    (frozenset("a"), TypeError, "`texts` to be a list of strings, but got a frozenset"),
    (["a", None], TypeError, "`texts` to hold strings only, but item 1 is None"),
    (["a", "b", 3.5], TypeError, "`texts` to hold strings only, but item 2 is float 3.5"),
    ([b"a"], TypeError, "`texts` to hold strings only, but item 0 is bytes b'a'"),
    ([["a"]], TypeError, "`texts` to hold strings only, but item 0 is list ['a']"),
    (["a", math.nan], TypeError, "`texts` to hold strings only, but item 1 is float nan"),  # pandas' missing value
]


@pytest.mark.parametrize(("value", "kind", "message"), BAD_TEXTS)
def test_bad_texts(value: Any, kind: type[Exception], message: str) -> None:
    with pytest.raises(kind, match=re.escape(f"Expected argument {message}")):
        check_texts(value, "texts")


def test_no_texts_at_all_only_where_allowed() -> None:
    assert check_texts([], "pool") == []
    with pytest.raises(ValueError, match="Expected argument `pool` to hold at least one text, but it is empty"):
        check_texts([], "pool", allow_empty=False)
    assert check_texts([""], "pool", allow_empty=False) == [""]


@given(st.lists(st.floats(allow_nan=False, allow_infinity=False), max_size=6))
def test_quality_of_any_sequence_comes_back_as_float64(values: list[float]) -> None:
    for given_values in (values, tuple(values), np.array(values, dtype=float), iter(values)):
        result = check_quality(given_values, "quality", length=len(values))  # type: ignore[arg-type]
        assert result.dtype == np.float64
        assert result.tolist() == values


@pytest.mark.parametrize("dtype", ["int8", "uint16", "float32", "bool", "object"])
def test_quality_of_any_number_type(dtype: str) -> None:
    result = check_quality(np.array([0, 1, 1], dtype=dtype), "quality")
    assert result.dtype == np.float64
    assert result.tolist() == [0.0, 1.0, 1.0]


def test_quality_of_a_tensor_and_a_series() -> None:
    import pandas

    assert check_quality(pandas.Series([0.5, 1]), "quality").tolist() == [0.5, 1.0]
    torch = pytest.importorskip("torch")
    assert check_quality(torch.tensor([0.5, 1]), "quality").tolist() == [0.5, 1.0]


BAD_QUALITY = [
    ("0.5", TypeError, "to be a list of numbers, but got str '0.5'"),
    (None, TypeError, "to be a list of numbers, but got None"),
    (0.5, TypeError, "to be a list of numbers, but got float 0.5"),
    ({0.5: 1}, TypeError, "to be a list of numbers, but got dict {0.5: 1}"),
    ({0.5}, TypeError, "to be a list of numbers, but got set {0.5}"),
    ([0.5, None], TypeError, "to hold numbers only, but item 1 is None"),
    ([0.5, "1"], TypeError, "to hold numbers only, but item 1 is str '1'"),
    (np.array(["0.5", "1"]), TypeError, "to hold numbers only, but item 0 is str_"),
    (np.array([1, None]), TypeError, "to hold numbers only, but item 1 is None"),
    (np.array([1 + 2j]), TypeError, "to hold numbers only, but item 0 is complex128"),
    (np.array(["2020-01-01"], dtype="datetime64[D]"), TypeError, "to hold numbers only, but item 0 is datetime64"),
    ([[1], [2, 3]], TypeError, "to be a flat list of numbers, but got list [[1], [2, 3]]"),
    ([object()], TypeError, "to be a flat list of numbers, but got list [<object"),
    ([[1], [2]], ValueError, "to have one dimension, but got shape (2, 1)"),
    ([0.5, math.nan], ValueError, "to hold finite numbers only, but item 1 is nan"),
    ([math.inf], ValueError, "to hold finite numbers only, but item 0 is inf"),
    (np.array([0, -math.inf]), ValueError, "to hold finite numbers only, but item 1 is -inf"),
    ([10**400], ValueError, "to hold finite numbers only, but one is beyond float64"),
]


@pytest.mark.parametrize(("value", "kind", "message"), BAD_QUALITY)
def test_bad_quality(value: Any, kind: type[Exception], message: str) -> None:
    with pytest.raises(kind, match=re.escape(f"Expected argument `quality` {message}")):
        check_quality(value, "quality")


def test_quality_of_another_length() -> None:
    message = "Expected argument `quality` to have one value for each of the 3 texts, but got 2"
    with pytest.raises(ValueError, match=message):
        check_quality([0.1, 0.2], "quality", length=3)


@pytest.mark.parametrize("value", [0, 1, 0.5, np.float32(0.5), np.int64(1)])
def test_numbers_within_bounds(value: Any) -> None:
    check_number(value, "threshold", minimum=0, maximum=1)


def bounds(**options: Any) -> Callable[[Any], None]:
    return lambda value: check_number(value, "x", **options)


BAD_NUMBERS = [
    ("0.5", {}, TypeError, "a number, but got str '0.5'"),
    (None, {}, TypeError, "a number, but got None"),
    (True, {}, TypeError, "a number, but got bool True"),
    (np.True_, {}, TypeError, "a number, but got bool"),
    (1 + 1j, {}, TypeError, "a number, but got complex (1+1j)"),
    (5.0, {"integer": True}, TypeError, "a whole number, but got float 5.0"),
    (math.nan, {}, ValueError, "a finite number, but got nan"),
    (math.nan, {"minimum": 0, "maximum": 1}, ValueError, "a number in [0, 1], but got nan"),
    (math.inf, {"minimum": 0}, ValueError, "a number of at least 0, but got inf"),
    (10**400, {"integer": True}, ValueError, "a finite whole number, but got 1000"),
    (-1, {"minimum": 0}, ValueError, "a number of at least 0, but got -1"),
    (3, {"maximum": 2.5}, ValueError, "a number of at most 2.5, but got 3"),
    (1.5, {"minimum": 0, "maximum": 1}, ValueError, "a number in [0, 1], but got 1.5"),
    (0, {"minimum": 1, "integer": True}, ValueError, "a whole number of at least 1, but got 0"),
]


@pytest.mark.parametrize(("value", "options", "kind", "message"), BAD_NUMBERS)
def test_bad_numbers(value: Any, options: dict[str, Any], kind: type[Exception], message: str) -> None:
    with pytest.raises(kind, match=re.escape(f"Expected argument `x` to be {message}")):
        bounds(**options)(value)


@pytest.mark.parametrize("value", ["word", None, 3, ["char"], ""])
def test_bad_choice_lists_the_known_ones(value: Any) -> None:
    with pytest.raises(ValueError, match=re.escape(f"`tokenize` to be one of {{'char', '13a'}}, but got {value!r}")):
        check_choice(value, "tokenize", ("char", "13a"))


def test_choice() -> None:
    check_choice("13a", "tokenize", ("char", "13a"))


def test_long_values_are_cut() -> None:
    assert len(describe("x" * 10_000)) < 60
    assert describe(list(range(1000))).startswith("list [0, 1, 2")
    with pytest.raises(TypeError) as caught:
        check_texts("long " * 1000, "texts")
    assert len(str(caught.value)) < 200


@given(st.text())
def test_whole_text_has_no_lone_surrogate(text: str) -> None:
    assert lone_surrogate(text) is None
    assert lone_surrogate(text + "\ud83d") == len(text)


def test_masked_ratings_are_missing() -> None:
    masked = np.ma.masked_array([1.0, 5.0, 2.0], mask=[False, True, False])
    with pytest.raises(ValueError, match=r"`quality` to hold finite numbers only, but item 1 is masked: it is missing"):
        check_quality(masked, "quality")
    with pytest.raises(TypeError, match="item 1 is"):
        check_quality([1.0, np.ma.masked], "quality")
    assert check_quality(np.ma.masked_array([1.0, 2.0]), "quality").tolist() == [1.0, 2.0]


def test_tensors_that_require_grad_are_numbers() -> None:
    torch = pytest.importorskip("torch")
    for dtype in (torch.float64, torch.float32, torch.bfloat16):
        tensor = torch.tensor([0.5, 2.0], dtype=dtype, requires_grad=True)
        assert check_quality(tensor, "quality").tolist() == [0.5, 2.0]
        assert check_quality(list(tensor), "quality").tolist() == [0.5, 2.0]
    assert check_quality(torch.tensor([1, 2]), "quality").tolist() == [1.0, 2.0]
    with pytest.raises(ValueError, match="one dimension"):
        check_quality(torch.ones((2, 2), requires_grad=True), "quality")


@pytest.mark.parametrize("value", ["1_0", "1_000.5", "", "x", "nan", "inf", "1e999", None, True, [1], 10**400])
def test_what_is_no_number_in_a_file(value: object) -> None:
    assert finite_number(value) is None


@pytest.mark.parametrize(("value", "number"), [("10", 10.0), (" 2.5\t", 2.5), ("-1e3", -1000.0), (3, 3.0), (0.5, 0.5)])
def test_what_is_a_number_in_a_file(value: object, number: float) -> None:
    assert finite_number(value) == number


def test_a_sum_of_ratings_must_be_finite() -> None:
    check_quality(np.array([1e307, 1e307]), "ratings", finite_sum=True)
    with pytest.raises(ValueError, match="`ratings` to hold numbers whose sum is finite, but got 1e\\+308"):
        check_quality(np.array([1e308, 1e308]), "ratings", finite_sum=True)
