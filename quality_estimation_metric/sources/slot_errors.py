"""Slot errors of a text: which items of its source it leaves out, says twice, or says without being told.

The slot error rate of dialogue systems counts placeholders (Wen et al. 2015, section 4.1). Here an open value is
sought as delexicalisation seeks it; a yes/no value, a request and a value that does not matter are known by the words
of their slot, with a negation beside them for "no" and without one for "yes".

A text is read once with its source: words, placeholders, triples and slot errors, for every feature of a model.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from functools import cache, lru_cache
from itertools import repeat, takewhile
from typing import NamedTuple

from quality_estimation_metric.sources import Source, Triple, Triples, is_plain_text, parse_mr
from quality_estimation_metric.sources.base import plain, split_words
from quality_estimation_metric.sources.delexicalise import (
    NO_VALUE,
    PUBLISHED_SLOTS,
    delexicalise,
    delexicalise_mr,
    find_words,
    is_delexicalised,
    take_value,
    value_words,
)

_SYNONYMS: Mapping[str, tuple[str, ...]] = {
    slot: tuple(words.split())
    for slot, words in {
        "address": "address located street st",
        "addr": "address",
        "area": "area part location located where neighborhood neighbourhood district",
        "cards": "card",
        "count": "there many",
        "credit": "credit",
        "dogs": "dog pet",
        "family": "family families kid child",
        "food": "food cuisine serve serving",
        "internet": "internet wifi wireless wi-fi online",
        "kids": "kid child family families",
        "meal": "meal breakfast brunch lunch dinner",
        "name": "name called named",
        "near": "near close around vicinity where",
        "phone": "phone telephone number",
        "postcode": "postcode postal zip",
        "price": "price priced pricing cost expensive cheap pricey inexpensive",
        "rating": "rating rated star",
    }.items()
}
_GENERIC = frozenset("has have is are allowed accepts good for on available range type".split())  # noqa: SIM905
_NEGATIONS = frozenset("no not n't without never none neither nor cannot prohibit prohibits".split())  # noqa: SIM905
_CLAUSE_ENDS = frozenset(". , ; : ! ? but and while although though however".split())  # noqa: SIM905
_BEFORE, _BEHIND = 5, 4  # most words between a word and its negation: `not allow any small dogs`, `dogs are not`
_ENDS_BEHIND = _CLAUSE_ENDS | {"or", "with"}
_INDIFFERENT = frozenset("any all whatever care matter mind regardless prefer preference".split())  # noqa: SIM905
_SAID_OTHERWISE = {"none": _NEGATIONS, **dict.fromkeys(("dont_care", "don't care", "dontcare"), _INDIFFERENT)}
_YES, _NO = ("yes", "true"), ("no", "false")
# Slots that a text mentions by words of its own, whatever the domain.
_TOLD = ("kids", "internet", "dogs", "credit", "phone", "postcode")
_LIST = re.compile(r"\s*[,/]\s*|\s+(?:or|and)\s+")


class SlotErrors(NamedTuple):
    """Errors of a text against its source.

    Attributes:
        missing: items of the source that the text does not say.
        added: items that the text says and the source does not; their act is empty.
        repeated: items that the text says more often than the source.
    """

    missing: Triples
    added: Triples
    repeated: Triples


def slot_errors(mr: Source, text: str) -> SlotErrors:
    """Compare a text with its source.

    Args:
        mr: the source, as `parse_mr` reads it, or its triples. A source of plain text has no slots and no errors.
        text: the text.

    Raises:
        TypeError: as `parse_mr`.
        ValueError: as `parse_mr`.

    >>> errors = slot_errors("inform(name=chow,food=thai,kids_allowed=no)", "Chow is chow and has a phone.")
    >>> [triple.slot for triple in errors.missing], [triple.slot for triple in errors.repeated]
    (['food', 'kids_allowed'], ['name'])
    >>> [triple.slot for triple in errors.added]
    ['phone']
    """
    triples = parse_mr(mr)
    if is_plain_text(triples):
        return SlotErrors((), (), ())
    words = split_words(text)
    known = list(map(plain, words))
    taken = [False] * len(words)
    missing: list[Triple] = []
    repeated: list[Triple] = []
    open_values = [triple for triple in triples if triple.slot and not _closed(triple)]
    open_values.sort(key=lambda triple: -len(triple.value or ""))
    expressed: list[tuple[Triple, list[str]]] = []
    for triple in open_values:
        span = _take_all(words, triple.value or "", taken)
        if span is None:
            missing.append(triple)
        else:
            expressed.append((triple, known[slice(*span)]))
    for triple, value_in_text in expressed:
        if sum(map(len, value_in_text)) > 2 and find_words(known, value_in_text, taken) is not None:
            repeated.append(triple)
    missing += [triple for triple in triples if triple.slot and _closed(triple) and not _said(triple, known)]
    return SlotErrors(tuple(missing), tuple(_added(triples, known, taken)), tuple(repeated))


@lru_cache(maxsize=4096)  # a few names, asked for many times a text
def slot_words(slot: str) -> tuple[str, ...]:
    """Return the words by which a text mentions a slot.

    >>> slot_words("has_internet")
    ('internet', 'wifi', 'wireless', 'wi-fi', 'online')
    """
    parts = re.sub(r"(?<=[a-z])(?=[A-Z])", "_", slot).lower().replace("-", "_").replace(" ", "_").split("_")
    kept = [part for part in parts if part and part not in _GENERIC] or [part for part in parts if part]
    return tuple(dict.fromkeys(word for part in kept for word in _SYNONYMS.get(part, _split(part))))


def _split(part: str) -> tuple[str, ...]:
    """Return the known words of a slot that is written as one word (`pricerange`), or the word itself."""
    known = [words for name, words in _SYNONYMS.items() if len(name) > 3 and name in part]
    return known[0] if known else (part.rstrip("s") if len(part) > 3 else part,)


def _closed(triple: Triple) -> bool:
    return triple.value is None or triple.value.strip().lower() in NO_VALUE


@lru_cache(maxsize=1 << 14)  # a domain has few words, and few slots
def _mentions(word: str, slot: str) -> bool:
    """Say whether a word of a text mentions a slot."""
    return any(word == item or word.rstrip("s") == item or word.startswith(item + "r") for item in slot_words(slot))


def _said(triple: Triple, words: Sequence[str]) -> bool:
    value, slot = (triple.value or "").strip().lower(), triple.slot or ""
    places = [place for place, word in enumerate(words) if _mentions(word, slot)]
    if value in _YES:
        return not all(_is_negated(words, place) for place in places)
    if value in _NO:
        return any(_is_negated(words, place) for place in places)
    instead = _SAID_OTHERWISE.get(value, frozenset())
    return bool(places) or not instead.isdisjoint(words) or (triple.value is None and not slot_words(slot))


def _is_negated(words: Sequence[str], place: int) -> bool:
    """Say whether a negation stands near a word in its clause."""
    before, behind = words[max(0, place - _BEFORE) : place][::-1], words[place + 1 : place + 1 + _BEHIND]
    return not (
        _NEGATIONS.isdisjoint(takewhile(lambda word: word not in _CLAUSE_ENDS, before))
        and _NEGATIONS.isdisjoint(takewhile(lambda word: word not in _ENDS_BEHIND, behind))
    )


def _take_all(words: list[str], value: str, taken: list[bool]) -> tuple[int, int] | None:
    """Take a value, or else all parts of a list of values (`lunch or dinner`); return the place of the first."""
    whole = take_value(words, value_words(value), taken)
    parts = [part for part in _LIST.split(value) if part.strip()]
    if whole is not None or len(parts) < 2:
        return whole
    with_parts = list(taken)
    spans = [take_value(words, value_words(part), with_parts) for part in parts]
    if None in spans:
        return None
    taken[:] = with_parts
    return spans[0]


def _added(triples: Sequence[Triple], known: Sequence[str], taken: Sequence[bool]) -> list[Triple]:
    slots = {(triple.slot or "").lower() for triple in triples}
    of_source = {plain(word) for triple in triples for word in value_words(triple.value or "")}
    free = [word for word, gone in zip(known, taken, strict=True) if not gone and word not in of_source]
    mentioned = set().union(*map(slot_words, slots))
    return [
        Triple("", slot, None)
        for slot in _TOLD
        if any(map(_mentions, free, repeat(slot))) and mentioned.isdisjoint(slot_words(slot))
    ]


SCOPES = {"published": PUBLISHED_SLOTS, "all": None, "none": frozenset[str]()}
"""Slots whose values may be delexicalised; None for all."""


class Reading(NamedTuple):
    """Facts about one text before any model sees it.

    Attributes:
        text: the text, with white space as single spaces.
        tokens: its words, with placeholders in place of values of the source.
        triples: the triples of its source; none without a source.
        source: the same triples, delexicalised.
        errors: its slot errors.
        n_values: number of values of the source that are placeholders in the text.
        n_unmatched: number of values that were not found.
    """

    text: str
    tokens: tuple[str, ...]
    triples: Triples
    source: Triples
    errors: SlotErrors
    n_values: int
    n_unmatched: int

    @property
    def delexicalised(self) -> str:
        """The tokens, joined by spaces."""
        return " ".join(self.tokens)

    @property
    def spelled(self) -> str:
        """The text with slot names in place of values, for a language model that knows no placeholders."""
        return " ".join(token[2:].replace("_", " ") if token.startswith("X-") else token for token in self.tokens)


def read(text: str, triples: Triples = (), scope: str = "published") -> Reading:
    """Read one text with the triples of its source.

    Args:
        text: the text.
        triples: its source, parsed; none without a source.
        scope: the values that are delexicalised: those of the `published` slots, `all`, or `none`.
    """
    plain = " ".join(text.split())
    slots = SCOPES[scope]
    if not triples:  # nothing is replaced, and nothing is missing
        return Reading(plain, tuple(split_words(plain)), (), (), SlotErrors((), (), ()), 0, 0)
    replaced = delexicalise(plain, triples, slots)
    return Reading(
        plain,
        replaced.tokens,
        triples,
        delexicalise_mr(triples, slots),
        slot_errors(triples, plain),
        len(replaced.replaced),
        len(replaced.unmatched),
    )


def read_all(texts: Sequence[str], triples: Sequence[Triples] | None, scope: str) -> list[Reading]:
    """Read texts; equal pairs are read once."""
    if triples is None:
        readings = {text: read(text, (), scope) for text in dict.fromkeys(texts)}
        return list(map(readings.__getitem__, texts))
    read_once = cache(read)
    return [read_once(text, of_source, scope) for text, of_source in zip(texts, triples, strict=False)]


def choose_scope(triples: Sequence[Triples] | None) -> str:
    """Choose the scope: nothing without structured sources, else the published slots if most slots are of them.

    >>> from quality_estimation_metric.sources import parse_mr
    >>> choose_scope([parse_mr("inform(name=a,food=b)")]), choose_scope([parse_mr("A | born in | B")])
    ('published', 'all')
    >>> choose_scope(None), choose_scope([parse_mr("How are you?")])
    ('none', 'none')
    """
    if triples is None or 2 * sum(map(is_plain_text, triples)) >= len(triples):
        return "none"
    slots = [triple.slot for item in triples for triple in item if is_delexicalised(triple.slot, triple.value, None)]
    known = sum((slot or "").lower() in PUBLISHED_SLOTS for slot in slots)
    return "published" if 2 * known >= len(slots) else "all"
