"""A file with a line for each item or row, its cluster, which `--cluster-column` takes in place of a column."""

from __future__ import annotations

from collections import Counter
from collections.abc import Hashable, Iterable, Sequence
from pathlib import Path

from referenceless_metrics.core.files.formats_of_files import names_lines
from referenceless_metrics.core.files.lines import ByteLines
from referenceless_metrics.core.files.opening import opened
from referenceless_metrics.core.support.validation import InputError


def is_cluster_file(column: str | None) -> bool:
    """Return whether the value of `--cluster-column` is a file that is there, with a suffix that is no table's."""
    return column is not None and names_lines(column) and Path(column).is_file()


def clusters_by_line(file: str, items: Sequence[Hashable], of: str) -> list[str]:
    """Return the cluster of each row of a file, from the lines of another one: one per item, or one per row.

    Args:
        file: the file of clusters.
        items: the item of each row.
        of: the file of the rows, for messages.

    Raises:
        InputError: for another number of lines than of items or of rows, and for a blank one.
    """
    with opened(file, file) as stream:
        clusters = [line.strip() for line in ByteLines(stream, file)]
    place_of = {item: place for place, item in enumerate(dict.fromkeys(items))}
    n_items, n_rows = len(place_of), len(items)
    if len(clusters) not in (n_items, n_rows):
        expected = f"{n_rows} rows: give one line for each"
        if n_items < n_rows:
            expected = (
                f"{n_items} items in {n_rows} rows: give {n_items} lines, one for each item in the order in which {of} "
                f"first has it, or {n_rows}, one for each row"
            )
        raise InputError(f"{file} (--cluster-column) has {len(clusters)} lines, but {of} has {expected}")
    if "" in clusters:
        raise InputError(f"{file}:{clusters.index('') + 1}: the line is blank, and names no cluster (--cluster-column)")
    if len(clusters) == n_rows:
        return clusters
    return [clusters[place_of[item]] for item in items]


def places_within(names: Iterable[Hashable]) -> list[int]:
    """Return the place of each row among those of the same name: its item, if rows are in the order of the items.

    >>> places_within(["a", "b", "a"])
    [0, 0, 1]
    """
    seen: Counter[Hashable] = Counter()
    places = []
    for name in names:
        places.append(seen[name])
        seen[name] += 1
    return places
