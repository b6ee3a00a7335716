"""Mover's similarities against a linear programme written out, and vector files."""

from __future__ import annotations

import math

import numpy as np
import pytest

from metric_commons.support.validation import InputError
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


def vector(*words):
    return np.mean([VECTORS[word] for word in words], axis=0)


@pytest.mark.parametrize(
    ("measure", "left", "right"),
    [
        (
            "wms",
            ([vector("cat"), vector("eats"), vector("fish")], [3, 1, 1]),
            ([vector("dog"), vector("eats"), vector("mat")], [1, 1, 1]),
        ),
        ("sms", ([vector("cat", "eats", "fish"), vector("cat")], [3, 2]), ([vector("dog", "eats", "mat")], [3])),
        (
            "s+wms",
            (
                [vector("cat"), vector("eats"), vector("fish"), vector("cat", "eats", "fish"), vector("cat")],
                [3, 1, 1, 3, 2],
            ),
            ([vector("dog"), vector("eats"), vector("mat"), vector("dog", "eats", "mat")], [1, 1, 1, 3]),
        ),
    ],
)
def test_similarities_are_those_of_the_programme(measure, left, right):
    expected = twin(left[0], right[0], left[1], right[1])
    mover = MoverSimilarity(VECTORS, measure)
    assert mover.similarity(LEFT, RIGHT) == pytest.approx(expected, abs=1e-9)
    assert mover.similarity(RIGHT, LEFT) == pytest.approx(expected, abs=1e-9)
    assert mover.similarity(LEFT, LEFT.upper()) == pytest.approx(1.0)


def test_words_that_do_not_count():
    mover = MoverSimilarity(VECTORS, stop_words={"eats"})
    assert mover.similarity("cat eats", "cat") == pytest.approx(1.0)
    matrix = mover.similarities(["cat", "eats", ""], ["dog", "cat"], progress=False)
    assert matrix.shape == (3, 2)
    assert matrix[0, 1] == pytest.approx(1.0)
    assert np.isnan(matrix[1:]).all()


def test_bad_arguments():
    with pytest.raises(ValueError, match=r"`measure` to be one of {'wms', 'sms', 's\+wms'}"):
        MoverSimilarity(VECTORS, "wmd")
    with pytest.raises(TypeError, match="`vectors` to map words to vectors"):
        MoverSimilarity([1.0])  # type: ignore[arg-type]
    with pytest.raises(ValueError, match="at least one word"):
        MoverSimilarity({})
    with pytest.raises(TypeError, match="`candidates` to be a list of strings"):
        MoverSimilarity(VECTORS).similarities("cat", ["cat"])


def test_vector_files_of_glove_and_word2vec(tmp_path):
    glove, word2vec = tmp_path / "glove.txt", tmp_path / "vectors.vec"
    glove.write_text("cat 1 2.5\ndog -1 0\nNew York 3 4\n")
    word2vec.write_text("2 2\ncat 1 2.5 \ndog -1 0 \n")
    assert {w: v.tolist() for w, v in read_vectors(glove).items()} == {
        "cat": [1, 2.5],
        "dog": [-1, 0],
        "New York": [3, 4],
    }
    assert list(read_vectors(word2vec, words={"dog"})) == ["dog"]
    assert words_of(["A cat's 3 mats"]) == {"a", "cat", "s", "mats"}


@pytest.mark.parametrize(
    ("content", "message"),
    [
        ("", "holds no word vectors"),
        ("cat 1 2\ndog 1\n", ":2: expected 2 numbers, but got 1"),
        ("cat 1 2\ndog 1 x\n", ":2: expected 2 numbers after the word"),
        ("cat 1 nan\n", ":1: expected finite numbers only"),
        ("cat\n", ":1: expected a word and its vector"),
    ],
)
def test_damaged_vector_files(tmp_path, content, message):
    path = tmp_path / "v.txt"
    path.write_text(content)
    with pytest.raises(InputError, match=message):
        read_vectors(path)
