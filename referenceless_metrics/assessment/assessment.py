"""Assessment of estimates: each rated text is estimated from others, and the estimates are compared with the ratings.

This module alone defines the ways of leaving texts out, ρ, and the verdict. `advise`, `calibrate` and the verdict that
an estimator carries are parts of an `Assessment`.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import TypeAlias

import numpy as np

from referenceless_metrics.assessment.agreement import (
    FEWEST_COVERED,
    GROUPS,
    LEFT_OUT,
    NEAR_COPIES,
    SYSTEMS,
    TEXTS,
    UNPROVEN,
    WEAK,
    Agreement,
    Verdict,
    agreement,
    verdict_from,
)
from referenceless_metrics.assessment.folds import check_groups, number_groups, random_folds
from referenceless_metrics.assessment.meta_evaluation import mean_of_others
from referenceless_metrics.assessment.near_copies import COUNTED, ENOUGH, near_copies
from referenceless_metrics.assessment.rater_ceiling import RaterCeiling, rater_ceiling
from referenceless_metrics.core.files.tables import RatedTexts
from referenceless_metrics.core.support.lazily import cached_property
from referenceless_metrics.core.support.validation import Booleans, Floats, Integers

PartEstimates: TypeAlias = Callable[[Floats], Floats]
"""Function from d parts of n rated texts, one column per part with 1 for its members and 0 for others, shape (n, d), to
the estimates of all n texts from each part, shape (n, d), NaN for abstentions. No text is estimated with its own
rating."""

_LONG_STORY = 0.2  # smallest correlation of the ratings with the length that is mentioned
_ENOUGH_REPEATED = 0.5  # further ratings per text from which agreement of raters is estimated
_FOLD_SEED = 12345
_MANY_TEXTS = 1_000  # fewest texts with which five folds of groups are enough: training on parts takes long
_MEAN_BESIDE = {SYSTEMS: "mean rating of the other systems", GROUPS: "mean rating of the other groups"}
_PREFIXES = {TEXTS: "", NEAR_COPIES: "near_copy_", GROUPS: "group_", SYSTEMS: "system_"}

_COUNTED = {NEAR_COPIES: "groups of near copies"}
"""The thing that the number of units counts, if it is not what the unit is called: a group is one unit."""


@dataclass(frozen=True)
class Assessment:
    """Agreement of estimates of rated texts with the ratings.

    Attributes:
        n_ratings: the number of ratings.
        agreements: the agreement for each unit of `LEFT_OUT`, the most lenient first.
        n_left_out: the number of these units: texts, groups or systems.
        ceiling: the ceiling that rater noise sets; None if no text is known to be rated several times.
    """

    n_ratings: int
    agreements: Mapping[str, Agreement]
    n_left_out: Mapping[str, int]
    ceiling: RaterCeiling | None

    @property
    def n_texts(self) -> int:
        """Number of distinct texts."""
        return self.agreements[TEXTS].n_texts

    @property
    def units(self) -> list[str]:
        """Numbers of the units that are left out together, as `12 groups of near copies`; none of single texts."""
        others = {left_out: n for left_out, n in self.n_left_out.items() if left_out != TEXTS}
        return [f"{n} {_COUNTED.get(left_out, left_out)}" for left_out, n in others.items()]

    @property
    def strictest(self) -> str:
        """Unit that the strictest way leaves out together, one of `LEFT_OUT`.

        It is near copies only if the agreement is then lower than by the strictest other way: by a lower verdict, or by
        the same verdict with a lower ρ. A near copy can belong to another system, or another group, than its twin.
        """
        near = self.agreements.get(NEAR_COPIES)
        if near is not None and near.worth < self.agreements[self._named_last].worth:
            return NEAR_COPIES
        return self._named_last

    @property
    def _named_last(self) -> str:
        """Unit of the strictest way but that of near copies."""
        return [left_out for left_out in self.agreements if left_out != NEAR_COPIES][-1]

    @property
    def expected(self) -> Agreement:
        """Agreement to expect for further texts, by the strictest way."""
        return self.agreements[self.strictest]

    @cached_property
    def verdict(self) -> Verdict:
        """Verdict on the estimates, by the strictest way."""
        return verdict_from(self.expected, self.strictest)

    def _expected_told(self) -> str:
        """Say which of the agreements is to be expected, and why, if near copies are one of the ways to leave out."""
        which = "The last" if self.strictest == list(self.agreements)[-1] else f"That of {self.strictest}"
        told = f"{which} is what to expect"
        if NEAR_COPIES not in self.agreements:
            return told
        is_near = self.strictest == NEAR_COPIES
        other = self._named_last if is_near else NEAR_COPIES
        if self.expected.worth[0] != self.agreements[other].worth[0]:
            verdicts = [verdict_from(self.agreements[each], each).verdict for each in (self.strictest, other)]
            return f"{told}: its verdict, {verdicts[0]}, is lower than that with {other} left out, {verdicts[1]}"
        if is_near:
            return f"{told}: it is lower than that of {other}"
        return f"{told}: that of near copies is not lower"

    def figures(self) -> dict[str, float]:
        """Return all figures by name, for a table or JSON; those of whole groups begin with `group_` or `system_`."""
        row: dict[str, float] = {"n_texts": self.n_texts, "n_ratings": self.n_ratings}
        for left_out, agreed in self.agreements.items():
            prefix = _PREFIXES.get(left_out, "delexicalised_")
            if prefix:
                row[f"n_{_COUNTED.get(left_out, left_out).replace(' ', '_')}"] = self.n_left_out[left_out]
            row |= {f"{prefix}{name}": value for name, value in agreed.figures().items()}
        if self.ceiling is not None:
            row |= {
                "rater_ceiling": self.ceiling.by_rank,
                "rater_ceiling_low": self.ceiling.low,
                "rater_ceiling_high": self.ceiling.high,
                "share_of_ceiling": self.ceiling.share(self.agreements[TEXTS].corrected.value),
            }
        return row

    def findings(self) -> list[str]:
        """Return the findings in sentences, the verdict first."""
        agreed, verdict = self.expected, self.verdict.verdict
        sentences = [self.verdict.summary]
        if verdict in UNPROVEN:
            sentences.append("Do not report these estimates as quality.")
        elif verdict == WEAK:
            sentences.append("The estimates may order many texts; they decide nothing about one text or one system.")
        if len(self.agreements) > 1:
            ways = [
                f"{left_out} {_told(each)} at coverage {each.coverage:.2f}"
                for left_out, each in self.agreements.items()
            ]
            within = ", the mean of each system's own ρ (by Fisher's z)" if SYSTEMS in self.agreements else ""
            expected = f" {self._expected_told()}." if math.isfinite(agreed.corrected.value) else ""
            sentences.append(f"What is left out decides ρ: {'; '.join(ways)}{within}.{expected}")
        if NEAR_COPIES in self.agreements:
            sentences.append(
                f"At least {ENOUGH:.0%} of the {self.n_texts} texts share at least half of {COUNTED} with another. "
                f"Texts with their near copies form {self.n_left_out[NEAR_COPIES]} groups, which are left out together."
            )
            if GROUPS not in self.agreements:
                sentences.append(
                    "Name what belongs together (--group-column), such as the item that texts were made for."
                )
        if agreed.baseline_error > 0:
            reduction = 1 - agreed.mean_squared_error / agreed.baseline_error
            chance = ", which may be chance" if verdict in UNPROVEN and reduction > 0 else ""
            sentences.append(
                f"As they stand, the estimates have {abs(reduction):.0%} {'less' if reduction > 0 else 'more'} squared "
                f"error than the {_MEAN_BESIDE.get(self.strictest, 'mean rating of the other texts')}{chance}."
            )
        if abs(agreed.length.value) >= _LONG_STORY:
            fixed = f"; with the length held fixed the estimates' ρ is {agreed.given_length.value:.2f}"
            known = fixed if math.isfinite(agreed.given_length.value) else ""
            within = "Within systems, length" if self.strictest == SYSTEMS else "Length"
            sentences.append(f"{within} alone correlates with the ratings at ρ {agreed.length.value:.2f}{known}.")
        many_repeated = self.n_ratings - self.n_texts >= _ENOUGH_REPEATED * self.n_texts
        if self.ceiling is not None and many_repeated and agreed.corrected.n:
            alone = self.strictest == TEXTS
            sentences.append(self.ceiling.summary(agreed.corrected.value) if alone else f"{self.ceiling}.")
        return sentences


def _told(agreed: Agreement) -> str:
    """Return a correlation with its interval, or the reason why it cannot be told."""
    correlation = agreed.corrected
    if not math.isfinite(correlation.value):
        is_few = agreed.coverage * agreed.n_texts < FEWEST_COVERED
        return (
            f"cannot be told, {'of too few estimates' if is_few else 'since all ratings, or all estimates, are equal'},"
        )
    return f"{correlation.value:.2f} [{correlation.low:.2f}, {correlation.high:.2f}]"


def assess(
    estimates: Mapping[str, Floats],
    texts: Sequence[str],
    ratings: Floats,
    *,
    groupings: Mapping[str, Integers] | None = None,
    rated: RatedTexts | None = None,
    n_ratings: int | None = None,
) -> Assessment:
    """Assess estimates of n distinct texts by every way of leaving texts out.

    Args:
        estimates: the result of `left_out_estimates`, shape (n,) each.
        texts: the texts.
        ratings: the mean rating of each text, shape (n,).
        groupings: see `left_out_estimates`.
        rated: one row per rating; only these show the disagreement of raters.
        n_ratings: the number of ratings, if `rated` is not known.
    """
    groups = groupings or {}
    agreements = {
        left_out: agreement(
            values,
            ratings,
            texts,
            baseline=None if left_out == TEXTS else float(ratings.mean()),
            training_means=training_means(left_out, ratings, groups[left_out]) if left_out in groups else None,
            systems=groups.get(SYSTEMS) if left_out == SYSTEMS else None,
        )
        for left_out, values in estimates.items()
    }
    return Assessment(
        n_ratings=len(rated) if rated is not None else n_ratings or len(texts),
        agreements=agreements,
        n_left_out={TEXTS: len(texts)} | {name: int(numbers.max()) + 1 for name, numbers in groups.items()},
        ceiling=None if rated is None else rater_ceiling(rated.texts, rated.ratings),
    )


def left_out_estimates(
    from_parts: PartEstimates, ratings: Floats, groupings: Mapping[str, Integers]
) -> dict[str, Floats]:
    """Estimate each of n texts from the others, and from those that share no group with it, shape (n,) each.

    Up to ten groups are left out one by one; more are put into ten folds of whole groups (five for a thousand texts or
    more). If a fold has high ratings, low ones are left to learn from, so that the estimates of all folds together are
    biased against the ratings. Each estimate is therefore shifted from the mean rating that it was made with to the
    mean of all ratings, with which it is then compared (`baseline` of `agreement`).

    Args:
        from_parts: a function that estimates the texts from parts of them.
        ratings: shape (n,).
        groupings: the number of each text's group, shape (n,), for each unit that is left out.
    """
    single = from_parts(np.ones((len(ratings), 1)))[:, 0]
    estimates = {TEXTS: single}
    for left_out in LEFT_OUT:
        if left_out == NEAR_COPIES and left_out in groupings:
            estimates[left_out] = _without_near_copies(from_parts, single, ratings, groupings[left_out])
        elif left_out in groupings:
            estimates[left_out] = _without_folds(from_parts, ratings, group_folds(groupings[left_out]))
    return estimates


def training_means(left_out: str, ratings: Floats, groups: Integers) -> Floats:
    """Return the mean of the ratings that `left_out_estimates` makes each text's estimate with, shape (n,).

    Args:
        left_out: the unit that is left out, one of `LEFT_OUT`.
        ratings: shape (n,).
        groups: the number of each text's group, shape (n,).
    """
    if left_out != NEAR_COPIES:
        return _means_without_folds(ratings, group_folds(groups))
    has_copy, folds = _folds_of_copies(groups)
    return np.where(has_copy, _means_without_folds(ratings, folds), mean_of_others(ratings))


def _means_without_folds(ratings: Floats, folds: Integers) -> Floats:
    """Return the mean rating of the texts that are not in a text's fold, shape (n,); NaN for a fold of -1."""
    members = (folds[:, None] != np.arange(int(folds.max()) + 1)).astype(float)
    means = (ratings @ members / members.sum(axis=0))[folds]
    return np.where(folds < 0, np.nan, means)


def _folds_of_copies(copies: Integers) -> tuple[Booleans, Integers]:
    """Return which texts have a near copy, and their folds, shape (n,) each; -1 for a text without one."""
    has_copy = np.bincount(copies)[copies] > 1
    folds = np.full(len(copies), -1)
    folds[has_copy] = group_folds(number_groups(copies[has_copy].tolist()))
    return has_copy, folds


def _without_folds(from_parts: PartEstimates, ratings: Floats, folds: Integers) -> Floats:
    """Estimate each text from the folds that it is not in, on the scale of all ratings, shape (n,).

    Args:
        from_parts: a function that estimates the texts from parts of them.
        ratings: shape (n,).
        folds: the number of each text's fold, shape (n,); -1 for a text that is in all parts, whose estimate is NaN.
    """
    members = (folds[:, None] != np.arange(int(folds.max()) + 1)).astype(float)
    estimates = from_parts(members)[np.arange(len(ratings)), folds]
    return np.asarray(estimates - _means_without_folds(ratings, folds) + ratings.mean())


def _without_near_copies(from_parts: PartEstimates, single: Floats, ratings: Floats, copies: Integers) -> Floats:
    """Estimate each text from those that are no near copies of it, shape (n,).

    Args:
        from_parts: a function that estimates the texts from parts of them.
        single: the estimates of the texts from all others, shape (n,); they are right for texts without near copies.
        ratings: shape (n,).
        copies: the number of each text's group of near copies, shape (n,).
    """
    has_copy, folds = _folds_of_copies(copies)
    alone = single - mean_of_others(ratings) + ratings.mean()
    return np.where(has_copy, _without_folds(from_parts, ratings, folds), alone)


def groupings_of(rated: RatedTexts | None, texts: Sequence[str]) -> dict[str, Integers]:
    """Return the number of each distinct text's group, shape (n,), for each unit that can be left out.

    A text in several groups counts for the first. A single system cannot be left out. Near copies are a unit if there
    are many, unless each group of them lies in one group that the user names.

    Args:
        rated: the texts with the names of their groups; None if these are not known.
        texts: the distinct texts.

    Raises:
        InputError: for one group only, or a system with one text.
    """
    groupings = {} if rated is None else _named_groupings(rated, texts)
    copies = near_copies(texts)
    if copies.are_many and not _holds_together(groupings.get(GROUPS), copies.groups):
        groupings[NEAR_COPIES] = copies.groups
    return groupings


def _holds_together(groups: Integers | None, copies: Integers) -> bool:
    """Return whether each group of near copies lies in one of the groups."""
    if groups is None:
        return False
    pairs = np.unique(np.stack([copies, groups]), axis=1)
    return bool(pairs.shape[1] == int(copies.max()) + 1)


def _named_groupings(rated: RatedTexts, texts: Sequence[str]) -> dict[str, Integers]:
    """Return the number of each distinct text's group, for each grouping that the user names."""
    groupings = {}
    for left_out, names in rated.groupings.items():
        if left_out == SYSTEMS and len(set(names)) < 2:
            continue
        of_text = dict(zip(reversed(rated.texts), reversed(names), strict=True))
        # ρ is that within systems; other groups are left out together alone
        fewest = 2 if left_out == SYSTEMS else 1
        groupings[left_out] = check_groups([of_text[text] for text in texts], fewest)
    return groupings


def group_folds(groups: Integers) -> Integers:
    """Return each text's fold, shape (n,). Groups stay whole; there are up to ten folds, or five for many texts."""
    n_groups, most = int(groups.max()) + 1, 5 if len(groups) >= _MANY_TEXTS else 10
    return groups if n_groups <= most else number_groups(random_folds(groups, most, _FOLD_SEED).tolist())
