"""Facts as triples (`Alan_Bean | occupation | Test_pilot`), and records with their JSON."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from quality_estimation_metric.sources.base import DEFAULT_ACT, MALFORMED, Triple, Triples, fail
from referenceless_metrics.core.support.validation import InputError, describe

_ACTS = ("act", "dialogue_act", "da", "intent")
_SLOTS = ("slots", "attributes", "arguments")
_TRIPLES = ("tripleset", "triples", "mtriple_set", "modifiedtripleset", "modified_triple_sets")
_MAX_DEPTH = 20
_LINE = re.compile(r"(.*?)(?:\n+|<br\s*/?>|&&|\Z)", re.DOTALL)
_TAGGED = ("<H> <S> [HEAD] [SUB]", "<R> <P> [REL] [PRED]", "<T> <O> [TAIL] [OBJ]")
_ROLE = {tag: role for role, tags in enumerate(_TAGGED) for tag in tags.split()}
_TAGS = re.compile("|".join(map(re.escape, _ROLE)))
_NAMES = ("subject sub head s", "predicate property pred relation p", "object obj tail o")


def looks_like_triples(text: str) -> bool:
    """Say whether a text begins with `subject | predicate | object` or with the tag of a head."""
    first, tag = _LINE.match(text.strip()), _TAGS.match(text.strip())
    return (first is not None and first.group(1).count("|") == 2) or (tag is not None and _ROLE[tag.group()] == 0)


def parse_triples(text: str) -> Triples:
    """Read triples; underscores between words become spaces, and quotes around an object go.

    Raises:
        InputError: if a line has not three parts; the message names the place.
    """
    if _TAGS.match(text.strip()):
        return _parse_tagged(text)
    triples = []
    for line in _LINE.finditer(text):
        parts = line.group(1).split("|")
        if len(parts) == 3:
            triples.append(_triple(*parts))
        elif line.group(1).strip():
            place = line.end(1) if len(parts) < 3 else line.start() + len("|".join(parts[:3]))
            fail(text, place, f"expected `subject | predicate | object`, but got {len(parts)} parts")
    return tuple(triples)


def _fact(item: Any) -> Triple | None:
    """Return an object as one triple: three strings, a mapping with a subject, or a string with two bars; else None."""
    parts: Sequence[Any] = ()
    if isinstance(item, str):
        parts = item.split("|")
    elif isinstance(item, Mapping):
        parts = [str(item[known[0]]) for names in _NAMES if (known := [name for name in names.split() if name in item])]
    elif isinstance(item, Sequence):
        parts = item
    return _triple(*parts) if len(parts) == 3 and all(isinstance(part, str) for part in parts) else None


def _parse_tagged(text: str) -> Triples:
    """Read `<H> subject <R> predicate <T> object …`, as triples are written for sequence-to-sequence models."""
    tags = list(_TAGS.finditer(text))
    for number, tag in enumerate(tags):
        if _ROLE[tag.group()] != number % 3:
            fail(text, tag.start(), f"expected the tag of the {('subject', 'predicate', 'object')[number % 3]}")
    if len(tags) % 3:
        fail(text, len(text), "the last triple has no object")
    parts = _TAGS.split(text)[1:]
    return tuple(map(_triple, parts[::3], parts[1::3], parts[2::3]))


def _triple(subject: str, predicate: str, value: str) -> Triple:
    value = value.strip()
    if len(value) > 1 and value[0] == value[-1] == '"':
        value = value[1:-1]
    subject, value = (name.strip().replace("_", " ") for name in (subject, value))
    return Triple(subject, predicate.strip(), value)


looks_like_json = re.compile(
    r"""\s*(?:\{\s*["}]|\[\s*(?:["\]]|[\[{]\s*["\[{\]}\d])|(?:\{|\[\s*[\[({]?)\s*'.*[\]}]\s*\Z)""", re.DOTALL
).match
"""Says whether a text begins as an object, or as a list of objects, lists or strings, does.

So does an object as Python writes it, if it ends so too: that is no JSON, and better refused than read as plain text.
"""


def parse_json(text: str) -> Triples:
    """Read the JSON of a record or of a list of triples.

    Raises:
        InputError: for text that is no JSON, or holds no record; the message names the place.
    """
    try:
        record = json.loads(text)
    except json.JSONDecodeError as error:
        fail(text, error.pos, f"it is not JSON ({error.msg})")
    except RecursionError:
        raise InputError(f"{MALFORMED}: it is nested too deeply") from None
    return parse_record(record)


def parse_record(record: Any) -> Triples:
    """Read a mapping of slots, or a list of triples.

    Raises:
        InputError: for an object that is none of them; the message names the place.
    """
    if isinstance(record, Mapping):
        for name in _TRIPLES:
            if name in record:
                return _facts(record[name], name)
        if (triple := _fact(record)) is not None:
            return (triple,)
        act = next((record[name] for name in _ACTS if isinstance(record.get(name), str)), DEFAULT_ACT)
        slots = next((record[name] for name in _SLOTS if isinstance(record.get(name), Mapping)), None)
        if slots is None:
            slots = {name: value for name, value in record.items() if not (name in _ACTS and value == act)}
        return tuple(_slots(slots, act, "", 0)) or (Triple(act),)
    if isinstance(record, Sequence) and not isinstance(record, (str, bytes)):
        if len(record) == 3 and all(isinstance(part, str) and "|" not in part for part in record):
            return (_triple(*record),)
        return _facts(record, "the top")
    raise InputError(f"{MALFORMED}: expected text, a mapping or a list of triples, but got {describe(record)}")


def _facts(items: Any, place: str) -> Triples:
    if isinstance(items, Mapping):  # {"mtriple_set": [[…]]}
        return _facts(next(iter(items.values()), []), place)
    if not isinstance(items, Sequence) or isinstance(items, (str, bytes)):
        raise InputError(f"{MALFORMED}: expected a list of triples at {place}, but got {describe(items)}")
    nested = items and all(isinstance(item, Sequence) and not isinstance(item, str) and item for item in items)
    if nested and _fact(items[0][0]) is not None:  # WebNLG keeps alternatives: of the sets the first is taken
        return _facts(items[0], place)
    triples = []
    for number, item in enumerate(items):
        if (triple := _fact(item)) is None:
            raise InputError(
                f"{MALFORMED}: expected a triple of three strings at {place}, item {number}, but got {describe(item)}"
            )
        triples.append(triple)
    return tuple(triples)


def _slots(slots: Mapping[Any, Any], act: str, prefix: str, depth: int) -> Iterator[Triple]:
    if depth > _MAX_DEPTH:
        raise InputError(f"{MALFORMED}: slot {prefix[:40]!r} is nested too deeply")
    for name, value in slots.items():
        path = f"{prefix}{name}"
        for item in value if isinstance(value, Sequence) and not isinstance(value, (str, bytes)) else [value]:
            if isinstance(item, Mapping):
                yield from _slots(item, act, f"{path}.", depth + 1)
            else:
                yield Triple(act, path, _scalar(item, path))


def _scalar(value: Any, path: str) -> str | None:
    if value is None:
        return None
    if isinstance(value, bool):
        return "yes" if value else "no"
    if isinstance(value, (str, int, float)):
        return str(value)
    raise InputError(f"{MALFORMED}: expected text, a number or null at slot {path!r}, but got {describe(value)}")
