"""OpenCompass: the summary of a run as CSV, a row for each data set and a column for each model.

Form: `summary_DATE.csv`, from the summarizer of open-compass/opencompass: dataset, version, metric and mode, then a
column for each model. A row whose version is `-` sums up others, such as the mean of a group. `-` is a missing score.
"""

from __future__ import annotations

from dataclasses import replace

from referenceless_metrics.core.files.reading import Reading
from referenceless_metrics.core.files.text_io import read_table
from referenceless_metrics.human_evaluation.exports.rows import Export, ScoreRow
from referenceless_metrics.human_evaluation.exports.sighting import header_of
from referenceless_metrics.human_evaluation.forms import Form, Sighting

_KEYS = ("dataset", "version", "metric", "mode")
_NONE = "-"


def _is_summary(sighting: Sighting) -> bool:
    header = header_of(sighting)
    return header[: len(_KEYS)] == _KEYS and len(header) > len(_KEYS)


FORM = Form(
    "OpenCompass summary",
    "columns `dataset`, `version`, `metric`, `mode`, then one for each model",
    "scores",
    "github.com/open-compass/opencompass, opencompass/summarizers",
    _is_summary,
)


def read(sighting: Sighting, reading: Reading) -> Export:
    """Read each model's score of each data set; rows that sum up others are left out."""
    table = read_table(str(sighting.path), replace(reading, format=reading.format or "csv"))
    models = [name for name in table.columns if name not in _KEYS]
    single = [row for row in table.rows if row["version"] != _NONE]
    rows = [
        ScoreRow(model, str(row["dataset"]), {str(row["metric"]): None if row[model] == _NONE else row[model]})
        for model in models
        for row in single
    ]
    n_sums = len(table.rows) - len(single)
    sums = f"{n_sums} row{'s' if n_sums > 1 else ''}"
    notes = [f"left out: {sums} that sum up others, such as the mean of a group"] if n_sums else []
    return Export(FORM.name, rows, tuple(f"{note}." for note in notes))
