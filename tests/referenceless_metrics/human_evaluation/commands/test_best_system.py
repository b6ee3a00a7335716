"""The headline names the system with the best mean, if there are three and nobody named one to compare with."""

import re

import pytest
from command_lines import as_json, typed
from numpy.random import default_rng
from text_files import read, write_table

pytestmark = pytest.mark.filterwarnings("ignore")


@pytest.fixture(autouse=True)
def folder(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    draw = default_rng(0)
    rows = []
    for item in range(40):
        level = draw.normal()
        for system, shift in (("base", 0), ("best", 2.1), ("near", 1.9)):
            quality = level + shift + draw.normal() / 2
            rows.append((item, system, "ann", round(quality, 2), round(10 - quality, 2)))
    write_table("rated.csv", ["item", "system", "rater", "rating", "ter"], rows)


OPENINGS = {
    "human-score --ratings rated.csv": (
        "Highest mean rating: best (",
        "Over all 3 pairs (Holm), near is not shown to be rated lower than best.",
    ),
    "compare --scores rated.csv --score-column rating": (
        "Highest mean rating: best (",
        "rating, over all 3 pairs of systems (Holm): systems that cannot be told apart: best, near.",
    ),
    "compare --scores rated.csv --score-column ter": (
        "Lowest mean ter: best (",
        "ter, over all 3 pairs of systems (Holm): systems that cannot be told apart: best, near.",
    ),
}


@pytest.mark.parametrize("line", OPENINGS)
def test_the_best_stands_first_and_those_that_may_be_as_good_in_a_sentence_with_its_own_correction(line):
    opening, others = OPENINGS[line]
    told = typed(line).out
    assert " ".join(told.split()).startswith(opening)
    assert others in " ".join(told.split())
    named = typed(f"{line} --baseline near").out
    assert "est mean" not in named.split("(")[0]


def test_three_systems_stand_in_the_order_of_their_means_unless_a_baseline_is_named():
    line = "human-score --ratings rated.csv"
    for further, names in (
        ("", ["best", "near", "base", "best less base", "near less base"]),
        (" --all-pairs", ["best", "near", "base", "best less near", "best less base", "near less base"]),
        (" --baseline near", ["near", "base", "best", "base less near", "best less near"]),
    ):
        rows = as_json(f"{line}{further}")["rows"]
        assert [f"{row['system']} less {row['less']}" if row["less"] else row["system"] for row in rows] == names


def test_a_headline_has_one_family_of_tests():
    both = "--rating-column rating --rating-column ter --columns-are criteria"
    for line in (*OPENINGS, f"human-score --ratings rated.csv {both}"):
        for further in ("", " --all-pairs", " --baseline best"):
            headline = as_json(f"{line}{further}")["headline"]
            assert len(set(re.findall(r"Holm over [^)]*", headline))) == 1, headline
    assert "Over all 6 pairs (Holm), " in " ".join(typed(f"human-score --ratings rated.csv {both}").out.split())


def test_of_marked_errors_0_is_best():
    draw = default_rng(1)
    rows = [["system", "seg_id", "rater", "category", "severity"]]
    for place, system in enumerate("abc"):
        for item in range(20):
            n_errors = int(draw.integers(0, 3)) + place
            rows += [[system, item, "r", "Style", "Minor"]] * n_errors or [[system, item, "r", "no-error", "no-error"]]
    write_table("mqm.tsv", rows[0], rows[1:], delimiter="\t")
    assert "; 0 is best). " in typed("human-score --ratings mqm.tsv").out.splitlines()[0]
    assert "; 0 is best). " in typed("compare --scores mqm.tsv").out.splitlines()[0]
    assert "counts as better" not in typed("compare --scores mqm.tsv --worst 3").out
    typed("human-score --ratings mqm.tsv --plot mqm.svg")
    assert "Mean MQM score (0 is best)" in read("mqm.svg")
    few = [row for row in rows if row[1] in ("seg_id", 0, 1, 2)]
    write_table("few.tsv", few[0], few[1:], delimiter="\t")
    assert "; 0 is best); no two systems are tested. " in typed("compare --scores few.tsv").out.splitlines()[0]


def test_all_pairs_of_scores_have_a_row_each_and_the_baseline_changes_nothing():
    line = "compare --scores rated.csv --score-column rating --all-pairs"
    rows = as_json(line)["rows"]
    pairs = {(row["system"], row["less"]): row for row in rows if row["less"]}
    assert set(pairs) == {("best", "base"), ("near", "base"), ("best", "near")}
    assert all(row["difference"] > 0 for row in pairs.values())
    assert all(row["difference"] is None for row in rows if not row["less"])
    of_one = as_json("compare --scores rated.csv --score-column rating --baseline best")["rows"]
    near = next(row for row in of_one if row["system"] == "near")
    assert pairs["best", "near"]["difference"] == -near["difference"]
    told = " ".join(typed(line).out.split())
    assert "By rating, best is higher than base; near is higher than base; no difference is shown between" in told
    assert "Holm over 3 comparisons" in told
    assert "best less near" in told
    lower = typed("compare --scores rated.csv --score-column ter --all-pairs").out
    assert "base is higher than best and near" in " ".join(lower.split())


def test_a_gate_and_ratings_take_no_pairs():
    line = "compare --scores rated.csv --score-column rating --all-pairs"
    assert "leave out --all-pairs" in typed(f"{line} --fail-if-worse", status=2).err
    assert "--all-pairs compares systems" in typed(f"{line} --ratings rated.csv", status=2).err
    rated = "human-score --ratings rated.csv --all-pairs --fail-if-worse"
    assert "judges systems beside the baseline alone: leave out --all-pairs" in typed(rated, status=2).err


def test_the_sentence_for_the_paper_counts_many_pairs_without_a_difference():
    """Each of two groups has systems alike, so that every system differs from another one."""
    draw = default_rng(2)
    names = [f"{group}{n}" for group in "ab" for n in range(4)]
    rows = [
        (item, name, "ann", round(level + 3 * (name < "b") + draw.normal() / 3, 2))
        for item in range(40)
        for level in [draw.normal()]
        for name in names
    ]
    write_table("rated.csv", ["item", "system", "rater", "rating"], rows)
    told = " ".join(typed("human-score --ratings rated.csv --all-pairs").out.partition("For the paper")[2].split())
    assert "no difference was shown in the other 12 of 28 pairs (" in told
    assert "between" not in told.partition(" pairs (")[0]


def test_the_highest_mean_is_named_last_if_no_pair_is_shown_to_differ():
    rows = [
        (item, name, "ann", round((7 * item + 3 * place) % 11 + place / 20, 2))
        for item in range(22)
        for place, name in enumerate("abc")
    ]
    write_table("alike.csv", ["item", "system", "rater", "rating"], rows)
    human, score = "human-score --ratings alike.csv", "compare --scores alike.csv --score-column rating"
    for line in (human, f"{human} --all-pairs", score, f"{score} --all-pairs"):
        headline = as_json(line)["headline"]
        none, _, highest = headline.partition("Highest mean rating: c (")
        assert highest, headline
        assert "o difference" in none, headline
