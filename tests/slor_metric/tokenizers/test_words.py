"""Word tokenisation: worked examples, and text of the corpus as it stands."""

import lzma

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from refusals import refused

from slor_metric.tokenizers import words as module
from slor_metric.tokenizers.words import (
    ChunkCache,
    Tokeniser,
    WhitespaceTokeniser,
    WordTokeniser,
    get_tokeniser,
    tokenise,
)


@pytest.mark.parametrize(
    "text, expected",
    [
        ("The cat sat.", "the cat sat ."),
        ("“Don’t,” she said — ‘never’!", "\" do n't , \" she said - ' never ' !"),
        ("can't won't cannot", "ca n't wo n't cannot"),
        ("three o'clock, ma'am", "three o'clock , ma'am"),
        ("8,687,956 at 4.06% in 1999-2000, 20th", "8,687,956 at 4.06 % in 1999 - 2000 , 20 th"),
        ("well-known state-of-the-art", "well-known state-of-the-art"),
        ("wait -- what... ``quoted''", 'wait - what . . . " quoted "'),
        ("(e.g., a@b.com)", "( e . g . , a @ b . com )"),
        ("東京 is big", "東京 is big"),
        ("cafe\u0301 café", "café café"),
        ("", ""),
        (" \t\n ", ""),
    ],
)
def test_words(text, expected):
    assert tokenise(WordTokeniser(), text) == expected.split()


def test_clitics():
    found = tokenise(WordTokeniser(), "It's John's; they've said we'll go, I'd say I'm fine, you're not.")
    assert {"'s", "'ve", "'ll", "'d", "'m", "'re", "john", "they"} <= set(found)


@given(st.text(max_size=60))
def test_own_output_stays_as_it_is(text):
    words = WordTokeniser()
    once = tokenise(words, text)
    assert all(token and not token.isspace() for token in once)
    assert tokenise(words, " ".join(once)) == once


def test_the_corpus_is_in_this_tokenisation(data_dir):
    words = WordTokeniser()
    with lzma.open(data_dir("lm-corpus") / "english.txt.xz", "rt", encoding="utf-8") as file:
        lines = [next(file) for _ in range(5000)]
    tokens = [token for line in lines for token in line.split()]
    changed = [token for token in tokens if words.split_chunk(token) != [token]]
    assert len(changed) < len(tokens) / 1000, changed[:20]


def test_whitespace():
    assert tokenise(WhitespaceTokeniser(), " Don't  STOP.\n") == ["Don't", "STOP."]


def test_by_name():
    for name in ("words", "whitespace"):
        tokeniser = get_tokeniser(name)
        assert isinstance(tokeniser, Tokeniser)
        assert tokeniser.name == name
        assert [tokenise(tokeniser, text) for text in ("a b", "")] == [["a", "b"], []]
    with refused(r"tokenizer.*'words', 'whitespace'"):
        get_tokeniser("13a")


def test_the_cache_forgets_when_it_is_full_and_keeps_no_long_chunks(monkeypatch):
    class Lengths(ChunkCache):
        def encode_chunk(self, chunk):
            return [len(chunk)]

    monkeypatch.setattr(module, "_MOST_KEPT", 2)
    cache = Lengths(WhitespaceTokeniser())
    for chunk in ["a", "bb", "a", "ccc", "x" * 101, "bb", "a"]:
        assert np.frombuffer(cache[chunk], dtype=np.intc).tolist() == [len(chunk)]
        assert len(cache) <= 2
        assert (chunk in cache) == (len(chunk) <= 100)
