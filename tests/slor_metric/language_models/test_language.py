"""The guess at the language: files, batches, and texts of any signs."""

from __future__ import annotations

import warnings
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from slor_metric.language_models.language import (
    ForeignTextWarning,
    LetterModel,
    english_letters,
    looks_english,
    warn_if_foreign,
)
from tests.support import strange_texts as strange

ENGLISH = [
    "The council decided to repair the old station next year.",
    "My grandmother bakes a cake every Sunday.",
    "Nobody knew where the dog had gone.",
    "In winter many people go skiing in the mountains.",
]


def test_what_looks_english() -> None:
    assert looks_english(ENGLISH).all()
    for texts in (strange.GERMAN, strange.FRENCH, strange.JAPANESE):
        assert looks_english(texts).mean() < 0.5
    assert looks_english(["", "Ja!", "1 2 3"]).all()  # too little to tell


def test_one_warning_a_batch() -> None:
    with pytest.warns(ForeignTextWarning, match="WPSLOR scores English, and 100% of these 6 texts") as caught:
        warn_if_foreign(strange.JAPANESE, looks_english(strange.JAPANESE), "WPSLOR")
    assert len(caught) == 1
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        warn_if_foreign(ENGLISH, looks_english(ENGLISH), "WPSLOR")
        warn_if_foreign(["Guten Morgen, Welt"], np.array([False]), "WPSLOR")  # too short to tell
        warn_if_foreign([], np.zeros(0, dtype=np.bool_), "WPSLOR")


@given(st.lists(st.text(max_size=30), max_size=5))
def test_a_text_does_not_depend_on_the_others(texts: list[str]) -> None:
    letters = english_letters()
    alone = [float(letters.mean_logprobs([text])[0]) for text in texts]
    np.testing.assert_allclose(letters.mean_logprobs(texts), alone, equal_nan=True)


def test_files(tmp_path: Path) -> None:
    letters = english_letters()
    letters.save(tmp_path / "letters.npz")
    again = LetterModel.load(tmp_path / "letters.npz")
    np.testing.assert_allclose(again.mean_logprobs(ENGLISH), letters.mean_logprobs(ENGLISH), atol=1e-2)
    with pytest.raises(FileNotFoundError):
        LetterModel.load(tmp_path / "none.npz")
