"""Ratings find the outputs that they are of."""

from __future__ import annotations

import numpy as np
import pytest

from metric_commons.support.errors import InputError
from metric_commons.systems.matching import ratings_of_outputs


def test_ratings_of_several_raters_are_averaged_and_the_rest_is_unrated() -> None:
    found = ratings_of_outputs(["a", "b", "c"], ["b", "b", "a"], [1, 2, 5])
    np.testing.assert_array_equal(found, [5, 1.5, np.nan])


def test_a_recurring_output_counts_as_often_as_it_was_rated() -> None:
    outputs = ["a"] * 5 + ["b"]
    np.testing.assert_array_equal(
        ratings_of_outputs(outputs, ["a", "a"], [1, 3]), [2, 2, np.nan, np.nan, np.nan, np.nan]
    )


def test_a_draw_of_outputs_keeps_its_mean() -> None:
    generator = np.random.default_rng(0)
    outputs = [str(i) for i in generator.integers(0, 20, 200)]
    rating = {text: float(len(text) * int(text)) for text in outputs}
    drawn = generator.permutation(200)[:50]
    found = ratings_of_outputs(outputs, [outputs[i] for i in drawn], [rating[outputs[i]] for i in drawn])
    assert np.isfinite(found).sum() == 50
    assert np.nanmean(found) == pytest.approx(np.mean([rating[outputs[i]] for i in drawn]))


@pytest.mark.parametrize(
    ("rated", "message"), [(["x", "y"], "none of the 2 rated texts are"), (["a", "x"], "1 of the 2")]
)
def test_ratings_of_other_texts_are_refused(rated: list[str], message: str) -> None:
    with pytest.raises(InputError, match=rf"labels\.csv: {message}.*'x'"):
        ratings_of_outputs(["a", "b"], rated, [1, 2], source="labels.csv")
