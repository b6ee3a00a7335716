"""Choice of the weights of `Fluency`: chosen on eight rated sets of one vote each, and measured on a set left out.

The criterion is the mean over the sets of Pearson's r between score and rating (CoLA's ratings are 0 and 1).
"""

from __future__ import annotations

import csv
import hashlib
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
from numpy.typing import ArrayLike
from scipy.optimize import minimize

from referenceless_metrics.core.support.validation import Floats
from referenceless_papers.public_table.rated_sets import rated_sets
from slor_metric.estimator import SLOR
from slor_metric.fluency.constants import packaged_constants
from slor_metric.fluency.features import FeatureReader
from slor_metric.fluency.sentences import NO_FULL_STOP, read_sentences
from slor_metric.language_models.known import MAX_UNKNOWN
from slor_metric.language_models.prose import packaged_prose

#: Sets that share a source leave together.
_TOGETHER = (frozenset({"GUG train", "GUG dev"}),)
#: Cost of a missing full stop, as packaged.
_STOP, _STOP_COST = "no full stop", 0.15
#: The parts that have one weight each in the second choice.
PARTS = (
    ("pieces", "words", "classes", "worst", "repetitions"),
    ("piece_odds", "word_odds", "least_piece", "least_word", "lowest_classes"),
    *(("small",), ("faults",), ("misspellings",), ("end",), (_STOP,)),
)
_Texts = tuple[list[str], Floats]
_Parts = tuple[Floats, Floats]


@dataclass(frozen=True, eq=False)
class Features:
    """The features of n rated texts of a set.

    Attributes:
        values: shape (n, k).
        ratings: shape (n,).
    """

    values: Floats
    ratings: Floats

    def correlations(self) -> Floats:
        """Return the covariances of the features and, last, the ratings, shape (k + 1, k + 1)."""
        return np.asarray(np.cov(np.column_stack([self.values, self.ratings]).T))


def development_sets(data: Path) -> dict[str, _Texts]:
    """Read the sets from the folder that holds gug, fluency, cola, lau-2015, nlg-ratings, webnlg-2020, e2e-ratings."""
    gug = pd.read_csv(data / "gug" / "gug_annotations.tsv", sep="\t", quoting=csv.QUOTE_NONE)
    cola = pd.read_csv(data / "cola" / "in_domain_train.tsv", sep="\t", quoting=csv.QUOTE_NONE, header=None)
    lau = pd.read_csv(data / "lau-2015" / "wikipedia_100.tsv", sep="\t")
    found = {rated.name: (rated.texts, rated.ratings) for rated in rated_sets(data, _FOLDERS)}
    naturalness = [rated for name, rated in found.items() if name.startswith("nlg-ratings") and "naturalness" in name]
    parts = {f"GUG {part}": gug[gug["Dataset"] == part] for part in ("train", "dev")}
    return {
        **{name: (part["Sentence"].tolist(), part["Average"].to_numpy(float)) for name, part in parts.items()},
        "Simplicity-DA": found["Simplicity-DA, fluency"],
        "CoLA": (cola[3].tolist(), cola[1].to_numpy(float)),
        "Lau 2015": (lau["sentence"].tolist(), lau["rating"].to_numpy(float)),
        "nlg-ratings": (
            [text for texts, _ in naturalness for text in texts],
            np.concatenate([y for _, y in naturalness]),
        ),
        "WebNLG 2020": found["WebNLG 2020, fluency"],
        "E2E": found["E2E, naturalness"],
    }


_FOLDERS = ("fluency", "nlg-ratings", "webnlg-2020", "e2e-ratings")


def read_features(reader: FeatureReader, texts: Sequence[str], ratings: Floats, cache: Path) -> Features:
    """Return the features of the texts that have a score; read before, they come from the folder `cache`."""
    sentences = read_sentences(texts)
    key = hashlib.sha256("\n".join([reader.signature, *sentences.read]).encode("utf-8", "replace")).hexdigest()[:16]
    path = cache / f"{key}.npy"
    if path.exists():
        values = np.load(path, allow_pickle=False)
    else:
        values = reader.read(sentences.read, spare_names=True).values
        cache.mkdir(parents=True, exist_ok=True)
        np.save(path, values)
    stops = -np.array([note == NO_FULL_STOP for note in sentences.notes], dtype=float)
    starts = np.flatnonzero(np.diff(sentences.of_text, prepend=-1))
    counts = np.bincount(sentences.of_text)[:, None]
    of_texts = np.add.reduceat(np.column_stack([values, stops]), starts) / counts
    prose = packaged_prose().read([part or text for part, text in zip(sentences.prose, texts, strict=True)])
    scored = ~np.logical_or.reduce(list(prose.refused(MAX_UNKNOWN).values()))
    return Features(of_texts[scored], ratings[scored])


def mean_correlation(weights: Floats, covariances: Sequence[Floats]) -> float:
    """Return the mean over sets of r between the weighted sum of the features and the ratings.

    >>> mean_correlation(np.array([1.0]), [np.array([[4.0, 1.0], [1.0, 1.0]])])
    0.5
    """
    found = [weights @ c[:-1, -1] / np.sqrt(weights @ c[:-1, :-1] @ weights * c[-1, -1]) for c in covariances]
    return float(np.mean(found))


def best_weights(covariances: Sequence[Floats], groups: Floats, shrink: float = 0.0) -> Floats:
    """Return weights, none below 0, with the highest mean correlation.

    Args:
        covariances: covariances of each set, shape (k + 1, k + 1).
        groups: addition to the weights of the features for one unit of each chosen weight, shape (g, k).
        shrink: penalty on leaving the direction of the sum of `groups`.
    """
    start = np.ones(len(groups)) / np.sqrt(len(groups))

    def loss(chosen: Floats) -> float:
        leave = np.sum((chosen / (np.linalg.norm(chosen) + 1e-9) - start) ** 2)
        return shrink * float(leave) - mean_correlation(groups.T @ chosen, covariances)

    return np.asarray(groups.T @ minimize(loss, start, method="L-BFGS-B", bounds=[(0, None)] * len(groups)).x)


def leave_one_set_out(sets: Mapping[str, Floats], choose: Callable[[list[Floats]], Floats]) -> dict[str, float]:
    """Return r on each set of the weights that were chosen on the others.

    Args:
        sets: the covariances of each.
        choose: weights from the covariances of some sets.
    """
    found = {}
    for name, covariance in sets.items():
        away = _away(name)
        found[name] = mean_correlation(choose([c for other, c in sets.items() if other not in away]), [covariance])
    return found


def _away(name: str) -> frozenset[str]:
    """Return the sets that are left out together with a set."""
    return next((group for group in _TOGETHER if name in group), frozenset({name}))


def exponents(data: Path) -> dict[str, dict[str, Any]]:
    """Choose the exponents of length and of p_u in SLOR's place, (ln p_M − b ln p_u) / |S|^a.

    Returns:
        For each packaged model the best a and b of all sets, the mean r over the sets of SLOR, and that of exponents
        chosen without the set.
    """
    sets = development_sets(data)
    report: dict[str, dict[str, Any]] = {}
    for lm in ("word", "wordpiece", "small"):
        parts = {name: (SLOR(lm)._part_values(texts), ratings) for name, (texts, ratings) in sets.items()}
        without = [[part for other, part in parts.items() if other not in _away(name)] for name in parts]
        of_chosen = [
            _powered(_best_exponents(others), [part]) for others, part in zip(without, parts.values(), strict=True)
        ]
        report[lm] = {
            "exponents": _best_exponents([*parts.values()]).round(3).tolist(),
            "slor": _powered((1.0, 1.0), [*parts.values()]),
            "chosen without the set": float(np.mean(of_chosen)),
        }
    return report


def _best_exponents(sets: Sequence[_Parts]) -> Floats:
    return np.asarray(minimize(lambda powers: -_powered(powers, sets), (1.0, 1.0), method="Nelder-Mead").x)


def _powered(powers: ArrayLike, sets: Sequence[_Parts]) -> float:
    """Return the mean over sets of r between ratings and SLOR with other exponents, from `measure_features`."""
    of_length, of_unigram = np.asarray(powers)
    correlations = []
    for values, ratings in sets:
        slor, unigram, inverse_length = values.T
        scores = (slor + (1 - of_unigram) * unigram) * inverse_length ** (of_length - 1)
        scored = np.isfinite(scores)
        correlations.append(np.corrcoef(scores[scored], ratings[scored])[0, 1])
    return float(np.mean(correlations))


def choices(data: Path, cache: Path) -> dict[str, dict[str, float]]:
    """Return for each way of choosing r by set, chosen without it, and the mean; packaged weights are not chosen."""
    reader, constants = FeatureReader("small"), packaged_constants("small")
    names = [*reader.names, _STOP]
    packaged = np.append(constants.coefficients(reader.names), _STOP_COST)
    sets = {name: read_features(reader, *texts, cache).correlations() for name, texts in development_sets(data).items()}
    of_detector = ["faults"]
    ngrams = [name for name in names if name not in ("small", *of_detector)]

    def grouped(parts: Sequence[Sequence[str]]) -> Floats:
        return np.array(
            [[w if name in part else 0.0 for name, w in zip(names, packaged, strict=True)] for part in parts]
        )

    one_each = grouped([[name] for name in names])
    ways: dict[str, Callable[[list[Floats]], Floats]] = {
        "packaged weights": lambda _: packaged,
        "without the detector": lambda _: grouped([[*ngrams, "small"]])[0],
        "one weight chosen: the detector": lambda c: best_weights(c, grouped([[*ngrams, "small"], of_detector])),
        "three weights chosen: n-grams, small model, detector": lambda c: best_weights(
            c, grouped([ngrams, ["small"], of_detector])
        ),
        "seven weights chosen": lambda c: best_weights(c, grouped(PARTS)),
        "all weights chosen": lambda c: best_weights(c, one_each),
        "all weights chosen, near the packaged": lambda c: best_weights(c, one_each, 0.1),
    }
    report = {}
    for way, choose in ways.items():
        found = leave_one_set_out(sets, choose)
        report[way] = {**found, "mean": float(np.mean(list(found.values())))}
    return report
