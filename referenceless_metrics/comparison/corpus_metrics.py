"""Metrics of sacrebleu in a comparison: BLEU, chrF and TER, whose scores are of the counts of a whole corpus."""

from __future__ import annotations

import copy
import math
import os
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from referenceless_metrics.command_line.baselines import baseline, segment_scores
from referenceless_metrics.core.metric import check_references
from referenceless_metrics.core.results import FEWEST_FOR_INTERVAL, MetricResult
from referenceless_metrics.core.support.lazily import cached_property
from referenceless_metrics.core.support.validation import Floats, Integers, check_texts
from referenceless_metrics.frameworks.sacrebleu import Streams
from referenceless_metrics.frameworks.sacrebleu_ties import tie_aware
from referenceless_metrics.human_evaluation.inference.estimated_means import Inference
from referenceless_metrics.human_evaluation.inference.output_ratings import Systems

RESAMPLES = 1000
"""Resamples of the paired bootstrap, as many as sacrebleu's."""


class CorpusMetric:
    """A metric of sacrebleu that is compared itself: `predict` scores single texts, `corpus` a whole corpus.

    Args:
        name: one of `command_line.baselines.NAMES`.

    Attributes:
        corpus: sacrebleu's metric.
        name: the name of its scores, such as chrF2.
        signature: the metric's settings.

    >>> metric = CorpusMetric("bleu")
    >>> metric.name, metric.predict(["the cat sat here"], references=["the cat sat here"]).values
    ('BLEU', array([100.]))
    """

    needs_references = True
    needs_sources = False
    scale = ""

    def __init__(self, name: str) -> None:
        self._kind = name
        self.corpus = baseline(name)
        self.name: str = self.corpus.corpus_score(["a"], [["a"]]).name
        self.signature = f"metric:{self.name}|{self.corpus.get_signature()}"

    def predict(self, texts: Iterable[str], *, references: Any = None, sources: Any = None) -> MetricResult:
        """Score texts one by one; see `segment_scores`."""
        checked = check_texts(texts, "texts", missing=True)
        values = segment_scores(self._kind, checked, check_references(references, len(checked)))
        return MetricResult(values, (None,) * len(checked), self.signature)


@dataclass(frozen=True)
class Counted:
    """A metric of sacrebleu with its counts of systems' outputs in units that are independent of one another.

    Attributes:
        metric: the metric, whose hypotheses are counts.
        counts: the counts of each system, shape (units, counts).
    """

    metric: Any
    counts: Sequence[Floats]

    @classmethod
    def of(cls, metric: Any, systems: Systems, references: Streams | None, units: Integers) -> Counted:
        """Count a metric's n-grams or edits in each unit.

        Args:
            metric: a metric of sacrebleu.
            systems: names and outputs of the systems, n each.
            references: streams of references; a blank text is none.
            units: the number of the unit of each segment, its own or that of its cluster, from 0 up, shape (n,).
        """
        counting = tie_aware(metric)
        # an empty text would be a reference, of length 0
        streams = None if references is None else [[text or None for text in stream] for stream in references]
        counts = []
        for _, texts in systems:
            of_segments = np.array(counting._extract_corpus_statistics(texts, streams))
            of_units = np.zeros((int(units.max()) + 1, of_segments.shape[1]), of_segments.dtype)
            np.add.at(of_units, units, of_segments)
            counts.append(of_units)
        counted = copy.copy(counting)
        counted._extract_corpus_statistics = lambda of_system, _: of_system
        return cls(counted, counts)

    @cached_property
    def resampled(self) -> list[Floats]:
        """The scores of each system on the same resamples of units, shape (`RESAMPLES`,) each.

        The environment variable SACREBLEU_SEED seeds them, as it does sacrebleu's.
        """
        seed = os.environ.get("SACREBLEU_SEED", "12345")
        rng = np.random.default_rng(None if seed.lower() == "none" else int(seed))
        n_units = len(self.counts[0])
        times = rng.multinomial(n_units, np.full(n_units, 1 / n_units), RESAMPLES)
        score = self.metric._compute_score_from_stats
        return [np.array([score(sums).score for sums in times @ counts], dtype=float) for counts in self.counts]

    def difference(self, place: int, base: int) -> Inference | None:
        """Return the difference of two systems' scores, with the standard error of a paired bootstrap.

        The error is enlarged by √(n / (n − 1)), so that it is that of the paired t test if the score is a mean.

        Returns:
            None of fewer than `FEWEST_FOR_INTERVAL` units, and for a difference that no resample changes.
        """
        n_units = len(self.counts[0])
        if n_units < FEWEST_FOR_INTERVAL:
            return None
        score = self.metric._compute_score_from_stats
        value = float(score(self.counts[place].sum(0)).score - score(self.counts[base].sum(0)).score)
        error = float(np.std(self.resampled[place] - self.resampled[base], ddof=1)) * math.sqrt(n_units / (n_units - 1))
        if error == 0 and value != 0:
            return None
        return Inference(value, error, float(n_units - 1), 0.0)
