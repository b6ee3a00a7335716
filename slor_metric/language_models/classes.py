"""Word classes: frequent words as themselves, all others by the words that they stand beside.

A model over classes knows that "the" is followed by some noun: it sees grammar; a model over words sees only rare words
(Brown et al. 1992 for the idea of a class model).

Counts of letter trigrams, which tell a text's language: made from the words of a corpus and their counts.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache

import numpy as np

from referenceless_metrics.core.files.archive import STRINGS, Array, Schema
from referenceless_metrics.core.files.archived import Archived
from referenceless_metrics.core.files.packed_strings import PackedStrings, unpack_lines
from referenceless_metrics.core.support.lazily import cached_property
from referenceless_metrics.core.support.validation import Integers32, Numbers, Unsigned8
from slor_metric.language_models.base import packaged_file
from slor_metric.language_models.ngram.model import NgramLanguageModel

SPACE, OTHER, SIZE = 0, 27, 28
"""Numbers of the signs of a text: the separator of words; any letter beyond a to z (1 to 26); the number of signs."""


class LetterModel(Archived):
    """Trigrams of letters: the probability of each letter of a text after the two before it.

    All signs but the letters a to z are one sign inside words; digits, punctuation and spaces part words.

    Args:
        logprobs: ln p of each letter given the two before it, shape (SIZE³,), in nats; a file has 16 bits each.
    """

    SCHEMA = Schema("letters", 1, "letters", {"logprobs": Array("<f2", (SIZE**3,), least=-1e4, most=0)})

    def __init__(self, logprobs: Numbers) -> None:
        self.logprobs = logprobs.astype(float)


@cache
def packaged_letters(folder: str | None = None) -> LetterModel:
    """Load the model that comes with the package, or that of a folder; a second call gives the same object."""
    return LetterModel.load(packaged_file("letters.safetensors", folder))


class WordClasses(Archived):
    """The class of each word of a vocabulary.

    Args:
        words: the vocabulary by falling frequency, lower-cased.
        classes: the class of each, shape (len(words),), from 0.

    Attributes:
        packed: the words as bytes.
        n_classes: the number of classes.

    Raises:
        ValueError: for unequal lengths.
    """

    SCHEMA = Schema("word classes", 1, "word classes", {"words": STRINGS, "classes": Array("<u2", ("n",))})

    def __init__(self, words: Sequence[str], classes: Numbers) -> None:
        self.packed = PackedStrings.of(words)
        self.classes: Integers32 = np.asarray(classes, dtype=np.int32)
        if self.classes.shape != (len(words),) or not len(words):
            raise ValueError(
                f"Expected argument `classes` to have one value for each of the {len(words)} words, "
                f"but got shape {self.classes.shape}"
            )
        self.n_classes = int(self.classes.max()) + 1

    @staticmethod
    def _unpacked(packed: Unsigned8) -> PackedStrings:
        return unpack_lines(packed)

    @cached_property
    def words(self) -> list[str]:
        """The words."""
        return self.packed[:]

    @cached_property
    def ids(self) -> dict[str, int]:
        """The place of each word in the vocabulary."""
        return {word: i for i, word in enumerate(self.words)}

    def __len__(self) -> int:
        return len(self.packed)


@cache
def packaged_classes(folder: str | None = None) -> WordClasses:
    """Load the classes that come with the package, or those of a folder; a second call gives the same object."""
    return WordClasses.load(packaged_file("word_classes.safetensors", folder))


@cache
def packaged_class_model(folder: str | None = None) -> NgramLanguageModel:
    """Load the 5-gram model over these classes that comes with the package, or that of a folder.

    Its words are ``c0``, ``c1``, …; ``<unk>`` stands for words without a class.
    """
    return NgramLanguageModel._read(packaged_file("class_ngrams.safetensors", folder), verified=folder is None)
