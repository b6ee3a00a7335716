"""The page on systems, by any metrics and people's ratings: figures, plots, and the table of segments."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np

from metric_commons.metric import verdict_of
from metric_commons.registry import cite, metric_spec
from metric_commons.report.charts import Interval, by_length, histograms, intervals, scatters
from metric_commons.report.drawing import Plot
from metric_commons.report.plots import metric_interval
from metric_commons.report.rendering import made, number, render
from metric_commons.report.segments import Measure, as_script, assets, segments
from metric_commons.results import FEWEST_FOR_INTERVAL, MetricResult
from metric_commons.support.installation import imported
from metric_commons.support.validation import Floats, InputError, Record
from metric_commons.systems.comparison import Comparison
from metric_commons.systems.comparison_output import BOOTSTRAP_NOTE, comparison_rows, resampling_note
from metric_commons.systems.headline import metric_headline, people_headline, significant
from metric_commons.systems.human_score import HumanScores
from metric_commons.systems.human_score_output import score_rows
from metric_commons.systems.inference import runs_alike
from metric_commons.systems.output_ratings import Systems

RATING, UNRATED = "Rating", "not rated"
_DATA = re.compile(r'<script type="application/json" id="page-data">(.*?)</script>', re.DOTALL)


class Figure(NamedTuple):
    """Plots on one question, with what a reader must know of them."""

    heading: str
    note: str
    plots: list[Plot]


def rating_measure(ratings: Sequence[Floats]) -> Measure:
    """Return people's ratings of each system's outputs, NaN where there is none, as a page shows them."""
    results = [MetricResult(own, (UNRATED,) * len(own), "") for own in ratings]
    return Measure(RATING, results)


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
    last: Record | None = None,
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
        last: the data of an earlier page (see `read_page`), to say what changed.
        options: with which a command line names the metric that the page is about.
        title: the heading; "" for one that names the metrics.
        package: of the template.
        template: a template that extends `systems.html.j2`.
        own: further values of the template.
    """
    names = [name for name, _ in systems]
    by_metric = [measure for measure in measures if measure.metric is not None]
    compared = [measure for measure in measures if measure.comparison is not None]
    comparisons = [measure.comparison for measure in measures if measure.comparison is not None]
    headlines = [*([] if people is None else [people_headline(people)]), *map(metric_headline, comparisons)]
    titles = " and ".join(measure.title for measure in by_metric) or "Human ratings"
    data = {
        "made": made(),
        "systems": names,
        "n_segments": len(systems[0][1]),
        "metrics": [
            {"metric": measure.metric.name, "signature": measure.metric.signature} | _told(measure)
            for measure in by_metric
            if measure.metric is not None
        ],
        "rows": [row for each in comparisons for row in comparison_rows(each)],
        "people": [] if people is None else score_rows(people),
        "headlines": headlines,
        "findings": list(findings),
        "options": list(options),
    }
    scores = [] if people is None else [one.mean.value for one in people.scores]
    for lead in comparisons[: not scores]:
        scores = [(row.common or row.results[lead.metric]).score for row in lead.rows]
    order = np.argsort(-np.array(scores), kind="stable").tolist()
    parts = [metric_spec(each.metric.name).report for each in compared if each.metric is not None]
    values = {
        "title": title or f"{titles}: {len(systems)} systems",
        "compared": compared,
        "order": order,
        "headlines": headlines,
        "lead": list(_lead(order, measures, people, pairs)),
        "matrix": None if pairs is None or len(names) < 3 else _matrix([names[place] for place in order], pairs),
        "covered_alike": len({tuple(row.n_covered for row in each.rows) for each in comparisons}) == 1,
        "starred": {each.metric: _starred(each) for each in comparisons},
        "figures": list(_figures(names, order, systems, measures, people, groups)),
        "verdicts": [(measure.title, verdict_of(measure.metric)) for measure in by_metric],
        "citations": [cite(measure.metric) for measure in by_metric if measure.metric is not None],
        "parts": [imported(place)(each, systems) for place, each in zip(parts, compared, strict=True) if place],
        "changes": None if last is None else changes(data, last),
        "bootstrap_note": BOOTSTRAP_NOTE,
        "intervals_note": intervals_note,
        "segments": segments(systems, measures, groups, inputs),
        "data": as_script(data),
    }
    given = {"named": systems, "names": names, "measures": measures, "people": people, "findings": findings}
    given |= {"files": files or names, "pairs": pairs}
    return render(package, template, **given, last=last, **assets(), **{**values, **own})


def _told(measure: Measure) -> Record:
    verdict = verdict_of(measure.metric)
    means = [{"mean": result.mean, "coverage": result.coverage} for result in measure.results]
    return {"title": measure.title, "verdict": None if verdict is None else verdict.summary, "means": means}


def intervals_note(comparison: Comparison) -> str:
    """Return what a comparison's intervals cover: which draws were made anew."""
    if comparison.estimates_ratings:
        return resampling_note(comparison)
    return "its intervals cover the draw of the segments, resampled; the metric is held fixed"


def _lead(
    order: Sequence[int], measures: Sequence[Measure], people: HumanScores | None, pairs: HumanScores | None
) -> Iterator[Plot]:
    """Draw the systems with their intervals in the order of the table, by people or else by the first metric.

    Yields:
        The drawing for a wide screen, and that for a narrow one.
    """
    lead = measures[0]
    if people is not None:
        rows = [Interval(one.system, one.mean.value, *one.interval()) for one in (people.scores[i] for i in order)]
        runs = [] if pairs is None else runs_alike([row.label for row in rows], pairs.apart)
        groups = [(first, last) for first, last in runs if first < last]
        across = f"mean human rating, {people.level:.0%} intervals"
    elif lead.comparison is not None:
        rows, groups = [metric_interval(lead.comparison, place) for place in order], []
        across = f"{lead.title}, 95% intervals"
    else:
        return
    described = "; ".join(f"{row.label} {_interval(*row[1:4])}" for row in rows)
    for width in (960.0, 360.0):
        yield Plot("", intervals(rows, width=width, groups=groups), across, "", f"{across}: {described}")


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
    for one in pairs.differences:
        low, high = one.adjusted_interval
        cells[one.system, one.baseline] = Pair(one.mean.value, low, high, one.p_adjusted, one.is_shown)
        cells[one.baseline, one.system] = Pair(-one.mean.value, -high, -low, one.p_adjusted, one.is_shown)
    return [(name, [cells.get((name, other)) for other in names]) for name in names]


def _starred(comparison: Comparison) -> Record:
    """Return by metric which systems are significantly different from the baseline, and under "" on the common ones."""
    others = comparison.rows[1:]
    tested = [name for name in comparison.signatures if name != comparison.metric or not comparison.estimates_ratings]
    stars = {name: [False, *significant([row.results[name] for row in others])] for name in tested}
    if comparison.metric in stars:
        common = significant([row.common or row.results[comparison.metric] for row in others])
        stars[""] = [False, *common]
    return stars


def _figures(
    names: Sequence[str],
    order: Sequence[int],
    systems: Systems,
    measures: Sequence[Measure],
    people: HumanScores | None,
    groups: Sequence[str] | None,
) -> Iterator[Figure]:
    """Draw what the ratings and the metrics show beside the means that lead the page."""
    lead, what = measures[0], measures[0].title
    plots, notes = [], []
    if people is not None and people.differences:
        rows = [
            Interval(f"{one.system} less {one.baseline}", one.mean.value, *one.interval())
            for one in sorted(people.differences, key=lambda one: -one.mean.value)
        ]
        plots.append(_of_rows("Differences of mean human ratings", rows, "difference", 0.0))
        others = any(one.raters.about_others for one in people.scores)
        whose = "and of the raters, and so speak of raters like these" if others else "alone, by these raters"
        notes.append(
            f"People’s ratings: {people.level:.0%} intervals, which cover the draw of the rated outputs {whose}."
        )
    for measure in measures:
        if measure.comparison is not None and not (people is None and measure is lead):
            rows = [metric_interval(measure.comparison, place) for place in order]
            plots.append(_of_rows(measure.title, rows, measure.title, metric_interval(measure.comparison, 0).value))
            notes.append(f"{measure.title}: 95% intervals; {intervals_note(measure.comparison)}.")
            if measure.comparison.n_common < measure.comparison.n_segments:
                notes.append(f"Its means are of the {measure.comparison.n_common} segments that are covered for all.")
    if plots:
        yield Figure("Differences, and means by metric", " ".join(notes), plots)
    if lead.comparison is not None and lead.comparison.n_common >= FEWEST_FOR_INTERVAL:
        told = [row.difference for row in lead.comparison.rows[1:] if row.difference is not None]
        drawn = histograms([own - lead.values[0] for own in lead.values[1:]], differences=told)
        plots = [
            Plot(
                f"{name} less {names[0]}", chart, "difference", "",
                f"Histogram of the differences of {what} by segment: mean {_interval(*mean)}", place,
            )
            for place, (name, chart, mean) in enumerate(zip(names[1:], drawn, told, strict=True), 1)
        ]  # fmt: skip
        note = f"{what} of each segment less that of {names[0]}; above: the mean difference with its 95% interval; "
        yield Figure("Paired differences", note + intervals_note(lead.comparison) + ".", plots)
    ratings = measures[-1]
    for measure in measures[:-1] if ratings.metric is None else ():
        estimates = bool(getattr(measure.metric, "estimates_ratings", measure.metric is None))
        drawn = scatters(list(ratings.values), list(measure.values), identity=estimates)
        plots = [
            Plot(
                name,
                one,
                "rating",
                measure.title,
                f"{measure.title} against ratings of {len(one.series[0].points)} texts",
                place,
            )
            for place, (name, one) in enumerate(zip(names, drawn, strict=True))
        ]  # fmt: skip
        line = " On the dashed line both are the same." if estimates else ""
        yield Figure(f"{measure.title} against ratings", f"A point is a rated text that has a value.{line}", plots)
    by = by_length(list(lead.values), [np.array([len(text) for text in texts], dtype=float) for _, texts in systems])
    if by is not None:
        described = "; ".join(
            f"{name}: " + ", ".join(f"{value:.3g} at {length:.0f} characters" for length, value in line.points)
            for name, line in zip(names, by.series, strict=True)
        )
        note = f"The mean {what} of texts of about one length, in five parts of as many texts."
        yield Figure("By length", note, [Plot("", by, "characters", what, f"Lines of {what} by length. {described}")])
    if groups is not None:
        numbers = np.array(groups, dtype=object)
        plots = []
        for place, (name, own) in enumerate(zip(names, lead.values, strict=True)):
            rows = [_mean_of(group, own[numbers == group]) for group in dict.fromkeys(groups)]
            plots.append(_of_rows(name, rows, what)._replace(place=place))
        yield Figure("By group", f"The mean {what} of a group’s texts ± 1.96 standard errors, over these.", plots)
    plots = [
        Plot(
            name, chart, what, "",
            f"Histogram of {what}: mean {number(result.mean, lead.digits)}, {result.n_covered} of {len(result)} texts "
            "with a value", place,
        )
        for place, (name, chart, result) in enumerate(
            zip(names, histograms(list(lead.values)), lead.results, strict=True)
        )
    ]  # fmt: skip
    note = "A bar is the share of a system’s texts in its range; dashed: the mean. All charts have the same axes."
    yield Figure("Distribution", note, plots)


def _of_rows(heading: str, rows: Sequence[Interval], across: str, marker: float | None = None) -> Plot:
    described = "; ".join(f"{row.label} {_interval(*row[1:4])}" for row in rows)
    return Plot(heading, intervals(rows, marker), across, "", f"{heading}: {described}")


def _interval(value: float, low: float, high: float) -> str:
    return f"{number(value)} [{number(low)}, {number(high)}]"


def _mean_of(label: str, values: Floats) -> Interval:
    known = values[np.isfinite(values)]
    mean = float(known.mean()) if len(known) else np.nan
    beside = 1.96 * float(known.std(ddof=1)) / len(known) ** 0.5 if len(known) > 1 else np.nan
    return Interval(f"{label} ({len(known)})", mean, mean - beside, mean + beside)


def read_page(place: str) -> Record:
    """Return the data of an earlier page: of a folder, a page, or the JSON that was saved from it.

    Raises:
        InputError: for a file that holds none.
        OSError: where it cannot be read.
    """
    path = Path(place)
    if path.is_dir():
        path = next((path / name for name in ("index.html", "advice.html") if (path / name).is_file()), path)
    text = path.read_text("utf-8")
    found = _DATA.search(text)
    try:
        data = json.loads(text if found is None else found[1])
        if data["rows"] is not None and data["metrics"] is not None:
            return {"place": str(path), **data}
    except (ValueError, KeyError, TypeError):
        pass
    raise InputError(f"{path}: it is no report of `referenceless report`, nor the JSON that was saved from one")


def changes(now: Record, last: Record) -> Record:
    """Return what two pages' data differ in: the rows that both have, side by side, and settings of the metrics."""

    def rows(data: Record) -> dict[Any, Any]:
        return {(row["metric"], row["system"]): row for row in data["rows"] if row["segments"] == "all"}

    def settings(data: Record) -> dict[Any, str]:
        parts = [(one["title"], part.split(":", 1)) for one in data["metrics"] for part in one["signature"].split("|")]
        return {(metric, key): "".join(value) for metric, (key, *value) in parts}

    before, after, old, new = rows(last), rows(now), settings(last), settings(now)
    both = {metric for metric, _ in old} & {metric for metric, _ in new}
    named = [key for key in {**old, **new} if key[0] in both]
    return {
        "both": [(key, before[key], after[key]) for key in after if key in before],
        "gone": [key for key in before if key not in after],
        "come": [key for key in after if key not in before],
        "settings": [(key, old.get(key, "–"), new.get(key, "–")) for key in named if old.get(key) != new.get(key)],
    }
