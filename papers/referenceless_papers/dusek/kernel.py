"""The default estimator, kernel ridge regression, on the paper's folds and splits, beside S1 to S6."""

from __future__ import annotations

import warnings

import numpy as np

from quality_estimation_metric.estimator import QualityEstimator
from referenceless_papers.dusek.estimates import SplitEstimates
from referenceless_papers.dusek.networks import FAMILIES, splits_of
from referenceless_papers.dusek.training_sets import Corpus

NAME = "kernel"


def kernel_estimates(corpus: Corpus, family: str, *, criterion: str = "quality") -> list[SplitEstimates]:
    """Fit the default estimator on every split of a family and estimate the test rows.

    It chooses its settings within its training rows, so the rows by which a network's pass is chosen are fitted to as
    well: the same ratings are used, in another way.

    Args:
        corpus: the texts.
        family: a name in `FAMILIES`.
        criterion: the criterion of the ratings.
    """
    ratings, found = corpus.ratings, []
    truth = ratings.ratings[criterion]

    def pick(rows: np.ndarray) -> tuple[list[str], list[str]]:
        return [ratings.texts[row] for row in rows], [ratings.mrs[row] for row in rows]

    for split in splits_of(corpus, FAMILIES[family]):
        rows = np.concatenate([split.train_rows, split.dev])
        texts, sources = pick(rows)
        estimator = QualityEstimator().fit(texts, truth[rows], sources=sources)
        tested, their_sources = pick(split.test)
        with warnings.catch_warnings():  # a set of which nothing is rated has slots of its own
            warnings.filterwarnings("ignore", message="no training source had", category=UserWarning)
            values = estimator.predict(tested, sources=their_sources).values
        found.append(SplitEstimates(split.test, values[None], len(rows), np.zeros(1, dtype=np.int64)))
    return found
