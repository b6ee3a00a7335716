"""Columns of labels that hold the majority of others beside them, and so are no raters of their own."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence

_TIES = frozenset(("tie", "tied", "draw"))
_FEWEST = 3  # raters whose majority may stand beside them


def is_tie(label: str) -> bool:
    """Say whether a label is a word for a tie.

    >>> is_tie("Tie "), is_tie("same")
    (True, False)
    """
    return label.strip().lower() in _TIES


def majority_of(columns: Mapping[str, Sequence[str]]) -> str:
    """Return the column that holds the majority of three others or more in each row, and a tie without one; else "".

    >>> three = {"a": ["x", "y", "x"], "b": ["x", "y", "y"], "c": ["y", "y", "tie"]}
    >>> majority_of(three | {"all": ["x", "y", "Tie"]}), majority_of(three)
    ('all', '')
    """
    labels = {name: [_label(cell) for cell in cells] for name, cells in columns.items()}
    for name, own in labels.items():
        others = [of_other for other, of_other in labels.items() if other != name]
        if len(others) >= _FEWEST and own == [_majority(row) for row in zip(*others, strict=True)]:
            return name
    return ""


def are_majorities(rows: Sequence[Sequence[str]], own: Sequence[str]) -> bool:
    """Say whether labels are those of most raters wherever most of them agree.

    Args:
        rows: the raters' labels in each row.
        own: the label of each row.

    >>> are_majorities([["1", "1", "0"], ["0", "0", "0"], ["1", "0", "-1"]], ["1", "0", "0"])
    True
    """
    told = [(_majority(row), label) for row, label in zip(rows, own, strict=True)]
    agreed = [pair for pair in told if pair[0] != "tie"]
    return len(agreed) > 1 and all(most == label for most, label in agreed)


def _label(cell: str) -> str:
    return "tie" if is_tie(cell) else cell.strip()


def _majority(labels: Sequence[str]) -> str:
    """Return the label of more than half of the raters; a tie without one."""
    label, n = Counter(labels).most_common(1)[0]
    return label if 2 * n > len(labels) else "tie"
