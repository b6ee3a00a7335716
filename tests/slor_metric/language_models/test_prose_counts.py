"""The kernel that reads a text's characters: its letters against arrays, its counts against texts counted by hand."""

import numpy as np
from hypothesis import given
from hypothesis import strategies as st
from numpy.testing import assert_allclose

from referenceless_metrics.core.support import native
from slor_metric.language_models.classes import OTHER, SIZE, SPACE, packaged_letters
from slor_metric.language_models.prose import COLUMNS, ProseReader
from slor_metric.tokenizers.encoder import ChunkCache, JoinedTexts


def twin(text, logprobs):
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


@given(st.lists(st.text(st.sampled_from("abz .'1é\n東\x80"), max_size=20), min_size=1, max_size=4))
def test_letters_equal_the_twin(texts):
    logprobs = packaged_letters().logprobs
    parted = JoinedTexts(texts).parted({})
    sums, counts = np.zeros(len(texts)), np.zeros((len(texts), len(COLUMNS)), np.int64)
    others = ChunkCache.of_numbers(lambda chunks: [list(map(ord, chunk)) for chunk in chunks]).encode(parted.others)
    arrays = parted.characters, parted.lengths, others, logprobs, np.zeros(2, np.int64)
    native.call("count_characters", *arrays, native.SEED, sums, counts)
    expected = [twin(text, logprobs) for text in texts]
    assert_allclose(sums, [total for total, _, _ in expected], rtol=1e-12)
    assert [tuple(row) for row in counts[:, :2].tolist()] == [(size, others) for _, size, others in expected]


#: Words, those that are known, numbers and signs, letters and digits, and those that repeat the last one.
BY_HAND = {
    "A cat is well-known.": (5, 4, 1, 15, 1),
    "It isn't a cat's, is it?": (6, 3, 2, 15, 0),
    "don\u2019t \u201cA\u201d \u2014 \u2026": (2, 1, 6, 5, 0),
    "1,999.50 and 3. 4": (1, 0, 4, 11, 2),
    "\U0001f44d \u00e9 \u6771\u6771": (2, 1, 1, 3, 1),
    "aA a\u00a0a": (3, 2, 0, 4, 3),
    "": (0, 0, 0, 0, 0),
}


def test_counts_by_hand_of_one_text_after_another():
    reader = ProseReader(packaged_letters(), "a is well-known n't é €… s\u00ad".split())
    for texts in (list(BY_HAND), [text for text in BY_HAND if text.isascii()]):
        counts = reader.read(texts).counts
        found = zip(*(counts[name].tolist() for name in ("words", "known", "marks", "signs", "repeated")), strict=True)
        assert list(found) == [BY_HAND[text] for text in texts]
