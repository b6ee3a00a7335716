"""Clusters that nobody names: those of a tool's file, and those that the columns of an item's key tell."""

from __future__ import annotations

from dataclasses import replace

from referenceless_metrics.core.files.reading import names_in
from referenceless_metrics.core.files.tables import Table
from referenceless_metrics.human_evaluation.exports.rows import DOCUMENT
from referenceless_metrics.human_evaluation.inference.unnamed_clusters import cluster_in_key
from referenceless_metrics.human_evaluation.ratings.columns import RatingColumns


def with_told_clusters(table: Table, columns: RatingColumns) -> tuple[RatingColumns, list[str]]:
    """Return the columns with that of clusters, if nobody names it and it is told, and a note on an item's key.

    Args:
        table: a table of ratings or preferences.
        columns: the columns, as they are called in the table.
    """
    if columns.cluster is not None:
        return columns, []
    if DOCUMENT in table.own_names.values():
        return replace(columns, cluster=DOCUMENT), []
    parts = names_in(columns.item) if columns.item is not None else []
    if len(parts) < 2 or columns.item in table.columns:
        return columns, []
    cluster, note = cluster_in_key({name: table.column(name, "--item-column") for name in parts})
    return replace(columns, cluster=cluster or None), [note] if note else []
