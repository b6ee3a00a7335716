"""BLEU, chrF and TER in a comparison: alone, and the intervals of their differences."""

import json
from types import SimpleNamespace

import numpy as np
import pytest
from command_lines import as_json, typed
from numpy.random import default_rng
from sacrebleu.metrics import BLEU, TER
from scipy.stats import ttest_rel
from text_files import read, write

from referenceless_metrics import compare, report
from referenceless_metrics.comparison.corpus_metrics import RESAMPLES, Counted

N_LINES = 40


@pytest.fixture(autouse=True)
def german(folder):
    """Two systems' outputs and references in German, the second system worse."""
    rng = default_rng(0)
    words = ["der Hund", "die Katze", "das Haus", "den Wagen", "ein Buch", "die Stadt", "den Weg"]
    lines = [" ".join(rng.permutation(words)[:4]) + "." for _ in range(N_LINES)]
    outputs = {
        "ref.txt": lines,
        "a.txt": [line.replace("Hund", "Mann") for line in lines],
        "b.txt": [line.replace("Hund", "Mann").replace("Haus", "Auto").replace("Stadt", "Welt") for line in lines],
    }
    for name, texts in outputs.items():
        write(name, texts)
    return outputs


class Mean:
    """A metric in sacrebleu's form whose score is the mean of numbers."""

    def _extract_corpus_statistics(self, values, _):
        return [[value, 1.0] for value in values]

    def _compute_score_from_stats(self, sums):
        return SimpleNamespace(score=sums[0] / sums[1])

    _aggregate_and_compute = _compute_score_from_stats


def test_the_bootstrap_of_a_mean_has_the_error_of_the_paired_t_test():
    rng = default_rng(1)
    base = rng.normal(size=60)
    better = base + rng.normal(0.4, 1.0, 60)
    counted = Counted.of(Mean(), [("a", base), ("b", better)], None, np.arange(60))
    difference = counted.difference(1, 0)
    paired = ttest_rel(better, base)
    assert difference.value == pytest.approx(float((better - base).mean()))
    assert difference.interval() == pytest.approx(tuple(paired.confidence_interval(0.95)), abs=0.03)
    assert len(counted.resampled[0]) == RESAMPLES
    assert Counted.of(Mean(), [("a", base), ("b", better)], None, np.arange(60) % 9).difference(1, 0) is None


def test_the_bootstrap_draws_the_same_segments_of_both_systems(german):
    """Twin: BLEU of the texts of each resample themselves."""
    systems = [(name, german[name]) for name in ("a.txt", "b.txt")]
    counted = Counted.of(BLEU(), systems, [german["ref.txt"]], np.arange(N_LINES))
    times = default_rng(12345).multinomial(N_LINES, np.full(N_LINES, 1 / N_LINES), RESAMPLES)[:5]
    for place, (_, texts) in enumerate(systems):
        for resample, found in zip(times, counted.resampled[place], strict=False):
            drawn, references = (np.repeat(lines, resample).tolist() for lines in (texts, german["ref.txt"]))
            assert found == pytest.approx(BLEU().corpus_score(drawn, [references]).score)


def test_a_blank_reference_is_none(german):
    second = ["" if place % 3 else f"Und {line}" for place, line in enumerate(german["ref.txt"])]
    write("second.txt", second)
    found = as_json("compare a.txt b.txt --metric bleu --references ref.txt --references second.txt -f json")
    bleu = BLEU()
    score = bleu.corpus_score(german["a.txt"], [german["ref.txt"], [line or None for line in second]])
    assert found["rows"][0]["score"] == pytest.approx(score.score)
    assert "nrefs:var" in json.dumps(found)


def test_outputs_in_another_language_are_compared_by_metrics_with_references_alone(german):
    content = as_json("compare a.txt b.txt --metric bleu --metric TER --references ref.txt --n-samples 200")
    rows = {(row["metric"], row["system"]): row for row in content["rows"]}
    assert list(rows) == [("BLEU", "a"), ("BLEU", "b"), ("TER", "a"), ("TER", "b")]
    for name, metric in (("BLEU", BLEU()), ("TER", TER())):
        scores = [metric.corpus_score(german[file], [german["ref.txt"]]).score for file in ("a.txt", "b.txt")]
        row = rows[name, "b"]
        assert row["score"] == pytest.approx(scores[1])
        assert row["difference"] == pytest.approx(scores[1] - scores[0])
        assert row["difference_low"] < row["difference"] < row["difference_high"]
        assert row["coverage"] == 1.0
    (sentence,) = [note for note in content["notes"] if note.startswith("For the paper")]
    assert "by BLEU and TER of sacrebleu, with paired" in sentence
    assert "intervals of differences by paired bootstrap (1,000 resamples)" in sentence


def test_fluency_on_another_language_names_the_call_that_compares_it():
    for name in ("a.txt", "b.txt"):
        write(name, ["собака видит дом на горе"] * N_LINES)
    err = " ".join(typed("compare a.txt b.txt --with bleu --references ref.txt", 1).err.split())
    assert "`--metric bleu --metric chrf --references FILE`" in err
    assert "by them alone, in `compare` and in `report`" in err
    assert "Outputs in any language: --metric bleu, chrf, chrf++ or ter" in " ".join(
        typed("compare --help").out.split()
    )


def test_a_metric_named_twice_is_compared_once_and_with_adds_others():
    line = "compare a.txt b.txt --metric bleu --with bleu,chrf --references ref.txt --n-samples 50"
    assert [row["metric"] for row in as_json(line)["rows"]] == ["BLEU", "chrF2"] * 2
    rows = as_json("compare a.txt b.txt --metric ter --metric fluency_ngram --references ref.txt --n-samples 50")[
        "rows"
    ]
    assert [row["metric"] for row in rows] == ["TER", "TER", "FluencyNgram", "FluencyNgram"]
    assert "No such option" in typed("compare a.txt b.txt --metric bleu --lm x --references ref.txt", 2).err


def test_documents_are_resampled_whole():
    write("docs.txt", [f"d{n // 3}" for n in range(N_LINES)])
    line = "compare a.txt b.txt --metric chrf --references ref.txt --cluster-column docs.txt --n-samples 200"
    told = typed(line).out
    assert "paired bootstrap (1,000 resamples of clusters)" in " ".join(told.split())
    write("docs.txt", [f"d{n // 6}" for n in range(N_LINES)])
    assert "fewer than 10 clusters of segments" in " ".join(typed(line).out.split())


def test_a_gate_knows_that_a_lower_ter_is_better():
    end = "--metric ter --references ref.txt --n-samples 200 --fail-if-worse -o rows.json"
    assert "not worse" in typed(f"compare b.txt a.txt {end}").err
    assert "b (TER)" not in typed(f"compare a.txt b.txt {end}", 1).err
    assert "b: worse" in typed(f"compare a.txt b.txt {end}", 1).err


def test_the_page_and_the_picture_are_those_of_the_metric():
    typed("report a.txt b.txt --metric bleu --references ref.txt --n-samples 50 -o page.html")
    page = read("page.html")
    assert "<title>BLEU: 2 systems" in page
    assert "greater is better" in page
    typed("report b.txt a.txt --metric ter --references ref.txt --n-samples 50 -o page.html")
    page = read("page.html")
    assert "less is better" in page
    assert page.index('class="name s1"') < page.index('class="name s0"')  # the lower TER stands first
    typed("compare a.txt b.txt --metric ter --references ref.txt --n-samples 50 --plot plot.svg -o rows.json")
    assert "TER" in read("plot.svg")
    assert json.loads(read("rows.json"))["rows"][1]["difference"] is not None


def test_python_takes_them_by_name(german):
    systems = {name: german[f"{name}.txt"] for name in "ab"}
    found = compare(systems, "bleu", references=german["ref.txt"], others=["ter"], n_samples=50)
    assert list(found.rows[1].results) == ["BLEU", "TER"]
    second = found.rows[1]
    assert second.difference == second.differences["BLEU"]
    assert second.differences["BLEU"].value < 0 < second.differences["TER"].value
    assert "<title>chrF2 and BLEU" in report(systems, ["chrf", "bleu"], references=german["ref.txt"], n_samples=50)


def test_metrics_with_references_are_refused_for_outputs_of_other_inputs():
    assert "bleu reads references" in typed("compare a.txt b.txt --unpaired --metric bleu", 2).err
    assert "give --references FILE" in " ".join(typed("compare a.txt b.txt --metric bleu", 2).err.split())
