"""The systems and metrics that a command line of `compare` or `report` names, read and made."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import chain
from typing import TYPE_CHECKING, Any

import click

from referenceless_metrics.assessment.near_copies import near_copy_notes
from referenceless_metrics.command_line.baselines import baseline, tokenisation_notes
from referenceless_metrics.command_line.metric_command import ChosenMetrics, values_of
from referenceless_metrics.command_line.proposing import FilesUsageError
from referenceless_metrics.command_line.references_and_sources import (
    Items,
    check_sources_given,
    read_sources,
    reference_streams,
    streams_of,
)
from referenceless_metrics.core.files.opening import STDIN
from referenceless_metrics.core.files.reading import Reading, tell
from referenceless_metrics.core.files.special_tokens import special_token_notes
from referenceless_metrics.core.files.tables import Table
from referenceless_metrics.core.files.text_io import read_table
from referenceless_metrics.core.support.validation import Record

if TYPE_CHECKING:
    from referenceless_metrics.comparison.segments import Measure
    from referenceless_metrics.core.metric import Metric
    from referenceless_metrics.core.registry import MetricSpec
    from referenceless_metrics.human_evaluation.inference.output_ratings import Outputs
    from referenceless_metrics.human_evaluation.system_table import Segments


_OF_OUTPUTS = (
    "--text-column",
    "--system-column",
    "--item-column",
    "--name",
    "--input-format",
    "--encoding",
    "--delimiter",
    "--columns",
    "--sheet",
    "--rows-in",
    "--sources",
    "--source-column",
)
"""Options that say how outputs are read, of `sample` as of a comparison."""


def words_of_outputs(files: Sequence[str], reading: Reading) -> list[str]:
    """Return the words by which a command line names the systems' outputs: their files, and the options typed for them.

    A column of items does not go with a column of outputs for each system.
    """
    typed = list(click.get_current_context().find_root().obj or ())
    several = len(values_of(typed, "--text-column")) > 1
    named = [option for option in _OF_OUTPUTS if not (several and option == "--item-column")]
    words = [word for option in named for value in values_of(typed, option) for word in (option, value)]
    return [*files, *words, *(word for condition in reading.where for word in ("--where", str(condition)))]


@dataclass(frozen=True)
class Asked:
    """Systems and metrics that a command line names, read and made.

    Attributes:
        systems: names and outputs of the systems, the baseline first.
        clusters: the cluster of each segment; None if nobody named one.
        metrics: the metrics with their entries; None for one of sacrebleu's.
        others: names of the metrics with references beside the first.
        references: streams of references; None without.
        sources: one for each segment; None without.
        condition: the condition under which segments are paired rightly; "" for none.
        notes: notes on the outputs themselves, such as many that are near copies.
        items: the item of each segment, if the files were read by items; None else.
        rows: of one table of all systems, a row of each segment; None of files.
    """

    systems: Outputs
    clusters: list[str] | None
    metrics: list[tuple[MetricSpec | None, Metric]]
    others: tuple[str, ...]
    references: list[list[str]] | None
    sources: list[Any] | None
    condition: str = ""
    notes: Sequence[str] = ()
    items: Sequence[str] | None = None
    rows: Table | None = None

    def items_of(self, column: str | None) -> Sequence[str] | None:
        """Return the item of each segment, of one table by a column; None if nothing tells it.

        Args:
            column: the column of items; None for `item`, if there is one.

        Raises:
            InputError: for a named column that is not there, and a blank cell.
        """
        from referenceless_metrics.human_evaluation.system_table import names_in_column

        if self.items is not None or self.rows is None:
            return self.items
        if column is None and not self.rows.has_own("item"):
            return None
        return names_in_column(self.rows, column or "item", "--item-column")

    @property
    def n_segments(self) -> int:
        """Number of texts of each system."""
        return len(self.systems[0][1])

    @property
    def inputs(self) -> Record:
        """The segments' sources and references, as a page shows them."""
        references = None if self.references is None else list(zip(*self.references, strict=True))
        return {"sources": self.sources, "references": references}


def read_asked(
    chosen: ChosenMetrics,
    systems: tuple[str, ...],
    others: tuple[str, ...],
    references: tuple[str, ...],
    sources: str | None,
    options: Record,
) -> Asked:
    """Read the files that a command line names, and make its metrics.

    Raises:
        click.UsageError: for one system only, or missing references.
        InputError: for a file that cannot be read, is empty or has another number of texts.
    """
    from referenceless_metrics.comparison.comparison import check_systems
    from referenceless_metrics.comparison.corpus_metrics import CorpusMetric

    chosen.check(options)
    check_systems_named(systems, options)
    reading = [*(spec.name for spec in chosen.specs if spec.needs_references), *chosen.of_corpus.values()]
    others = tuple(name for name in others if name not in chosen.of_corpus.values())
    of_columns = options["reference_columns"]
    if (reading or others) and not references and not of_columns:
        raise click.UsageError(
            f"{', '.join([*reading, *others])} needs references: give --references FILE, or --reference-columns NAME, "
            "of the baseline's table"
        )
    source_column = options["source_column"]
    takes_references, takes_sources = bool(of_columns) and not references, bool(source_column) and not sources
    has_one_table = options["system_column"] is not None or len(options["text_columns"]) > 1
    of_baseline = None
    if (takes_references or takes_sources) and not has_one_table:
        of_baseline = _table_of_baseline(systems[0], options)
    in_table: Record = {}
    if options["system_column"] is not None:
        in_table["source_column"] = source_column if takes_sources else None
        in_table["reference_columns"] = of_columns if takes_references else ()
    segments = read_systems(systems, options, **in_table)
    of_baseline = of_baseline or segments.rows
    items = None if segments.items is None else Items(segments.item_column, segments.items)
    named, clusters = segments.systems, segments.clusters
    check_systems(named)
    notes = [*special_token_notes(named), *near_copy_notes(named)]
    notes += _on_empty_outputs(named) if chosen.of_corpus or others else []
    if (references or of_columns) and not (reading or others):
        notes.append(
            "no metric that was asked for reads the references: --with bleu,chrf compares by them, too, and --metric "
            "bleu --metric chrf by them alone"
        )
    n = len(named[0][1])
    of = f"{systems[0]} (the baseline)"
    if of_baseline is not None and takes_references:
        streams: list[list[str]] | None = streams_of(of_baseline, of_columns, n, of)
    else:
        how: Record = {"columns": of_columns, "every_text": bool(reading), "items": items}
        streams = reference_streams(references, n, of, **how) or None
    for name, texts in named:
        notes += tokenisation_notes(name, texts, chain.from_iterable(streams or ()))
    tell(notes)
    if of_baseline is not None and takes_sources:
        inputs: list[Any] | None = of_baseline.column(source_column, "--source-column")
    else:
        inputs = read_sources(systems[0], n, sources, source_column, items)
    metrics: list[tuple[MetricSpec | None, Metric]] = list(zip(chosen.specs, chosen.make(options), strict=True))
    for _, metric in metrics:
        if metric.needs_sources:
            check_sources_given(metric, inputs)
    for place, name in chosen.of_corpus.items():
        metrics.insert(place, (None, CorpusMetric(name)))
    told: Record = {"items": segments.items, "rows": segments.rows}
    return Asked(named, clusters, metrics, others, streams, inputs, segments.condition, notes, **told)


def _on_empty_outputs(systems: Outputs) -> list[str]:
    """Return a note on empty outputs, of which metrics with references do not abstain, in a list; none without any."""
    empty = {name: sum(not text.strip() for text in texts) for name, texts in systems}
    counted = [f"{name} {empty[name]} of {len(texts)}" for name, texts in systems if empty[name]]
    return [f"empty outputs: {', '.join(counted)}; metrics with references count them as they are"] if counted else []


def _table_of_baseline(file: str, options: Record) -> Table:
    """Return the rows of the baseline's file, one of each input, whose columns hold references or sources.

    Raises:
        click.UsageError: for standard input, which is read once.
    """
    option, beside = ("--reference-columns", "--references")
    if not options["reference_columns"]:
        option, beside = ("--source-column", "--sources")
    if file == STDIN:
        raise click.UsageError(f"{option} is of a file, not of standard input: give {beside} FILE, too")
    return read_table(file, options["reading"])


def measures_asked(asked: Asked, n_samples: int, *, all_pairs: bool) -> list[Measure]:
    """Compare the systems by each metric."""
    from referenceless_metrics.comparison.measuring import measured

    return measured(
        asked.systems,
        asked.metrics,
        references=asked.references,
        sources=asked.sources,
        others=[baseline(name) for name in asked.others],
        n_samples=n_samples,
        clusters=asked.clusters,
        all_pairs=all_pairs,
        condition=asked.condition,
    )


def check_systems_named(systems: tuple[str, ...], options: Record) -> None:
    """Check that files and columns name two systems or more, in one form.

    Raises:
        click.UsageError: naming the missing option, or the options that do not go together.
    """
    has_columns = len(options["text_columns"]) > 1
    has_system_column = options["system_column"] is not None
    if has_columns and has_system_column:
        raise click.UsageError("give either --system-column with one --text-column, or a --text-column for each system")
    if len(systems) < 2 and not (has_columns or has_system_column):
        raise FilesUsageError(
            f"a comparison needs at least two systems, the baseline first; got only {systems[0]} (a table of several "
            "systems: name their column by --system-column, or the column of each by --text-column)"
        )
    if len(systems) > 1 and has_system_column:
        raise click.UsageError("--system-column is for one table with the outputs of all systems")
    if len(systems) > 1 and has_columns:
        raise click.UsageError("several --text-column are for one table with a column of outputs for each system")


def read_systems(files: tuple[str, ...], options: Record, **beside: Any) -> Segments:
    """Return the systems' names and outputs, from a file each or from one table, with the clusters of segments.

    Args:
        files: the files, the baseline first.
        options: the options of the command.
        beside: the columns of sources and references of one table with a column of systems.
    """
    from referenceless_metrics.human_evaluation.system_table import systems_in_columns, systems_of_one_table
    from referenceless_metrics.human_evaluation.systems_in_files import systems_in_files

    first, *others = options["text_columns"]
    how: Record = {"reading": options["reading"], "cluster_column": options.get("cluster_column")}
    if others:
        return systems_in_columns(files[0], text_columns=(first, *others), **how)
    if options["system_column"] is not None:
        columns = {name: options[name] for name in ("system_column", "item_column")}
        return systems_of_one_table(files[0], text_column=first, **how, **columns, **beside)
    items = options["item_column"]
    return systems_in_files(files, options["names"], text_column=first, item_column=items, **how)
