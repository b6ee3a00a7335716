"""Columns of yes and no whose name says which of two outputs is better: `a_is_better`, `model_1_wins`, `prefers_b`.

Yes, or win, is a win of the output that the name names first, and no, or lose, a win of the other one: a column of yes
and no tells no ties, unless a cell says so. Beside a column of opponents, a win is one of the row's own system.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import NamedTuple

from referenceless_metrics.core.support.validation import Record
from referenceless_metrics.human_evaluation.ratings.exports.pair_columns import Pair, filled, words_in
from referenceless_metrics.human_evaluation.ratings.preference_cells import SIDES

YES = frozenset(("yes", "y", "true", "t", "1", "1.0"))
NO = frozenset(("no", "n", "false", "f", "0", "0.0"))
WON = frozenset(("win", "wins", "won", "w", "better"))
LOST = frozenset(("lose", "loses", "lost", "loss", "l", "worse"))
_TIED = frozenset(("0.5", ".5", *(word for word, share in SIDES.items() if share == 0.5)))

_WINNING = re.compile(r"better|best|wins?|won|winner|prefers?|preferred|preference|chosen|beats?|favou?red|vs|versus")
_FILLING = frozenset(
    (
        *("is", "are", "was", "the", "than", "over", "to", "by", "human", "people", "annotator", "rater", "judge"),
        *("model", "system", "response", "output", "answer", "text", "summary", "candidate", "translation", "option"),
    )
)


class SideFlag(NamedTuple):
    """A column of yes and no.

    Attributes:
        column: its name.
        side: the output that wins if it says yes, `a` or `b`.
    """

    column: str
    side: str

    @property
    def other(self) -> str:
        """The output that wins if it says no."""
        return "b" if self.side == "a" else "a"

    def verdict(self, cell: object) -> str | None:
        """Return the verdict of a cell: `a`, `b` or `tie`; None for anything else."""
        word = _word(cell)
        if word in YES | WON:
            return self.side
        if word in NO | LOST:
            return self.other
        return "tie" if word in _TIED else None


def flags_of_sides(columns: Sequence[str], rows: Sequence[Record], pairs: Sequence[Pair]) -> list[SideFlag]:
    """Return the columns of yes and no whose names say that one of two outputs is better, by a criterion or overall.

    Args:
        columns: the columns that may be one.
        rows: the first rows.
        pairs: the columns of the two outputs, and of their systems.
    """
    found = []
    for name in columns:
        side = _named_side(name, rows, pairs)
        words = set() if side is None else set(map(_word, filled(rows, [name])))
        if side is not None and any(words & told and words <= told | _TIED for told in (YES | NO, WON | LOST)):
            found.append(SideFlag(name, side))
    return found


def _word(cell: object) -> str:
    """Return a cell's answer as `SIDES` writes it if it names a tie, and else in small letters."""
    word = str(cell).strip().lower()
    joined = word.replace(" ", "_")
    return joined if joined in _TIED else word


def flag_of_first(columns: Sequence[str], rows: Sequence[Record]) -> SideFlag | None:
    """Return the first column of wins and losses, which are those of the first system of a row; None without one."""
    for name in columns:
        words = {cell.lower() for cell in filled(rows, [name])}
        if words & WON and words & LOST and words <= WON | LOST | _TIED:
            return SideFlag(name, "a")
    return None


def _named_side(column: str, rows: Sequence[Record], pairs: Sequence[Pair]) -> str | None:
    """Return the side that a column's name says is better.

    `ours_better_than_base` names two, of which the first is meant.
    """
    tokens = words_in(column)
    rest = tuple(token for token in tokens if not _WINNING.fullmatch(token) and token not in _FILLING)
    if not any(map(_WINNING.fullmatch, tokens)) or not rest:
        return None
    first, second = set[tuple[str, ...]](), set[tuple[str, ...]]()
    for pair in pairs:
        for names, mark, output in zip((first, second), pair.marks, pair.columns, strict=True):
            names |= {_plain(mark), _plain(output), *map(_plain, _only_value(rows, output))}
    for side, own, others in (("a", first, second), ("b", second, first)):
        if rest in own - others:
            return side
        if any(rest == (*one, *other) for one in own - others for other in others - own):
            return side
        if any(_ends_by_criterion(tokens, one) for one in own - others):
            return side
    return None


def _ends_by_criterion(tokens: Sequence[str], side: tuple[str, ...]) -> bool:
    """Say whether a name is a criterion, a side and a word for winning, as `overall_writer_better`.

    A side of one letter may be an article, as in `was_a_better`.
    """
    named = tokens[:-1]
    before = tuple(named[: -len(side)])
    is_side = bool(side) and tuple(named[-len(side) :]) == side and any(len(word) > 1 for word in side)
    is_won = _WINNING.fullmatch(tokens[-1]) is not None
    return is_side and is_won and bool(before) and not any(map(_WINNING.fullmatch, before)) and "not" not in before


def _plain(name: str) -> tuple[str, ...]:
    """Return the words of a name without those that name no side, unless it has no others."""
    words = words_in(name)
    return tuple(word for word in words if word not in _FILLING) or tuple(words)


def _only_value(rows: Sequence[Record], column: str) -> list[str]:
    """Return the one value of a column of systems; none of a column with several."""
    values = set(filled(rows, [column]))
    return list(values) if len(values) == 1 else []
