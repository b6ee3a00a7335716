"""The figures of the page on systems: ratings and metrics beside the means that lead the page."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np

from referenceless_metrics.comparison.plots import metric_interval
from referenceless_metrics.comparison.segments import Measure
from referenceless_metrics.comparison.significance import Significance
from referenceless_metrics.comparison.telling import intervals_note
from referenceless_metrics.core.results import FEWEST_FOR_INTERVAL
from referenceless_metrics.core.support.validation import Floats
from referenceless_metrics.human_evaluation.inference.human_score import HumanScores
from referenceless_metrics.human_evaluation.inference.output_ratings import Systems
from referenceless_metrics.pages.charts import Chart, Interval, by_length, histograms, intervals, scatters
from referenceless_metrics.pages.drawing import Plot
from referenceless_metrics.pages.rendering import number


class Figure(NamedTuple):
    """Plots on one question, with notes that a reader must know."""

    heading: str
    note: str
    plots: list[Plot]


@dataclass(frozen=True)
class Shown:
    """The systems of a page, with their values and ratings.

    Attributes:
        systems: names and outputs, n per system, the baseline first.
        order: the order of the systems in the table, as indices.
        measures: values of the outputs; the first one leads, and ratings come last.
        people: people's ratings of the systems; None without.
        criteria: their ratings by each criterion, by its name; `people` by "" without criteria, none without people.
        groups: the groups of the n segments; None without.
        significance: the metrics' tests, corrected; None without metrics.
    """

    systems: Systems
    order: Sequence[int]
    measures: Sequence[Measure]
    people: HumanScores | None
    criteria: Mapping[str, HumanScores]
    groups: Sequence[str] | None
    significance: Significance | None

    @property
    def names(self) -> list[str]:
        """The systems' names."""
        return [name for name, _ in self.systems]

    @property
    def lead(self) -> Measure:
        """The measure that leads the page."""
        return self.measures[0]


def figures(shown: Shown) -> Iterator[Figure]:
    """Draw the available figures, the most telling first."""
    yield from _means(shown)
    yield from _paired_differences(shown)
    yield from _against_ratings(shown)
    yield from _by_length(shown)
    yield from _by_group(shown)
    yield _distribution(shown)


def _means(shown: Shown) -> Iterator[Figure]:
    """Draw differences of people's ratings, and the means by each metric that does not lead the page."""
    plots: list[Plot] = []
    notes: list[str] = []
    people = shown.people
    plots += [
        _differences_of_ratings(scores, name, shown.names)
        for name, scores in shown.criteria.items()
        if scores.differences
    ]
    if people is not None and plots:
        notes.append(_of_ratings(people))
    for measure in shown.measures:
        leads = people is None and measure is shown.lead
        if measure.comparison is not None and not leads:
            rows = [metric_interval(measure.comparison, place)._replace(place=place) for place in shown.order]
            marker = metric_interval(measure.comparison, 0).value
            plots.append(Plot(measure.title, intervals(rows, marker), measure.title))
    if plots:
        notes.append("Metrics: 95% intervals; the notes below the table say what they cover.")
        notes.append(f"Dashed: no difference, or the mean of {shown.names[0]}.")
        yield Figure("Differences, and means by metric", " ".join(notes), plots)


def _differences_of_ratings(people: HumanScores, criterion: str, names: Sequence[str]) -> Plot:
    """Draw the differences of mean ratings by a criterion with their intervals, the largest first."""
    places = {name: place for place, name in enumerate(names)}
    rows = []
    for each in sorted(people.differences, key=lambda difference: -difference.mean.value):
        low, high = each.adjusted_interval
        place = places.get(each.system)
        rows.append(Interval(f"{each.system} less {each.baseline}", each.mean.value, low, high, place=place))
    title = f"Differences of mean {people.rating}s"
    n = people.differences[0].n_compared if people.differences else 0
    across = "difference" if n < 2 else f"difference, with its interval at Holm's level of {n} comparisons"
    return Plot(f"{title}, {criterion}" if criterion else title, intervals(rows, 0.0), across)


def _of_ratings(people: HumanScores) -> str:
    """Describe the intervals of people's ratings."""
    whose = "alone, by these raters"
    if any(score.raters.about_others for score in people.scores):
        whose = "and of the raters, and so speak of raters like these"
    ratings = f"{people.rating.capitalize()}s"
    return f"{ratings}: {people.level:.0%} intervals, which cover the draw of the rated outputs {whose}."


def _paired_differences(shown: Shown) -> Iterator[Figure]:
    """Draw how the leading measure differs from the baseline, segment by segment."""
    lead = shown.lead
    if lead.comparison is None or lead.comparison.is_of_corpus or lead.comparison.n_common < FEWEST_FOR_INTERVAL:
        return  # the score of a corpus is no mean of segments
    means = []
    at_level = "its 95% interval"
    for row in lead.comparison.rows:
        test = None if shown.significance is None else shown.significance.of(lead.comparison.metric, row.system)
        if test is not None and shown.significance is not None and shown.significance.n_tests > 1:
            at_level = "its interval at Holm's level"
        if row.difference is not None:
            low, high = row.difference.interval() if test is None else row.difference.interval(test.level)
            means.append((row.difference.value, low, high))
    first = shown.names[0]
    charts = histograms([values - lead.values[0] for values in lead.values[1:]], differences=means)
    headings = [f"{name} less {first}" for name in shown.names[1:]]
    note = (
        f"{lead.title} of each segment less that of {first}; above: the mean difference with {at_level}; "
        f"{intervals_note(lead.comparison)}."
    )
    yield Figure("Paired differences", note, _of_systems(shown, charts, "difference", headings=headings))


def _against_ratings(shown: Shown) -> Iterator[Figure]:
    """Draw people's ratings over each measure."""
    for ratings in shown.measures:
        if not ratings.are_ratings:
            continue
        by = f" by {ratings.criterion}" if ratings.criterion else ""
        for measure in shown.measures:
            if measure.are_ratings:
                continue
            estimates = bool(getattr(measure.metric, "estimates_ratings", measure.metric is None))
            charts = scatters(list(measure.values), list(ratings.values), identity=estimates)
            note = "A point is a rated text that has a value."
            if estimates:
                note += " On the dashed line both are the same."
            plots = _of_systems(shown, charts, measure.title, "rating")
            yield Figure(f"Ratings{by} against {measure.title}", note, plots)


def _by_length(shown: Shown) -> Iterator[Figure]:
    """Draw the leading measure by the length of texts."""
    lead = shown.lead
    lengths = [np.array([len(text) for text in texts], dtype=float) for _, texts in shown.systems]
    curves = by_length(shown.names, list(lead.values), lengths)
    if curves is not None:
        note = f"The mean {lead.title} of texts of about one length, in five parts of as many texts."
        yield Figure("By length", note, [Plot("", curves, "characters", lead.title)])


def _by_group(shown: Shown) -> Iterator[Figure]:
    """Draw the leading measure by the groups of the segments."""
    if shown.groups is None:
        return
    labels = np.array(shown.groups, dtype=object)
    groups = list(dict.fromkeys(shown.groups))
    charts = []
    for values in shown.lead.values:
        charts.append(intervals([_mean_of(group, values[labels == group]) for group in groups]))
    note = f"The mean {shown.lead.title} of a group’s texts ± 1.96 standard errors, over these."
    yield Figure("By group", note, _of_systems(shown, charts, shown.lead.title))


def _distribution(shown: Shown) -> Figure:
    """Draw how the values of the leading measure are distributed."""
    lead = shown.lead
    plots = []
    drawn = _of_systems(shown, histograms(list(lead.values)), lead.title)
    for plot, result in zip(drawn, lead.results, strict=True):
        mean = number(result.mean, lead.digits)
        note = f"histogram, mean {mean}, {result.n_covered} of {len(result)} with a value"
        plots.append(plot._replace(note=note))
    note = "A bar is the share of a system’s texts in its range; dashed: the mean. All charts have the same axes."
    return Figure("Distribution", note, plots)


def _of_systems(
    shown: Shown, charts: Sequence[Chart], across: str, up: str = "", headings: Sequence[str] | None = None
) -> list[Plot]:
    """Return a plot for each system, or each but the baseline, in the system's colour.

    Args:
        shown: the systems.
        charts: one for each of the last systems.
        across: the label of the horizontal axis.
        up: the label of the vertical one.
        headings: one per chart; None for the systems' names.
    """
    first = len(shown.names) - len(charts)
    titles = shown.names if headings is None else headings
    plots = []
    for place, (heading, chart) in enumerate(zip(titles, charts, strict=True), start=first):
        plots.append(Plot(heading, chart, across, up, place))
    return plots


def _mean_of(label: str, values: Floats) -> Interval:
    """Return the mean of the values that are known, with its interval."""
    known = values[np.isfinite(values)]
    mean = float(known.mean()) if len(known) else np.nan
    reach = 1.96 * float(known.std(ddof=1)) / len(known) ** 0.5 if len(known) > 1 else np.nan
    return Interval(f"{label} ({len(known)})", mean, mean - reach, mean + reach)
