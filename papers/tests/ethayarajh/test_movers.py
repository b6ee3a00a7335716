"""Mover's similarities against a linear programme written out, and vector files."""

import math

import numpy as np
import pytest
from text_files import write

from referenceless_papers.ethayarajh.movers import MoverSimilarity, read_vectors, words_of

pytest.importorskip("ot", reason="needs POT (extra `mover`)")

VECTORS = {word: np.random.default_rng(ord(word[0])).normal(size=3) for word in ("cat", "dog", "eats", "fish", "mat")}


def twin(left, right, left_weights, right_weights):
    """The transport problem as a linear programme."""
    from scipy.optimize import linprog

    n, m = len(left), len(right)
    cost = [math.dist(a, b) for a in left for b in right]
    rows = [[float(i == j // m) for j in range(n * m)] for i in range(n)]
    columns = [[float(i == j % m) for j in range(n * m)] for i in range(m)]
    totals = [*(np.array(left_weights) / sum(left_weights)), *(np.array(right_weights) / sum(right_weights))]
    return math.exp(-linprog(cost, A_eq=rows + columns, b_eq=totals).fun)


LEFT = "The cat eats fish. Cat cat!"
RIGHT = "Dog eats 7 xyzzy mat?"
WORDS_LEFT, WORDS_RIGHT = "cat:3 eats:1 fish:1", "dog:1 eats:1 mat:1"
SENTENCES_LEFT, SENTENCES_RIGHT = "cat+eats+fish:3 cat:2", "dog+eats+mat:3"


@pytest.mark.parametrize(
    "measure, left, right",
    [
        ("wms", WORDS_LEFT, WORDS_RIGHT),
        ("sms", SENTENCES_LEFT, SENTENCES_RIGHT),
        ("s+wms", f"{WORDS_LEFT} {SENTENCES_LEFT}", f"{WORDS_RIGHT} {SENTENCES_RIGHT}"),
    ],
)
def test_similarities_are_those_of_the_programme(measure, left, right):
    """Words, or sentences with the mean of their words' vectors, each with its weight."""
    vectors, weights = [], []
    for side in (left, right):
        parts = [part.split(":") for part in side.split()]
        vectors.append([np.mean([VECTORS[word] for word in words.split("+")], axis=0) for words, _ in parts])
        weights.append([int(weight) for _, weight in parts])
    expected = twin(*vectors, *weights)
    mover = MoverSimilarity(VECTORS, measure)
    assert mover.similarity(LEFT, RIGHT) == pytest.approx(expected, abs=1e-9)
    assert mover.similarity(RIGHT, LEFT) == pytest.approx(expected, abs=1e-9)
    assert mover.similarity(LEFT, LEFT.upper()) == pytest.approx(1.0)


def test_vector_files_of_glove_and_word2vec(tmp_path):
    glove = write(tmp_path / "glove.txt", "cat 1 2.5\ndog -1 0\nNew York 3 4\n")
    word2vec = write(tmp_path / "vectors.vec", "2 2\ncat 1 2.5 \ndog -1 0 \n")
    vectors = {word: vector.tolist() for word, vector in read_vectors(glove).items()}
    assert vectors == {"cat": [1, 2.5], "dog": [-1, 0], "New York": [3, 4]}
    assert list(read_vectors(word2vec, words={"dog"})) == ["dog"]
    assert words_of(["A cat's 3 mats"]) == {"a", "cat", "s", "mats"}
