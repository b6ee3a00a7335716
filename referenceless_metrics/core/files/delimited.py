"""The rows of delimited text: its delimiter, the meaning of its quotation marks, and its header."""

from __future__ import annotations

import csv
import re
from collections.abc import Iterable, Iterator, Sequence
from contextlib import suppress
from dataclasses import dataclass, field
from itertools import islice

from referenceless_metrics.core.files.commented_columns import are_named_by_comments, commented_rows
from referenceless_metrics.core.files.headers import (
    ROW_NAMES,
    Header,
    have_row_names,
    header_of,
    names_columns,
    single_names,
)
from referenceless_metrics.core.files.lines import START, ByteLines, Place
from referenceless_metrics.core.files.n_best import RANK, are_n_best, n_best_rows
from referenceless_metrics.core.files.reading import TRIPLE_BAR, WHITE_SPACE
from referenceless_metrics.core.support.validation import InputError, Record, finite_number, shortened

DELIMITERS = {
    ",": "commas",
    "\t": "tabs",
    ";": "semicolons",
    TRIPLE_BAR: "triple bars",
    "|": "vertical bars",
    WHITE_SPACE: "white space",
}
"""Separators of fields, each with its name; the first that fits is taken."""

_SAMPLED = 50
_MOST_KNOWN = 2**18  # different cells that are looked for, so that equal ones are held once
_WORDS_OF_TEXT = 4  # or more; names of columns have fewer
_WORD = re.compile(r'"((?:[^"\\]|\\.|"")*)"|(\S+)')  # a quoted field between blanks, or one without blanks
_RULE = re.compile(r"\s*\|?(?:\s*:?-+:?\s*\|)+\s*(?::?-+:?\s*)?")  # the line below the header of a table in Markdown
_LONE_RETURN = "\ue00d"  # stands for a lone carriage return while csv parses, which takes it for the end of a line

Rows = Iterator[tuple[int, Record]]


class HeaderError(InputError):
    """A first line that holds data, in place of the names of columns.

    Attributes:
        n_fields: number of its fields.
    """

    def __init__(self, message: str, n_fields: int) -> None:
        super().__init__(message)
        self.n_fields = n_fields


@dataclass(frozen=True)
class Dialect:
    """The way in which fields stand in lines.

    Attributes:
        delimiter: the separator of fields.
        quoted: whether quotation marks quote; else they are letters.
        framed: whether the table is one of Markdown, with bars at the ends of lines and a rule below the header.
    """

    delimiter: str
    quoted: bool = True
    framed: bool = False

    def fields(self, lines: Iterable[str], *, strict: bool = True) -> Iterator[list[str]]:
        """Yield the fields of each row; a blank line has none.

        Raises:
            csv.Error: for malformed quoting, if `strict`.
        """
        if self.delimiter == WHITE_SPACE:
            return (_words(line) for line in lines)
        if self.delimiter == TRIPLE_BAR:
            return ([field.strip() for field in line.split(TRIPLE_BAR)] if line.strip() else [] for line in lines)
        if self.framed:
            return (_framed(line) for line in lines)
        if not self.quoted:
            return (line.rstrip("\r\n").split(self.delimiter) if line.strip("\r\n") else [] for line in lines)
        return csv.reader(lines, delimiter=self.delimiter, strict=strict)


def _words(line: str) -> list[str]:
    r"""Return the fields of a line with blanks between them; quotation marks quote blanks, and are written `\"`."""
    if '"' not in line:
        return line.split()
    return [
        re.sub(r'\\(.)|""', lambda match: match[1] or '"', match[1]) if match[1] is not None else match[2]
        for match in _WORD.finditer(line)
    ]


def _framed(line: str) -> list[str]:
    """Return the cells of a line of a table in Markdown; the rule below the header has none."""
    if not line.strip() or _RULE.fullmatch(line.rstrip("\r\n")):
        return []
    return [cell.strip() for cell in line.strip().removeprefix("|").removesuffix("|").split("|")]


def table_rows(lines: ByteLines, columns: Record, usual: str, start: Place = START) -> Rows:
    """Yield the rows of a table of delimited text, with whatever delimiter.

    Args:
        lines: the text.
        columns: receives the names of the columns once they are known.
        usual: the usual separator of this format; any other is noted.
        start: place to go on at, behind the header.

    Raises:
        InputError: for text without a header, or a malformed row; the message names the line.
    """
    name, given = lines.name, lines.reading.delimiter
    sample = list(_without_returns(lines, lines.peek(_SAMPLED)))
    if not lines.reading.columns and not given and are_named_by_comments(sample):
        lines.delimiter = ","
        return islice(commented_rows(lines, columns), start.row, None)
    n_comments = _n_comments(sample)
    lines.delimiter = given or delimiter_of(sample[n_comments:], usual)
    if n_comments and sample[n_comments - 1].count(lines.delimiter) >= sample[n_comments].count(lines.delimiter):
        n_comments -= 1  # the last of them is the header
    if n_comments:
        for _ in range(n_comments):
            next(lines)
        lines.notes.append(f"{name}: {n_comments} lines of comments stand above the header, and are left out")
    if lines.delimiter == TRIPLE_BAR and not lines.reading.columns and are_n_best(sample):
        lines.notes.append(
            f"{name}: read as a list of the best candidates of each input, with their {RANK!r}: --where {RANK}=1 "
            "leaves the first of each (--columns reads it as a plain table)"
        )
        return islice(n_best_rows(lines, name, columns), start.row, None)
    if lines.delimiter != usual and not given:
        lines.notes.append(
            f"{name}: fields are separated by {DELIMITERS[lines.delimiter]}, not {DELIMITERS[usual]} (--delimiter)"
        )
    quoted = lines.delimiter != "\t" or _marks_quote(lines)
    is_framed = lines.delimiter == "|" and any(_RULE.fullmatch(line.rstrip("\r\n")) for line in sample[n_comments:][:2])
    dialect = Dialect(lines.delimiter, quoted, is_framed)
    if lines.reading.columns:
        return csv_rows(lines, columns, dialect, start)
    layout = _layout(lines, dialect, sample[n_comments:])
    return csv_rows(lines, columns, dialect, start, layout=layout)


@dataclass(frozen=True)
class Layout:
    """The lines above the rows of a table.

    Attributes:
        header: its titles and names.
        has_row_names: whether a name without a place in the header stands in front of each row.
        numeric: places of the columns that hold numbers alone in the first rows.
        has_names: whether the rows show that the header's last row names columns, and holds no data.
    """

    header: Header = field(default_factory=Header)
    has_row_names: bool = False
    numeric: frozenset[int] = frozenset()
    has_names: bool = False


_PLAIN = Layout()


def _layout(lines: ByteLines, dialect: Dialect, sample: Sequence[str]) -> Layout:
    """Return the lines above the rows, from the first lines.

    Raises:
        HeaderError: for a first line of texts and numbers between triple bars, which are written without a header.
    """
    try:
        rows = [fields for fields in dialect.fields(sample) if any(map(str.strip, fields))]
    except csv.Error:  # the sample ends inside a quoted field, or the reader of rows reports the fault
        rows = [fields for fields in dialect.fields(sample, strict=False) if any(map(str.strip, fields))][:-1]
    if not rows:
        return Layout()
    if dialect.delimiter == TRIPLE_BAR and any(looks_like_data([cell]) or _is_long(cell) for cell in rows[0]):
        raise _headless(lines, rows[0])
    header = header_of(rows)
    first = header.n_titles
    has_row_names = not header.names and have_row_names(rows[first], rows[first + 1 :], sample)
    numeric = _numeric_places([row for row in rows[first + 1 :] if len(row) == len(rows[first])])
    return Layout(header, has_row_names, numeric, names_columns(rows[first], rows[first + 1 :]))


def _numeric_places(rows: Sequence[Sequence[str]]) -> frozenset[int]:
    """Return the places of the columns that hold numbers, and nothing else."""
    columns = enumerate(zip(*rows, strict=True))
    return frozenset(place for place, cells in columns if all(finite_number(cell) is not None for cell in cells))


def _with_commas(fields: list[str], n_columns: int, numeric: frozenset[int]) -> list[str] | None:
    """Return the fields of a row with the commas that a text holds without quotation marks; None if that is not told.

    A comma of a text has a blank behind it. The text stands where the other columns then hold numbers as in other rows,
    which is so at one place alone.

    >>> _with_commas(["1", "It is late", " and dark", "4"], 3, frozenset({0, 2}))
    ['1', 'It is late, and dark', '4']
    >>> _with_commas(["1", "a", "3", "5"], 3, frozenset({0, 2})) is None
    True
    """
    n_more = len(fields) - n_columns
    found = []
    for place in range(n_columns):
        inside = fields[place : place + n_more + 1]
        if place in numeric or not all(part.startswith(" ") for part in inside[1:]):
            continue
        row = [*fields[:place], ",".join(inside), *fields[place + n_more + 1 :]]
        if all(finite_number(row[column]) is not None for column in numeric):
            found.append(row)
    return found[0] if len(found) == 1 and numeric else None


def _is_long(cell: str) -> bool:
    return len(cell.split()) >= _WORDS_OF_TEXT


def _headless(lines: ByteLines, fields: Sequence[str]) -> HeaderError:
    return HeaderError(
        f"{lines.name}:1: the first line seems to hold data, and not the names of columns: name them, such as "
        f"--columns {example_columns(len(fields))}",
        len(fields),
    )


def _n_comments(sample: Sequence[str]) -> int:
    """Return the number of lines at the beginning that begin with #, if others follow."""
    n = next((place for place, line in enumerate(sample) if not line.startswith("#")), 0)
    return n if n < len(sample) else 0


def delimiter_of(sample: Sequence[str], usual: str) -> str:
    """Return the delimiter of a table, from its first lines.

    The header must hold it outside quotation marks, and each row must have as many fields, or with the usual one fewer.
    White space separates if nothing else does, all lines have as many words, and a column holds numbers.

    >>> delimiter_of(["text;rating", "a, b;1,5"], ","), delimiter_of(["a b", "x 1", "y 2"], ",")
    (';', ' ')
    """
    header = next((line for line in sample if line.strip()), "")
    if header and all(TRIPLE_BAR in line for line in sample if line.strip()):
        return TRIPLE_BAR
    outside = "".join(header.split('"')[::2])
    found = [each for each in DELIMITERS if each != WHITE_SPACE and each in outside]
    for delimiter in sorted(found, key=lambda each: each != usual):
        rows = [fields for fields in Dialect(delimiter).fields(sample, strict=False) if fields]
        if {len(fields) for fields in rows[1:]} <= {len(rows[0])}:
            return delimiter
    if found:
        return usual if usual in found else found[0]
    return WHITE_SPACE if _are_words(sample) else usual


def _are_words(sample: Sequence[str]) -> bool:
    """Say whether lines are fields with white space between them: as many in each, of which a column holds numbers."""
    words = [_words(line) for line in sample if line.strip()]
    counts = {len(fields) for fields in words[1:]}
    if len(words) < 3 or len(counts) != 1:
        return False
    rows = words[1:]
    if have_row_names(words[0], rows, sample):
        rows = [fields[1:] for fields in rows]
    elif counts != {len(words[0])} or len(words[0]) < 2:
        return False
    cells = zip(*rows, strict=True)
    return any(all(finite_number(cell) is not None for cell in column) for column in cells)


def _marks_quote(lines: ByteLines) -> bool:
    """Say whether quotation marks in a file with tabs quote.

    If every line has as many fields as the header, a mark is a letter, unless quoted parsing gives as many rows. If
    only quoted parsing fits the header, marks quote.

    Raises:
        InputError: if neither fits; it names the first line that has another number of fields.
    """
    with lines.again() as again:
        if not any(line.startswith('"') or '\t"' in line for line in again):
            return True
    with lines.again() as again:
        plain = _shape(Dialect("\t", quoted=False), again)
    quoted: _Shape | None = None
    with lines.again() as again, suppress(csv.Error):
        quoted = _shape(Dialect("\t"), _without_returns(again, again))
    if quoted is not None and quoted.is_exact and not plain.is_exact:
        return True
    if not plain.odd_line:
        return quoted is not None and not quoted.odd_line and quoted.n_rows == plain.n_rows
    if quoted is not None and not quoted.odd_line:
        return True
    raise InputError(
        f"{lines.name}:{plain.odd_line}: expected {plain.n_fields} fields between tabs, but got {plain.n_odd}, and "
        "quotation marks do not explain it"
    )


@dataclass(frozen=True)
class _Shape:
    """Rows of a reading.

    Attributes:
        n_rows: number of rows, the header among them.
        n_fields: number of fields of the header.
        odd_line: the first line that has another number; 0 if none has, or if all rows lack the same columns.
        n_odd: the number of its fields.
        is_exact: whether every row has as many fields as the header.
    """

    n_rows: int
    n_fields: int
    odd_line: int
    n_odd: int
    is_exact: bool


def _shape(dialect: Dialect, lines: Iterable[str]) -> _Shape:
    n_rows = n_fields = odd_line = n_odd = 0
    counts = set()
    for number, fields in enumerate(dialect.fields(lines), 1):
        if not fields:
            continue
        n_rows += 1
        if n_rows == 1:
            n_fields = len(fields)
            continue
        counts.add(len(fields))
        if len(fields) != n_fields and not odd_line:
            odd_line, n_odd = number, len(fields)
    if len(counts) == 1 and n_odd <= n_fields + 1:  # the last columns lack in every row, or each row has a name
        odd_line = 0
    return _Shape(n_rows, n_fields, odd_line, n_odd, counts <= {n_fields})


def _without_returns(lines: ByteLines, content: Iterable[str]) -> Iterator[str]:
    """Yield lines with a sign in place of each lone carriage return inside them."""
    for line in content:
        if lines.has_lone_returns and "\r" in line.rstrip("\r\n"):
            text = line.rstrip("\r\n")
            yield text.replace("\r", _LONE_RETURN) + line[len(text) :]
        else:
            yield line


def csv_rows(
    lines: ByteLines,
    columns: Record,
    dialect: Dialect,
    start: Place = START,
    *,
    ragged: bool = False,
    layout: Layout = _PLAIN,
) -> Rows:
    """Yield the rows of delimited text.

    An export may lack the last columns in all rows: any row may have as few fields as the first one, and the missing
    ones are blank.

    Args:
        lines: the text.
        columns: receives the names of the columns once they are known.
        dialect: the separator of fields and the meaning of quotation marks.
        start: place to go on at, behind the header.
        ragged: whether any row may end early; the fields behind its end are then absent.
        layout: the lines above the rows.

    Raises:
        InputError: for text without a header, or a malformed row; the message names the line.
    """
    header, name = list(lines.reading.columns), lines.name
    n_titles = layout.header.n_titles
    n_upper = layout.header.n_rows - 1  # rows of names above the last one
    if header:
        columns.update(dict.fromkeys(header))
        lines.go_to(start)
    fewest = n_rows = n_short = n_blank = 0
    begin = lines.number + 1
    first_line = begin
    mended: list[int] = []  # lines of rows with commas in texts
    known: dict[str, str] = {}  # cells that were met: names of systems and items stand in many rows, and once in memory
    try:
        for fields in dialect.fields(_without_returns(lines, lines)):
            n_filled = 0 if n_rows else sum(bool(cell.strip()) for cell in fields)  # counted above the rows alone
            if not fields or (not n_rows and len(fields) > 1 and not n_filled):
                n_blank += 1
            elif not header and (n_titles > 0 or (not layout.header.names and n_filled == 1 and len(fields) > 2)):
                n_blank += 1  # a title
                n_titles -= 1
            elif not header and n_upper:
                n_upper -= 1
            elif not header:
                header = _names_of_columns(fields, layout, lines)
                columns.update(dict.fromkeys(header))
                lines.go_to(start)
                first_line = lines.number + 1
                if n_blank:
                    above = "the line above the header is" if n_blank == 1 else f"{n_blank} lines above the header are"
                    lines.notes.append(f"{name}: {above} blank, or a title, and left out")
                n_blank = 0
            else:
                while len(fields) > len(header) and not fields[-1].strip():
                    fields.pop()
                n_rows += 1
                if len(fields) > len(header) and dialect.delimiter == ",":
                    whole = _with_commas(fields, len(header), layout.numeric)
                    if whole is not None:
                        fields = whole
                        mended.append(begin)
                fewest = fewest or min(len(fields), len(header))
                if not (ragged or fewest) <= len(fields) <= len(header):
                    raise InputError(f"{lines.name}:{begin}: {_wrong_number(header, fields, lines)}")
                if len(fields) < len(header) and not ragged:
                    n_short += 1
                    fields += [""] * (len(header) - len(fields))
                if lines.has_lone_returns:
                    fields = [cell.replace(_LONE_RETURN, "\r") for cell in fields]
                if len(known) < _MOST_KNOWN:
                    fields = [known.setdefault(field, field) for field in fields]
                yield begin, dict(zip(header, fields, strict=False))
            begin = lines.number + 1
    except csv.Error as error:
        raise InputError(f"{lines.name}:{begin}: malformed row ({error})") from None
    if not header:
        raise InputError(f"{lines.name}: it is empty")
    if n_short:
        lacking = shortened(", ".join(map(repr, header[fewest:])), 100)
        lines.notes.append(f"{lines.name}: {n_short} rows end before {lacking}, blank in them")
    n_inside = lines.number + 1 - first_line - n_rows - n_blank
    if n_inside:
        lines.notes.append(
            f"{lines.name}: {n_rows} rows stand on {n_rows + n_inside} lines: quoted cells hold line breaks"
        )
    if n_blank:
        told = "1 blank line is no row" if n_blank == 1 else f"{n_blank} blank lines are no rows"
        lines.notes.append(f"{lines.name}: {told}")
    if mended:
        listed = shortened(", ".join(map(str, mended)), 60)
        lines.notes.append(
            f"{lines.name}: {len(mended)} rows hold commas in a text without quotation marks, which are read as part "
            f"of it, so that numbers stand in their columns (lines {listed})"
        )


def _names_of_columns(fields: Sequence[str], layout: Layout, lines: ByteLines) -> list[str]:
    """Return the names of the columns from the last row of a header, and note the assumptions."""
    if layout.header.names:
        lines.notes.append(f"{lines.name}: {layout.header.note}")
        return list(layout.header.names)
    names = _names(fields, layout, lines)
    if are_texts(fields) and not lines.reading.columns:
        lines.notes.append(
            f"{lines.name}: the first line is read as names of columns, and looks like texts: if it holds texts, name "
            f"the columns (--columns {texts_of(len(fields))})"
        )
    if layout.has_row_names:
        lines.notes.append(f"{lines.name}: the header has a name fewer than rows have fields: the first, {ROW_NAMES!r}")
        return [ROW_NAMES, *names]
    return names


def _names(fields: Sequence[str], layout: Layout, lines: ByteLines) -> list[str]:
    """Return the names of the columns of a header, each once and without blanks around it.

    A name that stands again is changed, which is noted.
    """
    names, changed = single_names(fields)
    if changed and looks_like_data(fields) and not layout.has_names:
        raise _headless(lines, fields)
    if changed:
        lines.notes.append(f"{lines.name}: {changed}")
    return names


def holds_data(columns: Sequence[str], rows: Sequence[Record]) -> bool:
    """Say whether the first line of a table seems to hold data, and not the names of its columns.

    >>> rows = [{"text": "a", "7": "2"}, {"text": "b", "7": "3"}, {"text": "c", "7": "1"}]
    >>> holds_data(["text", "7"], rows)
    True
    """
    return looks_like_data(columns) and not names_columns(columns, [list(map(row.get, columns)) for row in rows])


def looks_like_data(fields: Sequence[str]) -> bool:
    """Say whether some fields of the first line of a table are numbers, as those of data are.

    >>> looks_like_data(["1", "ours", "0.5"]), looks_like_data(["item", "1", "2"]), looks_like_data(["text", "rating"])
    (True, True, False)
    """
    numbers = [finite_number(field) is not None for field in fields]
    return any(numbers)


def looks_like_text(fields: Sequence[str]) -> bool:
    """Say whether the first line of a table of one column seems to be a text, and not the name of the column.

    >>> looks_like_text(["Good morning to you."]), looks_like_text(["system output"]), looks_like_text(["a", "b"])
    (True, False, False)
    """
    if len(fields) != 1:
        return False
    words = fields[0].split()
    return len(words) >= _WORDS_OF_TEXT or (len(words) > 1 and looks_like_sentence(fields[0]))


def are_texts(fields: Sequence[str]) -> bool:
    """Say whether the first line of a table of several columns seems to hold texts, and no name of a column.

    >>> are_texts(["Guten Morgen zusammen.", "Good morning to you."]), are_texts(["source text", "Is it fluent?"])
    (True, False)
    """
    return len(fields) > 1 and all(looks_like_text([field]) for field in fields)


def texts_of(count: int) -> str:
    """Return an example of the option `--columns` for so many columns of texts, the last of which is scored.

    >>> texts_of(2), texts_of(3)
    ('source,text', 'column1,column2,text')
    """
    before = ["source"] if count == 2 else [f"column{place}" for place in range(1, count)]
    return ",".join([*before, "text"])


def looks_like_sentence(text: str) -> bool:
    """Say whether a text of several words ends as sentences do.

    >>> looks_like_sentence("It is late, and dark."), looks_like_sentence("item,system,score")
    (True, False)
    """
    return len(text.split()) > 1 and text.rstrip().endswith((".", "!", "?"))


def example_columns(count: int) -> str:
    """Return an example of the option `--columns` for so many columns."""
    usual = ("item", "system", "rater", "rating", "text")
    return ",".join([*usual[:count], *(f"column{place}" for place in range(len(usual) + 1, count + 1))])


def _wrong_number(header: Sequence[str], fields: Sequence[str], lines: ByteLines) -> str:
    known = "" if lines.reading.delimiter else f" between {DELIMITERS.get(lines.delimiter, repr(lines.delimiter))}"
    return f"expected {len(header)} fields ({shortened(', '.join(header))}){known}, but got {len(fields)}"
