"""Errors that raters marked word by word: a row for each error, or a list of them with their words."""

import json

import pytest
from command_lines import as_json
from text_files import write

from referenceless_metrics.advice.look.looking import look
from referenceless_metrics.core.files.reading import InputNote
from referenceless_metrics.core.support.validation import InputError
from referenceless_metrics.human_evaluation.exports.reading import read_export
from referenceless_metrics.human_evaluation.ratings.model_raters import MODELS, are_models
from referenceless_metrics.human_evaluation.ratings.rating_files import read_rating_table
from referenceless_metrics.human_evaluation.scores.table import read_scores

HEADER = ["doc", "system", "output", "error_type", "error_span", "annotator"]
ROWS = [
    # ann marks two words in one output, and bob none
    ["7", "a", "one two three", "extrinsic", "one", "ann"],
    ["7", "a", "one two three", "intrinsic", "three", "ann"],
    ["7", "a", "one two three", "NULL", "NULL", "bob"],
    ["7", "b", "four four", "extrinsic", "four", "ann"],
    ["7", "b", "four four", "extrinsic", "four", "bob"],
]


def table(path, header=HEADER, rows=ROWS):
    return str(write(path, [",".join(row) for row in (header, *rows)]))


def test_a_judgement_has_as_many_errors_as_its_rows_name(tmp_path):
    with pytest.warns(InputNote, match=r"5 rows are 4 marked errors in 4 judgements .*; 1 have none"):
        frame = read_rating_table([table(tmp_path / "spans.csv")]).frame
    assert frame[["item", "system", "rater", "rating"]].to_numpy().tolist() == [
        ["7", "a", "ann", -2.0],
        ["7", "a", "bob", 0.0],
        ["7", "b", "ann", -1.0],
        ["7", "b", "bob", -1.0],
    ]


def test_marked_words_are_found_in_the_output_if_they_stand_there_once(tmp_path):
    rows = read_export(table(tmp_path / "spans.csv")).rows
    assert [(span.start, span.end, span.category) for row in rows for span in row.spans] == [
        (0, 3, "extrinsic"),
        (8, 13, "intrinsic"),
        (None, None, "extrinsic"),
        (None, None, "extrinsic"),
    ]


def test_a_file_in_which_nobody_marks_nothing_says_so(tmp_path):
    path = table(tmp_path / "spans.csv", rows=[row for row in ROWS if row[3] != "NULL"])
    assert any("outputs without errors may be missing" in note for note in read_export(path).notes)


def test_a_table_with_ratings_beside_the_errors_is_no_table_of_errors(tmp_path):
    path = table(tmp_path / "t.csv", [*HEADER, "rating"], [[*row, "3"] for row in ROWS])
    assert read_export(path) is None


@pytest.mark.parametrize("column", [1, 5])
def test_a_row_without_a_system_or_a_rater_is_refused(tmp_path, column):
    rows = [[*ROWS[0][:column], "", *ROWS[0][column + 1 :]], *ROWS[1:]]
    with pytest.raises(InputError, match=r"spans\.csv:2: there is nothing in column"):
        read_export(table(tmp_path / "spans.csv", rows=rows))


def test_systems_without_a_common_item_are_read_as_independent_samples(tmp_path):
    rows = [[str(n), "ab"[n % 2], f"text {n}", "extrinsic", "text", who] for n in range(6) for who in ("ann", "bob")]
    found = look(table(tmp_path / "spans.csv", rows=rows))
    assert [line.endswith("spans.csv --unpaired") for line in found.commands] == [True, False, False]
    means = as_json(f"{found.commands[0].removeprefix('referenceless ')} -f json")["rows"]
    assert [(row["system"], row["ratings"], row["mean"]) for row in means] == [("a", 6, -1.0), ("b", 6, -1.0)]


def annotated(folder, model, counts, *, rater="gpt-4-0613", reason="reason"):
    """Write JSON lines of outputs with a list of marked words each."""
    rows = [
        {
            "annotator_id": rater,
            "model": model,
            "table_idx": item,
            "annotations": [{reason: "why", "text": "word", "type": 0, "start": n} for n in range(count)],
        }
        for item, count in counts.items()
    ]
    return str(write(folder / f"{model}.jsonl", map(json.dumps, rows)))


def test_words_with_reasons_are_errors_and_an_empty_list_has_none(tmp_path):
    files = [annotated(tmp_path, "a", {0: 2, 1: 0, 5: 1}), annotated(tmp_path, "b", {5: 3, 0: 0, 1: 1})]
    scores = read_scores(files)
    assert (scores.systems, scores.items) == (("a", "b"), ("0", "1", "5"))
    assert scores.values["marked_errors"].tolist() == [[-2.0, 0.0, -1.0], [0.0, -1.0, -3.0]]
    assert scores.given_by == MODELS
    export = read_export(files[0])
    assert [(span.start, span.end, span.category) for span in export.rows[0].spans] == [(0, 4, "0"), (1, 5, "0")]
    assert any("each with a reason, counts as an error" in note for note in export.notes)


def test_words_without_reasons_may_be_names_of_people_and_no_errors(tmp_path):
    assert read_export(annotated(tmp_path, "a", {0: 2, 1: 0}, reason="entity")) is None


def test_raters_who_are_called_as_language_models_are_judges(tmp_path):
    assert are_models(["gpt-4-0613", "claude-3-opus"])
    assert not are_models(["gpt-4-0613", "ann"])
    assert not are_models([])
    line = look(annotated(tmp_path, "a", {0: 2, 1: 0})).commands[0]
    assert line.startswith("referenceless compare --scores")
    people = look(annotated(tmp_path, "b", {0: 2, 1: 0}, rater="ann")).commands[0]
    assert people.startswith("referenceless human-score --ratings")
    with pytest.warns(InputNote, match="called as language models, such as 'gpt-4'"):
        read_rating_table([str(write(tmp_path / "t.csv", ["item,system,rater,rating", "1,a,gpt-4,3"]))])
