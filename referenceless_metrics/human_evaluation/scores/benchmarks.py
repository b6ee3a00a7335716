"""Tables of benchmarks' results: several metrics in the rows of one column, and averages of other rows among them.

Form: the summaries of github.com/open-compass/opencompass, with the columns `dataset`, `version`, `metric`, `mode` and
one per model; rows whose metric is `naive_average` are means of the rows of some datasets.
"""

from __future__ import annotations

import re
from dataclasses import replace

from referenceless_metrics.core.files.left_out_rows import is_blank
from referenceless_metrics.core.files.reading import from_json
from referenceless_metrics.core.files.tables import Table
from referenceless_metrics.core.support.validation import finite_number
from referenceless_metrics.human_evaluation.scores.columns import ScoreColumns, cells_of

_METRICS = ("metric", "metric_name")
"""Names of the column that tells the metric of a row."""

_AVERAGE = re.compile(r"(?:[a-z]+[_ -])?averages?", re.IGNORECASE)


def with_metric_column(table: Table, columns: ScoreColumns) -> tuple[ScoreColumns, list[str]]:
    """Return the columns with that of metrics, and the assumption made, if a table has several metrics in its rows.

    Nothing is assumed of a table whose column of metrics the user named, and of a column that is in use.
    """
    name = next((name for name in _METRICS if name in table.columns), None)
    if columns.metric is not None or name is None or name in columns.in_use() or name in columns.scores:
        return columns, []
    cells = [cell for cell in cells_of(table, name) if not is_blank(cell)]
    if any(isinstance(from_json(cell), (dict, list)) for cell in cells):  # scores by the names of their metrics
        return columns, []
    named = {str(cell).strip() for cell in cells}
    are_names = len(cells) == len(table.rows) and all(finite_number(each) is None for each in named)
    if not are_names or len(named) < 2:
        return columns, []
    told = f"each of the metrics in column {name!r} is a score of its own (--metric-column)"
    return replace(columns, metric=name), [told]


def without_averages(table: Table, metric_column: str | None) -> tuple[Table, str]:
    """Return a table without rows whose metric is an average of others, and a note on these; "" if there are none.

    Args:
        table: the table.
        metric_column: the column that tells the metric of a row; None for none.
    """
    if metric_column is None or not table.has(metric_column):
        return table, ""
    cells = [str(cell).strip() for cell in cells_of(table, metric_column)]
    kept = [place for place, cell in enumerate(cells) if not _AVERAGE.fullmatch(cell)]
    if not kept or len(kept) == len(cells):
        return table, ""
    n = len(cells) - len(kept)
    name = next(cell for cell in cells if _AVERAGE.fullmatch(cell))
    rows = [table.rows[place] for place in kept]
    lines = [table.lines[place] for place in kept] if table.lines else []
    return replace(table, rows=rows, lines=lines), f"{n} rows are averages of others ({name}), and are left out"
