"""Spans of texts in which a fault is likely: a rating study shows them before anybody has marked one."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING, NamedTuple

from referenceless_metrics.core.support.validation import check_number, check_texts
from slor_metric.fluency.contributions import FluencyContributions
from slor_metric.fluency.faults import word_spans

if TYPE_CHECKING:
    from slor_metric.fluency.metric import Fluency

#: Least probability of a fault at a word for it to be marked.
LEAST_CHANCE = 0.5


class FaultSpan(NamedTuple):
    """A part of a text in which a fault is likely.

    Attributes:
        start: the span's first character in the text, from 0.
        end: the character after its last one.
        kind: the likeliest kind of fault, one of `slor_metric.fluency.detector.FAULT_KINDS`.
        chance: probability of a fault there, by the detector.
    """

    start: int
    end: int
    kind: str
    chance: float


def fault_spans(metric: Fluency, texts: Iterable[str], least_chance: float = LEAST_CHANCE) -> list[list[FaultSpan]]:
    """Return the spans of likeliest faults of each of n texts in English, in the order in which they stand.

    A span is a word, or several one after the other that have the same kind of fault, such as a phrase said again. If a
    word is missing, the word after it is marked. Nothing is rewritten to find them, so that 100 texts take no longer
    than to score them.

    Args:
        metric: the metric that reads them.
        texts: n texts, not a bare string.
        least_chance: least probability of a fault at each word of a span, between 0 and 1.

    Raises:
        TypeError: for a bare string or an item that is no string.
        ValueError: for a `least_chance` outside [0, 1], and a metric without a detector.

    >>> from slor_metric.fluency.metric import Fluency
    >>> [spans] = fault_spans(Fluency(), ["She have lived in this village."])
    >>> spans[0].start, spans[0].end, spans[0].kind
    (4, 8, 'agreement')
    """
    checked = check_texts(texts, "texts", missing=True)
    check_number(least_chance, "least_chance", 0.0, 1.0)
    if not metric.has_detector:
        raise ValueError(f"Expected argument `metric` to have a detector of faults, as Fluency() has, but got {metric}")
    found = zip(checked, metric.contributions(checked), strict=True)
    return [_spans(text, contributions, least_chance) for text, contributions in found]


def _spans(text: str, found: FluencyContributions, least_chance: float) -> list[FaultSpan]:
    spans: list[FaultSpan] = []
    last = -1
    words = zip(word_spans(text, found.words), found.fault_kinds, found.fault_chances.tolist(), strict=True)
    for at, ((start, end), kind, chance) in enumerate(words):
        if chance < least_chance or start == end:
            continue
        if at == last + 1 and _is_same(spans, kind):
            spans[-1] = FaultSpan(spans[-1].start, end, kind, max(chance, spans[-1].chance))
        else:
            spans.append(FaultSpan(start, end, kind, chance))
        last = at
    return spans


def _is_same(spans: Sequence[FaultSpan], kind: str) -> bool:
    return bool(spans) and spans[-1].kind == kind
