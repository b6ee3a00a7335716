"""The study that `sample` draws: its outputs, metric, spans and examples."""

from __future__ import annotations

import shlex
from collections import Counter
from collections.abc import Mapping, Sequence
from contextlib import suppress
from dataclasses import replace
from itertools import combinations
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click
import numpy as np

from referenceless_metrics.command_line.system_files import read_outputs
from referenceless_metrics.core.files.formats import TEXT
from referenceless_metrics.core.files.formats_of_files import file_format
from referenceless_metrics.core.files.opening import STDIN
from referenceless_metrics.core.files.reading import Reading, tell
from referenceless_metrics.core.files.tables import Table
from referenceless_metrics.core.files.text_io import is_dataset_spec, read_table
from referenceless_metrics.core.metric import Metric, score_texts
from referenceless_metrics.core.registry import load_metric, metric_names
from referenceless_metrics.core.support.validation import InputError, Record
from referenceless_metrics.human_evaluation.inference.output_ratings import Outputs
from referenceless_metrics.human_evaluation.scores.columns import SYSTEM_NAMES as COLUMNS_OF_SYSTEMS
from referenceless_metrics.human_evaluation.studies.design import Design
from referenceless_metrics.human_evaluation.studies.drawn_along import DifferenceByItem
from referenceless_metrics.human_evaluation.studies.prefilled import spans_of_metric, spans_of_table
from referenceless_metrics.human_evaluation.studies.spans import SpanTask, read_categories
from referenceless_metrics.human_evaluation.system_table import (
    Segments,
    names_in_column,
    systems_in_columns,
    systems_of_one_table,
)
from referenceless_metrics.human_evaluation.systems_in_files import systems_in_files

if TYPE_CHECKING:
    pass


def outputs_of(
    files: Sequence[str],
    names: dict[str, str],
    reading: Reading,
    text_columns: Sequence[str],
    along: str | None,
    columns: Mapping[str, str | None],
) -> Segments:
    """Return the systems with their outputs, from a file each or from one table, and the outputs' sources if named.

    Args:
        files: the files, the baseline first.
        names: the names that --name gives, by file.
        reading: the way to read the files.
        text_columns: the column of the outputs, or that of each system in one table.
        along: the metric or column along which items are drawn; None without.
        columns: the columns `system_column`, `item_column` and `source_column`; None without.

    Raises:
        click.UsageError: for options that do not go together.
        InputError: for a file that cannot be read, and one that holds several systems of which no column is named.
    """
    system_column, item_column, source_column = (columns[f"{kind}_column"] for kind in ("system", "item", "source"))
    text_column, *further = text_columns
    if (further or system_column is not None) and along is not None and along not in metric_names():
        raise click.UsageError(f"--along {along}: a column is read from a file of each system: give a file each")
    if further:
        if system_column is not None:
            raise click.UsageError(
                "give either --system-column with one --text-column, or a --text-column for each system"
            )
        if len(files) > 1:
            raise click.UsageError("several --text-column are for one table with a column of outputs for each system")
        if item_column is not None:
            _check_rows_are_items(read_table(files[0], reading), item_column)
        return systems_in_columns(files[0], text_columns=text_columns, source_column=source_column, reading=reading)
    if system_column is not None:
        if len(files) > 1:
            raise click.UsageError("--system-column is for one table with the outputs of all systems")
        return systems_of_one_table(
            files[0],
            text_column=text_column,
            system_column=system_column,
            item_column=item_column,
            clusters_count=False,
            source_column=source_column,
            reading=reading,
        )
    if item_column is not None and len(files) == 1:
        raise click.UsageError("--item-column is for several systems: add --system-column, or a file of each")
    if item_column is not None and along is not None and along not in metric_names():
        raise click.UsageError(f"--along {along}: a column is read in the order of each file: leave --item-column out")
    if len(files) == 1:
        _check_one_system(files[0], reading)
        found = Segments(read_outputs(files, names, text_column=text_column, reading=reading))
        tell([f"there is one system, {found.systems[0][0]}: nothing is compared"])
    else:
        how: Record = {"text_column": text_column, "item_column": item_column, "reading": reading}
        found = systems_in_files(files, names, **how)
    if source_column is not None:
        return found._replace(sources=read_table(files[0], reading).column(source_column, "--source-column"))
    return found


def _check_rows_are_items(table: Table, item_column: str) -> None:
    """Check that each row of a table with a column for each system has an item of its own; say what a study keeps.

    Raises:
        InputError: for an item of several rows, and a blank one.
    """
    rows_of = Counter(names_in_column(table, item_column, "--item-column"))
    item, n_rows = rows_of.most_common(1)[0]
    if n_rows > 1:
        raise InputError(
            f"{table.source}: with a --text-column for each system each row is an item, and {n_rows} rows have the "
            f"item {item!r} (--item-column {item_column}); leave --item-column out to take each row for an item"
        )
    tell([f"each row is an item; the study names it by its place in the file, from 0, and not by {item_column}"])


def _check_one_system(file: str, reading: Reading) -> None:
    """Check that a single file holds the outputs of one system.

    Raises:
        InputError: for a table in which a column names several.
    """
    if is_dataset_spec(file) or file == STDIN or file_format(file, reading, "txt") == "txt":
        return
    table = read_table(file, reading)
    for name in COLUMNS_OF_SYSTEMS:
        n = len({str(row.get(name)) for row in table.rows}) if name in table.columns else 0
        if 1 < n < len(table.rows):
            raise InputError(
                f"{file}: column {name!r} names {n} systems, whose outputs raters would judge as those of one: name it "
                f"(--system-column {name}), or take one system (--where {name}=NAME)"
            )


def difference_by_item(name: str, files: Sequence[str], outputs: Outputs, reading: Reading) -> DifferenceByItem:
    """Return the difference between the last system's estimates and the first's, by a metric or by a column.

    Args:
        name: name of a metric that needs texts alone, or else of a column of the systems' files.
        files: the systems' files.
        outputs: the systems' outputs.
        reading: the way to read the files.

    Raises:
        InputError: for a metric that needs more than texts, and a column that is not there or holds no numbers.
    """
    if name in metric_names():
        metric = _metric_of_texts(name)
        values = [np.asarray(score_texts(metric, texts).values, dtype=float) for _, texts in outputs]
    elif all(str(file).endswith(".txt") for file in files):
        raise InputError(
            f"--along {name}: expected a metric, such as slor, or a column of the systems' files, but no metric is "
            "called so, and .txt files have no columns"
        )
    else:
        values = [read_table(file, reading).numbers(name, "--along", blank=True) for file in files]
    return DifferenceByItem(name, values[-1] - values[0])


def _metric_of_texts(name: str) -> Metric:
    """Return a metric that needs texts alone.

    Raises:
        InputError: for a metric that needs references, sources or rated texts.
    """
    metric = None
    with suppress(TypeError, ValueError):  # there are no rated texts
        metric = load_metric(name)
    if metric is None or metric.needs_references or metric.needs_sources:
        raise InputError(
            f"--along {name}: this metric needs more than texts; score the outputs first (referenceless score), "
            "and name the column of their files: --along COLUMN"
        )
    return metric


def span_task(asked: bool, categories_file: str | None, prefill: str | None) -> SpanTask | None:
    """Return the marking of errors that the command line asks for; None for none.

    Raises:
        InputError: for categories or errors marked beforehand without --spans, and a file that cannot be read.
    """
    if not asked:
        for option, value in (("--span-categories", categories_file), ("--prefill", prefill)):
            if value is not None:
                raise InputError(f"{option} is for studies in which raters mark errors: give --spans too")
        return None
    return SpanTask(() if categories_file is None else read_categories(categories_file))


def prefilled(task: SpanTask, design: Design, origin: str) -> SpanTask:
    """Return the marking of errors with those that a table names, or a metric finds, in the drawn outputs.

    Raises:
        InputError: for a table that cannot be read or has none of the outputs, and a metric that finds no errors.
    """
    texts = list(dict.fromkeys(text for item in design.items for text in item.outputs))
    if origin in metric_names():
        return replace(task, prefilled=spans_of_metric(origin, texts), origin=origin)
    spans, notes = spans_of_table(read_table(origin), texts, task.categories)
    tell(notes)
    return replace(task, prefilled=spans, origin=Path(origin).name)


def examples_of(file: str, *, of_criteria: bool) -> list[tuple[str, str, str]]:
    """Return texts with their ratings and the criteria by which they are rated, "" for one without a name.

    Raises:
        InputError: for a file that cannot be read, and one that lacks a column.
    """
    table = read_table(file)
    texts = table.texts(TEXT)
    ratings = [str(rating) for rating in table.column("rating", "of the examples")]
    names = [""] * len(texts)
    if of_criteria:
        names = [str(name).strip() for name in table.column("criterion", "of the examples")]
    return list(zip(texts, ratings, names, strict=True))


def readable_instructions(source: Any) -> str:
    """Return a source as raters read it: a text as it is, a list or an object of JSON as YAML."""
    import yaml  # type: ignore[import-untyped]

    layout = {"allow_unicode": True, "sort_keys": False, "default_flow_style": None, "width": 1000}
    return source if isinstance(source, str) else str(yaml.safe_dump(source, **layout)).strip()


def drawn_again(
    design: Design, pilot: str, outputs: Sequence[tuple[str, Sequence[str]]], sources: Sequence[str] | None
) -> str:
    """Return a line on the items of a pilot that were drawn again; "" if there are none."""
    from referenceless_metrics.human_evaluation.studies.earlier import items_of_study

    before = items_of_study(Design.read(pilot), outputs, sources) or frozenset()
    n = sum(item.item in before for item in design.items)
    if not n:
        return ""
    are = "1 of these items is" if n == 1 else f"{n} of these items are"
    return f"{are} in {pilot}, too: --without-study {shlex.quote(pilot)} draws others.\n"


def drawn(design: Design, folder: Path) -> str:
    """Return a description of the draw."""
    screens = [screen for shown in design.raters.values() for screen in shown]
    n = len(design.systems)
    sheets = f" or their sheet from {folder / 'sheets'}," if (folder / "sheets").is_dir() else ""
    systems = "1 system" if n == 1 else f"{n} systems"
    raters = "1 rater" if len(design.raters) == 1 else f"{len(design.raters)} raters"
    criteria = f"{len(design.criteria)} criteria, " if len(design.criteria) > 1 else ""
    earlier = f" (without {design.n_earlier} of earlier studies)" if design.n_earlier else ""
    n_equal = sum(text == other for item in design.items for text, other in combinations(item.outputs, 2))
    ties = ""
    if design.are_preferences and n_equal:
        pairs = f"{n_equal} pairs of outputs are" if n_equal > 1 else "1 pair of outputs is"
        ties = f"{pairs} equal and not shown: each rater of the item counts as saying tie.\n"
    return (
        f"{folder}: {len(design.items)} of {design.n_items} items{earlier}, {systems}, {criteria}{raters}: at "
        f"most {max(map(len, design.raters.values()))} screens each, "
        f"{sum(len(design.asked_on(screen)) for screen in screens)} ratings in all.\n"
        f"{ties}"
        f"Give each rater their page from {folder / 'pages'},{sheets} or run `referenceless rate {folder}`; keep "
        "study.json, which names the systems, to yourself.\n"
        f"Put the files that they send back into {folder / 'ratings'}; `referenceless human-score {folder}` "
        "reads them.\n"
    )
