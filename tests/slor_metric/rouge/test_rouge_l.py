"""ROUGE-L against the rouge-score package."""

from types import SimpleNamespace

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from kernels_reference import lcs_length
from numpy.testing import assert_allclose
from refusals import refusals, refused
from rouge_score.rouge_scorer import RougeScorer
from text_strategies import texts_with_references

from referenceless_metrics.core.support import native
from slor_metric.rouge.rouge_lm import TOKENIZERS, _number_words, rouge_l_mult, tokenise_unicode
from slor_metric.tokenizers.encoder import JoinedTexts

TOKENISED_BY_THE_METRIC = SimpleNamespace(tokenize=tokenise_unicode)
BY_ROUGE_SCORE = {"tokenize": "rouge_score"}


@pytest.mark.parametrize(
    "options, of_scorer",
    [
        ({}, {"tokenizer": TOKENISED_BY_THE_METRIC}),
        (BY_ROUGE_SCORE, {}),
        ({**BY_ROUGE_SCORE, "stem": True}, {"use_stemmer": True}),
    ],
)
@given(texts_with_references)
def test_rouge_l_mult_equals_rouge_score(options, of_scorer, pairs):
    candidates, references = [list(column) for column in zip(*pairs, strict=True)]
    scorer = RougeScorer(["rougeL"], **of_scorer)
    expected = [scorer.score_multi(texts, text)["rougeL"].fmeasure for text, texts in pairs]
    assert_allclose(rouge_l_mult(candidates, references, **options), expected, rtol=0, atol=1e-12)


@pytest.mark.parametrize("tokenise", TOKENIZERS.values())
@given(st.lists(st.text() | st.text("aBbÀ9_ \0-'\u2003\u0301\ud800é東タ", max_size=30), max_size=5))
def test_words_are_numbered_in_the_order_of_their_first_occurrence(tokenise, texts):
    number_of, expected = {}, []
    for text in texts:
        expected += [number_of.setdefault(word, len(number_of) + 1) for word in tokenise(text)] + [0]
    numbers, n_types = _number_words(JoinedTexts(texts), tokenise, None)
    assert numbers.tolist() == expected
    assert n_types == len(number_of)


TEXTS = st.lists(st.text("abcd", max_size=150), min_size=1, max_size=4)


@given(st.lists(st.tuples(st.text("abcd", max_size=150), TEXTS), min_size=1, max_size=4))
def test_common_subsequences_are_the_tables(pairs):
    """Texts of more than 64 words, with carries from one machine word to the next, are among these."""
    texts = [*(candidate for candidate, _ in pairs), *(text for _, references in pairs for text in references)]
    numbers = np.array([number for text in texts for number in (*map("abcd".index, text), -1)], dtype=np.int64) + 1
    counts = np.array([len(references) for _, references in pairs], dtype=np.int64)
    lcs, lengths = np.empty(counts.sum(), np.int64), np.empty(len(texts), np.int64)
    native.call("common_subsequences", numbers.astype(np.uint32), 4, counts, lcs, lengths)
    assert lengths.tolist() == list(map(len, texts))
    assert lcs.tolist() == [lcs_length(candidate, text) for candidate, references in pairs for text in references]


@pytest.mark.parametrize(
    "numbers, counts, place",
    [
        ([1, 0, 2, 0], [1], "numbers"),  # a number above the types
        ([1, 0, 1], [1], "numbers"),  # no end
        ([1, 0, 1, 0, 1, 0], [1], "numbers"),  # a text too many
        ([1, 0, 1, 0], [0], "counts"),
        ([1, 0, 1, 0], [2], "counts"),
    ],
)
def test_the_kernel_refuses_what_does_not_go_together(numbers, counts, place):
    with refused(f"`{place}` of `common_subsequences`"):
        native.call(
            "common_subsequences",
            np.array(numbers, np.uint32),
            1,
            np.array(counts, np.int64),
            np.empty(1, np.int64),
            np.empty(2, np.int64),
        )


def test_arrays_that_are_too_small_for_words_are_refused():
    def int64(n):
        return np.zeros(n, np.int64)

    words = np.frombuffer(b"a b\0", np.uint8)
    with refused("`words` of `write_words`"):
        native.call("write_words", words[:3], np.array([3]), words[:0], np.empty(3, np.uint8))
    for place, text, n_numbers, n_starts, n_ends in (
        ("words", words[:3], 3, 2, 2),  # no end
        ("numbers", words, 2, 2, 2),
        ("starts", words, 3, 1, 2),
        ("ends", words, 3, 2, 1),
    ):
        with refused(f"`{place}` of `number_words`"):
            arrays = np.empty(n_numbers, np.uint32), int64(n_starts), int64(n_ends), int64(1)
            native.call("number_words", text, native.SEED, *arrays)


def test_very_many_types_of_words():
    candidate = " ".join(f"w{i}" for i in range(60_000))
    reference = " ".join(f"w{i}" for i in range(10_000, 70_000))
    assert rouge_l_mult([candidate], [reference])[0] == pytest.approx(5 / 6)


test_bad_input = refusals(
    rouge_l_mult,
    [
        ("a text", ["a"], "`candidates`.*bare str", TypeError),
        (["a"], 3, "`references`.*int 3", TypeError),
        (["a", "b"], [["a"]], "each of the 2 candidates.*got 1"),
        (["a", "b"], [["a"], []], "item 1 is empty"),
        (["a", "b"], [["a"], [None]], r"references\[1\].*item 0 is None", TypeError),
    ],
)
