"""A .txt file with the cluster of each row, which `--cluster-column` takes in place of a column."""

from __future__ import annotations

from pathlib import Path

from referenceless_metrics.core.files.text_io import read_texts
from referenceless_metrics.core.support.validation import InputError


def is_cluster_file(column: str | None) -> bool:
    """Return whether the value of `--cluster-column` is a .txt file that is there."""
    return column is not None and column.lower().endswith(".txt") and Path(column).is_file()


def clusters_by_line(file: str, n_rows: int, of: str) -> list[str]:
    """Return the cluster of each row of a file, from the lines of another one.

    Args:
        file: the file of clusters.
        n_rows: number of rows.
        of: the file of the rows, for messages.

    Raises:
        InputError: for another number of lines than of rows, and for a blank one.
    """
    clusters = [line.strip() for line in read_texts(file)]
    if len(clusters) != n_rows:
        raise InputError(
            f"{file} (--cluster-column) has {len(clusters)} lines, but {of} has {n_rows} rows: give one for each, "
            "those of several systems one below the other"
        )
    if "" in clusters:
        raise InputError(f"{file}:{clusters.index('') + 1}: the line is blank, and names no cluster (--cluster-column)")
    return clusters
