"""Rows of ratings from any file: tables, a number per line, and exports of annotation tools, told by their form."""

from __future__ import annotations

import re
import shlex
import warnings
from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import replace
from itertools import islice
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np

from referenceless_metrics.command_line.cluster_files import is_cluster_file
from referenceless_metrics.core.files.formats_of_files import file_format, suffix_of
from referenceless_metrics.core.files.lines import ByteLines
from referenceless_metrics.core.files.names import metric_of_file, suffixless, without_metric
from referenceless_metrics.core.files.opening import STDIN, opened
from referenceless_metrics.core.files.reading import BY_SUFFIX, InputNote, Reading, tell
from referenceless_metrics.core.files.tables import Table
from referenceless_metrics.core.files.text_io import is_dataset_spec, read_table, read_texts
from referenceless_metrics.core.support.validation import InputError, Record, finite_numbers, parse_json, shortened
from referenceless_metrics.human_evaluation.exports.error_lists import ERRORS
from referenceless_metrics.human_evaluation.exports.reading import read_rating_export, read_score_export
from referenceless_metrics.human_evaluation.exports.rows import DOCUMENT, MARKED
from referenceless_metrics.human_evaluation.exports.rows import Export as MarkedExport
from referenceless_metrics.human_evaluation.exports.spans import MQM
from referenceless_metrics.human_evaluation.inputs_beside import folder_of_ratings
from referenceless_metrics.human_evaluation.ratings.exports import (
    arena_hard,
    argilla,
    best_worst,
    fastchat_votes,
    google_forms,
    label_studio,
    limesurvey,
    mt_bench_pairs,
    mturk,
    pairs,
    pcibex,
    potato,
    prodigy,
    qualtrics,
    rankings,
    surveymonkey,
    toloka,
    vicuna_reviews,
)
from referenceless_metrics.human_evaluation.ratings.exports.answers import (
    BOTH_TEXTS,
    ITEM,
    PREFERENCE,
    RATER,
    RATING,
    SYSTEM,
    TEXT,
    Answers,
    Export,
)
from referenceless_metrics.human_evaluation.ratings.key_of_sides import with_key_of_sides
from referenceless_metrics.human_evaluation.ratings.question_key import joined_with_key

_A_SAMPLE = 20
"""Most objects of a file of JSON lines that are read to tell whether it is an export."""

_JSON = ("json", "jsonl")

OF_TABLES = ("csv", "tsv", *_JSON, "xlsx", "parquet")
"""Formats of files with ratings."""


class Tool(NamedTuple):
    """A tool whose exports are read.

    Attributes:
        name: its name in messages.
        recognises: whether a file is an export of it, from its columns and first rows.
        convert: a long table from all rows.
        is_survey: whether its items are questions, which name no systems.
        option_lists: the options of each `human-score` that reads an export; None for those of its columns.
    """

    name: str
    recognises: Callable[[Export], bool]
    convert: Callable[[Export], Answers]
    is_survey: bool = False
    option_lists: Callable[[Export], list[list[str]]] | None = None


_SURVEYS = (qualtrics, google_forms, limesurvey, surveymonkey)

TOOLS = tuple(
    Tool(
        module.TOOL,
        module.recognises,
        module.convert,
        module in _SURVEYS,
        pairs.option_lists if module is pairs else None,
    )
    for module in (
        label_studio,
        argilla,
        prodigy,
        potato,
        mturk,
        pcibex,
        qualtrics,
        google_forms,
        limesurvey,
        surveymonkey,
        arena_hard,
        fastchat_votes,
        mt_bench_pairs,
        rankings,
        best_worst,
        toloka,
        vicuna_reviews,
        pairs,
    )
)
"""The tools, in the order in which they are tried."""


_OF_ANY_TABLE = (best_worst.TOOL, pairs.TOOL)
"""Forms of tables of no one program: comparisons of two systems, and the best and worst of several."""

_PRODIGY = next(tool for tool in TOOLS if tool.name == prodigy.TOOL)


def read_rating_rows(source: str, reading: Reading = BY_SUFFIX, wanted: Sequence[str] = ()) -> Table:
    """Return the rows of a file of ratings, as `_rows`; those of a survey with the key's columns for its questions.

    Args:
        source: see `_rows`.
        reading: see `_rows`.
        wanted: columns that are asked for. If rows inside the rows of the file have them, those are the rows.

    Raises:
        InputError: like `_rows`, and for a key that does not fit the survey.
    """
    if reading.questions is None:
        return _rows(source, reading, wanted)
    survey = _rows(source, replace(reading, where=(), questions=None), (), is_survey=True)
    return rows_that_meet(joined_with_key(survey, reading.questions, reading.words), reading)


def _rows(source: str, reading: Reading, wanted: Sequence[str], *, is_survey: bool = False) -> Table:
    """Return the rows of a file of ratings; those of a tool's export as a long table, with notes.

    Args:
        source: a table, an export, or a .txt file with the rating of an output on each line.
        reading: the way to read the file; its conditions are on the rows of the long table.
        wanted: columns that are asked for.
        is_survey: whether the user says that it is a survey.

    Raises:
        InputError: for a file that cannot be read, and if no row meets the conditions.
    """
    kind = reading.format or suffix_of(source)
    numbers = number_per_line(source, reading)
    if numbers is not None:
        return numbers
    if source == STDIN:
        return read_table(source, reading)
    marked = None if is_dataset_spec(source) else read_rating_export(source, reading)
    if marked is not None:
        return _marked_table(source, marked)
    export = _json_export(source, kind) if kind in _JSON and reading.rows_in is None else None
    tool = None if export is None else tool_of(export)
    scored = None if tool is not None or is_dataset_spec(source) else read_score_export(source, reading)
    rated = None if scored is None else _scored_table(source, scored)
    if rated is not None and all(rated.has_own(name) or is_cluster_file(name) for name in wanted):
        tell(rated.notes)
        return rated
    if not is_dataset_spec(source) and Path(source).is_dir():
        raise InputError(f"{source}: it is a folder, not a file{_files_inside(Path(source))}")
    if export is None or tool is None:  # or an export as a sample, but not as a whole
        asked = (*wanted, *(each.column for each in reading.where))
        table = read_table(source, replace(reading, where=()), asked)
        export = Export(table.source, table.columns, table.rows, reading.words)
        is_plain = reading.says_plain_table and not is_survey
        tool = None if reading.rows_in is not None else tool_of(export, is_plain=is_plain)
        keyed = with_key_of_sides(source, reading, table) if tool is None else None
        if keyed is not None and all(keyed.has(name) for name in wanted):
            return rows_that_meet(keyed, reading)
        if tool is None:
            return read_table(source, reading, wanted) if reading.where else table
    return rows_that_meet(_long_table(tool, export), reading)


def _files_inside(folder: Path) -> str:
    """Return what to give in place of a folder with files of several formats: those of the format of most tables."""
    inside = sorted(str(each) for each in folder.iterdir() if each.is_file() and not each.name.startswith("."))
    formats = [suffix_of(file) for file in inside]
    most = Counter(kind for kind in formats if kind in OF_TABLES).most_common(1)
    if not most or len(set(formats)) == 1:
        return ""
    tables = [file for file, kind in zip(inside, formats, strict=True) if kind == most[0][0]]
    return f", and holds files of several formats; give those with the ratings: {shortened(shlex.join(tables), 200)}"


def _marked_table(source: str, export: MarkedExport) -> Table:
    """Return the ratings of an export with marked errors: its score, or if it has none, that of the errors."""
    names = dict.fromkeys(name for row in export.rows for name in row.scores)
    of_errors = ERRORS if ERRORS in names else MQM
    rating = next((name for name in names if name not in (MQM, ERRORS)), of_errors)
    is_scored = rating != of_errors
    columns = [ITEM, SYSTEM, RATER, RATING]
    if not any(row.rater for row in export.rows):
        columns.remove(RATER)
    if not export.names_systems:
        columns.remove(SYSTEM)
    own_names = dict(export.own_names)
    if any(row.cluster for row in export.rows):
        columns.append(DOCUMENT)
        if DOCUMENT not in own_names.values():
            own_names[DOCUMENT] = DOCUMENT
    else:
        own_names = {own: name for own, name in own_names.items() if name != DOCUMENT}
    if is_scored and of_errors in names:
        columns.append(of_errors)
    if _has_one_text_each(export):
        columns.append(TEXT)
    columns += [name for name in export.further if name not in columns]
    rows = []
    has_spans = any(row.spans is not None for row in export.rows)
    for place, row in enumerate(export.rows):
        told: Record = {name: cells[place] for name, cells in export.further.items()}
        told |= {ITEM: row.item, SYSTEM: row.system, RATER: row.rater, TEXT: row.text}
        told[DOCUMENT] = row.cluster or None
        told |= {RATING: row.scores.get(rating), of_errors: row.scores.get(of_errors)}
        # Marked errors are beside the columns: they hold no names, and no option names them.
        beside = {MARKED: row.spans} if has_spans else {}
        rows.append({name: told[name] for name in columns} | beside)
    notes = (f"{source} is read as {export.tool}; {RATING!r} is its {rating}", *export.notes)
    tell(notes)
    own_names[rating] = RATING
    scale = export.scale if is_scored else None
    return Table(source, tuple(columns), rows, notes=notes, own_names=own_names, scale=scale)


def _scored_table(source: str, export: MarkedExport) -> Table:
    """Return the scores of a tool's export as ratings: the only score is `rating`, of several each has its own name."""
    export.check_scores(source)
    names = list(dict.fromkeys(name for row in export.rows for name in row.scores))
    only = names[0] if len(names) == 1 else None
    told = {
        RATER: any(row.rater for row in export.rows),
        DOCUMENT: any(row.cluster for row in export.rows),
        TEXT: _has_one_text_each(export),
        "run": any(row.run for row in export.rows),
        "slice": len({row.slice for row in export.rows}) > 1,
    }
    columns = [ITEM, *([SYSTEM] if export.names_systems else []), *(name for name, is_told in told.items() if is_told)]
    columns += [RATING] if only is not None else names
    columns += [name for name in export.further if name not in columns]
    rows = []
    for place, row in enumerate(export.rows):
        cells: Record = {name: of_rows[place] for name, of_rows in export.further.items()}
        cells |= row.scores
        cells |= {ITEM: row.item, SYSTEM: row.system, RATER: row.rater, TEXT: row.text, DOCUMENT: row.cluster or None}
        cells |= {"run": row.run, "slice": row.slice}
        if only is not None:
            cells[RATING] = row.scores.get(only)
        rows.append({name: cells.get(name) for name in columns})
    what = f"; {RATING!r} is its {only}" if only is not None else ""
    notes = (f"{source} is read as {export.tool}{what}", *export.notes)
    own_names = {**export.own_names, **({DOCUMENT: DOCUMENT} if told[DOCUMENT] else {})}
    if export.are_penalties:
        own_names[ERRORS] = RATING
    table = Table(source, tuple(columns), rows, notes=notes, own_names=own_names)
    return replace(table, are_scores=not export.are_of_people, are_of_people=export.are_of_people)


def _has_one_text_each(export: MarkedExport) -> bool:
    """Say whether an export holds the text of each output, the same for all raters."""
    texts: dict[tuple[str, str], str | None] = {}
    for row in export.rows:
        if row.text is None or texts.setdefault((row.system, row.item), row.text) != row.text:
            return False
    return True


def tool_of(export: Export, *, is_plain: bool = False) -> Tool | None:
    """Return the tool whose export this is, or None for a table.

    Args:
        export: the content of a file.
        is_plain: whether the user says that it is a plain table, so that only forms of anybody's tables are looked for.
    """
    tools = [tool for tool in TOOLS if tool.name in _OF_ANY_TABLE] if is_plain else TOOLS
    return next((tool for tool in tools if export.rows and tool.recognises(export)), None)


def _long_table(tool: Tool, export: Export) -> Table:
    """Return a tool's export as a long table.

    Raises:
        InputError: for an export without answers.
    """
    answers = tool.convert(export)
    if not answers.rows:
        told = shortened("; ".join(answers.all_notes), 200)
        raise InputError(f"{export.source}: an export of {tool.name} without answers{told and ': ' + told}")
    questions = [name for name in answers.questions if any(row.get(name) is not None for row in answers.rows)]
    answers = _without_empty_raters(answers)
    if tool is _PRODIGY and len({row.get(RATING) for row in answers.rows}) == 1:
        answers = _without_rating(answers)
    columns = list(dict.fromkeys(name for row in answers.rows for name in row))
    inner = Export(export.source, tuple(columns), answers.rows)
    if tool.option_lists is None and not tool.is_survey and RATING not in columns and pairs.recognises(inner):
        paired = pairs.convert(inner)
        answers = replace(paired, notes=[*answers.all_notes, *paired.notes])
        questions = list(paired.questions)
        columns = list(dict.fromkeys(name for row in answers.rows for name in row))
    rows = answers.rows
    if RATING not in columns and len(questions) == 1 and questions != [PREFERENCE]:
        rows = [{**row, RATING: row.get(questions[0])} for row in rows]
        columns.append(RATING)
    columns = [name for name in columns if name != BOTH_TEXTS]  # it stands beside the columns
    beside = [{BOTH_TEXTS: row[BOTH_TEXTS]} if BOTH_TEXTS in row else {} for row in rows]
    rows = [{name: row.get(name) for name in columns} | more for row, more in zip(rows, beside, strict=True)]
    if answers.holder:
        columns.append(DOCUMENT)
        rows = [{**row, DOCUMENT: row[answers.holder]} for row in rows]
    asked = f", with answers in {shortened(', '.join(map(repr, questions)), 120)}" if questions else ""
    notes = (f"{export.source} is read as an export of {tool.name}{asked}", *answers.all_notes)
    tell(notes)
    own_names = {answers.holder: DOCUMENT} if answers.holder else {}
    return Table(export.source, tuple(columns), rows, notes=notes, own_names=own_names)


def _without_empty_raters(answers: Answers) -> Answers:
    """Return answers without the column of raters, if it names none."""
    if any(row.get(RATER) not in (None, "") for row in answers.rows):
        return answers
    rows = [{name: cell for name, cell in row.items() if name != RATER} for row in answers.rows]
    return replace(answers, rows=rows)


def _without_rating(answers: Answers) -> Answers:
    """Return answers that are all the same, such as accepted, without them as ratings of comparisons of two outputs."""
    rows = [{name: cell for name, cell in row.items() if name != RATING} for row in answers.rows]
    columns = tuple(dict.fromkeys(name for row in rows for name in row))
    are_pairs = pairs.recognises(Export("", columns, rows))
    return replace(answers, rows=rows, questions={}, notes=[]) if are_pairs else answers


def rows_that_meet(table: Table, reading: Reading) -> Table:
    """Return the rows of a table that meet the conditions."""
    if not reading.where:
        return table
    rows = [row for row in table.rows if all(condition.holds(row) for condition in reading.where)]
    if not rows or any(each.holds_without_column and not table.has(each.column) for each in reading.where):
        asked = " ".join(f"--where {condition}" for condition in reading.where)
        known = shortened(", ".join(map(repr, table.columns)))
        raise InputError(f"{table.source}: no row meets {asked}; the columns are {known}")
    return replace(table, rows=rows)


def _json_export(source: str, kind: str) -> Export | None:
    """Return the objects of a file of JSON whose beginning is that of an export; None for any other file."""
    try:
        with opened(source, source) as stream:
            lines = ByteLines(stream, source)
            sample = list(islice(lines, _A_SAMPLE)) if kind == "jsonl" else [lines.whole()]
        objects = _objects(sample, kind)
        if objects is None or tool_of(_of_objects(source, objects)) is None:
            return None
        if kind == "jsonl":
            with opened(source, source) as stream:
                objects = _objects(list(ByteLines(stream, source)), kind)
    except (OSError, ValueError, RecursionError):  # the reader of tables reports the fault
        return None
    return None if objects is None else _of_objects(source, objects)


def _objects(texts: Sequence[str], kind: str) -> list[Record] | None:
    """Return the objects in JSON, or None for anything but objects."""
    content: Any = [parse_json(text) for text in texts if text.strip()]
    if kind == "json":
        content = content[0] if content else None
    if isinstance(content, list) and content and all(isinstance(each, dict) for each in content):
        return content
    return None


def _of_objects(source: str, objects: Sequence[Record]) -> Export:
    return Export(source, tuple(dict.fromkeys(name for each in objects for name in each)), objects)


def _called_as(source: str, column: str) -> str:
    """Return the system that a file of numbers is called as: its name without the words behind it, or before it.

    Of a file called as ratings beside outputs it is the folder.

    Args:
        source: the file.
        column: the name of the numbers, such as the metric that the file is called after.

    >>> _called_as("out/tower.comet", "comet"), _called_as("GPT-4.1.txt", "rating"), _called_as("GPT-4.1", "rating")
    ('tower', 'GPT-4.1', 'GPT-4.1')
    >>> _called_as("comet.TowerDE.txt", "comet"), _called_as("comet.Tower-DE.txt", "comet")
    ('TowerDE', 'Tower-DE')
    """
    if folder := folder_of_ratings(source):
        return without_metric(folder, column)
    stem = suffixless(source)
    if stem.startswith(f"{column}."):
        return without_metric(stem, column)
    name = Path(source).name
    return without_metric(re.sub(r"(?:\.[^\W\d]\w*)+$", "", name) or name, column)


def number_per_line(source: str, reading: Reading, column: str = RATING) -> Table | None:
    """Return a file of a number per line as the ratings of one system, called as the file; None for any other file.

    Its suffix is `.txt`, or no format's. A blank line is a missing rating.

    Args:
        source: see `_rows`.
        reading: the way to read the file.
        column: the name of the column of numbers, such as the metric that the file is called after.
    """
    if source == STDIN or is_dataset_spec(source) or reading.columns or not Path(source).is_file():
        return None
    if file_format(source, reading, "txt") != "txt":
        return None
    with warnings.catch_warnings():  # of texts that are none
        warnings.simplefilter("ignore", InputNote)
        try:
            lines = read_texts(source, reading=replace(reading, format="txt", where=()))
        except InputError:  # the reader of tables reports the fault, and that of a log reads its scores
            return None
    known = [line for line in lines if line.strip()]
    if not known or np.isnan(finite_numbers(known)).any():
        return None
    system = _called_as(source, column)
    rows = [{column: line, SYSTEM: system, ITEM: str(number)} for number, line in enumerate(lines, 1)]
    what = f"score by {column}" if column == metric_of_file(source) else column
    note = f"each line of {source} is a {what} of the system {system!r}, and the line's number its item"
    tell([note])
    return Table(source, (column, SYSTEM, ITEM), rows, list(range(1, len(rows) + 1)), notes=(note,))
