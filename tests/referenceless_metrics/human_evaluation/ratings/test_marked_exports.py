"""Ratings in exports with marked errors: Pearmut, Appraise and MQM annotations."""

import itertools
import json

import pytest
from command_lines import as_json, invoke, typed
from text_files import write, write_table

from referenceless_metrics.core.files.reading import InputNote, Reading
from referenceless_metrics.core.support.validation import InputError
from referenceless_metrics.human_evaluation.exports import mqm
from referenceless_metrics.human_evaluation.exports.sighting import sight
from referenceless_metrics.human_evaluation.ratings.columns import RatingColumns
from referenceless_metrics.human_evaluation.ratings.rating_files import read_rating_table

SPAN = {"start_i": 0, "end_i": 3, "severity": "major", "category": None}


def test_a_log_of_pearmut_is_a_table_of_ratings(tmp_path):
    log = [
        {
            "user_id": user,
            "item_i": 0,
            "annotation": [{"a": {"score": score, "error_spans": [SPAN]}}],
            "item": [{"item_id": "i0", "tgt": {"a": "text"}}],
        }
        for user, score in (("ann", 70), ("bob", 80))
    ]
    path = str(write(tmp_path / "campaign.jsonl", map(json.dumps, log)))
    with pytest.warns(InputNote, match="is read as Pearmut log; 'rating' is its score"):
        frame = read_rating_table([path]).frame
    assert frame[["item", "system", "rater", "rating"]].to_numpy().tolist() == [
        ["i0", "a", "ann", 70.0],
        ["i0", "a", "bob", 80.0],
    ]


def test_marked_errors_without_scores_are_rated_by_their_weights(tmp_path):
    rows = [
        ("system", "doc", "doc_id", "rater", "target", "category", "severity"),
        ("a", "d", "1", "r1", "<v>Er</v> da", "Style", "Minor"),
        ("a", "d", "1", "r2", "Er da", "No-error", "No-error"),
    ]
    path = str(write(tmp_path / "mqm.tsv", ["\t".join(row) for row in rows]))
    with pytest.warns(InputNote, match="'rating' is its mqm"):
        assert read_rating_table([path]).frame["rating"].tolist() == [-1.0, 0.0]


@pytest.mark.parametrize("cluster", ["doc", "document"])
@pytest.mark.filterwarnings("ignore::referenceless_metrics.core.files.reading.InputNote")
def test_columns_of_an_export_are_named_as_in_the_file_too(tmp_path, cluster):
    rows = [
        ("system", "doc", "doc_id", "rater", "category", "severity"),
        *((system, "d", str(item), "r", "Style", "Minor") for system in "ab" for item in range(2)),
    ]
    path = str(write(tmp_path / "mqm.tsv", ["\t".join(row) for row in rows]))
    table = read_rating_table([path], RatingColumns(cluster=cluster, item="doc_id"))
    assert set(table.frame["cluster"]) == {"d"}
    assert "text" not in table.frame
    assert not any("--cluster-column" in note for note in table.notes)


@pytest.mark.parametrize("column", [None, "target"])
@pytest.mark.filterwarnings("ignore::referenceless_metrics.core.files.reading.InputNote")
def test_texts_of_an_export_are_those_that_raters_marked(tmp_path, column):
    rows = [
        ("system", "doc", "doc_id", "rater", "target", "category", "severity"),
        *(
            ("a", "d", "1", rater, text, "Style", "Minor")
            for rater, text in (("r1", "<v>Er</v> da"), ("r2", "Er <v>da</v>"))
        ),
    ]
    path = str(write(tmp_path / "mqm.tsv", ["\t".join(row) for row in rows]))
    assert read_rating_table([path], RatingColumns(text=column)).frame["text"].tolist() == ["Er da", "Er da"]
    unlike = str(write(tmp_path / "mqm.tsv", ["\t".join(row).replace("Er <v>da", "Es <v>da") for row in rows]))
    assert "text" not in read_rating_table([unlike]).frame


def test_lists_of_two_errors_are_no_pairs_of_outputs(tmp_path):
    def row(item, model, n):
        errors = [{"start": 0, "end": 1, "label_type": "Conflict", "implicit": place == 0} for place in range(n)]
        return {"source_id": item, "model": model, "labels": errors, "response": "so"}

    rows = [row(item, model, (item + len(model)) % 3) for item in range(4) for model in ("a", "bb")]
    path = str(write(tmp_path / "response.jsonl", map(json.dumps, rows)))
    with pytest.warns(InputNote, match="'rating' is its marked_errors"):
        frame = read_rating_table([path]).frame
    assert frame["rating"].tolist() == [-float(len(each["labels"])) for each in rows]
    assert "rater" not in frame


OWN_NAMES = ("SEG_ID", "Doc", "Source", "Target", "MT", "Tagged_Target", "Error Category", "Severity", "Annotator_ID")


def test_marked_errors_under_other_names_of_columns(tmp_path):
    """Blank category and severity say that there is no error; numbers of segments begin again in each document."""
    rows = [
        OWN_NAMES,
        ("1", "d1", "s", "Er ist da", "sys1", "Er <tag>ist</tag> da", "Style", "Minor", "7"),
        ("1", "d1", "s", "Er ist da", "sys1", "", "Accuracy - Omission", "Major", "7"),
        ("2", "d1", "s", "Sie war da", "sys1", "", "", "", "7"),
        ("1", "d2", "s", "Es ging", "sys1", "", "", "", "7"),
    ]
    path = str(write(tmp_path / "t.tsv", ["\t".join(row) for row in rows]))
    with pytest.warns(InputNote, match="2 errors are marked in 1 of 3 outputs"):
        frame = read_rating_table([path], clusters=False).frame
    assert frame[["item", "system", "rater", "rating", "text"]].to_numpy().tolist() == [
        ["d1/1", "sys1", "7", -6.0, "Er ist da"],
        ["d1/2", "sys1", "7", 0.0, "Sie war da"],
        ["d2/1", "sys1", "7", 0.0, "Es ging"],
    ]


def test_outputs_with_errors_are_counted_once_whoever_marked_them(tmp_path):
    """Two raters judged each of three outputs: the first one both marked, the second one of them."""
    severities = {("1", "7"): "Minor", ("1", "8"): "Major", ("2", "7"): "Minor"}
    rows = []
    for item, rater in itertools.product("123", "78"):
        severity = severities.get((item, rater), "")
        rows.append((item, "d", "s", "Er", "sys", "", "Style" if severity else "", severity, rater))
    path = str(write(tmp_path / "t.tsv", ["\t".join(row) for row in [OWN_NAMES, *rows]]))
    told = "3 errors are marked in 2 of 3 outputs, by one rater or another: in 3 of 6 judgements of an output"
    with pytest.warns(InputNote, match=told):
        read_rating_table([path], clusters=False)


def test_weights_of_further_severities_are_given_to_commands_on_ratings(tmp_path):
    rows = [
        OWN_NAMES,
        ("1", "d", "s", "Er", "a", "", "Style", "Critical", "7"),
        ("1", "d", "s", "Er", "b", "", "", "", "7"),
    ]
    path = str(write(tmp_path / "t.tsv", ["\t".join(row) for row in rows]))
    with pytest.raises(InputError, match='--mqm-weights "critical=WEIGHT", such as 10 or 25'):
        read_rating_table([path])
    with pytest.warns(InputNote):
        frame = read_rating_table([path], reading=Reading(error_weights={"critical": 10.0})).frame
    assert frame["rating"].tolist() == [-10.0, 0.0]
    assert "--mqm-weights" in invoke("human-score --help-all").output


def test_files_of_which_some_have_a_severity_without_a_weight_are_looked_at_together(folder):
    for system, severity in (("a", "Minor"), ("b", "Critical"), ("c", "Critical")):
        rows = [
            ("1", f"d{n}", "s", "Er", system, "", *(("Style", severity) if n % 3 else ("", "")), "7") for n in range(12)
        ]
        write(f"{system}.tsv", ["\t".join(row) for row in [OWN_NAMES, *rows]])
    told = typed("look a.tsv b.tsv c.tsv").out
    line = "human-score --ratings a.tsv --ratings b.tsv --ratings c.tsv --mqm-weights critical={} --all-pairs"
    assert f"referenceless {line.format('WEIGHT')}" in told
    assert "there is no weight for the severity 'critical'" in told
    scored = typed(line.format(10)).err
    assert "no error of this file has the weight of 'critical' (--mqm-weights); they are minor/Style" in scored


def test_a_column_of_outputs_is_none_of_systems(tmp_path):
    names = ("seg", "mt", "severity", "category", "rater")
    rows = [names, ("1", "a whole sentence stands here", "Minor", "Style", "7")]
    path = str(write(tmp_path / "t.tsv", ["\t".join(row) for row in rows]))
    assert not mqm.FORM.fits(sight(path))


def test_sums_of_errors_end_at_zero_and_have_no_lowest_end_to_name(folder):
    """A table of MQM annotations stands alone for `--ratings`; a mean of its sums is never above 0."""
    rows = []
    for n in range(12):
        for system, severity in (("base", "Minor" if n % 2 else "Major"), ("ours", "Minor" if n == 3 else "No-error")):
            text = f"the {system} text number {n}"
            rows.append((system, f"doc{n % 3}", n // 3, n, "ann", "src", text, "Fluency", severity))
    header = ("system", "doc", "doc_id", "seg_id", "rater", "source", "target", "category", "severity")
    write_table("mqm.tsv", header, rows, delimiter="\t")
    found = as_json("human-score mqm.tsv --cluster-column document")
    assert found["rows"] == as_json("human-score --ratings mqm.tsv --cluster-column document")["rows"]
    (ours,) = [row for row in found["rows"] if row["system"] == "ours" and not row["less"]]
    assert (ours["mean"], ours["high"]) == (-1 / 12, 0.0)
    told = " ".join(found["findings"])
    assert "Rate more items: a sum of errors has no lowest end that --scale could name." in told


def test_marked_errors_are_counted_by_category_severity_and_system(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    marked = [
        ("a", "1", "ann", "Accuracy/Omission", "Major"),
        ("a", "1", "ann", "Accuracy/Omission", "Minor"),
        ("a", "1", "bob", "Fluency/Punctuation", "Minor"),
        ("b", "1", "ann", "Accuracy/Omission", "Major"),
        ("b", "2", "ann", "No-error", "No-error"),
    ]
    rows = [("system", "seg_id", "rater", "category", "severity"), *marked]
    write("mqm.tsv", ["\t".join(row) for row in rows])
    found = as_json("human-score --ratings mqm.tsv --errors")
    assert found["judgements"] == {"a": 2, "b": 2}
    assert [tuple(row.values()) for row in found["rows"]] == [
        ("Accuracy/Omission", "major", 5.0, "a", 1, 2),
        ("Accuracy/Omission", "major", 5.0, "b", 1, 2),
        ("Accuracy/Omission", "minor", 1.0, "a", 1, 2),
        ("Accuracy/Omission", "minor", 1.0, "b", 0, 2),
        ("Fluency/Punctuation", "minor", 0.1, "a", 1, 2),
        ("Fluency/Punctuation", "minor", 0.1, "b", 0, 2),
    ]
    assert found["findings"][-3].endswith("in the mean: a -3.05, b -2.5.")
    shares = "by category, over all systems: Accuracy/Omission 99%, Fluency/Punctuation 1%."
    assert found["findings"][-2].endswith(shares)
    told = invoke("human-score --ratings mqm.tsv --errors").output
    assert ["all", "3", "1"] in [line.split() for line in told.splitlines()]
    assert "Marked errors, and judgements: a 3 in 2, b 1 in 2." in told
    free = as_json("human-score --ratings mqm.tsv --errors --mqm-weights Minor/Accuracy=0")
    assert free["findings"][-3].endswith("in the mean: a -2.55, b -2.5.")
    assert "leave out --fail-if-worse" in invoke("human-score --ratings mqm.tsv --errors --fail-if-worse").output
    write_table("plain.csv", ("item", "system", "rating"), [(1, "a", 3), (1, "b", 4)])
    with pytest.raises(InputError, match="there are no marked errors in it"):
        invoke("human-score --ratings plain.csv --errors", catch_exceptions=False)


def test_errors_are_counted_without_weights(folder):
    marked = [("a", "1", "Critical"), ("a", "1", "Minor"), ("b", "1", "Severe"), ("b", "2", "Major")]
    rows = [("system", "seg_id", "rater", "category", "severity")]
    rows += [(system, item, "ann", "Style", severity) for system, item, severity in marked]
    write("mqm.tsv", ["\t".join(row) for row in rows])
    found = as_json("human-score --ratings mqm.tsv --errors")
    told = {(row["severity"], row["system"]): (row["weight"], row["errors"]) for row in found["rows"]}
    assert told["critical", "a"] == told["severe", "b"] == (None, 1)
    assert told["major", "b"] == (5.0, 1)
    assert any("'critical' and 'severe' have no weight (--mqm-weights" in line for line in found["findings"])
    weighed = as_json("human-score --ratings mqm.tsv --errors --mqm-weights critical=10,severe=20")
    assert any("in the mean: a -11, b -12.5." in line for line in weighed["findings"])
    with pytest.raises(InputError, match="there is no weight for the severity 'critical'"):
        invoke("human-score --ratings mqm.tsv", catch_exceptions=False)


@pytest.mark.filterwarnings("ignore::referenceless_metrics.core.files.reading.InputNote")
def test_sentence_and_caption_name_mqm_and_its_weights(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    severities = ("Minor", "Major", "Major")
    rows = [
        ("system", "doc", "doc_id", "rater", "category", "severity"),
        *(
            (system, f"d{item // 2}", str(item), "r", "Style", severities[(item + shift) % 3 if item % 4 else shift])
            for shift, system in enumerate("ab")
            for item in range(24)
        ),
    ]
    write("mqm.tsv", ["\t".join(row) for row in rows])
    weights = "major 10, minor 1, major/non-translation 25, minor/fluency/punctuation 0.1"
    told = invoke("human-score --ratings mqm.tsv --mqm-weights major=10 -f latex").output
    assert "Mean scores by MQM on 24 items" in told
    assert f"MQM: the negative sum of the errors' weights ({weights})." in told
    assert f"(by MQM with error weights {weights}: mean difference" in told
    plain = [("system", "item", "rating"), *((system, n, -n % 5) for system in "ab" for n in range(24))]
    write_table("plain.csv", plain[0], plain[1:])
    told = invoke("human-score --ratings plain.csv -f latex").output
    assert "Mean ratings on 24 items" in told
    assert "MQM" not in told


def test_categories_of_one_group_have_a_row_together_and_each_system_its_shares(folder):
    kinds = {"a": ["Accuracy/Omission", "Accuracy/Addition", "Style"], "b": ["Accuracy/Omission", "Style", "Style"]}
    rows = [(s, str(n), "r", kind, "Minor") for s, of in kinds.items() for n, kind in enumerate(of)]
    write("mqm.tsv", ["\t".join(row) for row in [("system", "seg_id", "rater", "category", "severity"), *rows]])
    told = typed("human-score --ratings mqm.tsv --errors").out
    cells = {line.split("  ")[0]: line.split()[-2:] for line in told.splitlines() if "  " in line}
    assert (cells["Accuracy, all"], cells["Style, all"], cells["all"]) == (["2", "1"], ["1", "2"], ["3", "3"])
    assert "of each system's own sum: a Accuracy 67%, Style 33%; b Style 67%, Accuracy 33%." in told
    write(
        "mqm.tsv",
        [
            "\t".join(row).replace("Accuracy/", "")
            for row in [("system", "seg_id", "rater", "category", "severity"), *rows]
        ],
    )
    assert ", all" not in typed("human-score --ratings mqm.tsv --errors").out
