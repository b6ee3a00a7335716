"""Labels that are a metric's score, cut at a value, are taken for no ratings, and are not held against the score."""

import pytest
from command_lines import typed
from text_files import write_table

from referenceless_metrics import look

COLUMNS = ["id", "model", "summary", "human_label", "fact_score", "fact_label", "nli_score", "nli_label"]


@pytest.fixture(autouse=True)
def table(tmp_path, monkeypatch):
    """Outputs with people's verdicts, and two metrics with verdicts of their own: B's have a cut for each system."""
    monkeypatch.chdir(tmp_path)
    rows = []
    for n in range(60):
        system = "base" if n % 2 else "ours"
        a, b = (n * 7 % 60) / 61, (n * 11 % 60) / 63
        summary = f"The mayor opened bridge {n} on a rainy day."
        rows.append([f"x{n}", system, summary, int(n % 3 > 0), a, int(a > 0.4), b, int(b > 0.3 + n % 2 / 5)])
    write_table("t.csv", COLUMNS, rows)


def test_look_takes_cut_scores_for_no_ratings():
    found = look("t.csv")
    assert {column.name: column.part for column in found.columns if column.name.endswith("_label")} == {
        "human_label": "rating",
        "fact_label": "",
        "nli_label": "",
    }
    assert not any("fact_label" in line or "nli_label" in line for line in found.commands)
    (note,) = [note for note in found.notes if "'fact_label'" in note]
    assert note.startswith(
        "'fact_label' is 'fact_score', cut between 0.393443 and 0.409836; 'nli_label' is called as a score"
    )


def test_a_score_is_not_held_against_itself():
    command = (
        "evaluate --scores t.csv --ratings t.csv --score-column nli_score --score-column fact_score --item-column id"
    )
    told = typed(f"{command} --rating-column fact_label --system-column model", status=1).err
    assert "'fact_label' is 'fact_score', cut between 0.393443 and 0.409836: its agreement with itself" in told
    assert "Pearson r" in typed(f"{command} --rating-column human_label --system-column model").out


def test_findings_on_cut_scores_say_what_they_are():
    command = "human-score --ratings t.csv --item-column id --system-column model --unpaired --rating-column"
    assert "as a metric's own verdicts are: if no people gave it" in typed(f"{command} fact_label").err
    assert "verdicts" not in typed(f"{command} human_label").err


def test_numbers_of_items_that_a_table_has_in_order_cut_nothing(tmp_path):
    rows = [[n // 2, "base" if n % 2 else "ours", f"A cat sat on mat {n}.", int(n > 60)] for n in range(120)]
    write_table("sorted.csv", ["no", "system", "text", "rating"], rows)
    assert "verdicts" not in typed("human-score --ratings sorted.csv --item-column no").err
    assert {column.name: column.part for column in look("sorted.csv").columns}["rating"] == "rating"
