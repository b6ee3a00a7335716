"""BLEU Neighbors: ratings of texts, estimated from rated texts that resemble them.

Ethayarajh & Sadigh (2020), "BLEU Neighbors: A Reference-less Approach to Automatic Evaluation", Eq. 3.
"""

from __future__ import annotations

import warnings
from collections.abc import Iterable, Mapping, Sequence
from copy import deepcopy
from dataclasses import KW_ONLY, dataclass, replace
from typing import TYPE_CHECKING, Annotated, Any

import numpy as np
from numpy.typing import ArrayLike

from bleu_neighbors_metric.kernels.kernel import KERNEL_NAMES, SMOOTH_METHODS, KernelInput, prepare_pool
from bleu_neighbors_metric.kernels.neighbors import (
    REMEDIES,
    TOO_FEW,
    TOO_MANY,
    Neighbor,
    NeighborRule,
    Ratings,
    estimates,
    leave_absent,
    most_neighbors,
)
from bleu_neighbors_metric.options import (
    AUTO,
    RUNTIME_PARAMETERS,
    WEIGHT_METHODS,
    check_parameters,
    is_published,
    signature_of,
    text_options,
    with_preset,
)
from bleu_neighbors_metric.pool import RatedPool, covering_threshold, rated_pool
from referenceless_metrics.assessment.rating_estimator import FILL_METHODS, RatingEstimator, rated_in_words
from referenceless_metrics.core.registry import cite
from referenceless_metrics.core.results import EMPTY, FEW_COVERED, MetricResult, mark_rated, reasons_for
from referenceless_metrics.core.support.computing import progress_bar
from referenceless_metrics.core.support.validation import (
    Integers,
    NotFittedError,
    PathName,
    Record,
    check_ratings,
    check_texts,
    check_whole,
    describe,
)

if TYPE_CHECKING:
    from bleu_neighbors_metric.tuning.stored_calibration import StoredCalibration
    from referenceless_metrics.assessment.agreement import Verdict

LONGEST_RATED = 1_000_000
"""Most characters of a rated text. Indexing takes about a second per million."""

MOST_ON_DEMAND = 2_000
"""Most texts of a pool that gets a verdict without a calibration: leaving them out takes .2 s."""


@dataclass(eq=False, repr=False)
class BLEUNeighbors(RatingEstimator):
    """Estimate a text's rating by the mean rating of similar rated texts, or abstain.

    A rated text s is a neighbour of a candidate x if BLEU*(x, s) reaches `threshold`. The estimate is the mean rating
    of the neighbours if there are at least `min_neighbors` of them and at most `max_fraction` of the pool; otherwise it
    is undefined (NaN). Equal pool texts count once, with the mean of their ratings.

    By default the threshold is chosen by the pool's texts, and neighbours are weighted by their similarity. The paper's
    rule is `BLEUNeighbors.published()`. The signature tells the two apart.

    `fit` checks the parameters, as in scikit-learn. A parameter that is set later counts from the next `fit` on, except
    `exclude_rated`, `fill`, `n_jobs` and `progress`, which change no estimate.

    Args:
        threshold: least similarity of a neighbour (τ), in [0, 1]; or `"auto"`, the highest of a grid among those with
            the greatest coverage of the pool by leave-one-out. That search reads no rating, so that it does not flatter
            leave-one-out figures.
        min_neighbors: fewest neighbours (a), at least 1.
        max_fraction: largest share of the pool (b), in [0, 1]; 1 to accept any number (the paper does for essays).
        tokenize: `char` (every character, spaces included), `char-nospace`, or a sacrebleu tokeniser (`13a`, …).
        ngram_orders: the n-gram orders of BLEU*, at most 32 of them.
        smooth_method: sacrebleu's smoothing of n-gram precisions: `none`, `floor`, `add-k` or `exp`.
            A candidate that is shorter than the highest order has BLEU* 0 with any smoothing, since an order without
            n-grams has no precision. sacrebleu leaves such orders out of a sentence's BLEU (`effective_order`).
        smooth_value: the value of `floor` (0.1 unless given) and `add-k` (1 unless given).
        clip: True for clipped n-gram counts, as in BLEU; False for Eq. 1 as printed in the paper.
        kernel: the name of the similarity (see `kernel.KERNELS`, which has each one's published threshold). A kernel
            other than BLEU* reads only some of `tokenize` to `clip`.
        kernel_options: the kernel's own options by name, such as BERTScore's `encoder`; None for its defaults.
        weights: weights of neighbours: `similarity`, or `uniform` for equal ones (Eq. 3).
        exclude_rated: whether texts that are in the pool get no value: their estimates rest on their own ratings.
        fill: the value of a text without an estimate: None for NaN; `mean` for the mean rating of the pool, for scorers
            of scikit-learn, which refuse NaN (see `RatingEstimator`).
        n_jobs: threads; None for one, -1 for all processors. Results do not depend on it.
        progress: False for no progress bar, True for one, None for one on a terminal.

    Attributes:
        texts_: the distinct pool texts, n of them, in order of first appearance.
        ratings_: their ratings, shape (n,), float64.
        counts_: the number of ratings of each text, shape (n,), int64.
        threshold_: the threshold in use: the parameter, or the choice of `"auto"`.
        pool_: the texts, prepared for the kernel.
        rule_: the rule for neighbours and estimates.
        parameters_: the parameters that `fit` used, by name, without `exclude_rated`, `fill`, `n_jobs` and `progress`.
        mean_rating_: the mean rating of the pool, in which each distinct text counts once.
        learned_from_: the number, range and mean of the ratings, in words; here each rating counts.
        calibration_: the findings of a calibration; None without one.
        verdict_: the worth of the estimates.

    Example:
        >>> texts = ["the cat sat on the mat", "the cat sat on a mat", "cat the on mat sat sat", "mat mat mat"]
        >>> metric = BLEUNeighbors.published(threshold=0.7, min_neighbors=1, max_fraction=1.0)
        >>> metric = metric.fit(texts, [0.9, 0.8, 0.2, 0.0])
        >>> estimates = metric.predict(["a cat sat on the mat", "colourless green ideas"])
        >>> estimates.values.round(2).tolist(), estimates.n_neighbors.tolist(), estimates.coverage
        ([0.85, nan], [2, 0], 0.5)
    """

    name = "bleu_neighbors"
    needs_references = False
    needs_sources = False
    #: The signature, a sentence for the methods section of a paper, and BibTeX.
    citation = property(cite)
    estimates_ratings = True

    threshold: Annotated[float | str, (AUTO,)] = AUTO
    min_neighbors: int = 5
    max_fraction: float = 0.66
    _: KW_ONLY
    tokenize: str = "char"
    ngram_orders: Sequence[int] = (2, 3, 4)
    smooth_method: Annotated[str, SMOOTH_METHODS] = "none"
    smooth_value: float | None = None
    clip: bool = True
    kernel: Annotated[str, KERNEL_NAMES] = "bleu_star"
    kernel_options: Mapping[str, Any] | None = None
    weights: Annotated[str, WEIGHT_METHODS] = "similarity"
    exclude_rated: bool = False
    fill: Annotated[str | None, FILL_METHODS] = None
    n_jobs: int | None = None
    progress: bool | None = None

    @classmethod
    def published(cls, **parameters: Any) -> BLEUNeighbors:
        """Return an estimator with the settings of the paper: τ = 0.08, a = 5, b = 0.66, equal weights.

        Args:
            parameters: other parameters by name, such as `max_fraction=1.0`, the paper's value for essays.

        Example:
            >>> BLEUNeighbors.published(max_fraction=1.0)
            BLEUNeighbors(threshold=0.08, max_fraction=1.0, weights='uniform')
        """
        return cls(**with_preset({"preset": "published", **parameters}))

    def fit(self, texts: Iterable[str], ratings: ArrayLike) -> BLEUNeighbors:
        """Index a pool of rated texts.

        Args:
            texts: m texts of at most 1,000,000 characters; equal ones are merged and their ratings averaged.
            ratings: shape (m,), finite, in any unit.

        Returns:
            The estimator itself.

        Raises:
            TypeError: for texts that are not strings, or ratings or parameters that are not numbers.
            ValueError: for an empty pool, a text that is too long, unequal lengths, a rating that is not finite, or a
                parameter outside its range.

        Warns:
            UserWarning: if the pool is too small for any estimate to be defined.
        """
        check_parameters(vars(self))
        pool = check_texts(texts, "texts", allow_empty=False)
        for place, text in enumerate(pool):
            if len(text) > LONGEST_RATED:
                raise ValueError(
                    f"Expected argument `texts` to hold texts of at most {LONGEST_RATED:,} characters, but item "
                    f"{place} has {len(text):,}: give the outputs that were rated, not whole documents"
                )
        ratings = check_ratings(ratings, "ratings", length=len(pool), finite_sum=True)
        self.take(rated_pool(pool, ratings))
        most = int(most_neighbors(self.rule_.max_fraction, len(self.texts_)))
        if self.rule_.min_neighbors > most:
            warnings.warn(
                f"no text can be covered: it would need at least {self.min_neighbors} neighbours (`min_neighbors`) and "
                f"at most {most} (`max_fraction` of a pool of {len(self.texts_)} distinct texts)",
                UserWarning,
                stacklevel=2,
            )
        return self

    def take(
        self, rated: RatedPool, threshold: float | None = None, calibration: StoredCalibration | None = None
    ) -> None:
        """Set the fitted attributes from rated texts and parameters that were checked.

        Args:
            rated: the texts.
            threshold: the choice of `"auto"`, if it is known.
            calibration: the calibration of a saved estimator; it is dropped if this estimator differs.
        """
        options, kernel_options = text_options(vars(self)), dict(self.kernel_options or {})
        given = KernelInput(rated.texts, rated.ratings, options, kernel_options, self.n_jobs, self.progress)
        pool = prepare_pool(self.kernel, given)
        if self.threshold != AUTO:
            threshold = float(self.threshold)
        elif threshold is None:
            threshold = covering_threshold(pool, rated.texts, self.min_neighbors, self.max_fraction, self.n_jobs)

        # attributes are set after everything that may fail
        self.pool_ = pool
        self.texts_ = rated.texts
        self.ratings_ = rated.ratings
        self.counts_ = rated.counts
        self.threshold_ = threshold
        self.rule_ = NeighborRule(threshold, self.weights, self.min_neighbors, self.max_fraction)
        self.mean_rating_ = float(rated.ratings.mean())
        self.parameters_ = {name: value for name, value in self.get_params().items() if name not in RUNTIME_PARAMETERS}
        self.parameters_ |= {"ngram_orders": options.ngram_orders, "kernel_options": kernel_options or None}
        self._digest = rated.digest
        self._sums = Ratings.of(rated.ratings)
        self._known_texts = frozenset(rated.texts)
        self._left_out: MetricResult | None = None
        self._verdict: Verdict | None = None
        self.calibration_: StoredCalibration | None = None
        if calibration is not None and calibration.holds_for(self.signature):
            self.calibration_ = calibration

    def predict(
        self, texts: Iterable[str], *, references: Any = None, sources: Any = None, level: float | None = None
    ) -> MetricResult:
        """Estimate the ratings of candidates.

        Args:
            texts: n candidates; an empty one gets no estimate.
            references: ignored.
            sources: ignored.
            level: the level of intervals for the rating of a text like the pool's, in (0, 1); None for 0.9 if the
                estimator was calibrated, else for no intervals.

        Returns:
            q̂ (Eq. 3) in the unit of the ratings, with the column `n_neighbors`, |N|, and the details `fewest` and
            `most` (a and b · |S|) and `n_rated_texts`, the number of texts that are in the pool. With intervals also
            the columns `lower` and `upper`, cut to the range of the pool's ratings, and for a calibrated estimator the
            details `verdict` and `expected_spearman`.

        Raises:
            TypeError: for a bare string, or an item that is not a string and no missing value.
            NotFittedError: before `fit`.
            ValueError: for a level outside (0, 1).
        """
        checked = check_texts(texts, "texts", missing=True)
        self.check_fitted()
        calibration = self.calibration_
        result = mark_rated(self._estimate(checked), checked, self._known_texts, self.exclude_rated)
        if level is None and calibration is None:
            return self.filled(result)
        from referenceless_metrics.assessment.conformal import LEVELS, ResidualIntervals

        level = LEVELS[-1] if level is None else level
        details: dict[str, Any] = {**result.details, "level": level}
        if calibration is None:
            intervals = ResidualIntervals.of(self.leave_one_out().values, self.ratings_)
        else:
            intervals = calibration.intervals
            details |= calibration.details
        lower, upper = intervals.bounds(result.values, level, seen=self.ratings_)
        columns = {**result.columns, "lower": lower, "upper": upper}
        return self.filled(replace(result, columns=columns, details=details))

    def leave_one_out(self) -> MetricResult:
        """Estimate each distinct pool text (`texts_`) from all the others. Calibration uses these estimates."""
        self.check_fitted()
        if self._left_out is None:
            self._left_out = self._estimate(self.texts_, np.arange(len(self.texts_), dtype=np.int64))
        return deepcopy(self._left_out)  # callers may change the arrays

    def kneighbors(self, text: str, k: int = 10) -> list[Neighbor]:
        """Return the `k` pool texts most similar to `text`, the most similar first, to explain its estimate.

        Neighbours have `counts` true. The estimate is the mean of all neighbours, of which there may be more than k.

        Raises:
            TypeError: if `text` is not a string.
            ValueError: if `k` is below 1.
        """
        self.check_fitted()
        if not isinstance(text, str):
            raise TypeError(f"Expected argument `text` to be a string, but got {describe(text)}")
        check_whole(k, "k", 1)
        matrix, n_tokens = self.pool_.compare([text])
        similarity = matrix[0].tolist()
        counts = leave_absent(matrix.copy(), n_tokens)[0] >= self.rule_.least
        nearest = np.argsort(-matrix[0], kind="stable")[:k].tolist()
        return [Neighbor(self.texts_[i], similarity[i], float(self.ratings_[i]), bool(counts[i])) for i in nearest]

    def save(self, path: PathName) -> None:
        """Write the fitted estimator to a file (see `pool_file`), whole or not at all.

        Args:
            path: the file.

        Raises:
            NotFittedError: before `fit`.
            OSError: if the file cannot be written.
            TypeError: for a `kernel_options` value that a file cannot hold, such as a model.
        """
        from bleu_neighbors_metric.pool_file import write_pool

        write_pool(path, self)

    @classmethod
    def load(cls, path: PathName, *, allow_models: bool = False, **parameters: Any) -> BLEUNeighbors:
        """Read an estimator that `save` wrote; it gives the same estimates.

        Args:
            path: the file. Reading it runs none of its content and fetches nothing, so that it may come from anybody.
            allow_models: whether a model or folder that the file names, such as an encoder, may be loaded.
            parameters: parameters that replace those of the file; the rated texts are then fitted again.

        Raises:
            FileNotFoundError: if there is no such file.
            ImportError: without the extra that its kernel needs.
            TypeError: for an unknown parameter, or one of the wrong kind.
            ValueError: for a truncated, foreign or newer file, what `fit` would refuse, or a model without consent.
        """
        from bleu_neighbors_metric.pool_file import read_pool

        return read_pool(path, cls, parameters, allow_models=allow_models)

    def _estimate(self, texts: Sequence[str], excluded: Integers | None = None) -> MetricResult:
        n = len(texts)
        mean = np.full(n, np.nan)
        n_neighbors = np.zeros(n, dtype=np.int64)
        batches = self.pool_.tally(texts, self._sums, self.rule_, excluded=excluded, n_jobs=self.n_jobs)
        with progress_bar(n, "matching", self.progress) as bar:
            for batch, tally in batches:
                n_neighbors[batch] = tally.n_neighbors
                mean[batch] = tally.mean()
                bar.update(len(tally.n_neighbors))
        fewest = self.rule_.min_neighbors
        n_others = len(self.texts_) if excluded is None else len(self.texts_) - 1
        most = int(most_neighbors(self.rule_.max_fraction, n_others))
        values = estimates(mean, n_neighbors, fewest, most)
        masks = {
            EMPTY: np.fromiter(map(len, texts), np.int64, n) == 0,
            TOO_MANY: (n_neighbors > most) & (n_neighbors >= fewest),
            TOO_FEW: np.isnan(values),
        }
        details = {"fewest": fewest, "most": most}
        columns = {"n_neighbors": n_neighbors}
        return MetricResult(values, reasons_for(n, masks), self.signature, columns, details, REMEDIES)

    def __sklearn_is_fitted__(self) -> bool:
        return "pool_" in vars(self)

    def check_fitted(self) -> None:
        """Check that there is a pool.

        Raises:
            NotFittedError: before `fit`.
        """
        if not self.__sklearn_is_fitted__():
            raise NotFittedError("This BLEUNeighbors has no pool yet: call `fit` or `load` first")

    def __getstate__(self) -> Record:
        """Leave out values that were computed on demand, so that use does not change a pickle."""
        if not self.__sklearn_is_fitted__():
            return vars(self)
        return {**vars(self), "_verdict": None, "_left_out": None}

    def attach_calibration(self, calibration: StoredCalibration) -> None:
        """Keep a calibration of the estimator."""
        self.calibration_ = calibration

    @property
    def learned_from_(self) -> str:  # type: ignore[override]  # from the ratings, when it is asked for
        """The number, range and mean of the ratings, in words; each rating counts."""
        self.check_fitted()
        bounds = float(self.ratings_.min()), float(self.ratings_.max())
        mean = float(np.average(self.ratings_, weights=self.counts_))
        return rated_in_words(int(self.counts_.sum()), len(self.texts_), bounds, mean)

    @property
    def verdict_command(self) -> str:
        """The command that measures the verdict on a pool of any size."""
        return "referenceless calibrate POOL"

    @property
    def known_verdict_(self) -> Verdict | None:
        """Verdict on the estimates, if a calibration has one or `verdict_` was asked for; else None."""
        if not self.__sklearn_is_fitted__():
            return None
        return self.calibration_ or self._verdict

    @property
    def verdict_(self) -> Verdict | None:
        """Verdict on the estimates by leaving each rated text out, measured at the first use and kept.

        None before `fit`, and for a pool of more than 2,000 texts without a calibration.
        """
        known = self.known_verdict_
        if known is None and self.__sklearn_is_fitted__() and 2 <= len(self.texts_) <= MOST_ON_DEMAND:
            from bleu_neighbors_metric.tuning.parts import part_estimates
            from referenceless_metrics.assessment.assessment import assess, groupings_of, left_out_estimates

            groupings = groupings_of(None, self.texts_)
            estimates = left_out_estimates(part_estimates(self), self.ratings_, groupings)
            known = assess(estimates, self.texts_, self.ratings_, groupings=groupings).verdict
            self._verdict = known
        return known

    @property
    def least_coverage(self) -> float | None:
        """Least coverage of a mean in training; None with the paper's settings, which have no such bound."""
        parameters = self.parameters_ if self.__sklearn_is_fitted__() else vars(self)
        return None if is_published(parameters) else FEW_COVERED

    @property
    def signature(self) -> str:
        """Settings and, once fitted, the pool's size and digest, in sacrebleu's style; they determine the estimates."""
        if not self.__sklearn_is_fitted__():
            return signature_of(vars(self))
        handed_out = {"exclude_rated": self.exclude_rated, "fill": self.fill}
        return signature_of({**self.parameters_, **handed_out}, self.threshold_, f"{len(self.texts_)}.{self._digest}")
