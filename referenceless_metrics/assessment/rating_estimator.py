"""Base of estimators of ratings, with the interface of scikit-learn."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterable, Mapping
from dataclasses import replace
from typing import Any, ClassVar

import numpy as np
from numpy.typing import ArrayLike

from referenceless_metrics.assessment.meta_evaluation import rank_correlation
from referenceless_metrics.core.metric import check_metric
from referenceless_metrics.core.results import FILLED, MetricResult
from referenceless_metrics.core.support.parameters import ParameterisedEstimator
from referenceless_metrics.core.support.validation import Floats, Options, check_choice, check_ratings


def one_source(
    kinds: tuple[type, ...], sources: Mapping[str, Any], ratings: Any, parameters: Options, *of_texts: Any
) -> Any:
    """Return the one source of a metric: a fitted metric, a path, or rated texts; None if nothing is given.

    Args:
        kinds: the classes of fitted metrics.
        sources: the given arguments by name; at most one may differ from None.
        ratings: the ratings of rated texts.
        parameters: the parameters with which a metric is fitted.
        of_texts: further arguments that belong to rated texts.

    Raises:
        NotFittedError: for a metric that was not fitted.
        ValueError: for two sources, rated texts without ratings or ratings without texts, or parameters of a fitted
            metric.
    """
    named = [name for name, value in sources.items() if value is not None]
    if len(named) > 1:
        raise ValueError(f"Expected one of {', '.join(f'`{name}`' for name in sources)}, but got {' and '.join(named)}")
    source = sources[named[0]] if named else None
    is_fitted = named == ["estimator"] or isinstance(source, kinds)
    are_texts = not (source is None or is_fitted or isinstance(source, (str, os.PathLike)))
    if are_texts != (ratings is not None) or (not are_texts and any(value is not None for value in of_texts)):
        raise ValueError("Expected `ratings` with `rated_texts` and only with them, but got one without the other")
    if is_fitted and parameters:
        raise ValueError(f"Expected a fitted estimator or {', '.join(parameters)} to fit one with, but got both")
    return check_metric(source) if is_fitted else source


FILL_METHODS = ("mean",)
"""Values of `fill`: the values that a text without an estimate can get."""


def check_fill(fill: object) -> None:
    """Check the parameter `fill` of an estimator of ratings.

    Raises:
        ValueError: for anything but None or one of `FILL_METHODS`.
    """
    if fill is not None:
        check_choice(fill, "fill", FILL_METHODS)


def rated_in_words(n_ratings: int, n_distinct: int | None, bounds: tuple[float, float], mean: float) -> str:
    """Return the number, range and mean of the ratings from which an estimator learned.

    If each text came with one number, this may be the mean of several ratings, as `advise` makes it.

    Args:
        n_ratings: number of ratings.
        n_distinct: number of distinct texts that they rate; None if it is not known.
        bounds: the lowest and the highest rating; if texts are rated several times, of the texts' means.
        mean: the mean of the ratings.

    Example:
        >>> rated_in_words(60, 58, (1.0, 5.0), 3.6775)
        '60 ratings of 58 distinct texts, from 1 to 5, whose mean is 3.68'
        >>> rated_in_words(58, 58, (1.0, 5.0), 3.6775)
        '58 texts, each with a rating or the mean of several, from 1 to 5, whose mean is 3.68'
    """
    if n_distinct is None:
        learned = f"{n_ratings:,} ratings or means of several"
    elif n_distinct == n_ratings:
        learned = f"{n_ratings:,} texts, each with a rating or the mean of several"
    else:
        learned = f"{n_ratings:,} ratings of {n_distinct:,} distinct texts"
    return f"{learned}, from {bounds[0]:.3g} to {bounds[1]:.3g}, whose mean is {mean:.3g}"


class RatingEstimator(ParameterisedEstimator):
    """Base of estimators of ratings: regressors of scikit-learn, whose inputs are texts.

    `cross_val_score`, `GridSearchCV` and the others take them with a list of texts as X. They refuse NaN: with
    `fill="mean"` a text without an estimate gets the mean rating, so that abstaining never pays.
    """

    _estimator_type: ClassVar[str] = "regressor"  # scikit-learn before 1.6 reads this
    fill: str | None
    predict: Callable[..., MetricResult]
    #: The mean of the training ratings.
    mean_rating_: float
    #: The number, range and mean of the training ratings, in words.
    learned_from_: str

    @property
    def scale(self) -> str:
        """The meaning of the estimates, in a line: they have the unit and the range of these ratings."""
        return f"that of the ratings it learned from: {self.learned_from_}"

    def filled(self, result: MetricResult) -> MetricResult:
        """Return a result with a value for every text if the parameter `fill` says so.

        The column `filled` then marks the texts without an estimate of their own. They keep their reasons, and neither
        the mean nor the coverage counts them.

        Raises:
            ValueError: for another `fill`.
        """
        check_fill(self.fill)
        filled = np.isnan(result.values)
        if self.fill is None:
            return result
        values = np.where(filled, self.mean_rating_, result.values)
        return replace(result, values=values, columns={**result.columns, FILLED: filled})

    def score(self, texts: Iterable[str], ratings: ArrayLike) -> float:
        """Return R², the share of the ratings' variance that the estimates explain: scikit-learn's score of regressors.

        A text without an estimate gets the mean of the training ratings.

        Raises:
            TypeError: as in `predict`, and for ratings that are not numbers.
            NotFittedError: before `fit`.
            ValueError: for unequal lengths.
        """
        values, known = self._estimates_and_ratings(texts, ratings)
        around_mean = float(np.sum((known - known.mean()) ** 2)) if len(known) else 0.0
        errors = float(np.sum((known - values) ** 2))
        return 1.0 - errors / around_mean if around_mean else float(errors == 0)

    def spearman(self, texts: Iterable[str], ratings: ArrayLike) -> float:
        """Return Spearman's ρ of estimates and ratings; arguments, errors and texts without an estimate as in `score`.

        With `scoring=lambda estimator, texts, ratings: estimator.spearman(texts, ratings)`, searches choose by it.
        """
        return rank_correlation(*self._estimates_and_ratings(texts, ratings))

    def _estimates_and_ratings(self, texts: Iterable[str], ratings: ArrayLike) -> tuple[Floats, Floats]:
        values = self.predict(texts).values
        known = check_ratings(ratings, "ratings", length=len(values))
        return np.where(np.isnan(values), self.mean_rating_, values), known

    def __sklearn_tags__(self) -> Any:
        """Tell scikit-learn that this is a regressor on texts, which needs a target."""
        from sklearn.utils import InputTags, RegressorTags, Tags, TargetTags

        return Tags(
            estimator_type="regressor",
            target_tags=TargetTags(required=True),
            regressor_tags=RegressorTags(),
            input_tags=InputTags(one_d_array=True, two_d_array=False, string=True),
        )
