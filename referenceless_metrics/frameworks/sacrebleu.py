"""Any metric as one of sacrebleu's: one score per segment, some of them undefined.

`corpus_score`, `sentence_score`, bootstrap confidence intervals, signatures and `sacrebleu.significance.PairedTest`
work with it as with BLEU. The corpus score is the mean over the covered segments, and its coverage stands beside it.
"""

from __future__ import annotations

import hashlib
import json
import math
import multiprocessing
import sys
import warnings
from collections.abc import Callable, Iterable, Iterator, Sequence
from typing import Any, ClassVar

import numpy as np
from numpy.typing import ArrayLike
from sacrebleu.metrics.base import Metric, Score, Signature

from referenceless_metrics.core.metric import Metric as TextMetric
from referenceless_metrics.core.metric import check_metric, check_references, scale_warning, score_texts
from referenceless_metrics.core.results import FEWEST_FOR_INTERVAL, MetricResult
from referenceless_metrics.core.support.installation import project_version
from referenceless_metrics.core.support.validation import Floats, check_texts, check_whole, describe
from referenceless_metrics.frameworks.sacrebleu_ties import ComparableScore


class SegmentScore(Score):  # type: ignore[misc]  # sacrebleu is untyped
    """The mean over the covered segments, with its coverage.

    Args:
        name: the metric's name.
        score: the mean; NaN for a sentence that is not covered.
        coverage: the share of segments that are covered.
        n_segments: the number of segments.
    """

    def __init__(self, name: str, score: float, coverage: float, n_segments: int) -> None:
        super().__init__(name, score)
        self.coverage = coverage
        self.n_segments = n_segments

    def format(self, width: int = 4, score_only: bool = False, signature: str = "", is_json: bool = False) -> str:
        """Return the score as a line or as JSON, in the form of sacrebleu's.

        Unlike the base class, it shows the confidence interval around a negative mean, too; an undefined score is null
        in JSON, and a JSON score needs no signature.

        Args:
            width: decimals.
            score_only: the number (and its interval) alone.
            signature: the metric's signature, formatted.
            is_json: return JSON.
        """
        score, mean, half = (f"{value:z.{width}f}" for value in (self.score, self._mean, self._ci))  # z: 0, not -0
        counts = f"(coverage = {self.coverage:.3f} segments = {self.n_segments})"
        number, confidence = score, {}
        if self._ci >= 0:  # -1 until it is estimated; the mean may be negative
            text = f"μ = {mean} ± {half}"
            confidence = {"confidence_mean": float(mean), "confidence_var": float(half), "confidence": text}
            number += f" ({text})"
        if is_json:
            content = {
                "name": self.name,
                "score": None if math.isnan(self.score) else float(score),
                "signature": signature,
                **confidence,
                "verbose_score": counts,
                "coverage": self.coverage,
                "n_segments": self.n_segments,
                **dict(part.split(":", 1) for part in signature.split("|") if part),
            }
            return json.dumps(content, indent=1, ensure_ascii=False, allow_nan=False)
        if score_only:
            return number
        return f"{'|'.join(filter(None, (self.name, signature)))} = {number} {counts}"


_SHORT = 80


class _Signature(Signature):  # type: ignore[misc]  # sacrebleu is untyped
    """A signature whose short form fits a line of 80 letters."""

    def format(self, short: bool = False) -> str:
        """Return the parts; in short form those that fit, and a digest of all in place of the others.

        Args:
            short: use sacrebleu's abbreviations, and keep the whole below 80 letters.
        """
        whole = str(super().format(short))
        if not short or len(whole) < _SHORT:
            return whole
        *parts, version = whole.split("|")
        digest = f"sha:{hashlib.sha256(super().format().encode()).hexdigest()[:8]}"
        kept, left = [], _SHORT - len(f"|{digest}|{version}")
        for part in parts:
            if len(part) + 1 < left:
                kept.append(part)
                left -= len(part) + 1
        return "|".join([*kept, digest, version])


Streams = Sequence[Sequence[str | None]]
"""References in sacrebleu's form: one list of n texts per reference, with None or "" for a segment with fewer."""


class SacrebleuAdapter(Metric):  # type: ignore[misc]  # sacrebleu is untyped
    """Any metric as one of sacrebleu's; the corpus score is its mean, and an infinite value counts as undefined.

    A subclass has a metric's class, or a function that makes a metric, as `make`, and takes its arguments.

    Four numbers per segment are summed: score − `centre`, covered, 1 (or 0, 0, 1 for an uncovered segment), and the
    corpus score. The score is centre + Σ / Σ covered, so that an abstention changes only the coverage. A resample
    without a covered segment gets the corpus score.

    A metric whose values are relative to the scored set (ROUGE-LM) keeps the scale of the first corpus that it scores:
    in a paired test that of the baseline.

    A paired test of a metric that estimates human ratings is a test of its mean, on this draw of segments and with this
    pool, and no finding about people, which needs ratings of the systems' own outputs (`human_scores`). The signature
    of such a metric tells it: `p_of:metric_mean_not_people`.

    Args:
        made_from: the positional arguments of `make`; for this class itself a metric with its models or pool.
        estimator: the metric itself, in place of arguments.
        sources: the source of each segment, for a metric that reads sources, since sacrebleu passes on texts and
            references only. They belong to every system that is scored, in the same order.
        parameters: the named arguments of `make`.

    Attributes:
        name: the name that every score carries.
        metric: the metric; a metric of sets has a fixed scale once a corpus was scored.
        sources: the sources; None without.
        results: the results of the last call of `score_systems`.
        needs_references: whether the metric reads references; one that does not ignores them.
        estimates_ratings: whether it estimates human ratings, so that no test of it is a finding about people.

    Raises:
        TypeError: for an object that is no metric.
        NotFittedError: for an estimator that was not fitted.
    """

    make: ClassVar[Callable[..., TextMetric]] = staticmethod(check_metric)
    name: str = ""

    def __init__(
        self,
        *made_from: Any,
        estimator: TextMetric | None = None,
        sources: Sequence[Any] | None = None,
        **parameters: Any,
    ) -> None:
        super().__init__()
        if estimator is not None and (made_from or parameters):
            raise ValueError("Expected either a fitted `estimator` or what to make one from, but got both")
        self.metric: Any = check_metric(self.make(*made_from, **parameters) if estimator is None else estimator)
        if isinstance(sources, (str, bytes)) or not (sources is None or isinstance(sources, Sequence)):
            raise TypeError(
                "Expected argument `sources` to be a list with one source for each segment, but got "
                f"{describe(sources)}"
            )
        self.sources = None if sources is None else list(sources)
        self.results: list[MetricResult] = []
        self.name = self.name or self.metric.name
        self.needs_references: bool = self.metric.needs_references
        self.estimates_ratings = bool(getattr(self.metric, "estimates_ratings", False))
        self.num_refs = 0

    def __reduce__(self) -> tuple[Any, ...]:
        return _in_worker, (type(self),), self.__dict__

    @property
    def centre(self) -> float:
        """Constant that is subtracted from every score, so that sums stay small: the mean rating, else 0."""
        return float(getattr(self.metric, "mean_rating_", 0.0))

    @property
    def _on_set(self) -> bool:
        return bool(getattr(self.metric, "set_dependent", False))

    def segment_scores(self, hypotheses: Iterable[str], references: Streams | None = None) -> Floats:
        """Score texts one by one.

        Args:
            hypotheses: n texts.
            references: reference streams, for a metric that reads them.

        Returns:
            One score per text, shape (n,), NaN if undefined.

        Raises:
            TypeError: for a bare string or an item that is not a string.
            ValueError: for no texts, missing references, or streams of another length.
        """
        return self.score_systems([check_texts(hypotheses, "hypotheses", allow_empty=False)], references)[0]

    def score_systems(self, systems: Sequence[Sequence[str]], references: Streams | None = None) -> list[Floats]:
        """Score the outputs of several systems for the same inputs; a metric of sets takes its scale from all of them.

        See `segment_scores`.
        """
        lists = self.by_segment(references, len(systems[0]))
        if self._on_set:
            together = [text for system in systems for text in system]
            repeated = [None if inputs is None else inputs * len(systems) for inputs in (lists, self.sources)]
            result = score_texts(self.metric, together, *repeated)
            if np.isfinite(result.values).any():  # if nothing is defined, there is no scale to keep
                self.metric = self.metric.fixed(result)
            self.results = [result.take(places) for places in np.arange(len(result)).reshape(len(systems), -1)]
        else:
            self.results = [score_texts(self.metric, texts, lists, self.sources) for texts in systems]
        return [np.where(np.isfinite(result.values), result.values, np.nan) for result in self.results]

    def corpus_score(
        self, hypotheses: Sequence[str], references: Streams | None = None, n_bootstrap: int = 1
    ) -> SegmentScore:
        """Score a system: the mean over the segments that are covered.

        Args:
            hypotheses: the system's n outputs.
            references: reference streams, for a metric that reads them; ignored by one that does not.
            n_bootstrap: if above 1, the number of bootstrap resamples for a 95% confidence interval, which needs ten
                covered segments.

        Raises:
            TypeError: for a bare string, a generator or an item that is not a string.
            ValueError: for no texts, missing references, or a system of which no segment is covered.

        Warns:
            UserWarning: if the scale is that of these texts, so that their mean is 0.
        """
        warning = scale_warning(self.metric)
        if warning is not None:
            warnings.warn(f"{self.name}: {warning}", UserWarning, stacklevel=2)
        check_whole(n_bootstrap, "n_bootstrap", 1)
        self.n_bootstrap = self.seed = None  # those of an earlier call
        score: SegmentScore = super().corpus_score(hypotheses, references, n_bootstrap)
        score.score = float(score.score)
        if round(score.coverage * score.n_segments) < FEWEST_FOR_INTERVAL:
            score._ci = -1.0  # as sacrebleu has it if no interval is estimated
        return score

    def sentence_score(
        self, hypothesis: str, references: Sequence[str] | None = None, source: Any = None
    ) -> SegmentScore:
        """Score one text; the score is NaN if it is undefined.

        Args:
            hypothesis: the text.
            references: its references, for a metric that reads them.
            source: the source that it was made from, for a metric that reads sources.

        Raises:
            TypeError: if `hypothesis` is not a string.
            ValueError: for missing references or a missing source, or for a metric of sets if there is no scale
                yet.
        """
        if not isinstance(hypothesis, str):
            raise TypeError(f"Expected argument `hypothesis` to be a string, but got {describe(hypothesis)}")
        if self._on_set:
            raise ValueError(
                f"Expected `statistics` of {self.name}, or a corpus scored before, to place one text on a scale, but "
                "there is neither"
            )
        streams = None if references is None else [[text] for text in check_texts(references, "references")]
        sources = None if source is None else [source]
        value = score_texts(self.metric, [hypothesis], self.by_segment(streams, 1), sources).values[0]
        covered = bool(np.isfinite(value))
        return SegmentScore(self.name, float(value) if covered else np.nan, float(covered), 1)

    def get_signature(self) -> Signature:
        """Return the settings that determine the scores; unlike sacrebleu's, they are known before scoring."""
        parts: dict[str, str] = dict(part.split(":", 1) for part in self.metric.signature.split("|"))
        if hasattr(self.metric, "fixed"):  # the scale of a metric of sets
            scale = self.metric.statistics_
            parts["z"] = "first" if scale is None else hashlib.sha256(repr(scale).encode()).hexdigest()[:8]
        if self.estimates_ratings:
            parts["p_of"] = "metric_mean_not_people"
        parts["version"] = project_version()
        parts.pop("metric", None)
        signature = _Signature(self.__dict__)
        signature.info |= parts
        signature._abbr = {key: key for key in parts} | signature._abbr
        return signature

    def statistics_of(self, scores: ArrayLike) -> Floats:
        """Return the additive statistics of n segment scores, shape (n, 4).

        Raises:
            ValueError: if no score is defined: such a system has no score, and cannot be tested.
        """
        values = np.asarray(scores, dtype=float)
        covered = np.isfinite(values)
        if not covered.any():
            raise ValueError(
                f"{self.name} covers none of the {len(values)} segments, so the system has no score: nothing can be "
                "said of it, nor compared with it"
            )
        ones = np.ones(len(values))
        return np.column_stack(
            [
                np.where(covered, values, self.centre) - self.centre,
                covered.astype(float),
                ones,
                values[covered].mean() * ones,
            ]
        )

    def _extract_corpus_statistics(self, hypotheses: Sequence[str], references: Any) -> Floats:
        return self.statistics_of(self.segment_scores(hypotheses, references))

    def _aggregate_and_compute(self, stats: Any) -> SegmentScore:
        # A paired test asks this 20,000 times, of one row each time.
        sums = stats[0] if len(stats) == 1 else np.asarray(stats, dtype=float).sum(axis=0)
        score = self._compute_score_from_stats(sums)
        score.score = ComparableScore(score.score)  # paired tests compare these; see `sacrebleu_ties`
        return score

    def _compute_score_from_stats(self, stats: Any) -> SegmentScore:
        deviation, n_covered, n_segments, of_corpus = stats.tolist()
        mean = self.centre + deviation / n_covered if n_covered > 0 else of_corpus / n_segments
        return SegmentScore(self.name, mean, n_covered / n_segments, round(n_segments))

    def _not_asked(self, *_: Any) -> Any:
        raise NotImplementedError  # a step of sacrebleu that the methods above do not need

    _compute_segment_statistics = _preprocess_segment = _extract_reference_info = _not_asked

    def _check_corpus_score_args(self, hyps: Any, refs: Any) -> None:
        if isinstance(hyps, Iterator):  # a look at it would use it up; the words are sacrebleu's
            super()._check_corpus_score_args(hyps, None)

    def by_segment(self, references: Streams | None, n_segments: int) -> list[list[str]] | None:
        """Return one list of references per segment; None if there are none, or the metric reads none."""
        if references is None or not self.needs_references:
            return None
        if isinstance(references, str) or not references or any(isinstance(stream, str) for stream in references):
            raise TypeError(
                "Expected argument `references` to be a list of reference streams (each a list with one text a "
                f"segment), but got {describe(references)}"
            )
        lengths = [*map(len, references)]
        if {*lengths} != {n_segments}:
            raise ValueError(
                f"Expected argument `references` to hold streams of {n_segments} texts, one for each hypothesis, but "
                f"got lengths {lengths}"
            )
        lists = [[text for text in texts if text not in (None, "")] for texts in zip(*references, strict=True)]
        lists = check_references(lists, n_segments)
        counts = {*map(len, lists)}
        self.num_refs = counts.pop() if len(counts) == 1 else -1  # -1: sacrebleu's sign for a varying number
        return lists


def _in_worker(kind: type[SacrebleuAdapter]) -> SacrebleuAdapter:
    """Begin to restore a pickled metric, before the models in it are.

    sacrebleu's paired tests with `n_jobs` send metrics to forked processes. There, torch waits for ever for the threads
    that its parent had, unless it is set to use one.
    """
    if "torch" in sys.modules and multiprocessing.parent_process() is not None:
        sys.modules["torch"].set_num_threads(1)
    return kind.__new__(kind)
