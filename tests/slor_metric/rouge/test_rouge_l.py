"""ROUGE-L against short, obviously right twins and against the rouge-score package."""

import pytest
from hypothesis import given
from hypothesis import strategies as st
from kernels_reference import lcs_length
from numpy.testing import assert_allclose
from refusals import refusals
from rouge_score import rouge_scorer
from text_strategies import texts_with_references

from slor_metric.rouge.rouge_lm import rouge_l_mult, tokenise_unicode


def rouge_l_twin(candidate, references):
    tokens = tokenise_unicode(candidate)
    values = []
    for reference in references:
        other = tokenise_unicode(reference)
        lcs = lcs_length(tokens, other)
        precision, recall = lcs / max(len(tokens), 1), lcs / max(len(other), 1)
        values.append(2 * precision * recall / (precision + recall) if lcs else 0.0)
    return max(values)


@given(texts_with_references)
def test_rouge_l_mult_equals_its_twin(pairs):
    candidates, references = [list(column) for column in zip(*pairs, strict=True)]
    expected = [rouge_l_twin(text, texts) for text, texts in pairs]
    assert_allclose(rouge_l_mult(candidates, references), expected, rtol=0, atol=1e-12)


@given(texts_with_references, st.booleans())
def test_rouge_l_mult_equals_rouge_score(pairs, stem):
    candidates, references = [list(column) for column in zip(*pairs, strict=True)]
    scorer = rouge_scorer.RougeScorer(["rougeL"], use_stemmer=stem)
    expected = [scorer.score_multi(texts, text)["rougeL"].fmeasure for text, texts in pairs]
    found = rouge_l_mult(candidates, references, tokenize="rouge_score", stem=stem)
    assert_allclose(found, expected, rtol=0, atol=1e-12)


def test_a_text_in_another_script_is_scored():
    assert rouge_l_mult(["我 爱 猫"], ["我爱狗"])[0] == pytest.approx(2 / 3)
    assert rouge_l_mult(["我爱猫"], ["我爱狗"], tokenize="rouge_score")[0] == 0.0


def test_empty_texts_and_no_texts():
    assert rouge_l_mult(["", "a", ""], [["a"], [""], [""]]).tolist() == [0.0, 0.0, 0.0]
    assert rouge_l_mult([], []).shape == (0,)


def test_more_token_types_than_the_lower_code_points():
    # more than 0xD800 types, so that the encoding passes over the surrogates
    candidate = " ".join(f"w{i}" for i in range(60_000))
    reference = " ".join(f"w{i}" for i in range(10_000, 70_000))
    assert rouge_l_mult([candidate], [reference])[0] == pytest.approx(5 / 6)


test_bad_input = refusals(
    rouge_l_mult,
    [
        ("a text", ["a"], "`candidates`.*bare str", TypeError),
        (["a"], 3, "`references`.*int 3", TypeError),
        (["a", "b"], [["a"]], "each of the 2 candidates.*got 1"),
        (["a", "b"], [["a"], []], "item 1 is empty"),
        (["a", "b"], [["a"], [None]], r"references\[1\].*item 0 is None", TypeError),
    ],
)
