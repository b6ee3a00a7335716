"""Word and sentence mover's similarity of two texts (Clark, Celikyilmaz & Smith 2019), by optimal transport.

A text is a bag of words, or of sentences, or of both, each with a vector and a weight. The mover's distance is the
least cost of moving one text's weight onto the other's, at the Euclidean distance of the vectors; the similarity is
exp(-distance). WMS moves words by their counts; SMS moves sentences, the mean of their words' vectors, by their
numbers of words; S+WMS moves both at once.
"""

from __future__ import annotations

import math
import os
import re
from collections import Counter
from collections.abc import Collection, Mapping, Sequence
from pathlib import Path

import numpy as np

from referenceless_metrics.core.files.atomic import atomic_write
from referenceless_metrics.core.support.computing import progress_bar
from referenceless_metrics.core.support.validation import Floats, InputError, check_choice, check_texts, describe

MEASURES = ("wms", "sms", "s+wms")

_SENTENCE_END = re.compile(r"(?<=[.!?])\s+")
_WORD = re.compile(r"[^\W\d_]+")

Bag = tuple[Floats, Floats]


class MoverSimilarity:
    """Mover's similarities with given word vectors.

    As in the authors' code, words are lower-cased and alphabetic, and words without a vector do not count.

    Args:
        vectors: word to vector, all of one length; `read_vectors` reads a file of them.
        measure: `wms`, `sms` or `s+wms`.
        stop_words: words that do not count, in lower case.

    Example:
        >>> vectors = {"cat": [1.0, 0.0], "dog": [0.9, 0.1], "car": [0.0, 1.0]}
        >>> mover = MoverSimilarity(vectors)
        >>> mover.similarity("A cat.", "A dog!") > mover.similarity("A cat.", "A car!")
        True
    """

    def __init__(
        self,
        vectors: Mapping[str, Sequence[float] | Floats],
        measure: str = "wms",
        stop_words: Collection[str] = (),
    ) -> None:
        check_choice(measure, "measure", MEASURES)
        if not isinstance(vectors, Mapping):
            raise TypeError(f"Expected argument `vectors` to map words to vectors, but got {describe(vectors)}")
        if not vectors:
            raise ValueError("Expected argument `vectors` to hold at least one word, but it is empty")
        self._vectors = vectors
        self._measure = measure
        self._stop_words = frozenset(stop_words)

    def similarity(self, left: str, right: str) -> float:
        """Return the similarity of two texts in [0, 1]; NaN if one has no word with a vector."""
        return _similarity(self._bag(left), self._bag(right))

    def similarities(
        self, candidates: Sequence[str], references: Sequence[str], *, progress: bool | None = None
    ) -> Floats:
        """Return the similarity of each candidate and each reference, shape (c, r); NaN as in `similarity`.

        Raises:
            TypeError: for a bare string or an item that is not a string.
        """
        left = [self._bag(text) for text in check_texts(candidates, "candidates")]
        right = [self._bag(text) for text in check_texts(references, "references")]
        out = np.empty((len(left), len(right)))
        with progress_bar(out.size, f"{self._measure}", progress, "pair") as bar:
            for row, bag in enumerate(left):
                out[row] = [_similarity(bag, other) for other in right]
                bar.update(len(right))
        return out

    def _bag(self, text: str) -> Bag:
        """Return vectors, shape (k, d), and weights that sum to 1, shape (k,)."""
        sentences = [self._words(sentence) for sentence in _SENTENCE_END.split(text)]
        sentences = [words for words in sentences if words]
        points: list[Floats] = []
        weights: list[float] = []
        if self._measure != "sms":
            for word, count in Counter(word for words in sentences for word in words).items():
                points.append(np.asarray(self._vectors[word], dtype=np.float64))
                weights.append(count)
        if self._measure != "wms":
            for words in sentences:
                points.append(np.mean([np.asarray(self._vectors[word], dtype=np.float64) for word in words], axis=0))
                weights.append(len(words))
        if not points:
            return np.zeros((0, 0)), np.zeros(0)
        weight = np.array(weights, dtype=np.float64)
        return np.stack(points), weight / weight.sum()

    def _words(self, sentence: str) -> list[str]:
        words = _WORD.findall(sentence.lower())
        return [word for word in words if word in self._vectors and word not in self._stop_words]


def _similarity(left: Bag, right: Bag) -> float:
    if not len(left[1]) or not len(right[1]):
        return math.nan
    import ot

    cost = ot.dist(left[0], right[0], metric="euclidean")
    return math.exp(-float(ot.emd2(left[1], right[1], cost)))


def read_vectors(path: str | os.PathLike[str], words: Collection[str] | None = None) -> dict[str, Floats]:
    """Read word vectors from a text file: on each line a word and its numbers, as of GloVe, word2vec and fastText.

    Args:
        path: the file, UTF-8. A first line of two whole numbers (word2vec's header) is passed over.
        words: words to keep; None for all of them. Vector files are large, and texts use few of their words.

    Raises:
        FileNotFoundError: if there is none.
        InputError: naming file and line, for a line that does not hold as many numbers as the first, or no vectors.
    """
    source = Path(path)
    vectors: dict[str, Floats] = {}
    size = 0
    with source.open(encoding="utf-8", errors="replace") as file:
        for line, text in enumerate(file, start=1):
            fields = text.rstrip("\n").rstrip(" ").split(" ")
            if line == 1 and len(fields) == 2 and all(field.isdigit() for field in fields):
                continue
            if len(fields) < 2:
                raise InputError(f"{source}:{line}: expected a word and its vector, but got {describe(text[:40])}")
            size = size or len(fields) - 1
            if len(fields) < size + 1:
                raise InputError(f"{source}:{line}: expected {size} numbers, but got {len(fields) - 1}")
            word = " ".join(fields[:-size])  # some files hold words with spaces in them
            if word in vectors or (words is not None and word not in words):
                continue
            try:
                vector = np.array(fields[-size:], dtype=np.float64)
            except ValueError:
                raise InputError(f"{source}:{line}: expected {size} numbers after the word, but got others") from None
            if not np.isfinite(vector).all():
                raise InputError(f"{source}:{line}: expected finite numbers only")
            vectors[word] = vector
    if not size:
        raise InputError(f"{source}: it holds no word vectors")
    return vectors


def write_input_embeddings(encoder: str | os.PathLike[str], path: str | os.PathLike[str]) -> None:
    """Write the input embeddings of a Transformers model, a WordPiece and its numbers a line, for `read_vectors`.

    Args:
        encoder: the model's folder.
        path: the file to write.
    """
    from transformers import AutoModel, AutoTokenizer

    pieces = AutoTokenizer.from_pretrained(encoder).get_vocab()
    rows = AutoModel.from_pretrained(encoder).get_input_embeddings().weight.detach().numpy()
    with atomic_write(path, "w") as file:
        for piece, place in sorted(pieces.items(), key=lambda item: item[1]):
            file.write(f"{piece} {' '.join(f'{number:.6f}' for number in rows[place])}\n")


def words_of(texts: Sequence[str]) -> set[str]:
    """Return the words of texts as the similarities read them, to choose vectors by."""
    return {word for text in texts for word in _WORD.findall(text.lower())}
