"""Every metric that is installed, and one that another distribution brings, in every place that takes a metric.

Further properties of the places (batches, processes, errors) are tested with each of them.
"""

import json
import math
import pickle
import re
import shlex
from types import SimpleNamespace

import numpy as np
import pytest
import third_party
from command_lines import done, invoke, left
from refusals import refused
from small_metrics import STATISTICS, LengthModel
from text_files import read, write

import referenceless_metrics
from bleu_neighbors_metric.estimator import BLEUNeighbors
from quality_estimation_metric.example import RATINGS, SOURCES, TEXTS
from referenceless_metrics.comparison.measuring import in_sacrebleu
from referenceless_metrics.core.metric import Metric, check_metric, coverage_name, score_texts
from referenceless_metrics.core.registry import load_metric, metric_names, metric_spec
from referenceless_metrics.core.results import MetricResult
from referenceless_metrics.core.support.validation import NotFittedError
from referenceless_metrics.frameworks.hub import modules as hub
from referenceless_metrics.frameworks.hub.cards import card_path
from slor_metric.estimator import ROUGELM

NAMES = (*metric_names(), third_party.NAME)
OUTPUTS, GIVEN = TEXTS[:12], SOURCES[:12]
REFERENCES, RATED = [f"{text} indeed" for text in OUTPUTS], [*zip(TEXTS, RATINGS, SOURCES, strict=True)]
POOL = {"rated_texts": TEXTS, "ratings": RATINGS, "min_neighbors": 1, "max_fraction": 1.0}
MADE_WITH = {"bleu_neighbors": POOL, "rouge_lm": {"statistics": STATISTICS}}


@pytest.fixture(autouse=True, scope="module")
def someone_elses(tmp_path_factory):
    with third_party.installed(tmp_path_factory.mktemp("site")):
        yield


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    folder = tmp_path_factory.mktemp("files")
    rows = [
        {"text": text, "reference": reference, "source": source, "rating": i % 5, "system": "a.jsonl"}
        for i, (text, reference, source) in enumerate(zip(OUTPUTS, REFERENCES, GIVEN, strict=True))
    ]
    pool = [{"text": text, "rating": rating, "source": source} for text, rating, source in RATED]
    lists = [
        {"reference": rows[i]["reference"], "source": rows[i]["source"], "candidates": OUTPUTS[i : i + 3]}
        for i in range(0, len(rows), 3)
    ]
    files = {"a": rows, "b": rows, "pool": pool, "others": pool[len(rows) :], "lists": lists}
    for file, content in files.items():
        write(folder / f"{file}.jsonl", map(json.dumps, content))
    write(folder / "references.txt", REFERENCES)
    with pytest.MonkeyPatch.context() as patch:
        patch.chdir(folder)
        yield folder


@pytest.fixture(params=NAMES)
def name(request):
    return request.param


def run(line, name):
    """Run a command with a metric, and with the files that the metric needs."""
    spec, command = metric_spec(name), line.split()[0]
    line += f" --metric {name}"
    if name == "bleu_neighbors":
        pool = "others.jsonl" if command == "human-score" else "pool.jsonl"  # of no text that is rated
        line += f" --pool {pool} --min-neighbors 1 --max-fraction 1"
    if name == "rouge_lm" and command in ("score", "compare", "rerank"):
        line += "".join(f" --statistic {key}={value}" for key, value in STATISTICS.items())
    columns = command in ("score", "rerank")
    if spec.needs_references and command != "app":
        line += " --reference-columns reference" if columns else " --references references.txt"
    if spec.needs_sources and command in ("score", "rerank", "compare"):
        line += " --source-column source" if columns else " --sources a.jsonl"
    return done(line).stdout


@pytest.fixture(scope="module")
def metrics():
    return {name: load_metric(name, **MADE_WITH.get(name, {})) for name in NAMES}


def expected(metric):
    return score_texts(metric, OUTPUTS, [[text] for text in REFERENCES], GIVEN)


def test_a_metric_keeps_the_protocol(metrics, name):
    metric, spec = metrics[name], metric_spec(name)
    assert isinstance(metric, Metric)
    assert check_metric(metric) is metric
    assert (metric.name, metric.needs_references) == (name, spec.needs_references)
    assert spec.needs_sources or not metric.needs_sources
    assert coverage_name(metric) == f"{name}_coverage"
    result = expected(metric)
    assert isinstance(result, MetricResult)
    assert (result.values.shape, result.values.dtype) == ((len(OUTPUTS),), np.float64)
    assert [reason is None for reason in result.reasons] == result.covered.tolist()
    assert ":" in metric.signature
    assert result.signature == metric.signature
    for column in result.columns.keys() & set(NAMES):  # one name, one number
        np.testing.assert_array_equal(result.columns[column], expected(metrics[column]).values)
    own = metric.predict(OUTPUTS, references=REFERENCES, sources=GIVEN)  # arguments that are not read may be given
    np.testing.assert_array_equal(own.values, result.values)
    for empty in (score_texts(metric, [], [], []), metric.predict([], references=[], sources=[])):
        assert (len(empty), empty.reasons) == (0, ())
        assert empty.columns.keys() == result.columns.keys()
        assert math.isnan(empty.mean)
        assert math.isnan(empty.coverage)
    for texts in ("a bare string", None, [1]):
        for score in (score_texts, type(metric).predict)[: 1 + (name != third_party.NAME)]:
            with refused("`texts`", TypeError):
                score(metric, texts, references=["a reference"], sources=["a source"])
    beside = {"references": ["a reference"] * 2, "sources": [GIVEN[0]] * 2}
    missing, empty = (score_texts(metric, texts, **beside) for texts in ([None, math.nan], ["", ""]))
    np.testing.assert_array_equal(missing.values, empty.values)
    assert missing.reasons == empty.reasons


def test_score(folder, metrics, name):
    result = expected(metrics[name])
    assert f"over {result.covered.sum()} of 12 texts (coverage {result.coverage:.3f})" in run("score a.jsonl", name)
    found = json.loads(run("score a.jsonl --format json", name))
    assert (found["metric"], found["coverage"], len(found["rows"])) == (name, result.coverage, len(OUTPUTS))
    assert found["mean"] == pytest.approx(result.mean)
    for place, row in enumerate(found["rows"]):
        assert row["reason"] == result.reasons[place]
        assert (row[name] is None) == (row["reason"] is not None)
        assert row[name] in (None, pytest.approx(result.values[place]))
        for column, values in result.columns.items():
            assert row[column] in (None, pytest.approx(values[place])) or row[column] == values[place]
    run(f"score a.jsonl --format csv -o {name}.csv", name)
    assert len(read(folder / f"{name}.csv").splitlines()) == len(OUTPUTS) + 1


def test_compare_and_rerank(folder, metrics, name):
    content = json.loads(run("compare a.jsonl b.jsonl --n-samples 20 --format json", name))
    for row in content["rows"]:  # the same texts twice
        assert row["score"] == pytest.approx(expected(metrics[name]).mean, abs=1e-9)
        assert row["p_value"] in (None, 1.0)
    assert len(run("rerank lists.jsonl", name).splitlines()) == 4


def test_human_score(folder, name):
    if metric_spec(name).needs_sources:
        pytest.skip("human-score reads no sources")
    found = run("human-score a.jsonl --ratings a.jsonl --format json", name)
    assert json.loads(found)["rows"][0]["rated"] == len(OUTPUTS)


@pytest.mark.long
def test_app(folder, name, monkeypatch):
    pytest.importorskip("gradio")
    pages = []
    monkeypatch.setattr("referenceless_metrics.pages.app.page.launch", lambda page, **_: pages.append(page))
    spec = metric_spec(name)
    if spec.explainer is not None and spec.explainer().takes_pool:  # a pool on the command line is refused
        done(f"app --no-open --metric {name}")
    else:
        run("app --no-open", name)
    assert spec.title in pages[0].title


WRONG_USAGE = """
score x.txt --metric bleu
score x.txt --metric bleu_neighbors
score - --metric bleu_neighbors --pool -
score x.txt --pool p.csv --weights distance
score x.txt --metric rouge_lm
score x.txt --metric slor --references y.txt
score - --reference-columns z
score x.txt --lm-option device
score x.txt --metric slor --sources y.txt
score - --metric quality_estimation --source-column z
fit x.csv --metric wpslor
score x.txt --with bleu
score x.txt --with blue --references y.txt
score x.csv --with bleu --reference-columns z --resume -o out.csv
hub publish huse --to someone/huse
hub publish bleu_neighbors --to someone/ours --pool pool.fitted
compare a.txt
compare a.txt b.txt --with bleu
compare a.txt b.txt --metric rouge_lm --with bleu
compare a.txt b.txt --with bleurt
fit p.csv -o -
calibrate p.csv --kernel cosine
calibrate p.csv --ngram-orders 2;3
train ngram - x.txt -o y
train ngram x.txt -o y --prune a
"""


@pytest.mark.parametrize("line", WRONG_USAGE.strip().splitlines())
def test_wrong_usage_leaves_with_2_before_a_file_is_read(line):
    found = invoke(line)
    assert (found.exit_code, found.stdout) == (2, "")
    assert "Error: " in found.stderr


BAD_INPUT = [  # faults of files are tested with their readers, and columns in `test_columns`
    ("score nowhere.txt --metric fluency", "nowhere.txt: there is no such file"),
    ("score references.txt --metric bleu_neighbors --pool references.txt", "a .txt file holds no ratings"),
    ("score references.txt --metric slor --lm foreign.npz", "foreign.npz"),
    ("score references.txt --metric slor --lm word --lm-option device=cpu", "no option 'device'"),
    ("score references.txt --metric slor --lm small --lm-option path=nowhere", "nowhere"),
    ("score references.txt --metric slor --unigram foreign.npz", "foreign.npz"),
    ("score references.txt --references short.txt", "short.txt has 1 references, but"),
    ("score references.txt --metric quality_estimation --sources short.txt", "short.txt has 1 sources, but"),
    ("score short.txt --references blank.txt", "no reference for text 1"),
    ("compare references.txt short.txt", "short has 1 texts, but references (the baseline) has 12"),
    ("compare references.txt empty.txt", "empty.txt: it holds no texts"),
    ("compare short.txt blank.txt", "blank: Fluency covers none of its 1 texts"),
    ("compare references.txt references.txt --references short.txt", "short.txt has 1 references, but"),
    ("fit pool.jsonl --metric bleu_neighbors -o no/folder/x", "Cannot write no/folder/x: there is no folder"),
    ("calibrate pool.jsonl --threshold 2", "option --threshold to be a number in [0, 1], but got 2.0"),
    ("calibrate pool.jsonl --tokenize words", "option --tokenize to be one of {'char', 'char-nospace'"),
    ("calibrate huse:nothing --data-dir .", "nothing"),
    ("calibrate huse:summarization --data-dir nowhere", "nowhere"),
    ("train ngram empty.txt -o lm.npz --no-progress", "corpus"),
    ("train unigram empty.txt --tokenizer words -o u.npz", "token"),
    ("train ngram none.txt -o none/lm.npz", "Cannot write"),  # before the corpus is looked at
    ("train ngram none.txt -o lm.npz --arpa none/lm.arpa", "Cannot write"),
    ("train unigram none.txt --tokenizer words -o none/u.npz", "Cannot write"),
]


@pytest.mark.parametrize("line, message", BAD_INPUT)
def test_bad_input_leaves_with_1_and_says_why_in_one_line(folder, line, message):
    for name, content in {
        "foreign.npz": "PK nothing",
        "short.txt": "one\n",
        "blank.txt": "\n",
        "empty.txt": "",
    }.items():
        write(name, content)
    status, out, err = left(shlex.split(line))
    assert (status, out) == (1, "")
    notes, _, error = err.partition("error: ")
    assert all(note.startswith("note: ") for note in notes.splitlines())
    why, *proposals = error.splitlines()
    assert message in why
    if proposals:
        assert proposals[0] == "These command lines fit the file:"
        assert proposals[1:]
        assert all(proposal.startswith("  referenceless ") for proposal in proposals[1:])


@pytest.mark.parametrize("command, how", [("fit", "-o {}.fitted"), ("evaluate", "--folds 2")])
def test_what_a_metric_learns(folder, name, command, how):
    if not getattr(metric_spec(name), command):
        pytest.skip(f"{name} brings no {command}")
    sources = "--source-column source" if metric_spec(name).needs_sources else ""
    done(f"{command} pool.jsonl --metric {name} {sources} {how.format(name)}")
    assert command != "fit" or (folder / f"{name}.fitted").stat().st_size > 0


def test_hub(name, own_modules_cache, monkeypatch, tmp_path):
    import evaluate

    monkeypatch.setattr("evaluate.config.HF_EVALUATE_OFFLINE", True)
    assert name in done("hub metrics").stdout
    done(f"hub register {name}")
    loaded = evaluate.load(name, **MADE_WITH.get(name, {}))
    assert loaded.name == name
    done(f"hub unregister {name}")
    out = tmp_path / "space"
    done(f"hub publish {name} --to someone/{name} --dry-run {out} --no-build")
    card = read(out / "README.md")
    pictures = re.findall(r"!\[[^]]*\]\(([^)]*)\)", card)
    held = {str(path.relative_to(out)) for path in out.rglob("*") if path.is_file()}
    assert held == {f"{name}.py", "app.py", "README.md", "requirements.txt", *pictures}
    assert (f"figures/app_{name}.png" in pictures) == card_path("metrics", name).is_file()
    requirements = read(out / "requirements.txt").splitlines()
    assert requirements[0].startswith("referenceless-metrics[app]==")
    assert requirements[1:] == (["their-metrics==1.2"] if name == third_party.NAME else [])
    assert 'python_version: "3.11"' in card.replace("'", '"')
    compile(read(out / "app.py"), "app.py", "exec")


def with_evaluate(metric):
    module = hub.load(metric.name, **MADE_WITH.get(metric.name, {}))
    for word in ("predictions", "coverage", "signature"):
        assert f"    {word}: " in module.inputs_description
    result = module.compute(predictions=OUTPUTS, references=[[text] for text in REFERENCES], sources=GIVEN)
    json.dumps(result, allow_nan=False)
    numbers = module.compute(
        predictions=OUTPUTS, references=[[text] for text in REFERENCES], sources=GIVEN, output="mean"
    )
    assert numbers == {metric.name: result[metric.name], "coverage": result["coverage"]}
    for name, told in expected(metric).as_plain().items():  # a metric's name is that of its mean
        if isinstance(told, dict):  # results are flat
            assert {key: result[f"{name}_{key}"] for key in told} == told
        else:
            assert result[f"{name}_scores" if name in metric_names() else name] == told
    nothing = module.compute(predictions=[], references=[], sources=[], output="mean")
    assert list(map(math.isnan, nothing.values())) == [True, True]
    return result[metric.name], result["coverage"]


def with_sacrebleu(metric):
    adapter = in_sacrebleu(metric_spec(metric.name), metric, GIVEN if metric.needs_sources else None)
    score = pickle.loads(pickle.dumps(adapter)).corpus_score(OUTPUTS, [REFERENCES])
    said = re.split(r"\|(?=z:|version:)", metric.signature.removeprefix(f"metric:{metric.name}|"))[0]
    assert score.score == adapter.corpus_score(OUTPUTS, [REFERENCES]).score
    assert adapter.get_signature().format().startswith(f"nrefs:{int(metric.needs_references)}|{said}")
    assert len(adapter.get_signature().format(short=True)) < 80
    return score.score, score.coverage


def with_torchmetrics(metric):
    pytest.importorskip("torchmetrics")
    from referenceless_metrics.frameworks.torchmetrics import TextQualityMetric

    adapter = TextQualityMetric(metric)
    for begin in range(0, len(OUTPUTS), 5):
        part = slice(begin, begin + 5)
        adapter.update(OUTPUTS[part], [[text] for text in REFERENCES[part]], GIVEN[part])
    result = adapter.compute()
    return float(result[metric.name]), float(result[f"{metric.name}_coverage"])


def with_trainer(metric):
    from referenceless_metrics.frameworks.trainer import GenerationMetrics

    adapter = GenerationMetrics(SimpleNamespace(batch_decode=list), metric)
    result = adapter.compute(OUTPUTS, REFERENCES, GIVEN)
    return result[metric.name], result[f"{metric.name}_coverage"]


def with_mlflow(metric):
    pytest.importorskip("mlflow")
    from referenceless_metrics.frameworks.mlflow import mlflow_scorer

    scorer = mlflow_scorer(metric)

    def score(text, reference, source):
        given = {"expectations": {"expected_response": reference}, "inputs": {"source": source}}
        value, _ = scorer(outputs=text, **given)
        assert value.name == metric.name
        return value.value

    return over_rows(score)


def over_rows(score):
    """Score text by text, as a framework does whose rows are documents."""
    found = [score(*row) for row in zip(OUTPUTS, REFERENCES, GIVEN, strict=True)]
    values = np.array([math.nan if value is None else value for value in found])
    return float(np.nanmean(values)), float(np.isfinite(values).mean())


def with_lm_eval(metric):
    pytest.importorskip("lm_eval")
    from referenceless_metrics.frameworks.lm_eval import harness_metric

    adapter = harness_metric(f"contract_{metric.name}", lambda: metric)

    def score(text, reference, source):
        return adapter([source if metric.needs_sources else reference], [text])[f"contract_{metric.name}"]

    return over_rows(score)


def with_inspect(metric):
    pytest.importorskip("inspect_ai")
    import asyncio

    from inspect_ai.scorer import Target

    from referenceless_metrics.frameworks.inspect_ai import inspect_scorer

    scorer = inspect_scorer(metric)

    def score(text, reference, source):
        state = SimpleNamespace(output=SimpleNamespace(completion=text), metadata={"source": source})
        found = asyncio.run(scorer(state, Target(reference)))
        return float(found.value[metric.name])

    return over_rows(score)


def with_deepeval(metric):
    pytest.importorskip("deepeval")
    from deepeval.test_case import LLMTestCase

    from referenceless_metrics.frameworks.deepeval import DeepEvalMetric

    adapter = DeepEvalMetric(metric, 0.0)

    def score(text, reference, source):
        return adapter.measure(LLMTestCase(input=source, actual_output=text, expected_output=reference))

    return over_rows(score)


def with_promptfoo(metric):
    from referenceless_metrics.frameworks.promptfoo import promptfoo_assertion

    adapter = promptfoo_assertion(metric, value_range=(-9, 9))

    def score(text, reference, source):
        found = adapter(text, {"vars": {"reference": reference, "source": source}})
        return found["namedScores"].get(metric.name)

    return over_rows(score)


ADAPTERS = [
    with_evaluate,
    with_sacrebleu,
    with_torchmetrics,
    with_trainer,
    pytest.param(with_mlflow, marks=pytest.mark.long),
    pytest.param(with_lm_eval, marks=pytest.mark.long),
    with_inspect,
    with_deepeval,
    with_promptfoo,
]


@pytest.mark.parametrize("adapter", ADAPTERS, ids=lambda one: one.__name__.removeprefix("with_"))
def test_a_framework_gets_the_metrics_own_mean_and_coverage(metrics, name, adapter):
    result = expected(metrics[name])
    assert adapter(metrics[name]) == (pytest.approx(result.mean, abs=1e-5), pytest.approx(result.coverage))


@pytest.mark.parametrize(
    "metric, error, message",
    [
        (BLEUNeighbors(), NotFittedError, "call `fit` first"),
        (ROUGELM(LengthModel()), ValueError, r"statistics.*development set"),
        ("slor", TypeError, "`metric` to be a metric.*'slor'"),
        (None, TypeError, "`metric` to be a metric.*None"),
    ],
)
@pytest.mark.parametrize(
    "framework, adapter, options",
    [
        ("torchmetrics", "TextQualityMetric", {}),
        ("mlflow", "mlflow_scorer", {}),
        ("inspect_ai", "inspect_scorer", {}),
        ("deepeval", "DeepEvalMetric", {"threshold": 1}),
        ("promptfoo", "promptfoo_assertion", {}),
    ],
)
def test_what_cannot_score_a_text_alone_is_refused(framework, adapter, options, metric, error, message):
    if framework != "promptfoo":
        pytest.importorskip(framework)
    make = getattr(referenceless_metrics, adapter)
    with refused(message, error):
        make(metric, **options)


def test_at_scale(metrics, name, tmp_path):
    if metrics[name].needs_references or metrics[name].needs_sources:
        pytest.skip("Spark and datatrove hand on texts alone")
    pytest.importorskip("datatrove")
    from datatrove.data import Document

    from referenceless_metrics.frameworks.datatrove import ScoreFilter

    scored = [*ScoreFilter(metrics[name])(iter([Document(text=text, id=text) for text in OUTPUTS]))]
    values = [document.metadata[name] for document in scored]
    assert values == pytest.approx(expected(metrics[name]).values.tolist(), abs=1e-5)


@pytest.mark.spark
def test_spark(spark, metrics, name):
    if metrics[name].needs_references or metrics[name].needs_sources or name == third_party.NAME:
        pytest.skip("Spark hands on texts alone, and its workers do not know what this process has installed")
    from referenceless_metrics.frameworks.spark import score_column

    frame = spark.createDataFrame(list(enumerate(OUTPUTS)), "id long, text string")
    rows = score_column(frame, metric=metrics[name]).orderBy("id").collect()
    assert [row[name] for row in rows] == pytest.approx(expected(metrics[name]).values.tolist(), abs=1e-5)
