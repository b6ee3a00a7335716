"""Names and counts as sentences have them."""

from __future__ import annotations

from collections.abc import Sequence

from referenceless_metrics.human_evaluation.ratings.model_raters import JUDGES, MEANS, MODELS, UNKNOWN

RATINGS, VERDICTS = "these ratings", "these verdicts"
"""Names of ratings, and of preferences, of which nobody knows who gave them."""

MEAN_RATINGS = "these means of people's ratings"
"""Name of ratings that are means over an unknown number of people."""


def ratings_told(given_by: str) -> str:
    """Return the name of ratings of which too little is known for a finding about people.

    >>> ratings_told("unknown"), ratings_told("means")
    ('these ratings', "these means of people's ratings")
    """
    return MEAN_RATINGS if given_by == MEANS else RATINGS


def givers_told(given_by: str) -> str:
    """Return the givers of ratings in words, or the ratings if nobody knows who gave them.

    >>> givers_told("people"), givers_told("models"), givers_told("unknown")
    ('people', 'the judges', 'these ratings')
    """
    if given_by == UNKNOWN:
        return RATINGS
    return "the judges" if given_by in (MODELS, JUDGES) else "people"


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


def judges(n: int, verb: str) -> str:
    """Return judges with a verb.

    Args:
        n: their number; 0 if it is not known.
        verb: the verb of several.

    >>> judges(1, "rate"), judges(3, "prefer")
    ('The judge rates', 'These 3 judges prefer')
    """
    return f"These {n} judges {verb}" if n > 1 else f"The judge {verb}s"
