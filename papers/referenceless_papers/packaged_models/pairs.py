"""Pairs of a sentence and the same with one fault, in the manner of BLiMP (Warstadt et al. 2020), made from a corpus.

The corpus is lower-cased and tokenised, and nothing tags it: sentences are chosen by their closed-class words, so that
the fault is one in nearly every pair. Among 100 pairs of each kind that were read, all but a few were.
"""

from __future__ import annotations

import random
import re
from collections.abc import Callable, Iterable, Sequence
from functools import partial
from itertools import islice

_NUMBER = {"is": "are", "are": "is", "was": "were", "were": "was"}
_DETERMINER = {"this": "these", "these": "this"}
_UNREAL = {"if", "though", "wish", "lest", "unless", "or", "nor", "not", "than", "what", "who", "which", "that", "as"}
_NO_NOUN = re.compile(
    "is|are|was|were|be|has|have|had|do|does|did|will|would|can|could|may|might|shall|should|must|i|he|she|it|we|they|"
    "you|to|of|in|on|at|by|for|from|with|as|and|or|but|if|that|when|where|who|which|not|so|than|then|there|these|this|"
    "those|one"
)
_CONJUNCTIONS = ("when", "because", "although", "while", "unless", "if", "since", "until")
_SUBJECTS = {"he", "she", "it", "they", "we", "i", "the", "his", "her", "their", "a", "this", "these"}
_THIRD = {"he", "she", "it"}
_PLAIN = re.compile(r"[a-z][a-z0-9 ,;:'-]*\.")

Words = list[str]


def _agreement(words: Words, table: dict[str, str]) -> tuple[Words, Words] | None:
    """A subject and its verb, the sentence's only form of "be", in different numbers."""
    at = [i for i, word in enumerate(words) if word in table]
    if len(at) != 1 or at[0] == 0 or _UNREAL & set(words[: at[0]]) or words[at[0] - 1] == "you":
        return None
    return words, [*words[: at[0]], table[words[at[0]]], *words[at[0] + 1 :]]


def _determiner(words: Words) -> tuple[Words, Words] | None:
    """A demonstrative before a noun of the other number."""
    at = [i for i, word in enumerate(words) if word in _DETERMINER]
    if (
        len(at) != 1
        or at[0] + 1 >= len(words)
        or not words[at[0] + 1].isalpha()
        or _NO_NOUN.fullmatch(words[at[0] + 1])
    ):
        return None
    return words, [*words[: at[0]], _DETERMINER[words[at[0]]], *words[at[0] + 1 :]]


def _no_verb(words: Words) -> tuple[Words, Words] | None:
    """The only form of "be" left out, which is followed by no participle that could stand for a verb."""
    at = [i for i, word in enumerate(words) if word in _NUMBER]
    if len(at) != 1 or at[0] == 0 or at[0] + 2 >= len(words) or words[at[0] + 1].endswith(("ed", "en")):
        return None
    return words, words[: at[0]] + words[at[0] + 1 :]


def _no_subject(words: Words) -> tuple[Words, Words] | None:
    """The pronoun left out with which a sentence begins."""
    return (words, words[1:]) if words[0] in _THIRD and words[1].isalpha() else None


def _clause_alone(words: Words) -> tuple[Words, Words] | None:
    """A main clause made a subordinate one, which then stands alone."""
    if words[0] not in _SUBJECTS or "," in words or _UNREAL & set(words):
        return None
    return words, [_CONJUNCTIONS[len(" ".join(words)) % len(_CONJUNCTIONS)], *words]


_SHORTEST, _LONGEST = 5, 25

#: Functions that make a pair of each kind from a sentence's words, or nothing.
KINDS: dict[str, Callable[[Words], tuple[Words, Words] | None]] = {
    "subject-verb agreement": partial(_agreement, table=_NUMBER),
    "determiner-noun agreement": _determiner,
    "missing verb": _no_verb,
    "missing subject": _no_subject,
    "subordinate clause alone": _clause_alone,
}


def make_pairs(lines: Iterable[str], size: int = 500, seed: int = 0) -> dict[str, list[tuple[str, str]]]:
    """Make pairs of each kind from the sentences of a corpus.

    Args:
        lines: lower-cased sentences, their tokens separated by spaces.
        size: most pairs of each kind.
        seed: seed of the choice of sentences, if there are more.

    Returns:
        For each kind its pairs, the sentence first and the faulty one second, as they would be written.

    >>> found = make_pairs(["the old ships in the harbour were painted red ."])
    >>> found["missing verb"], found["subject-verb agreement"][0][1]
    ([], 'The old ships in the harbour was painted red.')
    """
    usable = [line.split() for line in lines if _PLAIN.fullmatch(line.strip())]
    usable = [words for words in usable if _SHORTEST < len(words) <= _LONGEST]
    random.Random(seed).shuffle(usable)
    found: dict[str, list[tuple[str, str]]] = {}
    for kind, make in KINDS.items():
        made = (pair for words in usable if (pair := make(words)) is not None)
        found[kind] = [(written(good), written(bad)) for good, bad in islice(made, size)]
    return found


def written(words: Sequence[str]) -> str:
    """Return a sentence of the corpus as it would be written.

    >>> written("i do n't know , he said .".split())
    "I don't know, he said."
    """
    text = re.sub(r" (?=[,.;:!?]|'(?:s|m|d|re|ve|ll)\b|n't\b)", "", " ".join(words))
    text = re.sub(r"\bi\b", "I", text)
    return text[0].upper() + text[1:]


def accuracies(
    pairs: dict[str, list[tuple[str, str]]], score: Callable[[list[str]], Sequence[float]]
) -> dict[str, float]:
    """Return for each kind the share of pairs whose sentence scores above its faulty one; ties count half."""
    result = {}
    for kind, of_kind in pairs.items():
        good, bad = (score([pair[side] for pair in of_kind]) for side in (0, 1))
        won = [(a > b) + 0.5 * (a == b) for a, b in zip(good, bad, strict=True)]
        result[kind] = sum(won) / max(len(won), 1)
    return result
