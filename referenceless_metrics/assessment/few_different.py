"""Outputs that repeat: few different texts for many different inputs, as a model in training writes them.

A good text that is written for every input has a good score by any metric that reads texts alone.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

FEW_DIFFERENT = 0.5
"""Share of the different inputs, or references, below which outputs are told to be few different ones."""

FEWEST_INPUTS = 10
"""Fewest different inputs, or references, of which the outputs for them are told to be few different ones."""

_MISLEADING = "a metric that reads texts alone can score the same few texts well"
"""The reason why few different outputs may mislead."""


def n_different(texts: Sequence[Any]) -> int:
    """Return the number of different texts; white space at their ends does not count."""
    return len({str(text).strip() for text in texts})


def few_different(texts: Sequence[str], given: Mapping[str, Sequence[Any] | None]) -> str:
    """Return a warning with the number of different outputs, and of what they are for; "" unless they are few.

    Args:
        texts: n outputs. Empty ones alone are not told: no metric scores them well.
        given: by name what is known of each output, such as inputs and references, n of each or None. That with the
            fewest different ones counts: a task may have the same answer to many inputs.

    >>> few_different(["yes"] * 20, {"inputs": [str(place) for place in range(20)], "references": None})
    '1 different output beside 20 different inputs: a metric that reads texts alone can score the same few texts well'
    >>> few_different(["yes"] * 20, {"references": ["yes", "no"] * 10})
    ''
    """
    known = {name: n_different(values) for name, values in given.items() if values is not None}
    if not known:
        return ""
    name, expected = min(known.items(), key=lambda each: each[1])
    n = n_different(texts)
    has_text = any(text.strip() for text in texts)
    if not has_text or expected < FEWEST_INPUTS or n >= FEW_DIFFERENT * expected:
        return ""
    return f"{n} different output{'s' if n > 1 else ''} beside {expected} different {name}: {_MISLEADING}"


def few_different_of(
    systems: Sequence[tuple[str, Sequence[str]]], given: Mapping[str, Sequence[Any] | None]
) -> dict[str, str]:
    """Return such a warning for each system with few different outputs, by its name.

    Args:
        systems: names and outputs for the same n inputs.
        given: as of `few_different`. If nothing is known, the system with the most different outputs stands for it.

    >>> few_different_of([("a", ["yes"] * 12), ("b", [str(place) for place in range(12)])], {})["a"][:54]
    '1 different output beside 12 different outputs of b: a'
    """
    if all(values is None for values in given.values()):
        name, outputs = max(systems, key=lambda each: n_different(each[1]))
        given = {f"outputs of {name}": outputs}
    found = {name: few_different(outputs, given) for name, outputs in systems}
    return {name: warning for name, warning in found.items() if warning}
