"""Estimates of texts, drawn."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from referenceless_metrics.core.files.output import shorten
from referenceless_metrics.core.results import MetricResult
from referenceless_metrics.core.support.validation import PathName
from referenceless_metrics.pages.charts import LARGE, Interval, histograms, intervals
from referenceless_metrics.pages.drawing import Plot, drawing

_MOST_TEXTS = 20


def plot_estimates(result: MetricResult, texts: Sequence[str], path: PathName) -> None:
    """Draw estimates of some texts with the intervals of single ratings, and the distribution of all.

    Args:
        result: the result for n texts, with the columns `lower` and `upper`.
        texts: the n texts.
        path: the picture to write.

    Raises:
        ImportError: if a picture of this kind takes an extra.
        OSError: if the file cannot be written.
    """
    values = result.values
    lower, upper = (np.asarray(result.columns[name], dtype=float) for name in ("lower", "upper"))
    ordered = np.argsort(values, kind="stable")[: result.n_covered]  # NaN comes last
    some = ordered[np.linspace(0, len(ordered) - 1, min(_MOST_TEXTS, len(ordered))).round().astype(int)]
    level = f"{float(result.details.get('level', 0.9)):.0%}"
    rows = [Interval(shorten(texts[i], 50), float(values[i]), float(lower[i]), float(upper[i])) for i in some]
    note = f"{len(ordered)} of {len(texts)} texts have an estimate"
    across = f"with the {level} interval of a rating"
    plots = [
        Plot("Estimates", intervals(rows), across, place=0, note=note),
        Plot("All texts", histograms([values], LARGE)[0], "estimate", place=0),
    ]
    drawing(plots).save(path)
