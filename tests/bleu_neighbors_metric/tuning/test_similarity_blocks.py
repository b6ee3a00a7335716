"""What is read from blocks of similarities is what the estimator says, also of texts without any tokens."""

from __future__ import annotations

import numpy as np
import pytest

from bleu_neighbors_metric import BLEUNeighbors
from bleu_neighbors_metric.tuning.coverage import coverage_by_threshold
from bleu_neighbors_metric.tuning.subsampling import SubsampledNeighbors
from bleu_neighbors_metric.tuning.sweep import profile

POOL = ["a cat sat", "a dog sat", "the cat ran", "!!!", "???", "a big cat", "of the", "  "]
CANDIDATES = ["!!!", "cat", "", "   ", ". . .", "of", "zebra"]


@pytest.mark.parametrize("n_pool", [1, 8])
@pytest.mark.parametrize(
    ("kernel", "tokenize"),
    [
        ("bleu_star", "char"),
        ("bleu_star", "13a"),
        ("bleu_star_idf", "none"),
        ("bleu_star_learned", "13a"),
        ("rouge_l", "char"),
        ("bleu_star_content", "char"),
    ],
)
@pytest.mark.filterwarnings("ignore:no text can be covered")
def test_texts_without_tokens_have_no_neighbours_even_at_threshold_0(kernel: str, tokenize: str, n_pool: int) -> None:
    options = {"stop_words": ["of", "the"]} if kernel == "bleu_star_content" else None
    metric = BLEUNeighbors(0.0, 1, 1.0, kernel=kernel, tokenize=tokenize, kernel_options=options)
    metric.fit(POOL[:n_pool], np.arange(float(n_pool)))
    predicted, left_out = metric.predict(CANDIDATES), metric.leave_one_out()
    assert coverage_by_threshold(metric, CANDIDATES, [0.0]) == [predicted.coverage]
    np.testing.assert_allclose(profile(metric, [0.0]).estimates(0, 1, 1.0), left_out.values)
    whole = SubsampledNeighbors(metric, 1.0, n_draws=1)
    np.testing.assert_allclose(whole.predict(CANDIDATES).draws[0], predicted.values)
    np.testing.assert_allclose(whole.leave_one_out().draws[0], left_out.values)
