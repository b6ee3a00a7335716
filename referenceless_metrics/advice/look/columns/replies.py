"""Replies of a model's interface, as batches and logs keep them: who replied, and to which request.

Form: a chat completion of platform.openai.com/docs/api-reference (`model` beside `choices`, with `message.content`),
and the lines of a batch of requests, in which `custom_id` is the caller's own key of a request.
"""

from __future__ import annotations

import re
from collections.abc import Sequence

from referenceless_metrics.advice.look.columns.choosing import with_parts
from referenceless_metrics.advice.look.columns.column import Column
from referenceless_metrics.core.files.tables import Table

_REQUEST = "custom_id"
_MODEL = re.compile(r"(?:(.+)\.)?model")
_CONTENT = r"(?:choices|message|output|content)\..*?(?:content|text)\."
_ENVELOPE = r"(?:(?:id|object|created)$|(?:choices|message|output|content|usage)\.)"
"""Fields that tell of a reply itself, as its number, its date and its tokens."""

_RATED = ("rating", "score", "preference")


def judges_in_replies(table: Table, columns: Sequence[Column]) -> list[Column]:
    """Return columns of which the model of a reply is no system, if the reply's content holds ratings: it gave them."""
    del table
    parts: dict[str, str] = {}
    for column in columns:
        holder = _MODEL.fullmatch(column.name)
        if holder is None:
            continue
        before = f"{holder[1]}." if holder[1] else ""
        inside = re.compile(re.escape(before) + _CONTENT)
        if any(inside.match(each.name) and each.part in _RATED for each in columns):
            around = re.compile(re.escape(before) + _ENVELOPE)
            parts |= {each.name: "" for each in columns if around.match(each.name) and not inside.match(each.name)}
            parts[column.name] = "rater"
    return with_parts(columns, parts)


def requests_in_batches(table: Table, columns: Sequence[Column]) -> list[Column]:
    """Return columns in which the number that an interface gave to a line is no item, beside the caller's own key."""
    names = {column.name: column for column in columns}
    own = names.get(_REQUEST)
    if own is None or own.distinct < len(table.rows) or "id" not in names:
        return list(columns)
    return with_parts(columns, {"id": ""})


def keys_of_requests(table: Table, columns: Sequence[Column]) -> list[Column]:
    """Return columns in which the caller's own keys of requests are the items, if nothing else tells them."""
    del table
    if any(column.part == "item" for column in columns):
        return list(columns)
    return with_parts(columns, {_REQUEST: "item"})
