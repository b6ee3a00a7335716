"""The table against the trie that it was made of."""

from __future__ import annotations

import random
from dataclasses import replace

import numpy as np
import pytest

from slor_metric.language_models.ngram import packaged, train_ngram
from slor_metric.language_models.ngram.scoring import CODE_SHIFT, build_table, find
from slor_metric.language_models.ngram.storage import Trie


def ngrams(trie: Trie) -> dict[tuple[int, ...], int]:
    """Every n-gram with its node."""
    found = {(i,): i for i in range(trie.sizes[0])}
    names = list(found)
    for k in range(2, trie.order + 1):
        level, below = trie.level(k), trie.level(k - 1).start
        names = [
            (*names[parent - below], word)
            for parent, word in zip(trie.parents(k).tolist(), trie.words[level].tolist(), strict=True)
        ]
        found.update(zip(names, range(level.start, level.stop), strict=True))
    return found


def slot_of(nodes: np.ndarray, words: tuple[int, ...]) -> int:
    slot = words[0]
    for word in words[1:]:
        slot = find(nodes, int(nodes[slot, 3]), int(nodes[slot, 0] >> CODE_SHIFT), np.uint32(word))
        if slot < 0:
            return -1
    return slot


@pytest.mark.parametrize("order", [1, 2, 4])
def test_holds_what_the_trie_holds_and_nothing_else(order: int) -> None:
    rng = random.Random(order)
    # some words follow few others, one follows hundreds: children side by side, and hashed
    lines = [" ".join(f"w{min(rng.randrange(400), rng.randrange(400))}" for _ in range(12)) for _ in range(300)]
    lines += [f"all w{i}" for i in range(400)]
    trie = train_ngram(lines, order=order, tokenizer="whitespace").trie
    nodes = build_table(trie)
    values = nodes.view(np.float32)
    listed = ngrams(trie)
    slots = {}
    for words, node in listed.items():
        slot = slots[words] = slot_of(nodes, words)
        assert slot >= 0
        assert values[slot, 1] == trie.logprobs[node]
        if len(words) < order:
            assert values[slot, 2] == trie.backoffs[node]
    assert len(set(slots.values())) == len(listed)
    for _ in range(3000):
        words = tuple(rng.randrange(trie.sizes[0]) for _ in range(min(order, 2)))
        assert (slot_of(nodes, words) >= 0) == (words in listed)


def test_takes_under_32_bytes_an_ngram() -> None:
    trie = packaged("word").trie
    assert build_table(trie).nbytes < 32 * sum(trie.sizes)


def test_refuses_a_vocabulary_that_its_nodes_cannot_number() -> None:
    trie = train_ngram(["a b"], order=1, tokenizer="whitespace").trie
    huge = replace(trie, sizes=(1 << 27,))
    with pytest.raises(ValueError, match="fewer words and n-grams"):
        build_table(huge)
