"""What is said of systems from their scores, on made data of known truth."""

import json
import math

import numpy as np
import pytest
from hypothesis import example, given
from hypothesis import strategies as st
from refusals import refused
from text_files import write

from referenceless_metrics.human_evaluation.scores.findings import compare_scores
from referenceless_metrics.human_evaluation.scores.output import finding_lines, finding_rows
from referenceless_metrics.human_evaluation.scores.table import read_scores


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
    assert first.startswith("score: ours scores higher than base at 95 %: difference +0.5 [")
    assert "same is not shown to differ from base" in second
    assert "at most 0.2" in second
    assert rest == [
        "Intervals and p of differences are corrected for 2 comparisons (Holm).",
        "score: systems that cannot be told apart (all pairs, Holm): base, same.",
    ]
    rows = finding_rows(found)
    assert [row["system"] for row in rows] == ["base", "ours", "same"]
    assert rows[1]["mean"] == 1.0
    assert rows[1]["from"] > 0


def test_what_is_not_worse_is_tested_from_one_side_and_corrected_for_all_comparisons(findings_of):
    generator = np.random.default_rng(0)
    scores = {name: generator.normal(size=30).tolist() for name in ("base", "ours", "third")}
    two, three = ({name: scores[name] for name in list(scores)[:n]} for n in (2, 3))
    estimate = findings_of(rows_of(two)).differences[0].estimate
    at_90, at_95 = (-estimate.interval(level)[0] for level in (0.90, 0.95))
    assert at_90 < at_95
    for margin, alone, among_two in (
        (at_90 - 0.01, False, False),
        (at_90 + 0.01, True, False),
        (at_95 + 0.01, True, True),
    ):
        assert findings_of(rows_of(two), margin=margin).differences[0].not_worse == alone
        assert findings_of(rows_of(three), margin=margin).differences[0].not_worse == among_two


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
    rows += [{"system": "base", "item": " 0 ", "score": 9.0}, {"system": "ours", "item": "7", "score": float("nan")}]
    rows[2]["score"] = "n/a"
    found = findings_of([row | {"score": str(row["score"])} for row in rows])
    assert found.differences[0].n == 4
    assert found.notes == (
        "1 rows repeat an item and system; only the first counts (--run-column tells repeated runs): 0.",
        "2 scores are missing or no finite number, and do not count: 2, 7.",
        "3 items are not scored for all systems; a difference is over the items that both have: 2, 5, 7.",
    )


def test_decimal_commas_and_truths_are_numbers_and_runs_are_averaged(tmp_path):
    rows = ["1;a;0,5;x", "2;a;1,25;x", "1;b;true;x", "2;b;False;x", "1;a;1,5;y"]
    write(tmp_path / "scores.csv", ["item;system;score;run", *rows])
    table = read_scores([str(tmp_path / "scores.csv")], score_columns=["score"], run_column="run")
    assert (table.values["score"].tolist(), table.notes) == ([[1.0, 1.25], [1.0, 0.0]], ())


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
