"""The description of a table: of its own rows, of a part of them, or of rows inside them."""

from __future__ import annotations

import shlex
from collections.abc import Sequence
from dataclasses import replace
from itertools import islice, pairwise

from referenceless_metrics.advice.look.columns.choosing import with_parts
from referenceless_metrics.advice.look.columns.column import (
    Column,
    is_survey,
)
from referenceless_metrics.advice.look.columns.evidence import columns_of, where_filled
from referenceless_metrics.advice.look.columns.kinds import kinds_of_rows, told_kinds
from referenceless_metrics.advice.look.columns.messages import answers_in
from referenceless_metrics.advice.look.columns.numbered_questions import asks_of_outputs, patterns_of
from referenceless_metrics.advice.look.columns.winners import winners_in
from referenceless_metrics.advice.look.forms.described import (
    SIZE_OF_FIRST_ROWS,
    describe,
    first_rows,
    format_of,
    options_of,
)
from referenceless_metrics.advice.look.forms.description import Look, of_one_pair
from referenceless_metrics.advice.look.forms.doubts import MOST_ROWS
from referenceless_metrics.advice.look.forms.headless import begins_with_labels, look_at_headless
from referenceless_metrics.advice.look.forms.inner_rows import (
    best_rows,
    outer_names,
    rated_turns,
    texts_in_lists,
    without_outer,
)
from referenceless_metrics.advice.look.forms.plain_texts import look_at_lines
from referenceless_metrics.advice.look.forms.shapes import A_SURVEY, A_TRAINING_LOG
from referenceless_metrics.advice.look.forms.surveys import KEY_FILE, ON_THE_KEY, with_key, with_respondents
from referenceless_metrics.advice.look.forms.table_facts import cells_in
from referenceless_metrics.advice.look.lines.missing import UNKNOWN
from referenceless_metrics.advice.look.lines.parts import command_line
from referenceless_metrics.command_line.proposing import without_options
from referenceless_metrics.core.files.delimited import (
    HeaderError,
    are_texts,
    holds_data,
    looks_like_text,
)
from referenceless_metrics.core.files.n_best import N_BEST, RANK
from referenceless_metrics.core.files.reading import (
    ALL_SHEETS,
    Condition,
    Reading,
)
from referenceless_metrics.core.files.tables import BlockSize, Table, read_blocks
from referenceless_metrics.core.files.training_logs import STEPS_ALONE, is_training_log
from referenceless_metrics.core.files.workbooks import SHEET
from referenceless_metrics.core.support.validation import InputError, shortened
from referenceless_metrics.human_evaluation.language_pairs import cells_of_languages, language_pairs
from referenceless_metrics.human_evaluation.ratings.asked_rows import note_on_asked_rows
from referenceless_metrics.human_evaluation.ratings.several_scales import Scales, scales_of
from referenceless_metrics.human_evaluation.scores.columns import cells_of

_OUTER = BlockSize(20)  # outer rows that tell the columns beside inner ones

_MOST_PARTS = 8  # on scales of their own that are looked at


def look_at_table(file: str, reading: Reading) -> Look:
    """Describe a file of rows, or of lines of text."""
    kind = format_of(file, reading)
    if kind == "txt":
        return look_at_lines(file, reading)
    if kind == "xlsx" and reading.sheet is None:
        reading = _of_all_sheets(file, reading)
    blocks = read_blocks(file, reading=reading, size=SIZE_OF_FIRST_ROWS)
    try:
        table = next(blocks)
    except HeaderError as error:  # data on the first line, some of it twice
        return look_at_headless(file, reading, error.n_fields, str(error))
    is_part = len(table.rows) >= MOST_ROWS and next(blocks, None) is not None
    return _of_rows(file, kind, reading, table, is_part=is_part)


def _of_condition(file: str, kind: str, reading: Reading, table: Table, condition: Condition, *, is_part: bool) -> Look:
    """Look at the rows of a table that meet a condition; of a file that was read in part, these are read anew."""
    named = replace(reading, where=(*reading.where, condition))
    if is_part:
        return look_at_table(file, named)
    kept = [place for place, row in enumerate(table.rows) if condition.holds(row)]
    lines = [table.lines[place] for place in kept] if table.lines else []
    taken = replace(table, rows=[table.rows[place] for place in kept], lines=lines)
    return _of_rows(file, kind, named, taken, is_part=False)


def _of_rows(file: str, kind: str, reading: Reading, table: Table, *, is_part: bool) -> Look:
    """Look at the rows of a table as they are, or at rows inside them.

    Args:
        file: the file.
        kind: its format.
        reading: the way in which it was read.
        table: its rows, or the first ones.
        is_part: whether there are others.
    """
    columns = columns_of(table)
    if not reading.rows_in and is_training_log(table):
        plain = with_parts(columns, dict.fromkeys(table.columns, ""))
        of_steps = (*table.notes, STEPS_ALONE)
        return Look(file, f".{kind}", len(table.rows), is_part, tuple(plain), A_TRAINING_LOG, of_steps)
    if reading.rows_in:
        outer = next(read_blocks(file, reading=replace(reading, rows_in=None, where=()), size=_OUTER))
        columns = without_outer(columns, outer_names(outer.rows, reading.rows_in))
    kinds = None if reading.where or reading.rows_in else kinds_of_rows(table, columns)
    if kinds is not None:
        first, other = (_of_condition(file, kind, reading, table, each, is_part=is_part) for each in kinds)
        told = (told_kinds(table, columns, kinds), *first.notes)
        further = [line for line in other.commands if line.split()[1] in ("human-score", "agreement", "compare")]
        commands = (*first.commands, *further)
        return replace(first, n_rows=len(table.rows), columns=tuple(columns), notes=told, commands=commands)
    inside = None if reading.rows_in else answers_in(table, columns) or best_rows(table, columns)
    turns = None if reading.rows_in or inside is not None else rated_turns(table)
    if turns is not None:
        return look_at_table(file, replace(reading, rows_in=turns.path, where=(*reading.where, turns.condition)))
    if inside is None and not reading.rows_in:
        inside = texts_in_lists(table, columns)
    if inside is not None:
        found = look_at_table(file, replace(reading, rows_in=inside))
        found = replace(found, commands=tuple(dict.fromkeys(_of_outer_rows(line, table) for line in found.commands)))
        if not winners_in(table, columns):
            return found
        compared = describe(file, f".{kind}", table, reading, columns, is_part=is_part)
        lines = [line for line in compared.commands if line.split()[1] in ("human-score", "agreement")]
        return replace(found, commands=(*found.commands, *lines))
    pairs = language_pairs([cells_of_languages(table)])
    if pairs is not None:
        of_one = of_one_pair(_of_condition(file, kind, reading, table, pairs.first, is_part=is_part), pairs)
        return replace(of_one, n_rows=len(table.rows), columns=tuple(columns))
    condition = None if reading.where else where_filled(table, columns)
    if condition is not None:
        found = _of_condition(file, kind, reading, table, condition, is_part=is_part)
        n_others = sum(not condition.holds(row) for row in table.rows)
        note = f"{n_others} of {len(table.rows)} rows have no ratings: the lines leave them out (--where {condition})"
        rated = [column.name for column in found.columns if column.part in ("rating", "rating of a rater")]
        asked = [told for name in rated for told in note_on_asked_rows(table, name)]
        return replace(found, notes=(note, *asked, *found.notes))
    scales = None if reading.where else _scales(table, columns)
    if scales is not None:
        conditions = [Condition(scales[0].column, name) for name in islice(scales[0].ends, _MOST_PARTS)]
        of_parts = _of_parts(
            conditions, [_of_condition(file, kind, reading, table, each, is_part=is_part) for each in conditions]
        )
        told = (scales[0].told(f"column {scales[1]!r}"), _on_parts(scales[0]))
        return replace(of_parts, n_rows=len(table.rows), columns=tuple(columns), notes=(*told, *of_parts.notes))
    are_asked = asks_of_outputs(columns)
    if are_asked:
        told = ("text", "item", "system")
        about = [column.name for column in columns if column.kind == "labels" and column.part in told]
        columns = with_parts(columns, dict.fromkeys(about, ""))
    if are_asked or is_survey(table, columns):
        columns = with_respondents(columns, len(table.rows))
        found = describe(file, f".{kind}", table, reading, columns, is_part=is_part)
        lines = with_key(file, reading, [*patterns_of([column.name for column in columns]), KEY_FILE])
        notes = [note for note in found.notes if not note.startswith(UNKNOWN)]  # the key names systems
        return replace(found, shape=A_SURVEY, commands=tuple(lines), notes=(*notes, ON_THE_KEY))
    if RANK in table.columns and set(table.columns) <= {RANK, *N_BEST} and not reading.columns:
        return _candidates(file, table, reading, is_part=is_part)
    if table.has_lines and looks_like_text(table.columns) and not reading.columns:
        named = replace(reading, columns=("text",))
        texts = first_rows(file, named)
        found = describe(file, "texts without a header", texts, named, columns_of(texts), is_part=is_part)
        note = "the first line seems to be a text, and not the name of a column (--columns)"
        return replace(found, notes=(note, *found.notes))
    has_data = holds_data(table.columns, table.rows) or are_texts(table.columns) or begins_with_labels(file, table)
    if table.has_lines and has_data and not reading.columns:
        return look_at_headless(file, reading, len(table.columns))
    return describe(file, f".{kind}", table, reading, columns, is_part=is_part)


def _of_outer_rows(line: str, table: Table) -> str:
    """Return a command line on rows inside a table, and one that compares outputs beside them on the table's own rows.

    The rows inside, such as those of each system's ratings, repeat these outputs.
    """
    words = shlex.split(line)
    options = list(pairwise(words))
    texts = [after for before, after in options if before == "--text-column"]
    if words[1] != "compare" or len(texts) < 2 or not all(name in table.columns for name in texts):
        return line
    inside = [before for before, after in options if before.endswith("-column") and not table.has(after)]
    return command_line(*without_options(words[1:], ("--rows-in", *inside)))


def _candidates(file: str, table: Table, reading: Reading, *, is_part: bool) -> Look:
    """Look at a list of the best candidates of each input."""
    columns = [replace(column, part="") if column.part == "score" else column for column in columns_of(table)]
    lines = (
        command_line("score", file, "--where", f"{RANK}=1", *options_of(reading)),
        command_line("rerank", file, *options_of(reading), "--format", "jsonl"),
    )
    n_inputs = len(set(cells_in(table, "item")))
    notes = (*table.notes, f"{len(table.rows)} candidates of {n_inputs} inputs; the model's score is no quality")
    return Look(file, "an n-best list", len(table.rows), is_part, tuple(columns), "candidates of inputs", notes, lines)


def _scales(table: Table, columns: Sequence[Column]) -> tuple[Scales, str] | None:
    """Return the parts of a table whose ratings are on other scales, and the column of ratings; None for one scale."""
    told = ("criterion", "metric", "rater", "system", "item")
    besides = {column.name for column in columns if column.part in told or (column.is_numeric and column.part)}
    besides -= {column.name for column in columns if column.part in ("cluster", "slice")}
    rated = [column for column in columns if column.part in ("rating", "score", "rating of a rater")]
    for column in rated:
        if column.kind != "whole numbers" or any(each.part in ("criterion", "metric") for each in columns):
            continue
        found = scales_of(table, table.as_numbers(cells_of(table, column.name)), besides)
        if found is not None:
            return found, column.name
    return None


def _of_parts(conditions: Sequence[Condition], looks: Sequence[Look]) -> Look:
    """Return the look at the largest part of a table; lines that fit another part alone, by other columns, follow."""
    first, *others = zip(conditions, looks, strict=True)
    lines = list(first[1].commands)
    usual = {_of_part(line, first[0]) for line in lines}
    for taken, found in others:
        further = [line for line in found.commands if line.split()[1] in ("human-score", "agreement")]
        lines += [line for line in further if _of_part(line, taken) not in usual]
        usual.update(_of_part(line, taken) for line in found.commands)
    return replace(first[1], commands=tuple(lines))


def _of_part(line: str, condition: Condition) -> str:
    """Return a command line without the condition that leaves a part of a table."""
    return line.replace(command_line("--where", str(condition)).partition(" ")[2], "")


def _on_parts(scales: Scales) -> str:
    """Say which part lines are of, and how those of another one are called."""
    first, *others = (f"{scales.column}={name}" for name in scales.ends)
    return (
        f"columns are shown over all rows; lines take one part each: for another than {first} put "
        f"{shortened(', '.join(others), 80)} in its place"
    )


def _of_all_sheets(file: str, reading: Reading) -> Reading:
    """Return how to read all sheets of a workbook if there are several and they have the same columns."""
    every = replace(reading, sheet=ALL_SHEETS)
    try:
        rows = first_rows(file, every).rows
    except InputError:
        return reading
    return every if len({row[SHEET] for row in rows}) > 1 else reading
