"""How quality estimation agrees with people on partitions and data that it was not built on: figures of its card.

    pytest papers/tests/test_quality_estimation_agreement.py -m long -s

takes a quarter of an hour of one CPU. Every model chooses its settings within the ratings that it is fitted to.
"""

import time

import numpy as np
import pytest

from bleu_neighbors_metric import BLEUNeighbors
from metric_commons.assessment.meta_evaluation import rank_correlation
from metric_commons.datasets.loading import load_rated
from quality_estimation_metric import QualityEstimator, ReferencePool
from referenceless_papers.dusek.kernel import kernel_estimates
from referenceless_papers.dusek.networks import SETS
from referenceless_papers.dusek.ratings import read_ratings, read_sfx
from referenceless_papers.dusek.tables import CONSTANT
from referenceless_papers.dusek.training_sets import Corpus
from referenceless_papers.ethayarajh.beyond import distinct
from referenceless_papers.ethayarajh.sources import Sources

pytestmark = pytest.mark.long

PARTITIONS = (301, 302, 303, 304, 305)  # drawn once all was finished
TOPICS = (1, 3, 5, 8, 10)  # of ASAP-SAS: the others have no thirty essays of 5 to 15 sentences
MOST_LEFT_OUT = 300  # models for single texts; larger sets are cut into 20 folds


@pytest.fixture(scope="module")
def folder(data_dir):
    return data_dir("nlg-ratings")


@pytest.fixture(scope="module")
def rated(folder):
    return read_ratings(folder)


@pytest.fixture(autouse=True)
def cpu_seconds():
    begin = time.process_time()
    yield
    print(f"{time.process_time() - begin:.0f} CPU s")


def evaluated(title, estimator, **options):
    """Print and return the agreement under each grouping."""
    agreements = estimator.evaluate(**options).agreements
    for item in agreements:
        figures = (f"{name} {value:.4f}" for name, value in vars(item).items() if isinstance(value, float))
        print(f"\n{title}, by {item.grouping}, {options}: {', '.join(figures)}")
    return agreements


@pytest.fixture(scope="module")
def estimator(rated):
    return QualityEstimator().fit(rated.texts, rated.ratings["quality"], sources=rated.mrs)


@pytest.mark.parametrize("seed", PARTITIONS)
def test_partitions_not_seen_before(estimator, seed):
    by_pair, by_text = evaluated("rating", estimator, seed=seed)
    assert by_pair.pearson >= 0.385
    assert by_pair.spearman >= 0.35
    assert by_pair.rmse <= 1.14
    assert by_text.pearson >= 0.27
    assert 0.87 <= by_pair.interval_coverage <= 0.93


@pytest.mark.parametrize("where", ["SFRest and SFHot, training parts", "the rated outputs that are fitted to"])
def test_references_of_the_training_part(rated, folder, where):
    pairs = read_sfx(folder, ("train",))
    pool = ReferencePool([pair.text for pair in pairs], [pair.mr for pair in pairs])
    references = pool if where.startswith("SF") else [list(each) for each in rated.references]
    estimator = QualityEstimator()
    estimator.fit(rated.texts, rated.ratings["quality"], sources=rated.mrs, references=references)
    for seed in PARTITIONS[:2]:
        by_pair, _ = evaluated(f"quality, with references of {where}", estimator, seed=seed)
        assert by_pair.pearson >= 0.41


def test_other_domains_and_systems(folder):
    corpus = Corpus(folder)
    truth = corpus.ratings.ratings["quality"]
    for family in ("C1", "C2", "C3"):
        for title, split in zip(SETS, kernel_estimates(corpus, family), strict=True):
            ratings, estimates = truth[split.rows], split.values[0]
            guesses = (estimates, CONSTANT, ratings.mean())
            rmse, constant, best = (float(np.sqrt(np.mean((ratings - guess) ** 2))) for guess in guesses)
            r, rho = np.corrcoef(estimates, ratings)[0, 1], rank_correlation(estimates, ratings)
            print(
                f"\n{title}.{family}: r {r:.4f}, ρ {rho:.4f}, RMSE {rmse:.4f}; of the constant {CONSTANT} "
                f"{constant:.4f}, of the test rows' own mean {best:.4f}"
            )
            assert rmse < constant
            assert rmse < best


@pytest.mark.parametrize("name", ["huse", *TOPICS])
def test_texts_without_sources(data_dir, name):
    pool = distinct(_plain_texts(data_dir, name))
    neighbors = BLEUNeighbors(0.0, 1, 1.0, weights="similarity").fit(pool.texts, pool.ratings).leave_one_out()
    theirs = rank_correlation(neighbors.values, pool.ratings)
    title = f"{name}, {len(pool.texts)} texts, BLEU Neighbors' ρ at coverage 1 {theirs:.4f}"
    n_folds = len(pool.texts) if len(pool.texts) <= MOST_LEFT_OUT else 20
    (ours,) = evaluated(title, QualityEstimator().fit(pool.texts, pool.ratings), n_folds=n_folds)
    assert neighbors.coverage == 1.0
    assert ours.spearman >= theirs
    # Of n texts, the share within their intervals strays from the level by chance: three standard errors.
    assert abs(ours.interval_coverage - ours.level) <= 3 * np.sqrt(ours.level * (1 - ours.level) / ours.n)


def _plain_texts(data_dir, name):
    if name == "huse":
        return load_rated("huse:summarization", data_dir=str(data_dir("huse")))
    return Sources(data_dir("asap-sas").parent).essays(f"set_{name}:train")
