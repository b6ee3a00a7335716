"""Cells of simulations, kept in a folder as each is drawn, so that a run that was broken off goes on."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

from referenceless_metrics.core.files.atomic import atomic_write

Task = Callable[[], Sequence[Any]]
"""Draws the cells of one kind of study: dataclasses of plain values, all of one class in a part."""


@dataclass(frozen=True)
class Keeping:
    """A folder in which cells are kept, by the draws that they are of.

    Attributes:
        folder: the folder, which is made if it is not there; None to keep nothing.
        draws: studies of each kind.
        seed: seed of the draws.
    """

    folder: Path | None
    draws: int
    seed: int

    def cells(self, part: str, kind: type, tasks: Iterable[Task]) -> Iterator[Any]:
        """Yield the cells of a part: those that were kept before, and the others as they are drawn.

        Args:
            part: the part's name.
            kind: the class of its cells.
            tasks: the same ones in the same order in each run.
        """
        for number, task in enumerate(tasks):
            if self.folder is None:
                yield from task()
                continue
            path = self.folder / f"{part}-{number:03}-{self.draws}-{self.seed}.json"
            if not path.exists():
                self.folder.mkdir(parents=True, exist_ok=True)
                with atomic_write(path, "w") as file:
                    json.dump([asdict(cell) for cell in task()], file, indent=1)
            yield from (kind(**_plain(record)) for record in json.loads(path.read_text(encoding="utf-8")))


def _plain(record: dict[str, Any]) -> dict[str, Any]:
    """Return the values of a cell, in which sequences are tuples."""
    return {name: tuple(value) if isinstance(value, list) else value for name, value in record.items()}
