"""Names and counts as sentences have them."""

from __future__ import annotations

from collections.abc import Sequence

from referenceless_metrics.human_evaluation.ratings.model_raters import RATERS


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


def no_people(given_by: str, n: int, verb: str) -> str:
    """Return the judges, or the raters if nothing tells what they are, with a verb.

    Args:
        given_by: who gave the answers, not `PEOPLE`; see `ratings.model_raters`.
        n: their number; 0 if it is not known.
        verb: the verb of several.

    >>> no_people("models", 1, "rate"), no_people("judges", 3, "prefer"), no_people("raters", 0, "rate")
    ('The judge rates', 'These 3 judges prefer', 'The raters rate')
    """
    if given_by == RATERS:
        return f"The raters {verb}"
    return f"These {n} judges {verb}" if n > 1 else f"The judge {verb}s"
