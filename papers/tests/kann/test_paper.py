"""Every published figure of the paper stands beside a measured one, or beside the reason why there is none."""

from __future__ import annotations

import dataclasses
from pathlib import Path

import pytest
from click.testing import CliRunner

from referenceless_metrics.cli import cli
from referenceless_papers.kann.paper import NEEDS_DATA, TITLES, PaperCell, paper_cells, paper_markdown
from referenceless_papers.kann.run import PUBLISHED, Agreement, Reproduction, Section

CARD = Path(__file__).parents[3] / "hub_cards" / "reproduction_slor.md"

SETUP = {
    "lm.layers": "LSTM layers",
    "lm.hidden_units": "LSTM units a layer",
    "lm.batch_size": "sentences a batch",
    "lm.optimizer": "optimiser",
    "wp.training_hours": "training, WordPieces (hours)",
    "word.training_days": "training, words (days)",
    "ratings_per_output.min": "ratings an output, fewest",
    "ratings_per_output.max": "ratings an output, most",
    "fluency.min": "lowest fluency",
    "fluency.max": "highest fluency",
}


def place(cell: dict[str, str]) -> tuple[str, str, str]:
    """Return the table, row and column under which a cell of the CSV stands here."""
    row = {"samples": "outputs", "SVR: ROUGE+WPSLOR": "SVR(ROUGE-L-mult, WPSLOR)"}.get(cell["row"], cell["row"])
    column = cell["column"].replace("non_fiction", "non-fiction").replace("pearson", "r").replace("mse", "MSE")
    if cell["table"] == "text":
        return "text", row, SETUP[cell["column"]]
    return cell["table"], row, column.replace(".", " ")


def value(text: str) -> float | str:
    try:
        return float(text)
    except ValueError:
        return text.lower()


def at(cell: PaperCell) -> tuple[str, str, str]:
    return cell.table, cell.row, cell.column


def test_the_figures_are_the_published_ones(published_cells):
    cells = published_cells("kann_2018")
    assert len(cells) == 233
    expected = {place(cell): value(cell["value"]) for cell in cells}
    assert len(expected) == len(cells)
    assert {at(cell): value(str(cell.published)) for cell in paper_cells()} == expected


def test_each_is_measured_or_explained() -> None:
    for cell in paper_cells():
        assert (cell.measured is None) == bool(cell.why)
    assert {cell.why for cell in paper_cells() if cell.table == "4" and cell.measured is None} == {NEEDS_DATA}


def small_reproduction(folder: Path) -> Reproduction:
    def section(name: str) -> Section:
        rows = tuple(Agreement(metric, 0.5, (0.4, 0.6), 0.2, 0.3) for metric in PUBLISHED)
        return Section(name, 9, 1, 2.0, 0.4, rows)

    return Reproduction(
        source=str(folder),
        overall=section("all"),
        by_system=tuple(map(section, ("ILP", "NAMAS", "Seq2Seq", "T3"))),
        by_domain=tuple(map(section, ("Letters", "Journal", "Newswire", "Non-Fiction"))),
        left_out={},
        notes=(),
        models={},
        columns={},
        published=PUBLISHED,
    )


def test_on_the_papers_data_all_tables_are_filled(tmp_path: Path) -> None:
    (tmp_path / "test.tsv").write_text("1\tNews\tA source. ||| A text\tj\t0\n", encoding="utf-8")
    rating = "\t6\tGood\tmore"
    (tmp_path / "test_output.ILP.tsv").write_text(
        f"1\tNews\tA source. ||| A text\tILP\t3{rating * 3} ||| Text\tILP\t5{rating * 5}\n", encoding="utf-8"
    )
    cells = {at(cell): cell for cell in paper_cells(small_reproduction(tmp_path))}
    assert [key for key, cell in cells.items() if cell.measured is None] == [
        ("text", "setup", "training, WordPieces (hours)"),
        ("text", "setup", "training, words (days)"),
    ]
    assert cells["4", "outputs", "SEQ2SEQ"].measured == 10
    assert cells["5", "WPSLOR", "news r"].measured == 0.5
    assert cells["text", "setup", "ratings an output, fewest"].measured == 3
    assert cells["text", "setup", "ratings an output, most"].measured == 5
    assert "0.437 / 0.500" in paper_markdown(list(cells.values()))


def test_other_data_fill_nothing(tmp_path: Path) -> None:
    other = dataclasses.replace(small_reproduction(tmp_path), published={})
    assert paper_cells(other) == paper_cells()


def test_the_command_without_a_file_and_the_committed_page() -> None:
    result = CliRunner().invoke(cli, ["reproduce", "kann"])
    assert result.exit_code == 0, result.output
    assert all(f"## {title}" in result.stdout for title in TITLES.values())
    assert result.stdout in CARD.read_text(encoding="utf-8")


@pytest.mark.parametrize("format", ["json", "csv"])
def test_the_command_in_other_formats(format: str) -> None:
    result = CliRunner().invoke(cli, ["reproduce", "kann", "--format", format])
    assert result.exit_code == 0, result.output
    assert "SVR(ROUGE-L-mult, WPSLOR)" in result.stdout
