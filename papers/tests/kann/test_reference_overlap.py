"""n-gram overlap against a short, obviously right twin; ROUGE-L with one reference."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from referenceless_papers.kann.reference_overlap import ngram_overlap_mult, rouge_l_single
from slor_metric.rouge.rouge_l import tokenise_unicode

WORDS = st.sampled_from(["the", "cat", "Cats", "sat", "running", "a", ".", "é", "東京", "👍", "", " ", "\0"])
TEXTS = st.lists(WORDS, max_size=12).map(" ".join) | st.text(max_size=30)
PAIRS = st.lists(st.tuples(TEXTS, st.lists(TEXTS, min_size=1, max_size=4)), min_size=1, max_size=8)


def overlap_twin(candidate: str, references: list[str], order: int, measure: str) -> float:
    def ngrams(text: str) -> set[tuple[str, ...]]:
        tokens = tokenise_unicode(text)
        return {tuple(tokens[i : i + order]) for i in range(len(tokens) - order + 1)}

    own = ngrams(candidate)
    union = {ngram for reference in references for ngram in ngrams(reference)}
    shared = len(own & union)
    if not shared:
        return 0.0
    precision, recall = shared / len(own), shared / len(union)
    return {"p": precision, "r": recall, "f": 2 * precision * recall / (precision + recall)}[measure]


@given(PAIRS, st.integers(1, 4), st.sampled_from("prf"))
def test_ngram_overlap_equals_its_twin(pairs: list[tuple[str, list[str]]], order: int, measure: str) -> None:
    candidates, references = [list(column) for column in zip(*pairs, strict=True)]
    found = ngram_overlap_mult(candidates, references, order=order, measure=measure)
    expected = [overlap_twin(text, texts, order, measure) for text, texts in pairs]
    np.testing.assert_allclose(found, expected, rtol=0, atol=1e-12)


def test_worked_example() -> None:
    # the candidate's 4 tokens share 3 of 6 with the first reference ("the cat sat"), 2 of 2 with the second
    candidates = ["the cat sat quietly"]
    references = [["yesterday the cat sat very still", "the cat"]]
    assert rouge_l_single(candidates, references) == pytest.approx([2 * 3 / (4 + 6)])
    assert rouge_l_single(candidates, references, reference=1) == pytest.approx([2 * 2 / (4 + 2)])
    assert rouge_l_single(candidates, references, reference=9) == pytest.approx([2 * 2 / (4 + 2)])
    # candidate bigrams {the cat, cat sat, sat quietly}; the union has 5 and shares two
    assert ngram_overlap_mult(candidates, references, order=2) == pytest.approx([2 * 2 / (3 + 5)])
    # candidate trigrams {the cat sat, cat sat quietly}; the union has 4 and shares one
    assert ngram_overlap_mult(candidates, references, order=3) == pytest.approx([2 * 1 / (2 + 4)])
    assert ngram_overlap_mult(candidates, references, order=3, measure="r") == pytest.approx([1 / 4])
    assert ngram_overlap_mult(["", "a b"], [["a b c"], ["a b"]], order=3).tolist() == [0.0, 0.0]
    assert ngram_overlap_mult(["cats running"], ["cat runs"], order=2, stem=True).tolist() == [1.0]


def test_bad_options() -> None:
    with pytest.raises(ValueError, match=r"`measure`.*'p', 'r', 'f'"):
        ngram_overlap_mult(["a"], ["a"], order=2, measure="g")
    with pytest.raises(ValueError, match="`order`"):
        ngram_overlap_mult(["a"], ["a"], order=0)
    with pytest.raises(ValueError, match="`reference`"):
        rouge_l_single(["a"], ["a"], reference=-1)
