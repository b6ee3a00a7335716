"""Scores of a metric or a judge beside ratings lead to their worth; ratings alone lead nowhere."""

import csv
import re
import shlex

import pytest
from command_lines import as_json, done, typed
from text_files import read, write, write_table

COULD = "Could {} replace some of the ratings? `referenceless "


@pytest.fixture
def beside(folder):
    """Make a table of ratings of 40 items by two raters, with further columns that a function tells of each output."""

    def make(name, columns, of, n_unrated=0, raters=("ann", "bob")):
        rows = []
        for item in range(40):
            for place, system in enumerate(("base", "ours")):
                for rater in raters:
                    rating = "" if item < n_unrated else 1 + (item * 7 + place + len(rater)) % 5
                    text = f"{system} {item} says that " + "abcdefghij"[item % 10] * (item // 10 + 1)
                    rows.append((item, system, text, rater, rating, *of(item, place, rater)))
        write_table(name, ["item", "system", "text", "rater", "rating", *columns], rows)

    return make


def lines(command):
    return [line for line in as_json(command)["findings"] if "replace some" in line]


def test_scores_of_rated_outputs_lead_to_evaluate_with_a_call_that_works(beside):
    beside("all rated.csv", ["comet", "minutes"], lambda item, place, rater: (item * 3 % 7 + place / 10, item % 4))
    for command in ("agreement 'all rated.csv'", "human-score --ratings 'all rated.csv'"):
        (line,) = lines(command)
        assert "Could comet replace some of the ratings? Rated outputs alone do not tell: " in line
        assert "says how far it agrees with these ratings." in line
        call = re.search("`referenceless (evaluate .*)`", line)[1]
        done(call)


def test_scores_of_outputs_that_nobody_rated_lead_to_estimates_with_a_call_that_works(beside):
    beside("some.csv", ["judge_score"], lambda item, place, rater: (item % 9 + 0.5 + place,), n_unrated=5)
    (line,) = lines("human-score --ratings some.csv")
    call = re.search("`referenceless (.*)`", line)[1]
    assert shlex.split(call)[-2:] == ["--estimates-column", "judge_score"]
    assert "by how much it narrows the intervals" in line
    done(call)
    assert not lines(call), "it was asked"


@pytest.mark.parametrize(
    ("column", "of"),
    [
        ("comet", lambda item, place, rater: (item % 7 + (rater == "ann") / 2,)),  # differs by rater
        ("minutes", lambda item, place, rater: (item * 3 % 7 + 0.5,)),  # neither a metric nor a judge
        ("fluency", lambda item, place, rater: (item % 4 + 0.5,)),  # people rate it
        ("judge", lambda item, place, rater: (item % 3,)),  # may be the number of a judge
        ("bleu", lambda item, place, rater: (0.5,)),
        ("bleu", lambda item, place, rater: ("low" if item % 2 else "high",)),
    ],
)
def test_no_other_column_leads_anywhere(beside, column, of):
    beside("long.csv", [column], of)
    assert not lines("human-score --ratings long.csv")
    assert not lines("agreement long.csv")


def test_the_names_of_columns_are_in_the_call(beside):
    beside("long.csv", ["comet"], lambda item, place, rater: (item * 3 % 7 + place / 10,))
    header, *rows = csv.reader(read("long.csv").splitlines())
    named = {"item": "doc", "system": "who wrote", "rating": "stars"}
    write_table("named.csv", [named.get(name, name) for name in header], rows)
    (line,) = lines(
        "human-score --ratings named.csv --item-column doc --system-column 'who wrote' --rating-column stars"
    )
    assert "--rating-column stars --item-column doc --system-column 'who wrote'`" in line
    done(re.search("`referenceless (.*)`", line)[1])


def test_scores_in_the_files_of_systems_lead_to_estimates(beside):
    beside("long.csv", [], lambda *_: (), n_unrated=4)
    for place, system in enumerate(("base", "ours")):
        rows = csv.DictReader(read("long.csv").splitlines())
        texts = dict.fromkeys(row["text"] for row in rows if row["system"] == system)
        scores = [at * 3 % 7 + place for at in range(len(texts))]
        write_table(f"{system}.csv", ["text", "bleurt", "note"], zip(texts, scores, scores, strict=True))
        write(f"{system}.txt", "\n".join(texts) + "\n")
    (line,) = lines("human-score base.csv ours.csv --ratings long.csv")
    call = "human-score base.csv ours.csv --ratings long.csv --estimates-column bleurt"
    assert f"{COULD.format('bleurt')}{call.removeprefix('referenceless ')}`" in line
    done(call)
    assert not lines("human-score base.txt ours.txt --ratings long.csv")


def test_agreement_leads_to_the_estimates_that_a_study_names(folder):
    write("base.txt", "".join(f"The {at}th text is here.\n" for at in range(20)))
    write("ours.txt", "".join(f"A {at}th text is there.\n" for at in range(20)))
    for name, options in (("named", "--metric slor"), ("plain", "")):
        typed(f"sample base.txt ours.txt -n 10 --raters 2 --csv {options} -o {name}")
        for rater in ("rater_1", "rater_2"):
            rows = list(csv.DictReader(read(f"{name}/sheets/{rater}.csv").splitlines()))
            filled = [[*{**row, "rating": 1 + at % 5}.values()] for at, row in enumerate(rows)]
            write_table(f"{name}/ratings/{rater}.csv", list(rows[0]), filled)
    (line,) = lines("agreement named")
    assert "human-score OUTPUTS --ratings named --metric slor` says" in line
    assert not lines("agreement plain")
