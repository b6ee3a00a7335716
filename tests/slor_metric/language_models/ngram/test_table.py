"""The table that scores are read from."""

from dataclasses import replace

from numpy.testing import assert_array_equal
from refusals import refused

from slor_metric.language_models.ngram import NgramLanguageModel, packaged, train_ngram
from slor_metric.language_models.ngram.scoring import build_table


def test_takes_under_32_bytes_an_ngram_and_half_of_it_in_8_bits():
    trie = packaged("word").trie
    floats = build_table(replace(trie, codes=None)).nodes.nbytes
    assert build_table(trie).nodes.nbytes == floats / 2 < 16 * sum(trie.sizes)


def test_values_in_8_bits_score_as_what_they_stand_for():
    model, texts = packaged("word"), ["The cat sat on the mat.", "It rained, and nobody minded much.", "", "qzx"]
    floats = NgramLanguageModel(replace(model.trie, codes=None), model.tokens, tokenizer="words")
    assert_array_equal(model.batch_logprobs(texts).logprobs, floats.batch_logprobs(texts).logprobs)
    assert_array_equal(model.batch_logprobs(texts).end_logprobs, floats.batch_logprobs(texts).end_logprobs)


def test_refuses_a_vocabulary_that_its_nodes_cannot_number():
    trie = train_ngram(["a b"], order=1, tokenizer="whitespace").trie
    with refused("fewer words and n-grams"):
        build_table(replace(trie, sizes=(1 << 27,), codes=None))
