"""Trigrams of letters, by hand."""

from __future__ import annotations

import numpy as np
import pytest

from referenceless_papers.packaged_models.letters import train_letters


def test_the_mean_by_hand() -> None:
    letters = train_letters({"ab": 3, "abc": 1})
    # after two spaces: a 4 times; after " a": b 4 times; after "ab": a space 3 times, c once; each plus 1 of 28
    expected = np.log([5 / 32, 5 / 32, 4 / 32] * 3).mean()
    assert letters.mean_logprobs(["ab ab AB"])[0] == pytest.approx(expected)
    assert np.isnan(letters.mean_logprobs(["ab ab"])[0])  # too short to tell
