"""Training from end to end: options, corpora, errors, and the packaged models."""

import numpy as np
import pytest
from numpy.testing import assert_array_less
from refusals import refused

from slor_metric.language_models.base import packaged_file
from slor_metric.language_models.ngram import PACKAGED, packaged, train_ngram
from slor_metric.language_models.ngram.training import encode_corpus

LINES = ["The cat sat on the mat.", "", "the dog sat", "   ", "The cat ran, didn't it?"]


def decode(ids, tokens):
    return " ".join(tokens[i] for i in ids).split("</s>")[:-1]


@pytest.mark.parametrize("tokenizer", ["words", "whitespace", "wordpiece"])
def test_encoding_is_tokenisation(tokenizer):
    lines = LINES * 60
    encoded = encode_corpus(lines, tokenizer, None if tokenizer != "wordpiece" else 45)
    expected = [
        " ".join(["<s>", *(t for chunk in line.split() for t in encoded.tokenizer.split_chunk(chunk))])
        for line in lines
        if line.split()
    ]
    assert [sentence.strip() for sentence in decode(encoded.ids, encoded.tokens)] == expected
    counts = np.bincount(encoded.ids, minlength=len(encoded.tokens))[3:].tolist()
    assert counts == sorted(counts, reverse=True)


@pytest.mark.parametrize(
    "option, value, error",
    [
        ("order", 0, ValueError),
        ("order", 2.5, TypeError),
        ("order", 99, ValueError),
        ("tokenizer", "bpe", ValueError),
        ("vocab_size", 0, ValueError),
        ("max_ngrams", -1, ValueError),
        ("prune", (1, 1), ValueError),
        ("prune", (0, 2, 1), ValueError),
        ("prune", (0, 0, 0, 0, 0), ValueError),
        ("prune", (), ValueError),
        ("prune", "0 0 1", TypeError),
        ("prune", 1, TypeError),
        ("prune", (0, 0.5), TypeError),
    ],
)
def test_refuses_bad_options(option, value, error):
    with refused(option, error):
        train_ngram(LINES, **{option: value})


@pytest.mark.parametrize("corpus", [[], ["", "  ", "\t"]])
def test_refuses_a_corpus_without_text(corpus):
    with refused("no usable line"):
        train_ngram(corpus)


# The packaged models themselves.


@pytest.mark.parametrize("name", PACKAGED)
def test_packaged_models(name):
    model = packaged(name)
    assert packaged(name) is model
    assert (model.tokenizer_name, model.order, model.trie.logprobs.dtype) == (
        {"word": "words"}.get(name, name),
        4,
        np.uint8,
    )
    assert packaged_file(f"{name}.safetensors").stat().st_size < 20_000_000
    assert model.unigram.tokenizer_name == model.tokenizer_name
    assert set(model.unigram.tokens) == set(model.tokens) - {"<s>", "</s>"}
    assert_array_less(model.trie.logprobs_of(1)[3:], 0)
