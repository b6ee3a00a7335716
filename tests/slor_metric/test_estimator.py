"""The metrics as objects, with small language models made here."""

import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from numpy.testing import assert_allclose

from metric_commons.results import MetricResult
from slor_metric.estimator import ROUGELM, SLOR, WPSLOR
from slor_metric.language_models.base import TokenLogprobs
from slor_metric.language_models.unigram import UnigramTable
from slor_metric.rouge.rouge_l import rouge_l_mult
from tests.support.small_metrics import LengthModel


class Bare:
    """`LengthModel` without its unigram model."""

    signature = "bare"
    token_logprobs = LengthModel.token_logprobs


def test_worked_example():
    result = SLOR(Bare(), unigram=LengthModel()).score(["a bb ccc", "dddd", "  ", ""])
    # (−6 + 15) / 3, (−4 + 5) / 1, undefined twice
    assert_allclose(result.values, [3.0, 1.0, math.nan, math.nan])
    assert_allclose(result.nce, [-2.0, -4.0, math.nan, math.nan])
    assert_allclose(result.perplexity, [math.exp(2), math.exp(4), math.nan, math.nan])
    assert result.n_tokens.tolist() == [3, 1, 0, 0]
    assert result.mean == pytest.approx(2.0)
    assert result.coverage == 0.5
    assert len(result) == 4
    assert result.values.dtype == result.nce.dtype == np.float64
    assert result.n_tokens.dtype == np.int64


def test_nothing_defined():
    result = WPSLOR(LengthModel()).score(["", " "])
    assert math.isnan(result.mean)
    assert result.coverage == 0.0


@given(st.lists(st.text(alphabet="ab é\n", max_size=12), min_size=1, max_size=6))
def test_scores_do_not_depend_on_the_other_texts(texts):
    metric = SLOR(LengthModel())
    together = metric.score(texts).values
    alone = [metric.score([text]).values[0] for text in texts]
    assert_allclose(together, alone, atol=1e-12)


def test_the_unigram_model_comes_with_the_language_model_or_is_given():
    bound = LengthModel()
    assert SLOR(bound).unigram_model is bound
    other = UnigramTable(["a"], [1])
    assert SLOR(LengthModel(), unigram=other).unigram_model is other
    with pytest.raises(ValueError, match=r"`unigram`.*Bare"):
        SLOR(Bare())


def test_a_unigram_model_from_a_file(tmp_path):
    UnigramTable(["a", "b"], [3, 1], smoothing=0).save(tmp_path / "unigram.npz")
    metric = SLOR(Bare(), unigram=str(tmp_path / "unigram.npz"))
    assert metric.score(["a b"]).values[0] == pytest.approx((-2 - math.log(0.75) - math.log(0.25)) / 2)
    with pytest.raises(FileNotFoundError):
        SLOR(Bare(), unigram=str(tmp_path / "none.npz"))


def test_signature_tells_what_was_computed():
    signature = WPSLOR(LengthModel()).signature
    assert signature.startswith("metric:wpslor|lm:length-1|unigram:length-1|measure:slor|unknown:abstain>0.6|version:")
    assert WPSLOR(LengthModel()).score(["a"]).signature == signature
    assert SLOR(LengthModel()).signature.startswith("metric:slor|")
    rouge_lm = ROUGELM(LengthModel(), stem=True, tokenize="rouge_score").signature
    assert "|rouge_tok:rouge_score|stem:yes|z:set|version:" in rouge_lm


def test_rouge_lm_adds_two_z_scores():
    texts = ["a bb", "ccc a", "bb bb dddd", ""]
    references = [["a bb"], ["ccc", "b a"], ["dddd"], ["x"]]
    result = ROUGELM(LengthModel()).score(texts, references)
    rouge, wpslor = rouge_l_mult(texts, references), WPSLOR(LengthModel()).score(texts).values
    assert_allclose(result.rouge_l, rouge)
    assert_allclose(result.wpslor, wpslor)

    def z(values):
        return (values - values[:3].mean()) / values[:3].std()

    assert_allclose(result.values, z(rouge) + z(wpslor))
    assert result.coverage == 0.75
    assert result.mean == pytest.approx(0.0, abs=1e-12)

    again = ROUGELM(LengthModel(), statistics=result.statistics.as_dict()).score(texts[:1], references[:1])
    assert again.values[0] == pytest.approx(result.values[0])
    assert "|z:given|" in again.signature


@pytest.mark.parametrize(
    ("texts", "error", "message"),
    [
        ("a text", TypeError, "`texts`.*bare str"),
        (None, TypeError, "`texts`.*None"),
        (["a", None], TypeError, "`texts`.*item 1 is None"),
        ([1], TypeError, "`texts`.*item 0 is int 1"),
    ],
)
def test_bad_texts(texts, error, message):
    with pytest.raises(error, match=message):
        SLOR(LengthModel()).score(texts)
    with pytest.raises(error, match=message):
        ROUGELM(LengthModel()).score(texts, [["a"]])


def test_no_texts_are_an_empty_result():
    for result in (SLOR(LengthModel()).score([]), ROUGELM(LengthModel()).score([], [])):
        assert (len(result), result.reasons, result.n_tokens.tolist()) == (0, (), [])
        assert math.isnan(result.mean)
        assert math.isnan(result.coverage)
    with pytest.raises(ValueError, match="`references`"):
        ROUGELM(LengthModel()).score([], [["a"]])


def test_bad_references_and_options():
    with pytest.raises(ValueError, match=r"`references`.*each of the 2.*got 1"):
        ROUGELM(LengthModel()).score(["a", "b"], [["a"]])
    with pytest.raises(TypeError, match="references"):
        ROUGELM(LengthModel()).score(["a"])
    with pytest.raises(ValueError, match="`tokenize`"):
        ROUGELM(LengthModel(), tokenize="13a")
    with pytest.raises(TypeError, match="`statistics`"):
        ROUGELM(LengthModel(), statistics=3)


class Silent(LengthModel):
    def token_logprobs(self, texts):
        return []


class ShortUnigram(LengthModel):
    def logprobs(self, pieces):
        return np.zeros(1)


class Foreign(LengthModel):
    def token_logprobs(self, texts):
        return [text.split() for text in texts]


def test_models_that_break_their_contract():
    with pytest.raises(TypeError, match="a TokenLogprobs for each text, but got list"):
        SLOR(Foreign()).score(["a b"])
    with pytest.raises(ValueError, match=r"`logprobs`.*each of the 2 pieces, but got shape \(3,\)"):
        TokenLogprobs(("a", "b"), np.zeros(3))
    with pytest.raises(ValueError, match="each of the 2 texts, but it gave 0"):
        SLOR(Silent()).score(["a", "b"])
    with pytest.raises(ValueError, match=r"each of the 2 pieces.*\(1,\)"):
        SLOR(Bare(), unigram=ShortUnigram()).score(["a b"])


def test_results_are_frozen():
    result = SLOR(LengthModel()).score(["a"])
    assert isinstance(result, MetricResult)
    with pytest.raises(AttributeError):
        result.signature = "x"
