"""The public table: every metric and control on every set, with intervals, coverage and the raters' ceiling."""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path

import numpy as np

from referenceless_metrics.assessment.agreement import within_systems
from referenceless_metrics.assessment.assessment import group_folds
from referenceless_metrics.assessment.folds import random_folds
from referenceless_metrics.assessment.meta_evaluation import Correlation
from referenceless_metrics.assessment.rater_ceiling import FEWEST_REPEATED, rater_ceiling
from referenceless_metrics.core.support.validation import Floats
from referenceless_papers.common.cells import PartResult, Table
from referenceless_papers.common.report import Report
from referenceless_papers.public_table.columns import (
    CONTROLS,
    LENGTH,
    METRICS,
    N_FOLDS,
    SEED,
    applies,
    folds_of,
    systems_of,
)
from referenceless_papers.public_table.ordered import order_rows
from referenceless_papers.public_table.rated_sets import MOST_TEXTS, READERS, RatedSet, rated_sets, sampled
from referenceless_papers.public_table.worth import SystemPair, system_pairs, worth_table
from referenceless_papers.resampled_correlations import correlation

_OVERVIEW = {
    "SLOR": "SLOR",
    "WPSLOR": "WPSLOR",
    "Fluency": "Fluency",
    "BLEU Neighbors": "BLEU Neighbors",
    "quality estimation": "quality estimation",
    "quality estimation, sources": "the same, sources",
    LENGTH: "−length",
    "type-token ratio": "type-token ratio",
    "all artefacts, fitted": "all artefacts",
    "source only, fitted": "source only",
}
_ABOUT = (
    "Every metric on every public set of rated texts, written by `referenceless reproduce public-table --data-dir "
    "data`. r is Pearson's and ρ Spearman's, over the texts that a metric covers, with 95 % intervals from resampled "
    "texts. BLEU Neighbors and quality estimation learn from the set's own ratings in five folds, all texts of an item "
    "in one fold, and where a set has several systems, from those of the other systems too; with *sources*, quality "
    "estimation reads what a text was made from as well. The other metrics learn "
    "from no rating of the set; the constants of Fluency were chosen on GUG and Simplicity-DA. "
    f"Of a set of more than {MOST_TEXTS:,} texts, whole items are drawn at random. The "
    "*ceiling* is the ρ that rater noise allows estimates without error, where there are several ratings a text."
)
_NOTE = (
    "*−length* is minus the number of words: where its ρ is below 0, people rate longer texts higher. *All artefacts* "
    "is ridge regression on length, type-token ratio, punctuation and the first word; *source only* is quality "
    "estimation that sees what a text was made from and not the text. Both are fitted in the same folds: a learned "
    "metric tells something of the text as far as it is above them."
)


#: The controls that a note on each set compares with the metrics.
_NOTED = (LENGTH, "type-token ratio")
_BY_SYSTEMS = ("BLEU Neighbors", "quality estimation")

_SYSTEMS_NOTE = (
    "*Same systems*: learned in five folds of single texts, with ratings of the system itself. *Other systems*: each "
    "system's texts left out together (of more than ten systems, ten parts of whole systems), so that all ratings are "
    "of others: what to expect of a system that nobody rated, as `advise --system-column` tells it. Both are ρ within "
    "systems, of how far estimates and ratings lie from their system's means. Of two systems, the other one has about "
    "half of the ratings. Where systems answered the same inputs, "
    "an input may be known from another system's output in both."
)
_WORTH_NOTE = (
    "*What a difference is worth*: pairs of systems of all sets, in quarters by the size of the metric's difference of "
    "their means (in brackets, in the metric's unit, or if it learned from the set's ratings in their standard "
    "deviations); the share of each quarter that people order as the metric does. "
    "One half is chance. Estimates that learn from ratings saw ratings of the same systems."
)
_ORDER_NOTE = (
    "*The order of systems*, as WMT's metrics tasks judge it: the share of pairs of systems that the metric's means "
    "order as people's do; *soft*, one less the mean distance of the metric's and people's p of a pair, by "
    "permutations of the items that all systems share (at least 10, else –); and of pairs of outputs of one item, the "
    "share that both order alike or both tie, at the threshold of the metric for which it is greatest. Means are over "
    "the drawn texts that the metric covers. Estimates that learn from ratings saw ratings of the same systems."
)


def public_table(
    data_dir: Path,
    names: Sequence[str] | None = None,
    metrics: Sequence[str] | None = None,
    *,
    tell: Callable[[str], None] | None = None,
) -> Report:
    """Measure all columns on all sets.

    Args:
        data_dir: the folder that holds the sets' folders.
        names: some of `READERS`; None for all whose folder is there.
        metrics: the rows to measure, of `METRICS`; None for all, and for ratings of other systems.
        tell: takes a line on each set.

    Raises:
        FileNotFoundError: if a set's file is missing.
    """
    chosen = [name for name in READERS if (data_dir / name).is_dir()] if names is None else list(names)
    wanted = {**METRICS, **CONTROLS}
    if metrics is not None:
        wanted = {name: column for name, column in wanted.items() if name in (*metrics, *_NOTED)}
    overview, by_systems, orders, parts = [], [], list[dict[str, str]](), dict[str, PartResult]()
    pairs: dict[str, list[SystemPair]] = {name: [] for name in (*METRICS, LENGTH)}
    for whole in rated_sets(data_dir, chosen):
        rated, ceiling = sampled(whole), rater_ceiling(*whole.judged)
        makers = {name: column for name, column in wanted.items() if applies(name, rated)}
        columns = {name: column(rated, folds_of(rated)) for name, column in makers.items()}
        rho = {name: _correlation(values, rated.ratings, "spearman") for name, values in columns.items()}
        if ceiling is not None and ceiling.n_repeated < max(len(whole) / 2, FEWEST_REPEATED):
            ceiling = None  # too few texts tell the agreement of raters
        overview.append(
            {"set": rated.name, "texts": len(rated), "ceiling": "–" if ceiling is None else _short(ceiling.by_rank)}
            | {title: _short(rho[name].value) if name in rho else "" for name, title in _OVERVIEW.items()}
        )
        for name in pairs.keys() & columns.keys():
            pairs[name] += system_pairs(name, columns[name], rated)
        orders += order_rows({name: columns[name] for name in pairs if name in columns}, rated)
        if metrics is None and (row := row_of_systems(rated)) is not None:
            by_systems.append(row)
        notes = [f"{ceiling}."] if ceiling is not None else []
        notes += [f"{len(rated)} of {len(whole)} texts."] if len(rated) < len(whole) else []
        notes += [control_note({name: found.value for name, found in rho.items()}, control) for control in _NOTED]
        parts[rated.name] = PartResult(tables=[_of_set(columns, rho, rated)], notes=notes)
        if tell is not None:
            tell(f"{rated.name}: {notes[-2]}")
    tables = [Table("Spearman's ρ", tuple(overview))]
    if by_systems:
        tables.append(
            Table(
                "Spearman's ρ within systems, from ratings of the same systems or of other systems alone",
                tuple(by_systems),
            )
        )
    if orders:
        tables.append(Table("The order of systems", tuple(orders)))
    worth = worth_table(pairs)
    if worth:
        tables.append(Table("What a difference of two systems' means is worth to people", tuple(worth)))
    noted = {_SYSTEMS_NOTE: by_systems, _ORDER_NOTE: orders, _WORTH_NOTE: worth}
    notes_below = [_NOTE, *(note for note, rows in noted.items() if rows)]
    glance = PartResult(tables=tables, notes=notes_below)
    return Report("Metrics on public ratings", _ABOUT, "", {"At a glance": glance, **parts})


def control_note(rho: Mapping[str, float], control: str) -> str:
    """Say which metrics a control beats, in the direction that it has.

    >>> control_note({"SLOR": 0.1, "WPSLOR": 0.3, "−length in words": -0.2}, "−length in words")
    '−length in words has ρ −0.20: in that direction it alone beats SLOR.'
    """
    beaten = [name for name in METRICS if name in rho and not rho[name] >= abs(rho[control])]
    return (
        f"{control} has ρ {_short(rho[control])}: in that direction it alone beats {', '.join(beaten) or 'no metric'}."
    )


def row_of_systems(rated: RatedSet) -> dict[str, str] | None:
    """Return ρ within systems from ratings of the same systems and of the others; None for a set of one system.

    Only a metric's training ratings differ: whether ratings of the system itself were among them. Inputs may be known
    from other systems' outputs in both, as in `advise --system-column`.
    """
    systems = systems_of(rated)
    if systems is None:
        return None
    ways = {
        "same systems": random_folds(np.arange(len(rated)), N_FOLDS, SEED),
        "other systems": group_folds(systems),
    }
    row = {"set": rated.name, "systems": str(int(systems.max()) + 1)}
    for name in _BY_SYSTEMS:
        for way, folds in ways.items():
            values = METRICS[name](rated, folds)
            covered = ~np.isnan(values)
            estimates, ratings = (within_systems(side[covered], systems[covered]) for side in (values, rated.ratings))
            row[f"{name}, {way}"] = _with_interval(_correlation(estimates, ratings, "spearman"))
    return row


def _of_set(
    columns: Mapping[str, Floats],
    rho: Mapping[str, Correlation],
    rated: RatedSet,
) -> Table:
    rows = [
        {
            "metric": name,
            "coverage": f"{np.mean(~np.isnan(values)):.2f}",
            "r": _with_interval(_correlation(values, rated.ratings, "pearson")),
            "ρ": _with_interval(rho[name]),
        }
        for name, values in columns.items()
    ]
    return Table(f"{len(rated)} texts of {int(rated.items.max()) + 1} items", tuple(rows))


def _correlation(values: Floats, ratings: Floats, method: str) -> Correlation:
    return correlation(values, ratings, method, n_resamples=1000)


def _with_interval(found: Correlation) -> str:
    return f"{_short(found.value)} [{_short(found.low)}, {_short(found.high)}]" if found.value == found.value else "–"


def _short(value: float) -> str:
    return "–" if math.isnan(value) else f"{value:.2f}".replace("-", "−")
