"""Scores read from tables: items, systems and numbers as people write them, and refusals."""

import json

import numpy as np
import pytest
from refusals import refused
from text_files import write, write_table

from referenceless_metrics.human_evaluation.ratings.columns import RatingColumns
from referenceless_metrics.human_evaluation.ratings.rating_files import read_rating_table
from referenceless_metrics.human_evaluation.scores.findings import compare_scores
from referenceless_metrics.human_evaluation.scores.table import read_scores


@pytest.fixture
def table(tmp_path):
    """Write a table and read its scores."""

    def read(columns, *rows, name="scores.csv", delimiter=",", **options):
        write_table(tmp_path / name, columns.split(), rows, delimiter=delimiter)
        return read_scores([str(tmp_path / name)], **options)

    return read


def both(*rows):
    return [(*row, system) for system in ("a", "b") for row in rows]


def test_runs_raters_and_metrics(table):
    rows = [(1, "a", 0.5, "x"), (2, "a", 1, "x"), (1, "b", 0, "x"), (2, "b", 1, "x"), (1, "a", 1.5, "y")]
    assert table("item system score run", *rows, run_column="run").values["score"].tolist() == [[1, 1], [0, 1]]
    of_raters = table("item system score who", *rows, rater_column="who")
    assert of_raters.values["score"].tolist() == [[1, 1], [0, 1]]
    assert "scores of 2 raters are averaged" in of_raters.assumed[0]
    by_metric = table("item system score what", *rows, metric_column="what")
    np.testing.assert_array_equal(by_metric.values["y"], [[1.5, np.nan], [np.nan, np.nan]])


def test_the_mean_of_verdicts_in_several_runs_is_a_share(table):
    rows = [(item, run, int((item, run) != (0, 0))) for item in range(20) for run in (1, 0)]
    scores = table("item run correct system", *both(*rows), score_columns=["correct"], run_column="run")
    assert {mean.interval[1] for mean in compare_scores(scores).means} == {1}


def test_a_column_of_several_metrics_and_rows_of_averages_are_told(table):
    """A table of benchmarks: accuracy and rouge make no mean together, and averages are no items."""
    rows = [("law", "accuracy", 25, 37), ("logic", "accuracy", 31, 27), ("ceval", "naive_average", 28, 32)]
    rows += [("xsum", "rouge1", 23, 22), ("flores", "average", 9, 12)]
    scores = table("dataset metric small large", *rows, item_column="dataset", score_columns=["small", "large"])
    assert scores.columns == ("accuracy", "rouge1")
    np.testing.assert_array_equal(scores.values["accuracy"], [[25, 31, np.nan], [37, 27, np.nan]])
    assert "each of the metrics in column 'metric' is a score of its own (--metric-column)" in scores.assumed
    assert "scores.csv: 2 rows are averages of others (naive_average), and are left out." in "".join(scores.notes)
    rows = [(n, s, "acc", n % 3) for s in "ab" for n in range(4)]  # one metric is no column of metrics
    assert table("item system metric score", *rows).columns == ("score",)


def test_an_object_of_scores_names_no_metric(tmp_path):
    """Details of lighteval hold `metric: {"extractive_match": 0}`: its cells are scores and no names of metrics."""
    for system in (0, 1):
        rows = [{"doc": {"id": str(n)}, "metric": {"match": n % 2 | system}} for n in range(4)]
        write(tmp_path / f"{system}.jsonl", map(json.dumps, rows))
    files = [str(tmp_path / f"{system}.jsonl") for system in (0, 1)]
    scores = read_scores(files, score_columns=["metric.match"], item_column="doc.id")
    assert scores.columns == ("metric.match",)
    assert scores.values["metric.match"].tolist() == [[0, 1, 0, 1], [1, 1, 1, 1]]


def test_an_object_is_no_name(tmp_path):
    rows = [{"item": n, "system": {"name": s, "seed": n}, "score": n} for s in "ab" for n in range(3)]
    write(tmp_path / "scores.jsonl", map(json.dumps, rows))
    with refused("expected a name in column 'system' .* name a place in it: --system-column system.name, "):
        read_scores([str(tmp_path / "scores.jsonl")])
    assert read_scores([str(tmp_path / "scores.jsonl")], system_column="system.name").systems == ("a", "b")
    with refused("expected a name in column 'system' .* name a place in it: --system-column system.name, "):
        read_rating_table([str(tmp_path / "scores.jsonl")], RatingColumns(("score",)))


def test_a_score_that_repeats_another_is_no_further_comparison(table):
    rows = [(n, s, name, n % (2 + (s == "b"))) for s in "ab" for n in range(9) for name in ("acc", "acc_norm")]
    rows += [(n, s, "f1", n / 9) for s in "ab" for n in range(9)]
    asked = {"metric_column": "metric"}
    scores = table("item system metric score", *rows, **asked)
    assert scores.columns == ("acc", "f1")
    told = "'acc_norm' has the values of 'acc' throughout, and is left out (--score-column shows it)"
    assert told in scores.assumed
    assert len(compare_scores(scores).tests) == 2


def test_a_key_that_a_row_lacks_is_a_missing_score(tmp_path):
    rows = [{"id": n, "scores": {"cider": n / 9, "bleu": 1}} for n in range(6)]
    del rows[4]["scores"]["cider"]
    for name in ("a", "b"):
        write(tmp_path / f"{name}.json", json.dumps(rows))
    files = [str(tmp_path / "a.json"), str(tmp_path / "b.json")]
    scores = read_scores(files, score_columns=["scores.cider"], item_column="id")
    assert np.isnan(scores.values["scores.cider"]).sum(axis=1).tolist() == [1, 1]
    assert any("scores are missing, and do not count: 4" in note for note in scores.notes)


def test_clusters_may_be_the_lines_of_a_file(tmp_path, table):
    write(tmp_path / "docs.txt", [f"d{n // 2}" for n in range(6)])
    files = [str(tmp_path / name) for name in ("a.txt", "b.txt")]
    for file in files:
        write(file, map(str, range(6)))
    docs = str(tmp_path / "docs.txt")
    expected = [0, 0, 1, 1, 2, 2]
    assert read_scores(files, cluster_column=docs).clusters.tolist() == expected
    wide = table("item x y", *[(n, n, n + 1) for n in range(6)], score_columns=["x", "y"], cluster_column=docs)
    assert wide.clusters.tolist() == expected
    rows = [(n, system, n) for system in "abc" for n in range(6)]
    for order in (rows, sorted(rows)):
        assert table("item system score", *order, cluster_column=docs).clusters.tolist() == expected
    stacked = table("system score", *[row[1:] for row in rows], cluster_column=docs)
    assert stacked.clusters.tolist() == expected
    with refused("has 6 lines, but .*scores.csv has 5 items in 15 rows: give 5 lines, .* or 15, one for each row"):
        table("item system score", *[row for row in rows if row[0] < 5], cluster_column=docs)
    with refused("docs.txt .--cluster-column. has 6 lines, but .*scores.csv has 5"):
        table("item score", *[(n, n / 9) for n in range(5)], cluster_column=docs)


def test_items_that_are_numbered_anew_in_each_slice_are_told_by_both(table):
    rows = [(item, p, s, item * len(p) % 7 + (s == "b")) for p in ("news", "sport") for s in "ab" for item in range(20)]
    scores = table("item topic system score", *rows, slice_column="topic")
    assert (len(scores.items), scores.slices) == (40, ("news", "sport"))
    assert scores.assumed == ("items are numbered anew in each slice (topic): both tell an item",)
    assert [each.n for each in compare_scores(scores).differences] == [40, 20, 20]
    by_document = table("item topic system score", *rows, cluster_column="topic")
    assert (len(by_document.items), by_document.clusters.max()) == (40, 1)
    with refused("'topic' tells them apart: --cluster-column topic or --slice-column topic"):
        table("item topic system score", *rows)


def test_an_item_in_two_slices_with_the_same_scores_is_refused(table):
    rows = [(item, part, system, item % 3) for part in ("long", "hard") for system in "ab" for item in range(9)]
    with refused("item '0' is in two slices, 'hard' and 'long', with the same scores"):
        table("item part system score", *rows, slice_column="part")


@pytest.mark.parametrize(
    "column, proposal",
    [
        ("annotator", "--rater-column annotator"),
        ("seed", "--run-column seed"),
        ("measure", "--metric-column measure"),
        ("x", "--cluster-column x or --slice-column x .*; --run-column x .*; --metric-column x .*; --rater-column x"),
    ],
)
def test_a_score_that_stands_again_is_refused_with_the_column_that_tells_it(table, column, proposal):
    rows = [(1, "a", 1, "u"), (1, "a", 2, "v"), (1, "b", 1, "u"), (1, "b", 2, "v")]
    with refused(f"scores.csv:3: a score 'score' of item '1' and system 'a' stands again, after .*{proposal}"):
        table(f"item system score {column}", *rows)
    with refused("no column tells them apart"):
        table("item system score", (1, "a", 1), (1, "a", 2), (1, "b", 1))


def test_equal_rows_are_counted_in_a_note(table):
    scores = table("item system score", (1, "a", 1), (1, "a", 1), (1, "b", 1))
    assert scores.notes[0].endswith("1 row is equal to another, and is left out.")


@pytest.mark.parametrize(
    "cells, values",
    [
        (("95%", "90%", "80%", "85%"), [[95, 90], [80, 85]]),
        (("7/10", "8/10", "9/10", "6/10"), [[7, 8], [9, 6]]),
        (("4: good", "1: bad", "4: good", "2: so so"), [[4, 1], [4, 2]]),
        (("true", "False", "true", "true"), [[1, 0], [1, 1]]),
        (("pass", "Fail", "pass", "pass"), [[1, 0], [1, 1]]),
    ],
)
def test_scores_that_are_written_in_words(table, cells, values):
    rows = [(item, system, cell) for (item, system), cell in zip(both((1,), (2,)), cells, strict=True)]
    scores = table("item system score", *rows)
    assert scores.values["score"].tolist() == values
    assert scores.assumed[0].startswith("score 'score': ")


def test_words_need_numbers(table):
    rows = [(1, "a", "minor"), (1, "b", "major"), (2, "a", "major"), (2, "b", "minor")]
    with refused(r"""scores.csv:2: score 'score': expected a number, .*--values "minor=…,major=…"""):
        table("item system score", *rows)
    scores = table("item system score", *rows, words={"minor": 1.0, "major": 0.0})
    assert scores.values["score"].tolist() == [[1, 0], [0, 1]]


def test_slices_without_scores_are_left_out_with_a_note(table):
    rows = [(i, w, "" if i else 1, "xy"[i]) for i in (0, 1) for w in "ab"]
    found = table("item system score s", *rows, slice_column="s")
    assert set(found.slice_of) == {"x"}
    assert "slices that hold no score which is a number are left out: 'y'." in found.notes
    with refused("system 'a' has no score that is a number"):
        table("item system score s", *[row for row in rows if row[0]], slice_column="s")


def test_no_number_no_verdict(tmp_path, table):
    with refused("system 'b' has no score that is a number"):
        table("item system score", (1, "a", 1), (1, "b", ""))
    write(tmp_path / "lists.jsonl", [json.dumps({"item": 1, "system": "a", "score": ["x"]})])
    with refused(r"lists.jsonl:1: score 'score': expected a number, but got str 'x'; say what the words stand for"):
        read_scores([str(tmp_path / "lists.jsonl")])


@pytest.mark.parametrize("kind", ["item", "system", "run"])
def test_a_key_that_is_null_is_refused_with_its_row(tmp_path, kind):
    rows = [{"item": item, "system": system, "run": 1, "score": item} for system in "ab" for item in range(3)]
    rows[4][kind] = None
    write(tmp_path / "scores.jsonl", map(json.dumps, rows))
    with refused(rf"scores.jsonl:5: there is nothing in column '{kind}' \(--{kind}-column\)"):
        read_scores([str(tmp_path / "scores.jsonl")], run_column="run")


def test_null_ids_and_whole_fractions_in_parquet(tmp_path):
    pandas = pytest.importorskip("pandas")
    frame = pandas.DataFrame({"item": [1.0, 2.0, 1.0, 2.0], "system": list("aabb"), "score": [1, 2, 3, 4]})
    path = str(tmp_path / "scores.parquet")
    frame.to_parquet(path)
    assert read_scores([path]).items == ("1", "2")
    frame.loc[2, "item"] = None
    frame.to_parquet(path)
    with refused("scores.parquet, row 3: there is nothing in column 'item'"):
        read_scores([path])


def test_a_blank_cluster_is_one_of_its_own(table):
    rows = [(item, s, 1, "d" if item < 2 else "") for s in "ab" for item in range(4)]
    scores = table("item system score doc", *rows, cluster_column="doc")
    assert len(set(scores.clusters[:2])) == 1
    assert len(set(scores.clusters.tolist())) == 3
    assert scores.notes == ("2 items belong to no cluster; each is one of its own: 2, 3.",)


def test_an_item_in_two_clusters_is_refused(table):
    with refused("item '1' is in two clusters: 'x' and 'y'"):
        table("item system score doc", (1, "a", 1, "x"), (1, "b", 1, "y"), cluster_column="doc")


def test_the_order_of_rows_tells_items_if_nothing_else_does(table, tmp_path):
    scores = table("system score", ("a", 1), ("a", 1), ("b", 3), ("b", 4))
    assert (scores.items, scores.values["score"].tolist()) == (("1", "2"), [[1, 1], [3, 4]])
    assert scores.assumed == ("items are told by the order of each system's rows (--item-column names a column)",)
    with refused("systems differ in the number of rows: a has 2, b has 1"):
        table("system score", ("a", 1), ("a", 2), ("b", 3))
    files = [write(tmp_path / f"{name}.txt", content) for name, content in (("x", ["1", "", "0,5"]), ("y", "1\n2\n3"))]
    of_lines = read_scores([str(file) for file in files])
    np.testing.assert_array_equal(of_lines.values["score"], [[1, np.nan, 0.5], [1, 2, 3]])
    assert of_lines.systems == ("x", "y")


def test_a_column_that_all_systems_share_tells_items_in_another_order(table):
    rows = [("one", "a", 1), ("two", "a", 2), ("two", "b", 2), ("one", "b", 1)]
    scores = table("uid q system score", *[(place, *row) for place, row in enumerate(rows)])
    assert scores.values["score"].tolist() == [[1, 2], [1, 2]]
    assert scores.assumed == ("items are told by column 'q', which all systems share (--item-column names another)",)


def test_a_running_number_is_no_item_if_another_column_tells_them(table):
    rows = [(0, "x", 1, "a"), (1, "y", 2, "a"), (0, "y", 2, "b"), (1, "x", 1, "b")]
    scores = table("index document score system", *rows)
    assert scores.values["score"].tolist() == [[1, 2], [1, 2]]
    assert "column 'document'" in scores.assumed[0]
    numbered = table("index score system", *[(i, 1, s) for s in "ab" for i in range(3)])
    assert "column 'index'" in numbered.assumed[0]


def test_rows_that_two_columns_tell_together_are_refused(table):
    rows = [(s, q, name, len(q + name)) for s in "ab" for q in ("q1", "q22") for name in ("tone", "facts")]
    with refused("columns 'question' and 'name' together tell the rows of a system: name one as --item-column, and"):
        table("system question name score", *rows)
    scores = table("system question name score", *rows, item_column="question", metric_column="name")
    assert scores.columns == ("tone", "facts")


def test_a_column_per_system(table):
    rows = [(1, "0,5", 1), (2, "0,7", 2), (3, "0,7", 2)]
    scores = table("item base ours", *rows, delimiter=";")
    assert (scores.systems, scores.values["score"].tolist()) == (("base", "ours"), [[0.5, 0.7, 0.7], [1, 2, 2]])
    assert scores.assumed == ("the columns 'base', 'ours' are the scores of one system each",)
    named = table("Satz note base ours", *[("s", *row) for row in rows], delimiter=";", score_columns=["base", "ours"])
    assert named.systems == ("base", "ours")
    with refused("--item-column Satz --score-column base --score-column ours"):
        table("Satz base ours", *rows, delimiter=";")


def test_the_only_column_of_numbers_holds_the_scores(table):
    scores = table("item model comet", (1, "a", 0.5), (1, "b", 0.7))
    assert (scores.systems, scores.columns) == (("a", "b"), ("comet",))
    assert scores.assumed == (
        "systems stand in column 'model' (--system-column)",
        "scores stand in column 'comet' (--score-column)",
    )
    with refused("there is no column 'score' .*name those to compare: --score-column x --score-column y"):
        table("item model x y", (1, "a", 0.5, 1), (1, "b", 0.7, 2))


def test_numbers_of_items_are_no_scores(table):
    rows = [(s, "None" if n == 3 else -n % 5 / 2 - (s == "b"), n) for s in "ab" for n in range(1, 9)]
    scores = table("system mqm seg_id", *rows)
    assert (scores.columns, len(scores.items)) == (("mqm",), 8)


def test_places_inside_objects_are_columns(tmp_path):
    for system in "ab":
        rows = [{"input": {"q": n}, "scores": {"fact": n / 4, "tone": 1}, "id": f"{system}{n}"} for n in range(3)]
        write(tmp_path / f"{system}.jsonl", map(json.dumps, rows))
    files = [str(tmp_path / f"{system}.jsonl") for system in "ab"]
    scores = read_scores(files, score_columns=["scores.fact"])
    assert scores.values["scores.fact"].tolist() == [[0, 0.25, 0.5]] * 2
    assert "items are told by column 'input.q'" in scores.assumed[-1]
    with refused("name those to compare: --score-column scores.fact --score-column scores.tone"):
        read_scores(files)


def test_files_of_one_name_are_two_systems(tmp_path):
    for folder, score in (("base", 1), ("ours", 2)):
        (tmp_path / folder).mkdir()
        write_table(tmp_path / folder / "scores.csv", ["item", "score"], [(i, score) for i in range(3)])
    files = [str(tmp_path / folder / "scores.csv") for folder in ("base", "ours")]
    assert read_scores(files).systems == ("base", "ours")
    assert read_scores(files, names={files[0]: "first"}).systems == ("first", "ours")
    write_table(tmp_path / "two.csv", ["item", "system", "score"], [(1, "a", 1), (1, "b", 1)])
    with refused("--name x=.*two.csv: the file holds several systems, 'a', 'b'"):
        read_scores([str(tmp_path / "two.csv")], names={str(tmp_path / "two.csv"): "x"})


def test_answers_are_held_against_right_ones(tmp_path, table):
    rows = [(1, "a", "Paris ", "paris"), (2, "a", "", "Rome"), (1, "b", "Lyon", "paris"), (2, "b", "Rome", "Rome")]
    asked = {"score_columns": ["said"], "gold_column": "right"}
    scores = table("item system said right", *rows, **asked)
    assert scores.values["accuracy"].tolist() == [[1, 0], [0, 1]]
    counted = "an answer in column 'said' counts 1 if it is that in 'right', whatever its capitals, and else 0"
    assert f"{counted}, also if it is blank (1 of 4)" in scores.assumed
    rows = [{"item": n, "system": "a", "said": n, "right": [n % 2, "none"]} for n in (0, 1, 2)]
    write(tmp_path / "lists.jsonl", map(json.dumps, rows))
    assert read_scores([str(tmp_path / "lists.jsonl")], **asked).values["accuracy"].tolist() == [[1, 1, 0]]
    with refused("scores.csv:2: there is no right answer in column 'right'"):
        table("item system said right", (1, "a", "x", ""), **asked)
    with refused("--gold-column right needs the column of answers: --score-column NAME"):
        table("item system said right", (1, "a", "x", "y"), gold_column="right")


def test_answers_have_squads_exact_match_and_f1(tmp_path):
    told = [("Eiffel tower!", ["the Eiffel Tower", "tower"]), ("1889", ["in 1889"]), ("", ["Rome"]), ("", [])]
    rows = [{"item": n, "system": "a", "said": said, "right": right} for n, (said, right) in enumerate(told)]
    write(tmp_path / "s.jsonl", map(json.dumps, rows))
    asked = {"score_columns": ["said"], "gold_column": "right"}
    scores = read_scores([str(tmp_path / "s.jsonl")], squad=True, **asked)
    assert scores.values["exact match"].tolist() == [[1, 0, 0, 1]]
    assert scores.values["F1"].tolist() == [[1, pytest.approx(2 / 3), 0, 1]]
    assert (
        "SQuAD's, by the best of those in 'right', without capitals, punctuation and the articles" in scores.assumed[0]
    )
    write(tmp_path / "t.jsonl", map(json.dumps, rows[:3]))
    plain = read_scores([str(tmp_path / "t.jsonl")], **asked)
    assert plain.values["accuracy"].tolist() == [[0, 0, 0]]
    assert "SQuAD's exact match, without punctuation and articles, is 0.3333: --squad tells it" in plain.assumed[0]
    with refused("--squad takes one --score-column"):
        read_scores([str(tmp_path / "s.jsonl")], score_columns=["said", "item"], gold_column="right", squad=True)
    with refused("--squad takes one --gold-column"):
        read_scores([str(tmp_path / "s.jsonl")], score_columns=["said"], gold_column="right + item", squad=True)


def test_answers_are_held_against_those_of_most_people(table):
    rows = [(1, "a", "yes", "yes", "yes", "no"), (2, "a", "no", "yes", "", "no"), (3, "a", "no", "yes", "Yes", "yes")]
    scores = table("item system said r1 r2 r3", *rows, score_columns=["said"], gold_column="r1 + r2 + r3")
    assert np.isnan(scores.values["accuracy"][0][1])
    assert scores.values["accuracy"][0][[0, 2]].tolist() == [1, 0]
    told = "counts 1 if it is that of more than half of 'r1', 'r2', 'r3', and else 0; 1 rows without an answer of most"
    assert told in " ".join(scores.assumed)


def test_numbers_that_are_the_same_for_all_systems_are_no_scores_unless_they_are_named(table):
    rows = both((1, 5), (2, 7), (3, 5))
    with refused("the only numbers, column 'number', are the same for all systems on all items"):
        table("item number system", *rows)
    assert table("item number system", *rows, score_columns=["number"]).values["number"].tolist() == [[5, 7, 5]] * 2
