"""The columns of the public table: each metric's values on a set, and those of controls that need no metric.

Metrics that learn from ratings are cross-validated: in five folds, all texts of an item in one; and with each system's
texts left out together, if a set has several systems. No parameter was chosen on these sets for the table.

Controls show the part of an agreement that is not due to quality: annotation artefacts (Gururangan et al. 2018,
"Annotation Artifacts in Natural Language Inference Data") are read off the text's surface, and sentinels (Perrella et
al. 2024, "Guardians of the Machine Translation Meta-Evaluation") are trained like an estimator and see the source
alone, or the length alone.
"""

from __future__ import annotations

import re
import warnings
from collections.abc import Callable, Mapping, Sequence
from typing import Any

import numpy as np
from numpy.typing import ArrayLike

from bleu_neighbors_metric.estimator import BLEUNeighbors
from quality_estimation_metric.estimator import QualityEstimator
from referenceless_metrics.assessment.folds import check_groups, random_folds, splits
from referenceless_metrics.core.support.validation import Floats, Integers
from referenceless_papers.public_table.rated_sets import RatedSet
from slor_metric.estimator import ROUGELM, SLOR, WPSLOR
from slor_metric.fluency import Fluency

N_FOLDS, SEED = 5, 12345
LENGTH = "−length in words"
_ALPHAS = np.logspace(-2, 4, 13)
_NEW_SLOTS = "no training source had"
_WORD = re.compile(r"\w+")

Fit = Callable[[list[str], Floats], Callable[[list[str]], ArrayLike]]
"""Function from rated texts to a function from texts to their estimates, NaN if it abstains."""

Column = Callable[[RatedSet, Integers], Floats]
"""Function from a set and the fold of each text, shape (n,), to values, shape (n,); a metric that learns nothing reads
no fold."""


def surface(texts: Sequence[str]) -> dict[str, Floats]:
    """Return figures that can be read off each text's surface, shape (n,) each.

    >>> {name: values.round(2).tolist() for name, values in surface(["A cat, a dog."]).items()}
    {'words': [4.0], 'type-token ratio': [0.75], 'punctuation': [0.15]}
    """
    words = [_WORD.findall(text.lower()) for text in texts]
    marks = [sum(not (letter.isalnum() or letter.isspace()) for letter in text) / max(len(text), 1) for text in texts]
    return {
        "words": np.array([float(len(own)) for own in words]),
        "type-token ratio": np.array([len(set(own)) / max(len(own), 1) for own in words]),
        "punctuation": np.array(marks),
    }


def _artefacts(*kinds: str) -> Column:
    """Return ridge regression on artefacts, cross-validated: `length`, `first word` or `all`."""

    def described(texts: list[str]) -> list[dict[str, Any]]:
        read = surface(texts)
        rows: list[dict[str, Any]] = []
        for row, text in enumerate(texts):
            n = float(read["words"][row])
            own: dict[str, Any] = {}
            if "length" in kinds:
                own |= {"words": n / 10, "log words": float(np.log1p(n)), "log characters": float(np.log1p(len(text)))}
            if "surface" in kinds:
                own |= {name: float(read[name][row]) * 5 for name in ("type-token ratio", "punctuation")}
            if "first word" in kinds:
                own["first"] = next(iter(_WORD.findall(text.lower())), "")
            rows.append(own)
        return rows

    def fit(texts: list[str], ratings: Floats) -> Callable[[list[str]], Floats]:
        from sklearn.feature_extraction import DictVectorizer
        from sklearn.linear_model import RidgeCV
        from sklearn.pipeline import make_pipeline

        model = make_pipeline(DictVectorizer(sparse=False), RidgeCV(_ALPHAS)).fit(described(texts), ratings)
        return lambda others: np.asarray(model.predict(described(others)), dtype=np.float64)

    return lambda rated, folds: cross_validated(fit, rated.texts, rated.ratings, folds)


def folds_of(rated: RatedSet) -> Integers:
    """Return the fold of each text, shape (n,): all texts of an item in one, and all systems in each."""
    return random_folds(rated.items, N_FOLDS, SEED)


def systems_of(rated: RatedSet) -> Integers | None:
    """Return the number of each text's system, shape (n,); None for a set of one system, or of unknown ones."""
    return check_groups(rated.systems) if len(set(rated.systems)) > 1 else None


def _neighbors(make: Callable[..., BLEUNeighbors]) -> Column:
    def fit(texts: list[str], ratings: Floats) -> Callable[[list[str]], Floats]:
        metric = make(progress=False).fit(texts, ratings)
        return lambda others: metric.predict(others).values

    return lambda rated, folds: cross_validated(fit, rated.texts, rated.ratings, folds)


def estimator(
    rated: RatedSet, folds: Integers | None = None, *, sources: bool = False, texts: Sequence[str] | None = None
) -> Floats:
    """Return cross-validated estimates of the quality estimator, shape (n,).

    Args:
        rated: the texts.
        folds: the fold of each, shape (n,); None for those of whole items.
        sources: whether it reads their sources.
        texts: texts to read in the texts' place.
    """
    read = np.array(rated.texts if texts is None else texts, dtype=object)
    found, made_from = np.full(len(rated), np.nan), np.array(rated.sources, dtype=object)
    with warnings.catch_warnings():
        warnings.filterwarnings("ignore", message=_NEW_SLOTS, category=UserWarning)
        for train, test in splits(folds_of(rated) if folds is None else folds):
            fitted = QualityEstimator().fit(
                read[train].tolist(),
                rated.ratings[train],
                sources=made_from[train].tolist() if sources else None,
                groups=rated.items[train].tolist(),
            )
            found[test] = fitted.predict(
                read[test].tolist(), sources=made_from[test].tolist() if sources else None
            ).values
    return found


def _packaged(rated: RatedSet, _: Integers) -> Floats:
    with warnings.catch_warnings():
        warnings.filterwarnings("ignore", message=_NEW_SLOTS, category=UserWarning)
        return QualityEstimator.load("default").predict(rated.texts, sources=rated.sources).values


METRICS: Mapping[str, Column] = {
    "SLOR": lambda rated, _: SLOR().predict(rated.texts).values,
    "WPSLOR": lambda rated, _: WPSLOR().predict(rated.texts).values,
    "Fluency": lambda rated, _: Fluency().predict(rated.texts).values,
    "ROUGE-LM (references)": lambda rated, _: ROUGELM().predict(rated.texts, references=rated.references).values,
    "quality estimation, packaged": _packaged,
    "BLEU Neighbors, published": _neighbors(BLEUNeighbors.published),
    "BLEU Neighbors": _neighbors(BLEUNeighbors),
    "quality estimation": estimator,
    "quality estimation, sources": lambda rated, folds: estimator(rated, folds, sources=True),
}
"""The metrics by name; the last four learn from the set's own ratings."""

CONTROLS: Mapping[str, Column] = {
    LENGTH: lambda rated, _: -surface(rated.texts)["words"],
    "type-token ratio": lambda rated, _: surface(rated.texts)["type-token ratio"],
    "punctuation": lambda rated, _: surface(rated.texts)["punctuation"],
    "first word, fitted": _artefacts("first word"),
    "length only, fitted": _artefacts("length"),
    "all artefacts, fitted": _artefacts("length", "surface", "first word"),
    "source only, fitted": lambda rated, folds: estimator(rated, folds, texts=rated.sources),
}
"""The controls by name."""

_READ_SOURCES = ("quality estimation, sources", "quality estimation, packaged", "source only, fitted")
_LEARNED_FROM = "nlg-ratings"  # by the packaged estimator


def applies(name: str, rated: RatedSet) -> bool:
    """Tell whether a column can be made: with the references or sources that it needs, on texts not learned from."""
    if name.startswith("ROUGE-LM"):
        return rated.references is not None
    if name == "quality estimation, packaged":
        return (rated.sources or [""])[0].startswith("name[") and _LEARNED_FROM not in rated.name
    return name not in _READ_SOURCES or rated.sources is not None


def cross_validated(fit: Fit, texts: Sequence[str], ratings: Floats, folds: Integers) -> Floats:
    """Estimate each fold's texts by a model of all other folds, shape (n,), NaN if the models abstain.

    Args:
        fit: trains a model on rated texts.
        texts: n texts.
        ratings: shape (n,), finite.
        folds: the fold of each text, shape (n,); the groups themselves to leave each group out in turn.
    """
    estimates = np.full(len(texts), np.nan)
    for outside, inside in splits(folds):
        predict = fit([texts[row] for row in outside], ratings[outside])
        estimates[inside] = predict([texts[row] for row in inside])
    return estimates
