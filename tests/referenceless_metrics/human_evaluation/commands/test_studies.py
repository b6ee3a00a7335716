"""`sample`, `rate` and `agreement` as they are typed; the server itself is tried beside its module."""

import json
import re
from pathlib import Path

import pandas as pd
import pytest
from command_lines import done, invoke
from text_files import read

from referenceless_metrics.human_evaluation.studies.reading import read_study


def told(line, *more):
    """Return what a command says, or the error that it ends with."""
    result = invoke(line, *more)
    return result.output if result.exception is None else str(result.exception)


@pytest.fixture(autouse=True)
def systems(folder):
    """Two systems' files with a column of estimates, and `sources.jsonl`."""
    for name in ("baseline", "ours"):
        pd.DataFrame({"text": [f"{name} {i}" for i in range(40)], "estimate": range(40)}).to_csv(
            f"{name}.csv", index=False
        )
    sources = pd.DataFrame({"source": [[["it", "is", i], ["and", "more"]] for i in range(40)]})
    sources.to_json("sources.jsonl", orient="records", lines=True)


def fill(study):
    """Fill in the sheets: ratings that rise with the item, of `ours` one higher; rater 3 answers 3 always."""
    for sheet in Path(study, "sheets").iterdir():
        rows = pd.read_csv(sheet)
        system, number = rows["text"].str.split(expand=True).to_numpy().T
        rows["rating"] = (1 + number.astype(int) // 10 + (system == "ours")).clip(max=5)
        rows.loc[rows["rater"] == "rater_3", "rating"] = 3
        rows.to_csv(Path(study, "ratings", sheet.name), sep=";", index=False)  # as some spreadsheets save it


SAMPLE = "sample baseline.csv ours.csv -n 20"


def test_from_outputs_to_agreement():
    drawn = done(f"{SAMPLE} --sources sources.jsonl --csv -o study").output
    assert "20 of 40 items, 2 systems, 3 raters: at most 21 screens each, 126 ratings in all." in drawn
    assert (
        "Planned: 20 items find a true difference of two systems of 0.5 (scale 1-5) in 80% of studies, 40 items"
        in drawn
    )
    assert "(of one comparison; among these raters)" in drawn
    assert "The 95% interval of a difference (of one comparison, uncorrected) will be about ±0.36 for these" in drawn
    assert "fewer than 5 raters tell nothing of raters in general" in drawn
    assert "study/pages, or their sheet from study/sheets, or run `referenceless rate" in drawn
    assert "Put the files that they send back into study/ratings" in drawn
    alone = done("sample baseline.csv -n 20 -o alone").output
    assert "20 of 40 items, 1 system, 3 raters" in alone
    assert "Planned" not in alone  # there is no difference to plan for
    assert "- [it, is, " in read("study/pages/rater_2.html")
    assert "ratings yet" in told("agreement study")
    fill("study")
    agreed = done("agreement study").output
    assert "Krippendorff's α: nominal 0." in agreed
    assert "rater_3 gives 3 in 100% of 40 ratings: look at these ratings before you use them." in agreed
    read_study("study").table[["text", "system", "rater", "rating"]].to_csv("rows.csv", index=False)
    of_rows, of_study = (json.loads(done(f"agreement {place} --format json").output) for place in ("rows.csv", "study"))
    assert {name: each["value"] for name, each in of_rows["coefficients"].items()} == pytest.approx(
        {name: each["value"] for name, each in of_study["coefficients"].items()}
    )
    assert of_study["coefficients"]["alpha interval"]["low"] < of_study["coefficients"]["alpha interval"]["high"]
    assert [row["n_repeats"] for row in of_rows["rows"]] == [2, 2, 2]
    planned = done("sample baseline.csv ours.csv -n 30 --pilot study -o again").output
    assert "fewer than 5 raters tell nothing of raters in general" in planned
    assert "if ratings vary as those of study" in planned


@pytest.mark.parametrize(
    "options, message",
    [
        ("--scale 5", "expected a scale such as 1-5"),
        ("-n 41", "41 items cannot be drawn: baseline has 40 outputs"),
        ("--pilot nowhere", "nowhere: there is no study.json in it"),
        ("--sources other.jsonl", "other.jsonl: there is no such file"),
    ],
)
def test_what_is_refused_leaves_nothing(options, message):
    assert message in told(f"{SAMPLE} -o study {options}")
    assert not Path("study").exists()


def test_the_plan_is_corrected_for_all_comparisons():
    two = '--criterion "fluency=1-5=a" --criterion "adequacy=1-5=b"'
    lines = done(f"{SAMPLE} --raters 6 {two} -o study").output.splitlines()[-2:]
    alone = done(f"{SAMPLE} --raters 6 -o alone").output.splitlines()[-1]
    found = [float(re.search(r"systems of ([0-9.]+) ", line)[1]) for line in (*lines, alone)]
    assert all("(corrected for 2 comparisons; among raters in general)" in line for line in lines)
    assert found[0] == found[1] > found[2]
    assert " for raters in general. " in alone


def test_the_short_help_of_a_draw_lists_criteria_and_sources():
    shown = done("sample --help").output.partition("Explained by")[0]
    assert "--criterion " in shown
    assert "--sources " in shown
