"""HUSE against a literal twin, at its ends, and on the published data."""

from __future__ import annotations

import re
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from referenceless_papers.ethayarajh.huse_score import huse_score, leave_one_out_error


def twin(points: list[tuple[float, ...]], labels: list[bool], k: int) -> float:
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
def test_errors_are_those_of_the_twin(data: list[tuple[int, int, bool]], k: int) -> None:
    points = [(float(x), float(y)) for x, y, _ in data]
    labels = [label for _, _, label in data]
    assert leave_one_out_error(np.array(points), np.array(labels), k) == twin(points, labels, k)


def sample(ratings: float, probability: float, n: int = 300) -> Any:
    """Return texts of people, and of a model that is so much worse and so much more probable."""
    rng = np.random.default_rng(0)
    judgements = np.r_[rng.normal(0, 1, n), rng.normal(-ratings, 1, n)]
    logs = np.r_[rng.normal(0, 1, n), rng.normal(probability, 1, n)] * 10
    return judgements, logs, np.full(2 * n, 10), np.arange(2 * n) >= n


def test_ends_and_parts() -> None:
    same = huse_score(*sample(0, 0))
    assert 0.85 < same.huse < 1.15
    assert 0.85 < same.huse_q < 1.15
    worse = huse_score(*sample(5, 0))
    assert worse.huse < 0.1
    assert worse.huse_q < 0.1
    assert worse.huse_d > 0.9
    narrow = huse_score(*sample(0, 5))
    assert narrow.huse < 0.1
    assert narrow.huse_q > 0.85
    assert narrow.huse_d < 0.25
    assert (same.n_model, same.n_human) == (300, 300)


def test_units_change_nothing_and_impossible_texts_count() -> None:
    judgements, logs, lengths, model = sample(1, 1, 60)
    assert huse_score(judgements * 5, logs * 3, lengths, model) == huse_score(judgements, logs, lengths, model)
    logs[3] = -np.inf
    finite = logs.copy()
    finite[3] = -1000
    assert huse_score(judgements, logs, lengths, model) == huse_score(judgements, finite, lengths, model)


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"judgements": [0.5] * 40}, "`judgements` to vary, but all values are 0.5"),
        ({"log_probabilities": [-10.0] * 40}, "`log_probabilities` to vary"),
        ({"log_probabilities": [1.0]}, "`log_probabilities` to have one value for each of the 40 texts, but got 1"),
        ({"lengths": [0] * 40}, "`lengths` to be at least 1, but got 0"),
        ({"is_model": [True] * 40}, "all are of one kind"),
        ({"is_model": [1] * 40}, "`is_model` to hold 40 booleans"),
        ({"n_neighbors": 39}, "needs at least 41 texts, but got 40"),
        ({"n_neighbors": 0}, "`n_neighbors`"),
    ],
)
def test_bad_input(change: dict[str, Any], message: str) -> None:
    names = ("judgements", "log_probabilities", "lengths", "is_model")
    arguments: dict[str, Any] = dict(zip(names, sample(1, 1, 20), strict=True))
    with pytest.raises(ValueError, match=re.escape(message)):
        huse_score(**{**arguments, **change})


def test_the_published_summarisation_data(data_dir: Any) -> None:
    from metric_commons.datasets import load

    rows = load("huse", "summarization", data_dir=str(data_dir("huse")), split="train")
    score = huse_score(
        rows["rating"][:],
        rows["log_probability"][:],
        [len(text.split(" ")) for text in rows["text"]],
        np.array([source == "model" for source in rows["source"]]),
    )
    # What the authors' own classifier gives on this file.
    assert (score.huse, score.huse_q, score.huse_d) == pytest.approx((0.53, 0.60, 0.93))
    assert (score.n_model, score.n_human) == (100, 100)
