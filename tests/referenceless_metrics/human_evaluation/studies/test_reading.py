"""Ratings read back: to the systems that they are of, or one clear sentence."""

import csv
import json

import pytest
from refusals import refused
from text_files import read, write_table

from referenceless_metrics.core.support.validation import InputError
from referenceless_metrics.human_evaluation.studies.design import _digest
from referenceless_metrics.human_evaluation.studies.reading import read_study
from referenceless_metrics.human_evaluation.studies.server import rating_sheet


@pytest.fixture
def rated(draw, tmp_path):
    """A study in which rater 1 filled in the sheet: 4 for fine texts, 2 for others."""
    design = draw()
    rows = list(csv.DictReader(rating_sheet(design, "rater_1").splitlines()))
    for row in rows:
        row["rating"] = "4" if "fine" in row["text"] else "2"
    save(tmp_path / "study" / "ratings" / "mine.csv", rows)
    return tmp_path / "study"


def save(path, rows):
    write_table(path, rows[0], map(dict.values, rows))


def test_ratings_come_to_their_systems(rated):
    study = read_study(rated)
    rated, missing = study.table.dropna(), study.table[study.table["rating"].isna()]
    assert (set(rated["rater"]), set(missing["rater"])) == ({"rater_1"}, {"rater_2"})
    scores = rated[~rated["repeat"]].set_index(["item", "system"])["rating"].to_dict()
    assert len(scores) == 24
    for (item, system), rating in scores.items():
        assert rating == (4 if system == "system_two" or item % 5 == 0 else 2)
    assert rated["repeat"].sum() == 2  # one screen, with two outputs or with one that both wrote


def test_a_number_0_is_a_rating(draw, tmp_path):
    rows = csv.DictReader(rating_sheet(draw(scale="0-10"), "rater_1").splitlines())
    lines = [json.dumps({**row, "rating": 0 if number else None}) + "\n" for number, row in enumerate(rows)]
    (tmp_path / "study" / "ratings" / "mine.jsonl").write_text("".join(lines), "utf-8")
    assert [judgement.rating for judgement in read_study(tmp_path / "study").judgements] == [0.0] * (len(lines) - 1)


@pytest.mark.parametrize(
    "change, told",
    [
        ({"rater": "someone"}, "mine.csv:2: unknown rater 'someone'; the study's are rater_1, rater_2"),
        (
            {"rating": "6"},
            "mine.csv:2: expected a whole number from 1 to 5 (1 = worst, 5 = best) as a rating, but got str '6'",
        ),
        ({"output": "C"}, "mine.csv:2: output 'C' of screen 1 is not in the study of 'rater_1'"),
        ({"screen": "0"}, "mine.csv:2: output 'A' of screen 0 is not in the study of 'rater_1'"),
        ({"text": "another"}, "mine.csv:2: str 'another' is not in the study: output 'A' of screen 1 of 'rater_1' is"),
        ({"study": "other"}, "mine.csv:2: this is a rating of study 'other', and the study is"),
        (None, "'rater_1' rated output B of screen 1 twice"),
    ],
)
def test_one_clear_sentence(rated, change, told):
    file = rated / "ratings" / "mine.csv"
    rows = list(csv.DictReader(read(file).splitlines()))
    save(file, [rows[1] if change is None else rows[0] | change, *rows[1:]])
    with pytest.raises(InputError) as error:
        read_study(rated)
    assert told in str(error.value)


def test_two_files_of_one_rater_and_an_edited_key(rated, tmp_path):
    mine = rated / "ratings" / "mine.csv"
    (rated / "ratings" / "rater_1 (2).csv").write_bytes(mine.read_bytes())
    with refused(r"holds ratings of 'rater_1' too; leave one file a rater", InputError):
        read_study(rated)
    key = rated / "study.json"
    key.write_text(read(key).replace('"seed": 0', '"seed": 1'), encoding="utf-8")
    with refused("it was edited after the study was drawn", InputError):
        read_study(rated)
    with refused(r"there is no study\.json in it", InputError):
        read_study(tmp_path)


def test_a_study_of_the_first_version_is_read_with_its_one_criterion(rated):
    key = rated / "study.json"
    content = json.loads(read(key))
    (criterion,) = content.pop("criteria")
    first = {name: content[name] for name in content if name not in ("criteria_apart", "overall", "spans", "study")}
    first |= {"version": 1, **{name: criterion[name] for name in ("question", "scale", "examples")}}
    name = _digest(first)
    key.write_text(json.dumps({"study": name, **first}), encoding="utf-8")
    ratings = rated / "ratings" / "mine.csv"
    rows = list(csv.DictReader(read(ratings).splitlines()))
    for row in rows:
        del row["criterion"], row["question"]
        row["study"] = name
    save(ratings, rows)
    study = read_study(rated)
    assert (study.design.study, str(study.design.criteria[0].scale)) == (name, "1-5")
    assert study.table["rating"].dropna().isin([2, 4]).all()
