"""Rating tables of any shape: content, notes, and refusals with the options that help."""

import json
import warnings

import pytest
from refusals import refused
from text_files import write, write_table

from referenceless_metrics.core.files.reading import Condition, InputNote, Reading
from referenceless_metrics.human_evaluation.ratings.columns import RatingColumns
from referenceless_metrics.human_evaluation.ratings.criteria import by_criterion, with_overall
from referenceless_metrics.human_evaluation.ratings.rating_files import read_rating_table
from referenceless_metrics.human_evaluation.ratings.system_ratings import (
    check_common_items,
    systems_of_table,
    without_small_systems,
)


@pytest.fixture(autouse=True)
def _quiet(folder):
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", InputNote)
        yield


def table(header, rows, *, name="ratings.csv", unpaired=False, repeats=False, **columns):
    write_table(name, header.split(","), rows)
    return read_rating_table([name], RatingColumns(**columns), unpaired=unpaired, repeats=repeats)


def test_several_rating_columns_are_raters():
    read = table("item,system,r1,r2", [(1, "a", 3, 4), (2, "a", "", 5)], ratings=("r1", "r2"))
    assert read.frame[["item", "rater", "rating"]].fillna(0).values.tolist() == [
        ["1", "r1", 3.0],
        ["2", "r1", 0.0],
        ["1", "r2", 4.0],
        ["2", "r2", 5.0],
    ]
    assert "columns r1, r2 are raters (--columns-are systems|criteria)" in read.notes


def test_several_rating_columns_are_systems_if_said_so():
    read = table("item,base,ours", [(1, 3, 4)], ratings=("base", "ours"), columns_are="systems")
    assert read.frame["system"].tolist() == ["base", "ours"]


@pytest.mark.parametrize(
    "header, columns, message",
    [
        ("item,rater,r1,r2", {}, r"raters, since column 'rater' names them: give --columns-are systems or criteria"),
        ("item,fluency,coherence", {}, "look like criteria"),
        ("item,system,r1,r2", {"columns_are": "systems"}, "'system' names them: give --columns-are raters"),
    ],
)
def test_columns_that_may_be_something_else_are_refused(header, columns, message):
    row = [1] * len(header.split(","))
    with refused(message):
        table(header, [row], ratings=header.split(",")[-2:], **columns)


def test_a_list_in_a_cell_holds_ratings_of_several_raters():
    write("ratings.jsonl", "\n".join(json.dumps({"item": n, "system": "a", "rating": [n, n + 1]}) for n in (1, 2)))
    frame = read_rating_table(["ratings.jsonl"]).frame
    assert frame[["item", "place", "rating"]].values.tolist() == [
        ["1", "1", 1],
        ["1", "2", 2],
        ["2", "1", 2],
        ["2", "2", 3],
    ]
    (system,) = systems_of_table(read_rating_table(["ratings.jsonl"]))
    assert system.ratings.tolist() == [1.5, 2.5]


def test_a_number_per_line_is_the_ratings_of_a_system():
    write("ours.txt", "3\n\n5\n")
    frame = read_rating_table(["ours.txt"]).frame
    assert frame[["system", "item"]].values.tolist() == [["ours", "1"], ["ours", "2"], ["ours", "3"]]
    assert frame["rating"].isna().tolist() == [False, True, False]
    write("texts.txt", "a text\nanother\n")
    with refused("unless it has a number a line"):
        read_rating_table(["texts.txt"])


def test_items_are_keyed_by_what_holds_them():
    rows = [(part, n, system, n) for part in ("news", "sport") for n in range(3) for system in "ab"]
    read = table("topic,item,system,rating", rows, slice="topic")
    assert read.frame["item"].nunique() == 6
    assert len(systems_of_table(read)[0].ratings) == 6
    assert table("topic,item,system,rating", rows, cluster="topic").frame["item"].nunique() == 6


def test_items_that_begin_again_are_refused_with_their_column():
    rows = [(doc, n, system, n) for doc in ("d1", "d2") for n in range(3) for system in "ab"]
    with refused(r"system 'a', item '0' stands in several rows; column 'doc' tells them apart.*--cluster-column doc"):
        table("doc,item,system,rating", rows)
    with refused("column 'part' tells them apart.*--where part=VALUE"):
        table("part,item,system,rating", rows)
    texts = [(n, "a", f"text {doc} {n}", n) for doc in "xy" for n in range(3)]
    with refused("has several texts; name the column"):
        table("item,system,text,rating", texts)


def test_a_session_for_each_rater_holds_no_items_that_begin_again():
    raters = [(f"p{rater}", f"f00{rater}") for rater in range(3)]
    rows = [
        (*names, f"s{n}", system, f"story {n} told by {system}", n % 5)
        for names in raters
        for n in range(3)
        for system in "ab"
    ]
    for text in ("ending", "text"):  # a column that nobody asked for, and the outputs themselves
        assert len(table(f"PID,SESSION_ID,item,system,{text},rating", rows, rater="PID").frame) == 18
    turns = [(*names, n, "a", f"turn {n} of {names[0]}", n % 5) for names in raters for n in range(3)]
    with refused("stands in several rows; column 'session_id' tells them apart"):  # a dialogue for each rater
        table("PID,session_id,item,system,utterance,rating", turns, rater="PID")
    twice = [("p0", "f009", *rows[0][2:])]
    with refused("column 'SESSION_ID' tells them apart"):  # a rater who came twice
        table("PID,SESSION_ID,item,system,ending,rating", rows + twice, rater="PID")


def test_rows_of_several_criteria_are_told_by_their_column():
    rows = [(n, "a", "ann", criterion, n) for n in range(3) for criterion in ("fluency", "adequacy")]
    with refused("column 'aspect' tells them apart.*--criterion-column aspect if it says by what criterion"):
        table("item,system,rater,aspect,rating", rows)
    assert table("item,system,rater,aspect,rating", rows, criterion="aspect").frame["criterion"].nunique() == 2
    read = table("item,system,rater,criterion,rating", rows)
    parts, notes = by_criterion(read)
    assert {name: part.frame["rating"].tolist() for name, part in parts.items()} == {
        "fluency": [0, 1, 2],
        "adequacy": [0, 1, 2],
    }
    assert not notes
    taken = Reading(where=(Condition("criterion", "fluency"),))
    assert len(read_rating_table(["ratings.csv"], reading=taken).frame) == 3


def test_several_rating_columns_are_criteria_if_said_so():
    rows = [(n, "a", "ann", n, n + 1) for n in range(3)]
    wide = table("item,system,rater,fluency,adequacy", rows, ratings=("fluency", "adequacy"), columns_are="criteria")
    parts, _ = by_criterion(wide)
    assert {name: part.frame["rating"].tolist() for name, part in parts.items()} == {
        "fluency": [0, 1, 2],
        "adequacy": [1, 2, 3],
    }


def test_a_criterion_without_ratings_is_left_out_with_a_note_and_the_overall_mean_lacks_what_one_lacks():
    rows = [(n, "a", "ann", "fluency", 1 + n) for n in range(3)]
    rows += [(n, "a", "ann", "adequacy", "" if n == 2 else 50 * n) for n in range(3)]
    rows += [(n, "a", "ann", "style", "") for n in range(3)]
    write_table("ratings.csv", ["item", "system", "rater", "criterion", "rating"], rows)
    read = read_rating_table(["ratings.csv"], scales={"fluency": (1, 5), "adequacy": (0, 100)})
    parts, notes = with_overall(read, asked=True)
    assert list(parts) == ["fluency", "adequacy", "overall"]
    assert notes[0] == "style: left out, since none of its 3 ratings is given"
    assert notes[1] == "overall: 1 of 3 ratings lack a criterion, and have no mean over the criteria"
    assert "chosen for the analysis, and not before the ratings" in notes[2]
    assert parts["overall"].scale == (0, 1)
    assert parts["overall"].frame["rating"].fillna(-1).tolist() == [0.0, 0.375, -1.0]
    with refused("a scale is given for the criterion 'flow', and its criteria are fluency, adequacy, style"):
        read_rating_table(["ratings.csv"], scales={"flow": (1, 5)})


def test_raters_who_are_not_named_are_averaged_with_a_note():
    read = table("item,system,rating", [(1, "a", 3), (1, "a", 5)])
    assert read.notes == (
        "outputs have several ratings, and nothing tells who gave them; their mean counts (--rater-column NAME)",
    )


def test_agreement_of_raters_who_are_not_named_takes_no_mean_of_an_output():
    columns = "item,system,rating"
    assert table(columns, [(1, "a", 3), (1, "a", 5)], repeats=True).notes == ()


def test_each_rating_counts_that_a_rater_gave_an_output_and_blank_rows_repeat_nothing():
    ratings = [("1", 3), ("1", 3), ("1", 5), ("2", ""), ("2", ""), ("3", ""), ("3", 4)]
    rows = [(item, "a", "ann", rating) for item, rating in ratings] + [("1", "a", "bob", 1)]
    read = table("item,system,rater,rating", rows)
    assert read.notes == (
        "3 ratings are of outputs that a rater rated several times; each counts in the mean of its output",
        "1 of them is equal to another row in all columns",
    )
    (system,) = systems_of_table(read)
    assert system.ratings.tolist() == pytest.approx([3, float("nan"), 4], nan_ok=True)


def test_without_items_the_order_within_systems_is_the_item():
    rows = [(system, rating) for system in "ab" for rating in (3, 1, 2)]
    read = table("system,rating", rows)
    assert read.frame["item"].tolist() == ["1", "2", "3"] * 2
    assert "the n-th row of each system is of item n" in read.notes[0]
    assert table("system,rating", rows, unpaired=True).frame["item"].nunique() == len(rows)
    with refused(r"systems differ in length \(a has 3, b has 2\).*--unpaired"):
        table("system,rating", rows[:-1])
    with refused("each system's rows are sorted by rating"):
        table("system,rating", [(system, rating) for system in "ab" for rating in (1, 2, 3)])


def test_without_items_raters_are_not_paired_by_order():
    assert (
        "item" not in table("system,rater,text,rating", [(s, "ann", f"{s}{n}", n) for s in "ab" for n in (2, 1)]).frame
    )


@pytest.mark.parametrize("kind", ["item", "system", "rater"])
def test_a_name_that_is_missing_is_refused_with_its_row(kind):
    rows = [
        {"item": 1, "system": "a", "rater": "ann", "rating": 3},
        {"item": 2, "system": "a", "rater": "ann", "rating": 4},
    ]
    rows[1][kind] = None
    write("ratings.jsonl", "\n".join(map(json.dumps, rows)))
    with refused(f"ratings.jsonl:2: there is nothing in column '{kind}' \\(--{kind}-column\\)"):
        read_rating_table(["ratings.jsonl"])


def test_a_blank_cluster_is_one_of_its_own():
    read = table("item,system,doc,rating", [(1, "a", "d", 3), (2, "a", "", 4), (3, "a", "", 5)], cluster="doc")
    assert "2 rows have no cluster in column 'doc': each of their items is one of its own" in read.notes
    assert len(set(systems_of_table(read)[0].clusters)) == 3


def test_words_and_labels_are_numbers():
    read = table("item,system,rating", [(1, "a", "4 : good"), (2, "a", "2 : bad"), (3, "a", "NA")])
    assert read.frame["rating"].fillna(0).tolist() == [4, 2, 0]
    assert "column 'rating': '4 : good' is read as 4" in read.notes
    words = {"yes": 1.0, "no": 0.0}
    assert table("item,system,rating", [(1, "a", "Yes"), (2, "a", "no")], words=words).frame["rating"].tolist() == [
        1,
        0,
    ]


def test_systems_without_a_common_item_are_refused_unless_unpaired():
    rows = [(f"{system}{n}", system, n % 4) for system in "ab" for n in range(12)]
    read = table("item,system,rating", rows)
    with refused("a and b have no item in common .*--unpaired"):
        check_common_items(systems_of_table(read), read.source, "baseline")


def test_a_system_with_few_outputs_is_left_out():
    rows = [(n, system, n % 4) for system, size in (("a", 12), ("b", 12), ("c", 3)) for n in range(size)]
    kept, notes = without_small_systems(systems_of_table(table("item,system,rating", rows)))
    assert [system.name for system in kept] == ["a", "b"]
    assert notes == ["left out: systems with fewer than 10 rated outputs: c (3, mean 1)"]


def test_a_column_is_a_document_whatever_its_spelling():
    rows = [(doc, n, "a", f"{doc}{n}", n) for doc in ("d1", "d2") for n in range(3)]
    with refused("stands in several rows; column 'DocumentID' tells them apart"):
        table("DocumentID,item,system,rater,rating", rows)


def test_words_of_a_usual_scale_tell_its_ends():
    def read(cells, **columns):
        return table("item,system,rating", [(n, "a", cells[n % len(cells)]) for n in range(6)], **columns)

    assert read(["yes", "no", ""]).scale == (0, 1)
    assert any("the scale is 0-1, from 'no' to 'yes'" in note for note in read(["yes", "no"]).notes)
    assert read([0, 1]).scale is None  # there may be higher ones
    assert read(["yes", "no"], words={"yes": 3.0, "no": 1.0}).scale is None


def test_a_list_of_objects_is_read_by_the_name_in_them():
    votes = [{"fluency": 4, "coherence": 1}, {"fluency": 5, "coherence": 2}]
    write("ratings.jsonl", json.dumps({"item": 1, "system": "a", "votes": votes}))
    read = read_rating_table(["ratings.jsonl"], RatingColumns(ratings=("votes.fluency",)))
    assert read.frame["rating"].tolist() == [4, 5]
    with refused("a list of objects with fluency, coherence: name one of these, as --rating-column votes.fluency"):
        read_rating_table(["ratings.jsonl"], RatingColumns(ratings=("votes",)))


def test_lists_of_one_number_are_numbers():
    write("ratings.jsonl", json.dumps({"item": 1, "system": "a", "rating": ["4"]}))
    read = read_rating_table(["ratings.jsonl"])
    assert (read.frame["rating"].tolist(), "place" in read.frame, read.notes) == ([4], False, ())


def test_a_rater_of_a_text_twice_is_told_without_items(tmp_path):
    header = "system,text,rater,rating,asked"
    rows = [f"a,t{n % 4},ann,{n % 3},q{n // 4}" for n in range(8)]
    path = str(write(tmp_path / "t.csv", [header, *rows]))
    with refused(r"4 rows are of a text that a rater rated before, and column 'asked' tells them apart: --item-column"):
        read_rating_table([path])
    once = str(write(tmp_path / "once.csv", [header, *rows[:4]]))
    assert not any("rated before" in note for note in read_rating_table([once]).notes)
    unlike = str(write(tmp_path / "unlike.csv", [header, *rows[:4], "a,t0,ann,3,other"]))
    assert any("1 rows are of a text that a rater rated before" in note for note in read_rating_table([unlike]).notes)


def test_rows_of_several_files_are_outputs_of_their_own_if_unpaired():
    for name in ("may.csv", "june.csv"):
        write_table(name, ("system", "rating"), [(system, rating) for system in "ab" for rating in (3, 1, 2)])
    read = read_rating_table(["may.csv", "june.csv"], unpaired=True)
    assert read.frame.groupby("system")["item"].nunique().tolist() == [6, 6]
