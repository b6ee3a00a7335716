"""Facts as triples, as WebNLG and DART write them: `Alan_Bean | occupation | Test_pilot`, a line each or with `&&`."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from typing import Any

from metric_commons.support.errors import InputError
from metric_commons.support.validation import describe
from quality_estimation_metric.sources.base import MALFORMED, Triple, fail

_SEPARATOR = re.compile(r"\n+|<br\s*/?>|&&")
_TAGS = re.compile(r"<([HSRPTO])>|\[(HEAD|REL|TAIL|SUB|PRED|OBJ)\]")
_ROLE = {"H": 0, "S": 0, "HEAD": 0, "SUB": 0, "R": 1, "P": 1, "REL": 1, "PRED": 1, "T": 2, "O": 2, "TAIL": 2, "OBJ": 2}
_NAMES = (
    ("subject", "sub", "head", "s"),
    ("predicate", "property", "pred", "relation", "p"),
    ("object", "obj", "tail", "o"),
)


def looks_like_triples(text: str) -> bool:
    """Say whether a text begins with `subject | predicate | object` or with the tag of a head."""
    first = _SEPARATOR.split(text.strip(), maxsplit=1)[0]
    tag = _TAGS.match(text.strip())
    return first.count("|") == 2 or (tag is not None and _ROLE[tag.group(1) or tag.group(2)] == 0)


def parse_triples(text: str) -> tuple[Triple, ...]:
    """Read triples; underscores between words become spaces, and quotes around an object go.

    Raises:
        InputError: where a line has not three parts; the message names the place.
    """
    if _TAGS.match(text.strip()):
        return _parse_tagged(text)
    triples = []
    at = 0
    for separator in (*_SEPARATOR.finditer(text), None):
        end = len(text) if separator is None else separator.start()
        line = text[at:end]
        if line.strip():
            parts = line.split("|")
            if len(parts) != 3:
                place = at + len(line) if len(parts) < 3 else at + len("|".join(parts[:3]))
                fail(text, place, f"expected `subject | predicate | object`, but got {len(parts)} parts")
            triples.append(_triple(*parts))
        at = end if separator is None else separator.end()
    return tuple(triples)


def looks_like_fact(item: object) -> bool:
    """Say whether an object is one triple: three strings, a mapping with a subject, or a string with two bars."""
    if isinstance(item, str):
        return item.count("|") == 2
    if isinstance(item, Mapping):
        return all(any(name in item for name in names) for names in _NAMES)
    return isinstance(item, Sequence) and len(item) == 3 and all(isinstance(part, str) for part in item)


def fact(item: Any, place: str) -> Triple:
    """Read one object as a triple.

    Raises:
        InputError: for an object that is none; the message names its place.
    """
    if not looks_like_fact(item):
        raise InputError(f"{MALFORMED}: expected a triple of three strings at {place}, but got {describe(item)}")
    if isinstance(item, str):
        return _triple(*item.split("|"))
    if isinstance(item, Mapping):
        return _triple(*(str(next(item[name] for name in names if name in item)) for names in _NAMES))
    return _triple(*item)


def _parse_tagged(text: str) -> tuple[Triple, ...]:
    """Read `<H> subject <R> predicate <T> object …`, as triples are written for sequence-to-sequence models."""
    triples: list[Triple] = []
    parts: list[str] = []
    tags = list(_TAGS.finditer(text))
    for number, tag in enumerate(tags):
        if _ROLE[tag.group(1) or tag.group(2)] != len(parts):
            expected = ("subject", "predicate", "object")[len(parts)]
            fail(text, tag.start(), f"expected the tag of the {expected}")
        parts.append(text[tag.end() : tags[number + 1].start() if number + 1 < len(tags) else len(text)])
        if len(parts) == 3:
            triples.append(_triple(*parts))
            parts = []
    if parts:
        fail(text, len(text), "the last triple has no object")
    return tuple(triples)


def _triple(subject: str, predicate: str, value: str) -> Triple:
    value = value.strip()
    if len(value) > 1 and value[0] == value[-1] == '"':
        value = value[1:-1]
    return Triple(_spaced(subject), predicate.strip(), _spaced(value))


def _spaced(name: str) -> str:
    return name.strip().replace("_", " ")
