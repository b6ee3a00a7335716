"""The page on systems, by any metrics and people's ratings: figures, plots, and the table of segments."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any, NamedTuple

import numpy as np

from referenceless_metrics.comparison.comparison import Comparison
from referenceless_metrics.comparison.headline import metric_headline, significant
from referenceless_metrics.comparison.output import comparison_rows, intervals_note
from referenceless_metrics.comparison.plots import metric_interval
from referenceless_metrics.comparison.segments import Measure, as_script, assets, segments
from referenceless_metrics.core.metric import verdict_of
from referenceless_metrics.core.registry import cite, metric_spec
from referenceless_metrics.core.results import FEWEST_FOR_INTERVAL, MetricResult
from referenceless_metrics.core.support.validation import Floats, Record
from referenceless_metrics.human_evaluation.inference.estimated_means import runs_alike
from referenceless_metrics.human_evaluation.inference.human_score import HumanScores
from referenceless_metrics.human_evaluation.inference.output_ratings import Systems
from referenceless_metrics.human_evaluation.wording.headline import people_headline
from referenceless_metrics.human_evaluation.wording.human_score_output import score_rows
from referenceless_metrics.pages.charts import Chart, Interval, by_length, histograms, intervals, scatters
from referenceless_metrics.pages.drawing import Plot
from referenceless_metrics.pages.rendering import made, number, render

RATING, UNRATED = "Rating", "not rated"


class Figure(NamedTuple):
    """Plots on one question, with what a reader must know of them."""

    heading: str
    note: str
    plots: list[Plot]


def rating_measure(ratings: Sequence[Floats]) -> Measure:
    """Return people's ratings of each system's outputs, NaN where there is none, as a page shows them."""
    return Measure(RATING, [MetricResult(values, (UNRATED,) * len(values), "") for values in ratings])


def systems_page(
    systems: Systems,
    measures: Sequence[Measure],
    *,
    people: HumanScores | None = None,
    pairs: HumanScores | None = None,
    findings: Sequence[str] = (),
    groups: Sequence[str] | None = None,
    inputs: Record | None = None,
    files: Sequence[str] = (),
    options: Sequence[str] = (),
    title: str = "",
    package: str = __package__,
    template: str = "systems.html.j2",
    **own: Any,
) -> str:
    """Return a page of HTML that needs nothing but itself.

    Args:
        systems: names and outputs, n a system, the baseline first.
        measures: what is known of the outputs; the first one leads, and ratings come last.
        people: what people say of the systems.
        pairs: the same with all pairs compared.
        findings: that in words, or other findings.
        groups: of the segments, n.
        inputs: the segments' sources, a text each, and references, a list each, by these names; None for none.
        files: of the systems, for commands to type next; none where the systems are not files.
        options: with which a command line names the metric that the page is about.
        title: the heading; "" for one that names the metrics.
        package: of the template.
        template: a template that extends `systems.html.j2`.
        own: further values of the template.
    """
    names = [name for name, _ in systems]
    by_metric = [(measure.title, measure.metric, measure) for measure in measures if measure.metric is not None]
    compared = [measure for measure in measures if measure.comparison is not None]
    comparisons = [measure.comparison for measure in measures if measure.comparison is not None]
    verdicts = [(name, verdict_of(metric)) for name, metric, _ in by_metric]
    headlines = [*([] if people is None else [people_headline(people)]), *map(metric_headline, comparisons)]
    data = {
        "made": made(),
        "systems": names,
        "n_segments": len(systems[0][1]),
        "metrics": [
            {
                "metric": metric.name,
                "signature": metric.signature,
                "title": name,
                "verdict": None if verdict is None else verdict.summary,
                "means": [{"mean": result.mean, "coverage": result.coverage} for result in measure.results],
            }
            for (name, metric, measure), (_, verdict) in zip(by_metric, verdicts, strict=True)
        ],
        "rows": [row for comparison in comparisons for row in comparison_rows(comparison)],
        "people": [] if people is None else score_rows(people),
        "headlines": headlines,
        "findings": list(findings),
        "options": list(options),
    }
    scores: list[float] = []
    if people is not None:
        scores = [score.mean.value for score in people.scores]
    elif comparisons:
        scores = [metric_interval(comparisons[0], place).value for place in range(len(names))]
    order = np.argsort(-np.array(scores), kind="stable").tolist()
    parts = []
    for _, metric, measure in by_metric:
        report = metric_spec(metric.name).report
        if measure in compared and report is not None:
            parts.append(report()(measure, systems))
    titles = " and ".join(name for name, *_ in by_metric) or "Human ratings"
    values = {
        "title": title or f"{titles}: {len(systems)} systems",
        "named": systems,
        "names": names,
        "files": files or names,
        "measures": measures,
        "compared": compared,
        "people": people,
        "pairs": pairs,
        "findings": findings,
        "order": order,
        "headlines": headlines,
        "lead": list(_lead(order, measures[0], people, pairs)),
        "matrix": None if pairs is None or len(names) < 3 else _matrix([names[place] for place in order], pairs),
        "covered_alike": len({tuple(row.n_covered for row in each.rows) for each in comparisons}) == 1,
        "starred": {each.metric: _starred(each) for each in comparisons},
        "figures": list(_figures(names, order, systems, measures, people, groups)),
        "verdicts": verdicts,
        "citations": [cite(metric) for _, metric, _ in by_metric],
        "parts": parts,
        "intervals_note": intervals_note,
        "segments": segments(systems, measures, groups, inputs),
        "data": as_script(data),
    }
    return render(package, template, **assets(), **{**values, **own})


def _lead(order: Sequence[int], lead: Measure, people: HumanScores | None, pairs: HumanScores | None) -> Iterator[Plot]:
    """Draw the systems with their intervals in the order of the table, by people or else by the first metric.

    Yields:
        The drawing for a wide screen, and that for a narrow one.
    """
    groups: list[tuple[int, int]] = []
    if people is not None:
        scores = [people.scores[place] for place in order]
        rows = [Interval(score.system, score.mean.value, *score.interval()) for score in scores]
        runs = [] if pairs is None else runs_alike([row.label for row in rows], pairs.apart)
        groups = [(first, last) for first, last in runs if first < last]
        across = f"mean human rating, {people.level:.0%} intervals"
    elif lead.comparison is not None:
        rows = [metric_interval(lead.comparison, place) for place in order]
        across = f"{lead.title}, 95% intervals"
    else:
        return
    for width in (960.0, 360.0):
        yield Plot("", intervals(rows, width=width, groups=groups), across)


class Pair(NamedTuple):
    """A cell of the matrix of all pairs: how much higher the row's system is rated than the column's."""

    value: float
    low: float
    high: float
    p_value: float
    is_shown: bool


def _matrix(names: Sequence[str], pairs: HumanScores) -> list[tuple[str, list[Pair | None]]]:
    """Return a row a system, with a cell for each system; None for itself."""
    cells: dict[tuple[str, str], Pair] = {}
    for each in pairs.differences:
        low, high = each.adjusted_interval
        cells[each.system, each.baseline] = Pair(each.mean.value, low, high, each.p_adjusted, each.is_shown)
        cells[each.baseline, each.system] = Pair(-each.mean.value, -high, -low, each.p_adjusted, each.is_shown)
    return [(name, [cells.get((name, other)) for other in names]) for name in names]


def _starred(comparison: Comparison) -> Record:
    """Return by metric which systems are significantly different from the baseline."""
    others = comparison.rows[1:]
    tested = [name for name in comparison.signatures if name != comparison.metric or not comparison.estimates_ratings]
    return {name: [False, *significant([row.results[name] for row in others])] for name in tested}


def _figures(
    names: Sequence[str],
    order: Sequence[int],
    systems: Systems,
    measures: Sequence[Measure],
    people: HumanScores | None,
    groups: Sequence[str] | None,
) -> Iterator[Figure]:
    """Draw what the ratings and the metrics show beside the means that lead the page."""

    def of_systems(charts: Sequence[Chart], across: str, up: str = "", headings: Sequence[str] = names) -> list[Plot]:
        first = len(names) - len(charts)
        return [
            Plot(*pair, across, up, place) for place, pair in enumerate(zip(headings, charts, strict=True), start=first)
        ]

    lead, ratings, what = measures[0], measures[-1], measures[0].title
    plots, notes = [], []
    if people is not None and people.differences:
        rows = [
            Interval(f"{each.system} less {each.baseline}", each.mean.value, *each.interval())
            for each in sorted(people.differences, key=lambda each: -each.mean.value)
        ]
        plots.append(Plot("Differences of mean human ratings", intervals(rows, 0.0), "difference"))
        others = any(score.raters.about_others for score in people.scores)
        whose = "and of the raters, and so speak of raters like these" if others else "alone, by these raters"
        notes.append(
            f"People’s ratings: {people.level:.0%} intervals, which cover the draw of the rated outputs {whose}."
        )
    for measure in measures:
        if measure.comparison is not None and not (people is None and measure is lead):
            rows = [metric_interval(measure.comparison, place) for place in order]
            marker = metric_interval(measure.comparison, 0).value
            plots.append(Plot(measure.title, intervals(rows, marker), measure.title))
    if plots:
        notes.append("Metrics: 95% intervals; the notes below the table say what they cover.")
        yield Figure("Differences, and means by metric", " ".join(notes), plots)
    if lead.comparison is not None and lead.comparison.n_common >= FEWEST_FOR_INTERVAL:
        known = [row.difference for row in lead.comparison.rows if row.difference is not None]
        means = [(each.value, *each.interval()) for each in known]
        charts = histograms([values - lead.values[0] for values in lead.values[1:]], differences=means)
        headings = [f"{name} less {names[0]}" for name in names[1:]]
        note = f"{what} of each segment less that of {names[0]}; above: the mean difference with its 95% interval; "
        note += f"{intervals_note(lead.comparison)}."
        yield Figure("Paired differences", note, of_systems(charts, "difference", headings=headings))
    for measure in measures[:-1] if ratings.metric is None else ():
        estimates = bool(getattr(measure.metric, "estimates_ratings", measure.metric is None))
        charts = scatters(list(measure.values), list(ratings.values), identity=estimates)
        note = "A point is a rated text that has a value." + " On the dashed line both are the same." * estimates
        yield Figure(f"Ratings against {measure.title}", note, of_systems(charts, measure.title, "rating"))
    lengths = [np.array([len(text) for text in texts], dtype=float) for _, texts in systems]
    curves = by_length(names, list(lead.values), lengths)
    if curves is not None:
        note = f"The mean {what} of texts of about one length, in five parts of as many texts."
        yield Figure("By length", note, [Plot("", curves, "characters", what)])
    if groups is not None:
        labels = np.array(groups, dtype=object)
        charts = [
            intervals([_mean_of(group, values[labels == group]) for group in dict.fromkeys(groups)])
            for values in lead.values
        ]
        note = f"The mean {what} of a group’s texts ± 1.96 standard errors, over these."
        yield Figure("By group", note, of_systems(charts, what))
    plots = [
        plot._replace(
            note=f"histogram, mean {number(result.mean, lead.digits)}, {result.n_covered} of {len(result)} with a value"
        )
        for plot, result in zip(of_systems(histograms(list(lead.values)), what), lead.results, strict=True)
    ]
    note = "A bar is the share of a system’s texts in its range; dashed: the mean. All charts have the same axes."
    yield Figure("Distribution", note, plots)


def _mean_of(label: str, values: Floats) -> Interval:
    known = values[np.isfinite(values)]
    mean = float(known.mean()) if len(known) else np.nan
    reach = 1.96 * float(known.std(ddof=1)) / len(known) ** 0.5 if len(known) > 1 else np.nan
    return Interval(f"{label} ({len(known)})", mean, mean - reach, mean + reach)
