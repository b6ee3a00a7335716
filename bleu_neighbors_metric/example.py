"""The packaged example: a small rated pool and a dozen candidates, written for this project; not human data."""

from __future__ import annotations

from importlib.resources import as_file, files

from referenceless_metrics.core.files.tables import RatedTexts
from referenceless_metrics.core.files.text_io import read_rated, read_texts


def example_pool() -> RatedTexts:
    """Return the example pool: 96 texts with ratings in [0, 1]."""
    with as_file(files(__package__) / "data" / "example_pool.csv") as path:
        return read_rated(str(path))


def example_candidates() -> list[str]:
    """Return a dozen candidates to score against the example pool."""
    with as_file(files(__package__) / "data" / "example_candidates.txt") as path:
        return read_texts(str(path))
