"""Outputs of systems, for inputs of their own or the same: their scores, to be compared as scores of any tool."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from itertools import chain
from typing import Any, NamedTuple

import numpy as np

from referenceless_metrics.command_line.system_files import system_names
from referenceless_metrics.comparison.comparison_notes import NOT_PEOPLE
from referenceless_metrics.comparison.measuring import in_sacrebleu
from referenceless_metrics.comparison.telling import RATED_TEXTS_FIXED
from referenceless_metrics.core.files.formats_of_files import source_name
from referenceless_metrics.core.files.reading import Reading
from referenceless_metrics.core.files.tables import BlockSize
from referenceless_metrics.core.files.text_io import read_table, read_text_blocks
from referenceless_metrics.core.metric import Metric, verdict_of, worth_of
from referenceless_metrics.core.registry import MetricSpec, described
from referenceless_metrics.core.results import MetricResult, warnings_of
from referenceless_metrics.core.support.validation import Floats, InputError
from referenceless_metrics.frameworks.sacrebleu import SacrebleuAdapter
from referenceless_metrics.human_evaluation.files_in_order import columns_of_ids, ids_among
from referenceless_metrics.human_evaluation.inference.output_ratings import Outputs
from referenceless_metrics.human_evaluation.language_pairs import cells_of_languages, check_one_pair
from referenceless_metrics.human_evaluation.ratings.model_raters import TOOLS
from referenceless_metrics.human_evaluation.scores.table import ScoredBy, ScoreTable
from referenceless_metrics.human_evaluation.system_table import OutputsApart, outputs_of_one_table
from referenceless_metrics.human_evaluation.wording.headline import verdict_told
from referenceless_metrics.human_evaluation.wording.phrases import listed


def read_outputs_apart(
    files: Sequence[str],
    names: Mapping[str, str],
    *,
    text_column: str,
    system_column: str | None,
    reading: Reading,
    source_column: str | None = None,
) -> OutputsApart:
    """Return the name of each system and its outputs, from a file each or from one table.

    Items are told by one table alone: those of two files, such as of two days, may be other ones of the same names. An
    item of a file is called by its system and its id, or its number.

    Args:
        files: the files, the baseline first; one, if a column tells systems.
        names: the names that --name gives, by file.
        text_column: the column of the outputs.
        system_column: the column of the systems; None for a file each.
        reading: the way to read files.
        source_column: the column of the outputs' sources; None without.

    Raises:
        click.UsageError: for two systems of one name.
        InputError: for a file that cannot be read, several pairs of languages, fewer than two systems, and a system
            without outputs.
    """
    if system_column is None:
        called = system_names(files, names)
        read = [_read_outputs(file, text_column, reading) for file in files]
        languages = [cells for of_file in read for cells in of_file.languages]
        check_one_pair(", ".join(map(source_name, files)), languages)
        named = list(zip(called, read, strict=True))
        items = [[f"{name}/{each}" for each in of_file.ids] for name, of_file in named]
        sources = None
        if source_column is not None:
            sources = [read_table(file, reading).column(source_column, "--source-column") for file in files]
        found = OutputsApart([(name, of_file.texts) for name, of_file in named], items, sources)
    else:
        found = outputs_of_one_table(files[0], text_column, system_column, reading, source_column)
    systems = found.systems
    for name, texts in systems:
        if not texts:
            raise InputError(f"{name}: it holds no texts")
    if len(systems) < 2:
        raise InputError(f"{files[0]}: it holds outputs of {systems[0][0]} alone, and a comparison needs two systems")
    return found


class _FileOfOutputs(NamedTuple):
    """The outputs of a file.

    Attributes:
        texts: the outputs.
        ids: the id of each; its number without a column of ids.
        languages: for each block of rows the cells of the columns that tell languages.
    """

    texts: list[str]
    ids: list[str]
    languages: list[dict[str, list[Any]]]


def _read_outputs(file: str, text_column: str, reading: Reading) -> _FileOfOutputs:
    """Return the outputs of a file, with the id of each."""
    texts: list[str] = []
    cells: dict[str, list[Any]] = {}
    languages = []
    for table, part in read_text_blocks(file, text_column=text_column, reading=reading, size=BlockSize()):
        texts += part
        languages.append(cells_of_languages(table))
        for name in columns_of_ids(table):
            cells.setdefault(name, []).extend(table.column(name))
    ids = ids_among(cells, len(texts)) or [str(n + 1) for n in range(len(texts))]
    return _FileOfOutputs(texts, ids, languages)


def scores_of_outputs(
    systems: Outputs,
    metrics: Sequence[tuple[MetricSpec | None, Metric]],
    *,
    are_paired: bool = False,
    items_of: Sequence[Sequence[str]] | None = None,
    clusters: Sequence[str] | None = None,
    sources: Sequence[Sequence[Any]] | None = None,
) -> ScoreTable:
    """Return the scores of systems' outputs, each of an item of its own unless items are known.

    Args:
        systems: names and outputs, the baseline first.
        metrics: metrics that read texts, and their sources if these are known, with their entries in the registry; None
            for a metric without one.
        are_paired: whether the outputs of one place are of one item.
        items_of: the item of each output of each system, none twice of one; None if nothing tells that.
        clusters: the cluster of each item of paired outputs; None without.
        sources: the source of each output of each system; None without.
    """
    if are_paired:
        items_of = [[str(n + 1) for n in range(len(texts))] for _, texts in systems]
    elif items_of is None:
        items_of = [[f"{name}/{n + 1}" for n in range(len(texts))] for name, texts in systems]
    items = tuple(dict.fromkeys(chain.from_iterable(items_of)))
    column_of = {item: column for column, item in enumerate(items)}
    places = [[column_of[item] for item in of_system] for of_system in items_of]
    owns = np.zeros((len(systems), len(items)), dtype=bool)
    for row, columns in enumerate(places):
        owns[row, columns] = True
    values = {}
    notes: list[str] = []
    scored_by: dict[str, ScoredBy] = {}
    estimates: dict[str, str] = {}
    for spec, metric in metrics:
        adapter = in_sacrebleu(spec, metric)
        scores = np.full(owns.shape, np.nan)
        scored, results = _scored(adapter, [texts for _, texts in systems], sources)
        for row, columns in enumerate(places):
            scores[row, columns] = scored[row]
        values[adapter.name] = scores
        scored_by[adapter.name] = ScoredBy(described(metric), metric.signature)
        for (name, _), result in zip(systems, results, strict=True):
            notes += _notes(name, adapter.name, result)
        if adapter.estimates_ratings:
            estimates[adapter.name] = verdict_told(verdict_of(metric))
            notes.append(f"{NOT_PEOPLE.format(metric=adapter.name)}.")
            of = f" of {adapter.name}" if len(metrics) > 1 else ""
            notes.append(
                f"Intervals and p{of} cover the draw of the outputs; {RATED_TEXTS_FIXED}; significance is not marked."
            )
            notes += [worth for worth in [worth_of(metric)] if worth is not None]
    return ScoreTable(
        tuple(name for name, _ in systems),
        items,
        values,
        dict.fromkeys(values, owns),
        np.arange(len(items)) if clusters is None else np.unique(list(clusters), return_inverse=True)[1].ravel(),
        clusters is None,
        ("",) * len(items),
        notes=tuple(notes),
        estimates=estimates,
        texts={
            (name, item): text
            for (name, texts), of_system in zip(systems, items_of, strict=True)
            for item, text in zip(of_system, texts, strict=True)
        },
        scored_by=scored_by,
        given_by=TOOLS,
    )


def _scored(
    adapter: SacrebleuAdapter, systems: Sequence[Sequence[str]], sources: Sequence[Sequence[Any]] | None
) -> tuple[list[Floats], list[MetricResult]]:
    """Return the scores of systems' outputs with the results; sources are those of each system's own outputs."""
    if sources is None or not adapter.metric.needs_sources:
        return adapter.score_systems(systems), adapter.results
    scores: list[Floats] = []
    results: list[MetricResult] = []
    for texts, of_system in zip(systems, sources, strict=True):
        adapter.sources = list(of_system)
        scores += adapter.score_systems([texts])
        results += adapter.results
    return scores, results


def _notes(name: str, metric: str, result: MetricResult) -> list[str]:
    """Return sentences on the outputs of a system without a value, and the warnings about its mean."""
    notes = [f"{name}: {warning}." for warning in warnings_of(result).values()]
    if result.n_covered < len(result):
        reasons = listed([f"{n} {reason}" for reason, n in result.abstentions.most_common()])
        without = len(result) - result.n_covered
        notes.append(f"{name}: {without} of {len(result)} outputs have no value of {metric} ({reasons}).")
    return notes
