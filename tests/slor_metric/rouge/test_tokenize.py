"""Tokenisation: the same as rouge-score if that is the promise, and sound words in every other script."""

import unicodedata

import pytest
from hypothesis import given
from hypothesis import strategies as st
from rouge_score import tokenize as reference_tokenize

from slor_metric.rouge.rouge_lm import (
    tokenise_unicode,
)

ASCII = st.text(st.characters(max_codepoint=127))


@given(ASCII)
def test_the_default_equals_rouge_score_on_ascii(text):
    assert tokenise_unicode(text) == reference_tokenize.tokenize(text, None)


# unassigned characters are left out: which of them are letters depends on the version of Unicode
@given(st.text(st.characters(exclude_categories=["Cn", "Co", "Cs"])))
def test_tokens_hold_letters_digits_and_marks_only(text):
    for token in tokenise_unicode(text):
        assert token
        assert unicodedata.category(token[0])[0] in "LN"
        assert all(unicodedata.category(c)[0] in "LNM" or c in "\u200c\u200d" for c in token)


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
