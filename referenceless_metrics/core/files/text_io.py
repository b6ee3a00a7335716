"""Texts and rated texts from files of any format (see `tables`), standard input and dataset specs.

Every error is an `InputError` that names the file and, if there is one, the line.
"""

from __future__ import annotations

import fnmatch
import re
import warnings
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from itertools import chain
from pathlib import Path
from shlex import quote
from typing import Any

import numpy as np

from referenceless_metrics.core.files.delimited import HeaderError, looks_like_sentence
from referenceless_metrics.core.files.formats_of_files import file_format, source_name
from referenceless_metrics.core.files.json_rows import NUMBER, TEXT
from referenceless_metrics.core.files.left_out_rows import is_blank
from referenceless_metrics.core.files.lines import START, Place
from referenceless_metrics.core.files.nested_rows import nesting_with
from referenceless_metrics.core.files.opening import STDIN
from referenceless_metrics.core.files.reading import BY_SUFFIX, Reading, cell_of, from_json, tell
from referenceless_metrics.core.files.tables import (
    TABLES,
    BlockSize,
    ColumnName,
    RatedTexts,
    Table,
    null_notes,
    read_blocks,
)
from referenceless_metrics.core.files.turns import turns_in
from referenceless_metrics.core.seams import named_data
from referenceless_metrics.core.seams import rated_texts as rated_texts_in
from referenceless_metrics.core.support.validation import InputError, Record, describe, finite_numbers

_SAMPLE = 50
_SPEC = re.compile(r"^[a-z_]+:[\w-]+(:[\w-]+)?$")


def is_dataset_spec(source: str) -> bool:
    """Say whether `source` names a data set (`huse:summarization`, or `huse` alone) and not a file."""
    if Path(source).exists():
        return False
    return named_data().is_spec(source) or bool(_SPEC.match(source))


def read_texts(source: str, *, text_column: str = TEXT, reading: Reading = BY_SUFFIX) -> list[str]:
    """Read texts.

    Args:
        source: a file, `-` for standard input, or a dataset spec.
        text_column: the column that holds the texts, in formats that have columns.
        reading: the way to read the file; standard input is .txt unless this or its beginning tells a format.

    Returns:
        The texts in order; a blank line is an empty text.

    Raises:
        InputError: for a file that cannot be read, is not UTF-8, is malformed, or holds no texts.
    """
    blocks = read_text_blocks(source, text_column=text_column, reading=reading, size=BlockSize())
    return list(chain.from_iterable(texts for _, texts in blocks))


def read_text_blocks(
    source: str,
    *,
    text_column: str = "text",
    reading: Reading = BY_SUFFIX,
    size: BlockSize | None = None,
    start: Place = START,
) -> Iterator[tuple[Table, list[str]]]:
    """Yield a file of texts block by block, each block with its texts; see `read_texts` and `tables.read_blocks`.

    The texts of a .txt file stand in the column `text`, whatever `text_column` says. A null is an empty text; a note at
    the end counts these.

    Raises:
        InputError: like `read_texts`, as far as the file was read.
    """
    if is_dataset_spec(source):
        texts = _dataset(source, reading).texts
        yield Table(source, (TEXT,), [{TEXT: text} for text in texts], end=Place(len(texts))), texts
        return
    kind = file_format(source, reading, default="txt")
    is_first = True
    n_null = n_texts = 0
    name = source_name(source)
    if kind == "txt" and isinstance(text_column, ColumnName) and text_column != TEXT:
        unused = f"{text_column.option} {text_column} is for files with columns"
        warnings.warn(f"{source_name(source)}: each line is a text; {unused}", stacklevel=2)
    for table in read_blocks(source, reading=reading, default="txt", size=size, start=start):
        tell(table.notes)
        if not table.rows and not is_first:
            break
        is_first = False
        column = TEXT if kind == "txt" else text_column
        texts = table.texts(column, null=True)
        n_texts += len(texts)
        if "" in texts:
            n_null += sum(cell is None for cell in table.column(column))
        if not table.rows and not start.row:
            raise InputError(f"{table.source}: it holds no texts")
        if not table.first:
            check_is_no_log(table.source, texts)
            is_part = size is not None and len(texts) >= size.rows
            tell(remarks_on(table.source, texts, is_plain=kind == "txt", is_part=is_part))
        yield table, texts
    tell(null_notes(name, n_null, n_texts, start.row))


def read_rated(
    source: str,
    *,
    rating_column: str | Sequence[str] = "rating",
    text_column: str = "text",
    groupings: Mapping[str, str | None] | None = None,
    source_column: str | None = None,
    words: Mapping[str, float] | None = None,
    reading: Reading = BY_SUFFIX,
    further_studies: Sequence[str] = (),
) -> RatedTexts:
    """Read texts with a rating each; the arguments are those of `read_texts`, and columns.

    Args:
        source: the file, a data set, or a study's folder.
        rating_column: the column of the ratings, or several, one for each rater.
        text_column: the column of the texts.
        groupings: the columns of `RatedTexts.groupings`, such as `{"systems": "model"}`; None for an unknown one.
        source_column: the column of the texts' sources.
        words: the numbers that words stand for, such as `{"no": 0, "yes": 1}`; None if they stand for none.
        reading: the way to read the file.
        further_studies: folders of further studies that ask the same as the one in `source`.

    Raises:
        InputError: like `read_texts`, for a cell that is no rating, and for a row without a system.
    """
    named = {left_out: column for left_out, column in (groupings or {}).items() if column is not None}
    if is_dataset_spec(source) and not further_studies:
        if named or source_column:
            what = next(iter([*named, "sources"]))
            raise InputError(f"{source}: a data set that is named so has no column of {what}; write it to a file first")
        return _dataset(source, reading)
    rated: RatedTexts = rated_texts_in().rated_texts(
        source,
        rating_columns=[rating_column] if isinstance(rating_column, str) else rating_column,
        text_column=text_column,
        groupings=named,
        source_column=source_column,
        words=words,
        reading=reading,
        unnamed=[left_out for left_out, column in (groupings or {}).items() if column is None],
        further_studies=further_studies,
    )
    return rated


def read_table(source: str, reading: Reading = BY_SUFFIX, wanted: Sequence[str] = ()) -> Table:
    """Read a file with columns (any but .txt), whole.

    Args:
        source: the file, or `-` for standard input.
        reading: the way to read it.
        wanted: columns that are asked for. If the rows lack one, and rows inside them have all, those are the rows.

    Raises:
        InputError: for a file that cannot be read, is not UTF-8 or is malformed.
    """
    kind = file_format(source, reading, default="csv")
    asked = [*wanted, *(condition.column for condition in reading.where)]
    if asked and kind != "txt" and source != STDIN and reading.rows_in is None:
        reading = replace(reading, rows_in=_path_to(source, reading, asked))
    if kind == "txt":
        table = _table_of_lines(source, reading)
    else:
        [table] = read_blocks(source, reading=reading)
    tell(table.notes)
    return table


def _path_to(source: str, reading: Reading, wanted: Sequence[str]) -> str | None:
    """Return the path to rows inside the rows of a file which have the wanted columns; None if these have all."""
    first = next(read_blocks(source, reading=replace(reading, where=()), size=BlockSize(_SAMPLE)))
    return None if all(map(first.has, wanted)) else nesting_with(first.rows, wanted)


def has_column(source: str, reading: Reading, name: str) -> bool:
    """Say whether a file is a table with a column of a name, as far as its beginning shows."""
    plain = replace(reading, where=())
    try:
        first = next(read_blocks(source, reading=plain, size=BlockSize(_SAMPLE)))
    except InputError:
        return False
    return first.has(name) or (reading.rows_in is None and nesting_with(first.rows, [name]) is not None)


def _table_of_lines(source: str, reading: Reading) -> Table:
    """Return a .txt file as a table: one of numbers, one on each line, or of delimited text.

    Raises:
        InputError: for a file of texts.
    """
    if source == STDIN:
        raise InputError("standard input: lines of text hold no columns; name another --input-format, such as csv")
    lines: list[str] = []
    if not reading.columns:
        [plain] = read_blocks(source, reading=replace(reading, format="txt", where=()))
        lines = [row[TEXT] for row in plain.rows]
        if lines and np.isfinite(finite_numbers(lines)).all():
            rows: list[Record] = [{NUMBER: line} for line in lines]
            return replace(plain, columns=(NUMBER,), rows=rows)
    table: Table | None = None
    try:
        [table] = read_blocks(source, reading=replace(reading, format="tsv"))
    except HeaderError as error:
        if error.n_fields > 1:
            raise
    except InputError:
        pass
    are_texts = table is None or (not reading.columns and (len(table.columns) < 2 or _are_sentences(table, lines)))
    if table is None or are_texts:
        raise InputError(
            f"{source_name(source)}: a .txt file holds no ratings and no other columns, unless it has a number a line, "
            f"or a header and fields between tabs; give {TABLES}"
        )
    return table


def _are_sentences(table: Table, lines: Sequence[str]) -> bool:
    """Say whether a table is of sentences that hold commas: no tabs, and a sentence as header or many rows cut short.

    Args:
        table: a table of at least two columns.
        lines: the lines that it was read from.
    """
    if "\t" in lines[0]:
        return False
    n_blank = sum(is_blank(cell_of(row, table.columns[-1])) for row in table.rows)
    n_short = n_blank - sum(line.rstrip().endswith((",", ";", "|")) for line in lines)
    are_short = n_short > len(table.rows) * _MOST_CUT_SHORT
    return are_short or any(map(looks_like_sentence, (lines[0], *table.columns)))


_MOST_CUT_SHORT = 0.25
"""Largest share of a table's rows that end before its last column; sentences have commas or not."""


_OF_FAIRSEQ = re.compile(r"([STHDP])-(\d+)\t(.*)")
_OF_COMET = re.compile(r"(?:.*\r)?.+\tSegment \d+\tscore: \S+(?:\tvariance: \S+)?")
_OF_SGML = re.compile(r"\s*<(?:(?:tst|ref|src)set|mteval)\b", re.IGNORECASE)
_OPENING = 100  # lines among which those of a log's own form begin


def check_is_no_log(source: str, texts: Sequence[str]) -> None:
    """Check that lines are texts: no log of fairseq-generate or comet-score, and no SGML, whose marks are no words.

    Raises:
        InputError: for such a log; the message says how to take the texts, or which command reads the scores.
    """
    opening = texts[:_OPENING]
    if any(_OF_COMET.fullmatch(text) for text in opening):
        raise InputError(
            f"{source}: its lines are what comet-score prints, with scores, and no texts: "
            f"referenceless compare --scores {quote(source)}"
        )
    if any(_OF_SGML.match(text) for text in opening):
        taken = rf"sed -n 's/.*<seg[^>]*> *\(.*\)<\/seg>.*/\1/p' {quote(source)} > {quote(Path(source).stem)}.txt"
        raise InputError(
            f"{source}: it is SGML, as of the WMT's older test sets, with marks around each segment, and not texts "
            f"alone; the segments: {taken}"
        )
    logged = [match for text in opening if (match := _OF_FAIRSEQ.match(text))]
    if len(logged) > len(opening) / 2:
        raise InputError(
            f"{source}: its lines are what fairseq-generate prints (S-, T-, H-, D-), and not texts alone; the outputs "
            f"in the order of the inputs: {_taken(source, 'D', 'outputs.txt')}{_references_of_log(source, logged)}"
        )


def _taken(source: str, kind: str, file: str) -> str:
    """Return the shell's line that takes one kind of texts from the log of fairseq-generate."""
    field = 2 if kind in "ST" else 3  # a score stands before outputs
    return f"grep ^{kind}- {quote(source)} | LC_ALL=C sort -V | cut -f{field}- > {file}"


def _references_of_log(source: str, logged: Sequence[re.Match[str]]) -> str:
    """Return how the references are taken from the log of fairseq-generate, beside outputs of their form.

    References (T-) are in the form of the hypotheses (H-), which are tokenised if they are not those of D-.
    """
    if not any(match[1] == "T" for match in logged):
        return ""
    outputs, hypotheses = (
        {match[2]: match[3].partition("\t")[2] for match in logged if match[1] == kind} for kind in "DH"
    )
    are_tokenised = any(hypotheses.get(number, text) != text for number, text in outputs.items())
    references = _taken(source, "T", "references.txt")
    scored = "referenceless score outputs.txt --with bleu,chrf --references references.txt"
    if not are_tokenised:
        return f"; the references: {references}; then {scored}"
    return (
        f"; the references in it (T-) are tokenised, as H- are, and these outputs (D-) are not: score D- by the "
        f"references of the data set as they were before, or H- by T-, for scores of tokens: "
        f"{_taken(source, 'H', 'outputs.txt')}; {references}; {scored}"
    )


_TAGS = "br|p|div|span|b|i|u|em|strong|a|li|ul|ol|h[1-6]|sub|sup|font|code|pre|td|tr"
_HTML = re.compile(rf"</?(?:{_TAGS})\b[^<>]*>|&(?:amp|lt|gt|quot|nbsp|apos|#\d+|#x[\da-f]+);", re.IGNORECASE)


def remarks_on(source: str, texts: Sequence[str], *, is_plain: bool, is_part: bool = False) -> Iterator[str]:
    """Yield notes on texts that may not be meant as they stand: marks of HTML, and tabs in a file of lines.

    Args:
        source: the name of the file.
        texts: the texts.
        is_plain: whether each line of the file is a text.
        is_part: whether they are the first texts of a file that may hold more.
    """
    marked = [match for text in texts if ("<" in text or "&" in text) and (match := _HTML.search(text))]
    if marked:
        which = f"the first {len(texts)}" if is_part else f"{len(texts)}"
        yield f"{source}: {len(marked)} of {which} texts hold marks of HTML, such as {marked[0][0]!r}"
    if is_plain and len(texts) > 1 and all("\t" in text for text in texts):
        yield f"{source}: every line holds a tab, and is read as one text; --input-format tsv reads columns"


def references_of(table: Table, patterns: Sequence[str]) -> list[list[str]]:
    """Return the reference texts of each row.

    Args:
        table: rows with columns.
        patterns: columns that hold references, by name or pattern (`reference_*`); a cell may hold a text, a list of
            texts, or nothing. In text formats lists are written as JSON or Python writes them.

    Raises:
        InputError: for a column that is not there, a cell that is no text, or a row without any reference.
    """
    held: dict[str, list[Any]] = {}
    for pattern in patterns:
        matching = [name for name in table.columns if fnmatch.fnmatchcase(name, pattern)]
        for column in matching or [pattern]:  # of a column that is not there, the error lists the others
            held[column] = _with_lists(table, column, table.column(column, "--reference-columns"))
            _check_no_turns(table, column, held[column])
    lists = []
    for row in range(len(table.rows)):
        references: list[str] = []
        for column, cells in held.items():
            value = cells[row]
            for item in value if isinstance(value, (list, tuple)) else [value]:
                if item is not None and not isinstance(item, str):
                    raise InputError(
                        f"{table.where(row)}: expected reference texts in column {column!r}, but got {describe(item)}"
                    )
                if item:
                    references.append(item)
        if not references:
            named = ", ".join(map(repr, held))
            which = (
                f"column {named}; leave such rows out (--where '{next(iter(held))}!='), in a call of its own if "
                "further metrics, or ratings, are of all rows"
            )
            raise InputError(
                f"{table.where(row)}: no reference in {which if len(held) == 1 else f'any of the columns {named}'}"
            )
        lists.append(references)
    return lists


def _check_no_turns(table: Table, column: str, cells: Sequence[Any]) -> None:
    """Check that lists are not all that is said in conversations: of these one turn may be a reference.

    Raises:
        InputError: naming the last turn.
    """
    holder, _, field = column.rpartition(".")
    turn = turns_in(table.names()).get(holder) if any(isinstance(cell, list) for cell in cells) else None
    if turn is not None and turn.said == field:
        raise InputError(
            f"{table.source}: column {column!r} (--reference-columns) holds all turns of a conversation: name one, "
            f"such as the last, --reference-columns {turn.last_said(holder)}"
        )


def _with_lists(table: Table, column: str, cells: list[Any]) -> list[Any]:
    """Return cells with lists in place of texts that hold lists of texts, if all filled ones do, with a note."""
    lists = lists_of_texts(cells)
    if lists is None:
        return cells
    tell([f"{table.source}: each cell of column {column!r} is a list of texts, and each of these is a reference"])
    return lists


def lists_of_texts(cells: Sequence[Any]) -> list[Any] | None:
    """Return the lists of texts that cells of text hold, as JSON or Python writes them; None unless all filled ones do.

    >>> lists_of_texts(["['a cat', 'the cat']", '["it sat"]', ""]), lists_of_texts(["[music] la", "['a']"])
    ([['a cat', 'the cat'], ['it sat'], None], None)
    """
    lists: list[Any] = []
    for cell in cells:
        if is_blank(cell):
            lists.append(None)
            continue
        inside = from_json(cell) if isinstance(cell, str) else None
        if not isinstance(inside, list) or not all(isinstance(each, str) for each in inside):
            return None
        lists.append(inside)
    return lists if any(lists) else None


def _dataset(spec: str, reading: Reading) -> RatedTexts:
    if reading.where:
        raise InputError(f"{spec}: a data set that is named so has no columns for --where; write it to a file first")
    rated: RatedTexts = named_data().load_rated(spec, data_dir=reading.data_dir)
    return rated
