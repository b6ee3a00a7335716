"""The modules as `evaluate` users meet them: every value of the estimator, as plain numbers."""

import evaluate
import pytest
from refusals import refused
from small_metrics import LengthModel

from metric_commons.hub.modules import module_path

TEXTS = ["The cat sat on the mat.", "", "Qwx zzt ffgh.", "He go to school."]
REFERENCES = [["The cat sat."], ["x", "dddd"], ["y"], ["He goes to school."]]


def load(name, **options):
    return evaluate.load(module_path(name), **options)


def test_statistics_of_one_set_serve_another():
    module = load("rouge_lm", lm=LengthModel())
    result = module.compute(predictions=TEXTS, references=REFERENCES)
    assert result["rouge_lm"] == pytest.approx(0.0)
    statistics = {name.removeprefix("statistics_"): value for name, value in result.items() if "statistics_" in name}
    again = module.compute(predictions=TEXTS[:1], references=REFERENCES[:1], statistics=statistics)
    assert again["rouge_lm"] == pytest.approx(result["values"][0])


def test_bad_input_raises_before_anything_is_collected():
    module = load("rouge_lm", lm=LengthModel())
    for references in (None, ["a"], [["a"], []], "ab"):
        with refused("`references`", (TypeError, ValueError)):
            module.compute(predictions=["a", "b"], references=references)
    with refused("`tokenize`"):
        module.compute(predictions=["a"], references=["a"], tokenize="13a")
    assert module.compute(predictions=["a"], references=["a"])["rouge_l"] == [1.0]


def test_the_rule_for_unknown_text():
    module = load("wpslor")
    assert module.compute(predictions=["Ж Ж"])["reasons"] == ["no known token"]
    assert module.compute(predictions=["Ж Ж"], unknown="score")["coverage"] == 1
    assert module.compute(predictions=["A text."], measure="penlp")["wpslor"] < -5
    assert load("fluency").compute(predictions=["zorb the zib."], max_unknown=0.1)["coverage"] == 0
