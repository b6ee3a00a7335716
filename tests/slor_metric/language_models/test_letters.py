"""The kernel of the guess at the language against arrays."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from slor_metric.language_models.language import english_letters, train_letters
from slor_metric.language_models.letters import sum_letters
from slor_metric.language_models.signs import OTHER, SIZE, SPACE


def twin(text: str, logprobs: np.ndarray) -> tuple[float, int, int]:
    codes = [SPACE, SPACE]
    for point in map(ord, text + " "):
        codes.append(point - 96 if 97 <= point <= 122 else OTHER if point >= 0xAA else SPACE)
    total, size, others = 0.0, 0, 0
    for first, second, code in zip(codes, codes[1:], codes[2:], strict=False):
        if code == SPACE and second == SPACE:
            continue
        before = SPACE if second == SPACE else first
        total += logprobs[(before * SIZE + second) * SIZE + code]
        size += 1
        others += code == OTHER
    return total, size, others


@given(st.lists(st.text(st.sampled_from("abz .1é\n東\xa0"), max_size=20), min_size=1, max_size=4))
def test_equals_the_twin(texts: list[str]) -> None:
    logprobs = english_letters()._logprobs
    points = np.frombuffer("".join(texts).encode("utf-32-le"), dtype=np.uint32)
    n = len(texts)
    sums, sizes, others = np.zeros(n), np.zeros(n, np.int64), np.zeros(n, np.int64)
    sum_letters(points, np.array(list(map(len, texts))), logprobs, sums, sizes, others)
    assert list(zip(sums, sizes, others, strict=True)) == [twin(text, logprobs) for text in texts]


def test_capitals_are_letters_too() -> None:
    letters = english_letters()
    assert letters.mean_logprobs(["The Mayor Spoke"])[0] == letters.mean_logprobs(["the mayor spoke"])[0]


def test_training_by_hand() -> None:
    letters = train_letters({"ab": 3, "abc": 1})
    # after two spaces: a 4 times; after " a": b 4 times; after "ab": a space 3 times, c once; each plus 1 of 28
    expected = np.log([5 / 32, 5 / 32, 4 / 32] * 3).mean()
    assert letters.mean_logprobs(["ab ab AB"])[0] == pytest.approx(expected)
    assert np.isnan(letters.mean_logprobs(["ab ab"])[0])  # too short to tell
