"""The metrics as objects, with small language models made here."""

import math
from collections.abc import Sequence

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from metric_commons.results import MetricResult
from slor_metric.estimator import ROUGELM, SLOR, WPSLOR
from slor_metric.language_models.base import TokenLogprobs
from slor_metric.language_models.unigram import UnigramTable
from slor_metric.rouge.rouge_l import rouge_l_mult


class LengthModel:
    """ln p(word) = −its length in characters."""

    signature = "length-1"

    def token_logprobs(self, texts: Sequence[str]) -> list[TokenLogprobs]:
        return [
            TokenLogprobs(tuple(text.split()), np.array([-float(len(word)) for word in text.split()])) for text in texts
        ]


class ConstantUnigram:
    """ln p_u = −5 for every piece."""

    signature = "constant-5"

    def logprobs(self, pieces: Sequence[str]) -> np.ndarray:
        return np.full(len(pieces), -5.0)


class Bound(LengthModel):
    unigram = ConstantUnigram()


def test_worked_example() -> None:
    result = SLOR(LengthModel(), unigram=ConstantUnigram()).score(["a bb ccc", "dddd", "  ", ""])
    # (−6 + 15) / 3, (−4 + 5) / 1, undefined twice
    np.testing.assert_allclose(result.values, [3.0, 1.0, math.nan, math.nan])
    np.testing.assert_allclose(result.nce, [-2.0, -4.0, math.nan, math.nan])
    np.testing.assert_allclose(result.perplexity, [math.exp(2), math.exp(4), math.nan, math.nan])
    assert result.n_tokens.tolist() == [3, 1, 0, 0]
    assert result.mean == pytest.approx(2.0)
    assert result.coverage == 0.5
    assert len(result) == 4
    assert result.values.dtype == result.nce.dtype == np.float64
    assert result.n_tokens.dtype == np.int64


def test_nothing_defined() -> None:
    result = WPSLOR(Bound()).score(["", " "])
    assert math.isnan(result.mean)
    assert result.coverage == 0.0


@given(st.lists(st.text(alphabet="ab é\n", max_size=12), min_size=1, max_size=6))
@settings(deadline=None)  # the first example compiles
def test_scores_do_not_depend_on_the_other_texts(texts: list[str]) -> None:
    metric = SLOR(Bound())
    together = metric.score(texts).values
    alone = [metric.score([text]).values[0] for text in texts]
    np.testing.assert_allclose(together, alone, atol=1e-12)


def test_the_unigram_model_comes_with_the_language_model_or_is_given() -> None:
    assert SLOR(Bound()).unigram_model is Bound.unigram
    other = UnigramTable(["a"], [1])
    assert SLOR(Bound(), unigram=other).unigram_model is other
    with pytest.raises(ValueError, match=r"`unigram`.*LengthModel"):
        SLOR(LengthModel())


def test_a_unigram_model_from_a_file(tmp_path) -> None:  # type: ignore[no-untyped-def]
    UnigramTable(["a", "b"], [3, 1], smoothing=0).save(tmp_path / "unigram.npz")
    metric = SLOR(LengthModel(), unigram=str(tmp_path / "unigram.npz"))
    assert metric.score(["a b"]).values[0] == pytest.approx((-2 - math.log(0.75) - math.log(0.25)) / 2)
    with pytest.raises(FileNotFoundError):
        SLOR(LengthModel(), unigram=str(tmp_path / "none.npz"))


def test_signature_tells_what_was_computed() -> None:
    signature = WPSLOR(Bound()).signature
    assert signature.startswith(
        "metric:wpslor|lm:length-1|unigram:constant-5|measure:slor|unknown:abstain>0.6|version:"
    )
    assert WPSLOR(Bound()).score(["a"]).signature == signature
    assert SLOR(Bound()).signature.startswith("metric:slor|")
    rouge_lm = ROUGELM(Bound(), stem=True, tokenize="rouge_score").signature
    assert "|rouge_tok:rouge_score|stem:yes|z:set|version:" in rouge_lm


def test_rouge_lm_adds_two_z_scores() -> None:
    texts = ["a bb", "ccc a", "bb bb dddd", ""]
    references = [["a bb"], ["ccc", "b a"], ["dddd"], ["x"]]
    result = ROUGELM(Bound()).score(texts, references)
    rouge, wpslor = rouge_l_mult(texts, references), WPSLOR(Bound()).score(texts).values
    np.testing.assert_allclose(result.rouge_l, rouge)
    np.testing.assert_allclose(result.wpslor, wpslor)

    def z(values: np.ndarray) -> np.ndarray:
        return (values - values[:3].mean()) / values[:3].std()

    np.testing.assert_allclose(result.values, z(rouge) + z(wpslor))
    assert result.coverage == 0.75
    assert result.mean == pytest.approx(0.0, abs=1e-12)

    again = ROUGELM(Bound(), statistics=result.statistics.as_dict()).score(texts[:1], references[:1])
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
def test_bad_texts(texts: object, error: type[Exception], message: str) -> None:
    with pytest.raises(error, match=message):
        SLOR(Bound()).score(texts)  # type: ignore[arg-type]
    with pytest.raises(error, match=message):
        ROUGELM(Bound()).score(texts, [["a"]])  # type: ignore[arg-type]


def test_no_texts_are_an_empty_result() -> None:
    for result in (SLOR(Bound()).score([]), ROUGELM(Bound()).score([], [])):
        assert (len(result), result.reasons, result.n_tokens.tolist()) == (0, (), [])
        assert math.isnan(result.mean)
        assert math.isnan(result.coverage)
    with pytest.raises(ValueError, match="`references`"):
        ROUGELM(Bound()).score([], [["a"]])


def test_bad_references_and_options() -> None:
    with pytest.raises(ValueError, match=r"`references`.*each of the 2.*got 1"):
        ROUGELM(Bound()).score(["a", "b"], [["a"]])
    with pytest.raises(TypeError, match="references"):
        ROUGELM(Bound()).score(["a"])  # type: ignore[call-arg]
    with pytest.raises(ValueError, match="`tokenize`"):
        ROUGELM(Bound(), tokenize="13a")
    with pytest.raises(TypeError, match="`statistics`"):
        ROUGELM(Bound(), statistics=3)  # type: ignore[arg-type]


class Silent(Bound):
    def token_logprobs(self, texts: Sequence[str]) -> list[TokenLogprobs]:
        return []


class ShortUnigram(ConstantUnigram):
    def logprobs(self, pieces: Sequence[str]) -> np.ndarray:
        return np.zeros(1)


class Foreign(Bound):
    def token_logprobs(self, texts: Sequence[str]) -> list[TokenLogprobs]:
        return [text.split() for text in texts]  # type: ignore[misc]


def test_models_that_break_their_contract() -> None:
    with pytest.raises(TypeError, match="a TokenLogprobs for each text, but got list"):
        SLOR(Foreign()).score(["a b"])
    with pytest.raises(ValueError, match=r"`logprobs`.*each of the 2 pieces, but got shape \(3,\)"):
        TokenLogprobs(("a", "b"), np.zeros(3))
    with pytest.raises(ValueError, match="each of the 2 texts, but it gave 0"):
        SLOR(Silent()).score(["a", "b"])
    with pytest.raises(ValueError, match=r"each of the 2 pieces.*\(1,\)"):
        SLOR(LengthModel(), unigram=ShortUnigram()).score(["a b"])


def test_results_are_frozen() -> None:
    result = SLOR(Bound()).score(["a"])
    assert isinstance(result, MetricResult)
    with pytest.raises(AttributeError):
        result.signature = "x"  # type: ignore[misc]
