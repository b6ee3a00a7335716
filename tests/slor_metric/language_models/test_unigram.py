"""Unigram tables: probabilities, files, and fitting from a corpus."""

import numpy as np
from numpy.testing import assert_allclose
from refusals import refusals

from slor_metric.language_models.base import UnigramModel
from slor_metric.language_models.unigram import UnigramTable, fit_unigram
from slor_metric.tokenizers.words import WordTokeniser


def test_add_one_smoothing_sums_to_one_with_the_unseen_token():
    table = UnigramTable(["a", "b", "c"], [5, 2, 0])
    assert isinstance(table, UnigramModel)
    total = 5 + 2 + 1 * (3 + 1)
    expected = [6 / total, 3 / total, 1 / total, 1 / total]
    assert_allclose(np.exp(table.logprobs(["a", "b", "c", "elsewhere"])), expected)


def test_a_token_beside_the_table_counts_as_the_unknown_one():
    table = UnigramTable(["a", "<unk>", "b"], [5, 2, 0])
    assert table.counts_of(["b", "elsewhere", "a", "<unk>"]).tolist() == [0, 0, 5, 2]
    beside, unknown, seen = table.logprobs(["elsewhere", "<unk>", "a"]).tolist()
    assert beside == unknown < seen


test_refuses_what_is_no_table = refusals(
    lambda tokens, counts, smoothing: UnigramTable(tokens, counts, smoothing=smoothing),
    [
        (["a"], [1, 2], 1, "counts"),
        ([], [], 1, r"1 to 2\^53 tokens seen, but got 0"),
        (["a"], [1], -1, "smoothing"),
        (["a", "a"], [1, 2], 1, "tokens"),
    ],
)


def test_fit_counts_the_tokens_of_a_corpus_and_of_a_vocabulary(tmp_path):
    lines = ["The cat sat.", "the CAT"]
    for rule in ("words", WordTokeniser()):
        table = fit_unigram(lines, rule, progress=False)
        assert dict(zip(table.tokens, table.counts.tolist(), strict=True)) == {"the": 2, "cat": 2, "sat": 1, ".": 1}
        assert table.tokenizer_name == "words"
    out = tmp_path / "unigram.npz"
    table = fit_unigram(lines, "whitespace", out, vocabulary=["never", "the"], progress=False)
    assert table.tokens[:2] == ("never", "the")
    assert table.counts[:2].tolist() == [0, 1]
    assert UnigramTable.load(out).signature == table.signature


test_fit_refuses = refusals(
    fit_unigram,
    [
        (["", "  "], "words", "tokens seen"),
        (["a"], "nonsense", "tokenizer"),
        (["a"], 3, "tokenizer", TypeError),
    ],
)
