"""Findings on systems from their scores, on made data of known truth."""

import json
import math
from dataclasses import replace

import numpy as np
import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st
from refusals import refused
from scipy import stats
from text_files import write

from referenceless_metrics.human_evaluation.drawings.scores import score_plots, system_places
from referenceless_metrics.human_evaluation.scores.findings import compare_scores
from referenceless_metrics.human_evaluation.scores.output import (
    finding_basis,
    finding_lines,
    finding_note,
    finding_rows,
)
from referenceless_metrics.human_evaluation.scores.table import read_scores
from referenceless_metrics.human_evaluation.wording.headline import scores_headline
from referenceless_metrics.human_evaluation.wording.holm_level import holm_sentence


def rows_of(scores, **columns):
    """Rows of a file, from systems to their scores on items 0 to n."""
    return [
        {"system": system, "item": item, "score": value} | {name: values[item] for name, values in columns.items()}
        for system, values_of in scores.items()
        for item, value in enumerate(values_of)
    ]


@pytest.fixture
def findings_of(tmp_path):
    def findings(rows, *, reading=None, **options):
        write(tmp_path / "scores.jsonl", map(json.dumps, rows))
        return compare_scores(read_scores([str(tmp_path / "scores.jsonl")], **(reading or {})), **options)

    return findings


@settings(max_examples=8)
@example([[0] * 12, [1] * 5 + [0] * 7], True)  # exact, p is .0625: Newcombe's interval alone leaves out 0
@given(st.lists(st.lists(st.integers(0, 3), min_size=12, max_size=12), min_size=3, max_size=5), st.booleans())
def test_test_and_interval_never_contradict(tmp_path_factory, systems, binary):
    place = tmp_path_factory.mktemp("scores") / "scores.jsonl"
    shown = {f"s{at}": [min(v, 1) if binary else v + 0.5 for v in row] for at, row in enumerate(systems)}
    write(place, map(json.dumps, rows_of(shown)))
    for each in compare_scores(read_scores([str(place)])).differences:
        if not math.isnan(each.p_adjusted):
            low, high = each.interval
            assert (each.p_adjusted <= 0.05) == (low > 0 or high < 0)


def test_what_is_said(findings_of):
    scores = {"base": [0, 1] * 20, "ours": [1, 1] * 20, "same": [0, 1] * 20}
    found = findings_of(rows_of(scores), margin=0.2)
    ours, same = found.differences
    assert (ours.wins, ours.ties, ours.losses, ours.is_shown(0.95)) == (20, 20, 0, True)
    assert (same.p_adjusted, same.is_shown(0.95), same.not_worse) == (1.0, False, True)
    assert found.groups == {"score": [["ours"], ["base", "same"]]}
    first, second, *rest = finding_lines(found)
    assert first.startswith("score: ours scores higher than base at 95 %: difference +0.500 [")
    assert first.endswith("; it is not worse by 0.2.")
    assert second == "score: same and base have equal scores on all 40 items, p = 1.0000."
    assert rest == [
        "p of differences is corrected for 2 comparisons.",
        holm_sentence(0.95, 2),
        "Higher score counts as better: if lower is, say --lower-is-better score.",
        "score, over all 3 pairs of systems (Holm): systems that cannot be told apart: base, same.",
        "p and intervals of differences: McNemar's exact test, with Newcombe's interval.",
    ]
    assert score_plots(found)[1].across.endswith("; dashed: no difference; filled: shown")
    rows = finding_rows(found)
    assert [row["system"] for row in rows] == ["base", "ours", "same"]
    assert rows[1]["mean"] == 1.0
    assert rows[1]["from"] > 0


def test_of_three_systems_it_is_said_whether_all_pairs_differ(findings_of):
    apart = {"b": [0.0, 1.0] * 20, "c": [5.0, 6.5] * 20, "a": [9.0, 9.5] * 20}
    alike = {name: [0, 1, 1, 0] * 10 for name in "abc"}
    said = "score, over all 3 pairs of systems (Holm): "
    assert f"{said}all are shown to differ; the best first: a, c, b." in finding_lines(findings_of(rows_of(apart)))
    assert f"{said}no two systems are shown to differ." in finding_lines(findings_of(rows_of(alike)))
    two = {name: apart[name] for name in "ab"}
    assert not any("pairs" in line for line in finding_lines(findings_of(rows_of(two))))


def test_of_several_scores_nothing_is_said_beside_their_one_family(findings_of):
    found = findings_of(rows_of({"b": [0.0, 1.0] * 20, "c": [5.0, 6.5] * 20, "a": [9.0, 9.5] * 20}))
    found = replace(found, groups={"score": [["a"], ["c"], ["b"]], "other": [["a"], ["c"], ["b"]]})
    assert not any("pairs of systems" in line for line in finding_lines(found))


def test_of_several_scores_it_is_said_that_fewer_may_be_named(findings_of):
    rows = rows_of({"base": [0, 1] * 20, "ours": [1, 1] * 20}, length=list(range(40)))
    rows = [{**row, "length": row["length"] + row["score"] + row["item"] % 3} for row in rows]
    found = findings_of(rows, reading={"score_columns": ["score", "length"]})
    (told,) = [line for line in finding_lines(found) if line.startswith("p of differences")]
    assert told.startswith("p of differences is corrected for 2 comparisons by all scores together; if some of these")


def test_the_baseline_is_the_first_row_and_the_others_stand_as_given(findings_of):
    rows = rows_of({"mid": [2, 3] * 20, "best": [4, 5] * 20, "worst": [0, 1] * 20})
    for baseline, order in ((None, ["mid", "best", "worst"]), ("worst", ["worst", "mid", "best"])):
        found = findings_of(rows, baseline=baseline)
        assert [row["system"] for row in finding_rows(found)] == order
        assert list(system_places(found)) == order
        assert [each.system for each in found.differences] == order[1:]


def test_what_is_not_worse_is_tested_from_one_side_and_corrected_for_all_comparisons(findings_of):
    generator = np.random.default_rng(0)
    scores = {name: generator.normal(size=60).tolist() for name in ("base", "ours", "third")}
    two, three = ({name: scores[name] for name in list(scores)[:n]} for n in (2, 3))
    estimate = findings_of(rows_of(two)).differences[0].estimate
    at_90, at_95 = (-estimate.interval(level)[0] for level in (0.90, 0.95))
    assert at_90 < at_95
    for margin, alone, among_two in (
        (at_90 - 0.01, None, None),
        (at_90 + 0.01, True, None),
        (at_95 + 0.01, True, True),
    ):
        assert findings_of(rows_of(two), margin=margin).differences[0].not_worse == alone
        assert findings_of(rows_of(three), margin=margin).differences[0].not_worse == among_two


def test_a_margin_has_no_verdict_if_few_clusters_show_no_difference(findings_of):
    base = np.random.default_rng(0).uniform(0.5, 0.8, 80)
    for gain, shown in ((0.0, "ours is not shown to differ from base"), (-0.03, "ours scores lower than base")):
        scores = {"base": base.tolist(), "ours": (base + gain + np.repeat(0.004 * np.array([-1, 1] * 4), 10)).tolist()}
        rows = rows_of(scores, document=[f"d{item // 10}" for item in range(80)])
        found = findings_of(rows, margin=0.1, reading={"cluster_column": "document"})
        line, *_ = finding_lines(found)
        assert shown in line
        assert line.endswith("; no verdict on the margin of 0.1: 8 clusters, and 20 are needed.")
        assert finding_rows(found)[1]["not worse"] is None


def test_a_verdict_on_a_margin_does_not_contradict_the_test(findings_of):
    """A system that is shown to be better is not worse, though a one-sided bound takes 20 clusters."""
    base = np.random.default_rng(0).uniform(0.5, 0.8, 80)
    better = (base + 0.03 + np.repeat(0.004 * np.array([-1, 1] * 4), 10)).tolist()
    rows = rows_of({"base": base.tolist(), "ours": better}, document=[f"d{item // 10}" for item in range(80)])
    found = findings_of(rows, margin=0.01, reading={"cluster_column": "document"})
    line, *_ = finding_lines(found)
    assert "ours scores higher than base" in line
    assert line.endswith("80 items in 8 clusters; it is not worse by 0.01.")
    assert finding_rows(found)[1]["not worse"] is True


def test_the_headline_counts_the_comparisons_that_are_tested(findings_of):
    values = np.random.default_rng(0).uniform(0.5, 0.8, (3, 40)).tolist()
    scores = dict(zip(("base", "ours", "third"), values, strict=True)) | {"small": [0.6, 0.7]}
    found = findings_of(rows_of(scores), level=0.999)
    headline = scores_headline(found)
    assert " (99.9%, Holm over 2 comparisons); nothing can be said of small beside base." in headline
    assert "p holm: by the paired t test, corrected for 2 comparisons (Holm)." in finding_basis(found)


@pytest.mark.parametrize("unpaired, test", [(False, "the paired t test"), (True, "Welch's t test")])
def test_the_test_that_is_named_allows_for_clusters_if_items_lie_in_some(findings_of, unpaired, test):
    values = np.random.default_rng(0).uniform(0.5, 0.8, (2, 40)).tolist()
    rows = rows_of(dict(zip(("base", "ours"), values, strict=True)), document=[f"d{item // 4}" for item in range(40)])
    for reading, errors in (({}, ""), ({"cluster_column": "document"}, " with cluster-robust errors")):
        found = findings_of(rows, unpaired=unpaired, reading=reading)
        assert f"p: by {test}{errors}." in finding_basis(found)  # one comparison: there is nothing to correct
        assert f"p and intervals of differences: {test}{errors}." in finding_lines(found)


def test_a_score_without_a_test_has_no_p_of_another_score(findings_of):
    base = np.random.default_rng(0).uniform(0.5, 0.8, 40)
    rows = rows_of({"base": base.tolist(), "ours": (base + 0.1 + 0.01 * np.tile([-1, 1], 20)).tolist()})
    rows = [{**row, "few": row["score"] if row["item"] == 0 else None} for row in rows]
    found = findings_of(rows, reading={"score_columns": ["score", "few"]})
    headline = scores_headline(found)
    assert headline.startswith("By score, ours is higher than base (p < 0.0001, one comparison). By few, nothing")
    assert "By few, nothing can be said of ours beside base. " in headline


def test_a_loss_is_worse_by_more_than_a_margin_that_it_exceeds(findings_of):
    base = np.random.default_rng(0).uniform(0.5, 0.8, 80)
    scores = {"base": base.tolist(), "ours": (base - 0.2 + 0.01 * np.tile([-1, 1], 40)).tolist()}
    for margin, verdict, told in ((0.1, False, "it is worse by more than 0.1."), (0.2, None, "one-sided bounds -0.")):
        found = findings_of(rows_of(scores), margin=margin)
        assert found.differences[0].not_worse is verdict
        assert told in finding_lines(found)[0]


@pytest.mark.parametrize("unpaired", [False, True])
@pytest.mark.parametrize("shares", [False, True])
def test_lower_scores_win_if_the_user_says_so(findings_of, unpaired, shares):
    """The same findings as of negative scores, but for the sign of the figures."""
    generator = np.random.default_rng(3)
    base = generator.gamma(2, 1, 80)
    scores = {"base": base, "ours": base - 1 + generator.normal(0, 0.5, 80)}
    if shares:
        scores = {name: (values > 1.5).astype(float) for name, values in scores.items()}
    rows = rows_of({name: values.tolist() for name, values in scores.items()})
    turned = rows_of({name: (1 - values if shares else -values).tolist() for name, values in scores.items()})
    options = {"margin": 0.1, "unpaired": unpaired, "scale": None if shares else (-9, 9)}
    lower = findings_of(rows, reading={"lower_is_better": ["score"]}, **options)
    (found,), (other,) = lower.differences, findings_of(turned, **options).differences
    assert (found.wins, found.losses, found.not_worse) == (other.wins, other.losses, other.not_worse)
    assert (found.estimate.value, *found.interval) == pytest.approx(
        (-other.estimate.value, *(-end for end in other.interval[::-1]))
    )
    assert found.gain.bounds_at(0.9) == pytest.approx(other.bounds_at(0.9))
    assert lower.groups["score"][0][0] == "ours"
    assert "By score (lower is better), ours is lower than base" in scores_headline(lower)
    assert "ours scores lower (better) than base" in finding_lines(lower)[0]
    assert "|lower_is_better:score|" in finding_note(lower)[-1]


@pytest.mark.parametrize("unpaired", [False, True])
@pytest.mark.parametrize("shares", [False, True])
def test_bounds_that_leave_a_margin_open_are_told_as_the_lower_scores_are(findings_of, unpaired, shares):
    generator = np.random.default_rng(5)
    scores = {"base": generator.gamma(2, 1, 80), "ours": generator.gamma(2.2, 1, 80)}
    if shares:
        scores = {name: (values > 1.5).astype(float) for name, values in scores.items()}
    turned = {name: (1 - values if shares else -values).tolist() for name, values in scores.items()}
    rows = rows_of({name: values.tolist() for name, values in scores.items()})
    options = {"margin": 0.1, "unpaired": unpaired, "scale": None if shares else (-20, 20)}
    (found,) = findings_of(rows, reading={"lower_is_better": ["score"]}, **options).differences
    (other,) = findings_of(rows_of(turned), **options).differences
    assert found.not_worse is other.not_worse is None
    low, high = (float(end) for end in other.no_verdict.removeprefix("one-sided bounds ").split(" and "))
    assert low < high
    assert found.no_verdict == f"one-sided bounds {-high:+.3g} and {-low:+.3g}"


def test_a_score_that_is_usually_better_if_lower_is_taken_so_with_a_note(findings_of):
    rows = [{"item": i, "system": s, "MetricX-24": i % 5 + 1} for i in range(9) for s in "ab"]
    told = findings_of(rows)
    assert told.assumed[-1].startswith("lower MetricX-24 counts as better, as its name tells")
    named = findings_of(rows, reading={"lower_is_better": ["MetricX-24"]})
    assert named.assumed == told.assumed[:-1]
    assert named.lower_is_better == told.lower_is_better == ("MetricX-24",)
    assert not findings_of(rows, reading={"lower_is_better": ["none"]}).lower_is_better
    negative = [row | {"MetricX-24": -row["MetricX-24"]} for row in rows]
    assert not any("--lower-is-better" in note for note in findings_of(negative).assumed)
    assert not findings_of(negative).lower_is_better
    with refused("--lower-is-better ter: there is no such score; the scores are 'MetricX-24'"):
        findings_of(rows, reading={"lower_is_better": ["ter"]})


def test_the_least_difference_that_scores_find_does_not_rest_on_the_rank_of_its_p(findings_of):
    noise = np.random.default_rng(0).normal(size=(2, 40))
    base = np.zeros(40)
    alone = findings_of(rows_of({"base": base, "ours": noise[0]})).differences[0]
    beside = findings_of(rows_of({"base": base, "ours": noise[0], "best": noise[1] + 3})).differences[0]
    assert beside.p_adjusted == pytest.approx(beside.p_value)  # the last that Holm tests
    assert beside.detectable == pytest.approx(alone.estimate.detectable(1 - 0.05 / 2))
    assert beside.detectable_by_more == pytest.approx(alone.estimate.detectable(1 - 0.05 / 2, 4))


def test_nothing_is_said_of_differences_that_do_not_vary(findings_of):
    found = findings_of(rows_of({"base": [1.5] * 9, "ours": [2.5] * 9}))
    assert finding_lines(found)[0] == "score: ours cannot be told from base: no difference varies."
    ties = findings_of(rows_of({"base": [1] * 40, "ours": [1] * 40}))
    assert finding_lines(ties)[0].endswith("p = 1.0000.")  # and no difference of 0 that so many items find
    unlike = [{"base": [0] * 40, "ours": [1] * n + [0] * (40 - n)} for n in (9, 10)]
    detectable = [findings_of(rows_of(scores)).differences[0].detectable for scores in unlike]
    assert np.isnan(detectable).tolist() == [True, False]  # the exact test seldom finds so few
    few = findings_of(rows_of({"base": [1.5, 2, 3], "ours": [2.5, 1, 4]}))
    assert "fewer than 5 items" in finding_lines(few)[0]


def test_slices_are_families_of_their_own(findings_of):
    generator = np.random.default_rng(1)
    base = generator.normal(size=40)
    ours = base + np.where(np.arange(40) < 20, 1.0, 0.0) + generator.normal(size=40) / 4
    rows = rows_of({"base": base.tolist(), "ours": ours.tolist()}, part=["long"] * 20 + ["short"] * 20)
    found = findings_of(rows, reading={"slice_column": "part"})
    assert [(each.slice, each.n, each.is_shown(0.95)) for each in found.differences] == [
        ("", 40, True),
        ("long", 20, True),
        ("short", 20, False),
    ]
    assert all(each.p_adjusted == each.p_value for each in found.differences)


def test_rows_that_do_not_count_are_counted_and_named(findings_of):
    rows = rows_of({"base": [1.0, 2.0, 3.0, 4.0, 5.0, 6.0], "ours": [1.5, 2.0, 4.0, 4.5, 5.0]})
    rows += [rows[0], {"system": "ours", "item": "7", "score": float("nan")}]
    rows[2]["score"] = "n/a"
    found = findings_of([row | {"score": str(row["score"])} for row in rows])
    assert found.differences[0].n == 4
    assert [note.split(": ", 1)[-1] if "equal" in note else note for note in found.notes] == [
        "1 row is equal to another, and is left out.",
        "2 scores are missing, and do not count: 2, 7.",
        "2 items are not scored for all systems; a difference is over the items that both have: 2, 5.",
    ]


def test_bad_input_is_refused(findings_of):
    two = {"base": [1.0, 2.0], "ours": [1.0, 2.0]}
    with refused("at least two systems, but there is base"):
        findings_of(rows_of({"base": [1.0, 2.0]}))
    with refused("no system 'them' to compare with; the systems are base, ours"):
        findings_of(rows_of(two), baseline="them")
    with refused("no column 'no' .*--score-column"):
        findings_of(rows_of(two), reading={"score_columns": ["no"]})
    with refused("item '1' is in two clusters: 'b' and 'c'"):
        rows = [row | {"doc": doc} for row, doc in zip(rows_of(two), "abac", strict=True)]
        findings_of(rows, reading={"cluster_column": "doc"})


def test_a_difference_that_is_rounding_is_none(findings_of):
    """Two ways to write the harmonic mean, which differ in the last bit."""
    generator = np.random.default_rng(0)
    p, q = generator.uniform(0.1, 1, (2, 200))
    equal = {"a": (2 * p * q / (p + q)).tolist(), "b": (2 / (1 / p + 1 / q)).tolist()}
    assert equal["a"] != equal["b"]
    found = findings_of(rows_of(equal), margin=0.1)
    assert found.differences[0].is_equal
    assert (found.differences[0].p_adjusted, found.differences[0].not_worse) == (1.0, True)
    assert finding_lines(found)[0] == "score: b and a have equal scores on all 200 items, p = 1.0000."
    cancelling = findings_of(rows_of({"a": [0.1, 0.2, 0.3] * 4, "b": [0.3, 0.1, 0.2] * 4}))
    assert (cancelling.differences[0].estimate.value, cancelling.differences[0].p_value) == (0.0, 1.0)


def test_systems_without_a_common_item_are_compared_only_if_items_were_assigned_at_random(findings_of):
    generator = np.random.default_rng(0)
    rows = [
        {"system": system, "item": f"{system}{item}", "score": value}
        for system, shift in (("a", 0), ("b", 1))
        for item, value in enumerate(generator.normal(shift, 1, 30).tolist())
    ]
    with refused("b and a have no common item with scores .b: b0.* a: a0.*--unpaired"):
        findings_of(rows)
    found = findings_of(rows, unpaired=True)
    difference = found.differences[0]
    a, b = ([row["score"] for row in rows if row["system"] == system] for system in "ab")
    welch = stats.ttest_ind(b, a, equal_var=False)
    assert difference.p_value == pytest.approx(welch.pvalue, rel=1e-6)
    assert difference.interval == pytest.approx(tuple(welch.confidence_interval(0.95)))
    assert "Means of different items are compared" in finding_lines(found)[2]
    assert math.isnan(finding_rows(found)[1]["wins"])
    without = [{name: row[name] for name in ("system", "score")} for row in rows]
    of_rows = findings_of(without, unpaired=True, reading={"unpaired": True})
    assert of_rows.differences[0].interval == difference.interval
    with refused("systems differ in the number of rows: a has 30, b has 29.*--unpaired"):
        findings_of(without[:-1])
    binary = findings_of([row | {"score": row["score"] > 0.5} for row in rows], unpaired=True).differences[0]
    assert (binary.p_value <= 0.05) == (binary.interval[0] > 0)


def test_a_column_that_is_called_as_documents_are_is_pointed_out(findings_of):
    values = np.random.default_rng(0).uniform(0.5, 0.8, (2, 40)).tolist()
    rows = rows_of(dict(zip(("base", "ours"), values, strict=True)), document=[f"d{item // 5}" for item in range(40)])
    (note,) = findings_of(rows).notes
    assert note.startswith("There is a column 'document'. If outputs of one document are rated alike, intervals")
    assert note.endswith("name it (--cluster-column document).")
    assert not findings_of(rows, reading={"cluster_column": "document"}).notes
    assert not findings_of(rows, reading={"slice_column": "document"}).notes
