"""Best of n: which of several candidates a metric finds the best, for many inputs at once."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import Any

import numpy as np

from metric_commons.assessment.folds import number_groups
from metric_commons.metric import Metric, check_metric, score_texts
from metric_commons.results import MetricResult
from metric_commons.support.validation import Integers, check_whole
from referenceless_metrics.selection.mbr import MBR, Lists, best_first, check_lists, distinct


@dataclass(frozen=True, eq=False)
class Reranking:
    """The candidates of m inputs, n in all, in the order of a metric.

    Attributes:
        lists: the candidates as they came.
        scores: the metric's values of all of them, in the same order.
        order: the candidates list by list, the best of each first, shape (n,); see `lists.best_first`.
    """

    lists: Lists
    scores: MetricResult
    order: Integers

    def __len__(self) -> int:
        return len(self.lists)

    def __repr__(self) -> str:
        return f"{type(self).__name__}({self.chosen!r})"

    @property
    def _first(self) -> Integers:
        return self.order[self.lists.begins[:-1]]

    @property
    def texts(self) -> list[str]:
        """The chosen text of each input."""
        return [self.lists.texts[place] for place in self._first.tolist()]

    @property
    def indices(self) -> Integers:
        """Which candidate of its list is chosen, counted from 0, shape (m,)."""
        return self._first - self.lists.begins[:-1]

    @property
    def chosen(self) -> MetricResult:
        """The values of the chosen; NaN with a reason where no candidate has one and the first stands for them."""
        return self.scores.take(self._first)

    def n_best(self, n: int) -> list[list[int]]:
        """Return the best `n` distinct candidates of each input, best first, by their index in its list.

        Raises:
            TypeError: for anything but a whole number.
            ValueError: for fewer than one.
        """
        check_whole(n, "n", 1)
        if n == 1:
            return [[index] for index in self.indices.tolist()]
        place = distinct(self.lists).place
        found = []
        for begin, end in pairwise(self.lists.begins.tolist()):
            own = self.order[begin:end]
            _, firsts = np.unique(place[own], return_index=True)  # of equal texts the first alone
            found.append((own[np.sort(firsts)[:n]] - begin).tolist())
        return found


def rerank(
    candidates_per_input: Iterable[Iterable[str]] | Lists,
    metric: Metric,
    *,
    sources: Sequence[Any] | None = None,
    references: Sequence[Any] | None = None,
) -> Reranking:
    """Order the candidates of each input by a metric, the best first.

    Of equal values the candidate that stands first in its list is chosen. One without a value is never chosen where
    another has one; where none has, the first is, with the value NaN. Equal texts are scored once.

    Args:
        candidates_per_input: m lists of one or more texts.
        metric: any metric of the protocol, with its models or pool bound; or `MBR`.
        sources: what each input was, m of them, for a metric that reads sources.
        references: one reference or a list of them an input, for a metric that reads references.

    Raises:
        TypeError: for candidates that are no lists of texts, or a metric that is none.
        NotFittedError: for an estimator that was not fitted.
        ValueError: for an input without candidates, missing sources or references, not as many as there are inputs, or
            a metric whose values depend on what else is scored (`MBR` apart, whose sets are the lists).

    >>> from referenceless_metrics import WPSLOR
    >>> found = rerank([["sat cat the mat on", "the cat sat on the mat ."], ["", "he read it ."]], WPSLOR())
    >>> found.texts, found.indices.tolist(), found.chosen.coverage
    (['the cat sat on the mat .', 'he read it .'], [1, 1], 1.0)
    """
    lists = check_lists(candidates_per_input)
    if isinstance(metric, MBR):
        scores = metric.predict_lists(lists)
    else:
        scores = score_lists(check_metric(metric, batches=True), lists, sources=sources, references=references)
    return Reranking(lists, scores, best_first(scores.values, lists.of))


def score_lists(
    metric: Metric, lists: Lists, *, sources: Sequence[Any] | None = None, references: Sequence[Any] | None = None
) -> MetricResult:
    """Score all candidates, equal ones once: of one input for a metric that reads more than texts, else of all.

    Raises:
        ValueError: as `rerank`.
    """
    if metric.needs_sources or metric.needs_references:
        once, _, place = distinct(lists)
        given = ("sources", sources, metric.needs_sources), ("references", references, metric.needs_references)
        beside = {name: _spread(own, name, once) for name, own, needed in given if needed}
        found = score_texts(metric, once.texts, **beside)
    else:
        place, found = number_groups(lists.texts), score_texts(metric, list(dict.fromkeys(lists.texts)))
    return found.take(place)


def _spread(given: Sequence[Any] | None, name: str, lists: Lists) -> list[Any] | None:
    """Return what is given of each input for each of its candidates; None where there is none."""
    if given is None:
        return None
    found = list(given)
    if isinstance(given, str) or len(found) != len(lists):
        raise ValueError(
            f"Expected argument `{name}` to have one entry for each of {len(lists)} inputs, but got {len(found)}"
        )
    return [found[place] for place in lists.of.tolist()]
