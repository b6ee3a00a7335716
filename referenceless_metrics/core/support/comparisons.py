"""Signs that compare numbers, as people write them in conditions."""

from __future__ import annotations

import operator
from collections.abc import Callable, Mapping
from typing import Any

COMPARED: Mapping[str, Callable[[Any, float], Any]] = {
    "<": operator.lt,
    "<=": operator.le,
    ">": operator.gt,
    ">=": operator.ge,
}
"""The comparison of each sign, of a number or of an array with a number."""
