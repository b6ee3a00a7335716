"""The rows of one file of scores, with their keys as text and their scores as numbers."""

from __future__ import annotations

import math
from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from shlex import quote
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from referenceless_metrics.command_line.cluster_files import clusters_by_line, is_cluster_file, places_within
from referenceless_metrics.core.files.formats_of_files import suffix_of
from referenceless_metrics.core.files.joined_names import with_single_names
from referenceless_metrics.core.files.json_rows import NUMBER, TEXT
from referenceless_metrics.core.files.left_out_rows import is_blank
from referenceless_metrics.core.files.marked_numbers import told_times
from referenceless_metrics.core.files.names import metric_of_file, without_metric
from referenceless_metrics.core.files.reading import BY_SUFFIX, Reading, cell_of, from_json, names_in
from referenceless_metrics.core.files.tables import ColumnName, Table
from referenceless_metrics.core.files.text_io import read_table, read_texts
from referenceless_metrics.core.files.training_logs import check_is_no_training_log
from referenceless_metrics.core.support.validation import Booleans, Floats, InputError
from referenceless_metrics.human_evaluation.exports.error_lists import ERRORS
from referenceless_metrics.human_evaluation.exports.reading import RATING_FORMS, read_export
from referenceless_metrics.human_evaluation.exports.rows import DOCUMENT, Export
from referenceless_metrics.human_evaluation.exports.sighting import sight, split_table
from referenceless_metrics.human_evaluation.exports.spans import MQM, MQM_WEIGHTS
from referenceless_metrics.human_evaluation.inference.unnamed_clusters import (
    cluster_in_key,
    note_on_columns,
    note_on_told,
)
from referenceless_metrics.human_evaluation.language_pairs import check_one_pair, check_pair_of_table
from referenceless_metrics.human_evaluation.ratings.column_grid import are_criteria
from referenceless_metrics.human_evaluation.ratings.model_raters import (
    MODELS,
    PEOPLE,
    TOOLS,
    UNKNOWN,
    are_criteria_of_one_judge,
    are_models,
    scores_given_by,
)
from referenceless_metrics.human_evaluation.ratings.several_scales import scales_of
from referenceless_metrics.human_evaluation.ratings.texts_as_names import check_are_no_texts
from referenceless_metrics.human_evaluation.ratings.unrated_rows import without_unrated_rows
from referenceless_metrics.human_evaluation.scores.benchmarks import with_metric_column, without_averages
from referenceless_metrics.human_evaluation.scores.columns import (
    ACCURACY,
    KEYS,
    SCORE,
    ScoreColumns,
    answers_right,
    are_of_metrics,
    cells_of,
    column_of_outputs,
    numeric_columns,
    quoted,
    score_numbers,
    squad_scores,
    system_column,
    written_scores,
)
from referenceless_metrics.human_evaluation.scores.learned import is_estimate, learned_note, without_learned
from referenceless_metrics.human_evaluation.scores.system_in_names import check_called_alike

if TYPE_CHECKING:
    import pandas as pd

_EACH_IS_A_SYSTEM = "the columns {} are the scores of one system each"
_MAY_BE_BLANK = ("cluster", "slice")
_MOST_SYSTEMS = 12  # columns of numbers that a message names as options


@dataclass(frozen=True)
class ScoreReading:
    """The way in which files of scores are read.

    Attributes:
        columns: names of the tables' columns.
        words: the numbers that words in scores stand for; None for no words.
        weights: weights of marked errors, by severity and category.
        reading: the way to read tables.
        are_judged: whether the scores are judged by ratings: clusters then count if they are named, and only then, and
            the ratings may hold their column, as that of raters, in place of the scores.
        squad: whether answers are held against right ones as SQuAD does, by exact match and F1.
    """

    columns: ScoreColumns = field(default_factory=ScoreColumns)
    words: Mapping[str, float] | None = None
    weights: Mapping[str, float] = field(default_factory=lambda: MQM_WEIGHTS)
    reading: Reading = BY_SUFFIX
    are_judged: bool = False
    squad: bool = False


@dataclass(frozen=True)
class Part:
    """The rows of one file.

    Attributes:
        file: the file.
        frame: one row per row of the file: the text columns `KEYS` ("" for those that the file does not tell),
            `metric`, and a column of numbers for each score, named by `scores`; of an export that holds outputs `text`.
        scores: the column of each score in `frame`, by the score's name.
        has_items: whether `item` is told; if not, it is "" in all rows.
        names_systems: whether the file itself tells the systems.
        table: the table that the rows are from; None for an export.
        has: for each score by its name, True for rows that have it; all have it if its name is not there. A row without
            it is no missing score.
        assumed: assumptions made, in sentences.
        notes: rows that were left out, in sentences.
        given_by: who gave the scores, as `ratings.model_raters` tells it.
        is_wide: whether each row of the file is a row of each system in `frame`, one system after another.
        item_column: the column that tells items, if nobody named it and it is not called so; "" otherwise.
        estimates: the scores that estimate ratings.
        ends: the ends of the scales of scores, by name, as far as an export tells them.
        guessed: the score that nobody named, the only numbers of a table and not called as scores; "" otherwise.
        listed: the columns of scores whose cells hold several, as the file calls them.
        are_lines: whether items are the lines that were scored, in their order, and nothing else numbers them.
    """

    file: str
    frame: pd.DataFrame
    scores: Mapping[str, str]
    has_items: bool
    names_systems: bool
    table: Table | None = None
    has: Mapping[str, Booleans] = field(default_factory=dict)
    assumed: tuple[str, ...] = ()
    notes: tuple[str, ...] = ()
    given_by: str = UNKNOWN
    is_wide: bool = False
    item_column: str = ""
    estimates: frozenset[str] = frozenset()
    ends: Mapping[str, tuple[float, float]] = field(default_factory=dict)
    guessed: str = ""
    listed: tuple[str, ...] = ()
    are_lines: bool = False

    @property
    def systems(self) -> list[str]:
        """The systems, in the order in which they are met."""
        return list(self.frame["system"].unique())

    def where(self, row: int) -> str:
        """Return the place of a row of `frame` in the file."""
        return self.file if self.table is None else self.table.where(row)


_METRIC_CELLS = ("metric", "metric_name", "scorer", "measure")
"""Columns that name the metric of all rows."""


def metric_told(part: Part) -> str:
    """Return the one metric that the rows of a table name; "" if they name none, or several."""
    table = part.table
    named = next((name for name in _METRIC_CELLS if table is not None and name in table.columns), None)
    if table is None or named is None:
        return ""
    cells = {str(cell).strip() for cell in cells_of(table, named)}
    return cells.pop() if len(cells) == 1 else ""


def read_part(file: str, system: str, how: ScoreReading, *, alone: bool) -> Part:
    """Read one file, with the cluster of each row if a .txt file tells it.

    See `_read_part`.

    Raises:
        InputError: like `_read_part`, and for clusters of another number of rows.
    """
    clusters = how.columns.cluster
    if clusters is None or not is_cluster_file(clusters):
        return _read_part(file, system, how, alone=alone)
    part = _read_part(file, system, replace(how, columns=replace(how.columns, cluster=None)), alone=alone)
    n_systems = len(part.systems) if part.is_wide else 1
    rows = part.frame.iloc[: len(part.frame) // n_systems]
    others = [*(kind for kind in KEYS if kind not in ("item", "cluster")), "metric"]
    items = list(rows["item"]) if part.has_items else places_within(zip(*(rows[kind] for kind in others), strict=True))
    of_rows = clusters_by_line(clusters, items, file)
    return replace(part, frame=part.frame.assign(cluster=of_rows * n_systems))


def _read_part(file: str, system: str, how: ScoreReading, *, alone: bool) -> Part:
    """Read one file.

    Args:
        file: a table, a file of numbers, or an export of a tool.
        system: name of the system of a file that does not tell it.
        how: the way to read it.
        alone: whether there is no other file.

    Raises:
        ImportError: like `read_export`.
        InputError: for a file that cannot be read, a column that is not there, a blank key, and scores that are no
            numbers.
    """
    export = read_export(file, how.reading, how.weights) if how.columns.gold is None else None
    if export is not None:
        return _of_export(file, system, export, how, alone=alone)
    if suffix_of(file) == "txt" and how.reading.format in (None, "txt"):
        return _of_numbers(file, system, how)
    table = split_table(sight(file)) if suffix_of(file) == "json" else None
    if table is None:
        table = read_table(file, how.reading, [*how.columns.scores, *how.columns.in_use()])
    called = _called_by_file(table, how)
    name = system if called is table else without_metric(system, called.columns[0])
    part = _of_table(file, name, called, how, alone=alone)
    return replace(part, are_lines=table.columns == (NUMBER,))


def _called_by_file(table: Table, how: ScoreReading) -> Table:
    """Return a table of one column of numbers without a name, called as the metric that its file's name tells."""
    metric = metric_of_file(table.source)
    if table.columns != (NUMBER,) or how.columns.scores or not metric:
        return table
    return replace(table, columns=(metric,), rows=[{metric: row[NUMBER]} for row in table.rows])


def _of_export(file: str, system: str, export: Export, how: ScoreReading, *, alone: bool) -> Part:
    export.check_scores(file)
    check_one_pair(file, [export.languages], [how.columns.slice])
    rows = export.rows
    keys: dict[str, Sequence[str]] = {name: [getattr(row, name) for row in rows] for name in KEYS}
    if how.columns.slice is not None and how.columns.slice in export.further:
        keys["slice"] = export.further[how.columns.slice]
    if not export.names_systems:
        keys["system"] = [system] * len(rows)
    names = list(dict.fromkeys(name for row in rows for name in row.scores))
    asked = _of_file(how.columns, names.__contains__, how, alone=alone)
    chosen = list(asked.scores) or names
    absent = [name for name in chosen if name not in names]
    if absent:
        raise InputError(f"{file}: there is no score {absent[0]!r} ({export.tool}); the scores are {quoted(names, 30)}")
    numbers: dict[str, Floats] = {}
    assumed = [f"{file} is read as {export.tool}"]
    for name in chosen:
        numbers[name], note = score_numbers(file, name, [row.scores.get(name) for row in rows], how.words)
        assumed += [note] if note else []
    given_by = _giver_of_export(export)
    if alone and export.may_be_systems and len(chosen) > 1:
        assumed.append(_EACH_IS_A_SYSTEM.format(quoted(chosen)))
        scores, frame = _frame(*_melted(keys, numbers))
        return Part(file, frame, scores, True, True, assumed=tuple(assumed), given_by=given_by, is_wide=True)
    named = how.columns.cluster
    if named is not None:
        keys["cluster"] = _clusters_of_export(file, named, export, may_lack=how.are_judged)
    elif how.are_judged:
        keys["cluster"] = [""] * len(rows)
    scores, frame = _frame(keys, numbers)
    if any(row.text is not None for row in rows):
        frame[TEXT] = [row.text for row in rows]
    has = {name: np.array([name in row.scores for row in rows]) for name in chosen}
    notes = tuple(f"{file}: {note}" for note in export.notes)
    part = Part(file, frame, scores, True, export.names_systems, has=has, assumed=tuple(assumed), notes=notes)
    if named is None and frame["cluster"].ne("").any():
        own = next((own for own, name in export.own_names.items() if name == DOCUMENT), DOCUMENT)
        told = note_on_told(own, frame["item"].nunique(), frame["cluster"].nunique())
        part = replace(part, assumed=(*part.assumed, told))
    return replace(part, given_by=given_by, ends=_ends_of_export(export), are_lines=export.are_lines)


def _giver_of_export(export: Export) -> str:
    """Return who gave the scores of an export: people, unless their names are of language models; else the tool."""
    if not export.are_of_people and export.tool not in {form.name for form in RATING_FORMS}:
        return TOOLS
    return MODELS if are_models({row.rater for row in export.rows}) else PEOPLE


def _ends_of_export(export: Export) -> dict[str, tuple[float, float]]:
    """Return the ends of the scales of an export's scores: those that its tool has, and 0 of sums of marked errors."""
    names = {name for row in export.rows for name in row.scores}
    of_errors = names if export.are_penalties else names & {MQM, ERRORS}
    of_tool = {} if export.scale is None else {"score": export.scale}
    return {**dict.fromkeys(of_errors, (-math.inf, 0.0)), **of_tool}


def _clusters_of_export(file: str, column: str, export: Export, *, may_lack: bool) -> list[str]:
    """Return the cluster of each row by a column of a tool's file: that of documents, or of items, each of its own.

    Raises:
        InputError: for another column, unless other files may have it.
    """
    kind = export.own_names.get(column, column)
    is_of_documents = kind == DOCUMENT and any(row.cluster for row in export.rows)
    if kind == "item" or (may_lack and not is_of_documents):
        return [""] * len(export.rows)
    if not is_of_documents:
        known = [own for own, name in export.own_names.items() if name in (DOCUMENT, "item")]
        named = ", ".join(dict.fromkeys([*known, DOCUMENT, "item"]))
        raise InputError(f"{file}: there are no clusters {column!r} (--cluster-column) in {export.tool}: {named}")
    return [row.cluster for row in export.rows]


def _of_numbers(file: str, system: str, how: ScoreReading) -> Part:
    """Read a file with a number in each line, the scores of one system in the order of the items."""
    texts = read_texts(file, reading=how.reading)
    while texts and not texts[-1].strip():
        texts.pop()
    metric = metric_of_file(file)
    system = without_metric(system, metric) if metric else system
    name = how.columns.scores[0] if how.columns.scores else metric or SCORE
    table = Table(file, (SCORE,), [{SCORE: text} for text in texts], list(range(1, len(texts) + 1)))
    numbers, note = score_numbers(file, name, texts, how.words, table)
    scores, frame = _frame({"system": [system] * len(texts)}, {name: numbers})
    assumed = (f"{file} has a score of {system} in each line", *([note] if note else []))
    return Part(file, frame, scores, False, False, table, assumed=assumed, are_lines=True)


class _Remarks(NamedTuple):
    """What is said of a table: assumptions made, and rows that were left out, in sentences."""

    assumed: list[str]
    notes: list[str]


def _of_table(file: str, system: str, table: Table, how: ScoreReading, *, alone: bool) -> Part:
    """Return the scores of a table, a row for each of its rows and, if columns are systems, each of these."""
    _check_may_hold_scores(file, table, how)
    columns, assumed = with_metric_column(table, how.columns)
    remarks = _Remarks(list(assumed), [])
    columns = _of_file(columns, table.has, how, alone=alone)
    check_pair_of_table(table, columns.in_use())
    if how.are_judged:
        columns = _with_own_keys(table, columns)
    table = _without_double_rows(file, table, columns, remarks)
    if not how.are_judged and columns.cluster is None:
        columns = _with_told_cluster(table, columns, remarks)
    table, of_systems = _with_systems(table, columns, remarks, alone=alone)
    key_columns = {kind: _column_of(table, columns, kind) for kind in (*KEYS, "metric")}
    key_columns["system"] = of_systems
    chosen, is_wide = _score_columns(table, columns, of_systems, alone=alone)
    named = [column for kind, column in key_columns.items() if column is not None and kind not in _MAY_BE_BLANK]
    table, unscored = without_unrated_rows(table, chosen, named)
    remarks.assumed.extend(unscored)
    keys = {kind: _keys(table, column) for kind, column in key_columns.items() if column is not None}
    for kind, names in keys.items():
        check_are_no_texts(file, str(key_columns[kind]), f"--{kind}-column", names)
    raters = {name for name in keys.get("rater", ()) if name}
    if columns.gold is not None:
        numbers = _right_answers(file, table, columns.gold, chosen, how, remarks, is_wide=is_wide)
    else:
        numbers = {name: _numbers(file, table, name, how, remarks) for name in chosen}
    if columns.gold is None and columns.metric is None:  # a metric reaches higher on one test set than on another
        besides = {*columns.in_use(), str(of_systems)}
        remarks.assumed.extend(_on_scales(table, numbers, besides))
    guessed = ""
    if is_wide:
        remarks.assumed.append(_EACH_IS_A_SYSTEM.format(quoted(chosen)))
        keys, numbers = _melted(keys, numbers)
    elif not columns.scores and chosen != [SCORE]:
        guessed = "" if are_of_metrics(chosen) else str(chosen[0])
        remarks.assumed.append(f"scores stand in column {chosen[0]!r} (--score-column)")
    n_rows = len(next(iter(numbers.values())))
    keys.setdefault("system", [system] * n_rows)
    scores, frame = _frame(keys, numbers)
    written = None if is_wide else column_of_outputs(table, columns.in_use())
    if written is not None and TEXT not in frame:
        frame[TEXT] = list(cells_of(table, written))
    are_written = set(map(str, chosen)) <= set(written_scores(table.columns))  # by `score`
    score_names = [] if is_wide else list(map(str, chosen))
    return Part(
        file,
        frame,
        scores,
        has_items="item" in keys,
        names_systems=of_systems is not None or is_wide,
        table=None if is_wide else table,
        assumed=tuple(remarks.assumed),
        notes=tuple(remarks.notes),
        given_by=TOOLS if are_written else scores_given_by(score_names, raters, table),
        is_wide=is_wide,
        estimates=frozenset(name for name in scores if is_estimate(table, name)),
        guessed=guessed,
        listed=tuple(str(name) for name in chosen if table.rows and _holds_several(cell_of(table.rows[0], name))),
    )


def _check_may_hold_scores(file: str, table: Table, how: ScoreReading) -> None:
    """Check that a table has rows, and is no log of a training.

    Raises:
        InputError: if not, or for right answers without the column of the answers that they are held against.
    """
    if not table.rows:
        raise InputError(f"{file}: there are no rows in it")
    if not how.columns.in_use():
        check_is_no_training_log(table)
    if how.columns.gold is not None and not how.columns.scores:
        raise InputError(f"--gold-column {how.columns.gold} needs the column of answers: --score-column NAME")


def _of_file(columns: ScoreColumns, has: Callable[[str], bool], how: ScoreReading, *, alone: bool) -> ScoreColumns:
    """Return the columns, of several files of scores to be judged with those scores alone that the file has, if any."""
    own = tuple(filter(has, columns.scores)) if how.are_judged and not alone else ()
    return replace(columns, scores=own or columns.scores)


def _with_own_keys(table: Table, columns: ScoreColumns) -> ScoreColumns:
    """Return the columns of scores to be judged, without clusters and raters that the ratings alone have."""
    if columns.cluster is not None and not table.has_own(columns.cluster):
        columns = replace(columns, cluster=None)
    if columns.rater is not None and not table.has_own(columns.rater):
        columns = replace(columns, rater=None)
    return columns


def _without_double_rows(file: str, table: Table, columns: ScoreColumns, remarks: _Remarks) -> Table:
    """Return a table without averages of other rows, and without rows that are equal to others of the same item."""
    table, left_out = without_averages(table, columns.metric)
    if left_out:
        remarks.notes.append(f"{file}: {left_out}.")
    if _column_of(table, columns, "item") is None:  # equal rows are of two items
        return table
    named = [column for kind in (*KEYS, "metric") if (column := _column_of(table, columns, kind)) is not None]
    table, repeated = _without_equal_rows(table, named)
    if repeated:
        rows = "1 row is equal to another, and is" if repeated == 1 else f"{repeated} rows are equal to others, and are"
        remarks.notes.append(f"{file}: {rows} left out.")
    return table


def _with_told_cluster(table: Table, columns: ScoreColumns, remarks: _Remarks) -> ScoreColumns:
    """Return the columns with that of clusters which the key of items tells; a column that may tell them is noted."""
    item = _column_of(table, columns, "item")
    others = [name for name in table.columns if name not in columns.in_use()]
    note = note_on_columns(others, table.column, () if item is None else table.column(item))
    parts = names_in(item) if item is not None and item not in table.columns else []
    if len(parts) > 1:
        cluster, on_key = cluster_in_key({name: table.column(name) for name in parts})
        columns = replace(columns, cluster=cluster or None)
        remarks.assumed.extend([on_key] if on_key else [])
    if note and columns.cluster is None:
        remarks.notes.append(f"{note[0].upper()}{note[1:]}.")
    return columns


def _with_systems(
    table: Table, columns: ScoreColumns, remarks: _Remarks, *, alone: bool
) -> tuple[Table, ColumnName | None]:
    """Return a table with a name of one system in each row, and the column of these, if it has one."""
    of_systems = system_column(table, columns, alone=alone)
    if of_systems is None:
        return table, None
    table, joined = with_single_names(table, of_systems)
    remarks.assumed.extend(joined)
    if columns.system is None and of_systems != "system":
        remarks.assumed.append(f"systems stand in column {str(of_systems)!r} (--system-column)")
    return table, of_systems


def _right_answers(
    file: str,
    table: Table,
    gold: str,
    chosen: Sequence[str],
    how: ScoreReading,
    remarks: _Remarks,
    *,
    is_wide: bool,
) -> dict[str, Floats]:
    """Return how right the answers in some columns are, held against those in the column of right ones."""
    if how.squad and len(chosen) > 1:
        raise InputError(f"{file}: --squad takes one --score-column, that of answers, but got {quoted(chosen)}")
    if how.squad:
        numbers, note = squad_scores(table, chosen[0], gold)
        remarks.assumed.append(note)
        return numbers
    numbers = {}
    for name in chosen:
        called = name if is_wide or len(chosen) > 1 else ACCURACY
        numbers[called], note = answers_right(table, name, gold)
        remarks.assumed.append(note)
    return numbers


def _numbers(file: str, table: Table, name: str, how: ScoreReading, remarks: _Remarks) -> Floats:
    """Return the scores in a column.

    Args:
        file: the file.
        table: its rows.
        name: the column.
        how: the way in which they are read.
        remarks: assumptions and notes, to which those on these scores are added.

    Raises:
        InputError: for cells that are no numbers, and for times.
    """
    cells = table.column(ColumnName(name, "--score-column"), numeric=True)
    numbers, note = score_numbers(file, name, cells, how.words, table)
    remarks.assumed.extend([note] if note else [])
    if times := told_times(numbers, name):
        raise InputError(f"{file}: {times}")
    if how.are_judged:
        numbers, note = without_learned(table, name, numbers)
        remarks.assumed.extend([note] if note else [])
    elif note := learned_note(table, name, numbers):
        remarks.notes.append(note)
    return numbers


def _on_scales(table: Table, numbers: Mapping[str, Floats], besides: Collection[str]) -> list[str]:
    """Return a note on each column of whole numbers that are on other scales in parts of a table.

    Args:
        table: the table.
        numbers: the scores in each column.
        besides: columns that have a part of their own, and tell no such parts.
    """
    notes = []
    for name, values in numbers.items():
        is_whole = bool((values == np.floor(values))[np.isfinite(values)].all())
        scales = scales_of(table, values, besides) if is_whole else None
        notes += [scales.told(f"scores {name!r}")] if scales else []
    return notes


def _holds_several(cell: object) -> bool:
    inside = from_json(cell)
    return isinstance(inside, (list, tuple)) and len(inside) > 1


def _column_of(table: Table, columns: ScoreColumns, kind: str) -> ColumnName | None:
    """Return the column of a kind of key; that of items is `item` if nobody names another, and there is one."""
    if kind == "item" and columns.item is None and "item" in table.columns:
        return ColumnName("item", "--item-column")
    return columns.named(kind)


def _keys(table: Table, column: ColumnName) -> Sequence[str]:
    """Return a column's cells as names; one that holds nothing is refused, unless its kind may be blank."""
    may_be_blank = column.option in {f"--{kind}-column" for kind in _MAY_BE_BLANK}
    cells = table.key_cells(column)
    if set(map(type, cells)) == {str}:  # seldom otherwise, and four times as quick
        stripped = [cell.strip() for cell in cells]
        if may_be_blank or "" not in stripped:
            return stripped
    names = []
    for row, cell in enumerate(cells):
        if is_blank(cell) or (isinstance(cell, float) and math.isnan(cell)):
            if not may_be_blank:
                raise InputError(f"{table.where(row)}: there is nothing in column {str(column)!r} ({column.option})")
            names.append("")
        else:
            names.append(_name(cell))
    return names


def _name(cell: Any) -> str:
    """Return a cell as a name; whole numbers that were stored as fractions, as those beside blanks, are whole."""
    if isinstance(cell, float) and cell.is_integer():
        return str(int(cell))
    return str(cell).strip()


def _score_columns(
    table: Table, columns: ScoreColumns, of_systems: ColumnName | None, *, alone: bool
) -> tuple[list[str], bool]:
    """Return the columns of scores, and whether they are systems.

    Without a column of systems, in a file that stands alone, several columns of scores are systems, unless they are
    called as metrics, or as criteria of one judge.

    Raises:
        InputError: for a table in which several columns may be the scores, or none.
    """
    has_systems = of_systems is not None or not alone
    besides = {*columns.in_use(), "item"}
    if columns.scores and not alone:
        check_called_alike(table, columns.scores)
    if columns.scores:
        are_named = are_of_metrics(columns.scores) or are_criteria_of_one_judge(columns.scores)
        are_named = are_named or are_criteria(columns.scores)
        return list(columns.scores), not has_systems and len(columns.scores) > 1 and not are_named
    if SCORE in table.columns:
        return [SCORE], False
    if written := written_scores(table.columns):
        return written, False
    n_systems = 1 if of_systems is None else len({str(cell) for cell in cells_of(table, of_systems)})
    numeric = numeric_columns(table, {*besides, str(of_systems)}, n_systems)
    others = [name for name in table.names() if name not in besides and name not in numeric]
    if not has_systems and len(numeric) > 1 and not others and ("item" in table.columns or columns.item is not None):
        return numeric, True
    if len(numeric) == 1:
        return numeric, False
    told = f"no column holds scores, and the columns are {quoted(table.names(), 20)}"
    if not has_systems and len(numeric) > 1:
        systems = f"{_item_option(table, columns)}{_score_options(numeric)}"
        told = f"the columns of numbers are {quoted(numeric)}; if these are systems: {systems}"
    elif numeric:
        told = f"the columns of numbers are {quoted(numeric)}; name those to compare: {_score_options(numeric)}"
    raise InputError(f"{table.source}: there is no column 'score' (--score-column); {told}")


def _item_option(table: Table, columns: ScoreColumns) -> str:
    """Return the option for items, if the first column tells the rows of a table with a column for each system."""
    first = table.names()[0]
    cells = [str(cell).strip() for cell in cells_of(table, first)]
    return f"--item-column {quote(first)} " if columns.item is None and len(set(cells)) == len(cells) else ""


def _score_options(names: Sequence[str]) -> str:
    return " ".join(f"--score-column {quote(name)}" for name in names[:_MOST_SYSTEMS])


def _without_equal_rows(table: Table, keys: Sequence[str]) -> tuple[Table, int]:
    """Return a table without rows that are equal to an earlier one in all columns, and their number.

    Args:
        table: the table.
        keys: some of its columns. Only rows that are equal in these are compared whole.
    """
    import pandas as pd

    frame = pd.DataFrame({str(key): [str(cell) for cell in cells_of(table, key)] for key in keys})
    doubled = np.flatnonzero(frame.duplicated(keep=False).to_numpy())
    seen: set[str] = set()
    equal = set()
    for place in doubled.tolist():
        content = repr(table.rows[place])
        if content in seen:
            equal.add(place)
        seen.add(content)
    if not equal:
        return table, 0
    kept = [place for place in range(len(table.rows)) if place not in equal]
    lines = [table.lines[place] for place in kept] if table.lines else []
    rows = [table.rows[place] for place in kept]
    return replace(table, rows=rows, lines=lines), len(equal)


def _melted(
    keys: Mapping[str, Sequence[str]], numbers: Mapping[str, Floats]
) -> tuple[dict[str, Sequence[str]], dict[str, Floats]]:
    """Return a row per system of a table that has a column per system."""
    systems = list(numbers)
    n_rows = len(numbers[systems[0]])
    melted: dict[str, Sequence[str]] = {name: list(cells) * len(systems) for name, cells in keys.items()}
    melted["system"] = [system for system in systems for _ in range(n_rows)]
    return melted, {SCORE: np.concatenate([numbers[system] for system in systems])}


def _frame(keys: Mapping[str, Iterable[str]], numbers: Mapping[str, Floats]) -> tuple[dict[str, str], pd.DataFrame]:
    """Return the columns of scores by their names, and a frame; columns have names of their own beside the keys'."""
    import pandas as pd

    n_rows = len(next(iter(numbers.values())))
    scores = {name: f"score:{name}" for name in numbers}
    held: dict[str, Any] = {name: list(keys.get(name, [""] * n_rows)) for name in (*KEYS, "metric")}
    held |= {scores[name]: values for name, values in numbers.items()}
    return scores, pd.DataFrame(held)
