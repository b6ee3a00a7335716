"""Tables for a paper: Markdown, and LaTeX with booktabs and siunitx."""

from __future__ import annotations

import math
import re
from collections.abc import Callable, Mapping, Sequence
from itertools import groupby, pairwise
from typing import NamedTuple

from referenceless_metrics.core.files.escaping import escaped, one_line
from referenceless_metrics.core.support.statistics import fixed
from referenceless_metrics.core.support.validation import Record

UNDEFINED = "–"
"""The mark in a table for a value that is not there."""

Cells = Mapping[str, Sequence[str]]
"""The cells of each column by its name."""

_NUMBER = re.compile(r"-?\d+(\.\d+)?")
_CODE = re.compile(r"`([^`]+)`")
_MINUS = re.compile(r"(?<![\w.])-(?=\d)")
_LINE_WIDTH = 200
"""Width in points that a table may have anywhere: a column of a paper in two columns is a little wider."""

_LONG = 50
"""Characters from which the cells of a column of texts are set on several lines."""

_SHARE = 0.5
"""Share of the line that such a column takes."""

_MOST_DECIMALS = 4
"""Most decimals that are added so that an end other than 0 does not look like 0."""

_MOST_COLUMNS = 14
"""Most columns of a table in Markdown whose columns stand in groups."""

_IN_COMMENTS = re.compile(
    r"For the paper|(?:[^:]+: )?(?:(?:Not finished|Caution|Warning|Gate|Limits): |No limits are told|score [≤≥] )"
)
"""Beginnings of the lines that LaTeX has as comments: sentences to quote, verdicts, limits of scores, and what may
mislead a reader."""

_DIGIT, _BETWEEN = 5, 12
"""Width of a digit of ten points, and the space between two columns."""

_SPECIAL = {
    "\\": r"\textbackslash{}",
    "{": r"\{",
    "}": r"\}",
    "&": r"\&",
    "%": r"\%",
    "$": r"\$",
    "#": r"\#",
    "_": r"\_",
    "~": r"\textasciitilde{}",
    "^": r"\textasciicircum{}",
    "<": r"$<$",
    ">": r"$>$",
    "|": r"\textbar{}\allowbreak{}",
    "–": "--",
    "×": r"$\times$",
    "≥": r"$\geq$",
    "≤": r"$\leq$",
    "±": r"$\pm$",
    "−": "$-$",
    "κ": r"$\kappa$",
    "α": r"$\alpha$",
    "ρ": r"$\rho$",
    "τ": r"$\tau$",
    "μ": r"$\mu$",
}


class Column(NamedTuple):
    """A column of a table for a paper.

    Attributes:
        name: its heading.
        cells: one per row.
        group: a heading over neighbouring columns that share it; "" for none.
    """

    name: str
    cells: Sequence[str]
    group: str = ""

    @property
    def whole_name(self) -> str:
        """The heading with that of its group, each once."""
        return self.name if self.group in ("", self.name) else f"{self.group}: {self.name}"


def rounded_rows(
    rows: Sequence[Record], values: Sequence[str], intervals: Sequence[tuple[str, str]], by: Sequence[str] = ()
) -> list[Record]:
    """Return rows whose values and intervals have equally many decimals: two digits of half an interval's usual width.

    An end that is not 0 is not printed as 0, with up to four decimals: a reader sees whether an interval leaves out 0.

    Args:
        rows: the rows of a table.
        values: columns of values in the unit of the intervals.
        intervals: the columns of the lower and of the upper ends.
        by: columns that tell the unit; rows that differ in them are rounded apart.

    >>> rounded_rows([{"mean": 2.92222, "low": 2.71, "high": 3.128, "p": 0.0123}], ["mean"], [("low", "high")])
    [{'mean': '2.92', 'low': '2.71', 'high': '3.13', 'p': 0.0123}]
    """
    units: dict[tuple[object, ...], list[Record]] = {}
    for row in rows:
        units.setdefault(tuple(row.get(name) for name in by), []).append(row)
    decimals = {unit: _decimals(of_unit, intervals) for unit, of_unit in units.items()}
    names = {*values, *(name for ends in intervals for name in ends)}
    rounded = []
    for row in rows:
        n = decimals[tuple(row.get(name) for name in by)]
        cells = {name: fixed(row[name], n) for name in names if _is_finite(row.get(name))}
        rounded.append({**row, **cells})
    return rounded


def with_decimals(rows: Sequence[Record], n: int) -> list[Record]:
    """Return rows whose finite numbers that are no whole ones by type have n decimals.

    >>> with_decimals([{"n": 40, "value": 0.5844}], 2)
    [{'n': 40, 'value': '0.58'}]
    """
    return [{name: fixed(cell, n) if _is_finite(cell) else cell for name, cell in row.items()} for row in rows]


def _decimals(rows: Sequence[Record], intervals: Sequence[tuple[str, str]]) -> int:
    """Return the decimals of values and intervals of one unit."""
    known = [
        (row[low], row[high])
        for row in rows
        for low, high in intervals
        if _is_finite(row.get(low)) and _is_finite(row.get(high)) and row[high] > row[low]
    ]
    if not known:
        return _MOST_DECIMALS
    from statistics import median  # not before it is needed

    decimals = max(0, 1 - math.floor(math.log10(median(high - low for low, high in known) / 2)))
    ends = [end for both in known for end in both if end]
    while decimals < _MOST_DECIMALS and any(float(fixed(end, decimals)) == 0 for end in ends):
        decimals += 1
    return decimals


def _is_finite(value: object) -> bool:
    return isinstance(value, float) and math.isfinite(value)


def are_ends(name: str, following: str) -> bool:
    """Say whether two neighbouring columns are the ends of one interval, by their names.

    >>> are_ends("from", "to"), are_ends("low holm", "high holm"), are_ends("mean", "low")
    (True, True, False)
    """
    return (name, following) == ("from", "to") or (name.startswith("low") and following == f"high{name[3:]}")


def paper_columns(cells: Cells, level: float | None = None, headings: Mapping[str, str] | None = None) -> list[Column]:
    """Return columns for a paper: the ends of an interval stand in one column, and empty columns are left out.

    Args:
        cells: the columns; the ends of an interval are neighbours named `low…` and `high…`, or `from` and `to`.
        level: confidence level of the intervals, for their heading.
        headings: headings of intervals of another level, by the name of their lower end.
    """
    interval = "interval" if level is None else f"{level:.0%} interval"
    columns = []
    names = list(cells)
    is_end = False
    for place, name in enumerate(names):
        following = names[place + 1] if place + 1 < len(names) else ""
        if is_end:
            is_end = False
            continue
        if are_ends(name, following):
            is_end = True
            suffix = name[3:] if name.startswith("low") else ""
            heading = (headings or {}).get(name, interval + suffix)
            columns.append(Column(heading, interval_cells(cells[name], cells[following])))
        else:
            columns.append(Column(name.replace("_", " "), list(cells[name])))
    return filled_columns(columns)


def filled_columns(columns: Sequence[Column]) -> list[Column]:
    """Return the columns that have a value in some row."""
    return [column for column in columns if not {"", UNDEFINED}.issuperset(column.cells)]


def interval_cells(low: Sequence[str], high: Sequence[str]) -> list[str]:
    """Return intervals from their ends; – if there is none.

    >>> interval_cells(["-0.5", "–"], ["1.0", "–"])
    ['[-0.5, 1.0]', '–']
    """
    return [f"[{a}, {b}]" if _is_number(a) and _is_number(b) else UNDEFINED for a, b in zip(low, high, strict=True)]


def transposed(columns: Sequence[Column]) -> list[Column]:
    """Return the table turned: the cells of the first column become headings, and each other column a row.

    Equal cells of the first column are told apart by those of the second.

    >>> transposed([Column("system", ["a", "b"]), Column("mean", ["1", "2"])])[1]
    Column(name='a', cells=['1'], group='')
    """
    first, *others = columns
    names = list(first.cells)
    if len(set(names)) < len(names):
        second = others.pop(0)
        names = [", ".join(filter(None, both)) for both in zip(names, second.cells, strict=True)]
    heads = Column(first.name, [column.whole_name for column in others])
    return [heads, *(Column(name, [column.cells[row] for column in others]) for row, name in enumerate(names))]


def markdown_table(
    columns: Sequence[Column],
    headline: str,
    lines: Sequence[str],
    *,
    basis: Sequence[str] = (),
    note: Sequence[str] = (),
) -> str:
    """Return a table in Markdown: the headline, its basis, the table, and a list of the note's sentences and the lines.

    A line that stands above the table word for word is not said again.

    Many groups of columns, as of several metrics, are tables below one another, each with the first column.

    Args:
        columns: the columns.
        headline: the finding in a sentence.
        lines: further sentences.
        basis: sentences on test, correction and number of items.
        note: further sentences that a reader of the table needs, and the signature.
    """
    table = "\n".join(map(_markdown_rows, _narrow(columns)))
    above = (headline, " ".join(basis))
    opening = "".join(f"{escaped(part)}\n\n" for part in above if part)
    below = [line for line in dict.fromkeys((*note, *lines)) if not any(line in part for part in above)]
    listed = "".join(f"- {escaped(line)}\n" for line in below if line)
    return "\n".join(part for part in (opening + table, listed) if part)


def _markdown_rows(columns: Sequence[Column]) -> str:
    rule = ["---:" if _is_numeric(column.cells) else ":---" for column in columns]
    rows = [[escaped(column.whole_name) for column in columns], rule]
    rows += [list(map(_markdown_cell, row)) for row in _rows(columns)]
    return "".join(f"| {' | '.join(row)} |\n" for row in rows)


def _narrow(columns: Sequence[Column]) -> list[list[Column]]:
    """Return the columns of tables that have no more than a page of Markdown shows, unless a group alone has more."""
    first, *others = columns
    if len(columns) <= _MOST_COLUMNS or not any(column.group for column in columns):
        return [list(columns)]
    parts = [[first]]
    for _, members in groupby(others, key=lambda column: column.group):
        of_group = list(members)
        if len(parts[-1]) > 1 and len(parts[-1]) + len(of_group) > _MOST_COLUMNS:
            parts.append([first])
        parts[-1] += of_group
    return parts


def latex_table(
    columns: Sequence[Column],
    headline: str,
    lines: Sequence[str],
    *,
    basis: Sequence[str] = (),
    note: Sequence[str] = (),
    label: str = "",
) -> str:
    r"""Return a table in LaTeX: its caption, the headline and its basis; a note below it; and comments.

    Comments are the sentences to quote, verdicts, limits and warnings, if caption or note tell what the figures mean;
    else all lines.

    Columns of numbers are siunitx's `S`, which sets true minus signs and aligns decimal points. Long texts are set on
    several lines. A table that is wider than the line (a column of a paper in two columns) is scaled down to it.

    Args:
        columns: the columns.
        headline: the finding in a sentence.
        lines: further sentences.
        basis: sentences on test, correction and number of items.
        note: further sentences that a reader of the table needs, and the signature.
        label: the name by which a paper refers to the table, behind `tab:`; "" for none.

    Example:
        >>> print(latex_table([Column("system", ["ours"]), Column("mean", ["-0.50"])], "Nothing is shown.", []))
        % \usepackage{booktabs, siunitx}
        \begin{table}
        \centering
        \caption{Nothing is shown.}
        \begin{tabular}{lS[table-format=-1.2]}
        \toprule
        system & {mean} \\
        \midrule
        ours & -0.50 \\
        \bottomrule
        \end{tabular}
        \end{table}
        <BLANKLINE>
    """
    shapes, heads = [], []
    as_cell: list[Callable[[str], str]] = []
    for column in columns:
        if _is_numeric(column.cells):
            shapes.append(f"S[table-format={_format_of(column.cells)}]")
            heads.append(f"{{{latex(column.name)}}}")
            as_cell.append(_number_cell)
        else:
            shapes.append(rf"p{{{_SHARE}\linewidth}}" if _is_long(column) else "l")
            heads.append(latex(column.name))
            as_cell.append(_text_cell)
    body = [" & ".join(of(cell) for of, cell in zip(as_cell, row, strict=True)) for row in _rows(columns)]
    caption = latex(" ".join(part for part in (headline, *basis) if part))
    is_wide = _width_of(columns) > _LINE_WIDTH
    are_told = bool(basis or note)
    written = [
        rf"% \usepackage{{booktabs, {'graphicx, ' if is_wide else ''}siunitx}}",
        r"\begin{table}",
        r"\centering",
        *([rf"\caption{{{caption}}}"] if caption else []),
        *([rf"\label{{tab:{label}}}"] if caption and label else []),
        *([r"\resizebox{\ifdim\width>\linewidth\linewidth\else\width\fi}{!}{%"] if is_wide else []),
        rf"\begin{{tabular}}{{{''.join(shapes)}}}",
        r"\toprule",
        *_group_heads(columns),
        rf"{' & '.join(heads)} \\",
        r"\midrule",
        *(rf"{row} \\" for row in body),
        r"\bottomrule",
        r"\end{tabular}" + ("}" if is_wide else ""),
        *([rf"\par\smallskip{{\footnotesize {latex(' '.join(note))}\par}}"] if note else []),
        r"\end{table}",
        *(f"% {one_line(line)}" for line in lines if line and (not are_told or _IN_COMMENTS.match(line))),
    ]
    return "".join(f"{line}\n" for line in written)


def latex(text: str) -> str:
    r"""Return a text on one line as LaTeX sets it: two hyphens stay two, and code between backticks is set as code.

    >>> latex("a_b & 50%")
    'a\\_b \\& 50\\%'
    >>> latex("`fit` has --bad")
    '\\texttt{fit} has -{}-bad'
    """
    line = one_line(text)
    written = [
        _SPECIAL.get(character, character) + ("{}" if character == following == "-" else "")
        for character, following in pairwise(f"{line} ")
    ]
    return _CODE.sub(r"\\texttt{\1}", "".join(written))


def _group_heads(columns: Sequence[Column]) -> list[str]:
    """Return the lines of LaTeX with the headings over groups of columns; none if there are no groups."""
    if not any(column.group for column in columns):
        return []
    heads, rules = [], []
    first = 1
    for group, members in groupby(column.group for column in columns):
        width = len(list(members))
        if group:
            heads.append(rf"\multicolumn{{{width}}}{{c}}{{{latex(group)}}}")
            rules.append(rf"\cmidrule(lr){{{first}-{first + width - 1}}}")
        else:
            heads += [""] * width
        first += width
    return [rf"{' & '.join(heads)} \\", "".join(rules)]


def _is_long(column: Column) -> bool:
    """Return whether a column holds long texts."""
    return max(map(len, column.cells), default=0) > _LONG


def _width_of(columns: Sequence[Column]) -> int:
    """Return about how many points wide a table is in a font of ten points."""
    characters = [min(max(len(text) for text in (column.name, *column.cells)), _LONG) for column in columns]
    return _DIGIT * sum(characters) + _BETWEEN * len(columns)


def _rows(columns: Sequence[Column]) -> list[tuple[str, ...]]:
    return list(zip(*(column.cells for column in columns), strict=True))


def _is_number(cell: str) -> bool:
    return _NUMBER.fullmatch(cell) is not None


def _bare(cell: str) -> str:
    """Return a cell without its star, and without the sign of an upper limit."""
    return cell.removesuffix("*").removeprefix("≤ ")


def _is_numeric(cells: Sequence[str]) -> bool:
    """Tell whether a column holds numbers (or no value, limits of p, or stars)."""
    others = {"", UNDEFINED, "< 0.0001"}
    bare = list(map(_bare, cells))
    return any(map(_is_number, bare)) and all(_is_number(cell) or cell in others for cell in bare)


def _format_of(cells: Sequence[str]) -> str:
    """Return siunitx's `table-format` for a column: a sign, digits before and behind the point."""
    numbers = [cell for cell in map(_bare, cells) if _is_number(cell)]
    sign = "-" if any(number.startswith("-") for number in numbers) else ""
    before = max(len(number.lstrip("-").partition(".")[0]) for number in numbers)
    behind = max(len(number.partition(".")[2]) for number in numbers)
    star = r",table-space-text-post={*}" if any(cell.endswith("*") for cell in cells) else ""
    return (f"{sign}{before}.{behind}" if behind else f"{sign}{before}") + star


def true_minus(cell: str) -> str:
    """Return a cell whose numbers have true minus signs.

    >>> true_minus("[-0.5, 1.0]"), true_minus("a-1")
    ('[−0.5, 1.0]', 'a-1')
    """
    return _MINUS.sub("−", cell)


def _markdown_cell(cell: str) -> str:
    """Return a cell with true minus signs."""
    return escaped(true_minus(cell))


def _text_cell(cell: str) -> str:
    """Return a cell of a column of texts: minus signs before numbers are true ones."""
    return latex(true_minus(cell))


def _number_cell(cell: str) -> str:
    """Return a cell of a column of numbers: a cell that is no number stands in braces, and is centred."""
    bare = cell.removesuffix("*")
    if not _is_number(bare):
        return f"{{{latex(cell)}}}"
    return bare if bare == cell else f"{bare}{{*}}"
