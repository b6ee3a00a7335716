"""Systems measured by metrics and rated by people, for `compare` and `report`, from texts and from files."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING, Any

import numpy as np

from referenceless_metrics.assessment.few_different import few_different_of
from referenceless_metrics.comparison.comparison import Comparison, compare_systems, higher_first
from referenceless_metrics.comparison.segments import Measure
from referenceless_metrics.core.files.reading import tell
from referenceless_metrics.core.metric import Metric
from referenceless_metrics.core.registry import MetricSpec
from referenceless_metrics.core.support.validation import InputError, Record
from referenceless_metrics.frameworks.sacrebleu import SacrebleuAdapter, Streams
from referenceless_metrics.human_evaluation.inference.output_ratings import Outputs

if TYPE_CHECKING:
    from referenceless_metrics.human_evaluation.inference.human_score import HumanScores
    from referenceless_metrics.human_evaluation.inference.output_ratings import SystemRatings
    from referenceless_metrics.human_evaluation.ratings.rating_table import RatingTable


def in_sacrebleu(spec: MetricSpec | None, metric: Metric, sources: Sequence[Any] | None = None) -> SacrebleuAdapter:
    """Return a metric in its sacrebleu form: that of its entry, or the general one; `sources` are its segments'."""
    kind: type[SacrebleuAdapter] = SacrebleuAdapter
    if spec is not None and spec.sacrebleu is not None:
        kind = spec.sacrebleu()
    return kind(estimator=metric, sources=sources)


def measured(
    systems: Outputs,
    metrics: Sequence[tuple[MetricSpec | None, Metric]],
    *,
    references: Streams | None = None,
    sources: Sequence[Any] | None = None,
    others: Sequence[Any] = (),
    **test: Any,
) -> list[Measure]:
    """Compare systems by each of some metrics.

    Args:
        systems: names and outputs for the same n inputs, the baseline first.
        metrics: metrics with their entries in the registry, None for a metric that has none; the first leads.
        references: reference streams, for metrics that read them.
        sources: n sources, for metrics that read them.
        others: sacrebleu metrics beside the first.
        test: `n_samples`, as of `compare_systems`.

    Raises:
        InputError: like `compare_systems`.
    """
    measures = []
    for place, (spec, metric) in enumerate(metrics):
        adapter = in_sacrebleu(spec, metric, sources if metric.needs_sources else None)
        comparison = compare_systems(systems, adapter, references=references, others=() if place else others, **test)
        inputs = {"references": adapter.by_segment(references, len(systems[0][1])), "sources": adapter.sources}
        title = metric.name if spec is None else spec.title
        measures.append(Measure(title, adapter.results, adapter.metric, comparison, inputs))
    first, *further = higher_first([each.comparison for each in measures if each.comparison is not None])
    few = few_different_of(systems, {"references": references and references[0], "inputs": sources})
    of_measures = [_with_warnings(first, few), *further]
    return [replace(each, comparison=of) for each, of in zip(measures, of_measures, strict=True)]


def _with_warnings(comparison: Comparison, warnings: Mapping[str, str]) -> Comparison:
    """Return a comparison with further warnings on its systems, by their names."""
    rows = [
        replace(row, warnings=(*row.warnings, warnings[row.system])) if row.system in warnings else row
        for row in comparison.rows
    ]
    return replace(comparison, rows=tuple(rows))


def clusters_of_ratings(table: RatingTable, systems: Outputs) -> list[str]:
    """Return the cluster of each segment, which the ratings of any system's output tell, with a note on the others.

    Args:
        table: ratings with clusters.
        systems: names and outputs of the systems, for the same segments.

    Raises:
        InputError: like `systems_of_files`.
    """
    from referenceless_metrics.human_evaluation.ratings.criteria import with_overall
    from referenceless_metrics.human_evaluation.ratings.system_ratings import systems_of_files

    by_one_criterion = next(iter(with_overall(table, asked=False)[0].values()))
    told: dict[int, str] = {}
    for system in systems_of_files(by_one_criterion, systems):
        for place, cluster in enumerate(system.clusters or ()):
            if isinstance(cluster, str):
                told[place] = cluster
    n_segments = len(systems[0][1])
    if len(told) < n_segments:
        n_alone = n_segments - len(told)
        tell([f"{n_alone} of {n_segments} segments have no ratings that tell their cluster: each is one of its own"])
    return [f"in:{told[place]}" if place in told else f"alone:{place}" for place in range(n_segments)]


def with_ratings(
    table: RatingTable,
    systems: Outputs,
    measures: Sequence[Measure],
    *,
    all_pairs: bool = False,
    clusters: Sequence[Any] | None = None,
) -> Record:
    """Return the additions of people's ratings to a page: a measure, their findings, and the systems' scores.

    Args:
        table: the ratings.
        systems: names and outputs of the systems, the baseline first.
        measures: the page's measures.
        all_pairs: whether the findings are of all pairs of systems, and not only of each beside the baseline.
        clusters: the cluster of each segment; None for those that the ratings tell, if any.

    Raises:
        InputError: for preferences, and for ratings that are of none of the outputs.
    """
    from referenceless_metrics.comparison.marked import marked_by_segment
    from referenceless_metrics.comparison.page import rating_measure
    from referenceless_metrics.human_evaluation.commands.analysis import with_name
    from referenceless_metrics.human_evaluation.inference.human_score import COMPARISONS, scores_by_criterion
    from referenceless_metrics.human_evaluation.ratings.criteria import each_criterion, with_overall
    from referenceless_metrics.human_evaluation.ratings.system_ratings import (
        on_systems_without_outputs,
        systems_of_files,
    )
    from referenceless_metrics.human_evaluation.studies.spans import SPANS
    from referenceless_metrics.human_evaluation.wording.drawn import Drawn
    from referenceless_metrics.human_evaluation.wording.human_score_output import score_lines
    from referenceless_metrics.human_evaluation.wording.on_means import below_table

    if table.are_preferences:
        raise InputError(f"{table.source}: these are preferences, and not ratings")
    tables, notes = with_overall(table, asked=False)
    tell(notes)

    def rated_by(_: str, of_criterion: RatingTable) -> list[SystemRatings]:
        found = systems_of_files(of_criterion, systems)
        return found if clusters is None else [replace(system, clusters=clusters) for system in found]

    rated, left_out = each_criterion(tables, rated_by)
    left_out = [*on_systems_without_outputs(table, systems), *left_out]
    of_people = []
    for name, of_systems in rated.items():
        measure = rating_measure([each.ratings for each in of_systems], name)
        if name == SPANS and table.marked:
            measure = replace(measure, marked=[marked_by_segment(table.marked, system) for system, _ in systems])
        of_people.append(measure)
    page: Record = {"measures": [*measures, *of_people]}
    kept = {name: tables[name] for name in rated}
    try:
        found, further = each_criterion(kept, lambda name, of_criterion: _people(of_criterion, rated[name]))
    except InputError as error:  # too few ratings to speak of a system
        return {**page, "findings": [*left_out, str(error)]}
    beside_baseline, pairs = (
        scores_by_criterion([both[which] for both in found.values()]) for which in range(len(COMPARISONS))
    )
    people = pairs if all_pairs else beside_baseline
    findings = [*left_out, *further]
    for name, scores in zip(found, people, strict=True):
        how: Record = {"can_name_scale": not kept[name].are_penalties, "mqm_weights": kept[name].mqm_weights}
        lines = [*below_table(scores), *score_lines(scores, Drawn.of(table), name or table.asked, **how)]
        findings += [with_name(name, line) for line in lines]
    page |= {"people": people[0], "pairs": dict(zip(found, pairs, strict=True)), "findings": findings}
    if "" not in found:
        page["criteria"] = dict(zip(found, people, strict=True))
    return page


def _people(table: RatingTable, rated: Sequence[SystemRatings]) -> tuple[HumanScores, ...]:
    """Return the findings of people's ratings by one criterion, compared with the baseline and in all pairs."""
    from referenceless_metrics.human_evaluation.inference.human_score import COMPARISONS
    from referenceless_metrics.human_evaluation.ratings.system_ratings import scores_of_draw, without_small_systems

    first = next((place for place, system in enumerate(rated) if system.rated.any()), 0)
    if first:
        unrated = ", ".join(system.name for system in rated[:first])
        more = f"{unrated}: none of the outputs is rated; by ratings, systems are compared with {rated[first].name}"
        tell([more])
    kept, notes = without_small_systems(rated[first:])
    tell(notes)
    notes = [f"{note}." for note in ([more] if first else []) + notes]
    if not table.takes_estimates:
        kept = [replace(system, estimates=np.full(len(system.ratings), np.nan)) for system in kept]
    found = [scores_of_draw(kept, table, comparisons=which) for which in COMPARISONS]
    return tuple(replace(scores, notes=(*scores.notes, *notes)) for scores in found)
