"""A study and a further one of other items are analysed together, if they ask the same of the same systems."""

import warnings
from pathlib import Path

import pandas as pd
import pytest
from command_lines import as_json, done, typed
from studies import answer
from text_files import write

from referenceless_metrics.core.files.text_io import read_rated
from referenceless_metrics.human_evaluation.studies.design import Design
from referenceless_metrics.human_evaluation.studies.reading import read_study

SYSTEMS = ("base", "ours")


def rate(study):
    """Rate a study: `ours` one higher, odd items higher, and bob milder than the others."""
    design = Design.read(study)

    def rating(rater, screen, output):
        item = design.items[screen.item]
        is_ours = design.systems[screen.outputs["AB".index(output)][0]] == "ours"
        return 2 + item.item % 3 % 2 + is_ours + (rater == "bob")

    answer(design, Path(study), rating)


@pytest.fixture(autouse=True)
def studies(folder):
    for place in ("", "other/"):
        Path(place or ".").mkdir(exist_ok=True)
        for name in SYSTEMS:
            write(f"{place}{name}.txt", [f"{name} writes {place}text {i} here" for i in range(40)])
    typed("sample base.txt ours.txt -n 12 --raters ann,bob -o first")
    typed("sample base.txt ours.txt -n 16 --raters bob,cleo --without-study first -o second")
    for study in ("first", "second"):
        rate(study)


def rows_of(*studies):
    tables = [read_study(study).table for study in studies]
    rows = pd.concat([table[~table["repeat"]] for table in tables])
    rows.to_csv("joined.csv", index=False, columns=["item", "system", "rater", "rating", "text"])
    return rows


def test_the_findings_are_those_of_all_ratings_in_one_table():
    rows_of("first", "second")
    found = as_json("human-score first second")
    assert found["rows"] == as_json("human-score --ratings joined.csv --scale 1-5 --baseline base")["rows"]
    assert found["rows"][0]["rated"] == 12 + 16
    told = " ".join(found["findings"])
    assert "Ratings of 2 studies together (first: 12 items, second: 16 items): if a further one was drawn after" in told
    assert "by 3 raters (2 studies together), ours was rated higher" in told
    assert "raters of the same name in several studies count as one: bob" in found["notes"]
    with_estimates = done("human-score base.txt ours.txt --ratings first --ratings second --metric fluency_ngram")
    assert "2 studies together" in with_estimates.output
    assert "2 studies" in done("human-score first second -f latex").output


def test_a_study_that_shows_no_difference_leads_to_a_further_one():
    design = Design.read("first")

    def rate_with(gain):
        def rating(rater, screen, output):
            return 1 + gain * screen.outputs["AB".index(output)][0] + (screen.item + len(output) * len(rater)) % 2

        answer(design, Path("first"), rating)

    rate_with(0)
    told = typed("human-score first", 0).err
    assert "28 items were not drawn: to have some of them rated, too, `referenceless sample OUTPUTS -n N" in told
    assert "--pilot first --without-study first -o first-2`, and then `referenceless human-score first first-2`" in told
    assert "were not drawn" not in typed("human-score first second", 0).err
    assert "were not drawn" not in typed("human-score second", 0).err  # others were drawn before it
    rate_with(3)
    assert "were not drawn" not in typed("human-score first", 0).err


def test_raters_agree_over_the_outputs_of_both():
    both, first, second = (as_json(f"agreement {studies}") for studies in ("first second", "first", "second"))
    assert both["outputs"] == first["outputs"] + second["outputs"] == 2 * (12 + 16)
    assert {row["rater"]: row["n"] for row in both["rows"]} == {"ann": 24, "bob": 24 + 32, "cleo": 32}


def test_a_metric_learns_from_both():
    both = read_rated("first", further_studies=["second"], groupings={"groups": "item"})
    assert sorted(both.ratings) == sorted(rows_of("first", "second")["rating"])
    assert len(set(both.groupings["groups"])) == 12 + 16
    assert "56 distinct texts" in done("advise first second --no-quality-estimator --no-fluency").output


def test_what_a_rater_judged_in_both_counts_once():
    typed("sample base.txt ours.txt -n 12 --raters bob,dora --seed 3 -o again")
    rate("again")
    with warnings.catch_warnings(record=True):
        warnings.simplefilter("always")
        found = as_json("human-score first again")
    shared = {item.item for item in Design.read("first").items} & {item.item for item in Design.read("again").items}
    assert found["rows"][0]["rated"] == 24 - len(shared)
    again = f"left out: {2 * len(shared)} answers about what the same rater judged in an earlier study"
    assert (again in found["notes"]) == bool(shared)


def test_items_of_other_outputs_are_told_apart():
    typed("sample other/base.txt other/ours.txt -n 12 --raters ann,bob -o of_others")
    rate("of_others")
    assert as_json("human-score first of_others")["rows"][0]["rated"] == 24
    refused = typed("human-score base.txt ours.txt --ratings first --ratings of_others --metric fluency_ngram", 1).err
    assert "first and of_others were drawn from other outputs: leave out the systems' files" in refused


@pytest.mark.parametrize(
    ("line", "told"),
    [
        ("human-score first first", "first and first cannot be analysed together: they are the same study"),
        ("human-score first wide", "raters are asked otherwise ("),
        ("agreement first three", "the systems are base, ours, and base, ours, third"),
        ("advise first joined.csv", "joined.csv is no study's folder: several studies are read together"),
        ("human-score --ratings first --ratings joined.csv", "first is a study, and joined.csv is none"),
    ],
)
def test_studies_that_ask_otherwise_are_refused(line, told):
    rows_of("first")
    write("third.txt", [f"third writes text {i} here" for i in range(40)])
    typed("sample base.txt ours.txt -n 12 --raters ann,bob --scale 1-6 -o wide")
    typed("sample base.txt ours.txt third.txt -n 12 --raters ann,bob -o three")
    for study in ("wide", "three"):
        answer(Design.read(study), Path(study), lambda rater, screen, output: 2 + screen.item % 3)
    assert told in typed(line, 1).err


def test_a_rater_who_is_left_out_of_one_of_two_studies_stands_in_the_sentence_for_the_paper():
    Path("first/left_out").mkdir()
    Path("first/ratings/bob.csv").rename("first/left_out/bob.csv")
    quoted = as_json("human-score first second")["findings"][-1]
    assert "by 3 raters (2 studies together; ratings of 1 rater in some of the studies left out)" in quoted


def test_studies_are_described_one_at_a_time():
    refused = " ".join(typed("study describe first second", 2).err.split())
    assert "run `referenceless study describe first`, and so for each" in refused
    assert "told by `referenceless human-score first second`" in refused


def test_looks_are_at_one_study():
    assert "--every-look is of one study" in typed("human-score first second --every-look", 2).err


def test_a_plan_by_a_pilot_names_the_raters_who_are_left_out_of_it():
    typed("sample base.txt ours.txt -n 12 --raters ann,bob,cy -o pilot")
    rate("pilot")
    Path("pilot/left_out").mkdir()
    Path("pilot/ratings/cy.csv").rename("pilot/left_out/cy.csv")
    planned = done("sample base.txt ours.txt -n 12 --raters ann,bob --pilot pilot --without-study pilot -o next").output
    assert "ratings vary as those of pilot, without cy (left_out/)." in planned
