"""The modules as `evaluate` users meet them, with a small language model made here."""

import math

import evaluate
import numpy as np
import pytest
from numpy.testing import assert_allclose
from small_metrics import LengthModel

from metric_commons.hub.modules import module_path
from slor_metric.estimator import ROUGELM
from slor_metric.fluency.metric import Fluency

TEXTS = ["a bb ccc", "dddd", ""]
REFERENCES = [["a bb"], ["x", "dddd"], ["y"]]


def load(name, **options):
    return evaluate.load(module_path(name), **options)


@pytest.mark.parametrize("name", ["slor", "wpslor"])
def test_compute(name):
    result = load(name, lm=LengthModel()).compute(predictions=TEXTS)
    assert result[name] == pytest.approx((3.0 + 1.0) / 2)
    assert result["coverage"] == pytest.approx(2 / 3)
    assert result["values"][:2] == pytest.approx([3.0, 1.0])
    assert result["values"][2] is None
    assert result["n_tokens"] == [3, 1, 0]
    assert result["nce"][:2] == pytest.approx([-2.0, -4.0])
    assert result["perplexity"][:2] == pytest.approx([math.exp(2), math.exp(4)])
    assert result["signature"].startswith(f"metric:{name}|lm:length-1|")
    assert type(result[name]) is float
    assert {type(value) for value in result["values"]} == {float, type(None)}
    assert {type(value) for value in result["n_tokens"]} == {int}


def test_rouge_lm():
    module = load("rouge_lm", lm=LengthModel())
    result = module.compute(predictions=TEXTS, references=REFERENCES)
    expected = ROUGELM(LengthModel()).score(TEXTS, REFERENCES)
    assert_allclose(np.array(result["values"], dtype=np.float64), expected.values)
    assert result["rouge_l"] == pytest.approx([0.8, 1.0, 0.0])
    assert result["wpslor_scores"] == [3.0, 1.0, None]
    assert result["rouge_lm"] == pytest.approx(0.0)
    statistics = result["statistics"]
    again = module.compute(predictions=["dddd"], references=["dddd"], statistics=statistics)
    assert again["rouge_lm"] == pytest.approx(result["values"][1])


def test_bad_input_raises_before_anything_is_collected():
    module = load("rouge_lm", lm=LengthModel())
    for references in (None, ["a"], [["a"], []], "ab"):
        with pytest.raises((TypeError, ValueError), match="`references`"):
            module.compute(predictions=["a", "b"], references=references)
    with pytest.raises(ValueError, match="`tokenize`"):
        module.compute(predictions=["a"], references=["a"], tokenize="13a")
    assert module.compute(predictions=["a"], references=["a"])["rouge_l"] == [1.0]


def test_fluency():
    module = load("fluency")
    texts = ["The cat sat on the mat.", "", "Qwx zzt ffgh.", "He go to school."]
    result = module.compute(predictions=texts)
    expected = Fluency().score(texts)
    assert result["fluency"] == pytest.approx(expected.mean)
    assert_allclose(np.array(result["values"], dtype=np.float64), expected.values)
    assert result["reasons"] == [None, "empty text", "no known token", None]
    assert_allclose(np.array(result["slor_scores"], dtype=np.float64), expected.slor)
    assert {type(value) for value in result["looks_english"]} == {bool}
    assert result["signature"] == expected.signature
    assert module.compute(predictions=["zorb the zib."], max_unknown=0.1)["coverage"] == 0


def test_the_rule_for_unknown_text():
    module = load("wpslor")
    assert module.compute(predictions=["Ж Ж"])["reasons"] == ["no known token"]
    assert module.compute(predictions=["Ж Ж"], unknown="score")["coverage"] == 1
    assert module.compute(predictions=["A text."], measure="penlp")["wpslor"] < -5
