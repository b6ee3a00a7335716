"""HUSE against a literal twin, at its ends, and on the published data."""

import numpy as np
import pandas as pd
from hypothesis import given, settings
from hypothesis import strategies as st
from refusals import refusals

from bleu_neighbors_metric.example import example_pool
from referenceless_metrics.huse.score import HUSE, huse_score, leave_one_out_errors


def twin(points, labels, k):
    """Leave each point out, sort the distances to the others, let all up to the (k + 1)-th vote."""
    wrong = 0
    for i, point in enumerate(points):
        others = [
            (sum((a - b) ** 2 for a, b in zip(point, other, strict=True)), label)
            for j, (other, label) in enumerate(zip(points, labels, strict=True))
            if j != i
        ]
        cut = sorted(distance for distance, _ in others)[k]
        votes = [label for distance, label in others if distance <= cut]
        wrong += (sum(votes) > len(votes) / 2) != labels[i]
    return wrong / len(points)


@given(
    data=st.lists(st.tuples(st.integers(0, 5), st.integers(0, 5), st.booleans()), min_size=5, max_size=25),
    k=st.integers(1, 3),
)
@settings(deadline=None)
def test_errors_are_those_of_the_twin(data, k):
    points = [(float(x), float(y)) for x, y, _ in data]
    labels = [label for _, _, label in data]
    assert leave_one_out_errors(np.array(points), np.array(labels), k).mean() == twin(points, labels, k)


def sample(ratings, probability, n=300):
    """Return texts of people, and of a model that is so much worse and so much more probable."""
    rng = np.random.default_rng(0)
    judgements = np.r_[rng.normal(0, 1, n), rng.normal(-ratings, 1, n)]
    return judgements, np.r_[rng.normal(0, 1, n), rng.normal(probability, 1, n)], np.arange(2 * n) >= n


def test_ends_and_parts():
    same = huse_score(*sample(0, 0))
    assert 0.85 < same["huse"] < 1.15
    assert 0.85 < same["huse_q"] < 1.15
    assert all(low < same[name] < high for name, (low, high) in same["intervals"].items())
    worse = huse_score(*sample(5, 0))
    assert worse["huse"] < 0.1
    assert worse["huse_q"] < 0.1
    assert worse["huse_d"] > 0.9
    narrow = huse_score(*sample(0, 5))
    assert narrow["huse"] < 0.1
    assert narrow["huse_q"] > 0.85
    assert narrow["huse_d"] < 0.25


ONE, TWENTY = [list(range(20))] * 2, ["a b"] * 20


test_bad_input = refusals(
    lambda judgements, logprobs, outputs, people: HUSE(judgements, logprobs).compute(outputs, people),
    [
        ([[1, 2]] * 2, [[1, 2]] * 2, ["a"] * 2, ["a"] * 2, "HUSE needs at least 17 texts with quality .*, but got 4"),
        (ONE, [[1.0] * 20] * 2, TWENTY, TWENTY, "to vary: otherwise nothing can be told apart"),
        (ONE, ONE, TWENTY, TWENTY[1:], "as many texts of people as outputs, but got 19 and 20"),
        (ONE, [[1, 2]] * 2, TWENTY, TWENTY, "`logprobs` to have one value for each of the 40 texts, but got 4"),
        (ONE, ONE, "a bare string", TWENTY, "`outputs`", TypeError),
    ],
)


def test_estimates_leave_texts_of_the_pool_out(tmp_path):
    rated = example_pool()
    pd.DataFrame({"text": rated.texts[::2], "rating": rated.ratings[::2]}).to_csv(tmp_path / "pool.csv", index=False)
    result = HUSE(str(tmp_path / "pool.csv"), "word").compute(rated.texts[:48], rated.texts[48:])
    assert 0.2 < result["coverage"] <= 0.5  # half of the texts are in the pool
