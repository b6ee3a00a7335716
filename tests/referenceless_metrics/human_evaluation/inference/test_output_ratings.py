"""Scales that cannot be one are named."""

import contextlib
import math

import numpy as np
import pytest
from command_lines import done, invoke
from refusals import refused
from text_files import write_table

from referenceless_metrics.core.support.validation import InputError
from referenceless_metrics.human_evaluation.inference.output_ratings import check_same_scale


@pytest.mark.parametrize(
    "one, other, alike",
    [
        ([1, 6], [2, 5], True),
        ([0.0, 1.0], [0.2, 0.9], True),
        ([], [1], True),
        ([1, 5], [math.nan], True),
        ([0.1, 1.0], [1, 5], False),
        ([1, 7], [3, 95], False),
        ([math.nan, 0.4], [4], False),
    ],
)
def test_ratings_that_cannot_be_of_one_scale_are_named(one, other, alike):
    told = r"different scales: one\.csv from .* and other\.csv from .*put them on one"
    with contextlib.nullcontext() if alike else refused(told, InputError):
        check_same_scale({"one.csv": np.array(one, float), "other.csv": np.array(other, float)})


def test_ratings_of_a_part_of_one_scale_are_no_other_scale():
    for one, other in (([1, 2, 2], [0, 0, 1]), ([0, 1, 0], [3, 4, 4])):
        check_same_scale({"a": np.array(one, float), "b": np.array(other, float)})
    with refused(r"a from 0 to 1 and b from 4 to 6; .*name its ends \(`scale`, --scale LOW-HIGH\)", InputError):
        check_same_scale({"a": np.array([0.0, 1, 0]), "b": np.array([6.0, 5, 4])})
    check_same_scale({"a": np.array([0.0, 1, 0]), "b": np.array([6.0, 5, 4]), "c": np.array([1.0, 3])})


def test_a_scale_that_is_named_says_that_ratings_are_on_one(folder):
    rows = [(n, "ab"[n % 2], 5 + n % 3 if n % 2 else n % 4 // 2) for n in range(40)]
    write_table("ratings.csv", ["item", "system", "rating"], rows)
    line = "human-score --ratings ratings.csv --unpaired"
    assert "different scales: a from 0 to 1 and b from 5 to 7" in str(invoke(line).exception)
    assert "By these ratings, b is higher than a" in done(line, "--scale", "0-7").output
