"""Ratings that a plain reading would get wrong: read by the columns beside them, with a note, or refused."""

import json
import warnings

import numpy as np
import pytest
from command_lines import done, typed
from refusals import refused
from text_files import write, write_table

from referenceless_metrics import look
from referenceless_metrics.core.files.reading import InputNote
from referenceless_metrics.core.files.text_io import read_rated
from referenceless_metrics.human_evaluation.ratings.columns import RatingColumns
from referenceless_metrics.human_evaluation.ratings.rating_files import read_rating_table
from referenceless_metrics.human_evaluation.scores.table import read_scores


def notes_of(told):
    return "\n".join(str(note.message) for note in told)


def test_a_list_of_names_beside_a_list_of_ratings_names_its_raters(folder):
    people = (["ann", "bo"], ["bo", "cy"], ["cy", "ann"])
    rows = [{"item": n, "who": people[n % 3], "rating": [1 + n % 4, 1 + n % 5]} for n in range(12)]
    write("ratings.json", json.dumps(rows))
    columns = RatingColumns(ratings=["rating"], rater="who")
    frame = read_rating_table(["ratings.json"], columns, alone=False).frame
    assert frame["rater"].tolist() == [name for row in rows for name in row["who"]]
    with pytest.warns(InputNote, match="column 'who' lists as many names .*: if these are the raters, .* who"):
        read_rating_table(["ratings.json"], RatingColumns(ratings=["rating"]), alone=False)
    line = "agreement ratings.json --rater-column who"
    assert f"referenceless {line}" in look("ratings.json").commands
    done(*line.split())
    rows[3]["who"] = ["ann"]
    write("ratings.json", json.dumps(rows))
    with refused("not as many as there are ratings"):
        read_rating_table(["ratings.json"], columns, alone=False)


def test_a_rater_beside_cells_of_several_ratings_is_refused(folder):
    rows = [{"item": n, "system": "ours", "asked": "fluent", "ratings": [2, n % 3]} for n in range(6)]
    write("ratings.json", json.dumps(rows))
    with refused("several ratings.*'asked'.*--criterion-column asked"):
        read_rating_table(["ratings.json"], RatingColumns(ratings=["ratings"], rater="asked"))
    by_criterion = read_rating_table(["ratings.json"], RatingColumns(ratings=["ratings"], criterion="asked"))
    assert by_criterion.frame["place"].tolist() == ["1", "2"] * 6


SHARED = [("1", "a,b", 4), ("1", "c", 2), ("2", "a", 1), ("2", "b,c", 3), ("3", "b", 5), ("3", "c,a", 4)]


def test_a_row_of_several_systems_is_one_of_each(folder):
    write_table("ratings.csv", ["item", "system", "rating"], SHARED)
    with pytest.warns(InputNote) as told:
        frame = read_rating_table(["ratings.csv"]).frame
    assert frame.groupby("system")["rating"].mean().to_dict() == {"a": 3.0, "b": 4.0, "c": 3.0}
    assert "3 rows name several in column 'system', such as 'a,b'" in notes_of(told)
    scores = read_scores(["ratings.csv"], score_columns=["rating"])
    assert (scores.systems, scores.values["rating"].mean(axis=1).tolist()) == (("a", "b", "c"), [3.0, 4.0, 3.0])
    assert any("6 rows become 9" in each for each in scores.assumed)


def test_columns_of_preferences_are_refused_for_ratings(folder):
    write_table("ratings.csv", ["item", "model", "rating_a", "rating_b"], [(n, "m", 1, 2) for n in range(4)])
    with refused("ratings.csv: these are ratings, and --system-b-column is of preferences"):
        read_rating_table(["ratings.csv"], RatingColumns(ratings=["rating_a", "rating_b"], system_b="model"))


def test_a_row_without_a_system_beside_rows_of_several_is_named(folder):
    rows = [{"item": item, "system": system, "rating": rating} for item, system, rating in SHARED]
    write("ratings.json", json.dumps([*rows, {"item": "4", "rating": 3}]))
    with refused("row 7: there is nothing in column 'system'"):
        read_rating_table(["ratings.json"])


def test_systems_in_lists_of_one_each_join_no_rows(folder):
    rows = [{"item": item, "system": [system], "rating": 3} for item in "12" for system in ("a", "b")]
    write("ratings.json", json.dumps(rows))
    with warnings.catch_warnings(record=True) as told:
        frame = read_rating_table(["ratings.json"]).frame
    assert (frame["system"].tolist(), "name several" in notes_of(told)) == (["a", "b"] * 2, False)


def test_learning_by_systems_refuses_a_text_of_several(folder):
    rows = [(f"text {n}", system, rating) for n, (_, system, rating) in enumerate(SHARED)]
    write_table("ratings.csv", ["text", "system", "rating"], rows)
    with refused("leave --system-column out"):
        read_rated("ratings.csv", groupings={"systems": "system"})


def test_systems_with_a_comma_in_their_names_are_one_each(folder):
    names = ["big, tuned", "big, plain", "small, tuned", "small, plain", "big"]
    write_table("ratings.csv", ["item", "system", "rating"], [(n, s, 3) for n in "12" for s in names])
    assert set(read_rating_table(["ratings.csv"]).frame["system"]) == set(names)


def judged(n, rating, crowd):
    return {"text": f"text {n}", "rating": rating, "crowd": crowd, "split": "train"}


def test_a_zero_below_the_scale_where_other_ratings_are_missing_is_none(folder):
    rows = [judged(n, 1 + n % 4, [1 + n % 3, 2]) for n in range(8)]
    missing = [judged(8, 0, []), judged(9, 0, [])]
    write("rated.json", json.dumps(rows + missing))
    with pytest.warns(InputNote, match="0 stands in 2 rows, outside the other ratings .1 to 4. .*'crowd' holds none"):
        assert read_rated("rated.json").ratings.tolist() == [1, 2, 3, 4, 1, 2, 3, 4]
    with pytest.warns(InputNote):
        assert len(read_rated("rated.json", words={"0": 0.0})) == 10
    write("rated.json", json.dumps([*rows, judged(8, 0, [1, 1]), judged(9, 0, [])]))
    assert len(read_rated("rated.json")) == 10  # one of the zeros is a rating


def test_zeros_at_the_same_places_of_two_lists_are_missing(folder):
    rows = [(n, f"s{n % 2}", "4,3,0" if n == 3 else "4,3,2", "1,1,0" if n == 3 else "1,2,1") for n in range(6)]
    write_table("ratings.csv", ["item", "system", "fluency", "meaning"], rows)
    with pytest.warns(InputNote, match="0 stands 1 times"):
        frame = read_rating_table(["ratings.csv"], RatingColumns(ratings=["fluency"])).frame
    assert np.isnan(frame["rating"]).tolist() == [row == 11 for row in range(18)]


def test_ratings_on_several_scales_are_told(folder):
    rows = [(f"text {n}", n % 2 + 1, (1 + n % 6) * (1 + n % 2 * 2)) for n in range(24)]
    write_table("essays.csv", ["text", "essay_set", "rating"], rows)
    with pytest.warns(InputNote, match="several scales, by column 'essay_set'.*--where essay_set=1"):
        read_rated("essays.csv")
    rows = [(f"text {n}", n % 3, 1 if n % 3 == 0 else 1 + n % 6) for n in range(24)]
    write_table("essays.csv", ["text", "essay_set", "rating"], rows)
    with warnings.catch_warnings(record=True) as told:  # equal ratings, of the first part, say nothing of its scale
        read_rated("essays.csv")
    assert told == []


def test_the_ends_of_several_scales_are_those_of_all_raters(folder):
    rows = [(n, n % 2 + 1, (1 + n % 6) * (1 + n % 2 * 2), 1 + n % 2) for n in range(24)]
    write_table("essays.csv", ["item", "essay_set", "r1", "r2"], rows)
    with pytest.warns(InputNote, match="'1' from 1 to 5, '2' from 2 to 18;"):
        read_rating_table(["essays.csv"], RatingColumns(ratings=["r1", "r2"]), alone=False)


def test_xml_is_refused(folder):
    write("judged.xml", '<?xml version="1.0"?>\n<all>\n<one rank="1"/>\n</all>\n')
    for read in (look, read_rated):
        with refused("it is XML.*as a table with a row for each"):
            read("judged.xml")


def test_times_are_no_scores(folder):
    rows = [(n, system, 1.7e9 + n, (n + (system == "b")) % 5 / 5) for n in range(12) for system in ("a", "b")]
    write_table("scores.csv", ["item", "system", "tstamp", "quality"], rows)
    assert read_scores(["scores.csv"]).columns == ("quality",)
    with refused("'tstamp' holds times"):
        read_scores(["scores.csv"], score_columns=["tstamp"])
    with refused("'tstamp' holds times"):
        read_rating_table(["scores.csv"], RatingColumns(ratings=["tstamp"]))


def test_files_of_the_same_items_and_raters_are_of_systems_unless_they_overlap_or_are_called_as_criteria(folder):
    rows = [(item, rater, 1 + (item + len(rater)) % 5) for item in range(8) for rater in ("ann", "bo", "cleo")]
    other = [(item, rater, 6 - rating) for item, rater, rating in rows]
    columns = ["item", "rater", "rating"]
    for name, content in (
        ("base", rows),
        ("ours", other),
        ("day1", rows[:12]),
        ("fluency", rows),
        ("coherence", other),
    ):
        write_table(f"{name}.csv", columns, content)
    with pytest.warns(InputNote, match="each file is of one system"):
        frame = read_rating_table(["base.csv", "ours.csv"], alone=False, repeats=True).frame
    assert set(frame["system"]) == {"base", "ours"}
    assert "system" not in read_rating_table(["day1.csv", "base.csv"], alone=False, repeats=True).frame
    with refused("files fluency, coherence are called as criteria, and the same raters"):
        read_rating_table(["fluency.csv", "coherence.csv"], alone=False, repeats=True)


def test_files_of_the_same_outputs_of_named_systems_are_of_a_rater_each(folder):
    columns = ["item", "system", "rating"]
    outputs = [(item, system) for item in range(8) for system in "ab"]
    for shift, name in enumerate(("ann", "bo", "fluency", "clarity")):
        write_table(f"{name}.csv", columns, [(*output, 1 + (n + shift) % 5) for n, output in enumerate(outputs)])
    write_table("part.csv", columns, [(*output, 3) for output in outputs[:6]])
    with pytest.warns(InputNote, match="each file holds the ratings of one rater: ann, bo"):
        frame = read_rating_table(["ann.csv", "bo.csv"], by_file=True).frame
    assert set(frame["rater"]) == {"ann", "bo"}
    for files in (["ann.csv", "part.csv"], ["fluency.csv", "clarity.csv"]):
        assert "rater" not in read_rating_table(files, by_file=True).frame


def test_files_of_a_share_of_right_answers_are_of_no_raters(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    for name in ("base", "ours"):
        write_table(f"{name}.csv", ["item", "text", "pass@1"], [[n, f"It is {n}.", n % 2] for n in range(12)])
    told = typed("agreement base.csv ours.csv --rating-column pass@1", status=1).err
    assert "compare --scores base.csv --scores ours.csv --score-column pass@1" in told


def test_several_texts_of_a_system_for_an_item_are_no_ratings_given_again():
    rows = [
        (f"Question {n // 4}", system, f"This answers it in {system} way {n} at last", 1 + n % 5)
        for n in range(20)
        for system in ("first", "second")
    ]
    write_table("a.csv", ["question", "system", "Answer", "rating"], rows)
    columns = RatingColumns(item="question", rater=None)
    with refused("has several texts in column 'Answer'.*--item-column question --item-column Answer tells them apart"):
        read_rating_table(["a.csv"], columns)
    with refused("has several texts in column 'Answer'"):
        read_rating_table(["a.csv"], columns, repeats=True)
    write_table("b.csv", ["question", "system", "remark in words", "rating"], rows)
    assert len(read_rating_table(["b.csv"], columns).frame) == 40


def test_look_tells_the_outputs_of_two_raters_apart_by_their_texts():
    for rater in (0, 1):
        rows = [
            (f"Question {n // 4}", system, f"This answers it in {system} way {n} at last", 1 + (n + rater) % 5)
            for n in range(40)
            for system in ("first", "second")
        ]
        write_table(f"annotator_{rater}.csv", ["Question", "Approach", "Answer", "rating"], rows)
    files = ["annotator_0.csv", "annotator_1.csv"]
    lines = [line for line in typed(f"look {' '.join(files)}").out.splitlines() if " agreement " in line]
    keys = "--item-column Question --item-column Answer --system-column Approach"
    assert lines == [f"referenceless agreement {' '.join(files)} --rating-column rating {keys}"]
    assert "Krippendorff" in typed(lines[0].removeprefix("referenceless ")).out


def test_files_of_the_same_rows_are_of_a_rater_each_and_rows_no_outputs_of_their_own(folder):
    """Fifteen outputs by two raters are no thirty outputs, though no column names items."""
    for rater in range(2):
        rows = [
            (f"question {n % 5}", f"reply {n} of {name}", name, 1 + (n + rater) % 5) for n in range(15) for name in "ab"
        ]
        write_table(f"annotator_{rater}.csv", ["question", "reply", "system", "relevance"], rows)
    line = "human-score --ratings annotator_0.csv --ratings annotator_1.csv --rating-column relevance --unpaired"
    rated = json.loads(typed(f"{line} --format json").out)["rows"]
    assert [row["rated"] for row in rated if not row["less"]] == [15, 15]
