"""The scores that `compare` computes: apart, of the same inputs, or by several metrics."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import TYPE_CHECKING

import click

from referenceless_metrics.assessment.few_different import few_different_of
from referenceless_metrics.assessment.near_copies import near_copy_notes
from referenceless_metrics.command_line.metric_command import ChosenMetrics
from referenceless_metrics.comparison.asked import check_systems_named, read_systems
from referenceless_metrics.core.files.special_tokens import special_token_notes
from referenceless_metrics.core.support.validation import Record

if TYPE_CHECKING:
    from referenceless_metrics.core.metric import Metric
    from referenceless_metrics.human_evaluation.scores.table import ScoreTable


def scores_asked(chosen: ChosenMetrics, files: tuple[str, ...], options: Record) -> ScoreTable:
    """Return the scores of outputs, for inputs of their own or for the same ones, as scores of any tool are read."""
    scores_of = _scores_apart if options["unpaired"] else _scores_of_same_inputs
    return scores_of(chosen, files, options)


def _scores_apart(chosen: ChosenMetrics, files: tuple[str, ...], options: Record) -> ScoreTable:
    """Return the scores of outputs for inputs of their own, which `compare --scores --unpaired` would compare.

    Raises:
        click.UsageError: for a metric that reads references or sources, and columns of one table.
        InputError: as `read_outputs_apart`.
    """
    from referenceless_metrics.comparison.unpaired import read_outputs_apart, scores_of_outputs

    chosen.check(options)
    check_systems_named(files, options)
    if len(options["text_columns"]) > 1:
        raise click.UsageError("--unpaired is for outputs for other inputs, and those of one row are for the same one")
    metrics = chosen.make(options)
    source_column = options["source_column"]
    _check_read_texts_alone(chosen, metrics, "--unpaired", has_sources=source_column is not None)
    of_columns = {"text_column": options["text_columns"][0], "system_column": options["system_column"]}
    of_columns["source_column"] = source_column
    named, items, sources = read_outputs_apart(files, options["names"], reading=options["reading"], **of_columns)
    notes = [*special_token_notes(named), *near_copy_notes(named)]
    of = list(zip(chosen.specs, metrics, strict=True))
    return replace(scores_of_outputs(named, of, items_of=items, sources=sources), assumed=tuple(notes))


def _scores_of_same_inputs(chosen: ChosenMetrics, files: tuple[str, ...], options: Record) -> ScoreTable:
    """Return the scores of outputs for the same inputs, which `compare --scores` would compare.

    Raises:
        click.UsageError: for one system only, and a metric that reads references or sources.
        InputError: for a file that cannot be read, is empty or has another number of texts.
    """
    from referenceless_metrics.comparison.comparison import check_systems
    from referenceless_metrics.comparison.unpaired import scores_of_outputs

    chosen.check(options)
    check_systems_named(files, options)
    metrics = chosen.make(options)
    _check_read_texts_alone(chosen, metrics, "--bad" if options["worst"] is None else "--worst")
    segments = read_systems(files, options)
    check_systems(segments.systems)
    notes = [*special_token_notes(segments.systems), *near_copy_notes(segments.systems)]
    notes += [f"{name}: {warning}" for name, warning in few_different_of(segments.systems, {}).items()]
    of = list(zip(chosen.specs, metrics, strict=True))
    scores = scores_of_outputs(segments.systems, of, are_paired=True, clusters=segments.clusters)
    return replace(scores, assumed=tuple(notes))


def _check_read_texts_alone(
    chosen: ChosenMetrics, metrics: Sequence[Metric], option: str, *, has_sources: bool | None = None
) -> None:
    """Check that metrics read neither references nor sources, which an option leaves out.

    Args:
        chosen: the metrics that were asked for.
        metrics: these metrics.
        option: the option.
        has_sources: whether a column of sources is named, for an option that takes one; None for an option that does
            not.

    Raises:
        click.UsageError: for one that does.
    """
    reading = [metric.name for metric in metrics if metric.needs_references]
    reading += chosen.of_corpus.values()
    of_sources = [metric.name for metric in metrics if metric.needs_sources]
    if has_sources is None:
        reading += of_sources
    elif of_sources and not has_sources:
        raise click.UsageError(f"{of_sources[0]} reads sources: name their column (--source-column NAME)")
    elif has_sources and not of_sources and not reading:
        raise click.UsageError(f"{metrics[0].name} reads no sources: leave out --source-column")
    if reading:
        kinds = "references or sources" if has_sources is None else "references"
        alone = "texts alone" if has_sources is None else "texts and their sources alone"
        if option == "--worst" and chosen.of_corpus:
            beside = worst_by_references("--references FILE", next(iter(chosen.of_corpus.values())))
            raise click.UsageError(f"{reading[0]} reads {kinds}, and {option} reads {alone}{beside}")
        raise click.UsageError(
            f"{reading[0]} reads {kinds}, and {option} reads {alone}: score the outputs first (referenceless score "
            f"FILE … -o scores.csv), and give compare --scores scores.csv … {option}"
        )


def worst_by_references(named: str, metric: str = "chrf") -> str:
    """Return in words the call that shows the worst outputs of a system by a metric that reads references.

    Args:
        named: the option that names the references.
        metric: the metric.
    """
    return (
        f"; the worst outputs of one system by references: referenceless score FILE --with {metric} {named} --worst 10 "
        f"--worst-by {metric}"
    )
