"""From log-probabilities to a score: SLOR's own formula, others that were published, and one learned from ratings.

A fitted measure starts from SLOR and leaves it only as far as the ratings say. MORCELA (Tjuatja et al. 2025) regresses
ratings on ln p_M / n, ln p_u / n and 1 / n; with some hundred ratings that fits noise. So the coefficient of SLOR is
free and those of the other features are shrunk, by a penalty that leave-one-out prediction chooses; no departure at all
is among its choices.
"""

from __future__ import annotations

import hashlib
import json
import os
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, ClassVar, Self

import numpy as np
from numpy.typing import ArrayLike

from referenceless_metrics.assessment.folds import left_out_errors, random_folds, splits
from referenceless_metrics.assessment.meta_evaluation import pearson
from referenceless_metrics.core.files.archive import Schema
from referenceless_metrics.core.files.archived import Archived
from referenceless_metrics.core.metric import UNKNOWN_RULES
from referenceless_metrics.core.registry import cite
from referenceless_metrics.core.results import MetricResult
from referenceless_metrics.core.support.installation import project_version
from referenceless_metrics.core.support.parameters import ParameterisedEstimator
from referenceless_metrics.core.support.validation import (
    Floats,
    Integers,
    check_choice,
    check_number,
    check_ratings,
    check_texts,
    describe,
)
from slor_metric.formulas import nce, slor
from slor_metric.language_models.known import abstain, refused
from slor_metric.language_models.prose import Prose

#: Names of the features that a measure of SLOR is fitted on: SLOR first, then its possible additions.
MEASURE_FEATURES = ("slor", "unigram", "inverse_length")
#: Those of all metrics that tell nothing but the length.
LENGTH_FEATURES = ("inverse_length", "log_length", "length")
_PENALTIES = 10.0 ** np.arange(-1, 5.5, 0.5)  # per text, in units of the standardised features
#: Standard errors by which a stronger penalty may predict worse; with one, 100 ratings of Simplicity-DA make WPSLOR
#: worse by .014, with this by .001.
_CAUTION = 1.5
_MIN_RATINGS = 20
_STRONGEST = 1e12
_N_FOLDS = 10


def measure_features(model: Floats, unigram: Floats, length: Integers) -> Floats:
    """Return the features that a measure is fitted on, a column for each of `MEASURE_FEATURES`, shape (n, 3)."""
    inverse = np.divide(1.0, length, out=np.full(len(length), np.nan), where=length > 0)
    return np.stack([slor(model, unigram, length), nce(unigram, length), inverse], axis=1)


@dataclass(frozen=True)
class FittedMeasure(Archived):
    """A linear measure that was learned from ratings.

    Attributes:
        features: the names of the features that it reads.
        coefficients: one per feature.
        intercept: constant term. Mean and standard deviation of the scores are those of the first feature, on the texts
            that were rated: the unit is still SLOR's.
        model: the signature of the language models that it was fitted on.
        n_ratings: number of rated texts that it was fitted to.
        agreement: Pearson correlations with the ratings in 10-fold cross-validation: `start` of the score before
            fitting, `length` of a measure that may add only the length, `fitted` of the measure. The gain of `length`
            over `start` is due to length alone.
    """

    SCHEMA = Schema(
        "measure",
        1,
        "a fitted measure",
        arrays={},
        fields={
            **dict.fromkeys(("features", "coefficients"), list),
            **{"intercept": float, "model": str, "n_ratings": int, "agreement": dict},
        },
    )

    features: tuple[str, ...]
    coefficients: tuple[float, ...]
    intercept: float
    model: str
    n_ratings: int = 0
    agreement: Mapping[str, float] = field(default_factory=dict)

    def __post_init__(self) -> None:
        for name in ("features", "coefficients"):  # lists in a file
            object.__setattr__(self, name, tuple(getattr(self, name)))
        if len(self.features) != len(self.coefficients) or not np.isfinite([*self.coefficients, self.intercept]).all():
            raise ValueError(
                f"Expected a finite coefficient for each of the features {self.features}, but got {self.coefficients} "
                f"and the intercept {self.intercept}"
            )

    def __call__(self, values: Floats) -> Floats:
        """Return the score of each text from its features, shape (n, k) → (n,); NaN if one is."""
        return np.asarray((values * np.array(self.coefficients)).sum(axis=1) + self.intercept)

    @property
    def signature(self) -> str:
        """A hash of features and coefficients."""
        text = json.dumps([self.features, self.coefficients, self.intercept])
        return f"fitted-{hashlib.sha256(text.encode()).hexdigest()[:8]}"

    @property
    def summary(self) -> str:
        """One sentence on the gain, and on the part of it that is due to length alone."""
        start, length, fitted = (self.agreement.get(name, np.nan) for name in ("start", "length", "fitted"))
        return (
            f"r = {fitted:.3f} with {self.n_ratings} ratings in cross-validation, {fitted - start:+.3f} against "
            f"{start:.3f} without fitting, of which length alone gives {length - start:+.3f}"
        )


def read_measure(measure: Any, features: tuple[str, ...], model: str, *, names: Iterable[str] = ()) -> FittedMeasure:
    """Return a fitted measure, read from its file if a path is given, after checking that it fits.

    Args:
        measure: a `FittedMeasure` or the path of one.
        features: the features that it must read.
        model: the signature of the language models that it must have been fitted on.
        names: other words that are allowed, for the message of an error.

    Raises:
        TypeError: for anything else.
        ValueError: for a path that does not exist, or a measure that was fitted on other features or models.
    """
    choices = "".join(f"{name!r}, " for name in names)
    expected = f"Expected argument `measure` to be {choices}a fitted measure or the path of one"
    if isinstance(measure, (str, os.PathLike)):
        if not Path(measure).exists():
            raise ValueError(f"{expected}, but got {measure!r}")
        measure = FittedMeasure.load(measure)
    if not isinstance(measure, FittedMeasure):
        raise TypeError(f"{expected}, but got {describe(measure)}")
    if measure.features != features or measure.model != model:
        raise ValueError(
            f"Expected argument `measure` to be fitted on the features and models of this metric, {model}, but it was "
            f"fitted on {', '.join(measure.features)} of {measure.model}; fit it anew (`referenceless train measure`)"
        )
    return measure


def fit_measure(names: Sequence[str], values: Floats, ratings: Floats, model: str) -> FittedMeasure:
    """Learn a measure from ratings, shrunk to its first feature.

    Args:
        names: the names of the features, the one that is shrunk to first.
        values: shape (n, k); texts without a value are left out.
        ratings: shape (n,).
        model: the signature of the language models.

    Raises:
        ValueError: for fewer than 20 rated texts with a value, or ratings or first features that do not vary.
    """
    defined = np.isfinite(values).all(axis=1)
    x, y = values[defined], ratings[defined]
    if len(x) < _MIN_RATINGS:
        raise ValueError(f"Expected at least {_MIN_RATINGS} rated texts that have a score, but got {len(x)}")
    if np.ptp(y) == 0:
        raise ValueError(f"Expected argument `ratings` to vary, but all {len(y)} are {y[0]:g}")
    if np.ptp(x[:, 0]) == 0:
        raise ValueError(f"Expected the texts to differ in {names[0]}, but all {len(x)} have {x[0, 0]:g}")
    of_length = [0, *(i for i, name in enumerate(names) if i and name in LENGTH_FEATURES)]
    agreement = {
        "start": pearson(x[:, 0], y),
        "length": _cross_validated(x[:, of_length], y),
        "fitted": _cross_validated(x, y),
    }
    coefficients, intercept = _in_unit(x, shrunken(x, y))
    return FittedMeasure(tuple(names), tuple(coefficients.tolist()), intercept, model, len(x), agreement)


def shrunken(x: Floats, y: Floats) -> Floats:
    """Return coefficients: least squares, with a penalty on all features but the first.

    The penalty is the strongest that predicts left-out ratings no worse than the best one, to `_CAUTION` standard
    errors; a first feature that would count against a text counts alone.

    Args:
        x: features of n texts, shape (n, k).
        y: ratings, shape (n,).
    """
    std = x.std(axis=0)
    std = np.where(std > 0, std, 1.0)
    z = np.column_stack([(x - x.mean(axis=0)) / std, np.ones(len(x))])
    free = np.arange(z.shape[1]) % x.shape[1] > 0
    # the last penalty allows no departure
    tried = [_left_out(z, y, penalty * free) for penalty in (*_PENALTIES.tolist(), _STRONGEST)]
    solutions, errors = zip(*tried, strict=True)
    best = int(np.argmin([error.mean() for error in errors]))
    chosen = best
    for i in range(best + 1, len(errors)):
        worse = errors[i] - errors[best]
        if worse.mean() <= _CAUTION * worse.std() / np.sqrt(len(x)):
            chosen = i
    weights: Floats = solutions[chosen][: x.shape[1]] / std
    if chosen == len(errors) - 1 or weights[0] <= 0:
        weights = np.eye(x.shape[1])[0]
    return weights


def _in_unit(x: Floats, weights: Floats) -> tuple[Floats, float]:
    """Return coefficients and an intercept that give the measure mean and standard deviation of the first feature."""
    coefficients = weights * (x[:, 0].std() / (x @ weights).std())
    return coefficients, float((x[:, 0] - x @ coefficients).mean())


def _left_out(rows: Floats, y: Floats, penalties: Floats) -> tuple[Floats, Floats]:
    """Return coefficients, shape (k,), and the squared error at each row when it is left out, shape (n,).

    Args:
        rows: shape (n, k).
        y: ratings, shape (n,).
        penalties: penalty of each coefficient, shape (k,).
    """
    inverse = np.linalg.inv(rows.T @ rows + np.diag(penalties))
    solution = inverse @ (rows.T @ y)
    return solution, left_out_errors(y - rows @ solution, np.einsum("ij,jk,ik->i", rows, inverse, rows)) ** 2


def _cross_validated(x: Floats, y: Floats) -> float:
    """Say how predictions agree for texts that the measure has not seen."""
    predicted = np.empty(len(x))
    for outside, inside in splits(random_folds(np.arange(len(x)), _N_FOLDS, seed=0)):
        coefficients, intercept = _in_unit(x[outside], shrunken(x[outside], y[outside]))
        predicted[inside] = x[inside] @ coefficients + intercept
    return pearson(predicted, y)


class MeasuredMetric(ParameterisedEstimator):
    """Base of `SLOR` and `Fluency`: a measure that is learned from ratings may take the place of their own.

    Attributes:
        measure_: the measure in use; None or a name for the metric's own.
        abstains_: whether text that the models do not know has no score.
        max_unknown_: the largest share of unknown words of a text that is scored.
        parameters_: the parameters in use, by name.
    """

    name: ClassVar[str]
    needs_references = False
    needs_sources = False
    #: The signature, a sentence for the methods section of a paper, and BibTeX.
    citation = property(cite)
    unknown: str
    max_unknown: float
    measure_: Any
    predict: Callable[..., MetricResult]
    #: The models' part of the signature.
    _models: Callable[[], str]
    #: From n texts to the features of a measure, a column for each of `_parts`, shape (n, k); NaN if a text has no
    #: score.
    _part_values: Callable[[list[str]], Floats]
    #: The names of the features that a measure is fitted on.
    _parts: tuple[str, ...] = MEASURE_FEATURES

    def __sklearn_clone__(self) -> Self:
        """Return the copy for scikit-learn's `clone`: the same metric, unfitted; models that are objects are shared."""
        return type(self)(**self.get_params())

    def _check_rule(self) -> None:
        """Take the rule for text that the models do not know, after checking it."""
        check_choice(self.unknown, "unknown", UNKNOWN_RULES)
        check_number(self.max_unknown, "max_unknown", 0, 1)
        self.abstains_ = self.unknown == "abstain"
        self.max_unknown_ = self.max_unknown
        self.parameters_ = self.get_params()

    @property
    def signature(self) -> str:
        """Name, models, measure and version, in the form of sacrebleu's signatures."""
        measure = getattr(self.measure_, "signature", self.measure_ or "none")
        unknown = f"abstain>{self.max_unknown_:g}" if self.abstains_ else "score"
        return f"metric:{self.name}|{self._models()}|measure:{measure}|unknown:{unknown}|version:{project_version()}"

    def _abstain(self, values: Floats, texts: Sequence[str], read: Any, prose: Prose | None) -> tuple[str | None, ...]:
        """Set the values of texts that have no score to NaN, and return the reasons.

        Args:
            values: shape (n,) or (n, k), changed in place.
            texts: n texts.
            read: their `n_tokens` and, without `prose`, their `unknown_share`, shape (n,) each.
            prose: the prose of the texts, if it is known.
        """
        masks = {}
        if self.abstains_ and prose is None:
            masks = refused(read.unknown_share, self.max_unknown_)
        elif self.abstains_ and prose is not None:
            masks = prose.refused(self.max_unknown_)
        return abstain(values, texts, read.n_tokens, masks)

    def fit(self, texts: Iterable[str], ratings: ArrayLike) -> Self:
        """Fit a measure to ratings: how far to leave the score for its parts and the length.

        Parameters that were set since the metric was made count from here on: models are loaded anew.

        Its gain, and the part of it that is due to length alone, stand in `measure_.agreement` and `measure_.summary`;
        `measure_.save` keeps it, and the parameter `measure` takes it up again.

        Args:
            texts: n texts, not a bare string; those without a score are left out.
            ratings: people's rating of each text, shape (n,), higher is better, in any unit.

        Returns:
            The metric itself, with the fitted `measure_`; scores keep the score's unit.

        Raises:
            TypeError: for a bare string, an item that is no string, or ratings that are no numbers.
            ValueError: for unequal lengths, fewer than 20 texts with a score, ratings that do not vary, or a metric
                without a unigram model.
        """
        checked = check_texts(texts, "texts", allow_empty=False)
        values = check_ratings(ratings, "ratings", length=len(checked))
        parameters = self.get_params()
        if parameters != self.parameters_:
            vars(self).update(vars(type(self)(**parameters)))  # models are loaded anew
        self.measure_ = fit_measure(self._parts, self._part_values(checked), values, self._models())
        return self
