"""The language that a text may be in beside that of a vocabulary, by its function words.

Words are counted by `native/function_words.cpp`.
"""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Sequence

import numpy as np

from referenceless_metrics.core.support import native
from referenceless_metrics.core.support.validation import Integers, Unsigned32
from slor_metric.language_models.function_words import FUNCTION_WORDS

#: Number of most frequent words of the vocabulary; function words of a language among them are shared with it.
_N_SHARED = 500
#: Number of most frequent words of the vocabulary beyond which words are rare.
_N_KNOWN_WELL = 15_000
#: Largest share of function words that another language shares with the vocabulary; a language beyond it is its own.
_MOST_SHARED = 0.5
#: Bits of a word's properties beside those of its languages, which are counted from 0.
_FREQUENT, _KNOWN_WELL, _SHARED = 1 << 60, 1 << 61, 1 << 62

_LAST_OF_ASCII = 0x7F

#: A word of a text.
WORD = re.compile(r"[^\W\d_]+")


class FunctionWordCounter:
    """Counts function words of other languages in texts.

    Args:
        vocabulary: the words of the models' language, lower-cased, by falling frequency.
        n_frequent: the number of most frequent words that count as frequent.
    """

    def __init__(self, vocabulary: Sequence[str], n_frequent: int) -> None:
        most_frequent = frozenset(vocabulary[:_N_SHARED])
        properties: defaultdict[str, int] = defaultdict(int)
        for language, listed in enumerate(FUNCTION_WORDS.values()):
            words = frozenset(WORD.findall(listed))
            if len(words & most_frequent) <= _MOST_SHARED * len(words):
                for word in words:
                    properties[word] |= 1 << language
        for word in most_frequent & properties.keys():
            properties[word] |= _SHARED
        self._of_others = _properties_of_rank(len(vocabulary), n_frequent)
        known_well = vocabulary[:_N_KNOWN_WELL]
        for word in properties.keys() - frozenset(known_well):
            properties[word] |= self._of_others
        for word in known_well:
            properties[word] |= _KNOWN_WELL
        for word in vocabulary[:n_frequent]:
            properties[word] |= _FREQUENT
        points, begins = _in_lower_case(list(properties))
        self._table = np.zeros((1 << (2 * len(properties)).bit_length(), 2), dtype=np.uint64)
        self._seed = native.SEED  # of the table
        of_words = np.array(list(properties.values()), dtype=np.uint64)
        native.call("index_function_words", points, begins, of_words, self._seed, self._table)

    def count(self, texts: Sequence[str], unnamed: Sequence[str]) -> Integers:
        """Count the function words of the other language that explains each text best.

        Args:
            texts: n texts.
            unnamed: the texts without names.

        Returns:
            Shape (n, 4): the function words that the vocabulary does not share; those that it shares; the frequent
            words of the vocabulary that are none of them, names left out; and the rare words, names left out.
        """
        counts = np.empty((len(texts), 4), dtype=np.int64)
        arrays = *_in_lower_case(texts), *_in_lower_case(unnamed)
        native.call("count_function_words", *arrays, self._table, self._seed, self._of_others, counts)
        return counts


def _properties_of_rank(rank: int, n_frequent: int) -> int:
    """Return the properties that a word has by its place in the vocabulary."""
    if rank >= _N_KNOWN_WELL:
        return 0
    return _KNOWN_WELL | (_FREQUENT if rank < n_frequent else 0)


def code_points(text: str) -> Unsigned32:
    """Return the code points of a text, shape (n,); a half of a surrogate pair is one."""
    return np.frombuffer(text.encode("utf-32-le", "surrogatepass"), dtype=np.uint32)


def distinct(points: Unsigned32) -> list[int]:
    """Return the code points that occur, ascending."""
    occurs = np.zeros(int(points.max(initial=0)) + 1, dtype=bool)
    occurs[points] = True
    return np.flatnonzero(occurs).tolist()


def _in_lower_case(texts: Sequence[str]) -> tuple[Unsigned32, Integers]:
    """Return the code points of texts in lower case after one another, and the index of each text's first one.

    Spaces stand in place of characters beyond ASCII that are no letters.
    """
    lower = [text.lower() for text in texts]
    points = code_points("".join(lower))
    occurring = distinct(points)
    signs = [point for point in occurring if point > _LAST_OF_ASCII and not WORD.match(chr(point))]
    if signs:
        plain = np.arange(occurring[-1] + 1, dtype=np.uint32)
        plain[signs] = ord(" ")
        points = plain[points]
    return points, np.append(0, np.cumsum(np.fromiter(map(len, lower), np.int64, len(lower))))
