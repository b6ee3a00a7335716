from dataclasses import replace

import numpy as np
import pytest
from lazily import lazily
from numpy.random import default_rng

from referenceless_papers.gru_estimator.inputs import GRUSettings, Prepared, Vocabulary

torch = lazily("torch")
training = lazily("referenceless_papers.gru_estimator.training")


WORDS = "good bad place food x".split()
SMALL = GRUSettings(
    embedding=8, units=8, passes=6, batch_size=10, max_words=6, max_items=1, dropout=0.1, learning_rate=0.02
)


def made(n, seed, settings):
    rng = default_rng(seed)
    texts = [rng.choice(WORDS, rng.integers(1, 6)).tolist() for _ in range(n)]
    ratings = [3.0 + text.count("good") - text.count("bad") for text in texts]
    items = (("a", "b", "c"),)
    vocabulary = Vocabulary.of([Prepared(tuple(WORDS), items)])
    return vocabulary.encode([Prepared(tuple(text), items) for text in texts], ratings, settings), vocabulary


@pytest.mark.long
@pytest.mark.parametrize("padding", ["skip", "read"])
def test_networks_learn(padding):
    settings = replace(SMALL, padding=padding)
    test, _ = made(50, 3, settings)
    examples, vocabulary = made(80, 1, settings)
    task = training.Task(examples, 80, made(40, 2, settings)[0], vocabulary.sizes, 0)
    network, best_pass = training.train_network(task, settings)
    assert np.corrcoef(training.predict(network, test), test.ratings)[0, 1] > 0.7
    assert 1 <= best_pass <= 6
