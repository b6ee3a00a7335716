"""BLEU Neighbors: the quality of a text without references, from rated texts that resemble it.

Ethayarajh & Sadigh (2020), "BLEU Neighbors: A Reference-less Approach to Automatic Evaluation", Eq. 3.
"""

from __future__ import annotations

import os
import warnings
from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Annotated, Any, ClassVar

import numpy as np
from numpy.typing import ArrayLike, NDArray

from bleu_neighbors_metric.kernels.base import SMOOTH_METHODS, Pool, PoolData, TextOptions
from bleu_neighbors_metric.kernels.estimates import Neighbor, estimated, nearest_neighbors
from bleu_neighbors_metric.kernels.exact_sums import Ratings
from bleu_neighbors_metric.kernels.neighbors import NeighborRule, most_neighbors
from bleu_neighbors_metric.kernels.registry import KERNELS, prepare_pool
from bleu_neighbors_metric.kernels.thresholds import AUTO, covering_threshold
from bleu_neighbors_metric.options import (
    WEIGHT_METHODS,
    check_parameters,
    signature_of,
    text_options,
)
from bleu_neighbors_metric.shards.distinct import distinct_texts, pool_hash
from bleu_neighbors_metric.tuning.stored_calibration import StoredCalibration, settings_of, with_intervals
from metric_commons.results import MetricResult
from metric_commons.support.errors import NotFittedError
from metric_commons.support.parameters import ParameterisedEstimator
from metric_commons.support.progress import progress_bar
from metric_commons.support.validation import check_number, check_quality, check_texts, describe


class BLEUNeighbors(ParameterisedEstimator):
    """Estimate quality as the mean rating of similar rated texts, or abstain.

    A rated text s is a neighbour of a candidate x where BLEU*(x, s) reaches `threshold`; the estimate is the mean
    quality of the neighbours where there are at least `min_neighbors` and at most `max_fraction` of the pool, and
    is undefined (NaN) otherwise. Equal pool texts count once, with the mean of their ratings.

    Parameters are stored as given and checked by `fit`, as in scikit-learn.

    Args:
        threshold: least similarity of a neighbour (τ), in [0, 1]; or `"auto"`, the highest of a grid that covers the
            most of the pool by leave-one-out, found without looking at any rating.
        min_neighbors: fewest neighbours (a), at least 1.
        max_fraction: largest share of the pool (b), in [0, 1]; 1 to accept any number (the paper does for essays).
        tokenize: `char` (every character, spaces included), `char-nospace`, or a sacrebleu tokeniser (`13a`, …).
        ngram_orders: the n-gram orders of BLEU*, at most 32 of them.
        smooth_method: sacrebleu's smoothing of n-gram precisions: `none`, `floor`, `add-k` or `exp`.
        smooth_value: the value of `floor` (0.1 unless given) and `add-k` (1 unless given).
        clip: clipped n-gram counts, as in BLEU, or the paper's Eq. 1 as it is written.
        kernel: the similarity, by name (see `kernels.KERNELS`, which tells each one's published threshold; the default
            here is that of BLEU*). A kernel other than BLEU* reads only some of `tokenize` to `clip`.
        kernel_options: the kernel's own options by name, such as BERTScore's `encoder`; None for its defaults.
        weights: how neighbours count: `uniform`, or `similarity` to let a neighbour count by its similarity.
        n_jobs: threads; None for one, -1 for all processors. Results do not depend on it.
        progress: False for no progress bar, True for one, None for one on a terminal.

    Attributes:
        texts_: the distinct pool texts, n of them, in order of first appearance.
        quality_: their quality, shape (n,), float64.
        counts_: how many ratings each one had, shape (n,), int64.
        threshold_: the threshold in use.

    Example:
        >>> texts = ["the cat sat on the mat", "the cat sat on a mat", "cat the on mat sat sat", "mat mat mat"]
        >>> metric = BLEUNeighbors(0.7, min_neighbors=1, max_fraction=1.0).fit(texts, [0.9, 0.8, 0.2, 0.0])
        >>> estimates = metric.predict(["a cat sat on the mat", "colourless green ideas"])
        >>> estimates.values.round(2).tolist(), estimates.n_neighbors.tolist(), estimates.coverage
        ([0.85, nan], [2, 0], 0.5)
    """

    name: ClassVar[str] = "bleu_neighbors"
    needs_references: ClassVar[bool] = False
    needs_sources: ClassVar[bool] = False
    estimates_ratings: ClassVar[bool] = True
    _ratings: Ratings | None
    _chosen: tuple[Any, float] | None
    _calibration: StoredCalibration | None

    def __init__(
        self,
        threshold: Annotated[float | str, (AUTO,)] = 0.08,
        min_neighbors: int = 5,
        max_fraction: float = 0.66,
        *,
        tokenize: str = "char",
        ngram_orders: Sequence[int] = (2, 3, 4),
        smooth_method: Annotated[str, SMOOTH_METHODS] = "none",
        smooth_value: float | None = None,
        clip: bool = True,
        kernel: Annotated[str, tuple(KERNELS)] = "bleu_star",
        kernel_options: Mapping[str, Any] | None = None,
        weights: Annotated[str, WEIGHT_METHODS] = "uniform",
        n_jobs: int | None = None,
        progress: bool | None = None,
    ) -> None:
        self.threshold = threshold
        self.min_neighbors = min_neighbors
        self.max_fraction = max_fraction
        self.tokenize = tokenize
        self.ngram_orders = ngram_orders
        self.smooth_method = smooth_method
        self.smooth_value = smooth_value
        self.clip = clip
        self.kernel = kernel
        self.kernel_options = kernel_options
        self.weights = weights
        self.n_jobs = n_jobs
        self.progress = progress

    def __sklearn_is_fitted__(self) -> bool:
        return hasattr(self, "texts_")

    def __getstate__(self) -> dict[str, Any]:
        """Leave out what was found on demand: what is pickled does not change with use."""
        return {name: None if name in ("_chosen", "_ratings") else value for name, value in self.__dict__.items()}

    def fit(self, texts: Iterable[str], ratings: ArrayLike) -> BLEUNeighbors:
        """Index a pool of rated texts.

        Args:
            texts: m texts; equal ones are merged and their ratings averaged.
            ratings: shape (m,), finite, in any unit.

        Returns:
            The estimator itself.

        Raises:
            TypeError: for texts that are not strings, or ratings or parameters that are not numbers.
            ValueError: for an empty pool, unequal lengths, a rating that is not finite, a parameter outside its range.

        Warns:
            UserWarning: where the pool is too small for any estimate to be defined.
        """
        check_parameters(self.get_params())
        pool = check_texts(texts, "texts", allow_empty=False)
        ratings = check_quality(ratings, "ratings", length=len(pool), finite_sum=True)
        self._restore(*distinct_texts(pool, ratings))
        most = int(most_neighbors(self.max_fraction, len(self.texts_)))
        if self.min_neighbors > most:
            warnings.warn(
                f"no text can be covered: it would need at least {self.min_neighbors} neighbours (`min_neighbors`) and "
                f"at most {most} (`max_fraction` of a pool of {len(self.texts_)} distinct texts)",
                UserWarning,
                stacklevel=2,
            )
        return self

    def predict(
        self, texts: Iterable[str], *, references: Any = None, sources: Any = None, level: float | None = None
    ) -> MetricResult:
        """Estimate the quality of candidates.

        Args:
            texts: n candidates; an empty one is undefined.
            references: ignored.
            sources: ignored.
            level: of an interval for the rating of a text like the pool's, in (0, 1); None for 0.9 where the estimator
                was calibrated, else no interval.

        Returns:
            q̂ (Eq. 3) in the unit of the ratings, with the column `n_neighbors`, |N|, and the details `fewest` and
            `most` (a and b · |S|). With an interval also the columns `lower` and `upper`, and of a calibrated estimator
            the detail `verdict`.

        Raises:
            TypeError: for a bare string or an item that is not a string.
            NotFittedError: before `fit`.
            ValueError: for a level outside (0, 1).
        """
        self._check_fitted()
        return with_intervals(self, self._estimate(check_texts(texts, "texts"), None, len(self.texts_)), level)

    def score(self, texts: Iterable[str], ratings: ArrayLike) -> float:
        """Return Spearman's ρ of estimates and ratings, as scikit-learn's searches expect.

        A text without an estimate counts as the mean of the pool, so that abstaining never pays.

        Raises:
            TypeError: as in `predict`, and for ratings that are not numbers.
            NotFittedError: before `fit`.
            ValueError: for unequal lengths.
        """
        from metric_commons.statistics.meta_evaluation import rank_correlation

        values = self.predict(texts).values
        known = check_quality(ratings, "ratings", length=len(values))
        return rank_correlation(np.where(np.isnan(values), self.quality_.mean(), values), known)

    def leave_one_out(self) -> MetricResult:
        """Estimate each distinct pool text (`texts_`) from all the others: what calibration is made of."""
        self._check_fitted()
        everyone = np.arange(len(self.texts_), dtype=np.int64)
        return self._estimate(self.texts_, everyone, len(self.texts_) - 1)

    def kneighbors(self, text: str, k: int = 10) -> list[Neighbor]:
        """Return the `k` pool texts most similar to `text`, the most similar first, to explain its estimate.

        Those with `counts` true are the first of the neighbours that the estimate averages; there may be more than k.

        Raises:
            TypeError: where `text` is not a string.
            ValueError: where `k` is below 1.
        """
        self._check_fitted()
        check_parameters(self.get_params())
        if not isinstance(text, str):
            raise TypeError(f"Expected argument `text` to be a string, but got {describe(text)}")
        check_number(k, "k", minimum=1, integer=True)
        return nearest_neighbors(self.pool, self.rule, self.texts_, self.quality_, text, k)

    def pool_resampler(self, n_resamples: int, seed: int | None) -> Callable[[list[str]], NDArray[np.float64]]:
        """Return what estimates texts from each of `n_resamples` resampled pools: c texts to shape (c, n_resamples)."""
        from bleu_neighbors_metric.tuning.pool_resampling import pool_resampler

        return pool_resampler(self, n_resamples, seed)

    def save(self, path: str | os.PathLike[str]) -> None:
        """Write the fitted estimator to a file (see `index_file`), whole or not at all.

        Raises:
            NotFittedError: before `fit`.
            OSError: where the file cannot be written.
            TypeError: for a `kernel_options` value that a file cannot hold, such as a model.
        """
        from bleu_neighbors_metric.shared.saving import save_file

        save_file(self, path)

    def save_shared(self, path: str | os.PathLike[str]) -> None:
        """Write the fitted estimator to a folder of raw arrays (see `shared.folder`), whole or not at all.

        `load` maps them: it takes milliseconds, and the processes of a machine share the memory.

        Raises:
            NotFittedError: before `fit`.
            OSError: where the folder cannot be written.
            ValueError: for a kernel other than BLEU*, and a path that holds something else.
        """
        from bleu_neighbors_metric.shared.saving import save_folder

        save_folder(self, path)

    @classmethod
    def load(cls, path: str | os.PathLike[str], *, allow_models: bool = False) -> BLEUNeighbors:
        """Read an estimator that `save` or `save_shared` wrote; it gives the same estimates.

        Args:
            path: the file, or the folder. Whoever wrote it, reading it runs none of its content and fetches nothing.
            allow_models: whether a model or folder that the file names, such as an encoder, may be loaded.

        Raises:
            FileNotFoundError: where there is no such file.
            ImportError: without the extra that its kernel needs.
            ValueError: for a truncated, foreign or newer file, what `fit` would refuse, or a model without consent.
        """
        from bleu_neighbors_metric.shared.saving import load

        return load(cls, path, allow_models)

    @property
    def pool(self) -> Pool:
        """The pool's texts, indexed for the kernel; anew where a parameter that shapes the index has changed."""
        self._check_fitted()
        if self._indexed != self._index_key():
            self._index(self.texts_, self.quality_)
        return self._pool

    @property
    def centre(self) -> float:
        """The mean quality of the pool: what is known of a text of which nothing else is known."""
        return float(self.quality_.mean())

    @property
    def pool_ratings(self) -> Ratings:
        """The pool's ratings, ready to be summed exactly."""
        self._check_fitted()
        if self._ratings is None or self._ratings.values is not self.quality_:  # it was replaced
            self._ratings = Ratings.of(self.quality_)
        return self._ratings

    @property
    def calibration(self) -> StoredCalibration | None:
        """What the estimates are worth; None before it was measured, or where parameters have changed since."""
        known = self._calibration if hasattr(self, "texts_") else None
        return known if known is not None and known.settings == settings_of(self) else None

    @property
    def verdict(self) -> str | None:
        """The calibration in a sentence; None where there is none."""
        return self.calibration.told if self.calibration else None

    @property
    def rule(self) -> NeighborRule:
        """Who is a neighbour: the threshold and the weights."""
        return NeighborRule(self.threshold_, self.weights)

    @property
    def threshold_(self) -> float:
        """τ in use: the parameter, or what `"auto"` found, anew where a parameter that it depends on has changed."""
        self._check_fitted()
        if self.threshold != AUTO:
            return float(self.threshold)
        key = self._chosen_key()
        if self._chosen is None or self._chosen[0] != key:
            found = covering_threshold(self.pool, self.texts_, self.min_neighbors, self.max_fraction, self.n_jobs)
            self._chosen = key, found
        return self._chosen[1]

    @property
    def signature(self) -> str:
        """What determines the estimates, in sacrebleu's style; of a fitted estimator also the pool's size and hash."""
        if not hasattr(self, "texts_"):
            return signature_of(self.get_params())
        return signature_of(self.get_params(), self.threshold_, f"{len(self.texts_)}.{self._pool_hash}")

    def _estimate(self, texts: Sequence[str], excluded: NDArray[np.int64] | None, pool_size: int) -> MetricResult:
        check_parameters(self.get_params())
        mean = np.full(len(texts), np.nan)
        n_neighbors = np.zeros(len(texts), dtype=np.int64)
        parts = self.pool.tally(texts, self.pool_ratings, self.rule, excluded=excluded, n_jobs=self.n_jobs)
        with progress_bar(len(texts), "matching", self.progress) as bar:
            for batch, tally in parts:
                n_neighbors[batch] = tally.n_neighbors
                mean[batch] = tally.mean()
                bar.update(len(tally.n_neighbors))
        most = int(most_neighbors(self.max_fraction, pool_size))
        empty = np.array([not text for text in texts], dtype=np.bool_)
        return estimated(mean, n_neighbors, empty, self.min_neighbors, most, self.signature)

    def _restore(self, texts: Sequence[str], quality: NDArray[np.float64], counts: NDArray[np.int64]) -> None:
        """Take distinct texts, their quality and their numbers of ratings as the pool, or leave all as it was."""
        self._index(texts, quality)
        self._hold(texts, quality, counts, pool_hash(texts, quality))

    def _hold(
        self, texts: Sequence[str], quality: NDArray[np.float64], counts: NDArray[np.int64], pool_hash: str
    ) -> None:
        self.texts_ = texts
        self.quality_ = quality
        self._ratings = None
        self.counts_ = counts
        self._pool_hash = pool_hash
        self._chosen = None
        self._calibration = None

    def take_calibration(self, calibration: StoredCalibration | None) -> None:
        """Keep a calibration, and with it the threshold that was in use."""
        self._calibration = calibration
        if calibration is not None and self._chosen is None:
            self._chosen = self._chosen_key(), calibration.threshold

    def _index(self, texts: Sequence[str], quality: NDArray[np.float64]) -> None:
        key = self._index_key()
        data = PoolData(texts, quality, *key[1:], self.n_jobs, self.progress)
        self._pool = prepare_pool(self.kernel, data)
        self._indexed = key

    def _index_key(self) -> tuple[str, TextOptions, dict[str, Any]]:
        """Return what the index depends on, beside the pool."""
        return self.kernel, text_options(self.get_params()), dict(self.kernel_options or {})

    def _chosen_key(self) -> tuple[Any, ...]:
        """Return what the threshold `auto` depends on, beside the pool."""
        return self._index_key(), self.min_neighbors, self.max_fraction

    def _check_fitted(self) -> None:
        if not hasattr(self, "texts_"):
            raise NotFittedError("This BLEUNeighbors has no pool yet: call `fit` or `load` first")
