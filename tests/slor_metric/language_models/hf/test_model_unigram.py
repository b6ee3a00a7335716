"""Unigram counts for a Hugging Face tokeniser, and SLOR with them."""

from collections import Counter

import numpy as np
from lazily import lazily
from numpy.testing import assert_allclose
from refusals import refused
from text_files import write

from slor_metric.language_models.hf.base import fit_unigram
from tests.support.tiny_causal_models import CORPUS

lazily("torch")
lazily("transformers")


def test_counts_every_token_of_the_vocabulary(tmp_path, tokenizer):
    corpus = tmp_path / "corpus.txt"
    write(corpus, [*CORPUS, "", CORPUS[0]])
    table = fit_unigram(tokenizer, corpus, progress=False)
    counts = Counter(piece for line in [*CORPUS, CORPUS[0]] for piece in tokenizer.tokenize(line))
    total = sum(counts.values()) + len(table) + 1
    pieces = ["Ġthe", "The", "<|endoftext|>"]
    expected = np.log([(counts[piece] + 1) / total for piece in pieces])
    assert_allclose(table.logprobs(pieces), expected, rtol=1e-12)
    assert set(table.tokens) == set(tokenizer.get_vocab())
    assert [path.name for path in tmp_path.iterdir()] == ["corpus.txt"]
    with refused("tokens seen"):
        fit_unigram(tokenizer, ["", ""])
    with refused("argument `tokenizer`", TypeError):
        fit_unigram("gpt2", CORPUS)
