"""The paper's metrics as columns."""

import numpy as np
from numpy.random import default_rng
from numpy.testing import assert_allclose, assert_array_equal
from small_metrics import LengthModel

from referenceless_papers.kann.columns import (
    COMBINED_COLUMNS,
    LANGUAGE_MODEL_COLUMNS,
    REFERENCE_COLUMNS,
    baseline_columns,
    svr_column,
)
from referenceless_papers.kann.reference_overlap import ngram_overlap_mult
from slor_metric.estimator import SLOR, WPSLOR
from slor_metric.rouge.rouge_lm import rouge_l_mult, rouge_lm


def test_all_columns_in_the_papers_order():
    word, wordpiece = SLOR(LengthModel()), WPSLOR(LengthModel())
    rng = default_rng(0)
    texts = [" ".join(rng.choice(["a", "cat", "sat", "there"], 5)) for _ in range(30)]
    references = [[text, "a cat"] for text in texts[::-1]]
    ratings = rng.random(30)
    columns = baseline_columns(texts, references, word=word, wordpiece=wordpiece, ratings=ratings)
    assert tuple(columns) == (*LANGUAGE_MODEL_COLUMNS, *REFERENCE_COLUMNS, *COMBINED_COLUMNS)
    scores = word.predict(texts)
    assert_array_equal(columns["WordSLOR"], scores.values)
    assert_array_equal(columns["WordNCE"], scores.nce)
    assert_array_equal(columns["WPPPL"], -scores.perplexity)
    assert_array_equal(columns["LR3-R-mult"], ngram_overlap_mult(texts, references, order=3, measure="r"))
    assert_array_equal(columns["ROUGE-LM"], rouge_lm(rouge_l_mult(texts, references), scores.values))


def test_regression_learns_out_of_fold_and_ignores_units():
    rng = default_rng(1)
    features = rng.normal(size=(80, 2))
    ratings = features.sum(axis=1) + 0.1 * rng.normal(size=80)
    predictions = svr_column(features, ratings)
    assert np.corrcoef(predictions, ratings)[0, 1] > 0.8
    # to the tolerance of the solver
    assert_allclose(svr_column(features * [1, 1000], 5 + 20 * ratings), 5 + 20 * predictions, atol=0.1)
    # ratings that have nothing to do with the features cannot be predicted for texts that were not seen
    assert abs(np.corrcoef(svr_column(features, rng.permutation(ratings)), ratings)[0, 1]) < 0.5
