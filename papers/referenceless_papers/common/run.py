"""Measuring a paper's tables and figures part by part.

A part whose data are missing, or in which something fails, is listed with the needed data; the others are still
measured.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from referenceless_metrics.core.support.validation import check_choice
from referenceless_papers.common.cells import PartResult
from referenceless_papers.common.published import with_published


@dataclass(frozen=True)
class Part:
    """One part of a reproduction: its title, and the function that measures it from the paper's data."""

    title: str
    measure: Callable[[Any], PartResult]


def measure_parts(
    paper: str,
    parts: Mapping[str, Part],
    data: Any,
    names: Sequence[str] | None = None,
    *,
    tell: Callable[[str], None] | None = None,
) -> dict[str, PartResult]:
    """Measure parts of a paper.

    Args:
        paper: the paper whose published figures stand beside; "" for none.
        parts: the paper's parts by name.
        data: the data that they measure from.
        names: names of the parts to measure; None for all.
        tell: takes a line on each part as it is done.

    Returns:
        Results by the parts' titles. A part that fails holds only missing cells.

    Raises:
        ValueError: for an unknown part; the message lists the known ones.
    """
    chosen = list(dict.fromkeys(parts if names is None else names))
    for name in chosen:
        check_choice(name, "parts", tuple(parts))
    results = {}
    for number, name in enumerate(chosen, start=1):
        title, begin = parts[name].title, time.perf_counter()
        result = PartResult()
        with result.attempt(title):
            result = parts[name].measure(data)
        if paper:
            result.cells = with_published(paper, name, result.cells, result.missing)
        results[title] = result
        if tell is not None:
            tell(f"[{number}/{len(chosen)}] {title}: {_counted(result)} ({time.perf_counter() - begin:.1f} s)")
    return results


def _counted(result: PartResult) -> str:
    counts = {
        "cell": len(result.cells),
        "row": sum(len(table.rows) for table in result.tables),
        "figure": len(result.figures),
    }
    told = [f"{count} {name}{'' if count == 1 else 's'}" for name, count in counts.items() if count]
    told += [f"{len(result.missing)} missing"] if result.missing else []
    return ", ".join(told) or "nothing"
