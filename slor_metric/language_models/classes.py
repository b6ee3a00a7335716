"""Word classes: frequent words as themselves, all others by the words that they stand beside.

A model over classes knows that "the" is followed by a noun, whichever: it sees grammar where a model over words sees
rare words only (Brown et al. 1992 for the idea of a class model).
"""

from __future__ import annotations

import os
from functools import cache
from typing import Any

import numpy as np
from numpy.typing import NDArray

from metric_commons.files.archive import (
    STRINGS,
    Array,
    Schema,
    pack_strings,
    read_archive,
    reading,
    unpack_strings,
    write_archive,
)
from slor_metric.language_models.base import packaged_file
from slor_metric.language_models.ngram.model import NgramLanguageModel

_SCHEMA = Schema("word classes", 1, "word classes", arrays={"words": STRINGS, "classes": Array("<u2", ("n",))})


class WordClasses:
    """The class of each word of a vocabulary.

    Args:
        words: the vocabulary by falling frequency, lower-cased.
        classes: the class of each, shape (len(words),), from 0.

    Attributes:
        n_classes: how many there are.

    Raises:
        ValueError: for unequal lengths.
    """

    def __init__(self, words: list[str], classes: NDArray[Any]) -> None:
        self.words = words
        self.classes: NDArray[np.int32] = np.asarray(classes, dtype=np.int32)
        if self.classes.shape != (len(words),) or not len(words):
            raise ValueError(
                f"Expected argument `classes` to have one value for each of the {len(words)} words, "
                f"but got shape {self.classes.shape}"
            )
        self.ids = {word: i for i, word in enumerate(words)}
        self.n_classes = int(self.classes.max()) + 1

    def __len__(self) -> int:
        return len(self.words)

    def save(self, path: str | os.PathLike[str]) -> None:
        """Write words and classes to an ``.npz`` file, atomically."""
        arrays: dict[str, NDArray[Any]] = {"words": pack_strings(self.words), "classes": self.classes.astype("<u2")}
        write_archive(path, _SCHEMA, {}, arrays)

    @classmethod
    def load(cls, path: str | os.PathLike[str]) -> WordClasses:
        """Read what `save` wrote.

        Raises:
            FileNotFoundError: where there is no such file.
            ValueError: for a truncated, damaged or foreign file, or one of a later version.
        """
        _, arrays = read_archive(path, _SCHEMA)
        with reading(path, _SCHEMA):
            return cls(unpack_strings(arrays["words"]), arrays["classes"])


@cache
def packaged_classes() -> WordClasses:
    """Load the classes that come with the package; a second call gives the same object."""
    return WordClasses.load(packaged_file("word_classes.npz"))


@cache
def packaged_class_model() -> NgramLanguageModel:
    """Load the 5-gram model over these classes that comes with the package.

    Its words are ``c0``, ``c1``, …; ``<unk>`` stands for words without a class.
    """
    return NgramLanguageModel.load(packaged_file("class_ngrams.npz"))
