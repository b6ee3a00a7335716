"""All pairs of systems: each is tested as a comparison of these two alone, and p is corrected for all of them."""

import json

import numpy as np
import pytest
from command_lines import as_json, done, invoke
from numpy.random import default_rng
from sacrebleu.metrics import CHRF
from text_files import write
from toy_metrics import Given, Lengths, texts_of

from referenceless_metrics.comparison.comparison import compare_systems
from referenceless_metrics.comparison.headline import metrics_headline
from referenceless_metrics.comparison.output import render_comparison
from referenceless_metrics.comparison.page import systems_page
from referenceless_metrics.comparison.segments import Measure
from referenceless_metrics.comparison.significance import significance_of
from referenceless_metrics.frameworks.sacrebleu import SacrebleuAdapter
from referenceless_metrics.human_evaluation.wording.headline import RankedPair, scores_of_pairs

CLUSTERS = np.repeat(np.arange(15), 2).tolist()


def outputs(**means):
    """Return systems whose texts have values around these means."""
    rng = default_rng(0)
    return [(name, texts_of(rng.normal(mean, 1, 30))) for name, mean in means.items()]


def compared(systems, **test):
    return compare_systems(systems, SacrebleuAdapter(Given()), n_samples=200, **test)


THREE = outputs(base=0.0, ours=3.0, theirs=6.0)


@pytest.mark.parametrize("clusters", [None, CLUSTERS])
def test_each_pair_has_the_figures_of_a_comparison_of_these_two(clusters):
    result = compared(THREE, all_pairs=True, clusters=clusters)
    assert [(pair.system, pair.baseline) for pair in result.pairs] == [
        ("ours", "base"),
        ("theirs", "base"),
        ("theirs", "ours"),
    ]
    ours, theirs = compared(THREE[1:], clusters=clusters).rows
    last = result.pairs[-1]
    assert last.differences == theirs.differences
    assert last.p_values["Given"] == theirs.results["Given"].p_value
    assert last.leads["Given"] == pytest.approx(theirs.results["Given"].score - ours.results["Given"].score)
    assert result.signatures["Given"].endswith("|pairs:all")
    assert compared(THREE, clusters=clusters).pairs == ()


def test_metrics_with_references_are_tested_for_all_pairs():
    texts = [f"the cat number {n} sat on a mat" for n in range(12)]
    systems = [("a", texts), ("b", [text.upper() for text in texts]), ("c", texts)]
    metric = SacrebleuAdapter(estimator=Lengths())
    result = compare_systems(systems, metric, references=[texts], others=[CHRF()], n_samples=50, all_pairs=True)
    first, same, last = result.pairs
    assert last.leads["chrF2"] == pytest.approx(-first.leads["chrF2"])
    assert (same.p_values["chrF2"], same.n_same) == (1.0, 12)
    assert "a and c have the same outputs" in metrics_headline([result])


def test_p_is_corrected_for_all_pairs_and_caption_and_sentence_say_so():
    result = compared(THREE, all_pairs=True)
    marks = significance_of([result])
    assert (marks.n_tests, marks.family) == (3, "Holm over 3 comparisons: all pairs")
    assert marks.shown["Given"] == {("ours", "base"), ("theirs", "base"), ("theirs", "ours")}
    shown = render_comparison(result)
    assert shown.startswith("By Given, theirs is higher than base and ours; ours is higher than base (95%, Holm over 3")
    assert "after Holm's correction over 3 comparisons (all pairs)" in shown
    assert "theirs less ours" in shown
    assert "For the paper: We compared all pairs of base, ours and theirs on 30 segments" in shown
    latex = render_comparison(result, "latex")
    assert latex.count(r"\begin{table}") == 2
    assert r"\caption{Differences of all pairs of systems on 30 segments, with intervals at Holm's" in latex
    assert "p, after Holm's correction over 3 comparisons, by approximate randomisation" in latex
    assert "{p holm}" in latex
    assert "| theirs less ours | " in render_comparison(result, "markdown")
    told = json.loads(render_comparison(result, "json"))
    assert told["comparisons"] == "all"
    assert [(row["system"], row["baseline"]) for row in told["rows"]][-2:] == [("theirs", "base"), ("theirs", "ours")]
    several = significance_of(
        [result, compare_systems(THREE, SacrebleuAdapter(Lengths()), n_samples=20, all_pairs=True)]
    )
    assert several.counted == "2 metrics × 3 pairs"


def test_without_all_pairs_it_is_said_that_pairs_are_left():
    said = "pairs without base are not tested: --all-pairs tests them, too"
    assert said in render_comparison(compared(THREE))
    assert said not in render_comparison(compared(THREE[:2]))
    assert "baseline" not in json.loads(render_comparison(compared(THREE), "json"))["rows"][1]


def test_of_many_pairs_those_are_named_that_cannot_be_told_apart():
    pairs = [RankedPair(a, b, b != "b") for place, a in enumerate("abcdef") for b in "abcdef"[place + 1 :]]
    assert (
        scores_of_pairs(pairs, "abcdef")
        == "two systems differ in 14 of 15 pairs; systems that cannot be told apart: a, b"
    )
    apart = [pair._replace(is_shown=True) for pair in pairs]
    assert scores_of_pairs(apart, "abcdef").endswith("15 of 15 pairs; the order is a, b, c, d, e, f")
    assert scores_of_pairs([RankedPair("a", "b", False)], "ab") == "no difference is shown between a and b"


def test_the_page_shows_a_matrix_of_all_pairs():
    metric = SacrebleuAdapter(Given())
    result = compare_systems(THREE, metric, n_samples=200, all_pairs=True)
    page = systems_page(THREE, [Measure("Given", metric.results, None, result, {})])
    assert "All pairs by Given: how much higher the row is than the column (Holm over 3 comparisons: all pairs)" in page
    assert page.count('<abbr title="shown">*</abbr>') == 6
    assert "All pairs by" not in systems_page(THREE, [Measure("Given", metric.results, None, compared(THREE), {})])


def test_of_each_pair_the_higher_one_by_the_first_metric_comes_first_by_all_metrics(folder):
    long, short = (["the old dog slept on a warm mat"] * 6 + [f"a cat {n}" for n in range(6)], ["a cat"] * 12)
    for name, texts in (("base", long), ("ours", short), ("theirs", [f"a {text}" for text in short])):
        write(f"{name}.txt", texts)
    write("refs.txt", short)
    line = "compare base.txt ours.txt theirs.txt --metric fluency_ngram --with ter --references refs.txt --n-samples 20"
    rows = [row for row in as_json(f"{line} --all-pairs")["rows"] if row["baseline"]]
    of_metric = {row["metric"]: [] for row in rows}
    for row in rows:
        of_metric[row["metric"]].append((row["system"], row["baseline"]))
    by_first, by_ter = of_metric.values()
    assert by_first == by_ter
    assert all(row["difference"] >= 0 for row in rows if row["metric"] != "TER")
    alone = {row["system"]: row["score"] for row in as_json(line)["rows"] if row["metric"] == "TER"}
    told = [row for row in rows if row["metric"] == "TER" and row["difference"] is not None]
    assert any(row["difference"] < 0 for row in told)
    for row in told:
        assert row["difference"] == pytest.approx(alone[row["system"]] - alone[row["baseline"]])
        assert row["difference_low"] <= row["difference"] <= row["difference_high"]


def test_the_command_takes_all_pairs_and_a_gate_does_not(folder):
    for name, texts in THREE:
        write(f"{name}.txt", [f"the cat number {text} sat on a mat" for text in texts])
    line = "compare base.txt ours.txt theirs.txt --metric fluency_ngram --n-samples 20 --all-pairs"
    assert "ours less theirs" in done(line).stdout
    assert "--fail-if-worse judges systems beside the baseline alone" in invoke(f"{line} --fail-if-worse").output
