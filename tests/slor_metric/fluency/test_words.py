"""Reading words: their numbers and kinds, and how they stand in the text."""

from __future__ import annotations

import pickle

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from slor_metric.fluency.classes import WordClasses
from slor_metric.fluency.words import BLANK, MISSPELLING, NAME, UNKNOWN, WORD, WordReader
from slor_metric.tokenizers.words import WordTokeniser, tokenise

CLASSES = WordClasses(["the", ",", "science", "of", "7"], np.arange(5))


def test_kinds() -> None:
    reader = WordReader(CLASSES)
    numbers, kinds, offsets = reader.read(["The sciense of Zorb, zorb 7 1999 !", "", "zorb"])
    assert kinds.tolist() == [WORD, MISSPELLING, WORD, NAME, BLANK, UNKNOWN, BLANK, BLANK, BLANK, UNKNOWN]
    assert offsets.tolist() == [0, 9, 9, 10]
    assert numbers[[0, 2, 4, 6]].tolist() == [0, 3, 1, 4]
    assert numbers[3] == numbers[5] == numbers[9] >= len(CLASSES)


def test_a_small_cache_reads_alike() -> None:
    texts = ["the science of the", "of " + "x" * 200, "the the"]
    for found, expected in zip(WordReader(CLASSES, limit=1).read(texts), WordReader(CLASSES).read(texts), strict=True):
        np.testing.assert_array_equal(found, expected)
    again = pickle.loads(pickle.dumps(WordReader(CLASSES)))
    np.testing.assert_array_equal(again.read(texts)[0], WordReader(CLASSES).read(texts)[0])


@given(st.text(max_size=40))
def test_surfaces_are_the_words(text: str) -> None:
    reader = WordReader(CLASSES)
    words = tokenise(WordTokeniser(), text)
    surfaces = reader.surfaces(text)
    assert len(surfaces) == len(words) == len(reader.read([text])[0])
    assert [surface.lower() for surface in surfaces] == words or not text.isascii()
