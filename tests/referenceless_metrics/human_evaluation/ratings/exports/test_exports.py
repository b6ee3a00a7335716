"""Exports of annotation tools, each in a small file made in its form."""

import json
import warnings

import pytest
from refusals import refused
from text_files import write, write_table

from referenceless_metrics import look
from referenceless_metrics.core.files.reading import Condition, InputNote, Reading
from referenceless_metrics.human_evaluation.ratings.export_files import read_rating_rows
from referenceless_metrics.human_evaluation.ratings.rating_files import read_rating_table


@pytest.fixture(autouse=True)
def _quiet(folder):
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", InputNote)
        yield


def cells(table, *names):
    return [[row[name] for name in names] for row in table.rows]


def test_label_studio_json():
    def result(name, kind, value):
        return {"from_name": name, "to_name": "text", "type": kind, "id": "x", "value": value}

    def annotation(who, *results, cancelled=False):
        return {"id": 1, "completed_by": who, "was_cancelled": cancelled, "result": list(results)}

    tasks = [
        {
            "id": 7,
            "data": {"text": "one", "system": "ours"},
            "annotations": [
                annotation(
                    1, result("fluency", "rating", {"rating": 4}), result("ok", "choices", {"choices": ["yes"]})
                ),
                annotation({"id": 2, "email": "b@x"}, result("fluency", "rating", {"rating": 3})),
                annotation(3, cancelled=True),
            ],
            "predictions": [],
        },
        {
            "id": 8,
            "data": {"text": "two", "system": "base"},
            "annotations": [annotation(1, result("span", "labels", {"start": 0, "end": 1, "labels": ["x"]}))],
        },
    ]
    write("project.json", json.dumps(tasks))
    table = read_rating_rows("project.json")
    assert cells(table, "item", "system", "text", "rater", "fluency", "ok") == [
        [7, "ours", "one", 1, 4, "yes"],
        [7, "ours", "one", "b@x", 3, None],
        [8, "base", "two", 1, None, None],
    ]
    assert "left out: 1 annotations that were skipped" in table.notes
    assert "export of Label Studio" in table.notes[0]


@pytest.mark.parametrize("form", ["json", "csv"])
def test_label_studio_rows_of_annotations(form):
    row = {
        "text": "one",
        "id": 7,
        "annotator": 1,
        "annotation_id": 9,
        "created_at": "t",
        "updated_at": "t",
        "lead_time": 1.5,
    }
    if form == "json":
        write("min.json", json.dumps([row | {"fluency": [{"rating": 4}], "better": [{"selected": "left"}]}]))
    else:
        row |= {"fluency": '[{"rating": 4}]', "better": '[{"selected": "left"}]'}
        write_table("min.csv", list(row), [list(row.values())])
    table = read_rating_rows(f"min.{form}")
    [found] = cells(table, "item", "rater", "text", "fluency", "better")
    assert [str(cell) for cell in found] == ["7", "1", "one", "4", "left"]


def _argilla_2():
    responses = {"quality": [{"value": 4, "user_id": "u1"}, {"value": 2, "user_id": "u2"}]}
    return [
        {
            "id": "r1",
            "fields": {"text": "one"},
            "metadata": {"system": "ours"},
            "responses": responses,
            "status": "completed",
        }
    ]


def _argilla_flat():
    flat = {"quality.responses": [4, 2], "quality.responses.users": ["u1", "u2"]}
    return [
        {"id": "r1", "text": "one", "system": "ours", **flat, "quality.responses.status": ["submitted", "submitted"]}
    ]


def _argilla_1():
    given = [{"user_id": "u1", "value": 4, "status": "submitted"}, {"user_id": "u2", "value": 2, "status": "submitted"}]
    given.append({"user_id": "u3", "value": 1, "status": "discarded"})
    return [{"text": "one", "system": "ours", "quality": given, "external_id": "r1"}]


@pytest.mark.parametrize("made", [_argilla_2, _argilla_flat, _argilla_1])
def test_argilla(made):
    write("records.json", json.dumps(made()))
    table = read_rating_rows("records.json")
    assert cells(table, "item", "rater", "text", "quality", "rating") == [
        ["r1", "u1", "one", 4, 4],
        ["r1", "u2", "one", 2, 2],
    ]


def test_prodigy():
    options = [{"id": str(n), "text": f"{n} stars"} for n in range(1, 6)]
    task = {"text": "one", "meta": {"system": "ours"}, "_input_hash": 5, "_task_hash": 6, "options": options}
    rows = [
        task | {"accept": ["4"], "answer": "accept", "_annotator_id": "set-ann"},
        task | {"accept": [], "answer": "ignore", "_annotator_id": "set-bob"},
    ]
    write("out.jsonl", "\n".join(map(json.dumps, rows)))
    table = read_rating_rows("out.jsonl")
    assert cells(table, "item", "rater", "system", "rating") == [[5, "set-ann", "ours", "4"]]
    assert "left out: 1 answers 'ignore'" in table.notes


def test_prodigy_binary():
    rows = [
        {"text": "a", "_input_hash": n, "answer": answer, "_session_id": "s"}
        for n, answer in enumerate(["accept", "reject"])
    ]
    write("out.jsonl", "\n".join(map(json.dumps, rows)))
    assert cells(read_rating_rows("out.jsonl"), "rating") == [[1], [0]]


def test_mturk_batch():
    head = ["HITId", "HITTypeId", "AssignmentId", "WorkerId", "AssignmentStatus", "Input.text", "Input.system"]
    buttons = [{"fluency": {"1": False, "2": True}, "comment": "fine"}]
    rows = [
        ["h1", "t", "a1", "w1", "Approved", "one", "ours", json.dumps(buttons)],
        ["h1", "t", "a2", "w2", "Rejected", "one", "ours", json.dumps(buttons)],
    ]
    write_table("batch.csv", [*head, "Answer.taskAnswers"], rows)
    table = read_rating_rows("batch.csv")
    assert cells(table, "item", "rater", "text", "system", "fluency", "comment") == [
        ["h1", "w1", "one", "ours", "2", "fine"]
    ]
    assert "left out: 1 assignments that were rejected" in table.notes


def test_mturk_with_numbered_parts_and_buttons():
    head = [
        "HITId",
        "WorkerId",
        "Input.sentence1",
        "Input.sentence2",
        "Answer.q1.1",
        "Answer.q1.2",
        "Answer.q2.1",
        "Answer.q2.2",
    ]
    write_table("batch.csv", head, [["h", "w", "one", "two", "true", "false", "false", "true"]])
    assert cells(read_rating_rows("batch.csv"), "item", "text", "q") == [["h/1", "one", "1"], ["h/2", "two", "2"]]


@pytest.mark.parametrize("n_headers", [3, 2])
def test_qualtrics(n_headers):
    if n_headers == 3:
        head = ["StartDate", "Status", "Finished", "ResponseId", "Q1_1", "Q1_2", "Q2"]
        words = ["Start Date", "Response Type", "Finished", "Response ID", "Rate - The cat.", "Rate - A dog.", "Why?"]
        ids = [
            '{"ImportId":"startDate"}',
            '{"ImportId":"status"}',
            '{"ImportId":"finished"}',
            '{"ImportId":"_recordId"}',
        ]
        ids += ['{"ImportId":"QID1_1"}', '{"ImportId":"QID1_2"}', '{"ImportId":"QID2_TEXT"}']
        rows = [words, ids]
        answers = [
            ["d", "IP Address", "True", "R_1", "5 - good", "1 - bad", "so"],
            ["d", "Survey Preview", "True", "R_2", "1 - bad", "1 - bad", ""],
        ]
    else:
        head = ["V1", "V2", "V3", "Q1_1", "Q1_2"]
        rows = [["ResponseID", "ResponseSet", "Name", "Rate - The cat.", "Rate - A dog."]]
        answers = [["R_1", "Default", "", "5 - good", "1 - bad"]]
    write_table("survey.csv", head, rows + answers)
    table = read_rating_rows("survey.csv")
    assert cells(table, "item", "rater", "text", "rating") == [
        ["Q1_1", "R_1", "Rate - The cat.", 5.0],
        ["Q1_2", "R_1", "Rate - A dog.", 1.0],
    ]


def test_a_question_of_consent_is_no_question_of_agreement():
    head = ["Finished", "Status", "ResponseId", "Q1", "Q2_1", "Q2_2"]
    words = ["Beendet", "Antworttyp", "Antwort-ID", "Einverstanden?", "Bot A - Klar", "Bot B - Klar"]
    ids = [f'{{"ImportId":"{each}"}}' for each in ("finished", "status", "_recordId", "QID1", "QID2_1", "QID2_2")]
    answers = [
        ["Wahr", "IP-Adresse", "R_1", "Ja", "Stimme eher zu", "Weder noch"],
        ["Falsch", "IP-Adresse", "R_2", "Nein", "Stimme voll und ganz zu", "Stimme eher nicht zu"],
    ]
    write_table("survey.csv", head, [words, ids, *answers])
    table = read_rating_rows("survey.csv")
    assert cells(table, "item", "rating") == [["Q2_1", 4.0], ["Q2_2", 3.0], ["Q2_1", 5.0], ["Q2_2", 2.0]]
    assert "left out, since of another scale: 'Q1'" in table.notes
    assert "1 of 2 responses are not finished, and count as far as they go (--where Finished=Wahr leaves them out)" in (
        table.notes
    )


def test_google_forms():
    head = ["Timestamp", "Email Address", "How fluent? [The cat sat]", "How fluent? [A dog]", "Comments", "Age"]
    rows = [["1/2/2024 10:00:01", "a@x", 5, 3, "none", 31], ["1/2/2024 10:05:01", "b@x", 4, 2, "", 57]]
    write_table("form.csv", head, rows)
    table = read_rating_rows("form.csv")
    assert "left out, since of another scale: 'Age'" in table.notes
    frame = read_rating_table([table]).frame
    assert frame[["item", "rater", "rating"]].values.tolist() == [
        ["How fluent? [The cat sat]", "a@x", 5],
        ["How fluent? [A dog]", "a@x", 3],
        ["How fluent? [The cat sat]", "b@x", 4],
        ["How fluent? [A dog]", "b@x", 2],
    ]


def test_a_table_with_raters_and_items_behind_times_is_no_form_of_google():
    head = ["timestamp", "annotator", "item_id", "system", "fluency"]
    rows = [[f"2025-03-05T09:2{n}:11", "ann", n, system, 1 + n % 5] for n in range(5) for system in ("base", "ours")]
    write_table("rated.csv", head, rows)
    assert read_rating_rows("rated.csv").columns == tuple(head)


@pytest.mark.parametrize("time, names", [("2025-01-20T09:27:22", "xy"), ("2025-01-20 09:27:22", "ab")])
def test_votes_of_an_arena_behind_times_are_no_form_of_google(time, names):
    head = ["timestamp", "session_id", "prompt", *(f"model_{side}" for side in names), "vote"]
    rows = [[time, f"s{n}", f"Say {n}.", "base", "ours", "A is better"] for n in range(4)]
    write_table("votes.csv", head, rows)
    assert "Google" not in look("votes.csv").form


def test_choices_between_numbered_pairs_behind_times_are_no_form_of_google():
    head = ["timestamp", "annotator", "pair_id", "choice"]
    write_table("choices.csv", head, [[f"2025-03-05T09:2{n}:11", "ann", n, "AB"[n % 2]] for n in range(8)])
    assert look("choices.csv").form == ".csv"
    assert read_rating_rows("choices.csv").columns == tuple(head)


def test_a_plain_table_is_no_survey():
    head = ["Timestamp", "How fluent? [The cat sat]", "How fluent? [A dog]"]
    write_table("form.csv", head, [["1/2/2024 10:00:01", 5, 3], ["1/2/2024 10:05:01", 4, 2]])
    assert read_rating_rows("form.csv", Reading(format="csv")).columns == tuple(head)
    assert "rating" in read_rating_rows("form.csv").columns
    assert look("form.csv", Reading(format="csv")).form == ".csv"


def test_an_arena_log_holds_preferences():
    rows = [("q1", "x", "y", "model_a", "ann"), ("q1", "y", "x", "tie (bothbad)", "bob")]
    write_table("battles.csv", ["question_id", "model_a", "model_b", "winner", "judge"], rows)
    frame = read_rating_table(["battles.csv"]).frame
    assert frame[["item", "rater", "system_a", "preference"]].values.tolist() == [
        ["q1", "ann", "x", 1],
        ["q1", "bob", "y", 0.5],
    ]
    head = ["id", "model_a", "model_b", "winner_model_a", "winner_model_b", "winner_tie"]
    write_table("kaggle.csv", head, [(1, "x", "y", 0, 1, 0)])
    assert read_rating_table(["kaggle.csv"]).frame["preference"].tolist() == [0]


def test_conditions_are_on_the_rows_of_the_long_table():
    test_google_forms()
    one = Reading(where=(Condition("rater", "b@x"),))
    assert len(read_rating_rows("form.csv", one).rows) == 2
    with refused("no row meets --where rater=c"):
        read_rating_rows("form.csv", Reading(where=(Condition("rater", "c"),)))


def test_limesurvey():
    head = ["id. Response ID", "lastpage. Last page", "startlanguage. Start language", "Q1[SQ1]. Fluent? [The cat sat]"]
    write_table("survey.csv", head, [(7, 2, "en", 5)])
    found = cells(read_rating_rows("survey.csv"), "item", "rater", "text", "rating")
    assert [str(cell) for cell in found[0]] == [head[-1], "7", "Fluent? [The cat sat]", "5"]


def test_surveymonkey():
    head = ["Respondent ID", "Collector ID", "How fluent is each?", ""]
    write_table("survey.csv", head, [("", "", "The cat sat", "A dog run"), (11, 4, 5, 2)])
    found = cells(read_rating_rows("survey.csv"), "rater", "text", "rating")
    assert [[str(cell) for cell in row] for row in found] == [["11", "The cat sat", "5"], ["11", "A dog run", "2"]]


def test_potato():
    head = ["user", "instance_id", "displayed_text", "fluency:::1", "fluency:::2"]
    write_table("annotated.csv", head, [("ann", "i1", "one", "", "2"), ("bob", "i1", "one", "1", "")])
    found = cells(read_rating_rows("annotated.csv"), "item", "rater", "text", "rating")
    assert found == [["i1", "ann", "one", "2"], ["i1", "bob", "one", "1"]]


def test_an_export_without_questions_of_its_own_names_none():
    """A choice between two systems is a preference, and no answer to a question."""
    row = {"id": 7, "model1": "a", "model2": "b", "comparison": "left", "annotator": 1, "annotation_id": 9}
    write("min.json", json.dumps([row | {"lead_time": 1.5}]))
    (note, *_) = read_rating_rows("min.json").notes
    assert note.endswith("is read as an export of Label Studio")
