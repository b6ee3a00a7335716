"""Small edits of a text at one word, each of which would mend one kind of fault."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import cache
from typing import NamedTuple

from slor_metric.fluency.words import FREQUENT, edits
from slor_metric.language_models.classes import packaged_classes

_ARTICLES = ("a", "an", "the")
_PREPOSITIONS = ("of", "in", "to", "for", "with", "on", "at", "from", "by", "about", "into", "as")
#: Words that may be missing before a word, by kind of fault.
_LEFT_OUT = {
    "missing article": _ARTICLES,
    "missing preposition": ("of", "in", "to", "for", "with", "on", "at"),
    "missing verb": ("is", "are", "was", "were", "be", "has", "have", "had", "will"),
    "missing word": ("and", "it", "that", "not", "he", "they"),
}
#: Words that are taken for one another.
_CONFUSED = (
    ("article", _ARTICLES),
    ("preposition", _PREPOSITIONS),
    ("agreement", ("is", "are", "was", "were", "be", "been", "am")),
    ("agreement", ("has", "have", "had")),
    ("agreement", ("do", "does", "did")),
    ("word choice", ("this", "these", "that", "those")),
    ("word choice", ("he", "him", "his")),
    ("word choice", ("they", "them", "their", "there")),
    ("word choice", ("much", "many")),
    ("word choice", ("then", "than")),
    ("word choice", ("who", "which", "whose")),
)
#: Endings that take one another's place.
_ENDINGS = (("", "s", "es", "ed", "d", "ing", "e"), ("y", "ies", "ied"), ("", "ly", "er", "est"))
_MARKS = ".,;:!?"
_SHORTEST_FORM = 3
#: Fewest words that are a repetition whatever they are; one word may rightly stand twice ("had had").
_FEWEST_REPEATED = 2


class Edit(NamedTuple):
    """An edit of a text.

    Attributes:
        kind: the kind of fault that it mends, one of `FAULT_KINDS`.
        words: the words of the text after it.
    """

    kind: str
    words: list[str]


def edits_at(words: Sequence[str], at: int) -> Iterator[Edit]:
    """Yield edits of a text at one of its words.

    Args:
        words: the text's words, as they stand between spaces.
        at: index of one of these words.

    >>> found = {" ".join(edit.words): edit.kind for edit in edits_at("She have a cat.".split(), 1)}
    >>> found["She has a cat."], found["She is have a cat."], found["She a cat."]
    ('agreement', 'missing verb', 'extra word')
    """
    before, word, after = list(words[:at]), words[at], list(words[at + 1 :])
    stem = word.rstrip(_MARKS)
    marks = word[len(stem) :]
    yield from _without(before, stem, marks, after)
    for kind, left_out in _LEFT_OUT.items():
        for new in left_out:
            yield Edit(kind, _with_capital([*before, new, word, *after], at))
    for kind, new in _replacements(stem):
        yield Edit(kind, _with_capital([*before, new + marks, *after], at))
    if after:
        next_stem = after[0].rstrip(_MARKS)
        swapped = [next_stem, stem + after[0][len(next_stem) :]]
        yield Edit("order", [*before, *swapped, *after[1:]])


def without_repetition(words: Sequence[str], at: int) -> Edit | None:
    """Return the text without the words that stand twice, once before a place and once from it on.

    Args:
        words: the text's words, as they stand between spaces.
        at: index of the word that begins the second time.

    Returns:
        None if fewer than two words stand twice there. As many words as stand twice are taken away.

    >>> without_repetition("The train The train was late.".split(), 2).words
    ['The', 'train', 'was', 'late.']
    """
    plain = [word.strip(_MARKS).lower() for word in words]
    for n_words in range(min(at, len(words) - at), _FEWEST_REPEATED - 1, -1):
        if plain[at - n_words : at] == plain[at : at + n_words]:
            kept = [*words[: at - n_words + 1], *words[at + 1 :]]  # capital of the first time, marks of the second
            return Edit("repetition", kept)
    return None


def _without(before: list[str], stem: str, marks: str, after: list[str]) -> Iterator[Edit]:
    low = stem.lower()
    neighbours = [each.rstrip(_MARKS).lower() for each in (*before[-1:], *after[:1])]
    kind = "repetition" if low in neighbours else "extra word"
    left = before
    if marks and before:  # the mark stays, on the word before
        left = [*before[:-1], before[-1].rstrip(_MARKS) + marks]
    if left or after:
        yield Edit(kind, _with_capital([*left, *after], len(before)))


def _replacements(word: str) -> Iterator[tuple[str, str]]:
    """Yield the kind of fault and the word for each that may take a word's place."""
    low = word.lower()
    confused = [(kind, row) for kind, row in _CONFUSED if low in row]
    for kind, row in confused:
        for new in row:
            if new != low:
                yield kind, new
    if not low.isalpha() or len(low) < _SHORTEST_FORM or confused:
        return
    vocabulary = packaged_classes().ids
    if low in vocabulary:
        for form in sorted(_forms(low) & vocabulary.keys()):
            yield "word form", form
    else:
        for new in sorted(_frequent().intersection(edits(low))):
            yield "spelling", new


@cache
def _frequent() -> frozenset[str]:
    return frozenset(packaged_classes().packed[:FREQUENT])


def _with_capital(words: list[str], at: int) -> list[str]:
    """Return words whose first is written with a capital if an edit has put it there."""
    if at == 0 and words:
        words[0] = words[0][:1].upper() + words[0][1:]
    return words


def _forms(word: str) -> set[str]:
    """Return strings that differ from a word in their ending.

    >>> sorted(_forms("tries"))[:4]
    ['tri', 'trid', 'trie', 'tried']
    """
    found = {word.removesuffix(old) + new for row in _ENDINGS for old in row if word.endswith(old) for new in row}
    return found - {word}
