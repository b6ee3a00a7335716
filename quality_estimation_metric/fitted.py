"""A fitted quality estimator: its state, the verdict on its estimates, and its file."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any, Self

from quality_estimation_metric.kernel_model.explanation import Explanation, explain_text, similar_rated_texts
from quality_estimation_metric.kernel_model.features import TextFeatures
from quality_estimation_metric.kernel_model.model import WITHOUT_BOUNDS, KernelModel
from quality_estimation_metric.model_files.file import FITTED, Domain, as_rated, read_model, write_model
from quality_estimation_metric.rated_inputs import sources_as_fitted
from quality_estimation_metric.sources import Source, Triples
from referenceless_metrics.assessment.agreement import Verdict
from referenceless_metrics.assessment.conformal import check_level
from referenceless_metrics.assessment.rating_estimator import RatingEstimator, rated_in_words
from referenceless_metrics.core.support.validation import (
    Floats,
    Integers,
    NotFittedError,
    PathName,
    check_texts,
    check_whole,
)


class FittedEstimator(RatingEstimator):
    """The state of a `QualityEstimator` that was fitted, or read from a file."""

    level: float
    has_sources_: bool = False
    verdict_: Verdict | None = None
    preference_accuracy_: float | None = None
    model_: Any
    scope_: str
    slots_: frozenset[str]
    n_texts_: int
    digest_: str
    mean_rating_: float
    domain_: Domain | None
    texts_: list[str] | None
    ratings_: Floats | None
    triples_: list[Triples] | None
    _groups: Integers | None  # those that `fit` was given
    _systems: Integers | None  # likewise
    _rated: frozenset[str] | None

    def __sklearn_is_fitted__(self) -> bool:
        """Tell scikit-learn, and the adapters of frameworks, whether there is a model."""
        return hasattr(self, "model_")

    @property
    def needs_sources(self) -> bool:
        """Whether the model was fitted with sources, so that estimates need them too."""
        return self.has_sources_

    @property
    def _is_of_pairs(self) -> bool:
        """Whether the model learned from pairs of which people preferred one, in place of ratings."""
        return bool(self.model_.bounds == WITHOUT_BOUNDS)

    @property
    def verdict_command(self) -> str:
        """The command that measures the worth of the estimates."""
        if hasattr(self, "model_") and self._is_of_pairs:
            return "referenceless fit --metric quality_estimation PAIRS --worse-column COLUMN -o MODEL"
        return "referenceless evaluate --metric quality_estimation RATINGS"

    def attach_verdict(self, verdict: Verdict | None) -> None:
        """Keep a verdict on the estimates that was found by other means, such as `referenceless advise`."""
        self.verdict_ = verdict

    @property
    def learned_from_(self) -> str:  # type: ignore[override]  # from the content of the model, on demand
        """The number, range and mean of the ratings, or the number of pairs, in words."""
        self._check_fitted()
        if self._is_of_pairs:
            return f"{self.n_texts_ // 2:,} pairs of texts of which people preferred one"
        n_distinct = None if self.texts_ is None else len(set(self.texts_))
        return rated_in_words(self.n_texts_, n_distinct, self.model_.bounds, self.mean_rating_)

    def explain(self, text: str, source: Source | None = None, k: int = 3) -> Explanation:
        """Explain an estimate by n-grams, features and slots, with the `k` rated texts that resemble it most.

        Raises:
            TypeError: for a text that is no string.
            NotFittedError: before `fit`.
            ValueError: like `predict`; for an empty text; for `gru`, which has no terms.
        """
        self._check_fitted()
        check_level(self.level)
        check_texts([text], "text")
        if not text.strip():
            raise ValueError("Expected argument `text` to hold words, but it is empty")
        check_whole(k, "k", 0)
        if not isinstance(self.model_, KernelModel):
            raise ValueError('Expected an estimator with model="kernel": estimates of this one are no sum of terms')
        triples = sources_as_fitted(None if source is None else [source], 1, self.has_sources_)
        described = self._describe([text], triples)
        explanation = explain_text(self.model_, described, self.level)
        if self.texts_ is None or self.ratings_ is None:
            return explanation
        rated = self._describe(self.texts_, self.triples_)
        return replace(explanation, neighbors=similar_rated_texts(described, rated, self.ratings_, self.model_, k))

    def save(self, path: PathName, *, texts: bool = True) -> None:
        """Write the fitted estimator to a file (see `model_files.file`), whole or not at all.

        Args:
            path: the file.
            texts: whether the rated texts go with it, for neighbours in explanations; False if they may not be
                passed on. Estimates do not need them.

        Raises:
            NotFittedError: before `fit`.
            OSError: if the file cannot be written.
        """
        self._check_fitted()
        fitted = {name: getattr(self, name) for name in FITTED}
        write_model(path, self.get_params(), fitted if texts else fitted | dict.fromkeys(FITTED[-3:]))

    @classmethod
    def load(cls, path: PathName = "default") -> Self:
        """Read an estimator that `save` wrote; it gives the same estimates.

        Args:
            path: the file, or `"default"` for the packaged model of restaurants and hotels.

        Raises:
            FileNotFoundError: if there is no such file.
            ValueError: for a truncated, foreign or newer file.
        """
        parameters, fitted = read_model(path)
        estimator = cls(**parameters)
        estimator._restore(fitted)
        return estimator

    def _restore(self, fitted: Mapping[str, Any]) -> None:
        """Take the state of a fitted model, from `fit` or a file."""
        vars(self).update(fitted)
        self._rated = None if self.texts_ is None else frozenset(as_rated(self.texts_))
        self._groups = self._systems = self.preference_accuracy_ = None

    def _describe(self, texts: Sequence[str], triples: Sequence[Triples] | None) -> TextFeatures:
        return TextFeatures.of(texts, triples, self.scope_)

    def _check_fitted(self) -> None:
        if not hasattr(self, "model_"):
            raise NotFittedError("This QualityEstimator has no model yet: call `fit` or `load` first")
