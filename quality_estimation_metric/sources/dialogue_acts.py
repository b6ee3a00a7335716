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

_NAME = re.compile(r"\s*\??\s*([^\W\d][\w.-]*)\s*")
_SLOT = re.compile(r"\s*([^\W\d][\w. /-]*?)\s*(?=[=!\[\],;()]|$)")
_SPACE = re.compile(r"\s*")
_QUOTED = re.compile(r"(['\"])(.*?)\1\s*(?=[,;)])", re.DOTALL)
_UNQUOTED = re.compile(r"[^,;)]*")
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
        act, at = head.group(1), head.end()
        if text[at : at + 1] != "(":
            fail(text, at, "expected `(`")
        at = _skip(text, at + 1)
        if text[at : at + 1] == ")":
            triples.append(Triple(act))
            at += 1
        else:
            at = _read_slots(text, at, act, triples, ")")
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
    _read_slots(text, 0, DEFAULT_ACT, triples, "")
    return tuple(triples)


def _read_slots(text: str, at: int, act: str, triples: list[Triple], closing: str) -> int:
    """Read slots up to the mark that closes them, or the text's end where that is empty; return the place behind."""
    while True:
        found = _SLOT.match(text, at)
        if found is None:
            fail(text, at, "expected the name of a slot")
        at = found.end()
        value: str | None = None
        if text.startswith("[", at):
            value, at = _bracketed(text, at)
        elif not closing:
            fail(text, at, "expected `[`")
        elif text.startswith("!=", at):
            value, at = _value(text, at + 2)
            value = f"not {value}"
        elif text.startswith("=", at):
            value, at = _value(text, at + 1)
        triples.append(Triple(act, found.group(1), value))
        at = _skip(text, at)
        mark = text[at : at + 1]
        if mark == closing:
            return at + 1
        if mark not in (",", ";"):
            expected = "expected `,`, `;` or `)`" if closing else "expected `,` or the end"
            fail(text, at, expected if mark else f"`{act}(` is never closed")
        at = _skip(text, at + 1)
        if text[at : at + 1] == closing:  # a trailing separator
            return at + 1


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
    quoted = _QUOTED.match(text, at)
    if quoted is not None:
        return quoted.group(2), quoted.end()
    if text[at : at + 1] in ("'", '"'):
        fail(text, at, "the quote is never closed")
    end = _UNQUOTED.match(text, at).end()  # type: ignore[union-attr]  # it matches nothing too
    value = text[at:end].strip()
    for mark in "'\"":  # `dinner'`: a stray quote of a value that was never opened
        if value.endswith(mark) and value.count(mark) == 1:
            value = value[:-1].rstrip()
    return value, end


def _skip(text: str, at: int) -> int:
    return _SPACE.match(text, at).end()  # type: ignore[union-attr]  # likewise
