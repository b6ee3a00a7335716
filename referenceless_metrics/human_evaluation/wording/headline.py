"""The one sentence that pages and tables open with, made from the results, and which systems cannot be told apart."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from referenceless_metrics.human_evaluation.inference.human_score import HumanDifference, HumanScores

if TYPE_CHECKING:
    from referenceless_metrics.human_evaluation.inference.crossed import Crossed
    from referenceless_metrics.human_evaluation.inference.preferences import WinRate
    from referenceless_metrics.human_evaluation.scores.findings import Findings


NOT_OF_PEOPLE = "This says nothing about people."

_MOST_PAIRS = 10  # that a sentence lists


def people_headline(scores: HumanScores) -> str:
    """Return what the ratings show, in a sentence: who is rated higher than the baseline, lower, or cannot be told."""
    differences = scores.differences
    if not differences:
        score = scores.scores[0]
        low, high = score.interval()
        who = _who([score.raters], "rate")
        return f"{who} {score.system} {score.mean.value:.3g} on average ({scores.level:.0%}, {low:.3g} to {high:.3g})."
    basis = f" ({scores.level:.0%}, {family(differences[0].n_compared)})."
    subject = _who([each.raters for each in differences], "rate")
    baselines = {each.baseline for each in differences}
    if len(baselines) > 1:
        return _of_pairs(differences, subject) + basis
    compared = [(each.system, each.mean.value, each.is_shown) for each in differences]
    return who_leads(subject, compared, baselines.pop(), "the ratings") + basis


def preference_headline(rates: Sequence[WinRate]) -> str:
    """Return what preferences show, in a sentence: who is preferred to whom."""
    shown = sorted((rate for rate in rates if rate.is_shown), key=lambda rate: -rate.mean.value)
    preferred = listed([" to ".join(rate.ranked) for rate in shown])
    alike = listed([f"{rate.system} and {rate.baseline}" for rate in rates if not rate.is_shown])
    parts = [f"{_who([rate.raters for rate in rates], 'prefer')} {preferred}"] if preferred else []
    parts += [f"no preference is shown between {alike}"] if alike else []
    sentence = "; ".join(parts)
    return f"{sentence[:1].upper()}{sentence[1:]} ({rates[0].level:.0%}, {family(rates[0].n_compared)})."


def scores_headline(findings: Findings) -> str:
    """Return what scores that any tool wrote show, a sentence a column, and that they are not about people."""
    whole = [each for each in findings.differences if not each.slice]
    basis = f"{findings.level:.0%}, {family(len(whole))}"
    sentences = []
    for column in findings.groups:
        of_column = [each for each in whole if each.column == column]
        equal = [each.system for each in of_column if each.is_equal]
        unlike = [each for each in of_column if not each.is_equal]
        compared = [(each.system, each.estimate.value, each.is_shown(findings.level)) for each in unlike]
        parts = [who_leads("The scores put", compared, findings.baseline, "the scores")] if compared else []
        if equal:
            parts.append(f"{listed([*equal, findings.baseline])} have equal scores on all items")
        sentences.append(f"{'; '.join(parts)} ({column}, {basis}).")
    return " ".join([*sentences, NOT_OF_PEOPLE])


def listed(names: Sequence[str]) -> str:
    """Return names as a sentence lists them.

    >>> listed(["a", "b", "c"]), listed(["a"])
    ('a, b and c', 'a')
    """
    return " and ".join(filter(None, [", ".join(names[:-1]), *names[-1:]]))


def family(n: int) -> str:
    """Name the correction for n comparisons."""
    return f"Holm over {n} comparisons" if n > 1 else "one comparison"


def _who(raters: Sequence[Crossed], verb: str) -> str:
    """Return people, or the raters where they are too few to speak of others, with what they do."""
    known = [of for of in raters if of.n_raters]
    if all(of.about_others for of in known):
        return f"People {verb}"
    return f"This rater {verb}s" if max(of.n_raters for of in known) == 1 else f"These raters {verb}"


def who_leads(subject: str, compared: Sequence[tuple[str, float, bool]], baseline: str, by: str) -> str:
    """Say which systems are higher than the baseline, which lower, and which cannot be told from it.

    Args:
        subject: who does what: "People rate".
        compared: each further system, by how much it is ahead, and whether that is shown.
        baseline: the system that they are compared with.
        by: what tells no difference, where none is shown: "the ratings".
    """
    ordered = sorted(compared, key=lambda each: -each[1])
    higher = listed([system for system, lead, is_shown in ordered if is_shown and lead > 0])
    lower = listed([system for system, lead, is_shown in ordered if is_shown and lead < 0])
    alike = listed([system for system, _, is_shown in ordered if not is_shown])
    parts = [f"{subject} {higher} higher than {baseline}"] if higher else []
    if lower:
        parts.append(f"{lower} lower" if higher else f"{subject} {lower} lower than {baseline}")
    apart = " and ".join(parts)
    if not alike:
        return apart
    rest = f"{alike} cannot be told from {'it' if apart else baseline}"
    return f"{apart}; {rest}" if apart else f"By {by}, {rest}"


def _of_pairs(differences: Sequence[HumanDifference], subject: str) -> str:
    """Say which systems are higher than which others, of all pairs."""
    shown = [each for each in differences if each.is_shown]
    if not shown:
        return f"None of the {len(differences)} pairs of systems can be told apart"
    if len(differences) > _MOST_PAIRS:
        return f"{subject} the two systems differently in {len(shown)} of {len(differences)} pairs"
    lower_of: dict[str, list[str]] = {}
    for better, worse in (each.ranked for each in shown):
        lower_of.setdefault(better, []).append(worse)
    ranked = sorted(lower_of, key=lambda name: -len(lower_of[name]))
    orders = ", ".join(f"{better} higher than {listed(lower_of[better])}" for better in ranked)
    alike = len(differences) - len(shown)
    rest = f"; the other {alike} pairs cannot be told apart" if alike > 1 else "; the other pair cannot be told apart"
    return f"{subject} {orders}{rest if alike else ''}"
