"""The description of a table whose columns are known: its shape, doubts, and command lines that fit."""

from __future__ import annotations

import shlex
from collections.abc import Iterator, Sequence
from dataclasses import replace
from itertools import pairwise
from pathlib import Path

import numpy as np

from referenceless_metrics.advice.look.columns.column import Column
from referenceless_metrics.advice.look.columns.column_parts import is_of_own_metric
from referenceless_metrics.advice.look.columns.designs import patterns_of_criteria
from referenceless_metrics.advice.look.columns.messages import dialogues_in
from referenceless_metrics.advice.look.columns.winners import deciders_in, n_named, winners_in
from referenceless_metrics.advice.look.forms.description import Look
from referenceless_metrics.advice.look.forms.doubts import MOST_ROWS, doubts_about, on_documents, on_references
from referenceless_metrics.advice.look.forms.other_languages import OF_OTHER_LANGUAGE, are_foreign
from referenceless_metrics.advice.look.forms.shapes import A_MEAN_PER_SYSTEM
from referenceless_metrics.advice.look.forms.system_columns import columns_of_systems, lists_of_systems
from referenceless_metrics.advice.look.forms.table_facts import (
    are_means,
    are_unpaired,
    cells_in,
    column_of_repeated_numbers,
    have_no_order,
    have_one_rater_each,
    have_other_inputs,
    have_several_texts,
    have_unnamed_raters,
    ids_in,
    items_in,
    items_of_systems,
    keys_repeat,
    n_outputs_of_first,
    n_ratings_of_each,
    n_systems_compared,
    names_absent,
    of_controls,
    orders_in,
    repeats_texts,
    rows_are_items,
    scores_of_outputs,
    share_few_items,
    systems_apart,
    text_order_in,
    words_by_criterion,
)
from referenceless_metrics.advice.look.lines.checking import are_doubtful, without_refused
from referenceless_metrics.advice.look.lines.missing import missing_parts
from referenceless_metrics.advice.look.lines.options_of_parts import MOST_RATINGS
from referenceless_metrics.advice.look.lines.parts import Parts, shape_of
from referenceless_metrics.advice.look.lines.proposals import command_lines, without_second_tests
from referenceless_metrics.advice.look.lines.ranked import columns_of_ranks, ranks_in, ties_in
from referenceless_metrics.core.files.delimited import HeaderError
from referenceless_metrics.core.files.formats_of_files import file_format
from referenceless_metrics.core.files.joined_names import with_single_names
from referenceless_metrics.core.files.json_rows import TEXT
from referenceless_metrics.core.files.reading import Reading, cell_of, cell_text
from referenceless_metrics.core.files.tables import BlockSize, Table, read_blocks
from referenceless_metrics.core.support.validation import InputError, finite_number, shortened
from referenceless_metrics.human_evaluation.ratings.exports.answers import RATING
from referenceless_metrics.human_evaluation.scores.items import MEANS_ALONE

SIZE_OF_FIRST_ROWS = BlockSize(MOST_ROWS, 2**25)

_WORDS = 2.5  # words between two commas of a sentence, in the mean

_FIRST_LINES = BlockSize(50)

_LOW = 0.1  # share of the lowest values that a limit leaves out


def first_rows(file: str, reading: Reading) -> Table:
    """Return the rows of a file that are looked at."""
    return next(read_blocks(file, reading=reading, size=SIZE_OF_FIRST_ROWS))


def format_of(file: str, reading: Reading) -> str:
    """Return the format of a file; of one whose suffix is not known, and that is no table of columns, `txt`.

    Commands that take texts read such a file as a text per line, such as a side of a parallel corpus (`news.en`).
    """
    kind = file_format(file, reading, "csv")
    if kind != "csv" or file_format(file, reading, "txt") != "txt":
        return kind
    if holds_sentences(file, reading):
        return "txt"
    try:
        n_columns = len(first_rows(file, reading).columns)
    except HeaderError:
        return kind
    except InputError:  # lines with other numbers of commas
        n_columns = 1
    return "txt" if n_columns == 1 else kind


def holds_sentences(file: str, reading: Reading) -> bool:
    """Say whether the commas in the first lines of a file are those of sentences.

    Each has a blank behind it, and between them stand words, in the first line, too, and no numbers alone.
    """
    table = next(read_blocks(file, reading=replace(reading, format="txt"), size=_FIRST_LINES))
    lines = [str(row[TEXT]) for row in table.rows]
    parts = [[part for part in line.split(",") if part.strip()] for line in lines]
    inside = [part for of_line in parts for part in of_line]
    are_words = all(finite_number(part) is None for part in inside)
    are_long = all(len(" ".join(each).split()) >= _WORDS * len(each) > 0 for each in (*parts[:1], inside))
    text = "".join(f"{line} " for line in lines)
    return text.count(",") == text.count(", ") > 0 and are_words and are_long


def options_of(reading: Reading) -> list[str]:
    """Return the options that a reading stands for."""
    names = {"format": "--input-format", "encoding": "--encoding", "delimiter": "--delimiter", "sheet": "--sheet"}
    names["rows_in"] = "--rows-in"
    options = [
        word for field, option in names.items() if (value := getattr(reading, field)) for word in (option, value)
    ]
    if reading.columns:
        options += ["--columns", ",".join(reading.columns)]
    for each in reading.where:
        options += ["--where", str(each)]
    return options


def _of_one_criterion(table: Table, parts: Parts) -> list[str]:
    """Return the condition that leaves the rows of one criterion; none without a column of criteria or metrics."""
    name = parts.first("criterion") or parts.first("metric")
    return [] if name is None else ["--where", f"{name}={cell_text(cell_of(table.rows[0], name))}"]


def describe(file: str, form: str, table: Table, reading: Reading, columns: Sequence[Column], *, is_part: bool) -> Look:
    """Describe a table whose columns are known: its shape, doubts, and the command lines that fit.

    Args:
        file: the file.
        form: its form, in words.
        table: its rows, or the first ones.
        reading: the way in which it was read.
        columns: its columns, each with the part that it may play.
        is_part: whether there are other rows.
    """
    conditioned = {condition.column for condition in reading.where}  # one cluster or slice is no part of anything
    columns = [
        replace(column, part="") if column.part in ("cluster", "slice") and column.name in conditioned else column
        for column in columns
    ]
    plain = Parts(columns, options_of(reading))
    named = plain.first("system") if table.rows else None
    single, joined = (table, []) if named is None else with_single_names(table, named)
    parts = _with_facts(table, single, plain, reading, are_joined=bool(joined)) if table.rows else plain
    if are_means(table, parts):
        told = (*table.notes, f"each system has one row: {MEANS_ALONE}")
        return Look(file, form, len(table.rows), is_part, tuple(columns), A_MEAN_PER_SYSTEM, told)
    notes = [*table.notes, *joined, *on_documents(table, parts), *doubts_about(table, parts)]
    notes += [OF_OTHER_LANGUAGE] if parts.are_foreign else []
    systems = [] if named is None else list(map(str, cells_in(single, named)))
    notes += [] if named is None else on_references(systems, named)
    parts = replace(parts, repeated=_repeated_ratings(table, parts))
    lines, on_lines = _lines_that_work(file, table, parts, is_part=is_part)
    notes += on_lines
    notes += _further_ratings(parts, lines) if lines else missing_parts(file, parts)
    ids = ids_in(table, parts)
    return Look(
        file,
        form,
        len(table.rows),
        is_part,
        tuple(columns),
        shape_of(parts),
        tuple(notes),
        tuple(lines),
        items=items_in(table, parts),
        ids={name: of for name, of in ids.items() if len(of) == len(table.rows) > 1},
        repeated_ids={name: of for name, of in ids.items() if len(of) < len(table.rows)},
        orders=orders_in(table, parts),
        text_order=text_order_in(table, parts),
        systems=tuple(dict.fromkeys(systems)),
    )


def _with_facts(table: Table, single: Table, plain: Parts, reading: Reading, *, are_joined: bool) -> Parts:
    """Return the parts of a table's columns with what its rows tell.

    Args:
        table: its rows.
        single: these with the name of one system in each.
        plain: the parts that columns play.
        reading: the way in which the table was read.
        are_joined: whether cells name several systems.
    """
    columns = plain.columns
    begin_again = column_of_repeated_numbers(table, plain)
    by_system = items_of_systems(single, plain, begin_again)
    parts = replace(
        plain,
        one_criterion=_of_one_criterion(table, plain),
        are_unpaired=are_unpaired(by_system) or have_no_order(single, plain),
        share_few_items=share_few_items(by_system),
        have_other_items=len(set(map(frozenset, by_system.values()))) > 1 or have_other_inputs(single, plain),
        apart=systems_apart(by_system),
        are_joined=are_joined,
        begin_again=begin_again,
        listed=lists_of_systems(table, plain),
        of_systems=columns_of_ranks(table, plain) or columns_of_systems(table, plain),
        n_outputs=n_outputs_of_first(single, plain, begin_again),
        n_ratings_each=n_ratings_of_each(single, plain),
        have_unnamed_raters=have_unnamed_raters(table, plain),
        criteria={} if reading.rows_in else patterns_of_criteria(table, columns),
        of_controls=of_controls(table, columns),
        dialogues=[] if reading.rows_in else dialogues_in(table),
        limits=_limits(table, columns),
        rows_are_items=rows_are_items(table, plain),
        texts_are_no_items=plain.first("rater") is not None and repeats_texts(table, plain),
        words=words_by_criterion(table, plain),
        of_outputs=scores_of_outputs(table, plain),
        are_foreign=are_foreign(table, plain),
    )
    ranks = ranks_in(table, parts)
    parts = replace(parts, ranks=ranks, ties=ties_in(table, ranks), n_compared=n_systems_compared(table, plain))
    winners = winners_in(table, columns)
    if not winners:
        return parts
    deciders = deciders_in(table, columns, winners)
    return replace(parts, winners=winners, n_compared=n_named(table, winners[0]), deciders=deciders)


def _lines_that_work(file: str, table: Table, parts: Parts, *, is_part: bool) -> tuple[list[str], list[str]]:
    """Return the command lines that fit a table and that its rows do not refuse, and notes on the others.

    Args:
        file: the file.
        table: its rows, or the first ones.
        parts: the parts of its columns.
        is_part: whether there are other rows: what these hold is not known.
    """
    notes = []
    again = {("--rating-column", name) for name in parts.repeated}
    lines = [
        line
        for line in command_lines(file, parts)
        if again.isdisjoint(pairwise(shlex.split(line)))
        and not names_absent(line, table)
        and not keys_repeat(line, table)
        and not have_several_texts(line, table)
    ]
    if not is_part and have_one_rater_each(table, parts):
        lines = [line for line in lines if line.split()[1] != "agreement"]
        notes.append(_no_two_raters(table, parts))
    may_be_refused = are_doubtful(table, parts) or any("--rows-in" in shlex.split(line) for line in lines)
    if not is_part and may_be_refused and Path(file).is_file():
        lines, refused = without_refused(lines)
        notes += refused
    lines = without_second_tests(file, parts, lines)
    if any("--scored" in line.split() for line in lines):
        notes.append("the limit of `filter` leaves out about the lowest tenth of these values, however good they are")
    return lines, notes


def _limits(table: Table, columns: Sequence[Column]) -> dict[str, float]:
    """Return a limit for each column of a metric of this package: the end of the lowest tenth of its values.

    There is none if so many values are equal that it leaves out far more.
    """
    found = {}
    for column in columns:
        if is_of_own_metric(column.name, column.kind, column.shown) and column.is_numeric:
            values = table.as_numbers(cells_in(table, column.name))
            limit = float(f"{np.nanquantile(values, _LOW):.3g}")
            if np.nanmean(values <= limit) < 2 * _LOW:
                found[column.name] = limit
    return found


def _further_ratings(parts: Parts, lines: Sequence[str]) -> Iterator[str]:
    """Yield a remark on columns of ratings beyond those that get command lines of their own, if no line has them.

    There is none if no line takes ratings, as with preferences.
    """
    further = parts.ratings if len(parts.all("rating of a rater")) > 1 else parts.ratings[MOST_RATINGS:]
    named = {word for line in lines for word in shlex.split(line)}
    further = [name for name in further if name not in named]
    if further and "--rating-column" in named:
        listed = shortened(", ".join(further), 120)
        told = f"; in a line with {parts.ratings[0]} put one in its place" if further != parts.ratings else ""
        yield f"further columns of ratings, for --rating-column: {listed}{told}"


def _repeated_ratings(table: Table, parts: Parts) -> list[str]:
    """Return the columns of ratings whose cells are those of the column called `rating`, as an export has them."""
    names = parts.ratings
    if RATING not in names:
        return []
    cells = cells_in(table, RATING)
    return [name for name in names if name != RATING and cells_in(table, name) == cells]


def _no_two_raters(table: Table, parts: Parts) -> str:
    """Return the remark that no output was rated by two raters."""
    raters = set(map(str, cells_in(table, str(parts.first("rater")))))
    if len(raters) == 1:
        return f"all ratings are of one rater, {min(raters)!r}, so that nothing is said of how far raters agree"
    told_by = parts.first("item") or parts.text
    return (
        f"no output was rated by two raters, by column {told_by!r}, so that nothing is said of how far they agree "
        "(--item-column, if another column tells what was rated)"
    )
