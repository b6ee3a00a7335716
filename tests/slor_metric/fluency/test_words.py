"""Reading words: their numbers and kinds, and how they stand in the text."""

import pickle

import numpy as np
from hypothesis import given
from hypothesis import strategies as st
from numpy.testing import assert_array_equal
from rapidfuzz.distance import OSA

from slor_metric.fluency.words import BLANK, MISSPELLING, NAME, UNKNOWN, WORD, WordReader, edits, is_misspelling
from slor_metric.language_models.classes import WordClasses
from slor_metric.tokenizers import words as chunks
from slor_metric.tokenizers.words import WordTokeniser, tokenise

CLASSES = WordClasses("the , science of 7".split(), np.arange(5))


def test_kinds():
    reader = WordReader(CLASSES)
    numbers, kinds, offsets = reader.read(["The sciense of Zorb, zorb 7 1999 !", "", "zorb"])
    assert kinds.tolist() == [WORD, MISSPELLING, WORD, NAME, BLANK, UNKNOWN, BLANK, BLANK, BLANK, UNKNOWN]
    assert offsets.tolist() == [0, 9, 9, 10]
    assert numbers[[0, 2, 4, 6]].tolist() == [0, 3, 1, 4]
    assert numbers[3] == numbers[5] == numbers[9] >= len(CLASSES)


def test_a_copy_and_a_small_cache_read_alike(monkeypatch):
    texts = ["the science of the", "of " + "x" * 200, "the the"]
    expected = WordReader(CLASSES).read(texts)
    assert_array_equal(pickle.loads(pickle.dumps(WordReader(CLASSES))).read(texts)[0], expected[0])
    monkeypatch.setattr(chunks, "_MOST_KEPT", 1)
    for found, wanted in zip(WordReader(CLASSES).read(texts), expected, strict=True):
        assert_array_equal(found, wanted)


@given(st.text(max_size=40))
def test_surfaces_are_the_words(text):
    reader = WordReader(CLASSES)
    words = tokenise(WordTokeniser(), text)
    surfaces = reader.surfaces(text)
    assert len(surfaces) == len(words) == len(reader.read([text])[0])
    assert [surface.lower() for surface in surfaces] == words or not text.isascii()


LETTERS = st.text(alphabet="abc", min_size=1, max_size=5)


@given(LETTERS, LETTERS)
def test_edits_are_those_at_distance_one(word, other):
    distance = OSA.distance(word, other)
    found = other in set(edits(word, "abc"))
    assert found if distance == 1 else not found or distance == 0


def test_what_is_a_misspelling():
    frequent = frozenset({"receive", "because", "the", "government"})
    assert all(is_misspelling(word, frequent) for word in ("recieve", "becuase", "goverment", "becauze", "governmentt"))
    assert not any(is_misspelling(word, frequent) for word in ("teh", "zorbified", "c3p0", "b-cause", ""))
