"""The kernels of the papers plug into the estimator by name, as anybody's do."""

from __future__ import annotations

import numpy as np
import pytest

from bleu_neighbors_metric import BLEUNeighbors
from bleu_neighbors_metric.example import example_candidates, example_pool
from bleu_neighbors_metric.kernels.kernel import IN_PAPERS, KERNELS
from bleu_neighbors_metric.kernels.within_lists import mean_similarities
from bleu_neighbors_metric.pool_source import several_ratings
from bleu_neighbors_metric.tuning.subsampling import SubsampledNeighbors
from bleu_neighbors_metric.tuning.sweep import profile
from referenceless_metrics.selection.mbr import MBR, UTILITIES

POOL = ["a cat sat", "a dog sat", "the cat ran", "!!!", "???", "a big cat", "of the", "  "]
CANDIDATES = ["!!!", "cat", "", "   ", ". . .", "of", "zebra"]


def test_they_are_listed_and_the_one_that_learns_is_no_utility() -> None:
    assert set(KERNELS) >= set(IN_PAPERS)
    assert set(UTILITIES) >= set(IN_PAPERS) - {"bleu_star_learned"}
    with pytest.raises(ValueError, match="`utility` to be one of"):
        MBR("bleu_star_learned")
    assert (KERNELS["meteor"].threshold, KERNELS["bertscore"].threshold) == (0.18, 0.10)


@pytest.mark.parametrize(
    ("kernel", "options", "error", "message"),
    [
        ("meteor", {"wordnet": 3}, TypeError, r"'wordnet'\]` of meteor to be a folder"),
        ("meteor", {"wordnet": "/nowhere"}, ValueError, r"/nowhere: .*lacks data.noun"),
        ("bleu_star_content", {"stop_words": "klingon"}, ValueError, r"'english' or a list"),
        ("bleu_star_content", {"stop_words": [1]}, TypeError, r"hold words, but got int 1"),
        ("bleu_star_pos", {"tagger": "brill"}, TypeError, r"'textblob' or a function"),
        (
            "bleu_star_pos",
            {"tagger": lambda text: [3]},
            TypeError,
            r"a list of tags or of .* pairs, but it gave int 3",
        ),
    ],
)
def test_bad_options_are_refused(kernel, options, error, message) -> None:
    with pytest.raises(error, match=message):
        BLEUNeighbors(kernel=kernel, kernel_options=options).fit(["a text", "another"], [0.0, 1.0])


@pytest.mark.parametrize("n_pool", [1, 8])
@pytest.mark.parametrize(("kernel", "tokenize"), [("idf", "none"), ("learned", "13a"), ("content", "char")])
@pytest.mark.filterwarnings("ignore:no text can be covered")
def test_texts_without_tokens_have_no_neighbours_even_at_threshold_0(kernel, tokenize, n_pool) -> None:
    options = {"stop_words": ["of", "the"]} if kernel == "content" else None
    metric = BLEUNeighbors(0.0, 1, 1.0, kernel=f"bleu_star_{kernel}", tokenize=tokenize, kernel_options=options)
    metric.fit(POOL[:n_pool], np.arange(float(n_pool)))
    np.testing.assert_allclose(profile(metric, [0.0]).estimates(0, 1, 1.0), metric.leave_one_out().values)
    whole = SubsampledNeighbors(metric, 1.0, n_draws=1)
    np.testing.assert_allclose(whole.draw(CANDIDATES)[0][0], metric.predict(CANDIDATES).values)


def test_a_kernel_that_learns_is_fitted_to_each_rating_of_its_own() -> None:
    pool = example_pool()
    ratings = {"rating": pool.ratings, "length": np.array([len(text) for text in pool.texts], dtype=float)}
    result = several_ratings(pool.texts, ratings, kernel="bleu_star_learned").predict(example_candidates())
    for name, own in ratings.items():
        alone = BLEUNeighbors(kernel="bleu_star_learned").fit(pool.texts, own).predict(example_candidates())
        np.testing.assert_array_equal(result.columns[name], alone.values)


def test_means_within_lists() -> None:
    texts = example_pool().texts[:9]
    means, _ = mean_similarities("bleu_star_idf", texts, np.array([0, 5, 6, 9]), np.ones(9))
    assert np.isnan(means).tolist() == [False] * 5 + [True] + [False] * 3


def test_use_does_not_change_the_fingerprint_of_a_pool() -> None:
    from datasets.fingerprint import Hasher

    pool = example_pool()
    metric = BLEUNeighbors(0.1, kernel="bleu_star_idf").fit(pool.texts, pool.ratings)
    before = Hasher.hash(metric.predict)
    metric.predict(["words that no pool text has, such as unfathomable-\nness", *example_candidates()])
    assert Hasher.hash(metric.predict) == before


FULL = {"weights": "similarity", "threshold": 0.0, "min_neighbors": 1, "max_fraction": 1.0}


@pytest.mark.parametrize(
    ("kernel", "parameters", "mse", "rho", "coverage"),
    [
        ("content", {}, 0.0220, 0.275, 0.960),
        ("pos", {}, 0.0221, 0.091, 0.631),
        ("idf", {}, 0.0225, 0.237, 0.960),
        ("idf", FULL, 0.0213, 0.345, 1.0),
        ("learned", FULL, 0.0211, 0.338, 1.0),
    ],
)
def test_huse_summarization_leave_one_out(huse, kernel, parameters, mse, rho, coverage) -> None:
    from scipy.stats import spearmanr

    metric = BLEUNeighbors.published(kernel=f"bleu_star_{kernel}", **parameters).fit(huse.texts, huse.ratings)
    estimates = metric.leave_one_out()
    covered = estimates.covered
    assert estimates.coverage == pytest.approx(coverage, abs=0.006)
    assert np.mean((estimates.values - metric.ratings_)[covered] ** 2) == pytest.approx(mse, abs=0.0003)
    assert spearmanr(estimates.values[covered], metric.ratings_[covered]).statistic == pytest.approx(rho, abs=0.005)
