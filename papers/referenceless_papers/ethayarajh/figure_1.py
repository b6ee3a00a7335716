"""Figure 1 in texts of ours: rated texts that resemble a candidate count, and the estimate is their mean rating."""

from __future__ import annotations

from pathlib import Path

from bleu_neighbors_metric.estimator import BLEUNeighbors
from referenceless_papers.common.cells import Figure, PartResult, Table
from referenceless_papers.common.figures import FIRST, SECOND, new_figure, save
from referenceless_papers.ethayarajh.sources import Sources

CANDIDATE = "the quick fox jumps over a lazy dog"
POOL = {
    "the quick brown fox jumps over the dog": 0.9,
    "a quick fox leaps over a lazy dog": 0.7,
    "shares fell on Monday": 0.1,
}


def figure_1(sources: Sources) -> PartResult:
    """Return the estimate of one text from three, one of them less similar than τ; no data are read."""
    metric = BLEUNeighbors.published(min_neighbors=1, max_fraction=1.0).fit(list(POOL), list(POOL.values()))
    near, estimate = metric.kneighbors(CANDIDATE, k=len(POOL)), float(metric.predict([CANDIDATE]).values[0])
    rows = [
        {
            "rated text": one.text,
            "rating": one.rating,
            "similarity": one.similarity,
            "counts": "yes" if one.similarity >= metric.threshold_ else "no",
        }
        for one in near
    ]
    title = f"“{CANDIDATE}”: estimate {estimate:.2f}"

    def draw(path: Path) -> None:
        figure, (axes,) = new_figure(height=2.2)
        names = [f"{row['rated text']}\nrating {row['rating']:.1f}" for row in rows]
        colours = [SECOND if row["counts"] == "yes" else FIRST for row in rows]
        axes.barh(names, [float(row["similarity"]) for row in rows], color=colours, height=0.6)
        axes.axvline(metric.threshold_, color="black", linestyle="--", linewidth=1)
        axes.text(metric.threshold_ + 0.01, len(rows) - 1, f"τ = {metric.threshold_:.2f}", va="center")
        axes.set(xlabel="similarity to the candidate (BLEU*)", xlim=(0, 1))
        axes.invert_yaxis()
        figure.suptitle(title, fontsize=10)
        save(figure, path, f"Rated texts by their similarity, those above τ marked. {title}")

    return PartResult(
        tables=[Table(title, tuple(rows))],
        figures=[
            Figure("figure_1", "Figure 1: two of three rated texts resemble the candidate, and count", draw, ".svg")
        ],
        notes=["In the manner of the paper's figure, with texts of ours; a = 1, b = 1."],
    )
