"""The metrics as objects, with small language models made here."""

import math

import numpy as np
import pytest
from numpy.testing import assert_allclose
from refusals import refusals
from strange_texts import GERMAN

from slor_metric.estimator import ROUGELM, SLOR, WPSLOR
from slor_metric.language_models.base import TokenLogprobs
from slor_metric.language_models.prose import ForeignTextWarning
from slor_metric.rouge.rouge_lm import rouge_l_mult, rouge_lm
from tests.support.small_metrics import Bare, LengthModel


def test_worked_example():
    result = SLOR(Bare(), unigram=LengthModel()).predict(["a bb ccc", "dddd", "  ", ""])
    # (−6 + 15) / 3, (−4 + 5) / 1, undefined twice
    assert_allclose(result.values, [3.0, 1.0, math.nan, math.nan])
    assert_allclose(result.nce, [-2.0, -4.0, math.nan, math.nan])
    assert_allclose(result.perplexity, [math.exp(2), math.exp(4), math.nan, math.nan])
    assert result.n_tokens.tolist() == [3, 1, 0, 0]
    assert result.mean == pytest.approx(2.0)
    assert result.coverage == 0.5


def test_signature_tells_what_was_computed():
    signature = WPSLOR(LengthModel()).signature
    assert signature.startswith("metric:wpslor|lm:length-1|unigram:length-1|measure:slor|unknown:abstain>0.6|version:")
    assert WPSLOR(LengthModel()).predict(["a"]).signature == signature
    assert SLOR(LengthModel()).signature.startswith("metric:slor|")
    signature = ROUGELM(LengthModel(), stem=True, tokenize="rouge_score").signature
    assert "|rouge_tok:rouge_score|stem:yes|z:set|version:" in signature


def test_rouge_lm_adds_two_z_scores():
    texts = ["a bb", "ccc a", "bb bb dddd", ""]
    references = [["a bb"], ["ccc", "b a"], ["dddd"], ["x"]]
    result = ROUGELM(LengthModel()).predict(texts, references=references)
    assert_allclose(result.rouge_l, rouge_l_mult(texts, references))
    assert_allclose(result.wpslor, WPSLOR(LengthModel()).predict(texts).values)
    assert_allclose(result.values, rouge_lm(result.rouge_l, result.wpslor))
    assert result.coverage == 0.75
    again = ROUGELM(LengthModel(), statistics=result.statistics.as_dict()).predict(texts[:1], references=references[:1])
    assert again.values[0] == pytest.approx(result.values[0])
    assert "|z:given|" in again.signature


test_bad_references_and_options = refusals(
    lambda options, texts=(), references=None: ROUGELM(LengthModel(), **options).predict(texts, references=references),
    [
        ({}, ["a", "b"], [["a"]], r"`references`.*each of the 2.*got 1"),
        ({}, [], [["a"]], "`references`"),
        ({}, ["a"], "`references`.*None"),
        ({"tokenize": "13a"}, "`tokenize`"),
        ({"statistics": 3}, "`statistics`", TypeError),
    ],
)


def changed(**methods):
    return type(
        "Changed", (LengthModel,), {name: lambda _, given, does=does: does(given) for name, does in methods.items()}
    )()


test_models_that_break_their_contract = refusals(
    lambda make: SLOR(make()).predict(["a b", "c d"]),
    [
        (lambda: changed(token_logprobs=list), "a TokenLogprobs for each text, but got str", TypeError),
        (lambda: changed(token_logprobs=lambda texts: []), "each of the 2 texts, but it gave 0"),
        (lambda: changed(logprobs=lambda pieces: np.zeros(1)), r"each of the 4 pieces.*\(1,\)"),
        (
            lambda: changed(token_logprobs=lambda texts: [TokenLogprobs(("a", "b"), np.zeros(3))]),
            r"`logprobs`.*each of the 2 pieces, but got shape \(3,\)",
        ),
    ],
)


def test_a_rare_name_costs_less_than_a_scrambled_order():
    # the paper's example: unlike NCE, SLOR hardly punishes a fluent sentence for a rare word
    texts = ["He is a citizen of France.", "He is a citizen of Tuvalu.", "of citizen France a is He ."]
    result = SLOR().predict(texts)
    france, tuvalu, scrambled = result.values
    assert abs(result.nce[0] - result.nce[1]) > 3 * abs(france - tuvalu)
    assert min(france, tuvalu) > scrambled + 1.0


@pytest.mark.parametrize("metric", [SLOR, ROUGELM])
def test_a_warning_of_another_language_names_the_users_line(metric):
    with pytest.warns(ForeignTextWarning) as found:
        metric().predict(GERMAN, references=GERMAN)
    assert {warning.filename for warning in found} == {__file__}
