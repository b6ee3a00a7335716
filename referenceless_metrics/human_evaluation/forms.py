"""Forms of files that tools write: the name of each, the marks that tell it, and the kind of rows that it becomes.

`exports/` holds the forms of scores, `ratings/exports/` those of ratings, one file for each tool. `exports/reading.py`
and `ratings/export_files.py` list them. `look` and the guide go by these lists.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Literal

from referenceless_metrics.core.support.validation import Record

Becomes = Literal["scores", "ratings", "preferences", "texts"]
"""Uses of the rows of a form: `compare --scores`, `human-score` (the next two), or `score`."""


@dataclass(frozen=True)
class Sighting:
    """The beginning of a file, which tells its form.

    Attributes:
        path: the file or folder.
        columns: names of the columns; none in a file without columns.
        rows: the first rows, or all.
        content: content of a `.json` file, if it is no table; else None.
        lines: the first lines of a text file.
        opening: the lines among which a log's own ones begin, after those of the programs that it runs in.
        cells: of a workbook the names of the columns and the first rows of its first sheet.
    """

    path: Path
    columns: tuple[str, ...] = ()
    rows: Sequence[Record] = ()
    content: Any = None
    lines: tuple[str, ...] = ()
    opening: tuple[str, ...] = ()
    cells: tuple[tuple[str, ...], ...] = ()


def _no_options(_: Sighting) -> Sequence[str]:
    return ()


@dataclass(frozen=True)
class Form:
    """A form of files.

    Attributes:
        name: the tool and its output, such as "lm-evaluation-harness samples".
        told_by: the marks that tell the form, in words, for the table in the guide.
        becomes: the kind of rows that it becomes.
        source: the documentation or the program that the form was taken from.
        fits: says whether a file has this form.
        options: the options with which the command reads such a file, such as `["--rating-column", "Answer.rating"]`;
            none if it reads the form as it is.
    """

    name: str
    told_by: str
    becomes: Becomes
    source: str
    fits: Callable[[Sighting], bool]
    options: Callable[[Sighting], Sequence[str]] = _no_options


def form_of(sighting: Sighting, forms: Sequence[Form]) -> Form | None:
    """Return the first of some forms that a file has, or None."""
    return next((form for form in forms if form.fits(sighting)), None)
