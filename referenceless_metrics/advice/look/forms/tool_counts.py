"""Counts of a tool's export: its systems, items, raters and scores."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Iterator, Sequence
from itertools import accumulate

from referenceless_metrics.human_evaluation.exports.rows import ScoreRow
from referenceless_metrics.human_evaluation.wording.phrases import count

_LONGEST = 160  # characters of names


def export_counts(rows: Iterable[ScoreRow]) -> Iterator[str]:
    """Yield remarks on the rows of an export: its systems, its items, raters and runs, and the names of its scores.

    >>> rows = [ScoreRow(system, "1", {"mqm": 1.0}, rater="ann") for system in "ab"]
    >>> list(export_counts(rows))
    ['2 systems: a, b', '1 item, 1 rater', 'scores: mqm']
    >>> list(export_counts(ScoreRow("a", "1", {}, run=run) for run in "12"))
    ['1 system: a', '1 item, up to 2 runs of an item']
    """
    told = list(rows)
    if not told:
        return
    named = [row.system for row in told if row.system]
    if named:
        yield systems_told(named)
    runs_of: dict[tuple[str, ...], set[str]] = defaultdict(set)
    for row in told:
        runs_of[row.system, row.slice, row.cluster, row.item] |= {row.run} - {""}
    numbers = {
        "item": len({(row.slice, row.cluster, row.item) for row in told}),
        "rater": len({row.rater for row in told} - {""}),
    }
    several = [f"up to {most} runs of an item"] if (most := max(map(len, runs_of.values()))) > 1 else []
    yield ", ".join([*(count(n, name) for name, n in numbers.items() if n), *several])
    scores = dict.fromkeys(name for row in told for name in row.scores)
    if scores:
        yield f"scores: {_names_told(list(scores))}"


def systems_told(names: Iterable[str]) -> str:
    """Return the number of different systems, and their names.

    >>> systems_told(["b", "a", "b"])
    '2 systems: b, a'
    """
    different = dict.fromkeys(names)
    return f"{count(len(different), 'system')}: {_names_told(list(different))}"


def _names_told(names: Sequence[str]) -> str:
    """Return names, none of them cut; of many, the first ones and the number of the others."""
    ends = accumulate(len(name) + 2 for name in names)
    n_told = max(1, sum(end <= _LONGEST for end in ends))
    others = f" and {len(names) - n_told} others" if n_told < len(names) else ""
    return ", ".join(names[:n_told]) + others
