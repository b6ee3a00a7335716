"""The likeliest fault of a text: the word, the kind of fault, and the edit that mends it.

The detector (`slor_metric.fluency.detector`) says how probable a fault is at each word, and of which kind. Small edits
at that word (of a word left out, added, changed, or swapped with the next) are then scored by the metric; the one that
raises the score most is the correction. The n-gram models alone have no detector: for them every edit of the text is
tried.
"""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING, NamedTuple, TypeAlias

import numpy as np

from referenceless_metrics.core.files.special_tokens import holds_special_token
from referenceless_metrics.core.results import MetricResult
from referenceless_metrics.core.support.validation import Floats, check_texts
from slor_metric.fluency.contributions import FluencyContributions
from slor_metric.fluency.detector import FAULT_KINDS
from slor_metric.fluency.edits import Edit, edits_at, without_repetition

if TYPE_CHECKING:
    from slor_metric.fluency.metric import Fluency

#: Scores of texts and the additions of their words, as `Fluency.explained` returns them.
Explained: TypeAlias = tuple[MetricResult, list[FluencyContributions]]

#: Evidence for each unit by which the best edit raises the score, beside the log-odds of a fault's chance; and least
#: evidence for a fault to be named, set on held-out sentences of edited prose, of which 2 in 100 are said to have one.
_PER_UNIT, LEAST_EVIDENCE = 1.0, 2.5
#: Least probability of a fault for edits to be tried, and most words at which they are tried.
_LEAST_CHANCE, _MOST_PLACES = 0.2, 2
#: Least gain of a sentence by an edit for a fault to be named without a detector, in the score's unit.
_LEAST_GAIN = 1.0
#: Most edits scored by the metric itself (the best by the n-grams alone): without a detector, and with one.
_SHORTLIST, _SHORTLIST_AT_WORDS = 14, 3
#: Loss in an edit's gain for each nat by which the detector finds its kind of fault less probable than the likeliest
#: kind; and the largest such distance at which an edit is tried, in nats.
_PER_NAT, _FAR = 0.25, 3.0
#: Most words of a text whose edits are tried.
_MOST_WORDS = 60


class Fault(NamedTuple):
    """The likeliest fault of a text.

    Attributes:
        word: the word at which the fault is, as it stands in the text; for a missing word, the word after it.
        kind: the kind of fault, one of `FAULT_KINDS`; "" if the kind is not told.
        better: the text after the edit that mends it; None if no edit raises the score.
        gain: rise of the score by that edit; 0 without an edit.
        chance: probability of a fault there, by the detector; NaN without one.
        start: the word's first character in the text, from 0.
        end: the character after its last one.
    """

    word: str
    kind: str
    better: str | None
    gain: float
    chance: float
    start: int
    end: int


def likeliest_fault(metric: Fluency, text: str) -> Fault | None:
    """Return the likeliest fault of a text in English.

    Args:
        metric: the metric that scores it.
        text: one text.

    Returns:
        None if no fault is probable enough, or the text has no score.
    """
    return likeliest_faults(metric, [text])[0]


def likeliest_faults(
    metric: Fluency, texts: Iterable[str], *, explained: Explained | None = None
) -> list[Fault | None]:
    """Return the likeliest fault of each of n texts; see `likeliest_fault`. Many texts at once take half the time.

    Args:
        metric: the metric that scores them.
        texts: n texts, not a bare string.
        explained: the result of `metric.explained` for them, if they were read already.

    Raises:
        TypeError: for a bare string or an item that is no string.
    """
    checked = check_texts(texts, "texts", missing=True)
    if metric.models is not None:
        return [None] * len(checked)
    if not metric.has_detector:
        return [_fault_by_edits(metric, text) for text in checked]
    return [
        fault if fault is not None and evidence_of(fault) > LEAST_EVIDENCE else None
        for fault in suspected(metric, checked, explained=explained)
    ]


def evidence_of(fault: Fault) -> float:
    """Return the evidence of a fault: the log-odds of its chance, plus the gain of the edit that mends it."""
    return math.log(fault.chance / max(1.0 - fault.chance, 1e-9)) + _PER_UNIT * fault.gain


def suspected(metric: Fluency, texts: Sequence[str], *, explained: Explained | None = None) -> list[Fault | None]:
    """Return the likeliest fault of each of n texts, likely or not; None if there is less than a chance of 1 in 5.

    Args:
        metric: a metric with a detector.
        texts: n texts.
        explained: the result of `metric.explained` for them, if they were read already.
    """
    result, contributions = explained or metric.explained(texts)
    found = zip(texts, contributions, result.values.tolist(), strict=True)
    suspects = [None if np.isnan(value) else _suspect(text, each) for text, each, value in found]
    return _mended(metric, texts, result.values, suspects)


class _Suspect(NamedTuple):
    """Likeliest place of a fault in a text.

    Attributes:
        chance: probability of a fault at one word or the next.
        faults: the fault at each word that may be the place, without an edit, the likeliest first.
        chunks: index of each of these words among the text's words between spaces.
        log_chances: ln p of each of `FAULT_KINDS` at these words.
    """

    chance: float
    faults: list[Fault]
    chunks: list[int]
    log_chances: list[Floats]


def word_spans(text: str, words: Sequence[str]) -> list[tuple[int, int]]:
    """Return the span of each word in a text, each after the last one; an empty span for one that is written otherwise.

    >>> word_spans("It is (not) so.", ["It", "is", "so", "."])
    [(0, 2), (3, 5), (12, 14), (14, 15)]
    """
    spans, position = [], 0
    for word in words:
        start = text.find(word, position)
        if start < 0:
            spans.append((position, position))
            continue
        position = start + len(word)
        spans.append((start, position))
    return spans


def _suspect(text: str, found: FluencyContributions) -> _Suspect | None:
    """Return the likeliest places of a fault; None if there is little chance of one."""
    if not len(found):
        return None
    sound = 1.0 - found.fault_chances
    chance = float(np.max(1.0 - sound * np.append(sound[1:], 1.0)))
    if chance < _LEAST_CHANCE:
        return None
    spans = word_spans(text, found.words)
    places = np.argsort(-found.fault_chances, kind="stable")[:_MOST_PLACES].tolist()
    faults = [Fault(found.words[at], found.fault_kinds[at], None, 0.0, chance, *spans[at]) for at in places]
    chunks = [len(text[: fault.end].split()) - 1 for fault in faults]
    return _Suspect(chance, faults, chunks, [found.log_chances[at] for at in places])


class _Tried(NamedTuple):
    """An edit of a text: the text's index, the index of the suspected place, the edit, and the text after it."""

    number: int
    place: int
    edit: Edit
    text: str


def _mended(
    metric: Fluency, texts: Sequence[str], values: Floats, suspects: Sequence[_Suspect | None]
) -> list[Fault | None]:
    """Return the faults of texts with the edits that mend them."""
    tried: list[_Tried] = []
    for i, (text, suspect) in enumerate(zip(texts, suspects, strict=True)):
        words = text.split()
        if suspect is not None and len(words) <= _MOST_WORDS and "\n" not in text.strip():
            for place, chunk in enumerate(suspect.chunks):
                edits = _edits_to_try(words, chunk, suspect.log_chances[place])
                mended = [_Tried(i, place, edit, " ".join(edit.words)) for edit in edits]
                # A text that still holds a special token is no correction.
                tried += [each for each in mended if not holds_special_token(each.text)]
    faults = [None if suspect is None else suspect.faults[0] for suspect in suspects]
    shortlist = _best_by_ngrams(metric, tried)
    scores = metric.predict([each.text for each in shortlist]).values if shortlist else np.zeros(0)
    best: dict[int, float] = {}
    for (i, place, edit, text), score in zip(shortlist, scores.tolist(), strict=True):
        suspect = suspects[i]
        assert suspect is not None
        log_chances = suspect.log_chances[place]
        gain = score - float(values[i])
        worth = gain + _PER_NAT * float(log_chances[FAULT_KINDS.index(edit.kind)] - log_chances[1:].max())
        if gain > 0 and worth > best.get(i, -np.inf):
            best[i] = worth
            faults[i] = suspect.faults[place]._replace(kind=edit.kind, better=text, gain=gain)
    return faults


def _edits_to_try(words: Sequence[str], at: int, log_chances: Floats) -> list[Edit]:
    """Return the edits at a word: the one that takes a repetition away, or else those of the likely kinds."""
    again = without_repetition(words, at)
    if again is not None:
        return [again]
    kinds = _likely_kinds(log_chances)
    return [edit for edit in edits_at(words, at) if edit.kind in kinds]


def _likely_kinds(log_chances: Floats) -> set[str]:
    """Return the kinds of fault that are not far less probable than the likeliest one."""
    of_faults = log_chances[1:]
    return {kind for kind, value in zip(FAULT_KINDS[1:], of_faults, strict=True) if value > of_faults.max() - _FAR}


def _best_by_ngrams(metric: Fluency, tried: Sequence[_Tried]) -> list[_Tried]:
    """Return the edits of each text that the n-gram models find best."""
    if not tried:
        return []
    values = np.nan_to_num(metric.by_ngrams.predict([each.text for each in tried]).values, nan=-np.inf)
    kept: list[_Tried] = []
    n_kept: Counter[int] = Counter()
    for at in np.argsort(-values, kind="stable").tolist():
        number = tried[at].number
        if n_kept[number] < _SHORTLIST_AT_WORDS:
            n_kept[number] += 1
            kept.append(tried[at])
    return sorted(kept, key=lambda each: each.number)  # edits of a text begin alike, and are read together


def _fault_by_edits(metric: Fluency, text: str) -> Fault | None:
    """Return the fault whose edit raises the score most, of all edits at all words."""
    words = text.split()
    if not words or len(words) > _MOST_WORDS or "\n" in text.strip():
        return None
    plain = metric.predict([" ".join(words)])
    if not plain.n_covered:
        return None
    every = ((at, edit) for at in range(len(words)) for edit in edits_at(words, at))
    # A text that still holds a special token is no correction.
    tried = [(at, edit) for at, edit in every if not holds_special_token(" ".join(edit.words))]
    if not tried:
        return None
    texts = [" ".join(edit.words) for _, edit in tried]
    gains = np.nan_to_num(metric.by_ngrams.predict(texts).values, nan=-np.inf)
    best = np.argsort(-gains, kind="stable")[:_SHORTLIST].tolist()
    values = np.nan_to_num(metric.predict([texts[i] for i in best]).values, nan=-np.inf)
    gain, i = float(values.max() - plain.values[0]), best[int(values.argmax())]
    if gain * plain.n_sentences[0] < _LEAST_GAIN:  # a text's score is the mean of its sentences
        return None
    at, edit = tried[i]
    start, end = word_spans(text, words)[at]
    return Fault(words[at], edit.kind, texts[i], gain, float("nan"), start, end)
