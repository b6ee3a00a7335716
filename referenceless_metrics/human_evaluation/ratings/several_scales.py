"""Signs that ratings or scores in one column are on several scales, which another column tells apart."""

from __future__ import annotations

import re
from collections.abc import Collection, Mapping, Sequence
from shlex import quote
from typing import Any, NamedTuple

import numpy as np

from referenceless_metrics.core.files.left_out_rows import is_blank
from referenceless_metrics.core.files.reading import MISSING, cell_of, cell_text
from referenceless_metrics.core.files.tables import Table
from referenceless_metrics.core.support.validation import Floats, shortened

_PARTS = re.compile(
    r"(?:.*[^a-z])?(?:set|dataset|testset|task|prompt|question|criterion|aspect|dimension|metric|domain|corpus|study|"
    r"experiment|scale|subset|slice|topic|key)(?:[_ .-]?(?:id|no|num|number|name))?",
    re.IGNORECASE,
)
_MOST = 12  # parts; more are items
_FEWEST = 5  # numbers of each part, not all equal
_TIMES = 2.0  # as high as in another part
_MOST_BY_CHANCE = 1e-4  # probability that the numbers of one scale lie so low in one of the parts


class Scales(NamedTuple):
    """The parts of a table whose ratings are on other scales.

    Attributes:
        column: the column whose values are the parts.
        ends: the least and the greatest number of each part, by its name; the part with most numbers first.
    """

    column: str
    ends: Mapping[str, tuple[float, float]]

    @property
    def where(self) -> str:
        """The condition that leaves the largest part, as `--where` takes it."""
        return f"{self.column}={next(iter(self.ends))}"

    def told(self, what: str) -> str:
        """Return the warning, in a sentence without an end."""
        listed = shortened(
            ", ".join(f"{name!r} from {low:g} to {high:g}" for name, (low, high) in self.ends.items()), 120
        )
        return (
            f"{what} may be on several scales, by column {self.column!r}: {listed}; a mean over all of them says "
            f"nothing: take one, --where {quote(self.where)}"
        )


def scales_of(
    table: Table, values: Floats, besides: Collection[str] = (), rows: Sequence[int] | None = None
) -> Scales | None:
    """Return the parts of a table whose numbers are on other scales; None if no column tells such parts.

    The numbers of one part reach twice as high as those of another, which are not negative, and so many numbers of
    one scale would hardly all lie so low.

    Args:
        table: the table.
        values: the numbers, shape (numbers,); NaN for none.
        besides: columns that are told apart anyway.
        rows: the place of each number's row in the table; None for a number for each row.
    """
    known = np.isfinite(values)
    if not known.any() or values[known].min() < 0:
        return None
    for name in table.names():
        if name in besides or _PARTS.fullmatch(name) is None:
            continue
        cells = [cell_of(row, name) for row in table.rows]
        of_part = _parts(cells if rows is None else [cells[row] for row in rows], values)
        large = {
            part: numbers for part, numbers in of_part.items() if len(numbers) >= _FEWEST and len(set(numbers)) > 1
        }
        highest = [max(numbers) for numbers in large.values()]
        are_apart = highest and max(highest) > 1 and max(highest) >= _TIMES * min(highest)
        if are_apart and _probability(large) <= _MOST_BY_CHANCE:
            in_order = sorted(large.items(), key=lambda each: -len(each[1]))
            return Scales(name, {part: (min(numbers), max(numbers)) for part, numbers in in_order})
    return None


def _probability(parts: Mapping[str, Sequence[float]]) -> float:
    """Return the probability that the numbers of any part lie as low as those of the lowest, if all are on one scale.

    As many numbers are drawn from those of the other parts (Bonferroni's bound over the parts).
    """
    lowest = min(parts, key=lambda part: max(parts[part]))
    others = [number for part, numbers in parts.items() if part != lowest for number in numbers]
    share = sum(number <= max(parts[lowest]) for number in others) / len(others)
    return float(len(parts) * share ** len(parts[lowest]))


def _parts(cells: Sequence[Any], values: Floats) -> dict[str, list[float]]:
    """Return the numbers of each part, by its name; nothing for more than `_MOST` parts."""
    found: dict[str, list[float]] = {}
    for cell, value in zip(cells, values.tolist(), strict=True):
        if cell is MISSING or is_blank(cell) or isinstance(cell, (list, dict)) or np.isnan(value):
            continue
        found.setdefault(cell_text(cell), []).append(value)
        if len(found) > _MOST:
            return {}
    return found
