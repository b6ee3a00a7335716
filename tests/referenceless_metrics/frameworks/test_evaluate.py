"""The base of the `evaluate` modules: arguments are checked, before anything is collected."""

import math
import multiprocessing
import pickle
import re
import warnings
from concurrent.futures import ThreadPoolExecutor
from operator import methodcaller

import numpy as np
import pytest
import toy_metrics
from command_lines import python
from lazily import lazily
from refusals import refused
from small_metrics import SMALL_POOL
from text_files import ROOT, write_table

from referenceless_metrics.core.registry import MetricSpec, metric_spec
from referenceless_metrics.core.support.validation import parse_json
from referenceless_metrics.frameworks.hub import modules as hub

evaluate = lazily("evaluate")
modules = lazily("referenceless_metrics.frameworks.evaluate")


LENGTHS = MetricSpec(
    "lengths",
    "Lengths",
    lambda: toy_metrics.Lengths,
    description="Lengths.",
    results="    n_characters: the length of each.\n",
    citation="@misc{lengths}",
    urls=("https://example.org",),
)
MATCHES = MetricSpec("matches", "Matches", lambda: toy_metrics.Matches, needs_references=True)
BOTH = MetricSpec("matches", "Matches", lambda: toy_metrics.matches_of_both, needs_references=True, needs_sources=True)


def module(spec, folder, **options):
    """Return the module of a metric, which keeps its data in a folder."""
    return modules.module_class(spec)(cache_dir=str(folder), **options)


@pytest.fixture(params=[False, True], ids=["on disk", "in memory"])
def keep_in_memory(request):
    return request.param


@pytest.fixture
def metric(tmp_path, keep_in_memory):
    return module(LENGTHS, tmp_path / "data", keep_in_memory=keep_in_memory)


def fail(metric, error):
    metric.prepare({})
    assert isinstance(metric._metric, toy_metrics.Lengths)
    metric._metric.fails = error


def left_over(folder):
    return [path.name for path in folder.rglob("*.arrow")]


def test_compute(metric, tmp_path):
    for _ in range(2):
        assert metric.compute(predictions=["a", "", "ü🙂"]) == {
            "lengths": 1.0,
            "coverage": 1.0,
            "values": [1, 0, 2],
            "reasons": [None, None, None],
            "n_characters": [1, 0, 2],
            "signature": "metric:lengths|scale:1",
        }
    assert metric.compute(predictions=("ab",))["values"] == [2]
    assert left_over(tmp_path) == []
    with refused("Expected argument `predictions`, or predictions added before, but there are"):
        metric.compute()


def test_parameters_bound_at_load_and_overridden(tmp_path):
    metric = module(LENGTHS, tmp_path, scale=10)
    made = []
    for text, given, expected in (("a", {}, 10), ("ab", {}, 20), ("a", {"scale": 2}, 2), ("a", {}, 10)):
        assert metric.compute(predictions=[text], **given)["lengths"] == expected
        made.append(metric._metric)
    assert made[0] is made[1]  # made once for the same parameters


def test_what_is_bound_is_read_at_load(tmp_path):
    """The first evaluation of a training run is late for an error in a pool."""
    write_table(str(tmp_path / "rated.csv"), ("summary", "rating"), [("The cat sat.", 3)])
    spec = metric_spec("bleu_neighbors")
    with refused(re.escape("there is no column 'text' (pool_text_column); the columns are 'summary', 'rating'")):
        module(spec, tmp_path, pool=str(tmp_path / "rated.csv"))
    with refused("Expected argument `scale` to be at least 0"):
        module(LENGTHS, tmp_path, scale=-1)
    assert module(spec, tmp_path, min_neighbors=2)._metric is None  # the pool comes with `compute`


@pytest.mark.parametrize(
    "predictions, kind, message",
    [
        ("bare", TypeError, "`predictions` to be a list of strings, but got a bare str; for one text write ['bare']"),
        (["a", None], TypeError, "`predictions` to hold strings only, but item 1 is None"),
        ([1.5], TypeError, "`predictions` to hold strings only, but item 0 is float 1.5"),
        (7, TypeError, "`predictions` to be a list of strings, but got int 7"),
        (["a", "b\ud83d"], ValueError, "`predictions` to hold valid Unicode, but item 1 has a lone surrogate"),
    ],
)
def test_bad_predictions(metric, predictions, kind, message):
    metric.add(prediction="before")
    for call in (metric.compute, metric.add_batch):
        with refused(re.escape(f"Expected argument {message}"), kind):
            call(predictions=predictions)
    for prediction in (None, 3, ["a"]):
        with refused("Expected argument `predictions` to hold strings only", TypeError):
            metric.add(prediction=prediction)
    assert metric.compute(predictions=["now"])["values"] == [6, 3]


def test_added_one_by_one_and_in_batches_and_at_last(metric, tmp_path):
    metric.add(prediction="a")
    metric.add_batch(predictions=["bb", "ccc"])
    metric.add(predictions="dddd")  # the name that evaluate.combine and evaluate's own examples use
    assert len(metric) == 4
    assert metric.compute(predictions=["", "a"])["values"] == [1, 2, 3, 4, 0, 1]
    assert len(metric) == 0
    assert metric.compute(predictions=["a"])["values"] == [1]
    assert left_over(tmp_path) == []


@pytest.mark.parametrize("error", [RuntimeError("out of memory"), KeyboardInterrupt()])
def test_an_error_loses_nothing_that_was_added(metric, tmp_path, error):
    metric.add_batch(predictions=["a", "bb"])
    with refused("Expected argument `scale` to be at least 0"):
        metric.compute(predictions=["not kept"], scale=-1)
    fail(metric, error)
    for _ in range(2):
        with pytest.raises(type(error)):
            metric.compute(predictions=["not kept"])
        assert len(metric) == 2
    fail(metric, None)
    metric.add(prediction="ccc")
    assert metric.compute(predictions=["dddd"])["values"] == [1, 2, 3, 4]
    assert left_over(tmp_path) == []


@pytest.mark.parametrize("spec, sources", [(MATCHES, False), (BOTH, True)])
def test_references_and_sources_reach_a_metric_that_reads_them(tmp_path, spec, sources):
    metric = module(spec, tmp_path)
    assert list(metric.features) == ["predictions", "references", *(["sources"] * sources)]
    metric.add(prediction="a", reference="a", source="a")
    metric.add(predictions="a", references="a" if sources else "b", sources="b")
    metric.add_batch(predictions=["c"], references=["c"], sources=["c"])
    result = metric.compute(predictions=["d"], references=["e"], sources=["d"])
    assert (result["matches"], result["values"]) == (0.5, [1.0, 0.0, 1.0, 0.0])
    with refused("it takes `min_coverage`", TypeError):
        metric.compute(predictions=["d"], references=["e"], scale=1)


def test_help_of_compute_shows_the_arguments(metric):
    shown = str(metric.compute.__doc__)
    for line in (
        "scale: a factor.",
        "lengths: mean over the covered predictions, NaN if there are none.",
        "n_characters: the length of each.",
    ):
        assert line in shown
    assert metric.info.reference_urls == ["https://example.org"]
    assert (metric.info.description, metric.info.citation) == ("Lengths.", "@misc{lengths}")
    assert list(metric.features) == ["predictions"]


# --- with a metric of the project, as users meet it

SACREBLEU = '''
"""A module around the package, since the one of this name must be downloaded."""
import datasets
import evaluate
import sacrebleu


class Sacrebleu(evaluate.Metric):
    def _info(self):
        features = {"predictions": datasets.Value("string"), "references": datasets.Value("string")}
        return evaluate.MetricInfo(
            description="", citation="", inputs_description="", features=datasets.Features(features)
        )

    def _compute(self, predictions, references):
        return {"score": sacrebleu.corpus_bleu(predictions, [references]).score, "signature": "sacrebleu's"}
'''


@pytest.fixture
def combined(tmp_path, own_modules_cache):
    script = tmp_path / "sacrebleu" / "sacrebleu.py"
    script.parent.mkdir()
    script.write_text(SACREBLEU)
    data = str(tmp_path / "data")
    own = hub.load("bleu_neighbors", cache_dir=data, **SMALL_POOL)
    return evaluate.combine([evaluate.load(str(script), cache_dir=data), own])


TEXTS = ["the cat sat on the mat", "", "a cat sat on a hat"]
REFERENCES = ["the cat sat on the mat", "a dog", "a cat sat on a mat"]


@pytest.mark.parametrize(
    "least, mean, told",
    [
        (None, 2.0, "lengths: only 1 of 4 texts have a value"),
        (0.25, 2.0, "lengths: only 1 of 4 texts have a value"),
        (0.5, math.nan, "lengths: 1 of 4 texts have a value, less than min_coverage=0.5: no mean (3 empty text)"),
    ],
)
def test_a_mean_of_few_texts_is_warned_of_or_none(tmp_path, least, mean, told):
    metric = module(LENGTHS, tmp_path, strict=True, min_coverage=least)
    with pytest.warns(UserWarning, match=re.escape(told)):
        result = metric.compute(predictions=["ab", "", "", ""])
    np.testing.assert_equal([result["lengths"], result["coverage"]], [mean, 0.25])
    with refused("`min_coverage` to be"):
        metric.compute(predictions=["a"], min_coverage=2)


def test_outputs_that_are_rated_texts(tmp_path):
    own = hub.load("bleu_neighbors", cache_dir=str(tmp_path), **SMALL_POOL)
    given = {"predictions": [SMALL_POOL["rated_texts"][0], "a cat sat on a hat"]}
    with pytest.warns(
        UserWarning, match=r"bleu_neighbors: 1 of 2 texts are rated texts themselves: .* \(exclude_rated"
    ):
        assert own.compute(**given)["n_rated_texts"] == 1
    result = own.compute(**given, exclude_rated=True)
    assert (result["n_rated_texts"], result["reasons"]) == (1, ["rated text", None])


def check_combined(result):
    import sacrebleu

    assert result["score"] == pytest.approx(sacrebleu.corpus_bleu(TEXTS, [REFERENCES]).score)
    assert result["values"][0] == result["values"][2] == result["bleu_neighbors"] == pytest.approx(0.75)
    assert result["values"][1] is None
    assert result["coverage"] == pytest.approx(2 / 3)
    assert result["sacrebleu_signature"] == "sacrebleu's"
    assert "tok:char" in str(result["bleu_neighbors_signature"])


def test_combine_beside_sacrebleu(combined, tmp_path):
    check_combined(combined.compute(predictions=TEXTS, references=REFERENCES))
    for text, reference in zip(TEXTS, REFERENCES, strict=True):
        combined.add(text, reference)
    check_combined(combined.compute())
    combined.add_batch(predictions=TEXTS, references=REFERENCES)
    result = combined.compute()
    check_combined(result)
    path = evaluate.save(tmp_path / "result.json", **result, note="a run")
    saved = parse_json(path.read_text())  # which refuses NaN
    check_combined(saved)
    assert saved["note"] == "a run"


OTHER_PROCESS = """
import sys
sys.modules["transformers"] = None  # evaluate imports it and torch if they are installed, which takes a while
import evaluate
del sys.modules["transformers"]
from referenceless_metrics.frameworks.hub.modules import load
metric = load("bleu_neighbors", num_process=2, process_id=1, experiment_id="two", cache_dir=sys.argv[1])
metric.add_batch(predictions=["a cat sat on a mat"])
print(metric.compute())
"""


@pytest.mark.long
def test_two_processes(tmp_path, own_modules_cache):
    """The main process sees the predictions of both; the other, which needs no pool, sees nothing."""
    data = str(tmp_path / "data")
    environ = {"HF_MODULES_CACHE": str(tmp_path / "other"), "HF_EVALUATE_OFFLINE": "1"}
    with ThreadPoolExecutor() as beside:
        other = beside.submit(python, OTHER_PROCESS, data, environ=environ)
        main = hub.load(
            "bleu_neighbors", num_process=2, process_id=0, experiment_id="two", cache_dir=data, **SMALL_POOL
        )
        main.add_batch(predictions=["the cat sat on the mat", "xyz"])
        result = main.compute()
        assert other.result().stdout.strip() == "None"
    assert result["values"] == [pytest.approx(0.75), None, pytest.approx(0.75)]
    assert result["coverage"] == pytest.approx(2 / 3)
    assert left_over(tmp_path) == []


def test_the_evaluator_of_text_generation(own_modules_cache, tmp_path):
    """Its own steps after the pipeline, which it cannot call with Transformers 5."""
    module = hub.load("bleu_neighbors", cache_dir=str(tmp_path), **SMALL_POOL)
    evaluator = evaluate.evaluator("text-generation")
    inputs = evaluator.predictions_processor([[{"generated_text": text}] for text in TEXTS])
    result = evaluator.compute_metric(module, inputs)
    assert (result["bleu_neighbors"], result["coverage"]) == (pytest.approx(0.75), pytest.approx(2 / 3))
    with refused("`predictions` or `data`, which mean the same, but got both", TypeError):
        module.compute(predictions=TEXTS, data=TEXTS)


#: A call that a spawned process can make: it cannot import a function of this file.
computed = methodcaller("compute", predictions=["The cat sat on the mat."])


def test_a_module_is_pickled_before_and_after_use():
    module = evaluate.load(str(ROOT / "metrics" / "wpslor"))
    before = pickle.loads(pickle.dumps(module))
    expected = computed(module)
    after = pickle.loads(pickle.dumps(module))
    assert type(before) is type(module)
    assert computed(before) == computed(after) == expected


@pytest.mark.long
def test_a_module_is_pickled_into_a_spawned_process():
    module = evaluate.load(str(ROOT / "metrics" / "wpslor"))
    before = pickle.loads(pickle.dumps(module))
    expected = computed(module)
    with multiprocessing.get_context("spawn").Pool(1) as pool:
        assert pool.map(computed, [module, before]) == [expected] * 2


def test_added_predictions_are_not_lost_in_a_pickle():
    module = evaluate.load(str(ROOT / "metrics" / "wpslor"))
    module.add_batch(predictions=["A cat."])
    with pytest.raises(pickle.PicklingError, match="holds 1 predictions that were added: call compute"):
        pickle.dumps(module)
    assert len(module.compute()["values"]) == 1


def test_a_mean_that_is_0_by_construction_is_told(tmp_path):
    """The values of ROUGE-LM are z-scores over the predictions, unless statistics of others are given."""
    spec = metric_spec("rouge_lm")
    texts, references = ["the cat sat on the mat .", "mat the on sat cat the ."], [["the cat sat here ."]] * 2
    with pytest.warns(UserWarning, match="the mean is 0 by construction.*give statistics="):
        assert module(spec, tmp_path, output="mean").compute(predictions=texts, references=references)["rouge_lm"] == 0
    of = {"rouge_l_mean": 0.5, "rouge_l_std": 0.2, "wpslor_mean": 1.0, "wpslor_std": 0.5}
    with warnings.catch_warnings():
        warnings.filterwarnings("error", "rouge_lm")
        found = module(spec, tmp_path, output="mean", statistics=of).compute(predictions=texts, references=references)
    assert found["rouge_lm"] != 0
