"""Ranks in place of ratings: told by a column's name, or by numbers that put the systems of an item in an order."""

from __future__ import annotations

import re
from collections.abc import Sequence
from itertools import pairwise
from typing import TYPE_CHECKING

from referenceless_metrics.core.support.validation import shortened

if TYPE_CHECKING:
    import pandas as pd

_RANKED = frozenset(
    (
        *("rank", "ranks", "ranked", "ranking", "rankings", "rang", "ränge", "rangfolge", "rangplatz", "platz"),
        *("platzierung", "classement", "rango", "puesto", "posto", "classifica", "classificação"),
    )
)
"""Words for ranks, in the languages of studies."""
_PROGRAMS = frozenset(("text", "lex", "page", "topic"))
"""Words before `Rank` in names of programs, which are systems."""

_ERRORS = frozenset(("err", "errs"))
_FEWEST = 5  # orders of three systems or more
_FEWEST_OF_TWO = 10  # orders of two
MOST_RANKS = 20
"""Most systems in an order."""


def is_better_if_lower(column: str) -> bool:
    """Say whether the name of a column tells of ranks or errors, of which fewer are better.

    >>> is_better_if_lower("Rang mT5"), is_better_if_lower("rangefinder")
    (True, False)
    >>> is_better_if_lower("rank_ours"), is_better_if_lower("humanRank"), is_better_if_lower("has_hallucination")
    (True, True, True)
    >>> is_better_if_lower("err_facts"), is_better_if_lower("ferry")
    (True, False)
    >>> is_better_if_lower("textrank_r1"), is_better_if_lower("TextRank"), is_better_if_lower("fluency")
    (False, False, False)
    """
    words = re.findall(r"[^\W\d_]+", re.sub(r"(?<=[a-z])(?=[A-Z])", " ", column).lower())
    tell_ranks = any(word in _RANKED and before not in _PROGRAMS for before, word in pairwise(["", *words]))
    tell_errors = not _ERRORS.isdisjoint(words) or re.search("error|mistake|hallucinat", column.lower()) is not None
    return tell_ranks or tell_errors


def note_on_ranks(columns: Sequence[str]) -> list[str]:
    """Return a note on columns whose names tell of ranks or errors, of which fewer are better.

    >>> note_on_ranks(["fluency"]), len(note_on_ranks(["rank_ours", "rank_base"]))
    ([], 1)
    """
    named = [str(column) for column in columns if is_better_if_lower(str(column))]
    if not named:
        return []
    shown = shortened(", ".join(map(repr, named)), 80)
    return [
        f"{shown}: a higher number counts as rated higher; if 1 is the best rank, or errors are counted, it is worse"
    ]


def are_ranks(frame: pd.DataFrame, keys: Sequence[str], column: str) -> bool:
    """Say whether the numbers of each group of rows are ranks of these rows, from 1 on, most of them without ties.

    Ties have the rank of the first of them, the next whole number, or the mean of their places. Groups with a number
    that is missing are left out.

    Args:
        frame: a row for each number.
        keys: the columns that tell groups apart, such as item and rater.
        column: the column of numbers.
    """
    rows = frame[[*keys, column]]
    size = rows.groupby(list(keys), sort=False)[column].transform("size")
    highest = rows[column].max()
    if not (rows[column].min() == 1 and 1 < highest <= min(int(size.max()), MOST_RANKS)):
        return False
    rows = rows[size > 1]
    grouped = rows.groupby(list(keys), sort=False)[column]
    fits = [grouped.rank(method) == rows[column] for method in ("min", "dense", "average")]
    told = rows[list(keys)].assign(
        **{str(place): fit for place, fit in enumerate(fits)}, known=rows[column].notna(), number=rows[column]
    )
    groups = told.groupby(list(keys), sort=False)
    whole = groups["known"].all()
    are_orders = groups[[str(place) for place in range(len(fits))]].all().any(axis=1)[whole]
    sizes = groups.size()[whole]
    are_strict = (groups["number"].nunique()[whole] == sizes)[are_orders]
    fewest = _FEWEST if len(sizes) and sizes.max() > 2 else _FEWEST_OF_TWO
    share = 0.5 if fewest == _FEWEST else 1.0
    return bool(are_orders.all() and len(are_orders) >= fewest and are_strict.mean() >= share)


def rank_values(highest: int, *, best: int = 1, ties: Sequence[float] = ()) -> str:
    """Return the value of `--values` for ranks up to the highest, so that higher numbers are better.

    Args:
        highest: the highest rank.
        best: the best rank, 1 or the highest.
        ties: ranks of ties that lie between whole numbers.

    >>> rank_values(2, ties=[1.5])
    '1=2,1.5=1.5,2=1'
    >>> rank_values(3), rank_values(3, best=3)
    ('1=3,2=2,3=1', '1=1,2=2,3=3')
    """
    ranks = sorted({*range(1, highest + 1), *ties})
    return ",".join(f"{rank:g}={rank if best > 1 else highest + 1 - rank:g}" for rank in ranks)


def told_ranks(named: str, ranks: Sequence[float]) -> str:
    """Return the message on ranks whose better end nobody told, with the options that tell it.

    >>> told_ranks("the ratings", [1.0, 2.0, 3.0])[-58:]
    'is best, or --values 1=1,2=2,3=3 if 3 is: higher is better'
    """
    highest = int(max(ranks))
    ties = [rank for rank in ranks if not float(rank).is_integer()]
    upward, downward = rank_values(highest, ties=ties), rank_values(highest, best=highest, ties=ties)
    return (
        f"{named} are ranks, from 1 to at most {highest} among the systems of each item, and nothing says which end is "
        f"the best: --values {upward} if 1 is best, or --values {downward} if "
        f"{highest} is: higher is better"
    )
