"""A file that tells the document of each segment."""

from __future__ import annotations

import shlex
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

from referenceless_metrics.advice.look.columns.column import Column
from referenceless_metrics.advice.look.columns.column_parts import part_by_name
from referenceless_metrics.advice.look.forms.description import Look
from referenceless_metrics.advice.look.forms.shapes import A_CLUSTER_PER_LINE
from referenceless_metrics.core.files.formats_of_files import names_lines


def names_of_part(file: str, others: Sequence[Look]) -> list[str]:
    """Return names that may tell the part of a file: its own, its suffix, and its folder if others lie elsewhere."""
    folders = {Path(each.file).parent for each in others}
    suffix = Path(file).suffix.lstrip(".")
    return [Path(file).stem, suffix, *([Path(file).parent.name] if len(folders) > 1 else [])]


def may_be_of_clusters(found: Look, texts: Sequence[Look]) -> bool:
    """Return whether a file has the document of each text, by its name or folder: a line for each, of a few labels."""
    return found.n_rows == texts[0].n_rows and are_clusters(found.file, found.columns, names_of_part(found.file, texts))


def are_clusters(file: str, columns: Sequence[Column], names: Sequence[str] = ()) -> bool:
    """Return whether a file of lines of a few labels is called as documents are, by one of these names or its own."""
    own = [Path(file).stem, Path(file).suffix.lstrip(".")]
    are_labels = all(column.kind == "labels" for column in columns)
    return names_lines(file) and are_labels and any(map(_is_of_clusters, (*own, *names)))


def of_clusters(file: str, n_rows: int, columns: Sequence[Column]) -> Look:
    """Return the look at a file with the document of each segment."""
    note = f"beside outputs or scores of these segments it is --cluster-column {shlex.quote(file)}"
    alone = len(columns) == 1  # of several fields the whole line names the document
    parts = [replace(column, part="cluster" if alone else "") for column in columns]
    return Look(file, "lines", n_rows, False, tuple(parts), A_CLUSTER_PER_LINE, (note,))


def _is_of_clusters(name: str) -> bool:
    """Return whether a file is called as columns of documents are, in the singular or plural."""
    of_name = Column(name.removesuffix("s"), "labels", "", 0.0, 0)
    return part_by_name(of_name) == "cluster"
