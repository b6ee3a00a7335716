"""Dialogue acts and slot lists: `inform(name='x';area=y)&request(near)`, ViGGO's `inform(name[x])`, E2E's `name[x]`.

The grammar, with white space allowed between all parts:

    acts  = act (("&" | "," | ";")? act)*        act   = "?"? NAME "(" items? ")"
    items = item ((";" | ",") item)* (";" | ",")?  item  = SLOT (("=" | "!=") value | "[" text "]")?
    value = quoted | characters other than `;`, `,` and `)`

A quote ends at the first one of its kind before `;`, `,` or `)`, so that `'annie's bistro'` is read as people mean it.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import cache
from typing import NoReturn

from quality_estimation_metric.sources.base import DEFAULT_ACT, Triple, Triples, fail

_compiled = cache(re.compile)
_NAME = re.compile(r"\??\s*([^\W\d][\w.-]*)")
_SLOT = re.compile(r"([^\W\d][\w. /-]*?)\s*(?=[=!\[\],;()]|$)")
_QUOTED = re.compile(r"(['\"])(.*?)\1\s*(?=[,;)])", re.DOTALL)
_UNQUOTED = re.compile(r"[^,;)]*")
_SPACE = re.compile(r"\s*")
_STRONG = re.compile(r"\s*\??[^\W\d][\w.-]*\((?:\s*\)|\s*[^\W\d][\w. -]*(?:!?=|\[))")
_SPACED = re.compile(r"\s*\??\s*[^\W\d][\w.-]*\s+\(\s*[^\W\d][\w. -]*(?:!?=|\[)")
looks_like_slots = re.compile(r"\s*[^\W\d][\w /-]{0,40}\[").match  # `name[`
_WEAK = re.compile(r"\s*\??[^\W\d][\w.-]*\(\s*[^\W\d]\w*(?:\s*[;,]\s*[^\W\d]\w*)*\s*\)\s*")


def looks_like_acts(text: str) -> bool:
    """Say whether a text begins as a dialogue act does: `name(slot=`, `name(slot[`, `name()`, or is `name(slot)`.

    A text that was split into tokens, `name ( slot = value )`, must also end so.
    """
    return bool(_STRONG.match(text) or _WEAK.fullmatch(text) or (_SPACED.match(text) and text.rstrip()[-1] == ")"))


def parse_acts(text: str) -> Triples:
    """Read dialogue acts; an act without slots becomes one triple of its own.

    Raises:
        InputError: if the text does not follow the grammar; the message names the place.
    """
    scan = _Scanner(text)
    triples: list[Triple] = []
    while True:
        act = scan.expect(_NAME, "the name of a dialogue act").group(1)
        scan.expect(r"\(", "`(`")
        triples += [Triple(act)] if scan.take(r"\)") else _slots(scan, act, r"\)")
        if scan.take("$"):
            return tuple(triples)
        if not (scan.take("[&,;]") or text[scan.at - 1].isspace()):
            scan.fail("expected `&` or the end")


def parse_slots(text: str) -> Triples:
    """Read a list of slots, as E2E's `name[The Eagle], food[French]`; their act is `inform`.

    Raises:
        InputError: if the text does not follow the grammar; the message names the place.
    """
    return tuple(_slots(_Scanner(text), DEFAULT_ACT, "$"))


class _Scanner:
    """A position in a text, which moves over white space and taken patterns."""

    def __init__(self, text: str) -> None:
        self.text = text
        self.at = 0

    def take(self, pattern: str | re.Pattern[str]) -> re.Match[str] | None:
        """Move over a pattern if it stands next."""
        self.at = _SPACE.match(self.text, self.at).end()  # type: ignore[union-attr]  # it matches nothing too
        match = _compiled(pattern).match(self.text, self.at)
        if match is not None:
            self.at = match.end()
        return match

    def expect(self, pattern: str | re.Pattern[str], what: str) -> re.Match[str]:
        """Move over a pattern, which must stand next."""
        return self.take(pattern) or self.fail(f"expected {what}")

    def fail(self, problem: str) -> NoReturn:
        """Raise the error of a malformed source."""
        fail(self.text, self.at, problem)


def _slots(scan: _Scanner, act: str, end: str) -> Iterator[Triple]:
    """Yield slots up to their end, a bracket or the text's end."""
    of_act = end != "$"
    while True:
        slot = scan.expect(_SLOT, "the name of a slot").group(1)
        value = None
        if scan.take(r"\["):
            value = _bracketed(scan)
        elif not of_act:
            scan.fail("expected `[`")
        elif sign := scan.take("!?="):
            value = f"not {_value(scan)}" if sign.group() == "!=" else _value(scan)
        yield Triple(act, slot, value)
        if scan.take(end):
            return
        if not scan.take("[,;]"):
            expected = "expected `,`, `;` or `)`" if of_act else "expected `,` or the end"
            scan.fail(f"`{act}(` is never closed" if scan.take("$") else expected)
        if scan.take(end):  # a trailing separator
            return


def _bracketed(scan: _Scanner) -> str:
    """Read `…]`, in which brackets may be nested."""
    depth, begin = 1, scan.at
    for end in range(begin, len(scan.text)):
        depth += (scan.text[end] == "[") - (scan.text[end] == "]")
        if depth == 0:
            scan.at = end + 1
            return scan.text[begin:end].strip()
    fail(scan.text, begin - 1, "`[` is never closed")


def _value(scan: _Scanner) -> str:
    if quoted := scan.take(_QUOTED):
        return quoted.group(2)
    if scan.take(r"(?=['\"])"):
        scan.fail("the quote is never closed")
    value = scan.expect(_UNQUOTED, "a value").group().strip()
    for mark in "'\"":  # `dinner'`: a stray quote of a value that was never opened
        if value.endswith(mark) and value.count(mark) == 1:
            value = value[:-1].rstrip()
    return value
