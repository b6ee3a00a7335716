"""Scores of several systems in one table, whose columns are called by the systems, as are those of their outputs."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

from referenceless_metrics.advice.look.lines.parts import Parts, command_line
from referenceless_metrics.core.files.nested_rows import ANY
from referenceless_metrics.human_evaluation.scores.system_in_names import options_of_pattern

_MOST_SCORES = 4  # of each system that a line names


def of_systems_in_names(file: str, parts: Parts, reading: Sequence[str]) -> list[str]:
    """Return the line that compares systems by such scores, as `base_bleu` and `ft_bleu` beside their answers.

    There is none unless two columns of texts or more are called by the same systems.
    """
    ends = _ends_of_scores(parts) if parts.n_systems == 0 else []
    if not ends:
        return []
    patterns = [f"{ANY}{end}" for end in ends[:_MOST_SCORES]]
    items = parts.option("item", "item")
    return [command_line("compare", "--scores", file, *options_of_pattern(patterns), *items, *reading)]


def _ends_of_scores(parts: Parts) -> list[str]:
    """Return what stands behind the systems in the names of numbers that all of these have; none without systems."""
    texts = [column.name for column in parts.columns if column.kind == "text" and column.part in ("", "text")]
    systems = max(_systems_by_end(texts), key=len, default=[])
    numbers = [column.name for column in parts.columns if column.is_numeric and column.part in ("score", "rating", "")]
    first = systems[0] if len(systems) > 1 else ""
    ends = [name.removeprefix(first) for name in numbers if first and name.startswith(first)]
    return [end for end in ends if end and all(f"{system}{end}" in numbers for system in systems)]


def _systems_by_end(names: Sequence[str]) -> Iterator[list[str]]:
    """Yield, for each end of a name from a mark between words on, what stands before it in all names that have it."""
    ends = dict.fromkeys(name[mark.start() :] for name in names for mark in re.finditer(r"(?<=.)[_ .:-](?=.)", name))
    for end in ends:
        yield [name.removesuffix(end) for name in names if name.endswith(end) and name != end]
