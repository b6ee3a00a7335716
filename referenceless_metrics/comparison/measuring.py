"""Systems measured by metrics and rated by people: what `compare` and `report` show, from texts and from files."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from referenceless_metrics.comparison.comparison import compare_systems
from referenceless_metrics.comparison.segments import Measure
from referenceless_metrics.core.files.reading import tell
from referenceless_metrics.core.metric import Metric
from referenceless_metrics.core.registry import MetricSpec
from referenceless_metrics.core.support.validation import InputError, Record
from referenceless_metrics.frameworks.sacrebleu import SacrebleuAdapter, Streams
from referenceless_metrics.human_evaluation.inference.output_ratings import Outputs

if TYPE_CHECKING:
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
        metrics: with their entries in the registry, None for a metric that has none; the first leads.
        references: reference streams, for metrics that read them.
        sources: n, for metrics that read them.
        others: sacrebleu metrics that stand beside the first.
        test: `n_samples`, as of `compare_systems`.

    Raises:
        InputError: as `compare_systems`.
    """
    measures = []
    for place, (spec, metric) in enumerate(metrics):
        adapter = in_sacrebleu(spec, metric, sources if metric.needs_sources else None)
        comparison = compare_systems(systems, adapter, references=references, others=() if place else others, **test)
        inputs = {"references": adapter.by_segment(references, len(systems[0][1])), "sources": adapter.sources}
        title = metric.name if spec is None else spec.title
        measures.append(Measure(title, adapter.results, adapter.metric, comparison, inputs))
    return measures


def with_ratings(table: RatingTable, systems: Outputs, measures: Sequence[Measure]) -> Record:
    """Return what people's ratings of outputs add to a page: a measure, their findings, and the systems' scores.

    Raises:
        InputError: for preferences, and for ratings that are of none of the outputs.
    """
    from referenceless_metrics.comparison.page import rating_measure
    from referenceless_metrics.human_evaluation.inference.human_score import COMPARISONS, human_scores
    from referenceless_metrics.human_evaluation.ratings.system_ratings import systems_of_files, without_small_systems
    from referenceless_metrics.human_evaluation.wording.human_score_output import score_lines

    if table.are_preferences:
        raise InputError(f"{table.source}: these are preferences, and not ratings")
    rated = systems_of_files(table, systems)
    page: Record = {"measures": [*measures, rating_measure([system.ratings for system in rated])]}
    rated, notes = without_small_systems(rated)
    tell(notes)
    try:
        people, pairs = (human_scores(rated, scale=table.scale, comparisons=which) for which in COMPARISONS)
    except InputError as error:  # too few ratings to speak of a system
        return {**page, "findings": [str(error)]}
    return {**page, "people": people, "pairs": pairs, "findings": score_lines(people, drawn=bool(table.systems))}
