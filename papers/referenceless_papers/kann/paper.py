"""The paper's tables (Kann, Rothe & Filippova 2018), each published figure beside a measured one or a reason."""

from __future__ import annotations

import inspect
import math
import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from referenceless_papers.kann import published
from referenceless_papers.kann.baselines import COMBINED_COLUMNS, LANGUAGE_MODEL_COLUMNS
from referenceless_papers.kann.compression_data import RATINGS, ratings_per_output
from referenceless_papers.kann.run import Reproduction, Section

#: What a reader must know about a table.
_NOTES = {
    "7": "By Eq. 6, MSE = variance · (1 − r²). The pairs of this table give a variance of ratings of 0.335, those of "
    "Table 3 one of 0.329: the two tables are not of the same texts."
}
#: What would fill the tables.
NEEDS_DATA = (
    "needs the rated outputs of the Microsoft Research Abstractive Text Compression Dataset (Toutanova et al. 2016): "
    "give its folder to `referenceless reproduce kann`"
)
_NOT_IN_DATA = "the data have no such texts, or the metric could not be computed on them"
_TIMES = "time on the authors' machine; the packaged n-gram models stand in for these networks and train in minutes"

TITLES = {
    "2": "Table 2: mean fluency by system",
    "3": "Table 3: all outputs",
    "4": "Table 4: by system",
    "5": "Table 5: by domain",
    "7": "Table 7: combinations",
    "text": "Settings and facts in the text",
}

Value = float | str


@dataclass(frozen=True)
class PaperCell:
    """One published figure.

    Attributes:
        table: the table's number; `text` for what stands in the text.
        row: the row, mostly a metric.
        column: the column.
        published: its published value.
        measured: its measured value; None where there is none.
        why: why it was not measured; empty where it was.
    """

    table: str
    row: str
    column: str
    published: Value
    measured: Value | None
    why: str = ""


def paper_cells(result: Reproduction | None = None) -> list[PaperCell]:
    """Return every published figure of the paper.

    Args:
        result: what was measured on the paper's own data; None, or a result on other data, for none.
    """
    own = result if result is not None and result.published else None
    return [*_tables(own), *_setup(own)]


def _tables(result: Reproduction | None) -> Iterator[PaperCell]:
    systems = [_section(result.by_system if result else (), name) for name in published.SYSTEMS]
    domains = [_section(result.by_domain if result else (), name) for name in published.DOMAINS]
    overall = None if result is None else result.overall
    for name, section, value in zip(published.SYSTEMS, systems, published.MEAN_FLUENCY, strict=True):
        yield _cell(result, "2", "fluency", name, value, None if section is None else section.mean_rating)
    for table, figures in (("3", published.OVERALL), ("7", published.COMBINATIONS)):
        for metric, pair in figures.items():
            yield from _kind(table, metric)
            for column, value in zip(("r", "MSE"), pair, strict=True):
                yield _cell(result, table, metric, column, value, _figure(overall, metric, column))
    for table, names, sections, samples, rows in (
        ("4", published.SYSTEMS, systems, published.SYSTEM_SAMPLES, published.BY_SYSTEM),
        ("5", published.DOMAINS, domains, published.DOMAIN_SAMPLES, published.BY_DOMAIN),
    ):
        for name, section, value in zip(names, sections, samples, strict=True):
            n = None if section is None else float(section.n + section.n_undefined)
            yield _cell(result, table, "outputs", name, float(value), n)
        for metric, both in rows.items():
            yield from _kind(table, metric)
            for column, values in zip(("r", "MSE"), both, strict=True):
                for name, section, value in zip(names, sections, values, strict=True):
                    yield _cell(result, table, metric, f"{name} {column}", value, _figure(section, metric, column))


def _kind(table: str, metric: str) -> Iterator[PaperCell]:
    """What a metric reads, which the table marks: it is the same in the paper and here by construction."""
    references = "0" if metric in LANGUAGE_MODEL_COLUMNS else "1" if metric.endswith("-single") else "mult"
    yield PaperCell(table, metric, "references", references, references)
    if table == "7":
        trained = "yes" if metric == COMBINED_COLUMNS[0] else "no"
        yield PaperCell(table, metric, "trained", trained, trained)


def _cell(
    result: Reproduction | None, table: str, row: str, column: str, value: float, measured: float | None
) -> PaperCell:
    if measured is None or math.isnan(measured):
        return PaperCell(table, row, column, value, None, NEEDS_DATA if result is None else _NOT_IN_DATA)
    return PaperCell(table, row, column, value, measured)


def _section(sections: Sequence[Section], name: str) -> Section | None:
    """Return the section of a system or domain, whatever case and hyphens its name has in the data."""
    wanted = _plain(name)
    return next((each for each in sections if _plain(each.name).startswith(wanted)), None)


def _plain(name: str) -> str:
    return re.sub(r"[^a-z0-9]", "", name.lower())


def _figure(section: Section | None, metric: str, column: str) -> float | None:
    rows = () if section is None else section.rows
    found = next((row for row in rows if row.metric == metric), None)
    if found is None:
        return None
    return found.pearson if column == "r" else found.mse


def _setup(result: Reproduction | None) -> Iterator[PaperCell]:
    """The settings of the paper's networks beside the defaults of `train lstm`, and the scale of the ratings."""
    from slor_metric.language_models.lstm.training import train_lstm

    defaults = {name: each.default for name, each in inspect.signature(train_lstm).parameters.items()}
    grammar = [scores[1] for scores in RATINGS.values()]
    counts = None if result is None else ratings_per_output(result.source)
    measured: dict[str, Value | None] = {
        "LSTM layers": defaults["layers"],
        "LSTM units a layer": defaults["hidden"],
        "sentences a batch": defaults["batch_size"],
        "optimiser": "Adam",
        "ratings an output, fewest": None if counts is None else float(min(counts)),
        "ratings an output, most": None if counts is None else float(max(counts)),
        "lowest fluency": float(min(grammar)),
        "highest fluency": float(max(grammar)),
    }
    for name, value in published.SETUP.items():
        why = _TIMES if name.startswith("training") else NEEDS_DATA if measured.get(name) is None else ""
        yield PaperCell("text", "setup", name, value, measured.get(name), why)


def paper_markdown(cells: Sequence[PaperCell]) -> str:
    """Return the paper's tables as Markdown: `published / measured` in each cell, reasons below each table."""
    lines = [
        "# SLOR, WPSLOR and ROUGE-LM: the published figures",
        "",
        "Kann, Rothe & Filippova (2018), *Sentence-Level Fluency Evaluation: References Help, But Can Be Spared!* "
        "Written by `referenceless reproduce kann`. Each cell is *published / measured*; a number stands for the "
        "reason, below the table, why nothing is measured. r is Pearson's; MSE is after the best linear map to ratings "
        "of 1 to 3.",
    ]
    for table, title in TITLES.items():
        own = [cell for cell in cells if cell.table == table]
        reasons = list(dict.fromkeys(cell.why for cell in own if cell.why))
        lines += ["", f"## {title}", "", *_pipe(own, reasons)]
        for number, why in enumerate(reasons, start=1):
            lines += ["", f"({number}) {why[0].upper()}{why[1:]}."]
        if table in _NOTES:
            lines += ["", _NOTES[table]]
    return "\n".join(lines) + "\n"


def _pipe(cells: Sequence[PaperCell], reasons: Sequence[str]) -> list[str]:
    from tabulate import tabulate

    across = cells[0].table != "text"
    rows = list(dict.fromkeys(cell.row if across else cell.column for cell in cells))
    columns = list(dict.fromkeys(cell.column for cell in cells)) if across else ["published / measured"]
    found = {(cell.row, cell.column) if across else (cell.column, columns[0]): cell for cell in cells}
    text = [
        [row, *(_shown(found[row, name], reasons) if (row, name) in found else "" for name in columns)] for row in rows
    ]
    alignment = ["left", *["right"] * len(columns)]
    table = tabulate(text, headers=["", *columns], tablefmt="pipe", colalign=alignment, disable_numparse=True)
    return str(table).split("\n")


def _shown(cell: PaperCell, reasons: Sequence[str]) -> str:
    if cell.column in ("references", "trained"):  # the same on both sides by construction
        return str(cell.published)
    measured = f"({reasons.index(cell.why) + 1})" if cell.measured is None else _number(cell.measured)
    return f"{_number(cell.published)} / {measured}"


def _number(value: Value) -> str:
    if isinstance(value, str):
        return value
    return f"{value:g}" if value == round(value) else f"{value:.3f}".replace("-", "−")
