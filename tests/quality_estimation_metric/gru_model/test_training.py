from dataclasses import replace

import numpy as np
import pytest
from numpy.random import default_rng
from numpy.testing import assert_allclose, assert_array_equal
from scipy.stats import pearsonr, spearmanr

pytest.importorskip("torch")

from quality_estimation_metric.gru_model.inputs import Examples, GRUSettings, Prepared, Vocabulary
from quality_estimation_metric.gru_model.training import Task, predict_stack, selection_cost, train_stack

WORDS = "good bad place food x".split()
SMALL = GRUSettings(
    embedding=8, units=8, passes=6, batch_size=10, max_words=6, max_items=1, dropout=0.1, learning_rate=0.02
)


def made(n, seed, settings=SMALL):
    rng = default_rng(seed)
    texts = [rng.choice(WORDS, rng.integers(1, 6)).tolist() for _ in range(n)]
    ratings = [3.0 + text.count("good") - text.count("bad") for text in texts]
    items = (("a", "b", "c"),)
    vocabulary = Vocabulary.of([Prepared(tuple(WORDS), items)])
    return vocabulary.encode([Prepared(tuple(text), items) for text in texts], ratings, settings), vocabulary


def task(seed=0, n=80, settings=SMALL, n_real=None):
    examples, vocabulary = made(n, 1, settings)
    return Task(examples, n_real or n, made(40, 2, settings)[0], vocabulary.sizes, seed)


@pytest.mark.parametrize("padding", ["skip", "read"])
def test_networks_learn(padding):
    settings = replace(SMALL, padding=padding)
    test, _ = made(50, 3, settings)
    parameters, best_pass = train_stack([task(0, settings=settings), task(1, settings=settings)], settings)
    for values in predict_stack(parameters, settings, [test, test]):
        assert np.corrcoef(values, test.ratings)[0, 1] > 0.7
    assert ((best_pass >= 1) & (best_pass <= 6)).all()


def trained_estimates(tasks, settings, tests):
    return predict_stack(train_stack(tasks, settings)[0], settings, tests)


def test_training_repeats():
    test, _ = made(20, 3)
    first, second = (trained_estimates([task(4)], replace(SMALL, passes=2), [test])[0] for _ in range(2))
    assert_array_equal(first, second)


def test_synthetic_texts_are_seen_in_the_first_passes_alone():
    test, _ = made(20, 3)
    settings = replace(SMALL, passes=3, synthetic_batch_size=20)
    real = Examples(**{name: values[:30] for name, values in vars(task().examples).items()})

    def estimates(synthetic_passes, tasks):
        return trained_estimates(tasks, replace(settings, synthetic_passes=synthetic_passes), [test] * len(tasks))

    alone = [replace(task(seed), examples=real, n_real=30) for seed in (0, 1)]
    with_synthetic = [task(seed, n_real=30) for seed in (0, 1)]
    for never, without in zip(estimates(0, with_synthetic), estimates(1, alone), strict=True):
        assert_allclose(never, without, atol=1e-5)
    assert not np.allclose(estimates(1, with_synthetic)[0], estimates(1, alone)[0], atol=1e-3)


def test_estimates_do_not_depend_on_their_batch():
    test, _ = made(30, 5)
    parameters, _ = train_stack([task()], replace(SMALL, passes=1))
    (whole,) = predict_stack(parameters, SMALL, [test])
    for row in (0, 7, 29):
        part = Examples(*(getattr(test, name)[row : row + 1] for name in ("words", "meanings", "ratings", "lengths")))
        assert_allclose(predict_stack(parameters, SMALL, [part])[0], whole[row : row + 1], atol=1e-5)


def test_the_cost_of_a_pass():
    rng = default_rng(0)
    estimates, ratings = rng.normal(3.5, 2, 50), rng.integers(2, 13, 50) / 2
    clipped = np.clip(estimates, 1, 6)
    expected = -100 * pearsonr(clipped, ratings)[0] - 100 * spearmanr(clipped, ratings)[0]
    expected += 0.1 * np.abs(clipped - ratings).mean() + 0.1 * 2.0
    assert selection_cost(estimates, ratings, 2.0) == pytest.approx(expected)
    assert selection_cost(np.full(50, 9.0), ratings, 0.0) == pytest.approx(0.1 * np.abs(6 - ratings).mean())
