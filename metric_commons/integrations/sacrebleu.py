"""Metrics of one score a segment, some of them undefined, as sacrebleu's own metrics are.

`corpus_score`, `sentence_score`, bootstrap confidence intervals, signatures and `sacrebleu.significance.PairedTest`
work with them as with BLEU. The corpus score is the mean over the covered segments, and its coverage stands beside it.
"""

from __future__ import annotations

import math
import multiprocessing
import sys
from abc import abstractmethod
from collections.abc import Iterable, Iterator, Sequence
from typing import Any, ClassVar

import numpy as np
from numpy.typing import ArrayLike, NDArray
from sacrebleu.metrics.base import Metric

from metric_commons.integrations.sacrebleu_scores import ComparableScore, SegmentScore, SegmentSignature
from metric_commons.support.installation import project_version
from metric_commons.support.validation import check_number, check_texts, describe

Streams = Sequence[Sequence[str | None]]
"""References as sacrebleu takes them: one list of n texts for each reference, None or "" where a segment has fewer."""


class _Worker:
    """Stands first in a pickled metric: what it does happens before the models that follow are restored.

    sacrebleu's paired tests with `n_jobs` send metrics to forked processes. There, torch waits for ever for the threads
    that its parent had, unless it is told to use one.
    """

    def __reduce__(self) -> tuple[Any, ...]:
        return _enter_worker, ()


def _enter_worker() -> None:
    if "torch" in sys.modules and multiprocessing.parent_process() is not None:
        sys.modules["torch"].set_num_threads(1)


class SegmentMetric(Metric):  # type: ignore[misc]  # sacrebleu is untyped
    """Base of the metrics that score each segment by itself and may abstain.

    A subclass sets `name`, `key` and `needs_references`, and implements `_segment_scores` and `_signature_parts`.

    Three numbers a segment are added up: score − `centre`, covered, 1 (and 0, 0, 1 where the segment is not covered),
    from which the corpus score is centre + Σ / Σ covered. So an abstention touches nothing but the coverage. A
    resample in which nothing is covered scores `centre`, and all statistics are finite.

    Args:
        references: reference streams to keep, for a metric that reads references; `corpus_score(texts, None)` then
            uses them, as with sacrebleu's metrics.
    """

    #: The name that every score carries.
    name: ClassVar[str]
    #: The name of the metric in results by name, as of a trainer.
    key: ClassVar[str]
    #: Whether the metric reads references; one that does not ignores them.
    needs_references: ClassVar[bool] = False
    #: Whether the metric estimates human ratings, so that no test of it is a finding about people.
    estimates_ratings: ClassVar[bool] = False

    def __init__(self, references: Streams | None = None) -> None:
        super().__init__()
        self.num_refs = 0
        if references is not None and self.needs_references:
            self._ref_cache = self._by_segment(references)

    def __getstate__(self) -> dict[str, Any]:
        return {"_worker": _Worker(), **self.__dict__}

    def __setstate__(self, state: dict[str, Any]) -> None:
        self.__dict__.update({name: value for name, value in state.items() if name != "_worker"})

    @abstractmethod
    def _segment_scores(self, texts: list[str], references: list[list[str]] | None) -> NDArray[np.float64]:
        """Return one score a text, shape (n,), NaN where undefined; `references` has one list a text."""

    @abstractmethod
    def _signature_parts(self) -> dict[str, tuple[str, object]]:
        """Return what determines the scores: from a key to its abbreviation and value."""

    @property
    def centre(self) -> float:
        """What a corpus of which nothing is covered is taken to score, where a number is needed (a resample)."""
        return 0.0

    def segment_scores(self, hypotheses: Iterable[str], references: Streams | None = None) -> NDArray[np.float64]:
        """Score texts one by one.

        Args:
            hypotheses: n texts.
            references: reference streams, for a metric that reads them.

        Returns:
            One score a text, shape (n,), NaN where undefined.

        Raises:
            TypeError: for a bare string or an item that is not a string.
            ValueError: for no texts, missing references, or streams of another length.
        """
        texts = check_texts(hypotheses, "hypotheses", allow_empty=False)
        return self._segment_scores(texts, self._references_of(references, len(texts)))

    def score_systems(
        self, systems: Sequence[Sequence[str]], references: Streams | None = None
    ) -> list[NDArray[np.float64]]:
        """Score the outputs of several systems for the same inputs, on one scale; see `segment_scores`."""
        return [self.segment_scores(texts, references) for texts in systems]

    def corpus_score(
        self, hypotheses: Sequence[str], references: Streams | None = None, n_bootstrap: int = 1
    ) -> SegmentScore:
        """Score a system: the mean over the segments that are covered.

        Args:
            hypotheses: the system's n outputs.
            references: reference streams, for a metric that reads them; ignored by one that does not.
            n_bootstrap: if above 1, the number of bootstrap resamples for a 95% confidence interval.

        Raises:
            TypeError: for a bare string, a generator or an item that is not a string.
            ValueError: for no texts, missing references, or a system of which no segment is covered.
        """
        check_number(n_bootstrap, "n_bootstrap", minimum=1, integer=True)
        self.n_bootstrap = self.seed = None  # those of an earlier call
        score: SegmentScore = super().corpus_score(hypotheses, references, n_bootstrap)
        score.score = float(score.score)
        return score

    def sentence_score(self, hypothesis: str, references: Sequence[str] | None = None) -> SegmentScore:
        """Score one text; the score is NaN where it is undefined.

        Args:
            hypothesis: the text.
            references: its references, for a metric that reads them.

        Raises:
            TypeError: where `hypothesis` is not a string.
            ValueError: for missing references.
        """
        if not isinstance(hypothesis, str):
            raise TypeError(f"Expected argument `hypothesis` to be a string, but got {describe(hypothesis)}")
        streams: Streams | None = None
        if self.needs_references and references is not None:
            streams = [[text] for text in check_texts(references, "references", allow_empty=False)]
        value = float(self._segment_scores([hypothesis], self._references_of(streams, 1))[0])
        covered = math.isfinite(value)
        return SegmentScore(self.name, value if covered else math.nan, float(covered), 1)

    def get_signature(self) -> SegmentSignature:
        """Return what determines the scores; unlike sacrebleu's, it is known before anything is scored."""
        signature = SegmentSignature(self.__dict__, self._signature_parts())
        signature.update("version", project_version())
        return signature

    def statistics_of(self, scores: ArrayLike) -> NDArray[np.float64]:
        """Return the additive statistics of n segment scores, shape (n, 3).

        Raises:
            ValueError: where no score is defined: such a system has no score, and cannot be tested.
        """
        values = np.asarray(scores, dtype=np.float64)
        covered = np.isfinite(values)
        if not covered.any():
            raise ValueError(
                f"{self.name} covers none of the {len(values)} segments, so the system has no score: nothing can be "
                "said of it, nor compared with it"
            )
        return np.column_stack(
            [np.where(covered, values, self.centre) - self.centre, covered.astype(np.float64), np.ones(len(values))]
        )

    def _extract_corpus_statistics(self, hypotheses: Sequence[str], references: Any) -> NDArray[np.float64]:
        return self.statistics_of(self.segment_scores(hypotheses, references))

    def _aggregate_and_compute(self, stats: Any) -> SegmentScore:
        score = self._compute_score_from_stats(np.asarray(stats, dtype=np.float64).sum(axis=0))
        score.score = ComparableScore(score.score)  # paired tests compare these; see `significance`
        return score

    def _compute_score_from_stats(self, stats: Any) -> SegmentScore:
        deviation, n_covered, n_segments = stats.tolist()
        mean = self.centre + deviation / n_covered if n_covered > 0 else self.centre
        return SegmentScore(self.name, mean, n_covered / n_segments, round(n_segments))

    def _not_asked(self, *_: Any) -> Any:
        raise NotImplementedError  # sacrebleu's own steps, which the methods above do without

    _compute_segment_statistics = _preprocess_segment = _extract_reference_info = _not_asked

    def _check_corpus_score_args(self, hyps: Any, refs: Any) -> None:
        if isinstance(hyps, Iterator):  # a look at it would use it up; the words are sacrebleu's
            raise TypeError(f"{type(self).__name__}: `hyps` should be a sequence of strings.")
        check_texts(hyps, "hypotheses", allow_empty=False)

    def _references_of(self, references: Streams | None, n_segments: int) -> list[list[str]] | None:
        """Return one list of references a segment, or None for a metric that reads none."""
        if not self.needs_references:
            return None
        lists: list[list[str]] | None = self._ref_cache if references is None else self._by_segment(references)
        if lists is None:
            raise ValueError(f"Expected argument `references`, without which there is no {self.name}, but got None")
        if len(lists) != n_segments:
            raise ValueError(
                f"Expected argument `references` to hold streams of {n_segments} texts, one for each hypothesis, but "
                f"got {len(lists)}"
            )
        return lists

    def _by_segment(self, references: Streams) -> list[list[str]]:
        if isinstance(references, (str, bytes)) or not isinstance(references, Sequence) or not references:
            raise TypeError(
                "Expected argument `references` to be a list of reference streams (each with one text a segment), but "
                f"got {describe(references)}"
            )
        streams = [
            check_texts(one if isinstance(one, str) else [*map(_or_empty, one)], f"references[{place}]")
            for place, one in enumerate(references)
        ]
        lengths = [*map(len, streams)]
        if len(set(lengths)) > 1:
            raise ValueError(f"Expected the streams of `references` to be equally long, but got lengths {lengths}")
        lists = [[text for text in texts if text] for texts in zip(*streams, strict=True)]
        if [] in lists:
            raise ValueError(
                f"Expected argument `references` to hold one for each segment, but segment {lists.index([])} has none"
            )
        counts = {*map(len, lists)}
        self.num_refs = counts.pop() if len(counts) == 1 else -1  # -1: sacrebleu's sign for a varying number
        return lists


def _or_empty(reference: Any) -> Any:
    return "" if reference is None else reference
