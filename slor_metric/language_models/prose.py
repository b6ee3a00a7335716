"""Whether a text is prose that the packaged models know: one rule for `SLOR`, `WPSLOR` and `Fluency`.

It reads the characters alone, so that all three judge a text alike, whatever their own tokens are.
"""

from __future__ import annotations

import re
import warnings
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache

import numpy as np

from referenceless_metrics.core.files.packed_strings import PackedStrings
from referenceless_metrics.core.support import native
from referenceless_metrics.core.support.lazily import cached_property
from referenceless_metrics.core.support.normal_forms import normalise
from referenceless_metrics.core.support.validation import Booleans, Floats, Integers32, Numbers, Unsigned32
from slor_metric.language_models.classes import LetterModel, packaged_classes, packaged_letters
from slor_metric.language_models.known import refused
from slor_metric.language_models.other_languages import FunctionWordCounter, code_points, distinct
from slor_metric.tokenizers.encoder import ChunkCache, JoinedTexts
from slor_metric.tokenizers.words import PLAIN

MOSTLY_MARKS = "mostly numbers and signs"
TOO_SHORT = "too short to judge"
ONE_LETTER = "one letter or digit over and over"
FOREIGN = "another language"

#: Least share of words among words, numbers and signs; below it a text is a list of numbers or a row of signs.
_LEAST_WORDS = 1 / 3
#: Most letters of a text of one word, such as "I" or "OK", that is too short to judge.
_TOO_FEW_LETTERS = 2
#: Least share of letters and digits that repeat the one before, for a text that says one over and over.
_MOST_REPEATED = 0.75
#: Number of words below which a text is `short`.
_SHORT = 3
#: Number of most frequent words of the vocabulary that count as frequent.
_N_FREQUENT = 1000
#: A text is doubtful if ln p per letter in nats + share of frequent words − share of unknown words is below the first
#: number, unless its share of frequent words is above the second.
_DOUBTFUL, _MOST_FREQUENT = -2.1, 0.5
#: Fewest words of a doubtful text that may be another language: it is if the sum of its counts, each times its
#: weight, is above a limit. A logistic regression set the weights, on sentences of 3 to 14 words of half of 384
#: languages in Latin letters (the Universal Declaration of Human Rights), on sayings and jokes in eight languages, and
#: on English sentences of 2 to 14 words, as they are and without their function words, as headlines are.
_FOREIGN_WORDS = 2
_FOREIGN_WEIGHTS = {
    "letters": -2.8,
    "known_in_lower_case": -4.7,
    "one_word": -1.8,
    "own": 5.6,
    "shared": 6.6,
    "english": -2.3,
    "rare": 6.7,
    "nothing_english": 2.3,
    "two_own": 0.8,
}
_FOREIGN_CONSTANT = -9.0
#: Addition to that limit for a text without a function word of its own language: a list of rare words may be English.
_WITHOUT_OWN = 1.5
#: Value in place of ln p per letter for a text with too few letters, and the least value that counts.
_LETTERS_UNKNOWN, _LETTERS_LEAST = -2.5, -5.0
#: Largest share of letters beyond a to z, unless the vocabulary has half as many; more is another alphabet, or another
#: language's accents.
_MOST_OTHER = 0.2
#: If more than this share are such letters, no word is needed to tell.
_MOSTLY_OTHER = 0.5
#: Fewest letters from which a language is guessed.
_MIN_LETTERS = 8
#: Fewest characters of a batch for a warning.
_MIN_BATCH = 80

#: Counts of a text: letters and the ends of words; letters beyond a to z; words, those that the vocabulary
#: holds, and those that are frequent in it; numbers and signs; letters and digits, and those that repeat the last one.
COLUMNS = ("spelled", "others", "words", "known", "frequent", "marks", "signs", "repeated")
#: Those that are read once it is known which texts look foreign.
_KEPT = ("words", "known", "marks", "signs", "repeated")

_TYPOGRAPHIC = re.compile(f"[{re.escape(''.join(map(chr, PLAIN)))}]")
_LAST_OF_ASCII = 0x7F
_NO_LETTER = re.compile(r"[^\w\x00-\x7f]")
_SIGN = "\x80"  # stands for any sign beyond ASCII


class ForeignTextWarning(UserWarning):
    """Most of the texts that were scored are not in the language that the model knows."""


@dataclass(frozen=True)
class Prose:
    """Parts of n texts.

    Attributes:
        letters: the mean ln p of the letters of each, in nats, shape (n,); −inf for a text of which a fifth is beyond a
            to z, NaN for one with under eight letters.
        counts: words, known words, numbers and signs, letters and digits, and those that repeat the last one, by their
            names in `COLUMNS`, shape (n,) each.
        looks_english: False for texts that are taken for another language, shape (n,).
        foreign: True for texts that are taken for another language, shape (n,).
    """

    letters: Floats
    counts: dict[str, Integers32]
    looks_english: Booleans
    foreign: Booleans

    @cached_property
    def n_words(self) -> Integers32:
        """The number of words of each, shape (n,)."""
        return self.counts["words"]

    @cached_property
    def unknown_share(self) -> Floats:
        """The share of unknown words of each, shape (n,); 0 without words."""
        return (self.n_words - self.counts["known"]) / np.maximum(self.n_words, 1)

    @cached_property
    def short(self) -> Booleans:
        """Mask of the texts of one word or two, shape (n,): a score of them rests on little."""
        return (self.n_words > 0) & (self.n_words < _SHORT)

    @property
    def columns(self) -> dict[str, Numbers]:
        """Columns of a result about each text, beside its score."""
        return {name: getattr(self, name) for name in ("unknown_share", "looks_english", "short")}

    def refused(self, max_unknown: float) -> dict[str, Booleans]:
        """Return which texts have no score, by the reason, shape (n,) each.

        Args:
            max_unknown: the largest share of unknown words of a text that has a score.
        """
        words, signs = self.n_words, self.counts["signs"]
        return {
            ONE_LETTER: (signs > 2) & (self.counts["repeated"] >= _MOST_REPEATED * signs),
            TOO_SHORT: (words == 1) & (signs <= _TOO_FEW_LETTERS),
            MOSTLY_MARKS: words < _LEAST_WORDS * (words + self.counts["marks"]),
            **refused(self.unknown_share, max_unknown),
            FOREIGN: self.foreign,
        }

    @property
    def are_foreign(self) -> bool:
        """Whether fewer than half of the texts look English; a few short texts are not enough to tell."""
        is_enough = int(self.counts["signs"].sum()) >= _MIN_BATCH
        return is_enough and float(np.mean(self.looks_english)) < 0.5

    def warn_if_foreign(self, name: str) -> None:
        """Warn once if fewer than half of the texts look English; a few short texts are not enough to tell.

        Args:
            name: the metric's name.
        """
        if self.are_foreign:
            share = float(np.mean(~self.looks_english))
            warnings.warn(
                f"{share:.0%} of these {len(self.letters)} texts do not look like the language that {name} knows, "
                "English unless it has other models: their scores say little. Give a model of their language, which "
                "`referenceless train` makes (`lm` or --lm; of Fluency `models` or --models)",
                ForeignTextWarning,
                stacklevel=3,
            )


class ProseReader:
    """Statistics that tell prose of a language: its letters three by three, and its words.

    Args:
        letters: the trigrams of letters.
        vocabulary: the words, lower-cased, by falling frequency.

    >>> found = packaged_prose().read(["The cat sat on the mat.", "Xq zzvv bkkz fhgw qwx zzt."])
    >>> found.looks_english.tolist(), found.unknown_share.tolist()
    ([True, False], [0.0, 1.0])
    """

    def __init__(self, letters: LetterModel, vocabulary: Sequence[str]) -> None:
        points = _plain_points(code_points(PackedStrings.of(vocabulary).joined))
        self._logprobs = letters.logprobs
        self._vocabulary = vocabulary
        self._most_other = max(_MOST_OTHER, 2 * int(np.count_nonzero(points > _LAST_OF_ASCII)) / len(points))
        parting = (points < ord("a")) | (points > ord("z")) & (points < 0xAA)  # characters that are no small letter
        n_words = 1 + int(np.count_nonzero(parting))  # at most
        self._table = np.zeros(1 << (2 * n_words + 1).bit_length(), dtype=np.int64)
        self._seed = native.SEED  # of the table
        native.call("index_words", points, _N_FREQUENT, self._seed, self._table)

    def read(self, texts: Sequence[str]) -> Prose:
        """Return counts and other properties of texts."""
        letters, counts = self._count(texts)
        n_words = np.maximum(counts["words"], 1)
        foreign = counts["others"] > _MOSTLY_OTHER * np.maximum(counts["spelled"], 1)
        likely = _bounded(letters) + (counts["frequent"] - counts["words"] + counts["known"]) / n_words
        few_frequent = counts["frequent"] <= _MOST_FREQUENT * counts["words"]
        doubtful = np.flatnonzero((counts["words"] >= _FOREIGN_WORDS) & (likely < _DOUBTFUL) & few_frequent)
        of_doubtful = {name: values[doubtful] for name, values in counts.items()}
        looks_foreign = self._looks_foreign([texts[i] for i in doubtful.tolist()], letters[doubtful], of_doubtful)
        foreign[doubtful] |= looks_foreign
        return Prose(letters, {name: counts[name] for name in _KEPT}, ~foreign, foreign)

    def _looks_foreign(self, texts: Sequence[str], letters: Floats, counts: dict[str, Integers32]) -> Booleans:
        """Return True for texts in another language; names in them count less than the words in lower case."""
        lower = [text.lower() if text.isupper() else _without_names(text) for text in texts]
        in_lower = self._count(lower)[1]
        own, shared, english, rare = self._function_words.count(texts, lower).T
        n_words, n_lower = np.maximum(counts["words"], 1), np.maximum(in_lower["words"], 1)
        counted = {
            "letters": _bounded(letters),
            "known_in_lower_case": in_lower["known"] / n_lower,
            "one_word": 1 / n_words,
            "own": own / n_words,
            "shared": shared / n_words,
            "english": english / n_words,
            "rare": rare / n_words,
            "nothing_english": (own + shared > 1) & (english == 0),
            "two_own": own > 1,
        }
        scores = np.full(len(texts), _FOREIGN_CONSTANT)
        for name, weight in _FOREIGN_WEIGHTS.items():
            scores += weight * counted[name]
        return np.asarray(scores > np.where(own > 0, 0.0, _WITHOUT_OWN))

    @cached_property
    def _function_words(self) -> FunctionWordCounter:
        return FunctionWordCounter(self._vocabulary, _N_FREQUENT)

    @cached_property
    def _chunks(self) -> ChunkCache:
        return ChunkCache.of_numbers(lambda chunks: [list(map(ord, _plain(chunk))) for chunk in chunks])

    def _count(self, texts: Sequence[str]) -> tuple[Floats, dict[str, Integers32]]:
        """Return the letters and the counts of texts, as `Prose` has them."""
        parted = JoinedTexts.of(texts).plain
        sums, counts = np.empty(len(texts)), np.empty((len(texts), len(COLUMNS)), np.int64)
        table = self._table, self._seed
        others = self._chunks.encode(parted.others)
        native.call("count_characters", parted.characters, parted.lengths, others, self._logprobs, *table, sums, counts)
        counts = counts.T.astype(np.int32, order="C")
        letters, (sizes, n_beyond) = np.full(len(texts), np.nan), counts[:2]
        np.divide(sums, sizes, out=letters, where=sizes >= _MIN_LETTERS)
        letters[n_beyond > np.maximum(self._most_other * sizes, 1)] = -np.inf
        return letters, dict(zip(COLUMNS, counts, strict=True))


def _bounded(letters: Floats) -> Floats:
    """Return ln p per letter, with a middling number for texts of which it is not known."""
    return np.maximum(np.nan_to_num(letters, nan=_LETTERS_UNKNOWN, neginf=_LETTERS_LEAST), _LETTERS_LEAST)


def _without_names(text: str) -> str:
    """Return a text without words that have a capital or a digit, but for a capital that begins the text.

    >>> _without_names("Anna Kowalczyk and GPT-4 met in Szczecin.")
    'Anna and met in'
    """
    words = text.split()
    if not words:
        return ""
    first = words[0]
    kept = list(filter(str.islower, words[1:]))
    return " ".join([first, *kept] if first.islower() or first[1:].islower() else kept)


def _plain_points(points: Unsigned32) -> Unsigned32:
    """Return the code points of words in lower case, each as `_plain` writes it, or a sign for one of several."""
    occurring = distinct(points)
    plain = np.arange(occurring[-1] + 1, dtype=np.uint32)
    others = [point for point in occurring if point > _LAST_OF_ASCII]
    if others:
        written = _plain("\n".join(map(chr, others))).split("\n")
        plain[others] = [ord(each if len(each) == 1 else _SIGN) for each in written]
    return plain[points]


def _plain(text: str) -> str:
    """Return a text in lower case, with plain quotes and one sign for all signs beyond ASCII."""
    lower = normalise("NFC", text).lower()
    plain = _TYPOGRAPHIC.sub(lambda match: PLAIN[ord(match.group())] or "", lower)
    return _NO_LETTER.sub(lambda match: " " if match.group().isspace() else _SIGN, plain)


@cache
def packaged_prose(folder: str | None = None) -> ProseReader:
    """Return the reader of the packaged letters and words, or of a folder's; a second call gives the same object."""
    return ProseReader(packaged_letters(folder), packaged_classes(folder).packed)
