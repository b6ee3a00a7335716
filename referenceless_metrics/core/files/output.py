"""Results as a readable table, JSON, JSON Lines, CSV, Parquet or a page, on standard output or in a file."""

from __future__ import annotations

import csv
import json
import math
import re
import shutil
import sys
import textwrap
from bisect import bisect_right
from collections import Counter
from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from functools import partial
from itertools import accumulate, pairwise, zip_longest
from typing import Any

from referenceless_metrics.core.files.atomic import atomic_write
from referenceless_metrics.core.files.escaping import no_formula, one_line
from referenceless_metrics.core.files.paper_tables import (
    UNDEFINED,
    Column,
    are_ends,
    latex_table,
    markdown_table,
    paper_columns,
    transposed,
)
from referenceless_metrics.core.results import PLAIN_TYPES, as_plain
from referenceless_metrics.core.seams import presentation
from referenceless_metrics.core.support.common_ends import common_ends, n_common
from referenceless_metrics.core.support.statistics import fixed
from referenceless_metrics.core.support.validation import InputError, Record

PARQUET = "parquet"
OUTPUT_FORMATS = ("table", "json", "jsonl", "csv", "csv-safe", PARQUET, "html", "markdown", "latex")
ROWS_ALONE = ("jsonl", "csv", "csv-safe")
"""Formats of text that hold no summary."""

FOR_PAPERS = ("markdown", "latex")
"""Formats of tables for a paper or a model card; see `paper_table`."""

FOR_READERS = ("table", "html", *FOR_PAPERS)
"""Formats that show only what a reader needs; the others hold all results."""

STREAMED = (*ROWS_ALONE, PARQUET)
"""Formats whose rows are written as they come."""

Rounding = Callable[[Sequence[Record]], Sequence[Record]]
"""Way of rounding the rows of a table for a paper."""

_LEAST_TEXT = 20
_LEAST_BESIDE_HEADER = 2
"""Columns of a terminal by which a column of a table is wider than its header, at least."""

_OF_ONE_COLUMN = re.compile(r"[\x00-\x7f\xa1-\xac\xae-\u02ff\u2010-\u2027]*")
"""A text of Latin letters, dashes, quotation marks and the like, each of which takes one column of a terminal."""

MOST_WRAPPED = 400
"""Most columns of a terminal that a text takes which is wrapped."""

_JSON = json.JSONEncoder(ensure_ascii=False, allow_nan=False, default=str)


def write_rows(
    rows: Sequence[Record],
    summary: Record,
    format: str,
    path: str | None,
    *,
    lines: Sequence[str] = (),
    headline: str = "",
    caption: str = "",
    basis: Sequence[str] = (),
    note: Sequence[str] = (),
    headings: Mapping[str, str] | None = None,
    rounding: Rounding | None = None,
    page: Record | None = None,
    transpose: bool = False,
    wrapped: Collection[str] = (),
) -> None:
    """Write rows and a summary in any of `OUTPUT_FORMATS`; `lines` go to standard error if a format holds only rows.

    Args:
        rows: the rows, as for `render`.
        summary: likewise.
        format: one of `OUTPUT_FORMATS`.
        path: the file; None or `-` for standard output, for all formats but Parquet.
        lines: sentences for the reader; see `render`.
        headline: the finding in a sentence; likewise.
        caption: the finding as a caption in a paper has it; likewise.
        basis: sentences on the basis of the figures; likewise.
        note: sentences of the note below a table in a paper; likewise.
        headings: headings of intervals of another level than the summary's; likewise.
        rounding: rounding of rows for a paper; likewise.
        page: further content of a page; likewise.
        transpose: whether a table is turned; likewise.
        wrapped: columns of texts that a table wraps; likewise.

    Raises:
        InputError: in Parquet, for columns with values of several types.
        OSError: if the file cannot be written.
    """
    import click

    if format == PARQUET:
        import pyarrow.parquet as pq

        table = arrow_table(list(map(as_plain, rows)), str(path))
        with atomic_write(str(path)) as file:
            pq.write_table(table, file)
    else:
        width = terminal_width(path)
        said: Record = {"lines": lines, "headline": headline, "caption": caption, "basis": basis, "note": note}
        said |= {"headings": headings, "rounding": rounding}
        text = render(rows, summary, format, page=page, width=width, transpose=transpose, wrapped=wrapped, **said)
        write(text, path)
    if format in STREAMED and (lines or headline):
        click.echo("\n".join([headline, *lines]).strip(), err=True)


def arrow_table(rows: Sequence[Record], path: str, schema: Any = None, types: Record | None = None) -> Any:
    """Return rows as a `pyarrow.Table`.

    Args:
        rows: one mapping per row.
        path: the file that they go to, for messages.
        schema: the columns' types; None for those of the rows.
        types: types of known columns, of numpy or of pyarrow, in place of a schema.

    Raises:
        InputError: for a value whose type is not that of its column.
    """
    import numpy as np
    import pyarrow as pa

    content = list(map(dict, rows))
    try:
        if schema is None:
            fields = []
            for column in pa.Table.from_pylist(content).schema:
                kind = (types or {}).get(column.name, column.type)
                if isinstance(kind, np.dtype):
                    kind = pa.array(np.empty(0, kind)).type
                fields.append((column.name, pa.string() if pa.types.is_null(kind) else kind))
            schema = pa.schema(fields)
        return pa.Table.from_pylist(content, schema=schema)
    except (pa.ArrowException, TypeError, ValueError, OverflowError) as error:
        reason = next(iter(str(error).splitlines()), type(error).__name__)
        raise InputError(
            f"{path}: a value is not of the type that others of its column have ({reason}); write JSON lines, which "
            "need no types"
        ) from None


def render(
    rows: Sequence[Record],
    summary: Record,
    format: str,
    *,
    lines: Sequence[str] = (),
    headline: str = "",
    caption: str = "",
    basis: Sequence[str] = (),
    note: Sequence[str] = (),
    headings: Mapping[str, str] | None = None,
    rounding: Rounding | None = None,
    page: Record | None = None,
    width: int | None = None,
    transpose: bool = False,
    wrapped: Collection[str] = (),
) -> str:
    """Return rows and a summary as text.

    Args:
        rows: one mapping per row, all with the same keys.
        summary: figures about all rows.
        format: `table` (rows, then `lines`), `json` (one object: the summary, and `rows`), `jsonl` and `csv` (rows
            alone), `csv-safe` (CSV for a spreadsheet: a text that it would take for a formula begins with an
            apostrophe), `html` (a page), `markdown` or `latex` (for a paper; see `paper_tables`; columns that hold
            nothing are left out, and intervals stand in one column). NaN is written as – in a table, null in JSON and
            nothing in CSV.
        lines: sentences below the rows of a table.
        headline: the finding in a sentence, with which a table and a page open; in JSON it is `headline`.
        caption: the finding as a caption in a paper has it; "" for the headline.
        basis: sentences on test, correction and number of items: in a paper they stand in the caption.
        note: further sentences that a reader of the table needs, and the signature: in a paper a note below the table.
        headings: in a paper, of intervals of another level than the summary's, by the name of their lower end.
        rounding: returns rows as a paper has them (see `paper_tables.rounded_rows`); None for four decimals.
        page: further content of a page, as arguments of `page_of_rows`.
        width: width of the terminal that a table (see `fitted_table`) and its lines must fit; None for no limit.
        transpose: whether a table for a reader has one column per row.
        wrapped: columns of texts that a table for the terminal wraps, if they do not fit, and does not cut.
    """

    def for_paper() -> list[Column]:
        shown = rows if rounding is None else rounding(rows)
        return paper_columns(_columns_of_cells(shown), summary.get("level"), headings)

    if format == "html":
        latex = paper_table("latex", for_paper(), caption or headline, lines, basis=basis, note=note) if rows else ""
        return render_page(list(map(cells, rows)), lines, headline, latex=latex, **(page or {}))
    if format == "json":
        content = as_plain({**({"headline": headline} if headline else {}), **summary, "rows": rows})
        return json.dumps(content, ensure_ascii=False, indent=2, allow_nan=False, default=str) + "\n"
    if format in ROWS_ALONE:
        return render_rows(rows, format)
    if format in FOR_PAPERS:
        columns = for_paper()
        shown = transposed(columns) if transpose else columns
        return paper_table(format, shown, caption or headline, lines, basis=basis, note=note)
    opening = paragraphs([headline, ""], width) if headline else ""
    return opening + _table(rows, width, transpose=transpose, wrapped=wrapped) + paragraphs(lines, width)


def paper_table(
    format: str,
    columns: Sequence[Column],
    headline: str,
    lines: Sequence[str],
    *,
    basis: Sequence[str] = (),
    note: Sequence[str] = (),
    part: str = "",
) -> str:
    """Return a table in one of `FOR_PAPERS`; in LaTeX the label names the command, and the part of its results.

    Args:
        format: the format.
        columns: see `paper_tables.latex_table`, as all others.
        headline: likewise.
        lines: likewise.
        basis: likewise.
        note: likewise.
        part: what a further table of the same command is of; "" for the first.
    """
    import click

    if format == "markdown":
        return markdown_table(columns, headline, lines, basis=basis, note=note)
    context = click.get_current_context(silent=True)
    command = "" if context is None else context.info_name
    label = "-".join(filter(None, (command, part)))
    return latex_table(columns, headline, lines, basis=basis, note=note, label=label)


def render_page(rows: Sequence[Mapping[str, str]], lines: Sequence[str], headline: str = "", **parts: Any) -> str:
    """Return rows of cells, and the lines below them, as a page of HTML; `parts` are those of `page_of_rows`."""
    import click

    context = click.get_current_context(silent=True)
    title = context.command_path if context is not None else "Results"
    page: str = presentation().page_of_rows(rows, title=title, lines=lines, headline=headline, **parts)
    return page


def render_rows(rows: Sequence[Record], format: str, *, header: bool = True) -> str:
    """Return rows in a format that holds rows alone.

    Args:
        rows: one mapping per row, in CSV all with the same keys.
        format: one of `ROWS_ALONE`, or `tsv`: fields between tabs, in which no mark quotes.
        header: whether a table begins with the names; false for rows that follow others.

    Raises:
        InputError: for a field with a tab or a line end, which `tsv` cannot hold.
    """
    if format == "jsonl":
        return "".join([_JSON.encode(as_plain(row)) + "\n" for row in rows])
    records = [[cell if type(cell) in PLAIN_TYPES else _csv_cell(cell) for cell in row.values()] for row in rows]
    if header and rows:
        records.insert(0, list(rows[0]))
    if format == "tsv":
        return "".join(["\t".join(map(_plain_field, record)) + "\n" for record in records])
    if format == "csv-safe":
        records = [list(map(no_formula, record)) for record in records]
    lines = _Lines()
    # Before Python 3.13 a lone \r is quoted only if the line's own end holds one.
    csv.writer(lines, lineterminator="\r\n").writerows(records)
    return "".join([line.removesuffix("\r\n") + "\n" for line in lines])


def _plain_field(cell: Any) -> str:
    """Return a field of a table with tabs.

    Raises:
        InputError: for one with a tab or a line end.
    """
    field = "" if cell is None else str(cell)
    if "\t" in field or "\n" in field or "\r" in field:
        raise InputError(f"a field holds a tab or a line end, which a .tsv file cannot: write .jsonl ({field[:40]!r})")
    return field


def _csv_cell(value: Any) -> Any:
    """Return a value as CSV holds it, which has no notation for lists and objects: they stand in it as JSON."""
    cell = as_plain(value)
    return _JSON.encode(cell) if isinstance(cell, (list, dict)) else cell


def rows_of_columns(columns: Mapping[str, Iterable[Any]]) -> list[Record]:
    """Return the rows of a table that is given by its columns, which are of one length."""
    return [dict(zip(columns, cells, strict=True)) for cells in zip(*columns.values(), strict=True)]


def write(text: str, path: str | None) -> None:
    """Write to standard output, or to a file, whole or not at all.

    Raises:
        OSError: if the file cannot be written.
    """
    import click

    if path is None or path == "-":
        click.echo(text, nl=False, color=True)  # without, click drops escape sequences that stand in texts
    else:
        with atomic_write(path, "w") as file:
            file.write(text)


def shorten(text: str, width: int = 60) -> str:
    r"""Return a text on one line, cut to `width` columns of a terminal, for a table; marks without a width take none.

    Control characters are made visible: a text must not be able to recolour, reorder or clear the screen.

    >>> shorten("a long\ntext", 8)
    'a long …'
    >>> shorten("數據數據", 5)
    '數據…'
    """
    size = 4 * width
    while True:  # of a long text no more is looked at than is shown, unless that takes no columns
        line = one_line(text[:size])
        ends = list(accumulate(max(0, _columns_of(character)) for character in line))
        if ends and ends[-1] > width:
            return line[: bisect_right(ends, width - 1)] + "…"
        if size >= len(text):
            return line
        size *= 4


MOST_NAMES = 40
"""Most different cells of a column that are taken for names, of systems or raters."""


_Shortening = Callable[[Sequence[str]], Sequence[str]]
"""Way of making texts shorter together, so that they still can be told apart."""


def shorten_apart(texts: Sequence[str], width: int) -> list[str]:
    """Return texts as `shorten` cuts them, but so that those which differ still do, if they are few enough for names.

    What all begin and end with is taken off if their rests then need no cut, or if they would look alike; or else their
    middle, up to the first character that tells each from the others. If that does not help, none is cut, unless one is
    too long for a terminal.

    >>> shorten_apart(["run.base.txt", "run.best.txt"], 6)
    ['…base…', '…best…']
    >>> shorten_apart(["results_of_gemini-1.5", "results_of_gpt-4o"], 14)
    ['…gemini-1.5', '…gpt-4o']
    >>> shorten_apart(["Nucleus (0.3)", "Nucleus (0.5)", "Greedy one"], 9)
    ['Nuc…(0.3)', 'Nuc…(0.5)', 'Greedy o…']
    """
    different = list(dict.fromkeys(texts))
    if len(different) > MOST_NAMES:
        return [shorten(text, width) for text in texts]
    ways: list[_Shortening] = [list[str], _without_ends, partial(_without_middle, width=width)]
    if len(different) > 1 and _width_of(_without_ends(different)) <= width:
        ways.insert(0, _without_ends)
    for way in ways:
        cut = [shorten(text, width) for text in way(different)]
        if len(set(cut)) == len(different):
            shown = dict(zip(different, cut, strict=True))
            return [shown[text] for text in texts]
    most = width if _width_of(texts) > MOST_WRAPPED else MOST_WRAPPED
    return [shorten(text, most) for text in texts]


_BETWEEN_WORDS = "-_/ :"
"""Signs between the words of a name."""


def _without_ends(texts: Sequence[str]) -> list[str]:
    """Return texts without the words that all of them begin with, and those that all end with.

    Numbers alone tell nothing: what stands beside them without a line between stays, as in `0.5B`.

    >>> _without_ends(["Qwen2.5-0.5B-Instruct", "Qwen2.5-1.5B-Instruct"])
    ['…0.5B…', '…1.5B…']
    """
    start, end = common_ends(texts)
    first = texts[0]
    if start + end and not any(character.isalpha() for text in texts for character in text[start : len(text) - end]):
        before, behind = first[:start], first[len(first) - end :]
        start = max(before.rfind(mark) for mark in _BETWEEN_WORDS) + 1
        end -= min((place for mark in _BETWEEN_WORDS if (place := behind.find(mark)) >= 0), default=end)
    return ["…" * (start > 0) + text[start : len(text) - end] + "…" * (end > 0) for text in texts]


def _without_middle(texts: Sequence[str], width: int) -> list[str]:
    """Return texts, those that `shorten` would make alike without what stands before the first difference."""
    alike = Counter(shorten(text, width) for text in texts)
    ordered = sorted(texts)
    common = [n_common(pair) for pair in pairwise(ordered)]
    told = {text: max(both) for text, both in zip(ordered, zip([0, *common], [*common, 0], strict=True), strict=True)}
    head = width // 3
    found = []
    for text in texts:
        start = min(told[text] - width // 4, len(text) - (width - head - 1))
        is_cut = alike[shorten(text, width)] > 1 and start > head
        found.append(f"{text[:head]}…{text[start:]}" if is_cut else text)
    return found


class _Lines(list[str]):
    """Receiver of the records of a `csv.writer`, one item for each: the writer makes one call per record."""

    write = list.append


def _table(rows: Sequence[Record], width: int | None, *, transpose: bool = False, wrapped: Collection[str] = ()) -> str:
    if not rows:
        return ""
    columns = _columns_of_cells(rows)
    for name in wrapped:
        columns[name] = [shorten(str(row[name]), MOST_WRAPPED) for row in rows]
    alignment = {name: "left" if any(isinstance(row[name], str) for row in rows) else "right" for name in columns}
    if transpose:
        columns = _turned(columns)
        alignment = {name: "right" if place else "left" for place, name in enumerate(columns)}
    return fitted_table(columns, alignment, width, wrapped=wrapped) + "\n"


def _columns_of_cells(rows: Sequence[Record]) -> dict[str, list[str]]:
    """Return the columns of rows, with their values as they stand in a table."""
    return {name: [_cell(row[name], name) for row in rows] for name in (rows[0] if rows else ())}


def _turned(columns: Mapping[str, Sequence[str]]) -> dict[str, list[str]]:
    turned = transposed([Column(name, cells) for name, cells in columns.items()])
    return {column.name: list(column.cells) for column in turned}


def terminal_width(path: str | None) -> int | None:
    """Return the most columns of characters for a table: those of the terminal, 80 without one; None for a file."""
    return shutil.get_terminal_size().columns if path in (None, "-") else None


def paragraphs(lines: Sequence[str], width: int | None) -> str:
    """Return lines of words, wrapped if they go to a terminal.

    Args:
        lines: the lines without their ends.
        width: the result of `terminal_width`.
    """
    if width is not None and sys.stdout.isatty():
        lines = [textwrap.fill(line, width, break_long_words=False, break_on_hyphens=False) for line in lines]
    return "".join(f"{line}\n" for line in lines)


def fitted_table(
    columns: Mapping[str, Sequence[str]],
    alignment: Mapping[str, str],
    width: int | None,
    style: str = "simple",
    wrapped: Collection[str] = (),
) -> str:
    r"""Return a table that fits a terminal.

    If it is too wide, its headers are wrapped, then its longest texts are cut, to no fewer than 20 letters, and names
    wrapped, but never so that two of them look alike, and then the columns that are left over follow below, with the
    first one before them. A value and the ends of its interval stay side by side.

    Args:
        columns: cells by the names of their columns; the first one tells rows apart.
        alignment: `left`, `right` or `center` of each column.
        width: width of the terminal; None for no limit.
        style: the table's style, as tabulate calls it.
        wrapped: columns of texts that share the room which the others leave, and are wrapped in it, not cut.

    >>> print(fitted_table({"a": ["one"], "b": ["a text of twenty-seven letters"]}, {}, 25, wrapped=["b"]))
    a    b
    ---  --------------------
    one  a text of
         twenty-seven letters
    >>> print(fitted_table({"a": ["one"], "the number": ["12"], "b": ["x"]}, {}, 14))
    a    the
         number
    ---  --------
    one  12
    <BLANKLINE>
    a    b
    ---  ---
    one  x
    """
    heads = {name: name for name in columns}
    cells = {name: list(column) for name, column in columns.items()}

    def table(names: Iterable[str]) -> str:
        rows = list(zip(*(cells[name] for name in names), strict=True))
        aligned = [alignment.get(name, "left") for name in names]
        headers = [heads[name] for name in names]
        if style == "simple":
            return _simple_table(headers, rows, aligned)
        from tabulate import tabulate

        return str(tabulate(rows, headers, tablefmt=style, colalign=aligned, disable_numparse=True))

    whole = table(columns)
    if width is None or _width_of([whole]) <= width:
        return whole
    sizes = {name: _width_of(column) for name, column in cells.items()}
    heads = {}
    for name in columns:
        lines = [textwrap.fill(line, max(sizes[name], 6), break_long_words=False) for line in name.split("\n")]
        heads[name] = "\n".join(lines)
    texts = {name: cells[name] for name in columns if name in wrapped}
    cells |= {name: [_wrapped(cell, _LEAST_TEXT) for cell in of_text] for name, of_text in texts.items()}
    names = [name for name in columns if alignment.get(name) == "left" and name not in texts]
    whole_names: dict[str, Sequence[str]] = {}
    for name in sorted(names, key=lambda name: -sizes[name]):
        most = max(_LEAST_TEXT, sizes[name] - max(0, _width_of([table(columns)]) - width))
        if most < sizes[name]:
            whole_names[name] = cells[name]
            cells[name] = _folded(cells[name], most)
    keys = _key_columns(list(columns), cells, alignment, width)
    blocks = [list(keys)]
    for together in _values_with_ends(list(columns)[len(keys) :]):
        parts = [together] if _width_of([table([*keys, *together])]) <= width else [[name] for name in together]
        for part in parts:
            if len(blocks[-1]) > len(keys) and _width_of([table([*blocks[-1], *part])]) > width:
                blocks.append(list(keys))
            blocks[-1] += part
    for name, of_column in whole_names.items():  # names take the room that the columns below each other leave
        room = width - max(_width_of([table(block)]) for block in blocks if name in block)
        cells[name] = _folded(of_column, _width_of(cells[name]) + max(room, 0))
    for block in blocks:
        long = sorted((name for name in block if name in texts), key=sizes.__getitem__)
        room = width - _width_of([table(block)]) + sum(_width_of(cells[name]) for name in long)
        for place, name in enumerate(long):  # a shorter column leaves the rest of its share to the longer ones
            cells[name] = [_wrapped(text, max(_LEAST_TEXT, room // (len(long) - place))) for text in texts[name]]
            room -= _width_of(cells[name])
    return "\n\n".join(map(table, blocks))


_MOST_WORDS, _MOST_LINES = 6, 3
"""Most words of the names of systems, or of two that are compared, and most lines that these take in a table."""


def _folded(texts: Sequence[str], width: int) -> list[str]:
    r"""Return names in lines of a width, in which only longer words are cut; other texts are cut to one line.

    >>> _folded(["gpt-3.5 less alpaca-7b", "gpt-3.5 less falcon-40b-instruct"], 14)
    ['gpt-3.5 less\nalpaca-7b', 'gpt-3.5 less\nfalcon-40b-in…']
    """
    words = [one_line(text).split() for text in texts]
    if max(map(len, words), default=0) > _MOST_WORDS:
        return shorten_apart(texts, width)
    different = list(dict.fromkeys(word for of_text in words for word in of_text))
    short = dict(zip(different, shorten_apart(different, width), strict=True))
    lines = [_wrapped(" ".join(map(short.__getitem__, of_text)), width) for of_text in words]
    fits = max((cell.count("\n") for cell in lines), default=0) < _MOST_LINES and _width_of(lines) <= width
    return lines if fits and len(set(lines)) == len(set(texts)) else shorten_apart(texts, width)


def _simple_table(headers: Sequence[str], rows: Sequence[Sequence[str]], aligned: Sequence[str]) -> str:
    """Return a table in tabulate's style `simple`: to import tabulate takes longer than to score a few texts.

    Args:
        headers: the names of the columns.
        rows: the cells of each row.
        aligned: `left`, `right` or `center` for each column.
    """
    rows = [[cell.strip() for cell in row] for row in rows]
    columns = list(zip(*rows, strict=True)) or [()] * len(headers)
    least = (_width_of([header]) + _LEAST_BESIDE_HEADER for header in headers)
    widths = [max(size, _width_of(column)) for size, column in zip(least, columns, strict=True)]
    lines = []
    for row in (headers, ["-" * width for width in widths], *rows):
        for parts in zip_longest(*(cell.split("\n") for cell in row), fillvalue=""):
            padded = map(_padded, parts, widths, aligned)
            lines.append("  ".join(padded).rstrip())
    return "\n".join(lines)


def _padded(text: str, width: int, alignment: str) -> str:
    room = width - _columns_of(text)
    before = {"left": 0, "center": room // 2, "right": room}[alignment]
    return " " * before + text + " " * (room - before)


def _values_with_ends(names: Sequence[str]) -> list[list[str]]:
    """Return names of columns in groups: a value with the ends of its interval, which a table shows side by side.

    >>> _values_with_ends(["items", "mean", "low", "high", "p"])
    [['items'], ['mean', 'low', 'high'], ['p']]
    """
    groups: list[list[str]] = []
    for place, name in enumerate(names):
        is_low = place + 1 < len(names) and are_ends(name, names[place + 1])
        is_high = place > 0 and are_ends(names[place - 1], name)
        if groups and (is_low or is_high):
            groups[-1].append(name)
        else:
            groups.append([name])
    return groups


def _key_columns(
    columns: Sequence[str], cells: Mapping[str, Sequence[str]], alignment: Mapping[str, str], width: int
) -> list[str]:
    """Return the first columns that tell rows apart, which each part of a table repeats: one if names are too wide."""
    keys = [columns[0]]
    for name in columns[1:]:
        told = list(zip(*(cells[key] for key in keys), strict=True))
        further = [*keys, name]
        if len(set(told)) == len(told) or alignment.get(name) != "left":
            break
        if sum(_width_of(cells[key]) for key in further) > width // 2:
            break
        keys = further
    return keys


def _wrapped(text: str, width: int) -> str:
    """Return a text in lines that take so many columns of a terminal; a longer word stands on a line of its own."""
    lines = [""]
    for word in text.split():
        longer = f"{lines[-1]} {word}".lstrip()
        if lines[-1] and _columns_of(longer) > width:
            lines.append(word)
        else:
            lines[-1] = longer
    return "\n".join(lines)


def _width_of(cells: Sequence[str]) -> int:
    return max((_columns_of(line) for cell in cells for line in cell.split("\n")), default=0)


def _columns_of(text: str) -> int:
    """Return the columns of a terminal that a text takes; without wcwidth, as if each character took one."""
    if _OF_ONE_COLUMN.fullmatch(text):
        return len(text)
    try:
        from wcwidth import wcswidth
    except ImportError:
        return len(text)
    return int(wcswidth(text))


def cells(row: Record) -> dict[str, str]:
    """Return a row with its values as they stand in a table."""
    return {name: _cell(value, name) for name, value in row.items()}


def _cell(value: Any, name: str) -> str:
    if isinstance(value, float):
        if 0 <= value < 0.0001 and "p" in re.split("[ _]", name):  # a probability; as `inference.p_text` prints it
            return "< 0.0001"
        return UNDEFINED if math.isnan(value) else fixed(value, 4)
    return one_line(value) if isinstance(value, str) else "" if value is None else str(value)
