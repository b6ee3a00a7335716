"""Words and stems as ROUGE reads them, beside the rouge-score package."""

from __future__ import annotations

import pytest
import text_strategies as strategies
from hypothesis import given, settings

from metric_commons.support.words import porter_stemmer, rouge_stemmer, rouge_words


@settings(max_examples=300, deadline=None)
@given(strategies.texts)
def test_words_and_stems_equal_those_of_rouge_score(text):
    tokenize = pytest.importorskip("rouge_score.tokenize")
    from nltk.stem.porter import PorterStemmer

    assert rouge_words(text) == tokenize.tokenize(text, None)
    assert [rouge_stemmer("this")(word) for word in rouge_words(text)] == tokenize.tokenize(text, PorterStemmer())


def test_letters_beyond_ascii_that_become_ascii_in_lower_case_are_words():
    assert rouge_words("\u212aelvin \u0130stanbul") == ["kelvin", "i", "stanbul"]


def test_what_one_kernel_has_stemmed_the_next_need_not():
    first = porter_stemmer("rouge", "the kernel rouge_l")
    first("remembering")
    known = first.cache_info()
    assert porter_stemmer("meteor", "the kernel meteor") is first
    assert rouge_stemmer("stem=True")("remembering") == "rememb"
    assert porter_stemmer("rouge", "the kernel rouge_l").cache_info().hits == known.hits + 1
    assert first.cache_info().misses == known.misses


def test_short_words_are_stemmed_for_meteor_alone():
    assert porter_stemmer("meteor", "this")("was") == "wa"
    assert rouge_stemmer("this")("was") == "was"


def test_a_missing_nltk_names_the_extra_of_what_needs_it(monkeypatch):
    monkeypatch.setitem(__import__("sys").modules, "nltk", None)
    monkeypatch.delitem(__import__("sys").modules, "nltk.stem.porter", raising=False)
    with pytest.raises(
        ImportError, match=r'the kernel meteor needs nltk.*pip install "referenceless-metrics\[meteor\]"'
    ):
        porter_stemmer("meteor", "the kernel meteor")
    with pytest.raises(ImportError, match=r'stem=True needs nltk.*pip install "referenceless-metrics\[rouge\]"'):
        rouge_stemmer("stem=True")
