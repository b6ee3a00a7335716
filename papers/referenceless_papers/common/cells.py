"""Parts of a reproduction: cells, published beside measured, the cells that are missing, tables and figures."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

SIGNIFICANT = "Spearman, p < 0.01"
"""The figure that says whether a correlation is marked as significant: 1 or 0, shown as yes or no."""

FAILURES = (ValueError, TypeError, OSError, RuntimeError, ImportError, LookupError)

Value = float | str


@dataclass(frozen=True)
class Cell:
    """One figure.

    Attributes:
        table: the table of the paper and the row.
        figure: name of the figure.
        measured: its measured value; NaN if there is none.
        interval: its 95% confidence interval; None if there is none.
        why: the reason why it was not measured; empty if it was.
        published: its published value; None if none is known.
    """

    table: str
    figure: str
    measured: Value = math.nan
    interval: tuple[float, float] | None = None
    why: str = ""
    published: Value | None = None

    @property
    def difference(self) -> float:
        """Measured less published; NaN unless both are numbers."""
        if isinstance(self.measured, str) or isinstance(self.published, str | None):
            return math.nan
        return self.measured - self.published


@dataclass(frozen=True)
class Missing:
    """Cell that could not be measured.

    Attributes:
        what: names of the cells.
        why: the missing data or packages, or the error.
    """

    what: str
    why: str

    def __str__(self) -> str:
        return f"{self.what}: {self.why}"


@dataclass(frozen=True)
class Table:
    """Measured figures that have no published counterpart, a row each; all rows have the same keys."""

    caption: str
    rows: tuple[Mapping[str, Any], ...]


@dataclass(frozen=True)
class Figure:
    """A plot.

    Attributes:
        name: the file's name, without suffix.
        caption: description of the plot.
        draw: writes it to a path.
        suffix: `.png` or `.svg`.
    """

    name: str
    caption: str
    draw: Callable[[Path], None]
    suffix: str = ".png"

    @property
    def file(self) -> str:
        """The file's name."""
        return f"{self.name}{self.suffix}"


@dataclass
class PartResult:
    """Result of one part of a reproduction."""

    cells: list[Cell] = field(default_factory=list)
    missing: list[Missing] = field(default_factory=list)
    tables: list[Table] = field(default_factory=list)
    figures: list[Figure] = field(default_factory=list)
    notes: list[str] = field(default_factory=list)

    @contextmanager
    def attempt(self, what: str) -> Iterator[None]:
        """Measure something; without its data or a package it is missing, with the error as the reason."""
        try:
            yield
        except FAILURES as error:
            self.missing.append(Missing(what, " ".join(str(error).split())))
