"""The best of several candidates, for many inputs at once: by a metric, or by minimum Bayes risk.

Minimum Bayes risk chooses the candidate that resembles the others most (Kumar & Byrne 2004; Eikema & Aziz 2020). Lists
of candidates are flat arrays.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import Any, NamedTuple

import numpy as np

from bleu_neighbors_metric.kernels.kernel import KERNELS, TextOptions
from bleu_neighbors_metric.kernels.within_lists import mean_similarities
from referenceless_metrics.assessment.folds import number_groups
from referenceless_metrics.core.metric import Metric, check_metric, score_texts
from referenceless_metrics.core.results import EMPTY, NO_TOKENS, MetricResult, reasons_for
from referenceless_metrics.core.support.installation import project_version
from referenceless_metrics.core.support.validation import (
    Floats,
    Integers,
    Numbers,
    check_choice,
    check_texts,
    check_whole,
    describe,
)


class Lists(NamedTuple):
    """The candidates of m inputs, n in all.

    Attributes:
        texts: all candidates, list by list.
        begins: the begin of each list in them, shape (m + 1,), int64.
    """

    texts: list[str]
    begins: Integers

    def __len__(self) -> int:
        return len(self.begins) - 1

    @property
    def of(self) -> Integers:
        """The list of each candidate, shape (n,)."""
        return np.repeat(np.arange(len(self)), np.diff(self.begins))


class Distinct(NamedTuple):
    """The distinct texts of lists.

    Attributes:
        lists: the lists without repetitions, k texts in all, in order of first appearance.
        counts: the number of times that each text occurs in its list, shape (k,), float64.
        place: for each of the n candidates its number among the k texts, shape (n,), int64.
    """

    lists: Lists
    counts: Floats
    place: Integers


def check_lists(candidates_per_input: Iterable[Iterable[str]] | Lists) -> Lists:
    """Return the candidates of all inputs after checking that each input has some.

    Args:
        candidates_per_input: m lists of texts.

    Raises:
        TypeError: for a bare string, a list of strings instead of lists of them, or an item that is no string.
        ValueError: for an input without candidates.
    """
    if isinstance(candidates_per_input, Lists):  # they were checked before
        return candidates_per_input
    if isinstance(candidates_per_input, (str, bytes, dict, set)):
        raise TypeError(
            "Expected argument `candidates_per_input` to be a list of lists of strings, but got "
            f"{describe(candidates_per_input)}"
        )
    texts: list[str] = []
    begins = [0]
    for place, candidates in enumerate(candidates_per_input):
        checked = check_texts(candidates, f"candidates_per_input[{place}]", allow_empty=False)
        texts.extend(checked)
        begins.append(len(texts))
    return Lists(texts, np.array(begins, dtype=np.int64))


def distinct(lists: Lists) -> Distinct:
    """Return the distinct texts of each list.

    >>> found = distinct(check_lists([["b", "a", "b"], ["a"]]))
    >>> found.lists.texts, found.counts.tolist(), found.place.tolist()
    (['b', 'a', 'a'], [2.0, 1.0, 1.0], [0, 1, 0, 2])
    """
    pairs = list(zip(lists.of.tolist(), lists.texts, strict=True))
    firsts, place = list(dict.fromkeys(pairs)), number_groups(pairs)
    begins = np.searchsorted([number for number, _ in firsts], np.arange(len(lists) + 1))
    counts = np.bincount(place, minlength=len(firsts)).astype(float)
    return Distinct(Lists([text for _, text in firsts], begins), counts, place)


def best_first(values: Floats, lists: Integers) -> Integers:
    """Return the order of candidates: list by list, in each list the highest value first.

    Candidates with equal values keep their order, since generators list the likeliest first. A candidate without a
    value comes after all that have one.

    Args:
        values: shape (n,), NaN if there is none; may be infinite.
        lists: the list of each candidate, ascending, shape (n,).

    Returns:
        The candidate at each place, shape (n,).

    >>> nan, low = float("nan"), float("-inf")
    >>> best_first(np.array([nan, low, 2.0, 2.0, nan, nan]), np.array([0, 0, 0, 0, 1, 1])).tolist()
    [2, 3, 1, 0, 4, 5]
    """
    absent = np.isnan(values)
    return np.lexsort((-np.where(absent, 0.0, values), absent, lists))  # stable: equal values keep their order


ALONE = "no other candidate"
"""Reason of an abstention on the only candidate of a list."""

BLEU = "bleu"
BLEU_OPTIONS = TextOptions("13a", (1, 2, 3, 4), "exp")
"""Options of reading of sacrebleu's sentence BLEU."""

CHRF = "chrf"
UTILITIES = (BLEU, CHRF, *(name for name in KERNELS if not (KERNELS[name].learns or KERNELS[name].required)))
"""Names of utilities: sentence BLEU, chrF, and the installed kernels that need neither ratings nor an encoder."""


class MBR:
    """The expected utility of each candidate, if the other candidates of its list are taken as references.

    Value of a candidate x in a list of n: Σ_h u(x, h) / (n − 1) over the n − 1 other candidates h, repeated texts
    included (Eikema & Aziz 2020, "Is MAP Decoding All You Need?", Eq. 5, with one sample for both roles). If a model
    sampled the candidates, the value estimates the utility that the model expects. It reads no references and no
    ratings, and does not measure quality: if most candidates share an error, one with the error is chosen.

    Its values depend on the whole list, so that `predict` takes the candidates of one input.

    Args:
        utility: `"bleu"`, sacrebleu's sentence BLEU in [0, 1] (`13a`, exponential smoothing, effective order),
            `"chrf"`, its chrF in [0, 1] (in Python, pair by pair), or a kernel of BLEU Neighbors: `bleu_star`
            (characters), or one of another distribution (`rouge_l`, `meteor`, …)
        n_jobs: threads, as in scikit-learn: None for one, -1 for all processors.

    Raises:
        ValueError: for an unknown utility.

    >>> MBR().predict(["the cat sat here .", "the cat sat there .", "no idea"]).values.round(2).tolist()
    [0.21, 0.21, 0.0]
    """

    needs_references = False
    needs_sources = False
    set_dependent = True

    def __init__(self, utility: str = BLEU, *, n_jobs: int | None = None) -> None:
        check_choice(utility, "utility", UTILITIES)
        self.utility = utility
        self.text_options = BLEU_OPTIONS if utility == BLEU else TextOptions()
        self.n_jobs = n_jobs
        self._kernel = "bleu_star" if utility in (BLEU, CHRF) else utility

    @property
    def name(self) -> str:
        """`mbr_` with the utility."""
        return f"mbr_{self.utility}"

    @property
    def signature(self) -> str:
        """The settings that determine the values, in sacrebleu's style."""
        parts = {"metric": "mbr", "utility": self.utility}
        options, read = self.text_options, KERNELS[self._kernel].text_options
        if self.utility == CHRF:
            parts |= {"case": "mixed", "eff": "yes", "nc": "6", "nw": "0", "space": "no"}
        elif read:
            parts |= {"tok": options.tokenize} if "tokenize" in read else {}
            parts |= {"n": "+".join(map(str, options.ngram_orders)), "smooth": options.smooth_method}
            parts |= {"clip": "yes" if options.clip else "no", "eff": "yes" if self.utility == BLEU else "no"}
        return "|".join(f"{name}:{value}" for name, value in {**parts, "version": project_version()}.items())

    def predict(self, texts: Iterable[str], *, references: Any = None, sources: Any = None) -> MetricResult:
        """Return the expected utility of each of the candidates of one input; references and sources are ignored."""
        candidates = check_texts(texts, "texts")
        return self.predict_lists(check_lists([candidates] if candidates else []))

    def predict_lists(self, lists: Lists) -> MetricResult:
        """Return the expected utility of each candidate of many inputs.

        Equal candidates of a list are compared once. A text without tokens has no value, and resembles no other.
        """
        once = distinct(lists)
        texts = once.lists.texts
        if self.utility == CHRF:
            n_tokens: Numbers = np.ones(len(texts))
            means = _chrf_means(once)
        else:
            means, n_tokens = mean_similarities(
                self._kernel,
                texts,
                once.lists.begins,
                once.counts,
                options=self.text_options,
                effective_order=self.utility == BLEU,
                n_jobs=self.n_jobs,
            )
        alone = np.isnan(means)
        empty = np.fromiter((not text.strip() for text in texts), np.bool_, len(texts))
        reasons = reasons_for(len(texts), {EMPTY: empty, NO_TOKENS: n_tokens == 0, ALONE: alone})
        values = np.where(empty | (n_tokens == 0), np.nan, means)
        return MetricResult(values, reasons, self.signature).take(once.place)


def _chrf_means(once: Distinct) -> Floats:
    """Return the mean chrF of each text with the others of its list; NaN if there is no other."""
    from sacrebleu.metrics import CHRF as Chrf

    score, means = Chrf().sentence_score, [np.empty(0)]
    for begin, end in pairwise(once.lists.begins.tolist()):
        texts, counts = once.lists.texts[begin:end], once.counts[begin:end]
        values = np.array([[score(text, [other]).score / 100 for other in texts] for text in texts])
        n_others = counts.sum() - 1
        means.append((values @ counts - values.diagonal()) / n_others if n_others else np.full(1, np.nan))
    return np.concatenate(means)


@dataclass(frozen=True, eq=False)
class Reranking:
    """The candidates of m inputs, n in all, in the order of a metric.

    Attributes:
        lists: the candidates in their given order.
        scores: the metric's values of all of them, in the same order.
        order: the candidates list by list, the best of each first, shape (n,); see `best_first`.
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
        """Place of the chosen candidate in each list, counted from 0, shape (m,)."""
        return self._first - self.lists.begins[:-1]

    @property
    def chosen(self) -> MetricResult:
        """The values of the chosen candidates; NaN with a reason if no candidate of an input has a value."""
        return self.scores.take(self._first)

    def n_best(self, n: int) -> list[list[int]]:
        """Return the best `n` distinct candidates of each input, best first, by their index in its list.

        Raises:
            TypeError: for anything but a whole number.
            ValueError: for fewer than one.
        """
        check_whole(n, "n", 1)
        ranked, best = distinct(self.lists).place[self.order], []
        for begin, end in pairwise(self.lists.begins.tolist()):
            _, firsts = np.unique(ranked[begin:end], return_index=True)  # only the first of equal texts
            best.append((self.order[begin:end][np.sort(firsts)[:n]] - begin).tolist())
        return best


def rerank(
    candidates_per_input: Iterable[Iterable[str]] | Lists,
    metric: Metric,
    *,
    sources: Sequence[Any] | None = None,
    references: Sequence[Any] | None = None,
) -> Reranking:
    """Order the candidates of each input by a metric, the best first.

    If values are equal, the first candidate is chosen. A candidate without a value is chosen only if none of its list
    has one; it is then the first, with the value NaN. Equal texts are scored once.

    Args:
        candidates_per_input: m lists of one or more texts.
        metric: any metric of the protocol, with its models or pool bound; or `MBR`.
        sources: the source of each input, for a metric that reads sources.
        references: one reference or a list of them per input, for a metric that reads references.

    Raises:
        TypeError: for candidates that are no lists of texts, or an object that is no metric.
        NotFittedError: for an estimator that was not fitted.
        ValueError: for an input without candidates, missing sources or references, another number of them than of
            inputs, or a metric other than `MBR` whose values depend on the other texts.

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
    """Score all candidates, equal ones once: within one input if the metric reads sources or references, else over all.

    Raises:
        ValueError: like `rerank`.
    """
    if metric.needs_sources or metric.needs_references:
        once, _, place = distinct(lists)
        possible = ("sources", sources, metric.needs_sources), ("references", references, metric.needs_references)
        inputs = {name: _spread(entries, name, once) for name, entries, needed in possible if needed}
        scores = score_texts(metric, once.texts, **inputs)
    else:
        place, scores = number_groups(lists.texts), score_texts(metric, list(dict.fromkeys(lists.texts)))
    return scores.take(place)


def _spread(given: Sequence[Any] | None, name: str, lists: Lists) -> list[Any] | None:
    """Return one value per candidate from one value per input; None for None."""
    if given is None:
        return None
    entries = list(given)
    if isinstance(given, str) or len(entries) != len(lists):
        raise ValueError(
            f"Expected argument `{name}` to have one entry for each of {len(lists)} inputs, but got {len(entries)}"
        )
    return [entries[place] for place in lists.of.tolist()]
