"""The description of a table: of its own rows, of a part of them, or of rows inside them."""

from __future__ import annotations

import shlex
from collections.abc import Collection, Sequence
from dataclasses import dataclass, replace
from itertools import islice, pairwise

from referenceless_metrics.advice.look.columns.choosing import with_parts
from referenceless_metrics.advice.look.columns.column import Column
from referenceless_metrics.advice.look.columns.evidence import columns_of, where_filled
from referenceless_metrics.advice.look.columns.kinds import kinds_of_rows, told_kinds
from referenceless_metrics.advice.look.columns.messages import answers_in
from referenceless_metrics.advice.look.columns.named_columns import is_survey
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
from referenceless_metrics.core.files.delimited import HeaderError, are_texts, holds_data, looks_like_text
from referenceless_metrics.core.files.n_best import N_BEST, RANK
from referenceless_metrics.core.files.reading import ALL_SHEETS, Condition, Reading
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


def look_at_table(file: str, reading: Reading, rated: Collection[str] = ()) -> Look:
    """Describe a file of rows, or of lines of text.

    Args:
        file: the file.
        reading: the way to read it.
        rated: see `columns_of`.
    """
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
    return _look_at_rows(file, kind, reading, table, is_part=is_part, rated=rated)


@dataclass(frozen=True)
class _Rows:
    """Rows that are looked at.

    Attributes:
        file: the file.
        kind: its format.
        reading: the way in which it was read.
        table: its rows, or the first ones.
        columns: their columns.
        is_part: whether there are other rows.
    """

    file: str
    kind: str
    reading: Reading
    table: Table
    columns: Sequence[Column]
    is_part: bool

    @property
    def are_all(self) -> bool:
        """Whether no condition chose them."""
        return not self.reading.where

    @property
    def are_outer(self) -> bool:
        """Whether they are the file's own rows, and none inside these."""
        return not self.reading.rows_in

    def meeting(self, condition: Condition) -> Look:
        """Look at those that meet a condition; of a file that was read in part, these are read anew."""
        named = replace(self.reading, where=(*self.reading.where, condition))
        if self.is_part:
            return look_at_table(self.file, named)
        kept = [place for place, row in enumerate(self.table.rows) if condition.holds(row)]
        lines = [self.table.lines[place] for place in kept] if self.table.lines else []
        taken = replace(self.table, rows=[self.table.rows[place] for place in kept], lines=lines)
        return _look_at_rows(self.file, self.kind, named, taken, is_part=False)

    def with_columns_of_all(self, found: Look, notes: Sequence[str]) -> Look:
        """Return the look at a part of these rows with all rows' number and columns, and with notes."""
        return replace(found, n_rows=len(self.table.rows), columns=tuple(self.columns), notes=(*notes, *found.notes))

    def described(self, columns: Sequence[Column]) -> Look:
        """Describe them as they are."""
        return describe(self.file, f".{self.kind}", self.table, self.reading, columns, is_part=self.is_part)


def _look_at_rows(
    file: str, kind: str, reading: Reading, table: Table, *, is_part: bool, rated: Collection[str] = ()
) -> Look:
    """Look at the rows of a table by the first way that fits them: a part of them, rows inside them, or as they are."""
    columns = columns_of(table, rated)
    if reading.rows_in:
        outer = next(read_blocks(file, reading=replace(reading, rows_in=None, where=()), size=_OUTER))
        columns = without_outer(columns, outer_names(outer.rows, reading.rows_in))
    rows = _Rows(file, kind, reading, table, columns, is_part)
    for way in (
        _training_log,
        _two_kinds,
        _rows_inside,
        _language_pair,
        _filled_rows,
        _several_scales,
        _survey,
        _candidates,
        _without_header,
    ):
        found = way(rows)
        if found is not None:
            return found
    return rows.described(columns)


def _training_log(rows: _Rows) -> Look | None:
    """Look at a log of a training, which no command reads."""
    table = rows.table
    if not rows.are_outer or not is_training_log(table):
        return None
    plain = with_parts(rows.columns, dict.fromkeys(table.columns, ""))
    notes = (*table.notes, STEPS_ALONE)
    return Look(rows.file, f".{rows.kind}", len(table.rows), rows.is_part, tuple(plain), A_TRAINING_LOG, notes)


def _two_kinds(rows: _Rows) -> Look | None:
    """Look at rows of two kinds, one after the other: dialogues and their turns, say."""
    kinds = kinds_of_rows(rows.table, rows.columns) if rows.are_all and rows.are_outer else None
    if kinds is None:
        return None
    first, other = map(rows.meeting, kinds)
    further = [line for line in other.commands if line.split()[1] in ("human-score", "agreement", "compare")]
    found = replace(first, commands=(*first.commands, *further))
    return rows.with_columns_of_all(found, [told_kinds(rows.table, rows.columns, kinds)])


def _rows_inside(rows: _Rows) -> Look | None:
    """Look at the rows that stand in lists inside these: answers, rated turns, or texts."""
    if not rows.are_outer:
        return None
    table, columns = rows.table, rows.columns
    inside = answers_in(table, columns) or best_rows(table, columns)
    turns = rated_turns(table) if inside is None else None
    if turns is not None:
        where = (*rows.reading.where, turns.condition)
        return look_at_table(rows.file, replace(rows.reading, rows_in=turns.path, where=where))
    inside = inside or texts_in_lists(table, columns)
    if inside is None:
        return None
    found = look_at_table(rows.file, replace(rows.reading, rows_in=inside))
    commands = dict.fromkeys(_of_outer_rows(line, table) for line in found.commands)
    compared = rows.described(columns).commands if winners_in(table, columns) else ()
    of_people = [line for line in compared if line.split()[1] in ("human-score", "agreement")]
    return replace(found, commands=(*commands, *of_people))


def _language_pair(rows: _Rows) -> Look | None:
    """Look at the rows of one of several pairs of languages."""
    pairs = language_pairs([cells_of_languages(rows.table)])
    if pairs is None:
        return None
    return rows.with_columns_of_all(of_one_pair(rows.meeting(pairs.first), pairs), [])


def _filled_rows(rows: _Rows) -> Look | None:
    """Look at the rows that have ratings, if another column tells which do."""
    table = rows.table
    condition = where_filled(table, rows.columns) if rows.are_all else None
    if condition is None:
        return None
    found = rows.meeting(condition)
    n_others = sum(not condition.holds(row) for row in table.rows)
    note = f"{n_others} of {len(table.rows)} rows have no ratings: the lines leave them out (--where {condition})"
    rated = [column.name for column in found.columns if column.part in ("rating", "rating of a rater")]
    asked = [told for name in rated for told in note_on_asked_rows(table, name)]
    return replace(found, notes=(note, *asked, *found.notes))


def _several_scales(rows: _Rows) -> Look | None:
    """Look at the parts of a table whose ratings are on other scales."""
    told = _scales(rows.table, rows.columns) if rows.are_all else None
    if told is None:
        return None
    scales, rated = told
    conditions = [Condition(scales.column, name) for name in islice(scales.ends, _MOST_PARTS)]
    found = _of_parts(conditions, list(map(rows.meeting, conditions)))
    return rows.with_columns_of_all(found, [scales.told(f"column {rated!r}"), _on_parts(scales)])


def _survey(rows: _Rows) -> Look | None:
    """Look at a survey, whose questions a key joins with systems and items."""
    columns = rows.columns
    are_asked = asks_of_outputs(columns)
    if are_asked:
        told = ("text", "item", "system")
        about = [column.name for column in columns if column.kind == "labels" and column.part in told]
        columns = with_parts(columns, dict.fromkeys(about, ""))
    if not are_asked and not is_survey(rows.table, columns):
        return None
    columns = with_respondents(columns, len(rows.table.rows))
    found = rows.described(columns)
    questions = [*patterns_of([column.name for column in columns]), KEY_FILE]
    lines = with_key(rows.file, rows.reading, questions)
    notes = [note for note in found.notes if not note.startswith(UNKNOWN)]  # the key names systems
    return replace(found, shape=A_SURVEY, commands=tuple(lines), notes=(*notes, ON_THE_KEY))


def _without_header(rows: _Rows) -> Look | None:
    """Look at a table whose first line is a text, or holds data."""
    file, table, reading = rows.file, rows.table, rows.reading
    if not table.has_lines or reading.columns:
        return None
    if looks_like_text(table.columns):
        named = replace(reading, columns=("text",))
        texts = first_rows(file, named)
        found = describe(file, "texts without a header", texts, named, columns_of(texts), is_part=rows.is_part)
        note = "the first line seems to be a text, and not the name of a column (--columns)"
        return replace(found, notes=(note, *found.notes))
    if holds_data(table.columns, table.rows) or are_texts(table.columns) or begins_with_labels(file, table):
        return look_at_headless(file, reading, len(table.columns))
    return None


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


def _candidates(rows: _Rows) -> Look | None:
    """Look at a list of the best candidates of each input."""
    table, reading = rows.table, rows.reading
    if RANK not in table.columns or not set(table.columns) <= {RANK, *N_BEST} or reading.columns:
        return None
    columns = [replace(column, part="") if column.part == "score" else column for column in columns_of(table)]
    lines = (
        command_line("score", rows.file, "--where", f"{RANK}=1", *options_of(reading)),
        command_line("rerank", rows.file, *options_of(reading)),
        command_line("rerank", rows.file, *options_of(reading), "--mbr", "bleu"),
    )
    n_inputs = len(set(cells_in(table, "item")))
    notes = (*table.notes, f"{len(table.rows)} candidates of {n_inputs} inputs; the model's score is no quality")
    shape = "candidates of inputs"
    return Look(rows.file, "an n-best list", len(table.rows), rows.is_part, tuple(columns), shape, notes, lines)


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
