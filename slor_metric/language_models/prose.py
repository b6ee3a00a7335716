"""Whether a text is prose that the packaged models know: one rule for `SLOR`, `WPSLOR` and `Fluency`.

It reads the characters alone, so that all three say the same of a text, whatever their own tokens are.
"""

from __future__ import annotations

import re
import warnings
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache

import numpy as np

from referenceless_metrics.core.support import native
from referenceless_metrics.core.support.lazily import cached_property
from referenceless_metrics.core.support.normal_forms import normalise
from referenceless_metrics.core.support.validation import Booleans, Floats, Integers, Numbers, Unsigned32
from slor_metric.language_models.classes import LetterModel, packaged_classes, packaged_letters
from slor_metric.language_models.known import refused
from slor_metric.tokenizers.words import PLAIN

MOSTLY_MARKS = "mostly numbers and signs"
ONE_LETTER = "one letter or digit over and over"
FOREIGN = "another language"

#: A smaller share of words among words, numbers and signs makes a text a list of numbers or a row of signs.
_LEAST_WORDS = 1 / 3
#: A text of which at least this share of the letters and digits repeat the one before says one over and over.
_MOST_REPEATED = 0.75
#: A text with fewer words is `short`.
_SHORT = 3
#: Whether a text is English is asked of one with so many words at least.
_ENGLISH_WORDS = 6
#: A shorter text is another language where none of its words is frequent, and ln p a letter less the mean ln of its
#: words' ranks by frequency is lower. Set without any rating: it finds 38 of 62 sentences of two to five words in other
#: languages of Europe, and takes 4 of 3,189 of Wikipedia's.
_SHORT_ENGLISH, _RANK_OF_UNKNOWN = -12.4, 200_000
_FOREIGN_WORDS = 2
#: A longer text that does not look English does so yet where the same figure of its words in lower case is higher: then
#: its names do not.
_ENGLISH_BUT_FOR_NAMES = -9.75
#: So many of the most frequent words of the vocabulary are frequent.
_N_FREQUENT = 1000
#: A text is not English where ln p a letter, in nats, plus the share of frequent words, less that of unknown words is
#: lower, unless half of its words are frequent. Set without any rating: it finds 95 of 100 German, Spanish, Italian,
#: Portuguese, Czech and Polish texts of six words and more, and leaves English ones full of names.
_ENGLISH, _MOSTLY_FREQUENT = -2.75, 0.5
#: A larger share of letters beyond a to z, and than twice that of the vocabulary, is another alphabet, or another
#: language's accents.
_MOST_OTHER = 0.2
#: Where even more are, no word is needed to tell.
_MOSTLY_OTHER = 0.5
#: With fewer letters nothing is guessed.
_MIN_LETTERS = 8
#: Characters of a batch, under which there is no warning.
_MIN_BATCH = 80

#: What is counted of a text: letters and the ends of words; letters beyond a to z; words, those that the vocabulary
#: holds, and those that are frequent in it; numbers and signs; letters and digits, and those that repeat the last one.
COLUMNS = ("spelled", "others", "words", "known", "frequent", "marks", "signs", "repeated")

_WORD = re.compile(r"[^\W\d_]+")
_TYPOGRAPHIC = re.compile(f"[{re.escape(''.join(map(chr, PLAIN)))}]")
_NOT_ASCII = re.compile(r"[^\x00-\x7f]")
_NO_LETTER = re.compile(r"[^\w\x00-\x7f]")
_SIGN = "\x80"  # what stands for any sign beyond ASCII


class ForeignTextWarning(UserWarning):
    """Most of the texts that were scored are not in the language that the model knows."""


@dataclass(frozen=True)
class Prose:
    """What n texts are made of.

    Attributes:
        letters: the mean ln p of the letters of each, in nats, shape (n,); −inf for a text of which a fifth is beyond a
            to z, NaN for one with under eight letters.
        counts: how many of each of `COLUMNS`, by its name, shape (n,) each.
        looks_english: which texts look English, or like the corpus of other models, shape (n,); those with too few
            letters do. Names do not count.
        foreign: which texts are taken for another language, shape (n,).
    """

    letters: Floats
    counts: dict[str, Integers]
    looks_english: Booleans
    foreign: Booleans

    @cached_property
    def n_words(self) -> Integers:
        """The number of words of each, shape (n,)."""
        return self.counts["words"]

    @cached_property
    def unknown_share(self) -> Floats:
        """The share of unknown words of each, shape (n,); 0 without words."""
        return (self.n_words - self.counts["known"]) / np.maximum(self.n_words, 1)

    @cached_property
    def short(self) -> Booleans:
        """Which texts have one word or two, shape (n,): what is said of them is said of little."""
        return (self.n_words > 0) & (self.n_words < _SHORT)

    @property
    def columns(self) -> dict[str, Numbers]:
        """What a result shows of each text beside its score."""
        return {name: getattr(self, name) for name in ("unknown_share", "looks_english", "short")}

    def refused(self, max_unknown: float) -> dict[str, Booleans]:
        """Return which texts have no score, by the reason, shape (n,) each.

        Args:
            max_unknown: the largest share of unknown words of a text that has a score.
        """
        words, signs = self.n_words, self.counts["signs"]
        return {
            ONE_LETTER: (signs > 2) & (self.counts["repeated"] >= _MOST_REPEATED * signs),
            MOSTLY_MARKS: (words < _LEAST_WORDS * (words + self.counts["marks"])) | (signs == 1),
            **refused(self.unknown_share, max_unknown),
            FOREIGN: self.foreign,
        }

    def warn_if_foreign(self, name: str) -> None:
        """Warn once where fewer than half of the texts look English; of a few short ones nobody can tell.

        Args:
            name: the metric's.
        """
        n = len(self.letters)
        share = float(np.mean(self.looks_english)) if n else 1.0
        if share < 0.5 and int(self.counts["signs"].sum()) >= _MIN_BATCH:
            warnings.warn(
                f"{1 - share:.0%} of these {n} texts do not look like the language that {name} knows, English unless "
                "it has other models: their scores say little. Give a model of their language as `lm`",
                ForeignTextWarning,
                stacklevel=3,
            )


class ProseReader:
    """What tells prose of a language: its letters three by three, and its words.

    Args:
        letters: the trigrams of letters.
        vocabulary: the words, lower-cased, by falling frequency.

    >>> found = packaged_prose().read(["The cat sat on the mat.", "Xq zzvv bkkz fhgw qwx zzt."])
    >>> found.looks_english.tolist(), found.unknown_share.tolist()
    ([True, False], [0.0, 1.0])
    """

    def __init__(self, letters: LetterModel, vocabulary: Sequence[str]) -> None:
        joined = _plain("\n".join(vocabulary))
        self._logprobs = letters.logprobs
        self._vocabulary = vocabulary
        self._most_other = max(_MOST_OTHER, 2 * len(_NOT_ASCII.findall(joined)) / len(joined))
        points = _code_points(joined)
        parting = (points < ord("a")) | (points > ord("z")) & (points < 0xAA)  # what is no letter in lower case
        n_words = 1 + int(np.count_nonzero(parting))  # at most
        self._table = np.zeros(1 << (2 * n_words + 1).bit_length(), dtype=np.int64)
        self._seed = native.SEED  # of the table
        native.call("index_words", points, _N_FREQUENT, self._seed, self._table)

    def read(self, texts: Sequence[str]) -> Prose:
        """Return what texts are made of."""
        letters, counts = self._count(texts)
        looks_english, words = _looks_english(letters, counts), counts["words"]
        foreign = ~looks_english & (words >= _ENGLISH_WORDS)
        brief = (words >= _FOREIGN_WORDS) & (words < _ENGLISH_WORDS) & (counts["frequent"] == 0)
        doubtful = np.flatnonzero(foreign | brief)
        without_names = [_without_names(texts[i]) for i in doubtful.tolist()]
        of_rest, counts_of_rest = self._count(without_names)
        likelihoods = of_rest - self._mean_log_ranks(without_names)
        enough = counts_of_rest["words"] >= _FOREIGN_WORDS
        full_of_names = foreign[doubtful] & enough & (likelihoods > _ENGLISH_BUT_FOR_NAMES)
        looks_english[doubtful[full_of_names]] = True
        foreign[doubtful] = ~full_of_names & (foreign[doubtful] | enough & (likelihoods < _SHORT_ENGLISH))
        foreign |= counts["others"] > _MOSTLY_OTHER * np.maximum(counts["spelled"], 1)
        return Prose(letters, counts, looks_english & ~foreign, foreign)

    @cached_property
    def _ranks(self) -> dict[str, int]:
        return {word: rank for rank, word in enumerate(self._vocabulary)}

    def _mean_log_ranks(self, texts: Sequence[str]) -> Floats:
        """Return the mean ln of the ranks by frequency of the words of each text, shape (n,)."""
        ranks = ([self._ranks.get(word.lower(), _RANK_OF_UNKNOWN) for word in _WORD.findall(text)] for text in texts)
        return np.array([np.mean(np.log(np.add(of_text or [_RANK_OF_UNKNOWN], 100.0))) for of_text in ranks])

    def _count(self, texts: Sequence[str]) -> tuple[Floats, dict[str, Integers]]:
        """Return the letters and the counts of texts, as `Prose` has them."""
        joined, plain = "".join(texts), texts
        points: Numbers
        if joined.isascii():
            points = np.frombuffer(joined.encode("ascii"), dtype=np.uint8)
        else:  # text by text: a letter's lower case can be two
            plain = [text if text.isascii() else _plain(text) for text in texts]
            points = _code_points("".join(plain))
        lengths = np.fromiter(map(len, plain), np.int64, len(texts))
        sums, counts = np.zeros(len(texts)), np.zeros((len(texts), len(COLUMNS)), np.int64)
        table = self._table, self._seed
        native.call("count_characters", points.view(np.uint8), lengths, self._logprobs, *table, sums, counts)
        letters, (sizes, others) = np.full(len(texts), np.nan), counts[:, :2].T
        np.divide(sums, sizes, out=letters, where=sizes >= _MIN_LETTERS)
        letters[others > np.maximum(self._most_other * sizes, 1)] = -np.inf
        return letters, dict(zip(COLUMNS, counts.T, strict=True))


def _looks_english(letters: Floats, counts: dict[str, Integers]) -> Booleans:
    n_words = np.maximum(counts["words"], 1)
    frequent, unknown = counts["frequent"] / n_words, (counts["words"] - counts["known"]) / n_words
    return (frequent >= _MOSTLY_FREQUENT) | ~(letters + frequent - unknown < _ENGLISH)


def _without_names(text: str) -> str:
    """Return a text without words that have a capital or a digit, but for a capital that begins the text.

    >>> _without_names("Anna Kowalczyk and GPT-4 met in Szczecin.")
    'Anna and met in'
    """
    return " ".join(word for i, word in enumerate(text.split()) if word.islower() or (i == 0 and word[1:].islower()))


def _plain(text: str) -> str:
    """Return a text in lower case, with plain quotes and one sign for all signs beyond ASCII."""
    lower = normalise("NFC", text).lower()
    if _TYPOGRAPHIC.search(lower):
        lower = lower.translate(PLAIN)
    return _NO_LETTER.sub(lambda match: " " if match.group().isspace() else _SIGN, lower)


def _code_points(text: str) -> Unsigned32:
    return np.frombuffer(text.encode("utf-32-le", "surrogatepass"), dtype=np.uint32)


@cache
def packaged_prose(folder: str | None = None) -> ProseReader:
    """Return the reader of the packaged letters and words, or of a folder's; a second call gives the same object."""
    return ProseReader(packaged_letters(folder), packaged_classes(folder).words)
