"""Training from end to end: options, corpora, errors, and the packaged models."""

from itertools import chain

import numpy as np
import pytest
from numpy.testing import assert_array_less
from refusals import refused

from slor_metric.language_models.base import packaged_file
from slor_metric.language_models.ngram import PACKAGED, packaged, train_ngram
from slor_metric.language_models.ngram.training import encode_corpus
from slor_metric.tokenizers.words import tokenise

LINES = ["The cat sat on the mat.", "", "the dog sat", "   ", "The cat ran, didn't it?"]


@pytest.mark.parametrize("tokenizer", ["words", "whitespace", "wordpiece"])
def test_encoding_is_tokenisation(tokenizer):
    lines = LINES * 60
    encoded = encode_corpus(lines, tokenizer, None if tokenizer != "wordpiece" else 45)
    framed = [("<s>", *tokenise(encoded.tokenizer, line), "</s>") for line in lines if line.split()]
    assert [encoded.tokens[i] for i in encoded.ids] == list(chain.from_iterable(framed))
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
    assert model.trie.logprobs.dtype == np.uint8
    assert packaged_file(f"{name}.safetensors").stat().st_size < 20_000_000
    assert model.unigram.tokenizer_name == model.tokenizer_name
    assert set(model.unigram.tokens) == set(model.tokens) - {"<s>", "</s>"}
    assert_array_less(model.trie.logprobs_of(1)[3:], 0)
