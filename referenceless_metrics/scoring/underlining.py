"""Texts in a table for readers, with the costliest word underlined."""

from __future__ import annotations

from collections.abc import Sequence

from referenceless_metrics.core.files.output import shorten
from referenceless_metrics.core.results import MetricResult

#: A combining line below a letter, which terminals show without escape sequences.
_LINE_BELOW = "\N{COMBINING LOW LINE}"
#: Room that a word needs before the end of a text that is cut, and letters that are kept before the word.
_ROOM, _CONTEXT = 10, 20


def shown_texts(texts: Sequence[str], result: MetricResult, most: int = 60) -> list[str]:
    """Return texts for a table; if they are explained, with the costliest word underlined.

    Args:
        texts: n texts.
        result: the metric's result, with the columns `costliest_start` and `costliest_end` if it explains them.
        most: columns of a terminal that a text takes at most; it is cut if it is longer.
    """
    if "costliest_start" not in result.columns:
        return [shorten(text, most) for text in texts]
    starts, ends = result.columns["costliest_start"].tolist(), result.columns["costliest_end"].tolist()
    marked = [_underlined(text, start, end, most - _ROOM) for text, start, end in zip(texts, starts, ends, strict=True)]
    return [shorten(text, most) for text in marked]


def _underlined(text: str, start: int, end: int, far: int = 50) -> str:
    """Return a text with a part underlined. If the part ends beyond `far`, the text is cut before it.

    >>> _underlined("He go home.", 3, 5) == f"He g{_LINE_BELOW}o{_LINE_BELOW} home."
    True
    """
    before = text[:start]
    if end > far:
        before = f"…{text[max(start - _CONTEXT, 0) : start]}"
    return before + "".join(letter + _LINE_BELOW for letter in text[start:end]) + text[end:]
