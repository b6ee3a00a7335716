"""Words of the kernels: tokenisers by name, and numbers for words."""

import pytest

from bleu_neighbors_metric import BLEUNeighbors
from bleu_neighbors_metric.kernels.words import WordNumbers, word_tokenizer


def test_an_unknown_tokeniser_is_refused_with_the_known_ones():
    with pytest.raises(ValueError, match=r"`tokenize`.*'rouge_score', .*'13a'.*but got 'words'"):
        word_tokenizer("words")


def test_the_spelling_of_earlier_index_files_still_loads(tmp_path):
    texts, quality = ["The cat sat down.", "A dog barked."], [1.0, 0.0]
    values = []
    for name in ("rouge-score", "rouge_score"):
        metric = BLEUNeighbors(0.1, 1, 1.0, kernel="rouge_l", kernel_options={"tokenize": name, "stem": False})
        metric.fit(texts, quality).save(tmp_path / "pool.index")
        values.append(BLEUNeighbors.load(tmp_path / "pool.index").predict(["The cat barked."]).values.tolist())
    assert values[0] == values[1]


def test_a_word_that_was_not_learned_is_unknown():
    numbers = WordNumbers()
    assert [part.tolist() for part in numbers.encode([["a", "b"], ["a"]], learning=True)] == [[0, 1, 0], [0, 2, 3]]
    assert [part.tolist() for part in numbers.encode([["c"], [], ["b"]])] == [[-1, 1], [0, 1, 1, 2]]
