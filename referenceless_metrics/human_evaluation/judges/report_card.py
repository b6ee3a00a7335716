"""A judge's report card: agreement with people, errors, drift, and corrected rates."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator, Sequence
from dataclasses import asdict, dataclass, replace
from functools import partial
from typing import TYPE_CHECKING, Any

import numpy as np

from referenceless_metrics.assessment.agreement import within_systems
from referenceless_metrics.assessment.meta_evaluation import pearson, rank_correlation
from referenceless_metrics.assessment.rater_ceiling import RaterCeiling, rater_ceiling
from referenceless_metrics.core.support.validation import Booleans, Floats, InputError, Integers, shortened
from referenceless_metrics.human_evaluation.inference.estimated_means import LEVEL
from referenceless_metrics.human_evaluation.inference.human_score import human_scores, note_on_uncertain_ends
from referenceless_metrics.human_evaluation.inference.output_ratings import SystemRatings
from referenceless_metrics.human_evaluation.inference.rated_means import why_without_estimates
from referenceless_metrics.human_evaluation.judges.judged_outputs import (
    FEWEST_CLUSTERS_OF_R,
    FEWEST_OUTPUTS,
    SURE_CLUSTERS,
    JudgedOutputs,
    clusters_of,
    errors,
    fewest_parts,
)
from referenceless_metrics.human_evaluation.scores.mean_intervals import FEWEST_CLUSTERS, mean_interval
from referenceless_metrics.human_evaluation.scores.paired import mean_of_clusters
from referenceless_metrics.human_evaluation.studies.raters import raters_apart

if TYPE_CHECKING:
    import pandas as pd


PEARSON, SPEARMAN, KAPPA = "Pearson r", "Spearman ρ", "Cohen's κ"
WITHIN_SYSTEMS = "within systems"
CEILING = "ceiling of ρ"
CORRECTED_MEAN, MEAN_RATING = "corrected mean", "mean rating"
"""Names of figures."""

SCORE, RATING = "score", "rating"
"""Units of means."""

MOST_PARTS = 500
"""Most parts of the items that are left out in turn."""


@dataclass(frozen=True)
class Figure:
    """One figure of a report card.

    Attributes:
        what: the figure's name.
        of: its outputs: "all", a slice, a system, a position or a format.
        n: number of these outputs.
        value: the figure; NaN if it is not defined.
        low: lower end of its interval, which takes items as independent and outputs of one item as dependent.
        high: the upper end.
        unit: the unit of a mean: "score" or "rating"; "" for figures without a unit.
        missing: the reason why there is no interval, as "8 clusters, 10 are needed"; "" if there is one, or if it is
            not their number.
    """

    what: str
    of: str
    n: int
    value: float
    low: float
    high: float
    unit: str = ""
    missing: str = ""

    @property
    def row(self) -> dict[str, Any]:
        """The figure as a row of a table; notes give the reason of a missing interval."""
        row = asdict(self)
        del row["missing"]
        return row


@dataclass(frozen=True)
class ReportCard:
    """A judge beside people.

    Attributes:
        figures: agreement, of all rated outputs and by slice; then errors by length, position and format, of both;
            drift; and rates of systems.
        are_verdicts: whether judge and people say 0 or 1.
        n_rated: number of outputs with a score and a rating.
        n_outputs: number of outputs with a score.
        level: confidence level of the intervals.
        notes: outputs that were left out, in sentences.
        ceiling: the most that raters' noise allows; None of verdicts, and if nothing was rated twice.
        in_clusters: whether outputs of one cluster are taken as dependent, and not those of one item.
    """

    figures: tuple[Figure, ...]
    are_verdicts: bool
    n_rated: int
    n_outputs: int
    level: float
    notes: tuple[str, ...]
    ceiling: RaterCeiling | None = None
    in_clusters: bool = False

    @property
    def of_all(self) -> dict[str, Figure]:
        """The figures of all outputs, by name."""
        return {each.what: each for each in self.figures if each.of == "all"}


def report_card(judged: JudgedOutputs, level: float = LEVEL) -> ReportCard:
    """Return a judge's report card.

    Args:
        judged: its scores with people's ratings.
        level: confidence level of the intervals, in (0, 1).
    """
    rated = judged.rated
    figures = list(_agreement(rated, "all", judged.are_verdicts, level))
    ceiling = None if judged.are_verdicts else _ceiling(judged.ratings, within=False)
    figures += _ceilings(judged, ceiling)
    if not judged.are_verdicts and rated["system"].nunique() > 1:
        for system, rows in rated.groupby("system", sort=False):
            judge, human, clusters = _arrays(rows)
            found = jackknife(pearson, (judge, human), clusters, level, fewest_parts(rows))
            few = _too_few(rows, clusters, fewest_parts(rows))
            figures.append(Figure(PEARSON, str(system), len(rows), *found, missing=few))
    if "slice" in rated:
        for part, rows in rated.groupby("slice", sort=True):
            figures += _agreement(rows, str(part), judged.are_verdicts, level)
    figures += _errors(rated, judged.are_verdicts, level)
    figures += _drift(judged, level)
    rates, notes = _rates(judged, level)
    figures += rates
    return ReportCard(
        tuple(figures),
        judged.are_verdicts,
        len(rated),
        len(judged.frame),
        level,
        (
            *judged.notes,
            *on_missing_intervals(figures),
            *_on_few_clusters(judged),
            *_on_raters_apart(judged.ratings, ceiling),
            *notes,
        ),
        ceiling,
        "cluster" in judged.frame and not judged.clusters_are_items,
    )


def cohen_kappa(judge: Floats, human: Floats) -> float:
    """Return Cohen's κ of two raters' verdicts; NaN if all are one.

    >>> round(cohen_kappa(np.array([1.0, 1.0, 0.0, 0.0]), np.array([1.0, 0.0, 0.0, 0.0])), 2)
    0.5
    """
    observed = float((judge == human).mean())
    by_chance = float(judge.mean() * human.mean() + (1 - judge.mean()) * (1 - human.mean()))
    return (observed - by_chance) / (1 - by_chance) if by_chance < 1 else math.nan


def jackknife(
    figure: Callable[..., float],
    columns: Sequence[Any],
    clusters: Integers,
    level: float,
    fewest: int = FEWEST_OUTPUTS,
) -> tuple[float, float, float]:
    """Return a figure with its interval by leaving items out, on the scale of Fisher's transformation.

    The interval is Student's t of the jackknife's standard error (Efron & Tibshirani 1993, "An introduction to the
    bootstrap", section 11.2) of artanh of the figure, which lies in [−1, 1]. Of more than `MOST_PARTS` items several
    are left out together.

    Args:
        figure: function of the columns.
        columns: vectors of shape (n,), such as the judge's and people's values.
        clusters: the number of each one's item, shape (n,).
        level: confidence level of the interval, in (0, 1).
        fewest: the fewest items for an interval.

    Returns:
        The figure and the ends of its interval; NaN at both ends from few items, or if all agree.
    """
    from scipy.special import stdtrit

    value = figure(*columns)
    m = parts_of(clusters)
    if m < fewest or not abs(value) < 1:
        return value, math.nan, math.nan
    error = jackknife_error(figure, columns, clusters, _fisher)
    reach = float(stdtrit(m - 1, (1 + level) / 2)) * error
    centre = math.atanh(value)
    return value, math.tanh(centre - reach), math.tanh(centre + reach)


def parts_of(clusters: Integers) -> int:
    """Return the number of parts in which items are left out."""
    return min(len(np.unique(clusters)), MOST_PARTS)


def jackknife_error(
    figure: Callable[..., float], columns: Sequence[Any], clusters: Integers, scale: Callable[[Floats], Any]
) -> float:
    """Return the jackknife's standard error of a figure on a scale, by leaving items out; see `jackknife`.

    Args:
        figure: function of the columns.
        columns: vectors of shape (n,).
        clusters: the number of each one's item, shape (n,).
        scale: transformation of the figures without a part.
    """
    value = figure(*columns)
    parts = np.unique(clusters, return_inverse=True)[1] % MOST_PARTS
    names = np.unique(parts)
    m = len(names)
    left_out = np.array([figure(*(column[parts != name] for column in columns)) for name in names])
    left_out = scale(np.where(np.isfinite(left_out), left_out, value))
    return math.sqrt((m - 1) / m * float(((left_out - left_out.mean()) ** 2).sum()))


def _fisher(values: Floats) -> Any:
    return np.arctanh(np.clip(values, -1 + 1e-12, 1 - 1e-12))


def _too_few(rows: pd.DataFrame, clusters: Integers, fewest: int) -> str:
    """Return that there are too few items, or clusters, for an interval; "" if there are enough."""
    n_parts = len(np.unique(clusters))
    kind = "clusters" if "cluster" in rows else "items"
    return f"{n_parts} {kind}, {fewest} are needed" if n_parts < fewest else ""


def on_missing_intervals(figures: Sequence[Figure]) -> list[str]:
    """Return sentences on figures that have no interval for want of items or clusters."""
    lacking: dict[str, list[str]] = {}
    for each in figures:
        if each.missing and not math.isnan(each.value) and math.isnan(each.low):
            lacking.setdefault(each.missing, []).append(each.what if each.of == "all" else f"{each.what} of {each.of}")
    return [f"No interval of {shortened(', '.join(names), 120)}: {why}." for why, names in lacking.items()]


def _on_few_clusters(judged: JudgedOutputs) -> list[str]:
    """Return a sentence on intervals of correlations over few clusters; none with more, or without an interval."""
    n = len(np.unique(clusters_of(judged.rated))) if "cluster" in judged.rated and not judged.are_verdicts else 0
    if not FEWEST_CLUSTERS_OF_R <= n < SURE_CLUSTERS:
        return []
    return [
        f"{n} clusters: in simulations with so few, 95% intervals of ρ and of differences of r held in 94 to 98%, "
        "those of r in 93 to 96%, and in 90 to 93% of ratings that crowd at an end of their scale."
    ]


def _agreement(rows: pd.DataFrame, of: str, are_verdicts: bool, level: float) -> Iterator[Figure]:
    """Yield agreement with people: sensitivity, specificity and κ of verdicts; else r and ρ, also within systems."""
    judge, human, clusters = _arrays(rows)
    fewest = FEWEST_OUTPUTS if are_verdicts else fewest_parts(rows)
    few = _too_few(rows, clusters, fewest)
    if not are_verdicts:
        systems = np.unique(rows["system"].astype(str), return_inverse=True)[1]
        for name, figure in ((PEARSON, pearson), (SPEARMAN, rank_correlation)):
            yield Figure(name, of, len(rows), *jackknife(figure, (judge, human), clusters, level, fewest), missing=few)
            if systems.any():
                within = partial(_within, figure)
                found = jackknife(within, (judge, human, systems), clusters, level, fewest)
                yield Figure(f"{name} {WITHIN_SYSTEMS}", of, len(rows), *found, missing=few)
        return
    for what, verdict in (("sensitivity", 1.0), ("specificity", 0.0)):
        chosen = human == verdict
        yield _share(what, of, (judge[chosen] == verdict).astype(float), rows[chosen], level)
    yield _share("accuracy", of, (judge == human).astype(float), rows, level)
    yield Figure(KAPPA, of, len(rows), *jackknife(cohen_kappa, (judge, human), clusters, level), missing=few)


def _within(figure: Callable[[Floats, Floats], float], judge: Floats, human: Floats, systems: Integers) -> float:
    """Return a correlation of the judge's and people's values, each less its system's mean."""
    return figure(within_systems(judge, systems), within_systems(human, systems))


def _ceiling(ratings: pd.DataFrame, *, within: bool) -> RaterCeiling | None:
    """Return the ceiling that raters' noise sets on a correlation with their means; None if nothing was rated twice.

    Args:
        ratings: single ratings with the keys of their outputs and, if known, their raters.
        within: whether ratings count beyond their system's mean.
    """
    values = ratings["rating"].to_numpy(dtype=float)
    if within:
        values = within_systems(values, np.unique(ratings["system"].astype(str), return_inverse=True)[1])
    units = [f"{system}\n{item}" for system, item in zip(ratings["system"], ratings["item"], strict=True)]
    return rater_ceiling(units, values, ratings.get("rater"))


def _ceilings(judged: JudgedOutputs, ceiling: RaterCeiling | None) -> list[Figure]:
    """Return the greatest ρ that scores can have with ratings of this noise."""
    if ceiling is None:
        return []
    found = [(CEILING, ceiling)]
    if judged.ratings["system"].nunique() > 1:
        within = _ceiling(judged.ratings, within=True)
        found += [(f"{CEILING} {WITHIN_SYSTEMS}", within)] if within is not None else []
    return [
        Figure(name, "all", each.n_repeated, each.by_rank, each.low, each.high, missing=each.why_no_interval)
        for name, each in found
        if not math.isnan(each.by_rank)
    ]


def _on_raters_apart(ratings: pd.DataFrame, ceiling: RaterCeiling | None) -> list[str]:
    """Name the raters who agree with none of the others, with the ceiling that the others' noise sets."""
    if ceiling is None or "rater" not in ratings:
        return []
    units = ratings["system"].astype(str) + "\n" + ratings["item"].astype(str)
    notes = []
    for name, why in raters_apart(ratings.assign(unit=units)).items():
        others = _ceiling(ratings[ratings["rater"].astype(str) != name], within=False)
        without = "" if others is None else f" Without these ratings: {str(others)[0].lower()}{str(others)[1:]}."
        notes.append(f"Rater {name} {why}: look at these ratings before you use them (`agreement`).{without}")
    return notes


def _arrays(rows: pd.DataFrame) -> tuple[Floats, Floats, Integers]:
    judge, human = (rows[name].to_numpy(dtype=float) for name in ("judge", "human"))
    return judge, human, clusters_of(rows)


def _share(what: str, of: str, values: Floats, rows: pd.DataFrame, level: float) -> Figure:
    """Return the figure of a mean of scores, or of a share; see `mean_interval`."""
    clusters = clusters_of(rows)
    value = float(values.mean()) if len(values) else math.nan
    few = _too_few(rows, clusters, FEWEST_CLUSTERS)
    return Figure(what, of, len(values), value, *mean_interval(values, _numbered(clusters), level), missing=few)


def _mean(what: str, of: str, values: Floats, rows: pd.DataFrame, level: float) -> Figure:
    """Return the figure of a mean of differences, of which some may be below 0 though none here is."""
    clusters = clusters_of(rows)
    numbered = _numbered(clusters)
    value = float(values.mean()) if len(values) else math.nan
    few = _too_few(rows, clusters, FEWEST_CLUSTERS)
    if few or np.ptp(values) == 0:
        return Figure(what, of, len(values), value, math.nan, math.nan, missing=few)
    return Figure(what, of, len(values), value, *mean_of_clusters(values, numbered).interval(level))


_UNTOLD = (
    "clusters are told of rated items alone (--cluster-column FILE, with a line for each item, tells those of all)"
)
"""The reason why a mean over outputs that nobody rated has no interval."""


def _are_in_told_clusters(rows: pd.DataFrame, in_some: bool) -> Booleans:
    """Return which outputs count with their cluster: all, but those that nobody rated if only ratings tell clusters."""
    if not in_some:
        return np.ones(len(rows), dtype=bool)
    is_told: Booleans = (rows["cluster"].notna() | rows["human"].notna()).to_numpy()
    return is_told


def _numbered(clusters: Integers) -> Integers:
    numbered: Integers = np.unique(clusters, return_inverse=True)[1].ravel()
    return numbered


def _errors(rows: pd.DataFrame, are_verdicts: bool, level: float) -> Iterator[Figure]:
    """Yield how errors go with length, and their mean by position and format, of all outputs and of each slice."""
    above = errors(rows, are_verdicts=are_verdicts)
    yield from _errors_of("all", above, rows, level)
    for part in sorted(rows["slice"].dropna().astype(str).unique()) if "slice" in rows else ():
        chosen = (rows["slice"].astype(str) == part).to_numpy()
        yield _mean("mean error", part, above[chosen], rows[chosen], level)
        yield from _errors_of(part, above[chosen], rows[chosen], level)


def _errors_of(part: str, above: Floats, rows: pd.DataFrame, level: float) -> Iterator[Figure]:
    """Yield how errors go with length in a part of the outputs, and their mean there by position and format."""
    if "text" in rows:
        lengths = rows["text"].map(lambda text: len(str(text).split())).to_numpy(dtype=float)
        clusters = clusters_of(rows)
        found = jackknife(pearson, (lengths, above), clusters, level, fewest_parts(rows))
        few = _too_few(rows, clusters, fewest_parts(rows))
        yield Figure("r of length and error", part, len(rows), *found, missing=few)
    within = "" if part == "all" else f"{part}, "
    for name in ("position", "format"):
        if name in rows:
            for value in sorted(rows[name].dropna().astype(str).unique()):
                chosen = (rows[name].astype(str) == value).to_numpy()
                yield _mean("mean error", f"{within}{name} {value}", above[chosen], rows[chosen], level)


def _drift(judged: JudgedOutputs, level: float) -> Iterator[Figure]:
    """Yield how the judge's scores differ from its earlier ones, and how these agreed with people."""
    if "earlier" not in judged.frame:
        return
    both = judged.frame[judged.frame["earlier"].notna()]
    change = (both["judge"] - both["earlier"]).to_numpy(dtype=float)
    yield _mean("mean change", "all", change, both, level)
    yield _share("share changed", "all", (change != 0).astype(float), both, level)
    rated = both[both["human"].notna()]
    for when, column in (("earlier", "earlier"), ("now", "judge")):
        yield from _agreement(rated.assign(judge=rated[column]), f"{when}, scored twice", judged.are_verdicts, level)


def _rates(judged: JudgedOutputs, level: float) -> tuple[list[Figure], list[str]]:
    """Return each system's mean by the judge, and by people with the judge's scores as estimates (PPI++)."""
    figures, notes, found = [], [], []
    plain: dict[str, list[str]] = {}
    in_some = "cluster" in judged.frame and bool(judged.frame["cluster"].notna().any())
    for system, rows in judged.frame.groupby("system", sort=False):
        of = str(system) or "all"
        judge, _, clusters = _arrays(rows)
        mean = replace(_share("mean score", of, judge, rows, level), unit=SCORE)
        is_told = _are_in_told_clusters(rows, in_some)
        if not is_told.all():  # outputs of one cluster that nobody tells would count as independent
            mean = replace(mean, low=math.nan, high=math.nan, missing=_UNTOLD)
            rows = rows[is_told]
            judge, _, clusters = _arrays(rows)
        figures.append(mean)
        in_clusters = [f"cluster {number}" for number in clusters] if "cluster" in rows else None
        ratings = SystemRatings(of, rows["human"].to_numpy(dtype=float), judge, clusters=in_clusters)
        scale = (0.0, 1.0) if judged.are_verdicts else None
        try:
            score = human_scores([ratings], level=level, scale=scale).scores[0]
        except InputError as error:
            notes.append(f"No corrected rate: {error}.")
            continue
        found.append(score)
        is_corrected = not math.isclose(score.mean.value, score.ratings_alone.value, rel_tol=1e-12, abs_tol=1e-15)
        what = CORRECTED_MEAN if is_corrected else MEAN_RATING
        figures.append(Figure(what, of, score.n_rated, score.mean.value, *score.interval(), unit=RATING))
        if not is_corrected and score.n_rated < len(rows):
            plain.setdefault(why_without_estimates(ratings), []).append(of)
    notes += note_on_uncertain_ends(found)
    for why, systems in plain.items():
        of = f" of {shortened(', '.join(systems), 80)}" if systems != ["all"] else ""
        notes.append(f"The mean rating{of} is of the rated outputs alone, not corrected by scores: {why}.")
    return figures, notes
