"""What a reproduction is made of: cells, published beside measured, the cells that are missing, tables and figures."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from functools import cached_property
from pathlib import Path
from typing import Any

from metric_commons.assessment.meta_evaluation import Correlation
from metric_commons.datasets import load_rated
from metric_commons.files.tables import RatedTexts

HUSE_TASKS = {
    "summarization": "summarisation",
    "dialogue": "chit-chat dialogue",
    "language_model": "open-ended generation",
}


@dataclass(frozen=True)
class Cell:
    """One figure.

    Attributes:
        table: where it stands in the paper, and for what.
        figure: which figure.
        published: its published value; None where none is known.
        measured: its measured value.
        interval: its 95% confidence interval; None where there is none.
        why: why it was not measured; empty where it was.
    """

    table: str
    figure: str
    published: float | None
    measured: float
    interval: tuple[float, float] | None = None
    why: str = ""

    def as_row(self) -> dict[str, str | float]:
        """Return the cell as a row of a results table."""
        published = float("nan") if self.published is None else self.published
        return {
            "table": self.table,
            "figure": self.figure,
            "published": published,
            "measured": self.measured,
            "difference": self.measured - published,
            "why": self.why,
        }


@dataclass(frozen=True)
class Missing:
    """What could not be measured.

    Attributes:
        what: the cells.
        why: what would fill them, or what went wrong.
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
        name: the PNG's name, without suffix.
        caption: what it shows.
        draw: writes it to a path.
    """

    name: str
    caption: str
    draw: Callable[[Path], None]


@dataclass
class PartResult:
    """What one part of a reproduction gave."""

    cells: list[Cell] = field(default_factory=list)
    missing: list[Missing] = field(default_factory=list)
    tables: list[Table] = field(default_factory=list)
    figures: list[Figure] = field(default_factory=list)
    notes: list[str] = field(default_factory=list)


@dataclass
class Sources:
    """Where a reproduction reads.

    Attributes:
        data_dir: the folder that holds `huse/`, `asap-sas/` and `nlg-ratings/`, or some of them.
        embeddings: a file of word vectors, for mover's similarity; None for none.
        encoder: a local encoder, for BERTScore; None for none.
    """

    data_dir: Path
    embeddings: str | None = None
    encoder: str | None = None

    def folder(self, name: str) -> Path:
        """Return a data set's folder.

        Raises:
            FileNotFoundError: where there is none.
        """
        path = self.data_dir / name
        if not path.is_dir():
            raise FileNotFoundError(f"needs the folder {name}/ in the data folder")
        return path

    def task_file(self, task: str) -> str | None:
        """Return what is missing for a task of HUSE, in words; None where its file is there."""
        name = f"{task}_raw_outputs.csv"
        return None if (self.data_dir / "huse" / name).is_file() else f"needs huse/{name}"

    @cached_property
    def summarization(self) -> RatedTexts:
        """The headlines of HUSE."""
        return load_rated("huse:summarization", data_dir=str(self.folder("huse")))

    def task(self, task: str) -> RatedTexts:
        """Return a task of HUSE."""
        if task == "summarization":
            return self.summarization
        return load_rated(f"huse:{task}", data_dir=str(self.folder("huse")))

    def judgements(self, task: str) -> Any:
        """Return a task's judgements, a row each, as a `datasets.Dataset`."""
        from metric_commons.datasets import load

        return load("huse", f"{task}_judgements", data_dir=str(self.folder("huse")), split="train")


def correlation_cell(table: str, figure: str, published: float | None, measured: Correlation) -> Cell:
    """Return a cell with its confidence interval."""
    return Cell(table, figure, published, measured.value, (measured.low, measured.high))
