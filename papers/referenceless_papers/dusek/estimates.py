"""Estimates of the recurrent estimator on the rated outputs: on every fold with every seed."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from referenceless_metrics.core.support.validation import Floats, Integers
from referenceless_papers.dusek.folds import Split
from referenceless_papers.dusek.training_sets import Corpus, TrainingSet, training_set
from referenceless_papers.gru_estimator.inputs import Examples, GRUSettings, Vocabulary


@dataclass(frozen=True)
class SplitEstimates:
    """Estimates of one split's test rows.

    Attributes:
        rows: the test rows, shape (n,).
        values: estimates, not clipped, shape (seeds, n).
        instances: number of training instances.
        best_pass: the pass that was kept, shape (seeds,).
    """

    rows: Integers
    values: Floats
    instances: int
    best_pass: Integers


def encoded(
    corpus: Corpus, split: Split, made: TrainingSet, settings: GRUSettings, criterion: str
) -> tuple[Vocabulary, Examples, Examples, Examples]:
    """Return the vocabulary of a network's training texts, and the texts that train, choose and test it, encoded."""
    texts = [*made.real, *made.synthetic]
    vocabulary = Vocabulary.of(texts)
    examples = vocabulary.encode(texts, [*made.ratings, *made.synthetic_ratings], settings)
    ratings = corpus.ratings.ratings[criterion]
    dev, test = (
        vocabulary.encode([corpus.outputs[row] for row in rows], ratings[rows], settings)
        for rows in (split.dev, split.test)
    )
    return vocabulary, examples, dev, test


def gru_estimates(
    corpus: Corpus,
    splits: Sequence[Split],
    setup: str,
    settings: GRUSettings,
    *,
    seeds: Sequence[int] = (0, 1),
    criterion: str = "quality",
    rule: str = "published",
    parts: str = "first",
    device: str = "cpu",
) -> list[SplitEstimates]:
    """Train a set-up on every split with every seed, and estimate the test rows.

    Args:
        corpus: the texts.
        splits: rows that train, choose and test.
        setup: S1 to S6.
        settings: settings of the networks.
        seeds: seeds of parameters and order.
        criterion: the criterion of the ratings.
        rule: like `parts`, see `training_set`.
        parts: see `training_set`.
        device: see `train_network`.
    """
    from referenceless_papers.gru_estimator.training import Task, predict, train_network

    estimates = []
    for number, split in enumerate(splits):
        made = training_set(corpus, split, setup, criterion=criterion, rule=rule, parts=parts, seed=number)
        vocabulary, examples, dev, test = encoded(corpus, split, made, settings, criterion)
        values, best_pass = [], []
        for seed in seeds:
            task = Task(examples, len(made.real), dev, vocabulary.sizes, seed)
            network, chosen = train_network(task, settings, device=device)
            values.append(predict(network, test))
            best_pass.append(chosen)
        estimates.append(SplitEstimates(split.test, np.stack(values), len(made), np.array(best_pass)))
    return estimates
