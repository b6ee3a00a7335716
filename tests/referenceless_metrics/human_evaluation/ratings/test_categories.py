"""Labels that stand for no numbers, in every form of table: `agreement` takes them as categories."""

import json

import pytest
from command_lines import as_json, done
from text_files import write, write_table

from referenceless_metrics import look
from referenceless_metrics.human_evaluation.ratings.categories import with_categories
from referenceless_metrics.human_evaluation.ratings.columns import RatingColumns
from referenceless_metrics.human_evaluation.ratings.export_files import read_rating_rows

pytestmark = pytest.mark.filterwarnings("ignore")

LABELS = ("anger", "fear", "joy")
N = 24
RATERS = range(3)


def label(item, rater):
    return LABELS[(item + (item % 4 == rater)) % 3]


def text(item):
    return f"{'a grey cat sat on its mat'[item % 5 :]} number {item}"


def rows(fields):
    return [{"id": item, "text": text(item), **fields(item)} for item in range(N)]


FORMS = {
    "wide.csv": rows(lambda item: {f"annotator_{r}": label(item, r) for r in RATERS}),
    "long.csv": [{"item": i, "rater": f"w{r}", "emotion": label(i, r)} for i in range(N) for r in RATERS],
    "bars.csv": rows(lambda item: {"labels": "; ".join(label(item, r) for r in RATERS)}),
    "lists.jsonl": rows(lambda item: {"labels": [label(item, r) for r in RATERS]}),
    "lists_in_lists.jsonl": rows(lambda item: {"annotations": [[label(item, r)] for r in RATERS]}),
    "objects.jsonl": rows(
        lambda item: {"annotations": {name: label(item, r) for r, name in enumerate(("al", "bo", "cy"))}}
    ),
    "sentences.json": [
        {
            "id": n,
            "system": "ab"[n % 2],
            "parts": [{f"annotator_{r}": [label(n * 2 + k, r)] for r in RATERS} for k in (0, 1)],
        }
        for n in range(N // 2)
    ],
}


@pytest.mark.parametrize("name", FORMS)
def test_agreement_on_labels_of_every_form(name, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    if name.endswith(".csv"):
        write_table(name, FORMS[name][0], [row.values() for row in FORMS[name]])
    else:
        write(name, map(json.dumps, FORMS[name]) if name.endswith("l") else json.dumps(FORMS[name]))
    line = look(name).commands[0]
    assert line.startswith("referenceless agreement")
    found = as_json(f"{line.removeprefix('referenceless ')} -f json")
    n_pairs = N * len(RATERS)
    agreeing = sum(label(i, r) == label(i, s) for i in range(N) for r in RATERS for s in range(r))
    by_chance = 1 - sum(
        count * (count - 1) for each in LABELS if (count := sum(label(i, r) == each for i in range(N) for r in RATERS))
    ) / (n_pairs * (n_pairs - 1))
    assert found["coefficients"]["alpha nominal"]["value"] == pytest.approx(1 - (1 - agreeing / n_pairs) / by_chance)
    assert sorted(found["coefficients"]) == ["alpha nominal", "fleiss kappa", "kappa"]
    assert sorted(found["labels"]) == sorted(LABELS)
    assert found["outputs"] == found["shared"] == N


def test_several_labels_of_a_rater_are_one_category_and_each_has_its_own_alpha(tmp_path):
    given = {"ann": (["x", "y"], ["x"], ["y"], []), "bob": (["y", "x"], ["x"], ["z"], [])}
    table = [{"item": n, **{name: cells[n % 4] for name, cells in given.items()}} for n in range(8)]
    path = write(tmp_path / "t.jsonl", map(json.dumps, table))
    found = as_json(f"agreement {path} --rating-column ann --rating-column bob -f json")
    assert found["labels"]["x"]["alpha"]["value"] == 1
    assert found["labels"]["z"]["share"] == 1 / 8
    read = read_rating_rows(str(path))
    [coded], categories = with_categories([read], RatingColumns(ratings=("ann", "bob")))
    assert categories == ("(none)", "x", "x + y", "y", "z")
    assert [row["bob"] for row in coded.rows[:4]] == [2, 1, 4, 0]


def test_labels_that_one_rater_gave_are_not_those_of_several(tmp_path):
    tags = [["news"], ["news", "sport"], ["sport"], ["art", "news"]]
    table = [{"id": n, "text": text(n), "labels": tags[n % 4]} for n in range(N)]
    path = write(tmp_path / "t.jsonl", map(json.dumps, table))
    assert not any(" agreement " in line for line in look(path).commands)
    assert with_categories([read_rating_rows(str(path))], RatingColumns(ratings=("labels",)))[1] == ()


@pytest.mark.parametrize("cells", [["4", "5", "4"], ["yes", "no", "yes"], ["a cat", "a dog", "a cow"]])
def test_numbers_words_for_numbers_and_texts_are_no_categories(cells, tmp_path):
    write_table(tmp_path / "t.csv", ["item", "rater", "rating"], [[n, "ann", cell] for n, cell in enumerate(cells)])
    table = read_rating_rows(str(tmp_path / "t.csv"))
    assert with_categories([table], RatingColumns()) == ([table], ())


def test_a_rater_with_one_label_is_named_and_case_and_blanks_do_not_count(tmp_path):
    lines = [
        [n, rater, "OK" if rater == "bob" else ("ok ", "Bad", "so")[n % 3]]
        for n in range(12)
        for rater in ("ann", "bob")
    ]
    write_table(tmp_path / "t.csv", ["item", "rater", "label"], lines)
    out = done(f"agreement {tmp_path / 't.csv'} --rating-column label").stdout
    assert "bob gives OK in 100% of 12 ratings" in out or "bob gives ok in 100% of 12 ratings" in out
    assert "ok 67%" in out.lower()
