"""What advice leads to expect is what texts that it has not seen then show; of noise it warns."""

from __future__ import annotations

import numpy as np
import pytest
from numpy.random import default_rng
from referenceless_metrics.advice.measure import Candidate
from scipy.stats import spearmanr

from metric_commons.assessment.meta_evaluation import fisher_interval
from metric_commons.files.tables import RatedTexts
from referenceless_metrics.advice import advise as module

TEXTS = ["x" * length for length in range(1, 251)]
LENGTHS = np.arange(1.0, 251.0)


class _Line:
    """Ratings as a line through the lengths."""

    signature = "line"

    def __init__(self, texts: list[str], ratings: np.ndarray) -> None:
        self.slope, self.start = np.polyfit([len(text) for text in texts], ratings, 1)

    def predict(self, texts):
        class Result:
            values = np.array([self.start + self.slope * len(text) for text in texts])

        return Result()


@pytest.fixture(autouse=True)
def one_candidate(monkeypatch):
    line = Candidate("line", "", _Line, "")
    monkeypatch.setattr(module, "candidates", lambda *_, **__: [line])


def split(generator, r):
    z = (LENGTHS - LENGTHS.mean()) / LENGTHS.std()
    ratings = r * z + np.sqrt(1 - r * r) * generator.normal(size=250)
    order = generator.permutation(250)
    rated, held = order[:200], order[200:]
    return RatedTexts([TEXTS[i] for i in rated], ratings[rated]), [TEXTS[i] for i in held], ratings[held]


@pytest.mark.parametrize("r", [0.2, 0.5])
def test_it_is_what_a_held_out_fifth_shows(r):
    generator = default_rng(7)
    inside, warned = 0, 0
    for _ in range(25):
        rated, texts, ratings = split(generator, r)
        advice = module.advise(rated)
        seen = float(spearmanr(advice.metric.predict(texts).values, ratings).statistic)
        low, high = fisher_interval(seen, len(texts), variance=1 + seen**2 / 2)
        inside += low <= advice.expected <= high
        warned += advice.warns
    assert inside >= 21
    assert warned <= (5 if r < 0.5 else 0)


def test_noise_is_warned_of():
    generator = default_rng(8)
    assert sum(module.advise(split(generator, 0.0)[0]).warns for _ in range(40)) >= 30
