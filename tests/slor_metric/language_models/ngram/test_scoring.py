"""The sums of each text in one pass, against the functions on arrays that say what they are."""

import numpy as np
from numpy.testing import assert_allclose, assert_array_equal
from refusals import refused

from slor_metric.formulas import sum_by_text
from slor_metric.language_models.ngram import NgramLanguageModel, packaged, train_ngram
from slor_metric.language_models.ngram.scoring import TOTALS


def test_blocks_and_threads_change_nothing():
    model = packaged("wordpiece")
    texts = [f"the cat sat on the mat {i} times ." for i in range(5000)] + ["", "qzx"]
    sums, sizes = model.totals(texts)
    for i in (0, 2047, 2048, 4999, 5000, 5001):
        alone, size = model.totals([texts[i]])
        assert_array_equal(alone[0], sums[i])
        assert size[0] == sizes[i]
    flat = model.batch_logprobs(texts)
    assert_allclose(sums[:, 0], sum_by_text(flat.logprobs, flat.offsets))
    assert sizes.tolist() == np.diff(flat.offsets).tolist()
    assert model.totals([])[0].shape == (0, TOTALS)


def test_a_model_without_a_unigram_table():
    model = train_ngram(["a b c ."] * 3, order=2, progress=False)
    bare = NgramLanguageModel(model.trie, model.tokens, tokenizer=model.tokenizer)
    with refused("unigram table"):
        bare.totals(["a"])
