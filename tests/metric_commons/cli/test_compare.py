"""`referenceless compare`: its figures and formats."""

import json
import re

import numpy as np
import pytest
from command_lines import typed
from example_fits import CANDIDATES, POOL_FILE, RATED_POOL
from sacrebleu.metrics import BLEU, CHRF, TER
from sacrebleu.significance import PairedTest
from text_files import read, write

from bleu_neighbors_metric.integrations.sacrebleu import BLEUNeighborsMetric
from metric_commons.files.output import ROWS_ALONE
from metric_commons.systems.baselines import NAMES
from metric_commons.systems.comparison_output import COMPARISON_FORMATS
from slor_metric.estimator import ROUGELM
from slor_metric.language_models.ngram import train_ngram


@pytest.fixture(autouse=True)
def systems(folder):
    """Two systems and a reference, written to files: a baseline and a worse one."""
    texts = CANDIDATES * 3
    rng = np.random.default_rng(0)
    outputs = {
        "a.txt": texts,
        "b.txt": [" ".join(rng.permutation(text.split())) for text in texts],
        "r.txt": [f"{text} Indeed." for text in texts],
    }
    write_all(outputs)
    return outputs


def write_all(files):
    for name, lines in files.items():
        write(name, lines)


def compare(line, status=0, pool=POOL_FILE):
    return typed(f"compare --metric bleu_neighbors --pool {pool} {line}", status)


def as_json(line, **options):
    return json.loads(compare(f"{line} --format json", **options).out)


def rows_of(content, metric):
    return [row for row in content["rows"] if row["metric"] == metric]


def test_figures_beside_are_those_of_sacrebleus_paired_test(systems):
    content = as_json(f"a.txt b.txt --with {','.join(NAMES).upper()} --references r.txt --n-samples 500")
    metrics = {"BLEU": BLEU(), "chrF2": CHRF(), "chrF2++": CHRF(word_order=2), "TER": TER()}
    named = [(name, systems[name]) for name in ("a.txt", "b.txt")]
    _, scores = PairedTest(named, metrics, [systems["r.txt"]], "ar", 500, n_ar_confidence=0)()
    assert content["n_samples"] == 500
    assert set(content["signatures"]) == {"BLEUNeighbors", *metrics}
    for name in metrics:
        for row, result in zip(rows_of(content, name), scores[name], strict=True):
            assert {figure: row[figure] for figure in vars(result)} == pytest.approx(vars(result)), name
        assert [row["system"] for row in rows_of(content, name)] == ["a", "b"]
    estimates = BLEUNeighborsMetric(*RATED_POOL).metric.predict(systems["a.txt"])
    row = rows_of(content, "BLEUNeighbors")[0]
    assert row["mean"] == pytest.approx(row["score"], abs=0.05)
    assert row["coverage"] == estimates.coverage
    assert content["signatures"]["BLEU"].startswith("nrefs:1|")


@pytest.mark.parametrize("format", [name for name in COMPARISON_FORMATS if name != "parquet"])
def test_no_format_marks_a_difference_of_estimates(format):
    write_all({"bad.txt": ["snow snow the the road snow"] * 36})
    line = "a.txt bad.txt --threshold 0 --max-fraction 1 --weights similarity"
    out = compare(f"{line} --format {format}").out
    assert "*" not in re.sub(r"<(style|script)\b.*?</\1>", "", out, flags=re.DOTALL)
    assert "metric" in out
    if format == "json":
        content = json.loads(out)
        assert any("human-score" in note for note in content["notes"])
        assert content["p_concerns"] == "metric"
    elif format not in ROWS_ALONE:
        assert "says nothing about people" in out


def test_rouge_lm_is_on_one_scale_for_all_systems(systems):
    train_ngram(systems["a.txt"], "lm.npz", order=2)
    line = "compare a.txt b.txt --metric rouge_lm --lm lm.npz --references r.txt --n-samples 50"
    content = json.loads(typed(f"{line} --format json").out)
    together = ROUGELM("lm.npz").score(systems["a.txt"] + systems["b.txt"], systems["r.txt"] * 2).values
    expected = [values.mean() for values in np.split(together, 2)]
    assert [row["score"] for row in rows_of(content, "ROUGE-LM")] == pytest.approx(expected)
    assert "z:first" not in content["signatures"]["ROUGE-LM"]
    typed(f"{line.replace('compare', 'report')} -o page.html")
    assert "<h1>" in read("page.html")
