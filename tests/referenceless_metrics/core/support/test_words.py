"""Words and stems beside the rouge-score package."""

import sys

import pytest
import text_strategies as strategies
from hypothesis import given
from hypothesis import strategies as st
from refusals import refused

from referenceless_metrics.core.support.words import porter_stemmer, rouge_stemmer, rouge_words


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
