"""Scales that cannot be one are named."""

import contextlib
import math

import numpy as np
import pytest
from refusals import refused

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
