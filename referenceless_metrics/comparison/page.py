"""The page on systems, by any metrics and people's ratings: means, figures, and the table of segments."""

from __future__ import annotations

import math
import re
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from referenceless_metrics.command_line.baselines import LOWER_IS_BETTER
from referenceless_metrics.comparison.captions import methods_sentence, named_signature, on_two_ways
from referenceless_metrics.comparison.comparison import Comparison
from referenceless_metrics.comparison.comparison_rows import all_rows, comparison_rows
from referenceless_metrics.comparison.figures import Shown, figures
from referenceless_metrics.comparison.headline import metrics_headline
from referenceless_metrics.comparison.output import render_comparisons
from referenceless_metrics.comparison.plots import metric_interval
from referenceless_metrics.comparison.segments import Measure, as_script, assets, segments
from referenceless_metrics.comparison.significance import Significance, significance_of
from referenceless_metrics.comparison.table_cells import decimals, p_told, with_interval
from referenceless_metrics.comparison.telling import intervals_note, tests_by, without_test
from referenceless_metrics.core.files.output import render_rows
from referenceless_metrics.core.metric import verdict_of, worth_of
from referenceless_metrics.core.registry import cite, metric_names, metric_spec
from referenceless_metrics.core.results import MetricResult, as_plain
from referenceless_metrics.core.support.validation import Floats, Record
from referenceless_metrics.human_evaluation.commands.analysis import of_criterion
from referenceless_metrics.human_evaluation.inference.estimated_means import groups_alike
from referenceless_metrics.human_evaluation.inference.human_score import HumanScores
from referenceless_metrics.human_evaluation.inference.output_ratings import Systems
from referenceless_metrics.human_evaluation.studies.criteria import OVERALL
from referenceless_metrics.human_evaluation.studies.spans import SPANS
from referenceless_metrics.human_evaluation.wording.headline import limit_last, people_headline
from referenceless_metrics.human_evaluation.wording.human_score_rows import score_rows
from referenceless_metrics.human_evaluation.wording.next_steps import after_ratings, after_unfinished, first_study
from referenceless_metrics.human_evaluation.wording.phrases import listed
from referenceless_metrics.pages.charts import Interval, intervals
from referenceless_metrics.pages.drawing import Plot
from referenceless_metrics.pages.findings import parted
from referenceless_metrics.pages.rendering import made, render

if TYPE_CHECKING:
    from referenceless_metrics.human_evaluation.commands.gates import Gate

RATING, UNRATED = "Rating", "not rated"
_METRIC = "metric "  # before the name of a metric that a criterion has, too


def rating_measure(ratings: Sequence[Floats], criterion: str = "") -> Measure:
    """Return people's ratings of each system's outputs by a criterion, NaN if there is none, as a page shows them."""
    title = f"{RATING}: {criterion}" if criterion else RATING
    results = [MetricResult(values, (UNRATED,) * len(values), "") for values in ratings]
    return Measure(title, results, are_ratings=True, criterion=criterion)


def systems_page(
    systems: Systems,
    measures: Sequence[Measure],
    *,
    people: HumanScores | None = None,
    pairs: Mapping[str, HumanScores] | None = None,
    criteria: Mapping[str, HumanScores] | None = None,
    findings: Sequence[str] = (),
    groups: Sequence[str] | None = None,
    inputs: Record | None = None,
    files: Sequence[str] = (),
    options: Sequence[str] = (),
    significance: Significance | None = None,
    gate: Gate | None = None,
    title: str = "",
    package: str = __package__,
    template: str = "systems.html.j2",
    **own: Any,
) -> str:
    """Return a page of HTML that needs nothing but itself.

    Args:
        systems: names and outputs, n per system, the baseline first.
        measures: values of the outputs; the first one leads, and ratings come last.
        people: people's ratings of the systems.
        pairs: the same with all pairs compared, by each criterion, by its name; "" for one without a name.
        criteria: people's ratings by each criterion, `people` being that by the first; None without criteria.
        findings: sentences on these ratings, or other findings.
        groups: the groups of the n segments.
        inputs: the segments' sources, one text each, and references, one list each, by these names; None for none.
        files: the systems' files, for commands to type next; none if the systems are not files.
        options: options with which a command line names the metric that the page is about.
        significance: significance of the metrics' differences; None for that of all metrics together.
        gate: the verdicts of a gate on these differences; None without.
        title: the heading; "" for one that names the metrics.
        package: the package whose templates are looked through first, before those of `pages/`.
        template: a template that extends `systems.html.j2`.
        own: further values of the template.
    """
    by_criterion = criteria or ({} if people is None else {"": people})
    measures = _beside_criteria(measures, by_criterion)
    order = _order(systems, measures, people)
    comparisons = [measure.comparison for measure in measures if measure.comparison is not None]
    marks = (significance or significance_of(comparisons)) if comparisons else None
    shown = Shown(systems, order, measures, people, by_criterion, groups, marks)
    names = shown.names
    compared = [measure for measure in measures if measure.comparison is not None]
    of_metrics = [(measure, measure.metric) for measure in measures if measure.metric is not None]
    worths = [(measure.title, verdict_of(metric), worth_of(metric)) for measure, metric in of_metrics]
    of_people = [
        f"{name}: {people_headline(scores)}" if name else people_headline(scores)
        for name, scores in by_criterion.items()
    ]
    if people is not None and people.unfinished:
        of_people.append(people.unfinished)
    headlines = list(of_people)
    for measure in compared:
        assert measure.comparison is not None
        told = {measure.comparison.metric: f"the {measure.title}"} if measure.title.startswith(_METRIC) else {}
        headlines.append(metrics_headline([measure.comparison], marks, told))
    headlines = limit_last(headlines)
    first = next(iter(by_criterion), "")
    of_gate = {} if gate is None else {"gate": as_plain(gate.record)}
    of_pairs = pairs or {}
    known = metric_names()
    family = _family_of_pairs(of_pairs)
    values = {
        "title": title or _title(systems, measures, people),
        "named": systems,
        "names": names,
        "measures": measures,
        "compared": compared,
        "people": people,
        "family_of_pairs": family,
        "is_of_pairs": people is not None and first in of_pairs and people.differences == of_pairs[first].differences,
        "criteria": criteria or {},
        "n_of_people": len(of_people),
        "findings": findings,
        "parted_findings": parted(findings),
        "order": order,
        "rated": {} if people is None else {score.system: score for score in people.scores},
        "headlines": headlines,
        "lead": list(_lead(names, order, measures[0], people, of_pairs.get(first), first)),
        "matrices": _matrices([names[place] for place in order], of_pairs),
        "metric_matrices": list(_metric_matrices([names[place] for place in order], comparisons, marks)),
        "covered_alike": len({tuple(row.n_covered for row in each.rows) for each in comparisons}) == 1,
        "untested": without_test(comparisons) if comparisons else "",
        "significance": marks,
        "gate": gate,
        "figures": list(figures(shown)),
        "worths": worths,
        "methods": methods_sentence(comparisons, marks) if marks is not None else "",
        "named_signature": named_signature,
        "citations": [cite(metric) for _, metric in of_metrics if metric.name in known],
        "parts": list(_parts_of_metrics(systems, compared)),
        "intervals_note": intervals_note,
        "tests_by": tests_by,
        "two_ways": on_two_ways(comparisons, marks) if marks is not None else [],
        "segments": segments(systems, measures, groups, inputs),
        "copies": _copies(comparisons, marks, people),
        "following": _following(systems, files, people, by_criterion),
        "data": as_script(_data(systems, measures, by_criterion, headlines, findings, options, marks) | of_gate),
    }
    return render(package, template, **assets(), **{**values, **own})


def _copies(
    comparisons: Sequence[Comparison], significance: Significance | None, people: HumanScores | None
) -> Record | None:
    """Return the table of systems as LaTeX and CSV, to be copied: that of the metrics; None if people are in it."""
    if people is not None or not comparisons:
        return None
    latex = render_comparisons(comparisons, "latex", significance=significance)
    return {"latex": latex, "csv": render_rows(all_rows(comparisons, significance), "csv")}


def _following(
    systems: Systems, files: Sequence[str], people: HumanScores | None, criteria: Mapping[str, HumanScores]
) -> list[str]:
    """Return the next steps, which follow from the findings by all criteria."""
    named = list(files) or [name for name, _ in systems]
    if people is None:
        return first_study(named, len(systems[0][1]))
    if people.unfinished and not people.is_over:
        return after_unfinished()
    rated = {score.system for score in people.scores}
    unrated = [name for name, _ in systems if name not in rated]
    differences = {name: scores.differences for name, scores in criteria.items()}
    asked = {name: scores.scores[0] for name, scores in criteria.items() if name not in (SPANS, OVERALL)}
    scales = {name: score.scale or score.told for name, score in asked.items()}
    return after_ratings(differences, named, unrated, len(systems[0][1]), scales)


def _title(systems: Systems, measures: Sequence[Measure], people: HumanScores | None) -> str:
    """Return a heading that names the metrics, and ratings if there are some."""
    of_ratings = f"{'rating' if people is None else people.rating}s".capitalize()
    titles = [of_ratings] if people is not None else []
    titles += [measure.title for measure in measures if measure.metric is not None]
    return f"{listed(titles) or of_ratings}: {len(systems)} systems"


def _words(name: str) -> list[str]:
    """Return the words of a name, in one case."""
    return re.findall(r"\w+", name.casefold())


def _beside_criteria(measures: Sequence[Measure], criteria: Iterable[str]) -> list[Measure]:
    """Return measures; a metric that shares a word with a criterion, such as fluency, is marked as a metric."""
    of_criteria = {word for name in criteria for word in _words(name)}
    told = []
    for measure in measures:
        if measure.metric is not None and not of_criteria.isdisjoint(_words(measure.title)):
            told.append(replace(measure, title=f"{_METRIC}{measure.title}"))
        else:
            told.append(measure)
    return told


def _order(systems: Systems, measures: Sequence[Measure], people: HumanScores | None) -> list[int]:
    """Return the systems' places, the best first: by people, or else by the first comparison."""
    comparisons = [measure.comparison for measure in measures if measure.comparison is not None]
    scores: list[float] = []
    if people is not None:
        means = {score.system: score.mean.value for score in people.scores}
        scores = [means.get(name, -math.inf) for name, _ in systems]
    elif comparisons:
        sign = -1 if comparisons[0].metric in LOWER_IS_BETTER else 1
        scores = [sign * metric_interval(comparisons[0], place).value for place in range(len(systems))]
    order: list[int] = np.argsort(-np.array(scores), kind="stable").tolist()
    return order


def _parts_of_metrics(systems: Systems, compared: Sequence[Measure]) -> Iterator[str]:
    """Yield the sections that metrics add to the page, as HTML."""
    for measure in compared:
        name = "" if measure.metric is None else measure.metric.name
        report = metric_spec(name).report if name in metric_names() else None
        if report is not None:
            sections = report()
            yield sections(measure, systems)


def _data(
    systems: Systems,
    measures: Sequence[Measure],
    criteria: Mapping[str, HumanScores],
    headlines: Sequence[str],
    findings: Sequence[str],
    options: Sequence[str],
    significance: Significance | None,
) -> Record:
    """Return the page's content as data, which commands read from it (`pages.embedded`)."""
    metrics = []
    rows: list[Record] = []
    for measure in measures:
        if measure.metric is not None:
            metrics.append(
                {
                    "metric": measure.metric.name,
                    "signature": measure.metric.signature,
                    "title": measure.title,
                    "verdict": worth_of(measure.metric),
                    "means": [{"mean": result.mean, "coverage": result.coverage} for result in measure.results],
                }
            )
        if measure.comparison is not None and significance is not None:
            rows += comparison_rows(measure.comparison, significance)
    people: list[Record] = []
    for criterion, scores in criteria.items():
        people += of_criterion(criterion, score_rows(scores))
    return {
        "made": made(),
        "systems": [name for name, _ in systems],
        "n_segments": len(systems[0][1]),
        "metrics": metrics,
        "rows": rows,
        "people": people,
        "headlines": list(headlines),
        "findings": list(findings),
        "options": list(options),
    }


def _lead(
    names: Sequence[str],
    order: Sequence[int],
    lead: Measure,
    people: HumanScores | None,
    pairs: HumanScores | None,
    criterion: str,
) -> Iterator[Plot]:
    """Draw the systems with their intervals in the order of the table, by people or else by the first metric.

    Args:
        names: names of the systems.
        order: the order of the systems, as indices.
        lead: the first measure.
        people: people's ratings of the systems; by the first criterion if there are several.
        pairs: the same with all pairs compared.
        criterion: the name of that criterion; "" for none.

    Yields:
        The drawing for a wide screen, and that for a narrow one.
    """
    groups: list[list[int]] = []
    if people is not None:
        rated = {score.system: score for score in people.scores}
        rows = [
            Interval(names[place], rated[names[place]].mean.value, *rated[names[place]].interval(), place=place)
            for place in order
            if names[place] in rated
        ]
        if pairs is not None:
            groups = _bracketed([row.label for row in rows], pairs.apart)
        of = f"mean {people.rating} by {criterion}" if criterion else f"mean {people.rating}"
        across = f"{of}, {people.level:.0%} intervals"
    elif lead.comparison is not None:
        rows = [metric_interval(lead.comparison, place)._replace(place=place) for place in order]
        across = f"{lead.title}, 95% intervals"
    else:
        return
    for width in (960.0, 360.0):
        yield Plot("", intervals(rows, width=width, groups=groups), across)


_MOST_BRACKETS = 8
"""Most groups of systems that a drawing joins by brackets; of more it has none."""


def _bracketed(systems: Sequence[str], apart: Collection[frozenset[str]]) -> list[list[int]]:
    """Return the places of the systems of each group of several that cannot be told apart; none of many groups.

    >>> _bracketed(["a", "b", "c"], [frozenset("ab")])
    [[0, 2], [1, 2]]
    """
    groups = [group for group in groups_alike(systems, apart) if len(group) > 1]
    if len(groups) > _MOST_BRACKETS:
        return []
    return [[systems.index(system) for system in group] for group in groups]


class Cell(NamedTuple):
    """A cell of the matrix of all pairs: the row's mean rating less the column's."""

    value: float
    low: float
    high: float
    p_value: float
    is_shown: bool
    is_least: bool = False


def _family_of_pairs(pairs: Mapping[str, HumanScores]) -> str:
    """Name the comparisons for which p of all pairs is corrected; "" of a single one, and of none."""
    n = sum(len(scores.differences) for scores in pairs.values())
    if n < 2:
        return ""
    if len(pairs) == 1:
        return f"Holm over all {n} pairs"
    return f"Holm over all {n} pairs by {len(pairs)} criteria together"


def _matrices(
    names: Sequence[str], pairs: Mapping[str, HumanScores]
) -> list[tuple[str, list[tuple[str, list[Cell | None]]]]]:
    """Return the matrix of each criterion by which three systems or more are rated; see `_matrix`."""
    found = []
    for criterion, scores in pairs.items():
        rated = {score.system for score in scores.scores}
        if len(rated) >= 3:
            found.append((criterion, _matrix([name for name in names if name in rated], scores)))
    return found


def _matrix(names: Sequence[str], pairs: HumanScores) -> list[tuple[str, list[Cell | None]]]:
    """Return one row per system, with a cell for each system; None for itself."""
    cells: dict[tuple[str, str], Cell] = {}
    for each in pairs.differences:
        value = each.mean.value
        low, high = each.adjusted_interval
        cells[each.system, each.baseline] = Cell(value, low, high, each.p_told, each.is_shown)
        cells[each.baseline, each.system] = Cell(-value, -high, -low, each.p_told, each.is_shown)
    rows = []
    for name in names:
        rows.append((name, [cells.get((name, other)) for other in names]))
    return rows


def _metric_matrices(
    names: Sequence[str], comparisons: Sequence[Comparison], significance: Significance | None
) -> Iterator[tuple[str, int, list[tuple[str, list[Cell | None]]]]]:
    """Yield each score of which all pairs are compared, its decimals, and its matrix; see `_matrix`."""
    if significance is None or not significance.of_pairs:
        return
    for comparison in comparisons:
        for name in comparison.signatures:
            cells: dict[tuple[str, str], Cell] = {}
            for pair in comparison.pairs:
                test = significance.of(name, pair.system, pair.baseline)
                _, low, high = with_interval(pair.differences.get(name), test)
                p_value = p_told(pair.p_values[name], test)
                is_least = comparison.is_least_p(name, pair.p_values[name])
                told = (math.nan if p_value is None else p_value, test is not None and test.is_significant, is_least)
                cells[pair.system, pair.baseline] = Cell(pair.leads[name], low, high, *told)
                cells[pair.baseline, pair.system] = Cell(-pair.leads[name], -high, -low, *told)
            rows = [(row, [cells.get((row, column)) for column in names]) for row in names]
            yield name, decimals(comparison, name), rows
