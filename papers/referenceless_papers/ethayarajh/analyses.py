"""Figures 2 to 4 and Section 6: parameters, pool size, subsampled pools, and HUSE with and without people."""

from __future__ import annotations

import math
import os
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

import numpy as np

from bleu_neighbors_metric.estimator import BLEUNeighbors
from bleu_neighbors_metric.kernels.kernel import KERNELS
from bleu_neighbors_metric.tuning.parts import estimates_in_parts, pool_learning_curve
from bleu_neighbors_metric.tuning.plots import learning_curve_plot
from bleu_neighbors_metric.tuning.sweep import Setting, sweep
from referenceless_metrics.assessment.learning_curve import draw_members, mean_and_std
from referenceless_metrics.assessment.meta_evaluation import mean_squared_error, rank_correlation
from referenceless_metrics.core.support.validation import Floats
from referenceless_metrics.huse.score import huse_score
from referenceless_metrics.pages.drawing import drawing
from referenceless_papers.common.cells import Cell, Figure, Missing, PartResult, Table
from referenceless_papers.common.figures import FIRST, QUIET, SECOND, new_figure, save
from referenceless_papers.ethayarajh.annotators import annotators
from referenceless_papers.ethayarajh.sources import Sources
from referenceless_papers.resampled_correlations import correlation
from referenceless_papers.statistics import constant_baseline

_BY_EYE = "read off a curve by eye; the table of Figure 3 gives ρ by b for headlines"
_TAU, _A, _B = 0.08, 5, 0.66
_VALUES_OF_A = (1, 2, 3, 5, 7, 10, 15, 20, 25, 30, 35, 40, 45, 50)
_VALUES_OF_B = (0.05, 0.1, 0.15, 0.2, 0.25, 0.3, 0.4, 0.5, 0.6, 0.66, 0.7, 0.8, 0.9, 1.0)
_SIZES = (50, 75, 100, 125, 150, 175)
_KERNELS = ("bleu_star", "bleu_star_content", "bleu_star_pos", "bleu_star_idf", "bleu_star_learned")
_SHARES = (0.25, 0.5, 0.75, 0.9)


def parameter_figures(sources: Sources) -> PartResult:
    """Return Figures 2 and 3: ρ and coverage as a and b change."""
    pool = sources.summarization
    metric = BLEUNeighbors.published(n_jobs=-1).fit(pool.texts, pool.ratings)
    by_a = sweep(metric, thresholds=[_TAU], min_neighbors=_VALUES_OF_A, max_fractions=[_B]).settings
    by_b = sweep(metric, thresholds=[_TAU], min_neighbors=[_A], max_fractions=_VALUES_OF_B).settings

    def draw_a(path: Path) -> None:
        plot_parameter(by_a, "min_neighbors", path, label="least number of neighbours, a", default=_A, human=human)

    def draw_b(path: Path) -> None:
        plot_parameter(by_b, "max_fraction", path, label="largest share of the pool, b", default=_B, human=human)

    rows = sources.judgements("summarization")
    own = annotators(rows["annotator"][:], rows["id"][:], np.asarray(rows["rating"][:], dtype=np.float64)).spearman
    human = float(np.nanmean(own)) if np.isfinite(own).any() else np.nan
    names = ("spearman", "mse", "mse_of_mean", "coverage")
    best = max((s for s in by_a if not np.isnan(s.spearman)), key=lambda s: s.spearman, default=None)
    row = "Section 5.2, where ρ is highest"
    return PartResult(
        cells=[Cell(row, figure, float(best.min_neighbors)) for figure in ("a, from", "a, to") if best is not None]
        + [
            Cell("Section 5.2, open-ended generation, where ρ drops", figure, why=_BY_EYE)
            for figure in ("b, first", "b, second")
        ],
        missing=[Missing(row, "ρ is undefined at every a")] if best is None else [],
        figures=[
            Figure(
                "figure_2",
                "Figure 2: ρ and coverage as a changes (b = 0.66); shaded: above an average annotator",
                draw_a,
            ),
            Figure(
                "figure_3",
                "Figure 3: ρ and coverage as b changes (a = 5); shaded: above an average annotator",
                draw_b,
            ),
        ],
        tables=[
            Table(
                "Figure 2: a",
                tuple({"a": s.min_neighbors, **{name: s._asdict()[name] for name in names}} for s in by_a),
            ),
            Table(
                "Figure 3: b",
                tuple({"b": s.max_fraction, **{name: s._asdict()[name] for name in names}} for s in by_b),
            ),
        ],
        notes=[
            "HUSE summarisation, leave-one-out. What a setting leaves uncovered changes the texts that it is measured "
            "on; mse_of_mean is the error of the mean on the same texts."
        ],
    )


def size_figure(sources: Sources) -> PartResult:
    """Return Figure 4: ρ and coverage against pool size, 20 draws, one-sigma band."""
    pool = sources.summarization
    curve = pool_learning_curve(BLEUNeighbors.published(n_jobs=-1).fit(pool.texts, pool.ratings))

    def draw(path: Path) -> None:
        drawing([learning_curve_plot(curve.points)]).save(path)

    names = ("size", "spearman", "spearman_std", "coverage", "coverage_std", "n_draws")
    cells, missing = _needed_ratings(sources)
    return PartResult(
        cells=[
            *cells,
            Cell("Section 5.5", "draws at each size", float(curve.points[0].n_draws)),
        ],
        missing=missing,
        figures=[
            Figure("figure_4", "Figure 4: ρ and coverage against pool size, one standard deviation of 20 draws", draw)
        ],
        tables=[Table("Figure 4", tuple({name: vars(p)[name] for name in names} for p in curve.points))],
        notes=[
            "HUSE summarisation. Each drawn pool estimates all distinct texts, each one without itself; the last point "
            "is the whole pool, of which there is one draw.",
            *curve.findings,
        ],
    )


def _needed_ratings(sources: Sources) -> tuple[list[Cell], list[Missing]]:
    """Return the fewest rated texts at which ρ exceeds 0.30, and coverage at 75, on the tasks that the paper names.

    A row holds for both tasks the larger number, and the smaller coverage. Headlines have a row of their own.
    """
    cells: list[Cell] = []
    missing: list[Missing] = []
    for row, tasks in (
        ("Section 5.5, dialogue and generation", ("dialogue", "language_model")),
        ("Section 5.5, summarisation", ("summarization",)),
    ):
        if why := sources.lacking(tasks):
            missing.append(Missing(row, why))
            continue
        pools = [sources.task(task) for task in tasks]
        curves = [
            pool_learning_curve(BLEUNeighbors.published(n_jobs=-1).fit(pool.texts, pool.ratings), sizes=sizes).points
            for pool in pools
            if (sizes := [size for size in _SIZES if size <= len(set(pool.texts))])
        ]
        enough = [min((p.size for p in points if p.spearman > 0.30), default=np.nan) for points in curves]
        covered = [p.coverage for points in curves for p in points if p.size == _SIZES[1]]
        for figure, value in (
            ("rated texts for ρ > 0.30", max(enough, default=np.nan)),
            ("coverage at 75 rated texts, at least", min(covered, default=np.nan)),
        ):
            cells.append(Cell(row, figure, float(value)))
    return cells, missing


def other_kernels(sources: Sources) -> PartResult:
    """Return the kernels that Section 6 suggests, and a learned one, on HUSE summarisation."""
    pool = sources.summarization
    result = PartResult()
    captions = {
        "published rule (τ = 0.08, a = 5, b = 0.66)": {},
        "all others, weighted by similarity": {
            "threshold": 0.0,
            "min_neighbors": 1,
            "max_fraction": 1.0,
            "weights": "similarity",
        },
    }
    rows: dict[str, list[dict[str, object]]] = {caption: [] for caption in captions}
    for name in _KERNELS:
        with result.attempt(f"Section 6, kernel {name}"):
            metric = BLEUNeighbors.published(kernel=name, n_jobs=-1).fit(pool.texts, pool.ratings)
            for caption, parameters in captions.items():
                estimates = metric.set_params(**parameters).leave_one_out()
                found = correlation(estimates.values, metric.ratings_, "spearman")
                rows[caption].append(
                    {
                        "kernel": name,
                        "what": KERNELS[name].description,
                        "coverage": estimates.coverage,
                        "Spearman": found.value,
                        "low": found.low,
                        "high": found.high,
                        "MSE": mean_squared_error(estimates.values, metric.ratings_),
                        "MSE of the mean": constant_baseline(estimates.values, metric.ratings_),
                    }
                )
    result.tables += [
        Table(f"HUSE summarisation, leave-one-out, {caption}", tuple(each)) for caption, each in rows.items()
    ]
    result.notes += [
        "No threshold was chosen for these kernels: they share the default, which was made for BLEU* on characters, so "
        "coverage tells as much as correlation. Kernels read the default tokens, characters, where they read any.",
        "The learned kernel is made for the second rule. Its few weights are fitted on all ratings, that of the text "
        "which is left out included, so its rows are a little flattered.",
    ]
    return result


def subsampled_pools(sources: Sources) -> PartResult:
    """Return how much estimates depend on the draw if each evaluation draws a part of the pool (Section 6)."""
    pool = sources.summarization
    metric = BLEUNeighbors.published(n_jobs=-1).fit(pool.texts, pool.ratings)
    rows = []
    for share in _SHARES:
        n_drawn = max(1, round(share * len(metric.texts_)))
        members = draw_members(len(metric.texts_), [n_drawn] * 50, np.random.default_rng(12345))
        draws = estimates_in_parts(metric, members).T
        rho, rho_std = mean_and_std([_rho(draw, metric.ratings_) for draw in draws])
        rows.append(
            {
                "share": share,
                "texts drawn": n_drawn,
                "Spearman": rho,
                "± over draws": rho_std,
                "coverage": float((~np.isnan(draws)).mean(axis=1).mean()),
                "mean quality ± over draws": mean_and_std(over_draws(draws.T, np.mean).tolist())[1],
                "one text ± over draws": mean_and_std(over_draws(draws, sample_deviation).tolist())[0],
                "Spearman, mean of draws": _rho(over_draws(draws, np.mean), metric.ratings_),
            }
        )
    return PartResult(
        tables=[Table("A part of the pool drawn anew at each evaluation: 50 draws, leave-one-out", tuple(rows))],
        notes=[
            "The paper suggests this against gaming and reports no figures. The last column ranks texts by the mean "
            "over all draws."
        ],
    )


def over_draws(draws: Floats, function: Callable[[Floats], Any]) -> Floats:
    """Apply a function to the values of each column that are not NaN; NaN for a column without any."""
    defined = (values[~np.isnan(values)] for values in draws.T)
    return np.array([function(values) if len(values) else math.nan for values in defined], dtype=float)


def sample_deviation(values: Floats) -> float:
    """Return the standard deviation; NaN of a single value."""
    return float(np.std(values, ddof=1)) if len(values) > 1 else math.nan


def huse_rows(sources: Sources) -> PartResult:
    """Return HUSE on the summarisation data, with people's judgements and with estimates in their place."""
    from referenceless_metrics.datasets import load

    rows = load("huse", "summarization", data_dir=sources.folder("huse"), split="train")
    texts, quality = rows["text"][:], np.asarray(rows["rating"][:], dtype=np.float64)
    logs = np.asarray(rows["log_probability"][:], dtype=np.float64)
    lengths = np.array([len(text.split(" ")) for text in texts], dtype=np.float64)
    is_model = np.array([source == "model" for source in rows["source"][:]])
    metric = BLEUNeighbors.published().fit(texts, quality)
    by_text = dict(zip(metric.texts_, metric.leave_one_out().values, strict=True))
    estimates = np.array([by_text[text] for text in texts])
    covered = ~np.isnan(estimates)
    result = PartResult()
    table = []
    for label, judged, kept in (
        ("people, all texts", quality, np.ones(len(texts), dtype=bool)),
        ("people, covered texts", quality, covered),
        ("BLEU Neighbors in their place, covered texts", estimates, covered),
    ):
        score = huse_score(judged[kept], (logs / lengths)[kept], is_model[kept])
        if kept.all():
            for figure, value in (("HUSE", "huse"), ("HUSE-Q", "huse_q"), ("HUSE-D", "huse_d")):
                low, high = score["intervals"][value]
                result.cells.append(Cell("Hashimoto et al. (2019), summarisation", figure, score[value], (low, high)))
        table.append(
            {
                "judgement": label,
                "texts": int(kept.sum()),
                "HUSE": score["huse"],
                "HUSE-Q": score["huse_q"],
                "HUSE-D": score["huse_d"],
            }
        )
    result.tables.append(Table("HUSE by who judges", tuple(table)))
    result.notes += [
        "k = 15; both coordinates divided by their standard deviation, log-probability divided by the number of "
        "words, ties as in the authors' published code.",
        "With people's judgement both parts come from raters. With BLEU Neighbors, estimated by leave-one-out from the "
        "other texts' ratings, HUSE-Q tells how far the estimates alone separate the model's headlines from people's.",
        "A figure near 1 means that nothing is told apart, and one above 1 differs from that by chance: an error of "
        "leave-one-out can exceed one half.",
    ]
    return result


def _rho(estimates: Floats, ratings: Floats) -> float:
    kept = ~np.isnan(estimates)
    return rank_correlation(estimates[kept], ratings[kept])


def plot_parameter(
    settings: Sequence[Setting],
    parameter: str,
    path: str | os.PathLike[str],
    *,
    label: str,
    title: str = "",
    default: float | None = None,
    human: float | None = None,
) -> None:
    """Plot ρ and coverage as one parameter changes (the paper's Figures 2 and 3).

    Args:
        settings: settings that differ in this parameter alone.
        parameter: the attribute of `Setting`: `threshold`, `min_neighbors` or `max_fraction`.
        path: the PNG or SVG to write.
        label: label of the horizontal axis.
        title: title above the plot.
        default: the default value, which is marked.
        human: ρ of the average human annotator; the band above it is shaded.
    """
    ordered = sorted(settings, key=lambda each: float(getattr(each, parameter)))
    figure, (axes,) = new_figure()
    values = [float(getattr(each, parameter)) for each in ordered]
    rho = [each.spearman for each in ordered]
    axes.plot(values, rho, color=FIRST, marker="o", ms=3, label="Spearman's ρ")
    axes.plot(values, [each.coverage for each in ordered], color=SECOND, marker="s", ms=3, label="coverage")
    axes.set(ylim=(float(np.nanmin([0.0, *rho])) - 0.02, 1.04), xlabel=label, title=title)
    if default is not None:
        axes.axvline(default, color=QUIET, lw=1, ls=":", label="default")
    if human is not None:
        axes.axhspan(human, axes.get_ylim()[1], color=QUIET, alpha=0.15, lw=0, label="ρ above one human")
    first, last = ordered[0], ordered[-1]
    ends = f"ρ {first.spearman:.2f} to {last.spearman:.2f}, coverage to {last.coverage:.2f}"
    save(figure, path, f"Spearman's ρ and coverage by {label}: {ends}")
