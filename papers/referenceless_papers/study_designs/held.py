"""Table of simulated shares beside nominal ones, one cell per kind of data, each with its standard error."""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

import numpy as np

TOLERANCE = 0.015
"""Largest distance of a share from the nominal one that passes without a warning."""


@dataclass(frozen=True)
class HeldCell:
    """One simulated share beside its nominal value.

    Attributes:
        what: the claim, in words.
        data: its data, in words.
        size: number of items, clusters, texts or raters, in words.
        share: share in which it held.
        error: the standard error of `share`.
        nominal: nominal share.
        width: mean width of the intervals; NaN if none are asked for.
        beside: mean width of the intervals that it replaces; NaN if nothing is replaced.
        note: a further note.
    """

    what: str
    data: str
    size: str
    share: float
    error: float
    nominal: float = 0.95
    width: float = math.nan
    beside: float = math.nan
    note: str = ""

    @property
    def verdict(self) -> str:
        """Whether the share is within `TOLERANCE` of the nominal one, up to two standard errors."""
        distance = self.share - self.nominal
        if abs(distance) <= TOLERANCE + 2 * self.error:
            return "as said"
        return "more often than said" if distance > 0 else "less often than said"


def held(
    what: str,
    data: str,
    size: str,
    inside: Sequence[bool] | np.ndarray,
    *,
    nominal: float = 0.95,
    width: float = math.nan,
    beside: float = math.nan,
    note: str = "",
) -> HeldCell:
    """Return the cell of draws, of which each is inside its interval or is not."""
    share = float(np.mean(inside))
    error = math.sqrt(share * (1 - share) / len(inside))
    return HeldCell(what, data, size, share, error, nominal, width, beside, note)


def held_markdown(cells: Iterable[HeldCell]) -> str:
    """Return cells as a table."""
    lines = [
        "| what is said | data | size | held (standard error), of | mean width, and of what it replaces | verdict |",
        "|---|---|---|---|---|---|",
    ]
    for cell in cells:
        widths = ", ".join(f"{width:.3g}" for width in (cell.width, cell.beside) if not math.isnan(width))
        verdict = f"{cell.verdict}. {cell.note}" if cell.note else cell.verdict
        lines.append(
            f"| {cell.what} | {cell.data} | {cell.size} | {cell.share:.1%} ({cell.error:.2%}), {cell.nominal:.1%} | "
            f"{widths} | {verdict} |"
        )
    return "\n".join(lines)
