"""Word tokenisation: worked examples, and text of the corpus as it stands."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from slor_metric.tokenizers.words import (
    WordTokeniser,
    tokenise,
)


@pytest.mark.parametrize(
    "text, expected",
    [
        ("The cat sat.", "the cat sat ."),
        ("“Don’t,” she said — ‘never’!", "\" do n't , \" she said - ' never ' !"),
        ("can't won't cannot", "ca n't wo n't cannot"),
        ("It's they've we'll I'd I'm you're", "it 's they 've we 'll i 'd i 'm you 're"),
        ("three o'clock, ma'am", "three o'clock , ma'am"),
        ("8,687,956 at 4.06% in 1999-2000, 20th", "8,687,956 at 4.06 % in 1999 - 2000 , 20 th"),
        ("well-known state-of-the-art", "well-known state-of-the-art"),
        ("wait -- what... ``quoted''", 'wait - what . . . " quoted "'),
        ("(e.g., a@b.com)", "( e . g . , a @ b . com )"),
        ("東京 is big", "東京 is big"),
        ("cafe\u0301 café", "café café"),
        ("हिन्दी में लिखा, है।", "हिन्दी में लिखा , है ।"),
        ("q\u0301x doq\u0301t 1\u0301", "q\u0301x doq\u0301t 1 \u0301"),
        ("", ""),
        (" \t\n ", ""),
    ],
)
def test_words(text, expected):
    assert tokenise(WordTokeniser(), text) == expected.split()


@given(st.text(max_size=60))
def test_own_output_stays_as_it_is(text):
    words = WordTokeniser()
    once = tokenise(words, text)
    assert all(token and not token.isspace() for token in once)
    assert tokenise(words, " ".join(once)) == once
