"""Best-worst scaling: systems, terms, marks and places for the best and worst, and facts that are not told."""

import json

import pytest
from command_lines import as_json, done
from text_files import write, write_table

from referenceless_metrics import look
from referenceless_metrics.core.files.reading import InputNote
from referenceless_metrics.human_evaluation.ratings.export_files import read_rating_rows

pytestmark = pytest.mark.filterwarnings("ignore")

TERMS = ["awful", "bad", "fair", "good", "great", "superb"]
TUPLES = [[TERMS[(n + k * step) % 6] for k in range(4)] for n in range(6) for step in (1, 5)]


def worth(term):
    return TERMS.index(term)


def chosen(four):
    return max(four, key=worth), min(four, key=worth)


COLUMNS = {
    "items": (["item1", "item2", "item3", "item4"], lambda four, term: term),
    "numbers": (["Item1", "Item2", "Item3", "Item4"], lambda four, term: four.index(term) + 1),
    "from 0": (["term_1", "term_2", "term_3", "term_4"], lambda four, term: four.index(term)),
    "letters": (["option a", "option b", "option c", "option d"], lambda four, term: "ABCD"[four.index(term)]),
    "names": (["TermA", "TermB", "TermC", "TermD"], lambda four, term: f"Term{'ABCD'[four.index(term)]}"),
}


def scores(rows):
    of_term = {term: [row["rating"] for row in rows if row["text"] == term] for term in TERMS}
    return {term: sum(each) / len(each) for term, each in of_term.items()}


def expected():
    best, worst = zip(*map(chosen, TUPLES), strict=True)
    n = {term: sum(term in four for four in TUPLES) for term in TERMS}
    return {term: (best.count(term) - worst.count(term)) / n[term] for term in TERMS}


@pytest.mark.parametrize("name", COLUMNS)
def test_scores_are_shares_of_best_less_worst(name, tmp_path):
    columns, told = COLUMNS[name]
    rows = [[who, *four, *(told(four, term) for term in chosen(four))] for four in TUPLES for who in ("ann", "bob")]
    write_table(tmp_path / "t.csv", ["annotator", *columns, "BestItem", "WorstItem"], rows)
    read = read_rating_rows(str(tmp_path / "t.csv"))
    assert scores(read.rows) == pytest.approx(expected())
    assert f"superb {expected()['superb']:+.2f}" in " ".join(read.notes)
    assert "best-worst scaling" in look(tmp_path / "t.csv").form
    agreed = as_json(f"agreement {tmp_path / 't.csv'} -f json")  # both chose alike of the same tuples
    assert agreed["coefficients"]["alpha nominal"]["value"] == 1


def test_look_tells_that_the_scores_of_terms_are_the_result(folder):
    rows = [[*four, *chosen(four)] for four in TUPLES[::2]]
    for again, line in ((1, "The scores above are the result"), (2, "referenceless agreement t.csv")):
        write_table("t.csv", ["Item1", "Item2", "Item3", "Item4", "BestItem", "WorstItem"], rows * again)
        told = done("look t.csv").output
        assert told.splitlines()[-1].startswith(line)
        assert "Shape: best-worst scaling of texts that are of no systems" in told
        assert "texts repeat an earlier one" not in told
    with pytest.warns(InputNote, match=r"parts of groups are \(tuple 1, term 1, tuple 1, term 2, …: 6 groups\)"):
        done("agreement t.csv")


def test_lists_of_terms_and_two_criteria(tmp_path):
    rows = [{"terms": four, "most_kind": chosen(four)[0], "least_kind": chosen(four)[1]} for four in TUPLES]
    path = write(tmp_path / "t.jsonl", map(json.dumps, rows))
    assert scores(read_rating_rows(str(path)).rows) == pytest.approx(expected())
    rows = [{**row, "most_clear": row["terms"][0], "least_clear": row["terms"][1]} for row in rows]
    read = read_rating_rows(str(write(tmp_path / "two.jsonl", map(json.dumps, rows)))).rows
    assert scores([row for row in read if row["criterion"] == "kind"]) == pytest.approx(expected())
    assert sum(row["rating"] == 1 for row in read if row["criterion"] == "clear") == len(TUPLES)


def test_systems_are_compared_by_item(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    systems = ("base", "ours", "big")
    rows = []
    for n in range(12):
        order = [systems[(n + k) % 3] for k in range(3)]
        best, worst = ("big", "base") if n % 4 else ("ours", "big")
        rows.append(
            [n, *order, *(f"output of {name} {n}" for name in order), order.index(best) + 1, order.index(worst) + 1]
        )
    header = ["doc_id", *(f"system_{k}" for k in (1, 2, 3)), *(f"output_{k}" for k in (1, 2, 3)), "best", "worst"]
    write_table("t.csv", header, [*rows, [12, *systems, "a", "b", "c", 2, 2]])
    read = read_rating_rows("t.csv")
    assert {row["text"] for row in read.rows if row["system"] == "big"} == {f"output of big {n}" for n in range(12)}
    assert "left out: 1 rows whose best or worst is not told, or is the same" in " ".join(read.notes)
    [line] = [line for line in look("t.csv").commands if "human-score" in line]
    found = as_json(f"{line.removeprefix('referenceless ')} -f json")["rows"]
    means = {row["system"]: row["mean"] for row in found if not row.get("less")}
    assert means == pytest.approx({"base": -9 / 12, "ours": 3 / 12, "big": 6 / 12})


def test_best_and_worst_without_what_was_compared_are_told(tmp_path):
    write_table(tmp_path / "t.csv", ["item", "best", "worst"], [[n, "ours", "base"] for n in range(12)])
    found = look(tmp_path / "t.csv")
    assert not found.commands
    assert "no columns name all that was compared" in " ".join(found.notes)
    for columns in (["most_recent", "least_recent"], ["best", "worst"]):  # of other members
        write_table(tmp_path / "t.csv", ["a1", "a2", "a3", *columns], [["x", "y", "z", "u", "v"]] * 3)
        assert "rating" not in read_rating_rows(str(tmp_path / "t.csv")).columns
