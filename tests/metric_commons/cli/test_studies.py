"""`sample`, `rate` and `agreement` as they are typed; the server itself is tried beside its module."""

import csv
import json

import pytest
from click.testing import CliRunner

from metric_commons.systems.studies.reading import read_study
from referenceless_metrics.cli import cli


def run(*words):
    return CliRunner().invoke(cli, [str(word) for word in words])


@pytest.fixture
def systems(tmp_path):
    """Two systems' files with a column of estimates, and `sources.jsonl`."""
    files = [tmp_path / "baseline.csv", tmp_path / "ours.csv"]
    for file in files:
        with file.open("w", encoding="utf-8", newline="") as stream:
            csv.writer(stream).writerows([("text", "estimate"), *((f"{file.stem} {i}", i) for i in range(40))])
    sources = [json.dumps({"source": [["it", "is", i], ["and", "more"]]}) + "\n" for i in range(40)]
    (tmp_path / "sources.jsonl").write_text("".join(sources), encoding="utf-8")
    return files


def fill(folder):
    """Fill in the sheets: ratings that rise with the item, of `ours` one higher; rater 3 answers 3 always."""
    for sheet in (folder / "sheets").iterdir():
        with sheet.open(encoding="utf-8", newline="") as file:
            rows = list(csv.DictReader(file))
        for row in rows:
            system, number = row["text"].split()
            rating = min(5, 1 + int(number) // 10 + (system == "ours"))
            row["rating"] = "3" if row["rater"] == "rater_3" else str(rating)
        with (folder / "ratings" / sheet.name).open("w", encoding="utf-8", newline="") as file:
            writer = csv.DictWriter(file, list(rows[0]), delimiter=";")  # as some spreadsheets save it
            writer.writeheader()
            writer.writerows(rows)


def test_from_outputs_to_agreement(systems, tmp_path):
    study, again = tmp_path / "study", tmp_path / "again"
    drawn = run("sample", *systems, "-n", 20, "--sources", tmp_path / "sources.jsonl", "--csv", "-o", study)
    assert drawn.exit_code == 0, drawn.output
    assert "20 of 40 items, 2 systems, 3 raters: at most 21 screens each, 126 ratings in all." in drawn.output
    assert "Planned: the 95% interval of the difference of two systems (scale 1-5) will be about ±0.32" in drawn.output
    assert f"{study / 'pages'}, or their sheet from {study / 'sheets'}, or run `referenceless rate" in drawn.output
    assert f"Put the files that they send back into {study / 'ratings'}" in drawn.output
    alone = run("sample", systems[0], "-n", 20, "-o", tmp_path / "alone")
    assert "20 of 40 items, 1 system, 3 raters" in alone.output
    assert "Planned" not in alone.output  # there is no difference to plan for
    assert "- [it, is, " in (study / "pages" / "rater_2.html").read_text(encoding="utf-8")
    assert "ratings yet" in str(run("agreement", study).exception)
    fill(study)
    told = run("agreement", study)
    assert "Krippendorff's α: nominal 0." in told.output
    assert "rater_3 gives 3 in 100% of 40 ratings: look at these ratings before you use them." in told.output
    rows = tmp_path / "rows.csv"
    with rows.open("w", encoding="utf-8", newline="") as file:
        writer = csv.writer(file)
        writer.writerow(("text", "system", "rater", "rating"))
        writer.writerows((r.text, r.system, r.rater, r.rating) for r in read_study(study).ratings)
    same = json.loads(run("agreement", rows, "--format", "json").output)
    assert same["alpha"] == json.loads(run("agreement", study, "--format", "json").output)["alpha"]
    assert [row["n_repeats"] for row in same["rows"]] == [2, 2, 2]
    planned = run("sample", *systems, "-n", 30, "--pilot", study, "-o", again)
    assert f"if ratings vary as those of {study}" in planned.output


def test_stratified(systems, tmp_path):
    assert run("sample", *systems, "-n", 20, "--stratify", "estimate", "-o", tmp_path / "study").exit_code == 0
    items = json.loads((tmp_path / "study" / "study.json").read_text(encoding="utf-8"))["items"]
    assert {item["weight"] for item in items} == {2.0}
    assert sorted(item["item"] // 4 for item in items) == sorted(list(range(10)) * 2)


@pytest.mark.parametrize(
    ("options", "told"),
    [
        (["--scale", "5"], "expected a scale such as 1-5"),
        (["--stratify", "colour"], "there is no column 'colour' (--stratify)"),
        (["-n", "41"], "41 items cannot be drawn: baseline.csv has 40 outputs"),
        (["--scale", "preference", "--apart"], "a preference is between outputs of two systems on one screen"),
        (["--pilot", "nowhere"], "nowhere: there is no study.json in it"),
        (["--sources", "other.jsonl"], "other.jsonl: there is no such file"),
    ],
)
def test_what_is_refused_leaves_nothing(systems, tmp_path, options, told):
    found = run("sample", *systems, "-n", 20, "-o", tmp_path / "study", *options)
    assert told in str(found.exception)
    assert not (tmp_path / "study").exists()
