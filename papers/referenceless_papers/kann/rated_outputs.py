"""Rated system outputs with the other data of a meta-evaluation: references, systems, domains."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from referenceless_metrics.core.files.reading import BY_SUFFIX, Reading
from referenceless_metrics.core.files.tables import Table
from referenceless_metrics.core.files.text_io import read_table, references_of
from referenceless_metrics.core.support.validation import InputError, describe


@dataclass(frozen=True)
class RatedOutputs:
    """n rated texts.

    Attributes:
        source: their file, for reports.
        texts: the texts.
        ratings: the mean human rating of each.
        references: the reference texts of each; None if the data has none.
        systems: the system of each; None if it is not told.
        domains: the domain of each; None if it is not told.
        groups: the source of each, so that no model is tested on a source it was trained on; None if the texts are
            independent.
        is_compression_test_set: whether this is the data on which the published figures were measured.
    """

    source: str
    texts: list[str]
    ratings: list[float]
    references: list[list[str]] | None = None
    systems: list[str] | None = None
    domains: list[str] | None = None
    groups: list[str] | None = None
    is_compression_test_set: bool = False

    def __len__(self) -> int:
        return len(self.texts)


def read_rated_outputs(
    source: str,
    *,
    text_column: str = "text",
    rating_column: str = "rating",
    reference_columns: Sequence[str] = (),
    system_column: str | None = None,
    domain_column: str | None = None,
    group_column: str | None = None,
    reading: Reading = BY_SUFFIX,
) -> RatedOutputs:
    """Read rated outputs from a table (.csv, .tsv, .jsonl, .parquet).

    Args:
        source: the file; `-` for standard input.
        text_column: the column that holds the texts.
        rating_column: the column that holds the ratings.
        reference_columns: columns that hold references, by name or pattern (`reference_*`); a column may also hold
            a list of them. Empty cells are left out. None given: the data has no references.
        system_column: the column that names the system.
        domain_column: the column that names the domain.
        group_column: the column that tells which source a text belongs to.
        reading: the way to read the file, with conditions on its rows.

    Raises:
        InputError: for a file that cannot be read or is malformed, a column that is not there, a rating that is no
            number, a row without any reference, or no rows at all.
    """
    table = read_table(source, reading)
    if not table.rows:
        raise InputError(f"{table.source}: there are no rows in it")
    return RatedOutputs(
        source=source,
        texts=_texts(table, text_column),
        ratings=table.numbers(rating_column, "--rating-column").tolist(),
        references=references_of(table, reference_columns) if reference_columns else None,
        systems=_labels(table, system_column, "--system-column"),
        domains=_labels(table, domain_column, "--domain-column"),
        groups=_labels(table, group_column, "--group-column"),
    )


def _texts(table: Table, column: str) -> list[str]:
    values = table.column(column, "--text-column")
    for row, value in enumerate(values):
        if not isinstance(value, str):
            raise InputError(f"{table.where(row)}: expected a text in column {column!r}, but got {describe(value)}")
    return values


def _labels(table: Table, column: str | None, option: str) -> list[str] | None:
    return None if column is None else [str(value) for value in table.column(column, option)]
