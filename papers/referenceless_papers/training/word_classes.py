"""Making word classes and the n-gram model over them from a corpus.

Words that stand beside the same words have the same class: each word's neighbour counts, to the left and to the right,
become a point on the unit sphere (square roots of the shares: Hellinger's distance), a singular value decomposition
keeps its main directions, and spherical k-means (Dhillon & Modha 2001) groups the points.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import asdict, dataclass
from itertools import islice
from pathlib import Path

import numpy as np

from referenceless_metrics.core.support.validation import (
    Floats,
    Floats32,
    InputError,
    Integers,
    PathName,
    Record,
    Unsigned32,
)
from slor_metric.language_models.classes import OTHER, SIZE, SPACE, LetterModel, WordClasses
from slor_metric.language_models.ngram.model import NgramLanguageModel
from slor_metric.language_models.ngram.training import EncodedCorpus, encode_corpus, estimate_model, train_ngram
from slor_metric.language_models.unigram import Corpus, read_lines
from slor_metric.tokenizers.words import BOS, EOS, SPECIALS, get_tokeniser


@dataclass(frozen=True)
class ClassRecipe:
    """Settings with which the packaged class model is made.

    Attributes:
        min_count: rarer words have no class.
        n_frequent: number of the most frequent words that are classes of their own.
        n_clusters: the number of classes of all other words.
        n_neighbours: number of the most frequent words that count as neighbours.
        n_dimensions: the directions that the decomposition keeps.
        n_rounds: rounds of k-means.
        order: the length of the longest n-grams of classes.
        prune: for each order, the count up to which n-grams are dropped.
        max_ngrams: number of n-grams of orders 2 and up that are kept.
    """

    min_count: int = 10
    n_frequent: int = 200
    n_clusters: int = 200
    n_neighbours: int = 1000
    n_dimensions: int = 60
    n_rounds: int = 25
    order: int = 5
    prune: tuple[int, ...] = (0, 0, 0, 1, 2)
    max_ngrams: int = 500_000


CLASS_RECIPE = ClassRecipe()
HELD_OUT_EVERY = 100
"""Distance of the lines of the corpus that take no part in training."""
#: The files that `train_class_model` writes.
CLASS_FILES = ("word_classes.safetensors", "class_ngrams.safetensors", "letters.safetensors")
_OF_BOTH: Record = {"order": 4, "prune": (0, 0, 1, 1)}
#: The options with which `train_ngram` makes the models over pieces and words.
NGRAMS = {
    "wordpiece": _OF_BOTH | {"tokenizer": "wordpiece", "vocab_size": 8000, "max_ngrams": 3_300_000},
    "word": _OF_BOTH | {"tokenizer": "words", "vocab_size": 30000, "max_ngrams": 3_400_000},
}


def training_lines(corpus: Corpus) -> Iterator[str]:
    """Yield the lines that are not held out."""
    return (line for number, line in enumerate(read_lines(corpus), start=1) if number % HELD_OUT_EVERY)


def held_out_lines(corpus: Corpus) -> Iterator[str]:
    """Yield the lines that are held out."""
    return islice(read_lines(corpus), HELD_OUT_EVERY - 1, None, HELD_OUT_EVERY)


def train_ngrams(
    corpus: Corpus, folder: Path, language: str | None = None, *, progress: bool | None = None
) -> dict[str, NgramLanguageModel]:
    """Train the models over pieces and words, `wordpiece.safetensors` and `word.safetensors`, by name.

    Args:
        corpus: a path of UTF-8 text, one sentence per line, a list of paths, or lines; read once for each model, so no
            generator.
        folder: folder of the models.
        language: the code of the corpus's language, which the models remember.
        progress: show progress bars; None: on a terminal.

    Raises:
        InputError: for a corpus that cannot be read.
    """
    return {
        name: train_ngram(
            training_lines(corpus), folder / f"{name}.safetensors", language=language, progress=progress, **options
        )
        for name, options in NGRAMS.items()
    }


def train_class_model(
    corpus: Corpus,
    out_dir: PathName,
    recipe: ClassRecipe = CLASS_RECIPE,
    *,
    progress: bool | None = None,
) -> Record:
    """Train the classes and the model over them; every 100th line of the corpus is left out.

    Args:
        corpus: a path of UTF-8 text, one sentence per line, or lines.
        out_dir: the folder for `CLASS_FILES`; made if it is missing.
        recipe: the options.
        progress: show progress bars; None: on a terminal.

    Returns:
        The recipe, the files' sizes in bytes, the words with a class, and the n-grams by order.

    Raises:
        InputError: for a corpus that cannot be read, or that holds too few words for the recipe.
    """
    folder = Path(out_dir)
    folder.mkdir(parents=True, exist_ok=True)
    encoded = encode_corpus(training_lines(corpus), "words", None, progress=progress)
    classes = train_classes(encoded, recipe)
    classes.save(folder / "word_classes.safetensors")
    counts = np.bincount(encoded.ids)[len(SPECIALS) :].tolist()
    train_letters({word: n for word, n in zip(classes.words, counts, strict=False) if word.isalpha()}).save(
        folder / "letters.safetensors"
    )
    by_id = np.zeros(len(encoded.tokens), dtype=np.uint32)
    by_id[[BOS, EOS]] = BOS, EOS
    n_words = len(classes)
    by_id[len(SPECIALS) : len(SPECIALS) + n_words] = classes.classes + len(SPECIALS)
    names = [*SPECIALS, *(f"c{i}" for i in range(classes.n_classes))]
    of_classes = EncodedCorpus(by_id[encoded.ids], names, get_tokeniser("whitespace"))
    model = estimate_model(of_classes, recipe.order, recipe.prune, recipe.max_ngrams, progress=progress)
    model.save(folder / "class_ngrams.safetensors")
    return {
        **asdict(recipe),
        "bytes": {path: (folder / path).stat().st_size for path in CLASS_FILES},
        "words": n_words,
        "ngrams": list(model.trie.sizes),
    }


def train_letters(words: Mapping[str, int]) -> LetterModel:
    """Estimate trigrams of letters from words with their counts; each trigram is seen once more than it was.

    >>> float(train_letters({"the": 10}).logprobs.max().round(3))  # "the " after "t" and "h": 11 of 38
    -1.24
    """
    table = np.ones((SIZE, SIZE, SIZE))
    for word, count in words.items():
        first, second = SPACE, SPACE
        for sign in word.lower() + " ":
            code = ord(sign) - ord("a") + 1 if "a" <= sign <= "z" else OTHER if sign >= "\xaa" else SPACE
            if code != SPACE or second != SPACE:  # a space counts if it ends a word, and hides the letters before
                table[first if second != SPACE else SPACE, second, code] += count
            first, second = second, code
    return LetterModel(np.log(table / table.sum(axis=2, keepdims=True)).ravel())


def train_classes(encoded: EncodedCorpus, recipe: ClassRecipe = CLASS_RECIPE) -> WordClasses:
    """Group the words of a corpus.

    Raises:
        InputError: if fewer words are frequent enough than there are to be classes.
    """
    counts = np.bincount(encoded.ids, minlength=len(encoded.tokens))
    first = len(SPECIALS)
    n_words = int(np.count_nonzero(counts[first:] >= recipe.min_count))  # the vocabulary is sorted by count
    if n_words < recipe.n_frequent + recipe.n_clusters:
        raise InputError(
            f"the corpus is too small for these classes: {n_words} words occur {recipe.min_count} times, and "
            f"{recipe.n_frequent + recipe.n_clusters} are needed"
        )
    vectors = neighbour_vectors(encoded.ids, n_words, recipe.n_neighbours, recipe.n_dimensions)
    weights = np.sqrt(counts[first : first + n_words])
    of_rest = cluster(vectors[recipe.n_frequent :], weights[recipe.n_frequent :], recipe.n_clusters, recipe.n_rounds)
    classes = np.concatenate([np.arange(recipe.n_frequent), recipe.n_frequent + of_rest])
    return WordClasses(encoded.tokens[first : first + n_words], classes)


def neighbour_vectors(ids: Unsigned32, n_words: int, n_neighbours: int, n_dimensions: int) -> Floats32:
    """Return a unit vector for each word, made from its neighbours.

    Args:
        ids: the corpus, each sentence as ``<s> … </s>``; ids 3, 4, … are words by falling frequency.
        n_words: number of words that get a vector.
        n_neighbours: number of them that count as neighbours, besides ``<s>``, ``</s>`` and one sign for all others.
        n_dimensions: the length of the vectors; of a smaller vocabulary, as many as it has neighbours.

    Returns:
        Shape (n_words, n_dimensions).
    """
    first = len(SPECIALS)
    words = np.where(ids < first + n_words, ids, 0).astype(np.int64)
    width = first + min(n_neighbours, n_words)
    beside = np.where(ids < width, ids, 0).astype(np.int64)
    shape = (first + n_words, width)
    shares = []
    for own, other in ((words[1:], beside[:-1]), (words[:-1], beside[1:])):
        counts = np.bincount(own * width + other, minlength=shape[0] * width).reshape(shape)[first:]
        side = counts.astype(np.float32)
        side /= np.maximum(side.sum(axis=1, keepdims=True), 1)
        shares.append(np.sqrt(side, out=side))
    matrix = np.concatenate(shares, axis=1)
    # The right singular vectors from the small Gram matrix: exact, and the same on every run.
    _, directions = np.linalg.eigh((matrix.T @ matrix).astype(float))
    vectors: Floats32 = matrix @ directions[:, ::-1][:, :n_dimensions].astype(np.float32)
    vectors /= np.maximum(np.linalg.norm(vectors, axis=1, keepdims=True), 1e-9)
    return vectors


def cluster(vectors: Floats32, weights: Floats, n_clusters: int, n_rounds: int) -> Integers:
    """Group unit vectors by spherical k-means, from the first `n_clusters` of them.

    A cluster that runs empty starts anew from the vector that is farthest from its own centre.

    Args:
        vectors: shape (n, d), the most important first.
        weights: weight of each vector in its centre, shape (n,).
        n_clusters: number of groups.
        n_rounds: number of rounds.

    Returns:
        The group of each vector, shape (n,).
    """
    centres = vectors[:n_clusters].copy()
    group = np.zeros(len(vectors), dtype=np.int64)
    for _ in range(n_rounds):
        similarity = vectors @ centres.T
        group = similarity.argmax(axis=1)
        sums = np.stack(
            [np.bincount(group, weights=column * weights, minlength=n_clusters) for column in vectors.T], axis=1
        )
        empty = np.flatnonzero(np.bincount(group, minlength=n_clusters) == 0)
        sums[empty] = vectors[np.argsort(similarity.max(axis=1), kind="stable")[: len(empty)]]
        centres = (sums / np.maximum(np.linalg.norm(sums, axis=1, keepdims=True), 1e-9)).astype(np.float32)
    return group
