"""Delexicalisation: names, addresses and other open values of a source become placeholders in its text.

As published by Dušek, Novikova & Rieser (2017, section 5.1) and their code: a value is sought in the text longest
first, each value once; first as the same words, then without case and accents, then with small differences (stop
words skipped, up to two characters more or less, one typing error; the smallest difference wins). It becomes `X-slot`
in the text and in the source. Values that the source does not have stay as they are.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable, Sequence
from functools import lru_cache
from typing import NamedTuple

from rapidfuzz.distance import Levenshtein

from quality_estimation_metric.sources import Source, Triple, Triples, is_plain_text, parse_mr
from quality_estimation_metric.sources.base import plain, split_words

PUBLISHED_SLOTS = frozenset(
    """
    addr address area count eattype food good_for_meal name near phone postcode price price_range pricerange type
    """.split()  # noqa: SIM905
)
"""The slots that the published system delexicalises; yes/no slots are not among them."""

NO_VALUE = frozenset(("", "none", "dont_care", "don't care", "dontcare", "yes", "no", "yes or no", "?"))
"""Values that name nothing that a text could mention."""

_STOP_WORDS = frozenset(
    "a an the and or of in at on to for s 's & ' - , .".split()  # noqa: SIM905
)
_TYPO_LENGTH = 4  # a shorter word with one letter changed is another word
_EXTRA = 2
_AMOUNT = re.compile(r"[0-9]+(?:,[0-9]{3})*(?:\.[0-9]+)?")
_IN_NUMBERS = frozenset(("-", ".", "/", "(", ")", "+"))
_PHONE_LENGTH = 6  # digits that may be grouped in any way: a telephone number

value_words = lru_cache(maxsize=1024)(split_words)
"""The words of a value: each value of a domain is sought in many texts."""


class Delexicalised(NamedTuple):
    """A delexicalised text.

    Attributes:
        tokens: the words, with `X-slot` in place of each value.
        replaced: the words that each placeholder took the place of, in the order of the text.
        unmatched: the triples whose value was not found.
    """

    tokens: tuple[str, ...]
    replaced: tuple[tuple[str, ...], ...]
    unmatched: Triples

    @property
    def text(self) -> str:
        """The tokens, joined by spaces."""
        return " ".join(self.tokens)


def is_delexicalised(slot: str | None, value: str | None, slots: Collection[str] | None = PUBLISHED_SLOTS) -> bool:
    """Say whether a value is one that delexicalisation replaces.

    Args:
        slot: its slot; case does not matter.
        value: the value; absent ones, `none`, `dont_care`, and yes or no are never replaced.
        slots: the slots that are replaced, in lower case; None for all.
    """
    if slot is None or value is None or value.strip().lower() in NO_VALUE:
        return False
    return slots is None or slot.lower() in slots


def delexicalise_mr(mr: Source, slots: Collection[str] | None = PUBLISHED_SLOTS) -> Triples:
    """Replace the values of a source by placeholders.

    Args:
        mr: a source, as `parse_mr` reads it, or its triples.
        slots: the slots whose values are replaced; None for all.

    Raises:
        TypeError: as `parse_mr`.
        ValueError: as `parse_mr`.

    >>> delexicalise_mr("inform(name='chow',kids_allowed=yes)")[0]
    Triple(act='inform', slot='name', value='X-name')
    """
    return tuple(
        triple._replace(value=f"X-{triple.slot}") if is_delexicalised(triple.slot, triple.value, slots) else triple
        for triple in parse_mr(mr)
    )


def delexicalise(text: str, mr: Source, slots: Collection[str] | None = PUBLISHED_SLOTS) -> Delexicalised:
    """Replace the values of a source by placeholders in a text.

    Args:
        text: the text.
        mr: its source, as `parse_mr` reads it, or its triples; a source of plain text replaces nothing.
        slots: the slots whose values are replaced; None for all, and for facts their subjects too (`X-subject`).

    Raises:
        TypeError: as `parse_mr`.
        ValueError: as `parse_mr`.

    >>> delexicalise("Red door café is near the Mission.", "inform(name='red door cafe';near=mission)").text
    'X-name is near the X-near .'
    """
    triples = parse_mr(mr)
    words = split_words(text)
    if not triples or is_plain_text(triples):
        return Delexicalised(tuple(words), (), ())
    items = [triple for triple in triples if is_delexicalised(triple.slot, triple.value, slots)]
    if slots is None:  # the subjects of facts too; acts of a dialogue are single lower-case words
        subjects = dict.fromkeys(triple.act for triple in triples if " " in triple.act or triple.act[:1].isupper())
        items = [*(Triple(subject, "subject", subject) for subject in subjects), *items]
    values = [(value_words(triple.value or ""), triple) for triple in items]
    values.sort(key=lambda item: -sum(map(len, item[0])))  # stable: equal lengths in the order of the source
    taken = [False] * len(words)
    tokens = list(words)
    replaced: dict[int, tuple[str, ...]] = {}
    unmatched = []
    for value, triple in values:
        span = take_value(words, value, taken)
        if span is None:
            unmatched.append(triple)
            continue
        begin, end = span
        replaced[begin] = tuple(words[begin:end])
        tokens[begin:end] = [f"X-{triple.slot}", *[""] * (end - begin - 1)]
    return Delexicalised(tuple(filter(None, tokens)), tuple(replaced[at] for at in sorted(replaced)), tuple(unmatched))


def find_words(words: list[str], sought: list[str], taken: Sequence[bool]) -> int | None:
    """Return the index at which words stand one after the other in a text for the first time, none of them taken."""
    size = len(sought)
    for begin, word in enumerate(words):
        if word == sought[0] and words[begin : begin + size] == sought and not any(taken[begin : begin + size]):
            return begin
    return None


def take_value(words: list[str], value: list[str], taken: list[bool]) -> tuple[int, int] | None:
    """Find the first place of a value among the words of a text that are not taken, and take it.

    Returns:
        [begin, end); None if it is not found.
    """
    if not value:
        return None
    begin = find_words(words, value, taken)
    if begin is None:
        words, value = list(map(plain, words)), list(map(plain, value))
        begin = find_words(words, value, taken)
    span = _find_similar(words, value, taken) if begin is None else (begin, begin + len(value))
    if span is not None:
        taken[slice(*span)] = [True] * (span[1] - span[0])
    return span


def _find_similar(words: Sequence[str], value: Sequence[str], taken: Sequence[bool]) -> tuple[int, int] | None:
    """Find words that differ from a value by stop words, up to two characters at an end, or one typing error."""
    content = [word for word in value if word not in _STOP_WORDS]
    sought = "".join(content)
    if any(character.isdecimal() for character in sought) and not any(map(str.isalpha, sought)):
        return _find_number(words, value, taken)  # numbers differ by a digit and mean something else
    if len(sought) < _TYPO_LENGTH:
        return None
    shortest, longest = max(_TYPO_LENGTH, len(sought) - _EXTRA), len(sought) + _EXTRA
    alike: list[tuple[int, int, int]] = []
    for begin in range(len(words)):
        if words[begin] in _STOP_WORDS:
            continue
        joined = ""
        for end in range(begin + 1, min(len(words), begin + 2 * len(value) + 2) + 1):
            if taken[end - 1] or len(joined) > longest:
                break
            if words[end - 1] in _STOP_WORDS:
                continue
            joined += words[end - 1]
            if not shortest <= len(joined) <= longest:
                continue
            difference = Levenshtein.distance(joined, sought)
            if difference <= 1 or joined in sought or sought in joined:
                alike.append((difference, begin, end))
    return min(alike)[1:] if alike else None


def _find_number(words: Sequence[str], value: Sequence[str], taken: Sequence[bool]) -> tuple[int, int] | None:
    """Find a number that is written otherwise: 2,702 for 2702.0, 415-555-1234 for 4155551234."""
    sought, digits = _amount("".join(value)), _digits(value)
    for begin, word in enumerate(words):
        if taken[begin] or not word[0].isdecimal():
            continue
        if sought is not None and _amount(word) == sought:
            return begin, begin + 1
        for end in range(begin, len(words) if len(digits) >= _PHONE_LENGTH else begin):
            if taken[end] or (words[end] not in _IN_NUMBERS and not words[end][0].isdecimal()):
                break
            if _digits(words[begin : end + 1]) == digits:
                return begin, end + 1
    return None


def _amount(word: str) -> float | None:
    """Return the number that a word is, with or without marks at thousands; None for none."""
    return float(word.replace(",", "")) if _AMOUNT.fullmatch(word) else None


def _digits(words: Iterable[str]) -> str:
    return "".join(filter(str.isdecimal, "".join(words)))
