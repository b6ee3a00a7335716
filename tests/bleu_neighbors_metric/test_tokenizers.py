"""Tokens, and texts as numbers, against sacrebleu's own tokenisers."""

import itertools

import bleu_neighbors_reference as reference
import text_strategies as strategies
from hypothesis import example, given
from hypothesis import strategies as st

from bleu_neighbors_metric.tokenizers import TokenEncoder, tokenize


def decoded(encoder, flat, offsets):
    if encoder.tokenizer == "char":
        return [[chr(code) for code in flat[a:b]] for a, b in itertools.pairwise(offsets)]
    tokens = list(encoder.vocabulary.numbers)
    return [[tokens[i] for i in flat[a:b]] for a, b in itertools.pairwise(offsets)]


@example([",5", "5,", "a ,5 5, b", "?0", "(x)"], "intl")
@example([",5", "5,", "x-<skipped>\n%"], "13a")
@given(st.lists(strategies.texts, max_size=6), st.sampled_from(["char", "char-nospace", "13a", "intl", "none", "zh"]))
def test_encoding_keeps_the_tokens_of_sacrebleu(texts, name):
    encoder = TokenEncoder(name)
    expected = [reference.tokens_of(text, name) for text in texts]
    for _ in range(2):  # the second time from memory
        assert decoded(encoder, *encoder.encode(texts, learning=True)) == expected
    assert [tokenize(text, name) for text in texts] == expected


def test_unknown_tokens_are_minus_one():
    encoder = TokenEncoder("13a")
    encoder.encode(["the cat sat."], learning=True)
    flat, offsets = encoder.encode(["the dog sat.", ""])
    assert flat.tolist() == [0, -1, 2, 3]
    assert offsets.tolist() == [0, 4, 4]
    assert "dog" not in encoder.vocabulary.numbers
