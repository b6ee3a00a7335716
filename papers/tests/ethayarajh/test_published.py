"""Every published figure stands beside a measured one, or beside the reason why there is none."""

from __future__ import annotations

from pathlib import Path

import pytest

from referenceless_papers.ethayarajh.cells import Cell, Missing
from referenceless_papers.ethayarajh.published import SIGNIFICANT, published, published_figures, with_published
from referenceless_papers.ethayarajh.run import PARTS, Sources, reproduce_parts

CARD = Path(__file__).parents[3] / "hub_cards" / "reproduction.md"

TASKS = {
    "dialogue": "chit-chat dialogue",
    "open_ended_generation": "open-ended generation",
    "summarization": "summarisation",
}
MEASURES = {"mse": "MSE", "spearman": "Spearman", "coverage": "coverage", "spearman.p<0.01": SIGNIFICANT}
TEXT = {
    ("settings.huse", "tau"): ("HUSE", "τ"),
    ("settings.huse", "min_neighbors_a"): ("HUSE", "a"),
    ("settings.huse", "max_fraction_b"): ("HUSE", "b"),
    ("settings.asap_sas", "tau"): ("ASAP-SAS", "τ"),
    ("settings.asap_sas", "min_neighbors_a"): ("ASAP-SAS", "a"),
    ("settings.asap_sas.000", "max_fraction_b"): ("ASAP-SAS", "b"),
    ("settings.asap_sas.001", "max_fraction_b"): ("ASAP-SAS", "b, where it is unbounded"),
    ("settings.ROUGE", "tau"): ("ROUGE Neighbors", "τ"),
    ("settings.METEOR", "tau"): ("METEOR Neighbors", "τ"),
    ("settings.BERTScore", "tau"): ("BERTScore Neighbors", "τ"),
    ("sec4", "judgements_per_sentence"): ("Section 4, HUSE", "judgements a text"),
    ("sec4", "rating_max"): ("Section 4, HUSE", "highest rating"),
    ("sec5.2", "a.peak_spearman.low"): ("Section 5.2, where ρ is highest", "a, from"),
    ("sec5.2", "a.peak_spearman.high"): ("Section 5.2, where ρ is highest", "a, to"),
    ("sec5.2", "b.drop.open_ended_generation.first"): (
        "Section 5.2, open-ended generation, where ρ drops",
        "b, first",
    ),
    ("sec5.2", "b.drop.open_ended_generation.second"): (
        "Section 5.2, open-ended generation, where ρ drops",
        "b, second",
    ),
    ("sec5.3", "dialogue.annotator_mse_covered_vs_all.relative"): (
        "Section 5.3, chit-chat dialogue",
        "annotators' MSE, covered against all, relative",
    ),
    ("sec5.3", "dialogue.annotator_mse_rouge_covered_minus_bleu_covered"): (
        "Section 5.3, chit-chat dialogue",
        "annotators' MSE, ROUGE's covered minus BLEU's",
    ),
    ("sec5.5", "n_train_for_spearman>0.30.dialogue_and_generation"): (
        "Section 5.5, dialogue and generation",
        "rated texts for ρ > 0.30",
    ),
    ("sec5.5", "coverage_at_75.lower_bound"): (
        "Section 5.5, dialogue and generation",
        "coverage at 75 rated texts, at least",
    ),
    ("sec5.5", "n_runs"): ("Section 5.5", "draws at each size"),
}


def place(cell: dict[str, str]) -> tuple[str, str]:
    """Return the row and the figure under which a cell of the CSV stands here."""
    table, row, column = cell["table"], cell["row"], cell["column"]
    if table == "1":
        task, measure = column.split(".", 1)
        if row.startswith("Human"):
            return f"Table 1, {TASKS[task]}, human annotators", f"{row[7:-1]} {MEASURES[measure]}"
        return f"Table 1, {TASKS[task]}, {row}", MEASURES[measure]
    if table == "2":
        source, target = row.removeprefix("source="), column.removeprefix("target=").removesuffix(".spearman")
        return f"Table 2, trained on {TASKS[source]}, tested on {TASKS[target]}", "Spearman"
    if table == "3":
        name, topic = row.split(" train_topic=")
        if name == "BLEU Neighbors":
            trained = "all but topic 3" if topic == "all_but_3" else f"topic {topic}"
            return f"Table 3, trained on {trained}", MEASURES[column]
        measure = "Spearman, mean over references" if column == "spearman" else "coverage"
        return f"Table 3, {name} against a reference essay", measure
    return TEXT[row, column]


def test_the_figures_are_the_published_ones(published_cells):
    cells = published_cells("bleu_neighbors_2020")
    assert len(cells) == 140
    expected = {place(cell): float(cell["value"]) for cell in cells}
    assert len(expected) == len(cells)
    assert {at: each.value for at, each in published_figures().items()} == expected


def test_every_figure_has_a_part_that_measures_it():
    assert {each.part for each in published_figures().values()} <= set(PARTS)


def test_no_figure_of_the_committed_reproduction_lacks_a_measurement_or_a_reason():
    lines = CARD.read_text(encoding="utf-8").splitlines()
    rows = [[cell.strip() for cell in line.strip("|").split("|")] for line in lines if line.startswith("|")]
    found = {(row[0], row[1]): row for row in rows if len(row) == 6}
    for (row, figure), each in published_figures().items():
        shown = found[row, figure]
        assert shown[2] not in ("", "–"), (row, figure)
        if figure != SIGNIFICANT and each.value != float("inf"):
            assert float(shown[2].replace("−", "-")) == pytest.approx(each.value), (row, figure)
        assert shown[3] != "–", f"{row}, {figure}: neither measured nor explained"
        if shown[3].startswith("–"):
            assert any(line.startswith(shown[3].removeprefix("– ")) for line in lines)


def test_what_is_not_measured_is_listed_with_its_reason():
    cells = [Cell("Table 2, trained on summarisation, tested on summarisation", "Spearman", 0.325, 0.32)]
    missing = [Missing("Table 2, trained on chit-chat dialogue, tested on summarisation", "no dialogue")]
    found = {(cell.table, cell.figure): cell for cell in with_published(cells, "table-2", missing)}
    assert len(found) == 9
    assert found["Table 2, trained on summarisation, tested on summarisation", "Spearman"].measured == 0.32
    assert all(cell.why == "no dialogue" for cell in found.values() if cell.measured != cell.measured)
    assert published("Table 2, trained on summarisation, tested on summarisation", "Spearman") == 0.325
    assert published("no such row", "Spearman") is None


def test_a_part_without_its_data_still_shows_what_was_published(tmp_path):
    (tmp_path / "nlg-ratings").mkdir()
    results = reproduce_parts(Sources(tmp_path), ["settings", "humans", "table-1", "table-2", "table-3", "references"])
    cells = [cell for part in results.values() for cell in part.cells]
    wanted = [each for each in published_figures().values() if each.part in ("humans", "table-1", "table-2", "table-3")]
    assert {(each.row, each.figure) for each in wanted} <= {(cell.table, cell.figure) for cell in cells}
    assert all(cell.why for cell in cells if cell.measured != cell.measured)
