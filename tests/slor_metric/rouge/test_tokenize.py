"""Tokenisation: the same as rouge-score where that is the promise, and sound words in every other script."""

import unicodedata

import pytest
from hypothesis import given
from hypothesis import strategies as st
from refusals import refused
from rouge_score import tokenize as reference_tokenize
from rouge_score import tokenizers as reference_tokenizers

from metric_commons.support.words import rouge_words
from slor_metric.rouge import rouge_lm as rouge_tokenize
from slor_metric.rouge.rouge_lm import (
    get_stemmer,
    get_tokeniser,
    tokenise_unicode,
)

ASCII = st.text(st.characters(max_codepoint=127))


@given(ASCII)
def test_the_default_equals_rouge_score_on_ascii(text):
    assert tokenise_unicode(text) == reference_tokenize.tokenize(text, None)


@given(ASCII)
def test_stemming_is_that_of_rouge_score(text):
    stem = get_stemmer(True)
    expected = reference_tokenizers.DefaultTokenizer(use_stemmer=True).tokenize(text)
    assert [stem(token) for token in rouge_words(text)] == expected


# unassigned characters are left out: which of them are letters depends on the version of Unicode
@given(st.text(st.characters(exclude_categories=["Cn", "Co", "Cs"])))
def test_tokens_hold_letters_digits_and_marks_only(text):
    for token in tokenise_unicode(text):
        assert token
        assert unicodedata.category(token[0])[0] in "LN"
        assert all(unicodedata.category(c)[0] in "LNM" or c in "\u200c\u200d" for c in token)


@given(st.text(st.sampled_from("aZ0_é²½ñıŒß’“–…† ʰˈ\u2044")))
def test_the_short_cut_for_latin_text_changes_nothing(text):
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(rouge_tokenize, "_is_simple", lambda text: None)
        expected = tokenise_unicode(text)
    assert tokenise_unicode(text) == expected


@given(st.text())
def test_canonically_equal_texts_have_equal_tokens(text):
    assert tokenise_unicode(unicodedata.normalize("NFD", text)) == tokenise_unicode(text)


@pytest.mark.parametrize(
    "text, tokens",
    [
        ("", []),
        (" \t\n", []),
        ("…!?—", []),
        ("snake_case 3.14 e-mail", ["snake", "case", "3", "14", "e", "mail"]),
        ("ÉCOLE école e\u0301cole", ["école"] * 3),
        ("Straße STRASSE", ["strasse"] * 2),
        ("Привет, мир!", ["привет", "мир"]),
        ("مرحبا بالعالم", ["مرحبا", "بالعالم"]),
        ("नमस्ते दुनिया", ["नमस्ते", "दुनिया"]),
        ("می\u200cروم", ["می\u200cروم"]),
        ("我爱NLP2024年", ["我", "爱", "nlp2024", "年"]),
        ("ＮＬＰ", ["nlp"]),
        ("สวัสดี", ["ส", "วั", "ส", "ดี"]),
        ("ปี2020", ["ปี", "2020"]),
        ("한국어 문장", ["한국어", "문장"]),
        ("ok 👍🏽 fine", ["ok", "fine"]),
    ],
)
def test_words_of_many_scripts(text, tokens):
    assert tokenise_unicode(text) == tokens


def test_names_and_callables():
    assert get_tokeniser("none")("A b\tC.") == ["A", "b", "C."]
    assert get_tokeniser(list)("ab") == ["a", "b"]
    assert get_stemmer(False) is None
    with refused(r"`tokenize`.*'unicode', 'rouge_score', 'none'.*'13a'"):
        get_tokeniser("13a")
