"""Sentences that the n-grams hold out, each beside texts with made faults, and the faults' places.

A fault's place is told by comparing the words of the text with those of the sentence, for every kind: a text of n
words has n + 1 places, of which the last is its end.
"""

from __future__ import annotations

import re
from collections import Counter, defaultdict
from collections.abc import Iterator, Sequence
from difflib import SequenceMatcher
from itertools import islice
from pathlib import Path
from typing import NamedTuple

import numpy as np

from referenceless_papers.packaged_models.pairs import written
from referenceless_papers.training.damage import GENERATORS, LEARNERS, Damage
from referenceless_papers.training.questions import question_of
from referenceless_papers.training.word_classes import HELD_OUT_EVERY, held_out_lines
from slor_metric.fluency.detector import FAULT_KINDS
from slor_metric.fluency.words import edits
from slor_metric.language_models.unigram import read_lines
from slor_metric.tokenizers.words import WordTokeniser, tokenise

Words = Sequence[str]

#: Numbers of words of sentences that are used.
_LENGTHS = range(4, 41)
#: Number of lines of each corpus whose words and capitals are counted.
_COUNTED = 300_000
_IN_PAIRS = frozenset("\"'()[]`“”")
_WORD = re.compile(r"[^\W\d_]+(?:[-'][^\W\d_]+)*")
_VERBS_LISTED = (
    "is are was were be been being am has have had do does did will would can could should may might must shall"
)
_VERBS = frozenset(_VERBS_LISTED.split())
_ARTICLES = frozenset(("a", "an", "the"))
_PREPOSITIONS_LISTED = "of in to for with on at from by about as into over after under between through during without"
_PREPOSITIONS = frozenset(_PREPOSITIONS_LISTED.split())
_CLOSED = _VERBS | _ARTICLES | _PREPOSITIONS
#: Fewest common letters at the beginning of two forms of one word, and the fewest letters of such words.
_COMMON_LETTERS, _SHORTEST_FORM = 4, 4
_ENDINGS = (
    *("", "s", "es", "ed", "d", "ing", "e", "y", "ies", "ied", "n", "en"),
    *("er", "est", "ly", "ion", "ions", "ment"),
)
#: Fewest words of a part whose loss at the beginning or the end makes a fragment.
_FRAGMENT = 3
#: Number of first sentences that are kept for measuring.
HELD_OUT = 2000
#: Places in each hundred of the last corpus from which sentences that the n-grams have read are taken, after the
#: held-out ones.
#: The models score them alike (0.20 and 0.15 on Fluency's scale, with a standard error of 0.03).
_ALSO = range(50, 56)
#: The source of faults for each text of a sentence.
TWINS = (LEARNERS, GENERATORS, LEARNERS)


class FaultyText(NamedTuple):
    """A text beside the sound sentence from which it was made.

    Attributes:
        sentence: the number of the sentence.
        text: the text in usual spelling.
        words: its words.
        drawn: faults that were put in; none in a sound one.
    """

    sentence: int
    text: str
    words: list[str]
    drawn: tuple[str, ...] = ()


class FaultTexts:
    """Draws sentences, and texts with faults made from them.

    Args:
        corpora: the corpora, in the order in which the n-grams were trained on them.
        seed: seed of all random draws.
    """

    def __init__(self, corpora: Sequence[Path], seed: int = 0) -> None:
        counts: Counter[str] = Counter()
        forms: dict[str, Counter[str]] = defaultdict(Counter)
        for corpus in corpora:
            for line in islice(read_lines(corpus), _COUNTED):
                counts.update(_words(line))
                for form in _cased(line):
                    forms[form.lower()][form] += 1
        self._usual = {word: found.most_common(1)[0][0] for word, found in forms.items()}
        self._damages = [Damage(counts, seed + i, shares) for i, shares in enumerate(TWINS)]
        draw = np.random.default_rng(seed)
        self.lines = [
            lines[i]
            for lines in (_usable(held_out_lines(list(corpora))), _usable(_read_lines(corpora[-1])))
            for i in draw.permutation(len(lines))
        ]
        questions = (question_of(_words(line), counts) for line in self.lines[HELD_OUT:])
        self.questions = [" ".join(question) for question in questions if question is not None]

    def texts(self, first: int, last: int, *, of_questions: bool = False) -> Iterator[list[FaultyText]]:
        """Yield each sentence from `first` to `last` with the texts made from it; the sentence is the first of them.

        Args:
            first: the number of the first sentence.
            last: the number after that of the last one.
            of_questions: count the questions that were made from the sentences, and not the sentences.
        """
        lines = self.questions if of_questions else self.lines
        for at in range(first, min(last, len(lines))):
            number, line = at + of_questions * len(self.lines), lines[at]
            words = _words(line)
            texts = [FaultyText(number, self._written(words, line), words)]
            for i, damage in enumerate(self._damages):
                damage.random.seed(number * len(self._damages) + i)
                faulty = damage(words)
                if faulty is not None:
                    texts.append(FaultyText(number, self._written(faulty, line), faulty, tuple(damage.drawn)))
            yield texts

    def _written(self, words: Words, line: str) -> str:
        """Return words with the capitals that they have in a line, or mostly in the corpora."""
        forms = {form.lower(): form for form in _cased(line)}
        return written([forms.get(word, self._usual.get(word, word)) for word in words])


def fault_labels(sound: Words, faulty: Words) -> list[int]:
    """Return the kind of fault at each place of a text, as numbers of `FAULT_KINDS`; 0 for none.

    Args:
        sound: the words of the sentence.
        faulty: the words of the text.

    >>> found = fault_labels("she has a red car .".split(), "she have red car .".split())
    >>> [FAULT_KINDS[kind] for kind in found]
    ['', 'agreement', 'missing article', '', '', '']
    """
    labels = ["" for _ in range(len(faulty) + 1)]
    for operation, i, i_end, j, j_end in _operations(sound, faulty):
        if operation == "delete":
            labels[j] = labels[j] or _kind_of_missing(sound, i, i_end)
        again = list(faulty[j:j_end]) == list(faulty[max(2 * j - j_end, 0) : j])
        for at in range(j, j_end):
            if operation == "insert":
                labels[at] = "repetition" if again else _kind_of_extra(sound, faulty, at, i)
            elif at - j < i_end - i:
                labels[at] = _kind_of_change(sound[i + at - j], faulty[at])
            else:
                labels[at] = "extra word"
        if operation == "replace" and i_end - i > j_end - j:
            labels[j_end] = labels[j_end] or _kind_of_missing(sound, i + j_end - j, i_end)
    return [FAULT_KINDS.index(label) for label in labels]


def _operations(sound: Words, faulty: Words) -> list[tuple[str, int, int, int, int]]:
    """Return the operations from one to the other; a word that only changes place is inserted, and missing nowhere."""
    found = [each for each in SequenceMatcher(None, sound, faulty, autojunk=False).get_opcodes() if each[0] != "equal"]
    inserted = {tuple(faulty[each[3] : each[4]]) for each in found if each[0] == "insert"}
    return [each for each in found if each[0] != "delete" or tuple(sound[each[1] : each[2]]) not in inserted]


def _kind_of_missing(sound: Words, i: int, i_end: int) -> str:
    missing = [word for word in sound[i:i_end] if word[0].isalpha()]
    at_an_end = i == 0 or all(not word[0].isalpha() for word in sound[i_end:])
    if at_an_end and len(missing) >= _FRAGMENT:
        return "fragment"
    if len(missing) == 1 and missing[0] in _CLOSED:
        return f"missing {_family(missing[0])}"
    return "missing word"


def _kind_of_extra(sound: Words, faulty: Words, at: int, i: int) -> str:
    word = faulty[at]
    if word in (*faulty[max(at - 1, 0) : at], *faulty[at + 1 : at + 2]):
        return "repetition"
    near = sound[max(i - 2, 0) : i + 2]
    moved = sound.count(word) == faulty.count(word) and word in near
    return "order" if moved else "extra word"


def _kind_of_change(right: str, wrong: str) -> str:
    for family, kind in ((_ARTICLES, "article"), (_PREPOSITIONS, "preposition"), (_VERBS, "agreement")):
        if right in family and wrong in family:
            return kind
    if right in _CLOSED or len(right) < _SHORTEST_FORM:
        return "word choice"
    if _looks_inflected(right, wrong):
        return "word form"
    if wrong in edits(right):
        return "spelling"
    return "word form" if right[:_COMMON_LETTERS] == wrong[:_COMMON_LETTERS] else "word choice"


def _looks_inflected(right: str, wrong: str) -> bool:
    """Tell whether two words differ in their endings alone."""
    same = 0
    while same < min(len(right), len(wrong)) and right[same] == wrong[same]:
        same += 1
    return right[same:] in _ENDINGS and wrong[same:] in _ENDINGS


def _family(word: str) -> str:
    if word in _VERBS:
        return "verb"
    return "article" if word in _ARTICLES else "preposition"


def _read_lines(corpus: Path) -> Iterator[str]:
    """Yield some of the lines that the n-grams were trained on."""
    return (line for number, line in enumerate(read_lines(corpus), start=1) if number % HELD_OUT_EVERY in _ALSO)


def _usable(lines: Iterator[str]) -> list[str]:
    return [line for line in map(str.strip, lines) if _is_usable(_words(line))]


def _is_usable(words: Words) -> bool:
    return len(words) in _LENGTHS and words[-1] in (".", "?", "!") and not _IN_PAIRS.intersection(words)


def _words(line: str) -> list[str]:
    return tokenise(WordTokeniser(), line)


def _cased(line: str) -> list[str]:
    """Return the words within a sentence that has kept its capitals; of another none."""
    if line == line.lower():
        return []
    return [word for chunk in line.split()[1:] for word in _WORD.findall(chunk)]
