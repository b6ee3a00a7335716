"""`report` and `human_score` in Python say what the commands say; `compare`: `test_one_number`."""

import csv
from pathlib import Path

import pandas as pd
import pytest
from command_lines import as_json, done
from refusals import refusals
from text_files import read
from toy_metrics import Lengths

import referenceless_metrics as rm
from metric_commons.support.validation import InputError

OURS = [f"the cat sat on the mat , and {n} dogs ran ." for n in range(12)]
SYSTEMS = {"base": [" ".join(reversed(text.split())) for text in OURS], "ours": OURS}
RATED = [
    {"item": n, "system": name, "rater": "ann", "text": text, "rating": 1 + (n + 2 * (name == "ours")) % 5}
    for name, texts in SYSTEMS.items()
    for n, text in enumerate(texts)
]


@pytest.fixture(autouse=True)
def files(folder):
    for name, texts in SYSTEMS.items():
        Path(f"{name}.txt").write_text("\n".join(texts), "utf-8")
    with Path("ratings.csv").open("w", newline="", encoding="utf-8") as file:
        writer = csv.DictWriter(file, RATED[0])
        writer.writeheader()
        writer.writerows(RATED)


def test_report_is_the_page():
    page = rm.report(SYSTEMS, [rm.WPSLOR()], ratings="ratings.csv", path="page.html")
    assert read("page.html") == page
    done("report base.txt ours.txt --metric wpslor --ratings ratings.csv -o command.html")
    for part in ("Differences of mean human ratings", "WPSLOR"):
        assert part in page
        assert part in read("command.html")


def test_a_metric_without_an_entry_is_compared():
    longer = {**SYSTEMS, "ours": [f"{text} ." for text in OURS]}
    base, ours = rm.compare(longer, Lengths()).rows
    assert ours.results["lengths"].score > base.results["lengths"].score


@pytest.mark.parametrize("form", ["file", "files", "frame"])
def test_human_score_is_the_command(form):
    frame = pd.DataFrame(RATED)
    ratings = {"file": "ratings.csv", "files": ["ratings.csv"], "frame": frame}[form]
    result = rm.human_score(ratings, scale=(1, 5), comparisons="all")
    rows = as_json("human-score --ratings ratings.csv --scale 1:5 --comparisons all")["rows"]
    assert [row["mean"] for row in rows] == [
        *(one.mean.value for one in result.scores), *(one.mean.value for one in result.differences)
    ]  # fmt: skip
    renamed = rm.human_score(frame.rename(columns={"rating": "score"}), scale=(1, 5), rating="score")
    assert renamed.scores[0].mean == result.scores[0].mean


test_bad_input = refusals(
    lambda call: call(),
    [
        (lambda: rm.compare([OURS], rm.WPSLOR()), "`systems` to be a mapping", TypeError),
        (lambda: rm.compare({"ours": OURS}, rm.WPSLOR()), "at least two systems", InputError),
        (lambda: rm.report(SYSTEMS, rm.WPSLOR(), groups=["a"]), "`groups` to have one for each input", InputError),
        (lambda: rm.human_score(3), "`ratings` to be files or a data frame", TypeError),
        (lambda: rm.human_score("ratings.csv", colour="blue"), "columns out of .* but got colour", TypeError),
        (lambda: rm.human_score(pd.DataFrame({"item": [1]})), "no column 'rating'", InputError),
    ],
)


def test_an_extra_is_named():
    pytest.importorskip("mlflow")
    assert rm.mlflow_scorer(rm.WPSLOR()).name == "wpslor"
