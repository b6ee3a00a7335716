"""Reading words: their numbers and kinds, and how they stand in the text."""

import itertools
import pickle

import numpy as np
from hypothesis import given
from hypothesis import strategies as st
from numpy.testing import assert_array_equal
from rapidfuzz.distance import OSA

from slor_metric.fluency.words import (
    BLANK,
    MISSPELLING,
    NAME,
    UNKNOWN,
    WORD,
    WordReader,
    edits,
    index_frequent,
    misspellings,
)
from slor_metric.language_models.classes import WordClasses, packaged_classes
from slor_metric.tokenizers import encoder
from slor_metric.tokenizers.words import PLAIN, WordTokeniser, tokenise

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
    monkeypatch.setattr(encoder, "_MOST_KEPT", 1)
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


def is_misspelling(word, frequent, alphabet):
    """The rule as anyone would type it."""
    foreign = sum(letter not in alphabet for letter in word)
    if not 4 <= len(word) <= 50 or not word.isalpha() or foreign > 1:
        return False
    return not frequent.isdisjoint(edits(word, alphabet))


# Few letters, so that words are near to one another; "é" is in the alphabet, "ñ" is not, and the last one takes two
# units in UTF-16.
NEAR = st.text(alphabet="abéñ\U00010400-", min_size=0, max_size=7)


@given(st.lists(NEAR), st.lists(NEAR.filter(bool), min_size=1, unique=True))
def test_misspellings_are_those_of_a_plain_reading(words, frequent):
    found = misspellings(words, index_frequent(frequent, "abé"))
    assert found.tolist() == [is_misspelling(word, set(frequent), "abé") for word in words]


def test_what_is_a_misspelling():
    frequent = index_frequent(["receive", "because", "the", "government"])
    assert misspellings(["recieve", "becuase", "goverment", "becauze", "governmentt"], frequent).all()
    assert not misspellings(["teh", "zorbified", "c3p0", "b-cause", "", "goverment" * 6], frequent).any()


def by_chunks(reader, text):
    """A text as its chunks are read, one by one."""
    return [code for chunk in text.split() for code in reader._encode_chunks([chunk])[0]]


def assert_same_codes(reader, texts):
    numbers, kinds, offsets = reader.read(texts)
    codes = (numbers * 5 + kinds).tolist()
    bounds = offsets.tolist()
    assert [codes[start:end] for start, end in itertools.pairwise(bounds)] == [
        by_chunks(reader, text) for text in texts
    ]


def test_python_reads_no_chunk_that_a_kernel_can_read(monkeypatch):
    """In a text with other characters it reads those chunks alone that hold them."""
    read, reader = [], WordReader(CLASSES)
    monkeypatch.setattr(reader, "split_chunk", lambda chunk: read.append(chunk) or WordTokeniser().split_chunk(chunk))
    assert_same_codes(WordReader(CLASSES), texts := ["the café of Sciense.", "naïve sciense"])
    reader.read(texts)
    assert sorted(read) == ["café", "naïve"]


READER = WordReader(WordClasses("the , science of 7 n't 's isn't - electroencephalography".split(), np.arange(10)))
SIGNS = "tThHeEscin'`-.,;?!7\0 \n\x1c" + "".join(map(chr, PLAIN)) + "é\u0301"


@given(st.lists(st.text(alphabet=SIGNS, max_size=30), max_size=4))
def test_both_ways_of_reading_give_the_same(texts):
    assert_same_codes(READER, texts)


def test_both_ways_of_reading_give_the_same_of_real_words():
    rng = np.random.default_rng(0)
    words = packaged_classes().words[:3000]
    texts = [
        " ".join(edits(words[i])[rng.integers(9)] if rng.random() < 0.3 else words[i].title() for i in row)
        for row in rng.integers(len(words), size=(40, 12))
    ]
    assert_same_codes(
        WordReader(packaged_classes()), [*texts, "electroencephalographyx " + "a" * 60, *texts[0].split()]
    )
