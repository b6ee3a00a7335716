"""The scale that is named, or that the words of ratings tell."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING

from referenceless_metrics.core.files.left_out_rows import is_blank
from referenceless_metrics.core.files.scales_in_words import usual_scale
from referenceless_metrics.core.files.tables import Table
from referenceless_metrics.core.support.validation import InputError
from referenceless_metrics.human_evaluation.ratings.columns import RatingColumns
from referenceless_metrics.human_evaluation.ratings.cut_scores import cut_column
from referenceless_metrics.human_evaluation.ratings.exports.answers import RATING

if TYPE_CHECKING:
    import pandas as pd


def scale_told(tables: Sequence[Table], columns: RatingColumns) -> tuple[tuple[float, float] | None, list[str]]:
    """Return the scale that the files' form or words tell, with a note on it; None if they tell none."""
    scale, told = _told_scale(tables) if _are_plain(columns) else (None, [])
    if scale is None and columns.words is None:
        return _scale_of_words(tables, columns.ratings or (RATING,))
    return scale, told


def note_on_cuts(tables: Sequence[Table], names: Sequence[str]) -> list[str]:
    """Return notes on ratings that are a score beside them, cut at a value."""
    cuts = [cut for table in tables for name in names if table.has(name) and (cut := cut_column(table, str(name)))]
    no_people = "if no people gave it, findings on it say nothing of people; --rating-column names another column"
    return [f"{cut}, as a metric's own verdicts are: {no_people}" for cut in dict.fromkeys(cuts)]


def _are_plain(columns: RatingColumns) -> bool:
    """Say whether the column `rating` is read as it is."""
    return tuple(columns.ratings) in ((), (RATING,)) and columns.words is None


def _told_scale(tables: Sequence[Table]) -> tuple[tuple[float, float] | None, list[str]]:
    """Return the scale that the form of all files tells, with a note on it; None if they tell none, or several."""
    scales = {table.scale for table in tables}
    scale = scales.pop() if len(scales) == 1 else None
    if scale is None:
        return None, []
    return scale, [f"the scale is {scale[0]:g}-{scale[1]:g}, as the tool has it (--scale LOW-HIGH names other ends)"]


def _scale_of_words(tables: Sequence[Table], names: Sequence[str]) -> tuple[tuple[float, float] | None, list[str]]:
    """Return the ends of the usual scale whose words all ratings are, such as yes and no, with a note on it, if any."""
    cells = [cell for table in tables for name in names if table.has(name) for cell in table.column(name)]
    words = [cell for cell in cells if not is_blank(cell)]
    numbers = usual_scale(list(map(str, words))) if all(isinstance(word, str) for word in words) else None
    if not numbers:
        return None, []
    low, high = min(numbers, key=numbers.__getitem__), max(numbers, key=numbers.__getitem__)
    ends = (numbers[low], numbers[high])
    told = f"the scale is {ends[0]:g}-{ends[1]:g}, from {low!r} to {high!r} (--scale LOW-HIGH names other ends)"
    return ends, [told]


def check_scales(source: str, frame: pd.DataFrame, scales: Mapping[str, tuple[float, float]]) -> None:
    """Check that scales are of criteria that are there."""
    criteria = list(frame["criterion"].unique()) if "criterion" in frame else []
    unknown = sorted(scales.keys() - set(criteria))
    if unknown:
        known = f"its criteria are {', '.join(criteria)}" if criteria else "it has none"
        raise InputError(f"{source}: a scale is given for the criterion {unknown[0]!r}, and {known}")
