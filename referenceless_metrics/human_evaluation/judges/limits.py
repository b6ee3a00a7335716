"""Limits of scores: how many of the outputs that people rate as bad each one catches, and how many others with them."""

from __future__ import annotations

import math
import re
from dataclasses import asdict, dataclass
from typing import NamedTuple

import numpy as np

from referenceless_metrics.assessment.meta_evaluation import rank_correlation
from referenceless_metrics.core.support.comparisons import COMPARED
from referenceless_metrics.core.support.validation import Booleans, Floats, InputError, Integers, Record, finite_number
from referenceless_metrics.human_evaluation.scores.mean_intervals import mean_interval

_SHARES = (0.1, 0.25, 0.5, 0.7, 0.8, 0.9, 0.95)
"""Shares of the bad outputs that limits are to catch: low ones are of alarms that few good outputs may set off."""

FEWEST_OF_EACH = 5
"""Fewest bad outputs, and fewest good ones, for which limits are told."""

_DIGITS = 3  # of a limit
_CONDITION = re.compile(r"\s*(<=|>=|<|>)\s*(\S+)\s*")


class Bad(NamedTuple):
    """The ratings, or scores, that count as bad: those that a number bounds.

    Attributes:
        sign: one of `<`, `<=`, `>` and `>=`.
        bound: the number.
    """

    sign: str
    bound: float

    @classmethod
    def parse(cls, text: str) -> Bad:
        """Return the condition in a text such as `<=2`.

        Raises:
            InputError: for other text.

        >>> Bad.parse("<= 2")
        Bad(sign='<=', bound=2.0)
        """
        match = _CONDITION.fullmatch(text)
        bound = None if match is None else finite_number(match[2])
        if match is None or bound is None:
            raise InputError(f'expected what counts as bad, such as "<=2" or ">=4", but got {text!r}')
        return cls(match[1], bound)

    def holds(self, ratings: Floats) -> Booleans:
        """Return which ratings are bad, shape (n,)."""
        bad: Booleans = COMPARED[self.sign](ratings, self.bound)
        return bad

    def __str__(self) -> str:
        return f"{self.sign} {self.bound:g}"


class Share(NamedTuple):
    """A share with its interval; NaN at both ends without one."""

    value: float
    low: float
    high: float

    def __str__(self) -> str:
        if math.isnan(self.low):
            return f"{self.value:.0%}"
        return f"{self.value:.0%} [{self.low:.0%}, {self.high:.0%}]"


@dataclass(frozen=True)
class Limit:
    """A limit of scores.

    Attributes:
        limit: the limit; scores at it are flagged, too.
        flagged: share of all outputs that it flags.
        caught: share of the bad outputs that it flags.
        false_alarms: the same of the others.
        bad_among_flagged: share of bad ones among those that it flags.
    """

    limit: float
    flagged: float
    caught: Share
    false_alarms: Share
    bad_among_flagged: Share

    @property
    def row(self) -> Record:
        """The limit as a row of a table."""
        row = {"limit": self.limit, "flagged": self.flagged}
        for name in ("caught", "false_alarms", "bad_among_flagged"):
            share: Share = getattr(self, name)
            row |= {name: share.value, f"{name}_low": share.low, f"{name}_high": share.high}
        return row


@dataclass(frozen=True)
class Limits:
    """Limits of the scores of n outputs, the one that flags the fewest first.

    Attributes:
        bad: the ratings that count as bad.
        n_bad: number of outputs that are.
        n: number of all.
        is_lower_bad: whether low scores are flagged: those of the bad ones are the lower, by rank correlation.
        limits: the limits; none of too few outputs.
        level: confidence level of the intervals.
    """

    bad: Bad
    n_bad: int
    n: int
    is_lower_bad: bool
    limits: tuple[Limit, ...]
    level: float

    def lines(self, of: str = "", how: str = "") -> list[str]:
        """Return the limits in sentences.

        Args:
            of: what has the scores, as a sentence begins: "Fluency: ".
            how: how the scores were made, if the same ratings were learned from.
        """
        counts = f"{self.n_bad} of {self.n} outputs are rated {self.bad}, and count as bad"
        if not self.limits:
            few = f"at least {FEWEST_OF_EACH} bad and {FEWEST_OF_EACH} other outputs are needed"
            return [f"{of}No limits are told: {counts}; {few}, with scores that differ."]
        sign = "≤" if self.is_lower_bad else "≥"
        return [
            f"{of}Limits: {counts}{how}. Intervals ({self.level:.0%}) hold for a limit that was named before; the best "
            "of several looks better than it is.",
            *(
                f"{of}score {sign} {each.limit:g} flags {each.flagged:.0%}: {each.caught} of the bad ones, "
                f"{each.false_alarms} of the others; {each.bad_among_flagged} of what it flags is bad."
                for each in self.limits
            ),
        ]

    def record(self) -> Record:
        """Return the limits by name, for JSON."""
        told = asdict(self)
        return {**told, "bad": str(self.bad), "limits": [each.row for each in self.limits]}


def limits_of(scores: Floats, ratings: Floats, clusters: Integers, bad: Bad, level: float) -> Limits:
    """Return limits of scores that catch given shares of the bad outputs, with the share of good ones that they flag.

    Each limit is rounded to three digits to the side that catches more; the shares are those of the rounded one.

    Args:
        scores: shape (n,), finite; estimates of ratings that they were learned from must be made without these.
        ratings: people's mean ratings, shape (n,).
        clusters: number of each output's item or cluster, shape (n,).
        bad: the ratings that count as bad.
        level: confidence level of the intervals, in (0, 1).
    """
    is_bad = bad.holds(ratings)
    n_bad = int(is_bad.sum())
    rated_low = bad.sign in ("<", "<=")
    is_lower_bad = rated_low == bool(rank_correlation(scores, ratings) >= 0)
    told = Limits(bad, n_bad, len(scores), is_lower_bad, (), level)
    if min(n_bad, len(scores) - n_bad) < FEWEST_OF_EACH or not np.ptp(scores) > 0:
        return told
    turned = scores if is_lower_bad else -scores
    of_bad = np.sort(turned[is_bad])
    wanted = [_rounded_up(float(of_bad[math.ceil(share * n_bad) - 1])) for share in _SHARES]
    found = []
    for limit in dict.fromkeys(wanted):
        flags = turned <= limit
        found.append(
            Limit(
                limit if is_lower_bad else 0.0 - limit,
                float(flags.mean()),
                _share(flags[is_bad], clusters[is_bad], level),
                _share(flags[~is_bad], clusters[~is_bad], level),
                _share(is_bad[flags], clusters[flags], level),
            )
        )
    return Limits(bad, n_bad, len(scores), is_lower_bad, tuple(found), level)


def _rounded_up(value: float) -> float:
    """Return the next number from a value on that has three digits.

    >>> _rounded_up(3.1211), _rounded_up(-2.007), _rounded_up(0.0)
    (3.13, -2.0, 0.0)
    """
    if value == 0:
        return 0.0
    digits = _DIGITS - 1 - math.floor(math.log10(abs(value)))
    return math.ceil(round(value * 10.0**digits, 6)) / 10.0**digits


def _share(values: Booleans, clusters: Integers, level: float) -> Share:
    numbered: Integers = np.unique(clusters, return_inverse=True)[1].ravel()
    shares = values.astype(float)
    return Share(float(shares.mean()), *mean_interval(shares, numbered, level))
