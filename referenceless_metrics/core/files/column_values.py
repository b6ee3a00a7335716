"""The cells of a column: as numbers, and as the texts by which their readers compare them."""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np

from referenceless_metrics.core.support.validation import Floats


@dataclass(frozen=True)
class ColumnNumbers:
    """A column's cells as numbers.

    Attributes:
        values: shape (cells,); NaN for a cell that marks a missing value.
        note: a sentence on how the cells were read, without an end; "" for plain numbers.
    """

    values: Floats
    note: str = ""


def holds_nothing(cell: object) -> bool:
    """Say whether a cell is blank: it holds no text, no number and no element."""
    if cell is None or (isinstance(cell, float) and math.isnan(cell)):
        return True
    return not cell.strip() if isinstance(cell, str) else isinstance(cell, (list, tuple)) and not cell


def word_of(cell: object) -> str:
    """Return a cell in small letters, with single blanks, as words are compared."""
    return " ".join(str(cell).split()).lower()


def text_of(cell: object) -> str:
    """Return a cell of one value as its text; any other as Python writes it."""
    return str(cell).strip() if isinstance(cell, (str, bool, int, float, np.bool_, np.number)) else repr(cell)


def with_point(cell: object) -> object:
    """Return a cell with a decimal point in place of a decimal comma."""
    return cell.replace(",", ".", 1) if isinstance(cell, str) and "." not in cell else cell
