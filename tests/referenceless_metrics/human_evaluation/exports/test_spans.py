"""Exports of marked errors, and their scores."""

import json

import numpy as np
import pytest
from refusals import refused
from text_files import write, write_table

from referenceless_metrics.core.files.reading import Reading, condition
from referenceless_metrics.core.files.tables import read_blocks
from referenceless_metrics.human_evaluation.exports import mqm, sighting
from referenceless_metrics.human_evaluation.exports.reading import read_export
from referenceless_metrics.human_evaluation.exports.rows import Span
from referenceless_metrics.human_evaluation.exports.spans import check_named_weights, mqm_score, parse_mqm_weights
from referenceless_metrics.human_evaluation.ratings.columns import RatingColumns
from referenceless_metrics.human_evaluation.ratings.rating_files import read_rating_table
from referenceless_metrics.human_evaluation.scores.table import read_scores


@pytest.mark.parametrize(
    "severity, category, score",
    [
        ("Major", "Accuracy/Omission", -5),
        ("minor", "Style", -1),
        ("minor", "Fluency/Punctuation", -0.1),
        ("major", "Fluency/Punctuation", -5),
        ("Major", "Non-translation!", -25),
        ("Neutral", "Style", 0),
    ],
)
def test_the_most_specific_weight_counts(severity, category, score):
    assert mqm_score([Span(0, 1, severity, category)]) == score


def test_weights_of_the_user():
    weights = parse_mqm_weights("Critical=10, Minor/Style=0.5")
    spans = [Span(0, 1, "critical"), Span(0, 1, "minor", "Style/Awkward"), Span(None, None, "minor")]
    assert mqm_score(spans, weights) == -11.5
    with refused('no weight for the severity .critical.*--mqm-weights "critical=WEIGHT"'):
        mqm_score(spans)
    with refused('expected severities and weights, as "Critical=10'):
        parse_mqm_weights("Critical:10")


def test_a_weight_that_fits_no_error_is_told():
    spans = [Span(0, 1, "minor", "Source error"), Span(0, 1, "major", "Accuracy/Omission")]
    with refused("'source error' is a category.*--mqm-weights \"minor/Source error=0\""):
        check_named_weights(spans, parse_mqm_weights("Source error=0"))
    (note,) = check_named_weights(spans, parse_mqm_weights("Major=4,Critical=10,Minor/Sauce error=0"))
    assert (
        "no error of this file has the weight of 'critical', 'minor/sauce error' (--mqm-weights); they are minor/Source"
        in note
    )
    assert check_named_weights(spans, parse_mqm_weights("Minor/Source error=0,Major/Accuracy=3")) == []


# github.com/google/wmt-mqm-human-evaluation
MQM_COLUMNS = "system doc doc_id seg_id rater source target category severity".split()
MQM = [
    ("a", "d1", 1, 1, "r1", "s", "Er <v>war</v> da.", "Accuracy/Mistranslation", "Major"),
    ("a", "d1", 1, 1, "r1", "s", "Er war da<v>.</v>", "Fluency/Punctuation", "Minor"),
    ("a", "d1", 1, 1, "r2", "s", "Er war da.", "No-error", "No-error"),
    ("b", "d1", 1, 1, "r1", "s", 'Er "war da.', "No-error", "no-error"),
    ("b", "d1", 2, 2, "r1", "s", "Ja.", "Non-translation!", "Major"),
]


@pytest.mark.parametrize("in_set, n_items", [((1, 2, 3), 3), ((1, 1, 2), 2)])
def test_outputs_of_several_sources_are_told_apart_or_noted(tmp_path, in_set, n_items):
    """Here `doc_id` is the number of the document, and in the second table `seg_id` numbers two sources alike."""
    documents, sources = ("d1", "d1", "d2"), ("Ja <v>so</v>.", "Nein.", "Doch.")
    rows = [
        ("a", document, document[1], number, "r1", source, "x", "Style", "Minor")
        for document, number, source in zip(documents, in_set, sources, strict=True)
    ]
    path = write(tmp_path / "mqm.tsv", ["\t".join(map(str, row)) for row in (MQM_COLUMNS, *rows)])
    export = read_export(str(path))
    assert len(export.rows) == n_items
    told = [note for note in export.notes if "have several sources" in note]
    assert len(told) == (n_items < 3)
    assert not told or "1 of 2 items have several sources, as seg_id '1' of doc 'd1' has 2" in told[0]


def test_mqm_annotations(tmp_path):
    write(tmp_path / "mqm.tsv", ["\t".join(map(str, row)) for row in (MQM_COLUMNS, *MQM)])
    rows = read_export(str(tmp_path / "mqm.tsv")).rows
    assert rows[0].spans == (
        Span(3, 6, "major", "Accuracy/Mistranslation"),
        Span(9, 10, "minor", "Fluency/Punctuation"),
    )
    assert rows[0].text == "Er war da."
    table = read_scores([str(tmp_path / "mqm.tsv")])
    np.testing.assert_allclose(table.values["mqm"], [[-2.55, np.nan], [0, -25]])
    assert (table.items, table.is_single) == (("1", "2"), False)
    assert any("scores of 2 raters are averaged" in note for note in table.assumed)


@pytest.mark.parametrize(
    "asked, scores",
    [
        (["severity!=Minor"], {("a", "1", "r1"): -5, ("a", "1", "r2"): 0, ("b", "1", "r1"): 0, ("b", "2", "r1"): -25}),
        (["category=Fluency/Punctuation", "system=a"], {("a", "1", "r1"): -0.1, ("a", "1", "r2"): 0}),
        (["category=Non-translation!", "system=a"], {("a", "1", "r1"): 0, ("a", "1", "r2"): 0}),
        (["rater=r2"], {("a", "1", "r2"): 0}),
    ],
)
def test_conditions_on_errors_leave_out_no_judgements(tmp_path, asked, scores):
    path = write(tmp_path / "mqm.tsv", ["\t".join(map(str, row)) for row in (MQM_COLUMNS, *MQM)])
    export = read_export(str(path), Reading(where=tuple(map(condition, asked))))
    assert {(row.system, row.item, row.rater): row.scores["mqm"] for row in export.rows} == scores
    none = sum(not row.spans for row in export.rows)
    told = [note for note in export.notes if "chooses errors" in note]
    assert len(told) == (asked != ["rater=r2"])
    assert not told or told[0].endswith(f"the {none} of {len(scores)} judgements without a chosen error count 0")


def test_conditions_that_may_choose_errors_or_judgements_are_refused(tmp_path):
    rows = [(*MQM_COLUMNS, "comment"), *((*row, f"c{place % 2}") for place, row in enumerate(MQM))]
    path = str(write(tmp_path / "mqm.tsv", ["\t".join(map(str, row)) for row in rows]))
    with refused(
        "--where comment=c0: rows of one judgement differ in 'comment'.*conditions on 'category' and 'severity' choose"
    ):
        read_export(path, Reading(where=(condition("comment=c0"),)))
    assert len(read_export(path, Reading(where=(condition("target!="),))).rows) == 4
    with refused("no row meets --where category=Style"):
        read_export(path, Reading(where=(condition("category=Style"),)))


def test_conditions_on_rows_of_marked_errors(tmp_path):
    columns = ("system", "item", "worker_id", "error_type", "error_span")
    rows = [
        ("a", "1", "w", "extrinsic", "x"),
        ("a", "1", "w", "intrinsic", "y"),
        ("a", "2", "w", "intrinsic", "z"),
    ]
    path = tmp_path / "errors.csv"
    write_table(path, columns, rows)
    export = read_export(str(path), Reading(where=(condition("error_type=extrinsic"),)))
    assert [row.scores["marked_errors"] for row in export.rows] == [-1, 0]
    assert any("no row says that a rater marked nothing" in note for note in export.notes)


# github.com/zouharvi/pearmut, server/results_export.py
def pearmut(user, item_i, scores, **item):
    annotations = {
        system: {"score": score, "error_spans": [{"start_i": 0, "end_i": 3, "severity": "minor", "category": None}]}
        for system, score in scores.items()
    }
    tgt = dict.fromkeys(scores, "text")
    return {
        "user_id": user,
        "item_i": item_i,
        "annotation": [annotations],
        "item": [{"item_id": f"i{item_i}", "tgt": tgt} | item],
    }


def test_a_log_of_pearmut(tmp_path):
    log = [
        pearmut("ann", "welcome_0", {"a": 1}),
        pearmut("ann", 0, {"a": 10, "b": 20}),
        pearmut("bob", 0, {"a": 1, "b": 1}),
        {"user_id": "bob", "item_i": 0, "annotation": "__RESET__"},
        pearmut("bob", 0, {"a": 30, "b": 40}),
        pearmut("ann", 1, {"a": 50, "b": 60}),
        pearmut("ann", 1, {"a": 70, "b": 80}),
        pearmut("ann", 2, {"a": 0, "b": 0}, validation={"a": {"score": [0, 1]}}),
    ]
    path = str(write(tmp_path / "campaign.jsonl", map(json.dumps, log)))
    table = read_scores([path])
    assert (table.systems, table.items) == (("a", "b"), ("i0", "i1"))
    assert table.values["score"].tolist() == [[20, 70], [30, 80]]
    assert table.values["mqm"].tolist() == [[-1, -1], [-1, -1]]
    assert [note.split(": ", 1)[1] for note in table.notes] == [
        "2 tutorials and attention checks are left out.",
        "2 annotations were given anew by the same user: the last ones count.",
    ]
    assert read_export(path).rows[0].spans == (Span(0, 4, "minor"),)


# github.com/AppraiseDev/Appraise, Campaign/management/commands/ExportSystemScoresToCSV.py
def appraise(user, system, number, kind, score, document="", spans=None, *, whole=False):
    fields = [user, system, number, kind, "eng", "deu", score]
    if document:
        fields += [document, str(whole)]
    if spans is not None:
        fields.append(json.dumps(spans))
    return [*fields, 1711317347.693, 1711317348.693]


MINOR = {"start_i": 1, "end_i": 2, "severity": "minor", "error_type": None}
MISSING = {"start_i": "missing", "end_i": "missing", "severity": "major", "error_type": ["Accuracy", "Omission"]}


def save(folder, rows):
    first, *others = rows
    write_table(folder / "appraise.csv", first, others)
    return str(folder / "appraise.csv")


def test_appraise_with_documents_and_marked_errors(tmp_path):
    rows = [
        appraise("u1", "refA", 7, "TGT", 90, "d1#refA", [MINOR]),
        appraise("u1", "refA", 8, "TGT", 80, "d1#refA", []),
        appraise("u1", "refA", 9, "BAD", 10, "d1#refA#bad1", [MISSING]),
        appraise("u2", "ours", 3, "TGT", 60, "d1#ours", [MISSING]),
        appraise("u2", "ours", 4, "TGT", 70, "d1#ours", []),
        appraise("u2", "ours", 5, "TGT", 50, "d2#ours", []),
        appraise("u2", "ours", 6, "TGT", 50, "d2#ours", []),
        appraise("u1", "refA", 5, "TGT", 50, "d2#refA", []),
        appraise("u2", "ende-tutorial2", 1, "TGT", 0, "ende-tutorial2", []),
    ]
    table = read_scores([save(tmp_path, rows)])
    assert (table.systems, table.items) == (("refA", "ours"), ("d1/1", "d1/2"))
    assert table.values["score"].tolist() == [[90, 80], [60, 70]]
    assert table.values["mqm"].tolist() == [[-1, 0], [-5, 0]]
    told = " ".join(table.notes)
    assert "1 judgements of damaged outputs or references (BAD, REF) are left out." in told
    assert "1 judgements of tutorials are left out." in told
    assert "1 of 2 documents, with 3 judgements, are left out" in told


def test_numbers_of_appraise_that_raters_share_name_segments(tmp_path):
    judged = [("u1", "d1", (31, 33, 34)), ("u2", "d1", (31, 34)), ("u1", "d2", (37, 38)), ("u2", "d2", (38,))]
    rows = [appraise(user, "a", number, "TGT", number, name) for user, name, numbers in judged for number in numbers]
    export = read_export(save(tmp_path, rows))
    items = ["d1/31", "d1/33", "d1/34", "d1/31", "d1/34", "d2/37", "d2/38", "d2/38"]
    assert [row.item for row in export.rows] == items
    assert "the third field is taken for the number of the segment" in " ".join(export.notes)


def test_numbers_of_appraise_that_systems_do_not_share_are_places(tmp_path):
    # Two raters judge the same batch, in which each document stands twice, once for each system.
    places = [("a", "d1", (1, 2)), ("b", "d1", (3, 4)), ("a", "d2", (5, 6)), ("b", "d2", (7, 8))]
    rows = [
        appraise(user, system, place, "TGT", 50, name)
        for user in ("u1", "u2")
        for system, name, numbers in places
        for place in numbers
    ]
    export = read_export(save(tmp_path, rows))
    assert {row.item for row in export.rows} == {"d1/1", "d1/2", "d2/1", "d2/2"}


def test_columns_that_are_named_read_an_export_as_a_table(tmp_path):
    path = save(tmp_path, [appraise("u", "a", 1, "TGT", 50, "d")])
    assert read_export(path, Reading(columns=tuple("abcdefghijk"))) is None


def test_appraise_scores_of_whole_documents_are_no_segments(tmp_path):
    rows = [
        appraise("u", system, place, "TGT", score, f"d#{system}", whole=place == 3)
        for system, first in (("a", 10), ("b", 40))
        for place, score in ((1, first), (2, first + 10), (3, 100))
    ]
    table = read_scores([save(tmp_path, rows)])
    assert table.values["score"].tolist() == [[10, 20], [40, 50]]
    assert any("2 scores of whole documents are left out." in note for note in table.notes)
    documents = read_scores([save(tmp_path, [row for row in rows if row[8] == "True"])])
    assert documents.values["score"].tolist() == [[100], [100]]
    assert not any("whole documents" in note for note in documents.notes)


def test_appraise_without_documents_and_with_checks(tmp_path):
    rows = [appraise("u", system, 1, "TGT", score) for system, score in (("a", 50), ("b", 60))]
    rows.append(appraise("u", "a", 1, "CHK", 70))
    table = read_scores([save(tmp_path, rows)])
    assert table.values["score"].tolist() == [[60], [60]]


def test_appraise_mqm_campaigns_have_no_scores_but_errors(tmp_path):
    rows = [appraise("u", system, 1, "TGT", 0, f"d#{system}", spans) for system, spans in (("a", [MISSING]), ("b", []))]
    table = read_scores([save(tmp_path, rows)])
    assert {name: values.tolist() for name, values in table.values.items()} == {"mqm": [[-5], [0]]}
    assert "all scores are 0, as in campaigns of MQM" in table.notes[-1]


def test_json_lines_of_appraise(tmp_path):
    shared = {"annotator": "u", "item_type": "TGT", "document_id": "d#a", "source_language": "eng"}
    alone = [
        shared
        | {"task_type": "Document", "target_id": "a", "source_text": text, "score": score, "mqm_annotations": None}
        for text, score in (("one", 10), ("two", 20))
    ]
    pair = shared | {
        "task_type": "PairwiseESA",
        "source_text": "one",
        "targets": [{"target_id": name, "score": 30, "mqm_annotations": json.dumps([MINOR])} for name in ("b", "c")],
    }
    path = str(write(tmp_path / "appraise.jsonl", map(json.dumps, [*alone, pair])))
    table = read_scores([path], score_columns=["score"])
    np.testing.assert_array_equal(table.values["score"], [[10, 20], [30, np.nan], [30, np.nan]])
    assert read_export(path).rows[2].spans == (Span(1, 3, "minor"),)
    whole = alone[1] | {"source_text": "", "score": 90, "is_complete_document": True}
    write(tmp_path / "appraise.jsonl", map(json.dumps, [*alone, whole]))
    assert read_scores([path]).values["score"].tolist() == [[10, 20]]
    write(tmp_path / "appraise.jsonl", [json.dumps(alone[0] | {"task_type": "Data"})])
    with refused("a task of Appraise of the type str 'Data'"):
        read_scores([path])


# github.com/ParticleMedia/RAGTruth, README: dataset/response.jsonl
def response(source, model, *errors):
    marked = [{"start": 0, "end": 2, "text": "It", "label_type": kind} for kind in errors]
    return {"id": f"{source}{model}", "source_id": source, "model": model, "temperature": 0.7, "labels": marked} | {
        "split": "train",
        "response": "It is so.",
    }


@pytest.mark.parametrize("n_before", [0, 6])
def test_outputs_with_lists_of_errors_are_scored_by_their_number(tmp_path, n_before):
    rows = [response(f"e{number}", "a") for number in range(n_before)]
    rows += [response("x", "a", "Evident Conflict", "Evident Conflict"), response("x", "b")]
    rows += [response("y", "a", "Subtle Baseless Info"), response("y", "b", "Evident Conflict", "Evident Conflict")]
    path = str(write(tmp_path / "response.jsonl", map(json.dumps, rows)))
    table = read_scores([path])
    scores = dict(zip(table.items, table.values["marked_errors"].T.tolist(), strict=True))
    assert (scores["x"], scores["y"]) == ([-2, 0], [-1, -2])
    told = " ".join(table.notes)
    assert f"higher is better; {1 + n_before} of {4 + n_before} outputs have none in 'labels'" in told
    assert "Evident Conflict 4, Subtle Baseless Info 1" in told


def test_lists_of_errors_with_severities_have_the_weights_of_mqm(tmp_path):
    rows = [
        {"system": name, "item": 1, "error_spans": [{"start": 0, "end": 1, "severity": each} for each in severities]}
        for name, severities in (("a", ["Major", "minor"]), ("b", []))
    ]
    table = read_scores([str(write(tmp_path / "errors.jsonl", map(json.dumps, rows)))])
    assert table.values["mqm"].tolist() == [[-6], [0]]


def marked(system, document, line, **more):
    spans = [{"start": 0, "end": 1, "severity": "minor"}] if system == "a" else []
    return {"doc_id": document, "line_id": line, "system": system, "langs": "en-es", "error_spans": spans} | more


@pytest.mark.parametrize(
    "places, items, are_parts",
    [
        ([("x", 0), ("x", 1), ("y", 2)], ["0", "1", "2"], True),
        ([("x", 0), ("x", 1), ("y", 0)], ["x/0", "x/1", "y/0"], True),
        ([("x", 0), ("y", 1), ("z", 2)], ["0", "1", "2"], False),
    ],
)
def test_lists_of_errors_keep_the_documents_of_items(tmp_path, places, items, are_parts):
    rows = [marked(system, *place) for system in "ab" for place in places]
    path = str(write(tmp_path / "errors.jsonl", map(json.dumps, rows)))
    export = read_export(path)
    assert [row.item for row in export.rows] == items * 2
    assert [row.cluster for row in export.rows] == [document if are_parts else "" for document, _ in places] * 2
    assert export.languages == {"langs": ["en-es"] * 6}
    for name in ("doc_id", *(["document"] if are_parts else [])):
        frame = read_rating_table([path], RatingColumns(cluster=name)).frame
        assert frame["cluster"].tolist() == [document for document, _ in places] * 2


def test_lists_of_errors_have_no_documents_that_differ_between_systems(tmp_path):
    rows = [marked(system, f"{document}#{system}", line) for system in "ab" for document, line in ("x0", "x1", "y2")]
    export = read_export(str(write(tmp_path / "errors.jsonl", map(json.dumps, rows))))
    assert {(row.item, row.cluster) for row in export.rows} == {("0", ""), ("1", ""), ("2", "")}


def test_a_document_is_the_item_if_nothing_else_is(tmp_path):
    rows = [
        {"doc_id": document, "system": system, "error_spans": [{"start": 0, "end": 1}]}
        for document in "xy"
        for system in "ab"
    ]
    export = read_export(str(write(tmp_path / "errors.jsonl", map(json.dumps, rows))))
    assert [(row.item, row.cluster) for row in export.rows] == [("x", ""), ("x", ""), ("y", ""), ("y", "")]


@pytest.mark.parametrize("column", [None, "rating", "esa_score", "mqm"])
def test_a_rater_s_score_beside_a_list_of_errors_is_the_rating(tmp_path, column):
    rows = [
        marked(system, "x", line, annotator=rater, esa_score=80 + line)
        for system in "ab"
        for line in range(3)
        for rater in "vw"
    ]
    path = str(write(tmp_path / "errors.jsonl", map(json.dumps, rows)))
    frame = read_rating_table([path], RatingColumns(ratings=() if column is None else (column,))).frame
    of_errors = [-1] * 6 + [0] * 6
    assert frame["rating"].tolist() == (of_errors if column == "mqm" else [80, 80, 81, 81, 82, 82] * 2)
    assert [len(spans) for spans in frame["spans"]] == [-score for score in of_errors]
    assert read_scores([path]).columns == ("esa_score", "mqm")
    assert "6 of 12 judgements of an output have none" in read_export(path).notes[0]


@pytest.mark.parametrize("more", [{"annotator": "v", "esa_score": 80, "comet_score": 0.8}, {"score": 80}])
def test_numbers_that_may_not_be_the_rater_s_are_ratings_only_by_name(tmp_path, more):
    """Several scores stand there, or no rater is named."""
    rows = [marked(system, "x", line, **more) for system in "ab" for line in range(3)]
    path = str(write(tmp_path / "errors.jsonl", map(json.dumps, rows)))
    assert read_rating_table([path]).frame["rating"].tolist() == [-1] * 3 + [0] * 3
    name = next(name for name in more if name.endswith("score"))
    assert read_rating_table([path], RatingColumns(ratings=(name,))).frame["rating"].tolist() == [80] * 6
    assert f"beside the errors there are numbers in '{name}'" in read_export(path).notes[-1]


def test_lists_of_other_spans_are_no_errors(tmp_path):
    rows = [
        {"model": name, "text": "Ann sings", "spans": [{"start": 0, "end": 3, "label": "PERSON"}]}
        for name in ("a", "b")
    ]
    assert read_export(str(write(tmp_path / "names.jsonl", map(json.dumps, rows)))) is None


@pytest.mark.parametrize("kind", ["csv", "xlsx"])
def test_a_scorecard_of_errors_without_raters_is_counted_by_segment(kind, tmp_path):
    """Its words of severity tell it; titles may stand above the names of a sheet's columns."""
    header = ["Seg. #", "Target", "Engine", "Error category", "Severity", "Comment"]
    rows = [
        [1, "a cat sat", "A", "Accuracy", "Major", ""],
        [1, "a cat sat", "A", "Style", "Minor", "stiff"],
        [2, "a dog ran", "A", "", "No error", ""],
        [1, "the cat sat", "B", "Style", "Minor", ""],
        [2, "the dog ran", "B", "", "No error", ""],
    ]
    path = tmp_path / f"card.{kind}"
    if kind == "csv":
        write_table(path, header, rows)
    else:
        book = pytest.importorskip("openpyxl").Workbook()
        for row in (["Scorecard of the project"], [], header, *rows):
            book.active.append(row)
        book.save(path)
    export = read_export(str(path))
    told = {(row.system, row.item): (row.scores["mqm"], row.rater) for row in export.rows}
    assert told == {("A", "1"): (-6, ""), ("A", "2"): (0, ""), ("B", "1"): (-1, ""), ("B", "2"): (0, "")}


def test_a_column_of_severity_that_holds_numbers_is_no_error(tmp_path):
    rows = [[n, system, "style", n % 4] for n in range(6) for system in "AB"]
    path = write_table(tmp_path / "t.csv", ["segment", "system", "category", "severity"], rows)
    assert read_export(str(path)) is None


def test_the_first_rows_of_a_workbook_are_read_once_until_it_changes(tmp_path, monkeypatch):
    openpyxl = pytest.importorskip("openpyxl")
    read = []
    monkeypatch.setattr(sighting, "read_blocks", lambda *words, **how: read.append(words) or read_blocks(*words, **how))
    path = str(tmp_path / "card.xlsx")
    for names in (["Seg", "Engine", "Category", "Severity"], ["Seg", "Engine", "Category", "Rating"]):
        book = openpyxl.Workbook()
        for row in (names, [1, "A", "Style", "Major" if names[-1] == "Severity" else 4]):
            book.active.append(row)
        book.save(path)
        n_before = len(read)
        found = [sighting.sight(path) for _ in range(3)]
        assert [mqm.FORM.fits(each) for each in found] == [names[-1] == "Severity"] * 3
        assert len(read) == n_before + 1
