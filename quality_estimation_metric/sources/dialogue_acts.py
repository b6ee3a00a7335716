"""Dialogue acts and slot lists: `inform(name='x';area=y)&request(near)`, ViGGO's `inform(name[x])`, E2E's `name[x]`.

The grammar, with white space allowed between all parts:

    acts  = act (("&" | "," | ";")? act)*        act   = "?"? NAME "(" items? ")"
    items = item ((";" | ",") item)* (";" | ",")?  item  = SLOT (("=" | "!=") value | "[" text "]")?
    value = quoted | characters other than `;`, `,` and `)`

A quote ends at the first one of its kind before `;`, `,` or `)`, so that `'annie's bistro'` is read as people mean it.
"""

from __future__ import annotations

import re

from quality_estimation_metric.sources.base import DEFAULT_ACT, Triple, fail

_NAME = re.compile(r"\s*(\??)\s*([^\W\d][\w.-]*)\s*")
_SLOT = re.compile(r"\s*([^\W\d][\w. /-]*?)\s*(?=[=!\[\],;()]|$)")
_STRONG = re.compile(r"\s*\??[^\W\d][\w.-]*\((?:\s*\)|\s*[^\W\d][\w. -]*(?:!?=|\[))")
_SPACED = re.compile(r"\s*\??\s*[^\W\d][\w.-]*\s+\(\s*[^\W\d][\w. -]*(?:!?=|\[)")
_SLOTS = re.compile(r"\s*[^\W\d][\w /-]{0,40}\[")
_WEAK = re.compile(r"\s*\??[^\W\d][\w.-]*\(\s*[^\W\d]\w*(?:\s*[;,]\s*[^\W\d]\w*)*\s*\)\s*")


def looks_like_acts(text: str) -> bool:
    """Say whether a text begins as a dialogue act does: `name(slot=`, `name(slot[`, `name()`, or is `name(slot)`.

    A text that was split into tokens, `name ( slot = value )`, must also end so.
    """
    return bool(_STRONG.match(text) or _WEAK.fullmatch(text) or (_SPACED.match(text) and text.rstrip()[-1] == ")"))


def looks_like_slots(text: str) -> bool:
    """Say whether a text begins as a list of slots does: `name[`."""
    return bool(_SLOTS.match(text))


def parse_acts(text: str) -> tuple[Triple, ...]:
    """Read dialogue acts; an act without slots becomes one triple of its own.

    Raises:
        InputError: where the text does not follow the grammar; the message names the place.
    """
    triples: list[Triple] = []
    at = 0
    while True:
        head = _NAME.match(text, at)
        if head is None:
            fail(text, at, "expected the name of a dialogue act")
        at = head.end()
        if text[at : at + 1] != "(":
            fail(text, at, "expected `(`")
        at = _items(text, at + 1, head.group(2), triples)
        at = _skip(text, at)
        if at == len(text):
            return tuple(triples)
        if text[at] in "&,;":
            at += 1
        elif not text[at - 1].isspace():
            fail(text, at, "expected `&` or the end")


def parse_slots(text: str) -> tuple[Triple, ...]:
    """Read a list of slots, as E2E's `name[The Eagle], food[French]`; their act is `inform`.

    Raises:
        InputError: where the text does not follow the grammar; the message names the place.
    """
    triples: list[Triple] = []
    at = 0
    while True:
        slot, at = _slot(text, at)
        if text[at : at + 1] != "[":
            fail(text, at, "expected `[`")
        value, at = _bracketed(text, at)
        triples.append(Triple(DEFAULT_ACT, slot, value))
        at = _skip(text, at)
        if at == len(text):
            return tuple(triples)
        if text[at] not in ",;":
            fail(text, at, "expected `,` or the end")
        at = _skip(text, at + 1)
        if at == len(text):  # a trailing comma
            return tuple(triples)


def _items(text: str, at: int, act: str, triples: list[Triple]) -> int:
    """Read the slots of one act from behind its `(`, and return the place behind its `)`."""
    at = _skip(text, at)
    if text[at : at + 1] == ")":
        triples.append(Triple(act))
        return at + 1
    while True:
        slot, at = _slot(text, at)
        value: str | None = None
        if text[at : at + 1] == "[":
            value, at = _bracketed(text, at)
        elif text[at : at + 2] == "!=":
            value, at = _value(text, at + 2)
            value = f"not {value}"
        elif text[at : at + 1] == "=":
            value, at = _value(text, at + 1)
        triples.append(Triple(act, slot, value))
        at = _skip(text, at)
        mark = text[at : at + 1]
        if mark == ")":
            return at + 1
        if mark not in (",", ";"):
            fail(text, at, "expected `,`, `;` or `)`" if mark else f"`{act}(` is never closed")
        at = _skip(text, at + 1)
        if text[at : at + 1] == ")":  # a trailing separator
            return at + 1


def _slot(text: str, at: int) -> tuple[str, int]:
    found = _SLOT.match(text, at)
    if found is None:
        fail(text, at, "expected the name of a slot")
    return found.group(1), found.end()


def _bracketed(text: str, at: int) -> tuple[str, int]:
    """Read `[…]`, in which brackets may be nested."""
    depth = 0
    for end in range(at, len(text)):
        depth += (text[end] == "[") - (text[end] == "]")
        if depth == 0:
            return text[at + 1 : end].strip(), end + 1
    fail(text, at, "`[` is never closed")


def _value(text: str, at: int) -> tuple[str, int]:
    at = _skip(text, at)
    quote = text[at : at + 1]
    if quote in ("'", '"'):
        for end in range(at + 1, len(text)):
            if text[end] == quote:
                behind = _skip(text, end + 1)
                if text[behind : behind + 1] in (",", ";", ")"):
                    return text[at + 1 : end], behind
        fail(text, at, "the quote is never closed")
    end = at
    while end < len(text) and text[end] not in ",;)":
        end += 1
    value = text[at:end].strip()
    for mark in "'\"":  # `dinner'`: a stray quote of a value that was never opened
        if value.endswith(mark) and value.count(mark) == 1:
            value = value[:-1].rstrip()
    return value, end


def _skip(text: str, at: int) -> int:
    while at < len(text) and text[at].isspace():
        at += 1
    return at
