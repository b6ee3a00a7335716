"""Use of ratings of other systems for a system: intervals made from them alone, against people's ratings.

WebNLG 2020, English (Castro Ferreira et al. 2020), 16 systems: each system's mean human rating is estimated as if none
of its outputs had been rated. The estimates are from all other systems' ratings, and so is their bias.
"""

from __future__ import annotations

import os
from collections import defaultdict
from dataclasses import dataclass
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from bleu_neighbors_metric.estimator import BLEUNeighbors
from bleu_neighbors_metric.tuning.calibration import EVERY_TEXT
from referenceless_metrics.core.files.text_io import read_table
from referenceless_metrics.human_evaluation.inference.estimated_means import LEVEL
from referenceless_papers.claims.simulation import means

QUALITIES = ("fluency", "correctness")
N_RATED = 300


@dataclass(frozen=True)
class OtherSystems:
    """Share in which intervals from other systems' ratings held a system's mean rating.

    Attributes:
        n_systems: number of systems.
        covered: for each quality, the share of systems whose mean was in its interval.
        level: nominal level of the intervals.
    """

    n_systems: int
    covered: dict[str, float]
    level: float

    @property
    def mean(self) -> float:
        """The share over all qualities."""
        return float(np.mean(list(self.covered.values())))


def read_outputs(data_dir: str | os.PathLike[str], quality: str) -> dict[str, tuple[list[str], NDArray[np.float64]]]:
    """Read each system's outputs with the mean of their ratings, by the system's name.

    Args:
        data_dir: the folder that holds `webnlg-2020/`.
        quality: the column of the ratings.

    Raises:
        InputError: for a missing file.
    """
    table = read_table(str(Path(data_dir) / "webnlg-2020" / "judgements_en.csv"))
    given: dict[tuple[str, str], list[float]] = defaultdict(list)
    texts: dict[tuple[str, str], str] = {}
    for row, rating in zip(table.rows, table.numbers(quality, quality).tolist(), strict=True):
        key = row["system"], row["item"]
        given[key].append(rating)
        texts.setdefault(key, row["text"])
    systems: dict[str, tuple[list[str], list[float]]] = defaultdict(lambda: ([], []))
    for key, ratings in given.items():
        systems[key[0]][0].append(texts[key])
        systems[key[0]][1].append(float(np.mean(ratings)))
    return {name: (own, np.array(means)) for name, (own, means) in systems.items()}


def from_other_systems(data_dir: str | os.PathLike[str], *, n_draws: int = 100, seed: int = 0) -> OtherSystems:
    """Estimate each system's mean rating from ratings of others, by prediction-powered inference with λ = 1.

    Each system is estimated from all ratings of the others, and so are those; `N_RATED` of the others' outputs, drawn
    at random, then give the error of such estimates.

    Args:
        data_dir: the folder that holds `webnlg-2020/`.
        n_draws: number of these draws for each system.
        seed: seed of the draws.
    """
    generator = np.random.default_rng(seed)
    covered: dict[str, float] = {}
    n_systems = 0
    for quality in QUALITIES:
        systems = read_outputs(data_dir, quality)
        n_systems = len(systems)
        estimates = {}
        for name, (texts, _) in systems.items():
            pool = [text for other, (own, _) in systems.items() if other != name for text in own]
            ratings = np.concatenate([own for other, (_, own) in systems.items() if other != name])
            metric = BLEUNeighbors(**EVERY_TEXT, n_jobs=-1, progress=False).fit(pool, ratings)
            values = metric.predict(texts).values
            estimates[name] = np.where(np.isnan(values), ratings.mean(), values)
        held = 0
        for name, (_, truth) in systems.items():
            others = [other for other in systems if other != name]
            ratings = np.concatenate([systems[other][1] for other in others])
            of_others = np.concatenate([estimates[other] for other in others])
            for _ in range(n_draws):
                drawn = generator.choice(len(ratings), N_RATED, replace=False)
                mean, _ = means(ratings[drawn], of_others[drawn], estimates[name], power=1.0)
                low, high = mean.interval(LEVEL)
                held += low <= truth.mean() <= high
        covered[quality] = held / (n_systems * n_draws)
    return OtherSystems(n_systems, covered, LEVEL)
