"""Preferences as ratings: models that learn from pairs of texts, of which people prefer one, beside models of ratings.

Fluency learns from ratings alone: a version that learned from pairs ordered no more of them right than ratings did
(GUG .753, as without any; USR .670 beside .689).

Pairs are made of rated texts: of two, people prefer the one that they rated higher.
"""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path

import numpy as np
import pandas as pd

from quality_estimation_metric.estimator import QualityEstimator
from referenceless_metrics.core.support.validation import Floats, Integers
from referenceless_papers.common.cells import PartResult, Table
from slor_metric.fluency.metric import Fluency, FluencyNgram

_WAYS: dict[str, Callable[[], QualityEstimator | Fluency]] = {
    "quality estimation": QualityEstimator,
    "Fluency()": Fluency,
    "FluencyNgram": FluencyNgram,
}


def draw_pairs(rows: Integers, ratings: Floats, n: int, rng: np.random.Generator) -> Integers:
    """Return the better and the worse text of n pairs drawn at random, less those that are rated alike, shape (2, m).

    >>> drawn = draw_pairs(np.array([0, 1]), np.array([3.0, 1.0]), 50, np.random.default_rng(0))
    >>> np.unique(drawn, axis=1).tolist()
    [[0], [1]]
    """
    one, other = rng.choice(rows, (2, n))
    one, other = np.compress(ratings[one] != ratings[other], (one, other), axis=1)
    swapped = ratings[one] < ratings[other]
    return np.stack([np.where(swapped, other, one), np.where(swapped, one, other)])


def preferences(data_dir: Path) -> PartResult:
    """Measure the share of held-out pairs in the right order, taught by pairs, by ratings, and by neither."""
    rng = np.random.default_rng(0)
    gug = pd.read_csv(data_dir / "gug" / "gug_annotations.tsv", sep="\t", keep_default_na=False)
    splits = [np.flatnonzero(gug["Dataset"] == name) for name in ("train", "dev")]
    texts, ratings = gug["Sentence"].tolist(), gug["Average"].to_numpy(np.float64)
    learned = rng.choice(splits[0], 300, replace=False)
    taught, held = draw_pairs(learned, ratings, 360, rng), draw_pairs(splits[1], ratings, 4000, rng)
    rows = _rows("GUG", texts, ratings, learned, taught, held)
    rng = np.random.default_rng(0)
    usr = json.loads((data_dir / "usr" / "topical_chat.json").read_text("utf-8"))
    texts = [row["system_output"].strip() for row in usr]
    ratings = np.array([row["scores"]["naturalness"] for row in usr])
    learned, rest = np.split(rng.permutation(len(texts)), [180])
    taught, held = draw_pairs(learned, ratings, 400, rng), draw_pairs(rest, ratings, 5000, rng)
    rows += _rows("USR, naturalness", texts, ratings, learned, taught, held)
    return PartResult(
        tables=[Table("Share of held-out pairs in the right order", tuple(rows))],
        notes=[
            "GUG: 300 texts of its training part, and pairs of its development part; USR: 180 texts, and pairs of the "
            "other 180. The pairs that teach are of the texts whose ratings do."
        ],
    )


def _rows(
    name: str, texts: list[str], ratings: Floats, learned: Integers, taught: Integers, held: Integers
) -> list[dict[str, str | float]]:
    better, worse = ([texts[row] for row in side] for side in taught)
    own = [texts[row] for row in learned]
    judged = np.unique(held)

    def right(metric: QualityEstimator | Fluency) -> float:
        values = np.full(len(texts), np.nan)
        values[judged] = metric.predict([texts[row] for row in judged]).values
        one, other = np.nan_to_num(values[held], nan=-np.inf)
        return float(np.mean((one > other) + 0.5 * (one == other)))

    return [
        {
            "set": name,
            "way": way,
            "pairs that teach": taught.shape[1],
            "held-out pairs": held.shape[1],
            "from pairs": right(QualityEstimator().fit_preferences(better, worse))
            if make is QualityEstimator
            else np.nan,
            "from ratings": right(make().fit(own, ratings[learned])),
            "from neither": float("nan") if make is QualityEstimator else right(make()),
        }
        for way, make in _WAYS.items()
    ]
