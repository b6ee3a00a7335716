"""The columns of `score --explain`: the costliest word of each text, and its fault."""

from __future__ import annotations

import math
from collections.abc import Iterable
from typing import TYPE_CHECKING

import numpy as np

from referenceless_metrics.core.support.validation import Numbers, check_texts
from slor_metric.fluency.contributions import FluencyContributions
from slor_metric.fluency.faults import Fault, likeliest_faults, word_spans

if TYPE_CHECKING:
    from slor_metric.fluency.metric import Fluency


def explain(metric: Fluency, texts: Iterable[str]) -> dict[str, Numbers]:
    """Return further columns that explain the score of each text.

    Args:
        metric: the metric that scores them.
        texts: n texts, not a bare string.

    Returns:
        Columns of length n: `costliest` (the word that costs most, or at which a fault is named; "" for a text without
        a score), `costliest_start` and `costliest_end` (its span in the text, in characters from 0), `fault` (the kind
        of fault named there, "" for none) and `better` (the text after the edit that mends it, "" for none).

    >>> from slor_metric.fluency.metric import Fluency
    >>> found = explain(Fluency(), ["She have lived in this village."])
    >>> found["costliest"][0], found["fault"][0]
    ('have', 'agreement')
    """
    checked = check_texts(texts, "texts", missing=True)
    explained = metric.explained(checked)
    (scores, contributions), faults = explained, likeliest_faults(metric, checked, explained=explained)
    columns: dict[str, list[object]] = {
        name: [] for name in ("costliest", "costliest_start", "costliest_end", "fault", "better")
    }
    for text, score, found, fault in zip(checked, scores.values.tolist(), contributions, faults, strict=True):
        word, start, end = ("", 0, 0) if math.isnan(score) else _costliest(text, found, fault)
        of_text = (word, start, end, "" if fault is None else fault.kind or "fault", (fault and fault.better) or "")
        for column, value in zip(columns.values(), of_text, strict=True):
            column.append(value)
    whole = ("costliest_start", "costliest_end")
    return {name: np.array(column, dtype=np.int64 if name in whole else object) for name, column in columns.items()}


def _costliest(text: str, found: FluencyContributions, fault: Fault | None) -> tuple[str, int, int]:
    """Return the word at which a fault is named, else the one that costs most, with its span in the text.

    A mark is taken only if the text has no word.
    """
    if fault is not None:
        return fault.word, fault.start, fault.end
    if not len(found):
        return "", 0, 0
    is_word = np.array([any(map(str.isalnum, word)) for word in found.words])
    at = int(np.argmin(np.where(is_word | ~is_word.any(), found.contributions, np.inf)))
    start, end = word_spans(text, found.words)[at]
    return found.words[at], start, end
