"""A recording of `referenceless demo` as an SVG file: a terminal whose lines appear as they were printed.

The picture stands still if a reader prefers no motion, and is readable without colour. It needs no script and no font
but the reader's own.
"""

from __future__ import annotations

import os
import re
import time
from collections.abc import Sequence
from html import escape
from itertools import groupby
from textwrap import wrap

from referenceless_metrics.core.files.atomic import atomic_write

_LINE, _CHARACTER, _MARGIN, _BAR = 18, 7.83, 20, 34
#: Longest pause, in seconds; longer ones, such as a compilation, are cut.
_LONGEST_PAUSE = 1.2
#: Columns of the demonstration's recording: a telephone's screen shows as many in letters that can be read.
_WIDTH = 60
_STYLE = """
text{font:13px ui-monospace,SFMono-Regular,Menlo,Consolas,"DejaVu Sans Mono",monospace;fill:#d8dee9;white-space:pre}
.b{fill:#1e2430}.h{fill:#fff;font-weight:700}.p{fill:#9ccfd8}.o{fill:#566074}
@media (prefers-reduced-motion:no-preference){g{opacity:0;animation:a .25s forwards}@keyframes a{to{opacity:1}}}
"""


def recording(command: str, output: Sequence[tuple[float, str]]) -> str:
    """Return an SVG picture of a command and its output.

    Args:
        command: the typed command.
        output: the printed parts, each with the seconds since the start. The first line of each is its heading.
    """
    lines: list[tuple[float, str, str]] = [(0.0, "p", f"$ {command}")]
    clock = previous = 0.0
    for seconds, text in output:
        clock += min(max(seconds - previous, 0.0), _LONGEST_PAUSE)
        previous = seconds
        for place, line in enumerate(f"{text}\n".split("\n")[:-1]):
            lines.append((clock, "h" if place == 0 else "", line))
    width = round(2 * _MARGIN + _CHARACTER * max(len(line) for _, _, line in lines))
    height = _BAR + _LINE * len(lines) + _MARGIN
    drawn = []
    for row, (at, kind, line) in enumerate(lines):
        if line.strip():
            y = _BAR + _LINE * (row + 1)
            mark = f' class="{kind}"' if kind else ""
            drawn.append(
                f'<g style="animation-delay:{at:.2f}s"><text{mark} x="{_MARGIN}" y="{y}" xml:space="preserve">'
                f"{escape(line, quote=False)}</text></g>"
            )
    dots = "".join(f'<circle class="o" cx="{_MARGIN + 18 * i}" cy="17" r="5"/>' for i in range(3))
    title = f"Output of the command {command}"
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width} {height}" width="{width}" height="{height}" '
        f'role="img" aria-label="{escape(title)}"><title>{escape(title)}</title><style>{_STYLE}</style>'
        f'<rect class="b" width="{width}" height="{height}" rx="8"/>{dots}\n' + "\n".join(drawn) + "\n</svg>\n"
    )


def write_recording(command: str, output: Sequence[tuple[float, str]], path: str | os.PathLike[str]) -> None:
    """Write `recording` to a file.

    Raises:
        OSError: if it cannot be written.
    """
    text = recording(command, output)
    with atomic_write(path, "w") as file:
        file.write(text)


def demo_output() -> list[tuple[float, str]]:
    """Run the demonstration; return the output of its parts, in lines for a telephone, each with the seconds so far."""
    from referenceless_metrics.demo import sections

    begin = time.perf_counter()
    shown = [(time.perf_counter() - begin, section.printed()) for section in sections()]
    return [(at, "\n".join(_fitted(text))) for at, text in shown]


def _fitted(text: str) -> list[str]:
    """Return lines of at most `_WIDTH` columns: paragraphs wrapped, rows of tables cut.

    The first line is a heading.
    """
    heading, *lines = text.split("\n")
    fitted = [heading]
    for is_table, group in groupby(lines, key=lambda line: line.startswith((" ", "--"))):
        if is_table:
            fitted += map(_cut, group)
            continue
        for is_blank, paragraph in groupby(group, key=lambda line: not line):
            fitted += [""] if is_blank else wrap(" ".join(paragraph), _WIDTH)
    return fitted


def _cut(row: str) -> str:
    """Return a row of a table cut to the width, a reason moved beside its text."""
    if row.lstrip().startswith("–"):
        row = re.sub(r" {3,}(?=[a-z]+ [a-z ]+$)", "  ", row)
    if len(row) <= _WIDTH:
        return row
    cut = row[: _WIDTH - 1].rstrip()
    ends_in_text = len(cut) == _WIDTH - 1 and not row.startswith("-")
    return f"{cut}…" if ends_in_text else cut


def record_demo(path: str | os.PathLike[str]) -> None:
    """Run the demonstration, and write its recording."""
    write_recording("referenceless demo", demo_output(), path)
