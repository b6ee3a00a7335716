"""ROUGE-L against the rouge-score package."""

from types import SimpleNamespace

import pytest
from hypothesis import given
from numpy.testing import assert_allclose
from refusals import refusals
from rouge_score.rouge_scorer import RougeScorer
from text_strategies import texts_with_references

from slor_metric.rouge.rouge_lm import rouge_l_mult, tokenise_unicode

TOKENISED_BY_THE_METRIC = SimpleNamespace(tokenize=tokenise_unicode)
BY_ROUGE_SCORE = {"tokenize": "rouge_score"}


@pytest.mark.parametrize(
    "options, of_scorer",
    [
        ({}, {"tokenizer": TOKENISED_BY_THE_METRIC}),
        (BY_ROUGE_SCORE, {}),
        ({**BY_ROUGE_SCORE, "stem": True}, {"use_stemmer": True}),
    ],
)
@given(texts_with_references)
def test_rouge_l_mult_equals_rouge_score(options, of_scorer, pairs):
    candidates, references = [list(column) for column in zip(*pairs, strict=True)]
    scorer = RougeScorer(["rougeL"], **of_scorer)
    expected = [scorer.score_multi(texts, text)["rougeL"].fmeasure for text, texts in pairs]
    assert_allclose(rouge_l_mult(candidates, references, **options), expected, rtol=0, atol=1e-12)


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
