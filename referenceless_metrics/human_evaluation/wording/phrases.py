"""Names and counts as sentences have them."""

from __future__ import annotations

from collections.abc import Sequence


def listed(names: Sequence[str]) -> str:
    """Return names as a sentence lists them.

    >>> listed(["a", "b", "c"]), listed(["a"])
    ('a, b and c', 'a')
    """
    return " and ".join(filter(None, [", ".join(names[:-1]), *names[-1:]]))


def count(n: int, thing: str) -> str:
    """Return a number of things in words.

    >>> count(1, "item"), count(2, "item")
    ('1 item', '2 items')
    """
    return f"1 {thing}" if n == 1 else f"{n} {thing}s"
