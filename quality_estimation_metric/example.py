"""Small sets of texts with their sources, made up for documentation and tests (`data/example_*.csv`).

Each source of `SOURCES` is said well, in a clumsy way and wrongly, as generators do.
"""

from __future__ import annotations

import csv
from importlib.resources import files


def _columns(name: str, **wanted: str) -> dict[str, tuple[str, ...]]:
    """Return the columns of a packaged table, for the rows whose cells equal the wanted ones."""
    with (files(__package__) / "data" / f"example_{name}.csv").open(encoding="utf-8") as file:
        rows = [row for row in csv.DictReader(file) if wanted.items() <= row.items()]
    return {column: tuple(row[column] for row in rows) for column in rows[0]}


_RATED, _DEMO = _columns("rated"), _columns("demo")
_SYSTEMS = {system: _columns("systems", system=system) for system in ("baseline", "ours")}

SOURCES = _RATED["source"]
"""The sources, one per text."""

TEXTS = _RATED["text"]
"""The texts."""

RATINGS = tuple(map(float, _RATED["rating"]))
"""Their ratings, from 1 (bad) to 6 (good)."""

SYSTEM_SOURCES = _SYSTEMS["ours"]["source"]
"""Sources of the outputs of two systems: 24 that are not among `SOURCES`."""

SYSTEM_REFERENCES = _SYSTEMS["ours"]["reference"]
"""Texts as a person might write them."""

SYSTEM_OUTPUTS = {system: columns["text"] for system, columns in _SYSTEMS.items()}
"""Outputs of each system."""

SYSTEM_RATINGS = {system: tuple(map(float, columns["rating"])) for system, columns in _SYSTEMS.items()}
"""Ratings of these outputs, from 1 to 6."""

DEMO_SOURCES = _DEMO["source"]
"""Sources to try the packaged model on, one per text; written for this project."""

DEMO_TEXTS = _DEMO["text"]
"""Texts made from them, some well and some badly."""
