"""The packaged estimator: quality of generated texts about restaurants and hotels, made anew by one command.

It is trained on the ratings of SFHOT and SFRES (Novikova et al. 2017), whose licences allow that its weights are handed
on. It holds n-grams that occur in several rated texts, with a weight each, and no text.
"""

from __future__ import annotations

import hashlib
import os
import warnings
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from quality_estimation_metric.estimator import QualityEstimator
from quality_estimation_metric.kernel_model.model import KernelModel
from quality_estimation_metric.model_files.file import Domain
from referenceless_metrics.assessment.conformal import ErrorScale
from referenceless_metrics.assessment.meta_evaluation import pearson
from referenceless_metrics.core.support.validation import Floats

DOMAIN = Domain("restaurants and hotels", 0.75)
"""Domain of the packaged model, and its threshold: the least multiple of 0.05 at which at most 5 % of the texts of a
domain that was left out are lost, 0.3 % of hotels and 2.3 % of restaurants (see `across`); texts of other kinds were
not looked at."""

DOMAINS = {"SFHOT": "hotels", "SFRES": "restaurants"}
_LEAST = 3  # texts that an n-gram must occur in: rarer ones hardly help, and could be stitched together to a text
_BITS = 14  # of every number's mantissa: another machine's last bits must not make another file


class PackagedEstimator(QualityEstimator):
    """A `QualityEstimator` whose model holds n-grams of several texts only, in numbers of few bits."""

    min_df = _LEAST

    def _fit_model(self, *inputs: Any) -> KernelModel:
        model: KernelModel = super()._fit_model(*inputs)
        return replace(
            model,
            weights={kind: coarse(weights) for kind, weights in model.weights.items()},
            centre=coarse(model.centre),
            spread=coarse(model.spread),
            feature_weights=coarse(model.feature_weights),
            intercept=float(coarse(model.intercept)),
            scale=ErrorScale(coarse(model.scale.weights), float(coarse(model.scale.mean))),
            quotients=coarse(model.quotients),
            left_out=coarse(model.left_out),
        )


@dataclass(frozen=True)
class Rated:
    """The rows that the packaged estimator learns from.

    Attributes:
        texts: n outputs.
        sources: their meaning representations.
        ratings: median quality, 1 to 6, shape (n,).
        domains: `hotels` or `restaurants`, shape (n,).
    """

    texts: list[str]
    sources: list[str]
    ratings: Floats
    domains: NDArray[np.str_]

    def rows(self, domain: str) -> tuple[list[str], Floats, list[str]]:
        """Return texts, ratings and sources of one domain."""
        chosen = np.flatnonzero(self.domains == domain)
        return [self.texts[row] for row in chosen], self.ratings[chosen], [self.sources[row] for row in chosen]


def read_rated(medians: str | os.PathLike[str]) -> Rated:
    """Read the rated outputs of hotels and restaurants from `emnlp_data_medians.csv`.

    Raises:
        FileNotFoundError: if there is no such file.
        InputError: for a malformed file.
    """
    from referenceless_metrics.datasets.nlg_ratings import read_medians

    path = Path(medians)
    rows = [row for row in read_medians(path.read_bytes(), str(path)) if row["dataset"] in DOMAINS]
    return Rated(
        [row["text"] for row in rows],
        [row["mr"] for row in rows],
        np.array([row["quality"] for row in rows], dtype=np.float64),
        np.array([DOMAINS[row["dataset"]] for row in rows]),
    )


def train_default(
    medians: str | os.PathLike[str], output: str | os.PathLike[str], *, evaluate: bool = True
) -> dict[str, Any]:
    """Make the packaged estimator anew, byte for byte, and measure it.

    Args:
        medians: the study's file `emnlp_data_medians.csv`.
        output: the file to write.
        evaluate: whether to cross-validate, which takes ten fits more, and to estimate each domain from the other.

    Returns:
        The path and the measurements, in plain numbers.
    """
    rated = read_rated(medians)
    estimator = PackagedEstimator().fit(rated.texts, rated.ratings, sources=rated.sources)
    estimator.domain_ = DOMAIN
    estimator.save(output, texts=False)
    content = Path(output).read_bytes()
    report: dict[str, Any] = {
        "signature": estimator.signature,
        "n_texts": estimator.n_texts_,
        "bytes": len(content),
        "sha256": hashlib.sha256(content).hexdigest(),
    }
    if evaluate:
        report |= estimator.evaluate().as_dict()
        report["across_domains"] = [across(rated, "hotels", "restaurants"), across(rated, "restaurants", "hotels")]
    return report


def across(rated: Rated, learned: str, tested: str) -> dict[str, Any]:
    """Estimate one domain from the ratings of the other."""
    texts, ratings, sources = rated.rows(learned)
    estimator = PackagedEstimator().fit(texts, ratings, sources=sources)
    texts, truth, sources = rated.rows(tested)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", UserWarning)  # of slots that the other domain does not have
        values = estimator.predict(texts, sources=sources).values
        estimator.domain_ = DOMAIN
        lost = 1 - estimator.predict(texts, sources=sources).coverage
    return {
        "learned": learned,
        "tested": tested,
        "lost": lost,
        "pearson": pearson(values, truth),
        "rmse": _rmse(values, truth),
        "constant_rmse": _rmse(ratings.mean(), truth),
    }


def coarse(values: Any) -> Any:
    """Round numbers to so many bits of the mantissa that the last bits of another processor are gone.

    >>> float(coarse(1 + 1e-9)), float(coarse(0.1))
    (1.0, 0.0999984741...)
    """
    mantissa, exponent = np.frexp(values)
    return np.ldexp(np.round(np.ldexp(mantissa, _BITS)), exponent - _BITS)


def _rmse(values: Any, truth: Floats) -> float:
    return float(np.sqrt(np.mean((values - truth) ** 2)))
