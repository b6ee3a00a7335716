"""The paper's tables (Kann, Rothe & Filippova 2018), and the same evaluation of any rated outputs, as a report."""

from __future__ import annotations

import inspect
import math
import re
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

import numpy as np

from referenceless_metrics.core.files.escaping import escaped, one_line
from referenceless_papers.common.cells import Cell, Figure, Missing, PartResult, Table, Value
from referenceless_papers.common.figures import new_figure, save
from referenceless_papers.common.published import published, published_figures
from referenceless_papers.common.report import Report
from referenceless_papers.common.run import Part, measure_parts
from referenceless_papers.kann.columns import COMBINED_COLUMNS, LANGUAGE_MODEL_COLUMNS
from referenceless_papers.kann.compression_data import RATINGS, ratings_per_output
from referenceless_papers.kann.run import Agreement, Reproduction, Section

NEEDS_DATA = (
    "needs the rated outputs of the Microsoft Research Abstractive Text Compression Dataset (Toutanova et al. 2016): "
    "give its folder to `referenceless reproduce kann`"
)
_NOT_IN_DATA = "the data have no such texts, or the metric could not be computed on them"
_TIMES = "time on the authors' machine; the packaged n-gram models stand in for these networks and train in minutes"
_TABLE_7 = (
    "By Eq. 6, MSE = variance · (1 − r²). The pairs of this table give a variance of ratings of 0.335, those of Table "
    "3 one of 0.329: the two tables are not of the same texts."
)
_WITH, _WITHOUT = "#4878a8", "#d98841"


def report(result: Reproduction | None) -> Report:
    """Return the measurements on rated outputs, with the paper's tables if the outputs are the paper's or none.

    Args:
        result: the evaluation of rated outputs; None for the published figures alone.
    """
    parts: dict[str, Part] = {}
    if result is not None:
        parts["all"] = Part("Agreement with human ratings", whole)
        for name, sections in (("system", result.by_system), ("domain", result.by_domain)):
            if sections:
                parts[name] = Part(f"By {name}", _by(sections))
    if result is None or result.of_the_paper:
        parts |= PAPER
    about = (
        "Kann, Rothe & Filippova (2018), *Sentence-Level Fluency Evaluation: References Help, But Can Be Spared!* "
        "Written by `referenceless reproduce kann`. r is Pearson's; MSE is after the best linear map to ratings, in "
        "the paper's tables of 1 to 3."
    )
    signature = "" if result is None else ", ".join(result.models.values())
    return Report("SLOR, WPSLOR and ROUGE-LM, reproduced", about, signature, measure_parts("kann", parts, result))


def whole(result: Reproduction) -> PartResult:
    """Every metric's agreement over all texts, and notes for the reader."""
    told = [f"{escaped(result.source)}: {_texts(result.overall)}."]
    told += [f"Not computed: {what} ({why})." for what, why in result.left_out.items()]
    return PartResult(
        tables=[_table("All texts", result.overall)],
        figures=[
            Figure(
                "correlations",
                "Pearson correlation with human ratings, with its 95% confidence interval",
                lambda path: plot(result, path),
            )
        ],
        notes=[*told, *map(one_line, result.notes)],
    )


def _by(sections: Sequence[Section]) -> Callable[[Any], PartResult]:
    def measure(_: Any) -> PartResult:
        return PartResult(tables=[_table(f"{escaped(each.name)}, {_texts(each)}", each) for each in sections])

    return measure


def _texts(section: Section) -> str:
    undefined = f", {section.n_undefined} more undefined" if section.n_undefined else ""
    return (
        f"{section.n} texts{undefined}, mean rating {section.mean_rating:.3f}, variance {section.rating_variance:.3f}"
    )


def _table(caption: str, section: Section) -> Table:
    rows = (
        {
            "metric": row.metric,
            "references": "no" if _references(row.metric) == 0 else "yes",
            "Pearson": row.pearson,
            "low": row.interval[0],
            "high": row.interval[1],
            "MSE": row.mse,
            "p below the best": row.p_below_best,
        }
        for row in section.rows
    )
    return Table(caption, tuple(rows))


def _references(metric: str) -> Value:
    """Number of references that a metric reads, as the paper's tables mark it: 0, 1 or `mult`."""
    return 0 if metric in LANGUAGE_MODEL_COLUMNS else 1 if metric.endswith("-single") else "mult"


def _tables(result: Reproduction | None, name: str) -> PartResult:
    """A table of the paper: each published figure beside a measured one, or a reason."""
    part = PartResult(notes=[_TABLE_7] if name == "table-7" else [])
    for place, figure in (key for key, each in published_figures("kann").items() if each.part == name):
        row = place.split(", ", 1)[1]
        if figure == "references":  # the same in the paper and here by construction
            value: Value = _references(row)
        elif figure == "trained":
            value = "yes" if row == COMBINED_COLUMNS[0] else "no"
        else:
            value = math.nan if result is None else _measured(result, row, figure)
        why = "" if value == value else NEEDS_DATA if result is None else _NOT_IN_DATA
        part.cells.append(Cell(place, figure, value, why=why))
    return part


def _measured(result: Reproduction, row: str, figure: str) -> float:
    name, _, kind = figure.rpartition(" ")
    if row in ("outputs", "fluency"):
        name, kind = figure, row
    section = result.overall if not name else _section((*result.by_system, *result.by_domain), name)
    if section is None:
        return math.nan
    if kind == "outputs":
        return float(section.n + section.n_undefined)
    if kind == "fluency":
        return section.mean_rating
    agreement: Agreement | None = next((each for each in section.rows if each.metric == row), None)
    return math.nan if agreement is None else agreement.pearson if kind == "r" else agreement.mse


def _section(sections: Sequence[Section], name: str) -> Section | None:
    """Return the section of a system or domain, whatever case and hyphens its name has in the data."""

    def plain(text: str) -> str:
        return re.sub(r"[^a-z0-9]", "", text.lower())

    return next((each for each in sections if plain(each.name).startswith(plain(name))), None)


def setup(result: Reproduction | None) -> PartResult:
    """The settings of the paper's networks beside the defaults of `train lstm`, and the scale of the ratings."""
    from referenceless_papers.training.lstm import train_lstm

    defaults = {name: each.default for name, each in inspect.signature(train_lstm).parameters.items()}
    grammar = [scores[1] for scores in RATINGS.values()]
    measured: dict[str, Value] = {
        "LSTM layers": defaults["layers"],
        "LSTM units a layer": defaults["hidden"],
        "sentences a batch": defaults["batch_size"],
        "optimiser": "adam",
        "lowest fluency": min(grammar),
        "highest fluency": max(grammar),
    }
    times = ("training, WordPieces (hours)", "training, words (days)")
    part = PartResult(missing=[Missing(f"Text, setup, {name}", _TIMES) for name in times])
    if result is None:
        part.missing.append(Missing("Text, setup, ratings an output", NEEDS_DATA))
    else:
        counts = ratings_per_output(result.source)
        measured |= {"ratings an output, fewest": min(counts), "ratings an output, most": max(counts)}
    part.cells += [Cell("Text, setup", name, value) for name, value in measured.items()]
    return part


def _paper_table(name: str) -> Callable[[Any], PartResult]:
    return lambda result: _tables(result, name)


PAPER = {
    "table-2": Part("Table 2: mean fluency by system", _paper_table("table-2")),
    "table-3": Part("Table 3: all outputs", _paper_table("table-3")),
    "table-4": Part("Table 4: by system", _paper_table("table-4")),
    "table-5": Part("Table 5: by domain", _paper_table("table-5")),
    "table-7": Part("Table 7: combinations", _paper_table("table-7")),
    "text": Part("Settings and facts in the text", setup),
}
"""The paper's tables by name."""


def plot(result: Reproduction, path: Path) -> None:
    """Write a bar chart of each metric's correlation, with its 95% confidence interval, as PNG.

    Raises:
        ImportError: without matplotlib (extra `plot`).
        OSError: if the file cannot be written.
    """
    rows = [row for row in result.overall.rows if not math.isnan(row.pearson)][::-1]
    figure, (axes,) = new_figure(width=7.5, height=1.6 + 0.34 * len(rows))
    for colour, label, without in ((_WITHOUT, "without references", True), (_WITH, "with references", False)):
        chosen = [place for place, row in enumerate(rows) if (_references(row.metric) == 0) == without]
        values = [rows[place].pearson for place in chosen]
        low, high = ([abs(rows[place].interval[end] - rows[place].pearson) for place in chosen] for end in (0, 1))
        axes.barh(
            chosen, values, color=colour, label=label, xerr=np.nan_to_num([low, high]), ecolor="#444444", capsize=2
        )
    if result.of_the_paper:
        known = [published("kann", f"Table 3, {row.metric}", "r") for row in rows]
        places = [place for place, value in enumerate(known) if value is not None]
        axes.scatter([known[place] for place in places], places, marker="D", s=22, color="black", label="paper")
    axes.set_yticks(range(len(rows)), [row.metric for row in rows])
    axes.axvline(0.0, color="#444444", lw=0.8)
    axes.set_xlabel(f"Pearson's r, {result.overall.n} texts of {Path(result.source).name}")
    axes.legend(frameon=False, fontsize=8, loc="lower right")
    told = ", ".join(f"{row.metric} {row.pearson:.3f}" for row in rows[::-1])
    save(figure, path, f"Pearson correlation with human ratings: {told}")
