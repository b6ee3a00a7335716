"""Tables for a paper: Markdown, and LaTeX with booktabs and siunitx."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence

from referenceless_metrics.core.files.escaping import escaped, one_line

Cells = Mapping[str, Sequence[str]]

_NUMBER = re.compile(r"-?\d+(\.\d+)?")
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
    "–": "--",
    "±": r"$\pm$",
    "−": "$-$",
    "κ": r"$\kappa$",
    "α": r"$\alpha$",
    "ρ": r"$\rho$",
    "τ": r"$\tau$",
    "μ": r"$\mu$",
}


def markdown_table(columns: Cells, headline: str, lines: Sequence[str]) -> str:
    """Return a table in Markdown: the headline, the table, and a list of the lines.

    Args:
        columns: the cells of each column by its name.
        headline: the finding in a sentence.
        lines: further sentences.
    """
    numeric = {name: _is_numeric(cells) for name, cells in columns.items()}
    rule = ["---:" if numeric[name] else ":---" for name in columns]
    rows = [list(map(escaped, columns)), rule]
    rows += [list(map(_markdown_cell, row)) for row in _rows(columns)]
    table = "".join(f"| {' | '.join(row)} |\n" for row in rows)
    listed = "".join(f"- {escaped(line)}\n" for line in lines if line)
    opening = f"{escaped(headline)}\n\n" if headline else ""
    return "\n".join(part for part in (opening + table, listed) if part)


def latex_table(columns: Cells, headline: str, lines: Sequence[str]) -> str:
    r"""Return a table in LaTeX, with the headline as its caption and the lines as comments.

    Columns of numbers are siunitx's `S`, which sets true minus signs and aligns decimal points.

    Args:
        columns: the cells of each column by its name.
        headline: the finding in a sentence.
        lines: further sentences.

    Example:
        >>> print(latex_table({"system": ["ours"], "mean": ["-0.50"]}, "Nothing is shown.", []))
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
    as_cell: dict[str, Callable[[str], str]] = {}
    for name, cells in columns.items():
        if _is_numeric(cells):
            shapes.append(f"S[table-format={_format_of(cells)}]")
            heads.append(f"{{{latex(name)}}}")
            as_cell[name] = _number_cell
        else:
            shapes.append("l")
            heads.append(latex(name))
            as_cell[name] = latex
    body = [" & ".join(as_cell[name](cell) for name, cell in zip(columns, row, strict=True)) for row in _rows(columns)]
    written = [
        r"% \usepackage{booktabs, siunitx}",
        r"\begin{table}",
        r"\centering",
        *([f"\\caption{{{latex(headline)}}}"] if headline else []),
        f"\\begin{{tabular}}{{{''.join(shapes)}}}",
        r"\toprule",
        f"{' & '.join(heads)} \\\\",
        r"\midrule",
        *(f"{row} \\\\" for row in body),
        r"\bottomrule",
        r"\end{tabular}",
        r"\end{table}",
        *(f"% {one_line(line)}" for line in lines if line),
    ]
    return "".join(f"{line}\n" for line in written)


def latex(text: str) -> str:
    r"""Return a text on one line as LaTeX sets it.

    >>> latex("a_b & 50%")
    'a\\_b \\& 50\\%'
    """
    return "".join(_SPECIAL.get(character, character) for character in one_line(text))


def _rows(columns: Cells) -> list[tuple[str, ...]]:
    return list(zip(*columns.values(), strict=True))


def _is_number(cell: str) -> bool:
    return _NUMBER.fullmatch(cell) is not None


def _is_numeric(cells: Sequence[str]) -> bool:
    """Return whether a column holds numbers, beside cells without a value and p below what is printed."""
    others = {"", "–", "< 0.0001"}
    return any(map(_is_number, cells)) and all(_is_number(cell) or cell in others for cell in cells)


def _format_of(cells: Sequence[str]) -> str:
    """Return siunitx's `table-format` for a column: a sign, digits before and behind the point."""
    numbers = [cell for cell in cells if _is_number(cell)]
    sign = "-" if any(number.startswith("-") for number in numbers) else ""
    before = max(len(number.lstrip("-").partition(".")[0]) for number in numbers)
    behind = max(len(number.partition(".")[2]) for number in numbers)
    return f"{sign}{before}.{behind}" if behind else f"{sign}{before}"


def _markdown_cell(cell: str) -> str:
    """Return a cell with a true minus sign."""
    return cell.replace("-", "−") if _is_number(cell) else escaped(cell)


def _number_cell(cell: str) -> str:
    """Return a cell of a column of numbers: what is none stands in braces, and is centred."""
    return cell if _is_number(cell) else f"{{{latex(cell)}}}"
