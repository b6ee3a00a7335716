"""Scores beside people's ratings, drawn: the ratings over the scores."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from referenceless_metrics.pages.charts import LARGE, scatters
from referenceless_metrics.pages.drawing import Plot

if TYPE_CHECKING:
    from referenceless_metrics.human_evaluation.judges.judged_outputs import JudgedOutputs


def judged_plots(judged: Sequence[JudgedOutputs], notes: Sequence[str]) -> list[Plot]:
    """Return a chart of each score: the mean ratings of outputs over their scores. Verdicts of 0 and 1 have none.

    Args:
        judged: the scores with people's ratings.
        notes: a remark for each of them.
    """
    plots = []
    for each, note in zip(judged, notes, strict=True):
        if each.are_verdicts:
            continue
        rated = each.rated
        scores, ratings = (rated[name].to_numpy(dtype=float) for name in ("judge", "human"))
        (chart,) = scatters([scores], [ratings], identity=False, frame=LARGE)
        heading = ", ".join(filter(None, (each.name, each.criterion)))
        plots.append(Plot(heading, chart, "score", "mean rating", 1, note))
    return plots
