"""Words and stems beside the rouge-score package, and longest common subsequences beside the textbook's table."""

import sys

import numpy as np
import pytest
import text_strategies as strategies
from hypothesis import given
from hypothesis import strategies as st
from kernels_reference import lcs_length
from refusals import refused

from referenceless_metrics.core.support.words import lcs_lengths_of_pairs, porter_stemmer, rouge_stemmer, rouge_words


@given(strategies.texts | st.text())
def test_words_and_stems_equal_those_of_rouge_score(text):
    tokenize = pytest.importorskip("rouge_score.tokenize")
    from nltk.stem.porter import PorterStemmer

    assert rouge_words(text) == tokenize.tokenize(text, None)
    assert [rouge_stemmer("this")(word) for word in rouge_words(text)] == tokenize.tokenize(text, PorterStemmer())


def test_rouge_leaves_short_words_as_they_are():
    assert porter_stemmer("this")("was") == "wa"
    assert rouge_stemmer("this")("was") == "was"


def test_a_missing_nltk_names_the_extra_of_what_needs_it(monkeypatch):
    monkeypatch.setitem(sys.modules, "nltk", None)
    monkeypatch.delitem(sys.modules, "nltk.stem.porter", raising=False)
    with refused(r'a kernel needs nltk.*pip install "referenceless-metrics\[rouge\]"', ImportError):
        porter_stemmer("a kernel")


TEXTS = st.lists(st.text("abcd", max_size=150), min_size=1, max_size=4)


@given(TEXTS, TEXTS)
def test_lengths_are_the_tables(first, second):
    """Texts longer than one machine word of 64 tokens, with carries between words, are among these."""
    pairs = [(x, s) for x in first for s in second]
    of_pairs = lcs_lengths_of_pairs([x for x, _ in pairs], [s for _, s in pairs])
    np.testing.assert_array_equal(of_pairs, [lcs_length(x, s) for x, s in pairs])
