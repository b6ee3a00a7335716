"""The modules as `evaluate` users meet them, with a small language model made here."""

import math
import multiprocessing
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import evaluate
import numpy as np
import pytest

from metric_commons.hub.modules import module_path
from slor_metric.estimator import ROUGELM, SLOR
from slor_metric.fluency.metric import Fluency
from slor_metric.language_models.base import TokenLogprobs


class Model:
    """ln p(word) = −its length, ln p_u = −5."""

    signature = "length-1"

    def token_logprobs(self, texts: Sequence[str]) -> list[TokenLogprobs]:
        return [
            TokenLogprobs(tuple(text.split()), np.array([-float(len(word)) for word in text.split()])) for text in texts
        ]

    @property
    def unigram(self) -> "Model":
        return self

    def logprobs(self, pieces: Sequence[str]) -> np.ndarray:
        return np.full(len(pieces), -5.0)


TEXTS = ["a bb ccc", "dddd", ""]
REFERENCES = [["a bb"], ["x", "dddd"], ["y"]]


def load(name: str, **options: Any) -> Any:
    return evaluate.load(module_path(name), **options)


@pytest.mark.parametrize("name", ["slor", "wpslor"])
def test_compute(name: str) -> None:
    result = load(name, lm=Model()).compute(predictions=TEXTS)
    assert result[name] == pytest.approx((3.0 + 1.0) / 2)
    assert result["coverage"] == pytest.approx(2 / 3)
    assert result["values"][:2] == pytest.approx([3.0, 1.0])
    assert math.isnan(result["values"][2])
    assert result["n_tokens"] == [3, 1, 0]
    assert result["nce"][:2] == pytest.approx([-2.0, -4.0])
    assert result["perplexity"][:2] == pytest.approx([math.exp(2), math.exp(4)])
    assert result["signature"].startswith(f"metric:{name}|lm:length-1|")
    assert type(result[name]) is float
    assert {type(value) for value in result["values"]} == {float}
    assert {type(value) for value in result["n_tokens"]} == {int}


def test_nothing_defined_is_nan_and_the_key_is_there() -> None:
    result = load("slor", lm=Model()).compute(predictions=["", " "])
    assert math.isnan(result["slor"])
    assert result["coverage"] == 0.0


def test_model_given_to_compute_or_bound_at_load() -> None:
    bound = load("slor", lm=Model())
    np.testing.assert_equal(bound.compute(predictions=TEXTS), load("slor").compute(predictions=TEXTS, lm=Model()))
    assert bound.compute(predictions=TEXTS[:1])["slor"] == pytest.approx(3.0)  # and again, with the same model


def test_references_are_not_needed_and_do_not_disturb() -> None:
    assert load("wpslor", lm=Model()).compute(predictions=TEXTS, references=REFERENCES)["wpslor"] == pytest.approx(2)


def test_rouge_lm() -> None:
    module = load("rouge_lm", lm=Model())
    result = module.compute(predictions=TEXTS, references=REFERENCES)
    expected = ROUGELM(Model()).score(TEXTS, REFERENCES)
    assert result["values"] == pytest.approx(expected.values.tolist(), nan_ok=True)
    assert result["rouge_l"] == pytest.approx([0.8, 1.0, 0.0])
    assert result["wpslor"] == pytest.approx([3.0, 1.0, math.nan], nan_ok=True)
    assert result["rouge_lm"] == pytest.approx(0.0)
    statistics = result["statistics"]
    again = module.compute(predictions=["dddd"], references=["dddd"], statistics=statistics)
    assert again["rouge_lm"] == pytest.approx(result["values"][1])


def test_rouge_lm_takes_one_reference_each_as_a_string() -> None:
    module = load("rouge_lm", lm=Model())
    whole = module.compute(predictions=TEXTS, references=["a bb", "x", "y"])
    assert whole["rouge_l"] == pytest.approx([0.8, 0.0, 0.0])
    module.add(prediction=TEXTS[0], reference="a bb")
    module.add_batch(predictions=TEXTS[1:], references=["x", ["y", "z"]])
    assert module.compute()["values"] == pytest.approx(whole["values"], nan_ok=True)


def test_add_and_add_batch() -> None:
    module = load("slor", lm=Model())
    module.add(prediction=TEXTS[0])
    module.add_batch(predictions=TEXTS[1:])
    np.testing.assert_equal(module.compute(), module.compute(predictions=TEXTS))


def test_combine() -> None:
    both = evaluate.combine([load("slor", lm=Model()), load("rouge_lm", lm=Model())])
    result = both.compute(predictions=TEXTS, references=REFERENCES)
    assert result["slor"] == pytest.approx(2.0)
    assert result["rouge_lm"] == pytest.approx(0.0)


def test_several_processes(tmp_path: Path) -> None:
    context = multiprocessing.get_context("fork")
    results = context.Queue()

    def worker(process_id: int) -> None:
        module = load(
            "slor", lm=Model(), num_process=2, process_id=process_id, experiment_id="two", cache_dir=str(tmp_path)
        )
        module.add_batch(predictions=TEXTS[:1] if process_id == 0 else TEXTS[1:])
        results.put((process_id, module.compute()))

    processes = [context.Process(target=worker, args=(process_id,)) for process_id in range(2)]
    for process in processes:
        process.start()
    found = dict(results.get(timeout=120) for _ in processes)
    for process in processes:
        process.join()
    assert found[1] is None
    np.testing.assert_equal(found[0]["values"], SLOR(Model()).score(TEXTS).values.tolist())


def test_save(tmp_path: Path) -> None:
    result = load("rouge_lm", lm=Model()).compute(predictions=TEXTS, references=REFERENCES)
    path = evaluate.save(tmp_path, **result)
    assert path.read_text().count("rouge_lm") >= 1


@pytest.mark.parametrize("name", ["slor", "wpslor", "rouge_lm"])
def test_unknown_arguments_raise(name: str) -> None:
    with pytest.raises(TypeError, match=r"`model_name`.*it takes.*`lm`"):
        load(name, model_name="gpt2")
    with pytest.raises(TypeError, match="`model_name`"):
        load(name, lm=Model()).compute(predictions=["a"], references=["a"], model_name="gpt2")


@pytest.mark.parametrize("name", ["slor", "wpslor", "rouge_lm"])
def test_no_predictions_are_an_empty_result(name: str) -> None:
    result = load(name, lm=Model()).compute(predictions=[], references=[])
    assert (result["values"], result["reasons"], result["n_tokens"]) == ([], [], [])
    assert math.isnan(result[name])
    assert math.isnan(result["coverage"])


def test_bad_input_raises_before_anything_is_collected() -> None:
    module = load("slor", lm=Model())
    for predictions, error in (("a text", TypeError), ([None], TypeError), ([1], TypeError)):
        with pytest.raises(error, match="`predictions`"):
            module.compute(predictions=predictions)
    assert module.compute(predictions=["a"])["slor"] == pytest.approx(4.0)

    module = load("rouge_lm", lm=Model())
    for references in (None, ["a"], [["a"], []], "ab"):
        with pytest.raises((TypeError, ValueError), match="`references`"):
            module.compute(predictions=["a", "b"], references=references)
    with pytest.raises(ValueError, match="`tokenize`"):
        module.compute(predictions=["a"], references=["a"], tokenize="13a")
    assert module.compute(predictions=["a"], references=["a"])["rouge_l"] == [1.0]


def test_help_tells_what_goes_in_and_comes_out() -> None:
    module = load("rouge_lm")
    for word in ("predictions", "references", "lm", "statistics", "coverage", "signature"):
        assert f"    {word}: " in module.inputs_description
    assert "Kann" in module.citation


def test_adding_one_by_one_under_combine() -> None:
    both = evaluate.combine([load("rouge_lm", lm=Model()), load("slor", lm=Model())])
    for text, references in zip(TEXTS, REFERENCES, strict=True):
        both.add(prediction=text, references=references)
    result = both.compute()
    assert result["slor"] == pytest.approx(2.0)
    assert "rouge_lm" in result


def test_fluency() -> None:
    module = load("fluency")
    texts = ["The cat sat on the mat.", "", "Qwx zzt ffgh.", "He go to school."]
    result = module.compute(predictions=texts)
    expected = Fluency().score(texts)
    assert result["fluency"] == pytest.approx(expected.mean)
    assert result["values"] == pytest.approx(expected.values.tolist(), nan_ok=True)
    assert result["reasons"] == [None, "empty text", "no known token", None]
    assert result["slor"] == pytest.approx(expected.slor.tolist(), nan_ok=True)
    assert {type(value) for value in result["looks_english"]} == {bool}
    assert result["signature"] == expected.signature
    assert module.compute(predictions=["zorb the zib."], max_unknown=0.1)["coverage"] == 0


def test_the_rule_for_unknown_text() -> None:
    module = load("wpslor")
    assert module.compute(predictions=["Ж Ж"])["reasons"] == ["no known token"]
    assert module.compute(predictions=["Ж Ж"], unknown="score")["coverage"] == 1
    assert module.compute(predictions=["A text."], measure="penlp")["wpslor"] < -5
