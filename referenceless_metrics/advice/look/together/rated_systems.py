"""Command lines that compare systems whose ratings stand in a file each, and whose names are those of the files."""

from __future__ import annotations

from collections.abc import Sequence

from referenceless_metrics.advice.look.columns.column import Column
from referenceless_metrics.advice.look.columns.column_parts import are_called_as_raters
from referenceless_metrics.advice.look.columns.ratings import is_criterion
from referenceless_metrics.advice.look.forms.description import Look
from referenceless_metrics.advice.look.lines.checking import refusal_of
from referenceless_metrics.advice.look.lines.parts import command_line, every_pair
from referenceless_metrics.advice.look.together.raters import names_alike
from referenceless_metrics.core.files.names import file_names


def of_rated_systems(looks: Sequence[Look]) -> list[str]:
    """Return the line that compares files of ratings of the same items, each of another system; none of other files.

    The files name no systems. They are of one each if each has other texts than the others, or, without texts, if the
    same raters rated the same items in all.
    """
    first = looks[0]
    ratings = [column.name for column in first.columns if column.part == "rating" and _all_have(looks, column)]
    if not ratings or not _name_no_systems(looks) or not _hold_other_outputs(looks):
        return []
    files = [each.file for each in looks]
    if are_called_as_raters(files) or all(map(is_criterion, file_names(files))):
        return []
    keys = []
    for part in ("item", "rater"):
        column = _only(first, part)
        if column is not None and _all_have(looks, column):
            keys += [f"--{part}-column", column.name]
    of_files = [word for file in files for word in ("--ratings", file)]
    rated = [word for name in ratings for word in ("--rating-column", name)]
    criteria = ["--columns-are", "criteria"] if len(ratings) > 1 else []
    line = command_line("human-score", *of_files, *rated, *criteria, *keys, *every_pair(len(looks)))
    return [] if refusal_of(line) else [line]


def _name_no_systems(looks: Sequence[Look]) -> bool:
    parts = {column.part for each in looks for column in each.columns}
    return not parts & {"system", "preference", "rating of a rater"}


def _hold_other_outputs(looks: Sequence[Look]) -> bool:
    """Say whether no two files hold the same outputs; see `of_rated_systems`."""
    texts = {each.text_order for each in looks}
    if 0 not in texts:
        return len(texts) == len(looks)
    rater = _only(looks[0], "rater")
    if texts != {0} or rater is None:
        return False
    same_raters = all(names_alike(each, looks[0], rater) for each in looks)
    return same_raters and bool(looks[0].items) and len({each.items for each in looks}) == 1


def _only(found: Look, part: str) -> Column | None:
    """Return the column of a part; None for none, and for several."""
    columns = [column for column in found.columns if column.part == part]
    return columns[0] if len(columns) == 1 else None


def _all_have(looks: Sequence[Look], column: Column) -> bool:
    return all(any(other.name == column.name for other in each.columns) for each in looks)
