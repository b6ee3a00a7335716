"""Gain of a generator that climbs on BLEU Neighbors (gaming; Ethayarajh & Sadigh 2020, Section 6).

They suggest to draw a part of the pool anew at each evaluation. A hill-climber edits a text step by step and keeps the
edit that the metric likes best. Its gain on the pool that it climbs on is compared with the values of the same texts by
a pool that it never sees, an estimator of other ratings, and Fluency.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from pathlib import Path

import numpy as np

from bleu_neighbors_metric.estimator import BLEUNeighbors
from bleu_neighbors_metric.tuning.parts import estimates_in_parts
from quality_estimation_metric.estimator import QualityEstimator
from referenceless_metrics.assessment.folds import random_folds
from referenceless_metrics.assessment.learning_curve import draw_members
from referenceless_metrics.core.support.validation import Floats
from referenceless_papers.common.cells import PartResult, Table
from referenceless_papers.public_table.rated_sets import rated_sets
from slor_metric.fluency import Fluency

_STEPS, _EDITS, _STARTS, _LONGEST_COPY = 15, 8, 60, 4
_SEED = 12345

Reward = Callable[[list[str], int], Floats]


def edits_of(text: str, pool: Sequence[str], generator: np.random.Generator, n: int = _EDITS) -> list[str]:
    """Return n edits of a text: words swapped, dropped, or an n-gram of a rated text put in a place.

    >>> edits_of("a b", ["x"], np.random.default_rng(0), 3)
    ['b a', 'a', 'a b x']
    """
    found = []
    for _ in range(n):
        words = text.split()
        place, kind = int(generator.integers(len(words) + 1)), int(generator.integers(4))
        if kind == 0 and len(words) > 1:
            left = min(place, len(words) - 2)
            words[left : left + 2] = words[left : left + 2][::-1]
        elif kind == 1 and len(words) > 1:
            del words[min(place, len(words) - 1)]
        else:
            other = pool[int(generator.integers(len(pool)))].split()
            size = int(generator.integers(1, _LONGEST_COPY + 1))
            begin = int(generator.integers(max(1, len(other) - size + 1)))
            end = place + (size if kind == 2 else 0)  # in place of as many words, or between two
            words[place:end] = other[begin : begin + size]
        found.append(" ".join(words))
    return found


def climb(texts: Sequence[str], pool: Sequence[str], reward: Reward, seed: int = _SEED) -> list[str]:
    """Return texts after some steps, each of which takes the edit with the highest reward, or none.

    Args:
        texts: the texts to begin with.
        pool: texts whose n-grams are copied.
        reward: function from texts and the number of the step to their values; NaN loses against any value.
        seed: seed of the edits.
    """
    generator, now = np.random.default_rng(seed), list(texts)
    for step in range(_STEPS):
        offers = [[text, *edits_of(text, pool, generator)] for text in now]
        values = reward([offer for own in offers for offer in own], step).reshape(len(now), -1)
        best = np.where(np.isnan(values), -np.inf, values).argmax(axis=1)
        now = [own[place] for own, place in zip(offers, best, strict=True)]
    return now


def gaming(data_dir: Path) -> PartResult:
    """Measure the gain of hill-climbing against a fixed, a subsampled and a hidden pool."""
    rated = next(one for one in rated_sets(data_dir, ("nlg-ratings",)) if one.name == "nlg-ratings SFRES, quality")
    fold = random_folds(rated.items, 4, _SEED)
    seen, hidden, judge, others = (rated.rows(np.flatnonzero(fold == number)) for number in range(4))
    metric, unseen = (BLEUNeighbors(progress=False).fit(part.texts, part.ratings) for part in (seen, hidden))
    estimator = QualityEstimator().fit(judge.texts, judge.ratings, groups=judge.items.tolist())
    starts = [others.texts[row] for row in np.argsort(others.ratings, kind="stable")[:_STARTS]]
    best = [seen.texts[row] for row in np.argsort(-seen.ratings, kind="stable")[:_STARTS]]

    def drawn(texts: list[str], step: int) -> Floats:
        n = len(metric.texts_)
        members = draw_members(n, [round(0.25 * n)], np.random.default_rng(step))
        return estimates_in_parts(metric, members, texts)[:, 0]

    ways: dict[str, tuple[Sequence[str], Reward | None]] = {
        "the texts as they were": ([], None),
        "climbing on the whole pool": (seen.texts, lambda texts, _: metric.predict(texts).values),
        "climbing, a quarter of the pool drawn at each step": (seen.texts, drawn),
        "climbing on the whole pool, n-grams of its best texts": (best, lambda texts, _: metric.predict(texts).values),
    }
    rows = []
    for name, (copied, reward) in ways.items():
        texts = starts if reward is None else climb(starts, copied, reward)
        rows.append(
            {
                "texts": name,
                "pool climbed on": _mean(metric.predict(texts).values),
                "hidden pool": _mean(unseen.predict(texts).values),
                "held-out estimator": _mean(estimator.predict(texts).values),
                "Fluency": _mean(Fluency().predict(texts).values),
                "words": float(np.mean([len(text.split()) for text in texts])),
            }
        )
    return PartResult(
        tables=[Table("Means over the same texts before and after", tuple(rows))],
        notes=[
            f"nlg-ratings SFRES, quality (1 to 6), four quarters of the MRs: the pool, a hidden pool, the held-out "
            f"estimator's ratings, and the {_STARTS} lowest-rated texts of the rest, from which the climb starts: "
            f"{_STEPS} steps, the best of {_EDITS} random edits (swapped, dropped and copied words).",
            "A gain that the hidden pool, the estimator or Fluency does not share is no better text.",
        ],
    )


def _mean(values: Floats) -> float:
    return float(np.nanmean(values))
