"""The table that scores are read from."""

from dataclasses import replace

from refusals import refused

from slor_metric.language_models.ngram import packaged, train_ngram
from slor_metric.language_models.ngram.scoring import build_table


def test_takes_under_32_bytes_an_ngram():
    trie = packaged("word").trie
    assert build_table(trie).nodes.nbytes < 32 * sum(trie.sizes)


def test_refuses_a_vocabulary_that_its_nodes_cannot_number():
    trie = train_ngram(["a b"], order=1, tokenizer="whitespace").trie
    with refused("fewer words and n-grams"):
        build_table(replace(trie, sizes=(1 << 27,)))
