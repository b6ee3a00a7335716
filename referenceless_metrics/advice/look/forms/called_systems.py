"""Columns of ratings that are called as a system each: `score_base` and `score_ours`, or `base` and `base_output`."""

from __future__ import annotations

import re
from collections.abc import Sequence

from referenceless_metrics.advice.look.columns.column_parts import are_called_as_raters, names_value
from referenceless_metrics.advice.look.columns.ratings import is_criterion
from referenceless_metrics.advice.look.lines.parts import Parts
from referenceless_metrics.core.support.metric_names import names_metric

SYSTEM = re.compile(
    r"\d|[a-z][A-Z]|[A-Z]{2}|^(?:base(?:line)?|ours|proposed|original|vanilla|random|ablation|control|rag)$"
    r"|fine[ _-]?tun|(?:zero|few|one)[ _-]?shot|retriev"
    r"|^(?:gpt|claude|gemini|llama|mistral|mixtral|qwen|gemma|deepseek|bart|pegasus|bert|google|deepl)",
)
"""Signs of systems' names, which words for criteria lack: a digit or several capitals; or the usual words."""

_BREAK = re.compile(r"[ _.:()/-]+")


def called_systems(parts: Parts) -> tuple[str, ...]:
    """Return the columns of all ratings or scores if each is called as another system, in words that all share.

    Columns of texts that are called so too tell systems for certain. Without them one of the names has to show that it
    is no criterion's; and if no column names the raters, whose the columns may be, half of the names.
    """
    kinds = ("system", "criterion", "metric", "preference", "system_a", "rating of a rater", "text")
    named = [column.name for column in parts.columns if column.is_numeric and column.part in ("rating", "score")]
    has_items = parts.first("item") is not None or parts.first("source") is not None
    if len(named) < 2 or not has_items or any(parts.first(kind) for kind in kinds):
        return ()
    start, end = shared_ends(named)
    if start or end:  # a point in a system's name may have hidden what its column is
        plain = [
            column.name for column in parts.columns if column.is_numeric and column.part in ("rating", "score", "")
        ]
        named = [name for name in plain if name in named or (name.startswith(start) and name.endswith(end))]
    marks = own_words(named)
    if len(set(marks)) < len(marks) or any(is_criterion(mark) or _names_metric(mark) for mark in marks):
        return ()
    texts = [column.name for column in parts.columns if column.holds_texts and not column.part]
    if all(any(_has_mark(name, mark) for name in texts) for mark in marks):
        return tuple(named)
    if any(names_value(mark) or mark.isdigit() for mark in marks):
        return ()
    n_told = sum(SYSTEM.search(mark) is not None for mark in marks)
    have_raters = parts.first("rater") is not None
    may_be_raters = not have_raters and (2 * n_told < len(marks) or are_called_as_raters(marks))
    return tuple(named) if n_told and not may_be_raters else ()


def own_words(names: Sequence[str]) -> list[str]:
    """Return names without the words that all of them begin or end with; a number stays with the word before it.

    >>> own_words(["score_base", "score_ours"]), own_words(["sys1", "sys2"]), own_words(["t5_score", "t5_large_score"])
    (['base', 'ours'], ['sys1', 'sys2'], ['t5', 't5_large'])
    >>> own_words(["score_model_0", "score_model_1"])
    ['model_0', 'model_1']
    """
    start, end = shared_ends(names)
    own = [name.removeprefix(start).removesuffix(end) for name in names]
    if all(mark.isdigit() for mark in own) and start:
        word = _BREAK.split(start)[-2]
        own = [name[len(start) - len(word) - 1 :].removesuffix(end) for name in names]
    return own


def shared_ends(names: Sequence[str]) -> tuple[str, str]:
    """Return the words that all names begin and end with, with the marks between words; "" for none."""
    starts = [name[: match.end()] for name in names[:1] for match in _BREAK.finditer(name) if match.start()]
    ends = [name[match.start() :] for name in names[:1] for match in _BREAK.finditer(name) if match.end() < len(name)]
    end = max((each for each in ends if _all_but(names, "", each)), key=len, default="")
    start = max((each for each in starts if _all_but(names, each, end)), key=len, default="")
    return start, end


def _all_but(names: Sequence[str], start: str, end: str) -> bool:
    """Say whether all names begin and end so, and have more between."""
    return all(name.startswith(start) and name.endswith(end) and len(name) > len(start) + len(end) for name in names)


def _names_metric(mark: str) -> bool:
    """Say whether a mark, or a word of it, is a metric, as in `BLEU.ours`."""
    return any(map(names_metric, (mark, *_BREAK.split(mark))))


def _has_mark(name: str, mark: str) -> bool:
    """Say whether a name begins or ends with a mark, and has more words."""
    more = [re.fullmatch(form.format(re.escape(mark)), name) for form in (r"{}[ _.:-].+", r".+[ _.:-]{}")]
    return any(more)
