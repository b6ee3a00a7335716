"""The default model: ridge regression of ratings on n-grams of characters and words, the source, and features.

All parts of the kernel are inner products of known vectors, so that the model has explicit weights: one per n-gram and
one per feature. An estimate is a sum that can be read term by term, and the training texts need not be kept.

Fitted to preferences, it is logistic ridge regression on the differences of pairs of texts: the difference of two
estimates is ln p / (1 - p), p being the probability that people prefer the first text (Bradley & Terry 1952, "Rank
analysis of incomplete block designs", Biometrika 39).
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import compress

import numpy as np

from quality_estimation_metric.kernel_model.features import SLOT_ERRORS, TextFeatures
from quality_estimation_metric.kernel_model.ridge import INTERCEPT, Ridge, choose_ridge, fit_logistic, fit_ridge
from quality_estimation_metric.kernel_model.vectors import Sparse, Vectoriser
from referenceless_metrics.assessment.conformal import ErrorScale, conformal_quantile, fit_scale
from referenceless_metrics.core.support import native
from referenceless_metrics.core.support.validation import Booleans, Floats, Integers, Record

_CLIP = 4.0
"""Largest distance of a feature from its mean, in standard deviations: one odd text must not decide its weight."""

_CLEAR = 0.02
"""Smallest share of the error that a change of the parts must remove; less may be chance."""

_SAMPLE = 800
"""Number of rows on which parts are chosen. The penalty is chosen on all rows."""


@dataclass(frozen=True)
class Parts:
    """Weights of the kernel's parts.

    Attributes:
        words: the weight of the words' n-grams; that of characters is 1.
        source: the weight of the source.
        features: the weight of the features, the mean of whose squares is 1.
        errors: whether slot errors are among the features.
    """

    words: float = 1.0
    source: float = 0.5
    features: float = 1.0
    errors: bool = True

    def weight(self, kind: str) -> float:
        """Return the weight of a kind of n-grams."""
        return {"characters": 1.0, "words": self.words, "source": self.source}[kind]

    def kept(self, names: Sequence[str]) -> Booleans:
        """Return whether each feature is used, shape (f,). All used ones have the same weight in the kernel."""
        return np.array([self.errors or name not in SLOT_ERRORS for name in names], dtype=bool)


@dataclass(frozen=True)
class Contribution:
    """Contribution of one term to an estimate.

    Attributes:
        kind: `characters`, `words`, `source` or `features`.
        term: the n-gram, or the feature's name.
        value: the term's contribution, in the unit of the ratings.
    """

    kind: str
    term: str
    value: float


@dataclass(frozen=True)
class KernelModel:
    """A fitted regression with its weights.

    Attributes:
        vectorisers: the vocabulary of each kind of n-grams that is used.
        weights: for each of these kinds one weight per n-gram.
        names: the names of f features.
        centre: their means over the training texts, shape (f,).
        spread: their standard deviations, shape (f,).
        feature_weights: one weight per feature, shape (f,).
        intercept: the estimate of a text without any known term.
        bounds: the lowest and the highest rating; estimates stay within.
        scale: the expected size of an error, from a text's features.
        quotients: |error| / expected error of left-out training texts, shape (n,); empty for a model of preferences,
            which has no intervals.
        penalty: the penalty α.
        parts: the weights of the kernel's parts.
        left_out: estimates of the training texts by models without their groups, shape (n,); None for a model of
            preferences, or one that was read from a file. Parts and penalty were chosen by their errors, so that they
            are slightly too good.
        left_out_levels: the mean estimates of all training texts by the same models, shape (n,); None if `left_out` is.
            A level is low if the ratings left out are high.
    """

    vectorisers: dict[str, Vectoriser]
    weights: dict[str, Floats]
    names: tuple[str, ...]
    centre: Floats
    spread: Floats
    feature_weights: Floats
    intercept: float
    bounds: tuple[float, float]
    scale: ErrorScale
    quotients: Floats
    penalty: float
    parts: Parts
    left_out: Floats | None = None
    left_out_levels: Floats | None = None

    @classmethod
    def fit(
        cls,
        texts: TextFeatures,
        ratings: Floats,
        groups: Integers,
        *,
        min_df: int = 1,
        seed: int = 0,
    ) -> KernelModel:
        """Fit on n rated texts; parts and penalty are chosen by leaving groups out.

        Args:
            texts: the texts.
            ratings: shape (n,).
            groups: shape (n,); texts of a group are left out together.
            min_df: fewest texts in which an n-gram with a weight occurs.
            seed: the seed of the sample on which parts are chosen.
        """
        vectorisers, vectors = _vectorise(texts, min_df)
        centre, spread, features = _learn_scales(texts.features)
        residual = ratings - ratings.mean()
        grams = gram_matrices(vectors)
        parts, of_sample = _choose_parts(grams, features, texts, residual, groups, seed)
        kept = parts.kept(texts.names)
        features = features[:, kept]
        # The penalty of the sample is that of all rows or near it, so that the search from there is short.
        ridge = choose_ridge(kernel_of(grams, features, parts), residual, groups, start=of_sample)
        scale, expected = fit_scale(features, np.abs(ridge.left_out))
        return cls(
            **_weights(ridge, vectorisers, vectors, features, parts),
            names=tuple(compress(texts.names, kept)),
            centre=centre[kept],
            spread=spread[kept],
            intercept=float(np.float32(ratings.mean() + INTERCEPT * ridge.coefficients.sum())),
            bounds=(float(ratings.min()), float(ratings.max())),
            scale=scale,
            quotients=np.sort(np.abs(ridge.left_out) / expected),
            left_out=_single(np.clip(ratings - ridge.left_out, ratings.min(), ratings.max())),
            left_out_levels=ratings.mean() + ridge.levels,
        )

    @classmethod
    def fit_preferences(cls, texts: TextFeatures, groups: Integers, *, min_df: int = 1) -> tuple[KernelModel, float]:
        """Fit on n pairs; the penalty is chosen by leaving groups out.

        Args:
            texts: the n better texts and then the n worse ones.
            groups: the groups of the pairs, shape (n,), or of their texts, shape (n, 2) (see `left_out_blocks`).
            min_df: fewest texts in which an n-gram with a weight occurs.

        Returns:
            The model, and the share of left-out pairs in the right order.
        """
        n = len(texts) // 2
        vectorisers, vectors = _vectorise(texts, min_df)
        centre, spread, features = _learn_scales(texts.features)
        parts = Parts(source=0.5 if texts.sources else 0.0)
        differences = {kind: rows[:n] - rows[n:] for kind, rows in vectors.items()}
        of_features = features[:n] - features[n:]
        kernel = kernel_of(gram_matrices(differences), of_features, parts)
        ridge = choose_ridge(kernel, np.ones(n), groups, fit_logistic)
        model = cls(
            **_weights(ridge, vectorisers, differences, of_features, parts),
            names=texts.names,
            centre=centre,
            spread=spread,
            intercept=0.0,
            bounds=WITHOUT_BOUNDS,
            scale=ErrorScale(np.zeros(len(texts.names)), 1.0),
            quotients=np.empty(0),
        )
        return model, float(np.mean(ridge.left_out > 0))

    def predict(self, texts: TextFeatures) -> Floats:
        """Return estimates of n texts, shape (n,); none depends on the other texts."""
        return np.clip(self.raw_estimates(texts)[0], *self.bounds)

    def predict_interval(self, texts: TextFeatures, level: float) -> tuple[Floats, Floats, Floats]:
        """Return estimates and the lower and upper ends of their intervals, each of shape (n,).

        Args:
            texts: the texts.
            level: the share of ratings that the intervals shall contain, in (0, 1).
        """
        raw, features = self.raw_estimates(texts)
        estimates = np.clip(raw, *self.bounds)
        quantile = conformal_quantile(self.quotients, level) if len(self.quotients) else np.nan
        half = quantile * self.scale(features)
        return estimates, np.clip(estimates - half, *self.bounds), np.clip(estimates + half, *self.bounds)

    def unknown_share(self, texts: TextFeatures) -> Floats:
        """Return the share of each text's word n-grams that no rated text had, shape (n,)."""
        return self.vectorisers["words"].unknown_share(texts.symbols["words"])

    def contributions(self, text: TextFeatures) -> list[Contribution]:
        """Return the contributions of one text's terms. With `intercept` they sum to its estimate before clipping."""
        terms = []
        for kind, vectoriser in self.vectorisers.items():
            row = vectoriser.transform(text.symbols[kind])
            for place, value in zip(row.indices.tolist(), row.data.tolist(), strict=True):
                terms.append(Contribution(kind, vectoriser.terms[place], value * float(self.weights[kind][place])))
        values = self.features(text)[0] * self.feature_weights
        terms += [Contribution("features", name, float(value)) for name, value in zip(self.names, values, strict=True)]
        return terms

    def features(self, texts: TextFeatures) -> Floats:
        """Return the standardised features of n texts, shape (n, f)."""
        used = texts.features[:, [texts.names.index(name) for name in self.names]]
        return _standardise(np.ascontiguousarray(used), self.centre, self.spread)  # sums depend on the rows' memory

    def raw_estimates(self, texts: TextFeatures) -> tuple[Floats, Floats]:
        """Return estimates of n texts before they are bounded, shape (n,), and their standardised features."""
        features = self.features(texts)
        # np.sum adds row by row. The last bits of a product of matrices may depend on their shape.
        estimates = self.intercept + np.sum(features * self.feature_weights, axis=1)
        for kind, vectoriser in self.vectorisers.items():
            estimates += vectoriser.transform(texts.symbols[kind]) @ self.weights[kind]
        return estimates, features


def gram_matrices(vectors: Mapping[str, Sparse]) -> dict[str, Floats]:
    """Return the inner products of each kind's vectors, whose columns ascend, shape (n, n) each."""
    return {kind: _gram_matrix(rows) for kind, rows in vectors.items()}


def _gram_matrix(vectors: Sparse) -> Floats:
    n = vectors.shape[0]
    gram = np.empty((n, n))
    columns, begins = vectors.indices.astype(np.int32, copy=False), vectors.indptr.astype(np.int64)
    native.call("gram_matrix", columns, begins, vectors.data, vectors.shape[1], gram)
    return gram


def kernel_of(grams: Mapping[str, Floats], features: Floats, parts: Parts) -> Floats:
    """Return the weighted sum of the parts' inner products, shape (n, n).

    Args:
        grams: the inner products of each kind of n-grams, shape (n, n).
        features: the standardised features that are used, shape (n, f).
        parts: the weights of the kinds.
    """
    kernel = (features * (parts.features / features.shape[1])) @ features.T
    for kind, gram in grams.items():
        weight = parts.weight(kind)
        if weight > 0:
            kernel += gram if weight == 1 else weight * gram
    return np.asarray(kernel)


def sample_groups(groups: Integers, size: int, seed: int) -> Integers:
    """Return the rows of whole groups, drawn until there are `size` rows or all, in ascending order."""
    if len(groups) <= size:
        return np.arange(len(groups))
    kinds, sizes = np.unique(groups, return_counts=True)
    order = np.random.default_rng(seed).permutation(len(kinds))
    drawn = order[: int(np.searchsorted(np.cumsum(sizes[order]), size)) + 1]
    return np.flatnonzero(np.isin(groups, kinds[drawn]))


WITHOUT_BOUNDS = (-1e100, 1e100)
"""Bounds of a model of preferences, whose estimates have no scale of ratings."""


def _vectorise(texts: TextFeatures, min_df: int) -> tuple[dict[str, Vectoriser], dict[str, Sparse]]:
    """Return the vocabularies of training texts and their vectors, by kind."""
    vectorisers = {kind: Vectoriser.fit(kind, symbols, min_df) for kind, symbols in texts.symbols.items()}
    return vectorisers, {kind: vectorisers[kind].transform(symbols) for kind, symbols in texts.symbols.items()}


def _learn_scales(table: Floats) -> tuple[Floats, Floats, Floats]:
    """Return the features' means and standard deviations, shape (f,), and the standardised features, shape (n, f)."""
    centre = np.nan_to_num(np.nanmean(table, axis=0))
    spread = np.nan_to_num(np.nanstd(table, axis=0))
    spread[spread < 1e-9] = 1.0
    return centre, spread, _standardise(table, centre, spread)


def _standardise(table: Floats, centre: Floats, spread: Floats) -> Floats:
    """Return features in standard deviations from their means, bounded; an undefined one is at the mean."""
    return np.clip(np.nan_to_num((table - centre) / spread, nan=0.0), -_CLIP, _CLIP)


def _choose_parts(
    grams: dict[str, Floats], features: Floats, texts: TextFeatures, residual: Floats, groups: Integers, seed: int
) -> tuple[Parts, float]:
    """Change one part at a time if that clearly lowers the squared error of left-out groups, on a sample of groups.

    Returns:
        The parts, and the penalty that was chosen for the sample.
    """
    rows = sample_groups(groups, _SAMPLE, seed)
    sampled = {kind: gram[np.ix_(rows, rows)] for kind, gram in grams.items()}

    def kernel(parts: Parts) -> Floats:
        return kernel_of(sampled, features[rows][:, parts.kept(texts.names)], parts)

    best = Parts() if texts.sources else Parts(source=0.0, errors=False)
    first = choose_ridge(kernel(best), residual[rows], groups[rows])
    least = first.loss
    changes: Record = {"source": 0.0, "errors": False, "words": 0.0} if texts.sources else {"words": 0.0}
    for name, value in changes.items():
        changed = replace(best, **{name: value})
        loss = fit_ridge(kernel(changed), residual[rows], groups[rows], first.penalty).loss
        if loss < least * (1 - _CLEAR):
            best, least = changed, loss
    return best, first.penalty


def _weights(
    ridge: Ridge, vectorisers: dict[str, Vectoriser], vectors: dict[str, Sparse], features: Floats, parts: Parts
) -> Record:
    """Return the fields of a model with the weights of its terms, from the coefficients of its training rows."""
    used = [kind for kind in vectors if parts.weight(kind) > 0]
    share = parts.features / features.shape[1]
    return {
        "vectorisers": {kind: vectorisers[kind] for kind in used},
        "weights": {kind: _single(parts.weight(kind) * (vectors[kind].T @ ridge.coefficients)) for kind in used},
        "feature_weights": _single(share * (features.T @ ridge.coefficients)),
        "penalty": ridge.penalty,
        "parts": parts,
    }


def _single(weights: Floats) -> Floats:
    """Round to the precision of saved files, so that a model estimates the same before and after it is saved."""
    return np.asarray(weights).astype(np.float32).astype(float)
