"""Rated outputs of data-to-text generators (Novikova et al. 2017), with the meaning representations behind them.

The builder reads the file of medians as the study's authors published it: 2,460 outputs of three generators for
hotels and restaurants in San Francisco and for restaurants in Cambridge (BAGEL). Each was rated by at least three
people from 1 to 6 for informativeness, naturalness and quality; the file holds the medians.

Nothing is downloaded: `data_dir` must hold the file.
"""

from __future__ import annotations

from collections.abc import Iterator

from referenceless_metrics.core.support.validation import Record, finite_number
from referenceless_metrics.datasets.builder import SourceFilesBuilder
from referenceless_metrics.datasets.catalogue import SPECS
from referenceless_metrics.datasets.source_tables import Row, delimited_rows

CRITERIA = ("informativeness", "naturalness", "quality")
LOWEST, HIGHEST = 1.0, 6.0

_COLUMNS = {"dataset": "dataset", "system": "system", "mr": "mr", "text": "sys_ref"}


def read_medians(content: bytes, source: str) -> Iterator[Record]:
    """Read the rated outputs, one row an output, in the order of the file.

    Args:
        content: the bytes of `emnlp_data_medians.csv`.
        source: the file's path, for error messages.

    Raises:
        InputError: naming file and line, for a malformed row, an unknown data set or a rating outside 1 to 6.
    """
    for row in delimited_rows(content, source, [*_COLUMNS.values(), *CRITERIA])[1]:
        if row["dataset"] not in ("BAGEL", "SFHOT", "SFRES"):
            raise row.error(f"expected 'dataset' to be BAGEL, SFHOT or SFRES, but got {row['dataset']!r}")
        named = {name: row[column] for name, column in _COLUMNS.items()}
        yield {**named, **{name: _rating(row, name) for name in CRITERIA}}


def _rating(row: Row, column: str) -> float:
    rating = finite_number(row[column])
    if rating is None or not LOWEST <= rating <= HIGHEST:
        raise row.error(f"expected {column!r} to be a number from 1 to 6, but got {row[column]!r}")
    return rating


class NlgRatings(SourceFilesBuilder):
    """Outputs of data-to-text generators with median ratings.

    Configurations: `bagel`, `sfhot`, `sfres`, and `all`. Split: `train`. `data_dir` is a folder that holds
    `emnlp_data_medians.csv`.
    """

    spec = SPECS["nlg_ratings"]

    def columns(self) -> dict[str, str]:
        """Return the types of the columns, by name."""
        return {**dict.fromkeys(_COLUMNS, "string"), **dict.fromkeys(CRITERIA, "float64")}

    def rows(self, split: str, *paths: str) -> Iterator[Record]:
        """Yield the outputs of the configuration's domain."""
        (path,) = paths
        for row in read_medians(self.read(path), path):
            if self.config.name in ("all", row["dataset"].lower()):
                yield row
