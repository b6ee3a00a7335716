"""The one sentence that pages and tables open with, made from the results, and which systems cannot be told apart."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Collection, Mapping, Sequence
from string import ascii_lowercase
from typing import TYPE_CHECKING, NamedTuple

from referenceless_metrics.assessment.agreement import USEFUL
from referenceless_metrics.core.support.statistics import p_text
from referenceless_metrics.human_evaluation.inference.estimated_means import LEVEL, groups_alike
from referenceless_metrics.human_evaluation.inference.human_score import (
    Finding,
    HumanDifference,
    HumanScore,
    HumanScores,
)
from referenceless_metrics.human_evaluation.inference.paired_coverage import unlike_coverage
from referenceless_metrics.human_evaluation.ratings.model_raters import (
    MODELS,
    OF_RATINGS_ALONE,
    PEOPLE,
    UNKNOWN,
    names_judge,
)
from referenceless_metrics.human_evaluation.scores.columns import is_computed
from referenceless_metrics.human_evaluation.wording.holm_level import percent
from referenceless_metrics.human_evaluation.wording.phrases import VERDICTS, judges, listed, ratings_told

if TYPE_CHECKING:
    from referenceless_metrics.assessment.agreement import Verdict
    from referenceless_metrics.human_evaluation.inference.estimated_means import Inference
    from referenceless_metrics.human_evaluation.inference.preferences import WinRate
    from referenceless_metrics.human_evaluation.scores.differences import Difference
    from referenceless_metrics.human_evaluation.scores.findings import Findings


NOT_OF_PEOPLE = "This says nothing about people."

_ITS_TEST = (
    "`human-score`, whose p may be another: it counts how raters differ, if enough are told, and borrows variance from "
    "the other differences and from the scale."
)

OF_RATERS = f"These are means of people's scores; the test for these is that of {_ITS_TEST}"

MAY_BE_OF_PEOPLE = f"If people gave these scores, the test for them is that of {_ITS_TEST}"

_MOST_PAIRS = 10  # that a sentence lists

_NO_STRENGTHS: Mapping[str, Inference] = {}

_ZERO_IS_BEST = "; 0 is best"

_DECIMALS = 12
"""Decimals in which equal means agree, whatever the order of their sums."""


def people_headline(scores: HumanScores, *, names_best: bool = False) -> str:
    """Return the finding of the ratings, in a sentence: who is rated higher than the baseline, lower, or alike.

    Args:
        scores: the scores.
        names_best: whether the system with the highest mean is named, as nobody named a baseline: first if a difference
            is shown, and last otherwise.
    """
    differences = scores.differences_by_mean
    if not differences:
        return _headline_of_one(scores.scores[0])
    watched = [each.watched for each in differences if each.watched is not None]
    if watched and all(each.is_early for each in watched):
        return f"{watched[0].looks.too_early(min(each.n for each in watched))}."
    at_looks = " at every look" if watched else ""
    first = differences[0]
    basis = f"({how_tested(scores.level, first.n_compared, first.p_told, at_looks)})"
    known = [each for each in differences if each.is_told]
    untold = [(each.system, each.baseline) for each in differences if not each.is_told]
    baselines = {each.baseline for each in differences}
    best = _highest(scores) if names_best else ""
    if not known:
        return f"{_capital(nothing_said(untold))} {basis}. {best}".strip()
    if len(baselines) > 1 and not untold:
        pairs = [RankedPair(*each.ranked, each.is_shown) for each in differences]
        best = _best(pairs, "Rated highest", "difference", highest_first(scores)) or best
    lead = _lead(known, scores, of_pairs=len(baselines) > 1)
    said = "; ".join(filter(None, [f"{lead} {basis}", nothing_said(untold)]))
    leads = any(each.is_shown for each in known)
    told = f"{best}{said}." if leads else f"{said}. {best}".strip()
    return told + _if_models(known)


def _lead(known: Sequence[HumanDifference], scores: HumanScores, *, of_pairs: bool) -> str:
    """Say who is rated higher than whom; of ratings by nobody knows whom, by these ratings.

    Args:
        known: the differences of which something can be said.
        scores: the findings.
        of_pairs: whether they are of all pairs.
    """
    unknown = next((each.given_by for each in known if each.given_by in OF_RATINGS_ALONE), "")
    if of_pairs and unknown:
        pairs = [RankedPair(*each.ranked, each.is_shown) for each in known]
        return f"By {ratings_told(unknown)}, {scores_of_pairs(pairs, highest_first(scores))}"
    if of_pairs:
        return _of_pairs(known, _who(known, "rate"))
    compared = [Compared(each.system, each.mean.value, each.is_shown) for each in known]
    baseline = known[0].baseline
    if unknown:
        return scores_lead(ratings_told(unknown), compared, baseline)
    return people_lead(_who(known, "rate"), compared, baseline)


def highest_first(scores: HumanScores) -> list[str]:
    """Return the systems in the order of their mean ratings."""
    return [score.system for score in sorted(scores.scores, key=lambda score: -score.mean.value)]


def _highest(scores: HumanScores) -> str:
    """Name the systems with the highest mean rating, in a sentence and a space, without a test; see `on_highest`."""
    best, _ = scores.leading
    if not best:
        return ""
    mean = next(each for each in scores.scores if each.system == best[0])
    zero = _ZERO_IS_BEST if mean.highest == 0 else ""
    return best_told("Highest mean rating", best, f"{mean.mean.value + 0.0:.3g}{zero}")


def best_told(opening: str, best: Sequence[str], figure: str, *, are_tested: bool = True) -> str:
    """Name the systems with the best mean, in a sentence and a space.

    Args:
        opening: the beginning of the sentence.
        best: the systems.
        figure: their mean.
        are_tested: whether any two systems are tested.

    >>> best_told("Highest mean", ["a", "b"], "4.2")
    'Highest mean: a and b (4.2). '
    """
    return f"{opening}: {listed(best)} ({figure}){'' if are_tested else '; no two systems are tested'}. "


def on_highest(scores: HumanScores) -> str:
    """Say which systems are not shown to be lower than that with the highest mean rating, in a sentence.

    All pairs of systems are one family of tests, and the differences from a baseline another: this sentence stands
    apart from the headline. "" if all pairs are compared, and without them.
    """
    best, alike = scores.leading
    n_others = len(scores.scores) - len(best)
    if not best or not n_others or len({each.baseline for each in scores.differences}) > 1:
        return ""
    over = f"Over all {scores.pairs[0].n_compared} pairs (Holm)"
    if not alike:
        return f"{over}, all others are rated lower than {listed(best)}."
    if len(alike) == n_others:
        return f"{over}, no other is shown to be rated lower than {listed(best)}."
    return f"{over}, {listed(alike)} {_is(alike)} not shown to be rated lower than {listed(best)}."


def _headline_of_one(score: HumanScore) -> str:
    """Return the finding of the ratings of a system, if there is none to compare it with."""
    at_looks = ""
    if score.watched is not None:
        if score.watched.is_early:
            return f"{score.watched.looks.too_early(score.watched.n)}."
        at_looks = " at every look"
    low, high = score.interval()
    figures = f"{percent(score.level)}{at_looks}, {low:.3g} to {high:.3g}"
    if score.is_too_wide:
        figures = "too few items for an interval"
    rated = f"{score.system} {score.mean.value:.3g} on average ({figures})."
    if score.given_by in OF_RATINGS_ALONE:
        return f"{_capital(ratings_told(score.given_by))} give {rated}"
    return f"{_who([score], 'rate')} {rated}{_if_models([score])}"


def nothing_said(pairs: Sequence[tuple[str, str]]) -> str:
    """Say of which systems nothing can be said, each with the one that it is compared with; "" of none.

    >>> nothing_said([("a", "base"), ("b", "base")])
    'nothing can be said of a and b beside base'
    """
    of_baseline: dict[str, list[str]] = {}
    for system, baseline in pairs:
        of_baseline.setdefault(baseline, []).append(system)
    beside = [f"{listed(systems)} beside {baseline}" for baseline, systems in of_baseline.items()]
    return f"nothing can be said of {listed(beside)}" if beside else ""


def _capital(sentence: str) -> str:
    return f"{sentence[:1].upper()}{sentence[1:]}"


def preference_headline(rates: Sequence[WinRate], strengths: Mapping[str, Inference] = _NO_STRENGTHS) -> str:
    """Return the finding of preferences, in a sentence: who is preferred to whom, and of all pairs, who most.

    Args:
        rates: the win rates.
        strengths: Bradley-Terry's log odds by system; they give the order if not every pair has a win rate.
    """
    best = ""
    systems = {name for rate in rates for name in (rate.system, rate.baseline, *strengths)}
    if len(rates) == math.comb(len(systems), 2) > 1:
        pairs = [RankedPair(*rate.ranked, rate.is_shown) for rate in rates]
        best = _best(pairs, "Most preferred", "preference", strongest_first(strengths))
    elif len({rate.baseline for rate in rates}) > 1 and strengths:
        best = f"By Bradley-Terry, the strongest first, without a test: {', '.join(strongest_first(strengths))}. "
    sentence = _capital(_of_rates(rates))
    basis = how_tested(rates[0].level, rates[0].n_compared, rates[0].p_told)
    return f"{best}{sentence} ({basis}).{_if_models(rates)}"


def strongest_first(strengths: Mapping[str, Inference]) -> list[str]:
    """Return the systems in the order of their Bradley-Terry strengths."""
    return sorted(strengths, key=lambda system: -strengths[system].value)


def _of_rates(rates: Sequence[WinRate]) -> str:
    """Say who is preferred to whom; of many pairs, in how many."""
    n_shown = sum(rate.is_shown for rate in rates)
    is_unknown = any(rate.given_by == UNKNOWN for rate in rates)
    if len(rates) > _MOST_PAIRS and n_shown:
        in_pairs = f"in {n_shown} of {len(rates)} pairs"
        if is_unknown:
            return f"by {VERDICTS}, one of the two systems is preferred {in_pairs}"
        return f"{_who(rates, 'prefer')} one of the two systems {in_pairs}"
    if len(rates) > _MOST_PAIRS:
        return f"no preference is shown in any of {len(rates)} pairs of systems"
    shown = sorted((rate for rate in rates if rate.is_shown), key=lambda rate: -rate.mean.value)
    preferred = ""
    if shown and is_unknown:
        preferred = f"by {VERDICTS}, {listed([' is preferred to '.join(rate.ranked) for rate in shown])}"
    elif shown:
        preferred = f"{_who(rates, 'prefer')} {listed([' to '.join(rate.ranked) for rate in shown])}"
    alike = listed([f"between {rate.system} and {rate.baseline}" for rate in rates if not rate.is_shown])
    return "; ".join(filter(None, [preferred, f"no preference is shown {alike}" if alike else ""]))


def scores_headline(findings: Findings, limit: str = "") -> str:
    """Return the finding of scores that any tool wrote, one sentence per column, and whether it is about people.

    Args:
        findings: the findings.
        limit: the sentence that says so; "" for that which the scores tell.
    """
    limit = limit or _limit_of(findings)
    whole = [each for each in findings.differences if not each.slice]
    looks = findings.looks
    if looks is not None and whole and all(each.n < looks.first for each in whole):
        return f"{looks.too_early(min(each.n for each in whole))}. {limit}"
    at_looks = "" if looks is None else " at every look"
    tests = findings.tests or whole
    basis = how_tested(findings.level, len(tests), tests[0].p_adjusted if tests else math.nan, at_looks)
    sentences = []
    for column in dict.fromkeys(mean.column for mean in findings.means):
        of_column = [each for each in whole if each.column == column]
        if column in findings.estimates:
            means = {each.system: each.mean for each in findings.means if each.column == column and not each.slice}
            sentences.append(f"{order_of_estimates(findings.told(column), findings.estimates[column], means)}.")
            sentences += _on_coverage(of_column, findings.level)
            continue
        equal = [each.system for each in of_column if each.is_equal]
        unlike = [each for each in of_column if not each.is_equal and not math.isnan(each.p_value)]
        untold = [(each.system, each.baseline) for each in of_column if math.isnan(each.p_value) and not each.is_equal]
        compared = [Compared(each.system, each.estimate.value, each.is_shown(findings.level)) for each in unlike]
        best = [_best_score(findings, column)] if column in findings.leading else []
        leads = any(each.is_shown for each in compared)
        parts = [scores_lead(findings.told(column), compared, findings.baseline)] if compared else []
        alike = listed([*equal, findings.baseline])
        if findings.are_of_pairs:
            parts = [_pairs_lead(findings, column, unlike)] if unlike else []
            alike = ", ".join(f"{each.system} and {each.baseline}" for each in of_column if each.is_equal)
        if equal:
            opening = "" if parts else f"By {findings.told(column)}, "
            parts.append(f"{opening}{alike} have equal scores on all items")
        if parts:  # what has no test has no p
            parts[-1] += f" ({basis})"
        if untold:
            opening = "" if parts else f"By {findings.told(column)}, "
            parts.append(f"{opening}{nothing_said(untold)}")
        found = [f"{'; '.join(parts)}."]
        sentences += [*best, *found] if leads else [*found, *best]
        sentences += _on_coverage(of_column, findings.level)
    return " ".join([*sentences, limit])


def _pairs_lead(findings: Findings, column: str, unlike: Sequence[Difference]) -> str:
    """Say which systems' scores are higher than which others', of all pairs."""
    pairs = []
    for each in unlike:
        two = (each.system, each.baseline)
        pairs.append(RankedPair(*(two if each.estimate.value > 0 else two[::-1]), each.is_shown(findings.level)))
    means = {each.system: each.mean for each in findings.means if each.column == column and not each.slice}
    scored = [system for system, mean in means.items() if not math.isnan(mean)]
    order = sorted(scored, key=lambda system: -means[system])
    return f"By {findings.told(column)}, {scores_of_pairs(pairs, order)}"


def _limit_of(findings: Findings) -> str:
    """Return the sentence that says whether scores are about people, or asks so if nothing tells who gave them."""
    if findings.given_by == PEOPLE:
        return OF_RATERS
    are_computed = all(is_computed(mean.column) or names_judge(mean.column) for mean in findings.means)
    return MAY_BE_OF_PEOPLE if findings.given_by == UNKNOWN and not are_computed else NOT_OF_PEOPLE


def _best_score(findings: Findings, column: str) -> str:
    """Name the systems with the best mean of a score, in a sentence; the lines below tell those that may be as good."""
    leading = findings.leading[column]
    means = {each.system: each.mean for each in findings.means if each.column == column and not each.slice}
    opening = f"{'Lowest' if column in findings.lower_is_better else 'Highest'} mean {column}"
    figure = f"{means[leading.best[0]] + 0.0:.4g}{_ZERO_IS_BEST if leading.ends_at_0 else ''}"
    return best_told(opening, leading.best, figure, are_tested=leading.are_tested).strip()


def _on_coverage(differences: Sequence[Difference], level: float) -> list[str]:
    """Return a sentence for each two systems that have scores of unlike shares of the items."""
    coverages = [each.coverage for each in differences if each.coverage is not None]
    return [f"{each}." for each in unlike_coverage(coverages, 1 - level)]


def verdict_told(verdict: Verdict | None) -> str:
    """Return the verdict on estimates of ratings, as a finding of them tells it; "" for useful ones."""
    if verdict is None:
        return "worth not known"
    return "" if verdict.verdict == USEFUL else verdict.verdict


def order_of_estimates(told: str, verdict: str, means: Mapping[str, float]) -> str:
    """Return the order of the means of estimates of ratings, and the worth of the estimates unless they are useful.

    Args:
        told: the name of the estimates.
        verdict: see `verdict_told`.
        means: the mean of each system; NaN of one without estimates.

    >>> order_of_estimates("QE", "worth not known", {"a": 2.5, "b": 3.941, "c": math.nan})
    'By the estimates of QE (worth not known), the order of means is b (3.94) and a (2.5)'
    """
    systems_of: dict[float, list[str]] = {}
    for system, mean in means.items():
        if not math.isnan(mean):
            systems_of.setdefault(round(mean, _DECIMALS), []).append(system)
    ranked = sorted(systems_of, reverse=True)
    shown = dict(zip(ranked, _told_apart(ranked), strict=True))
    opening = f"By the estimates of {told}" + (f" ({verdict})" if verdict else "")
    if len(ranked) == 1:
        return f"{opening}, the means of {listed(systems_of[ranked[0]])} are equal ({shown[ranked[0]]})"
    means_told = listed([f"{' = '.join(systems_of[mean])} ({shown[mean]})" for mean in ranked])
    return f"{opening}, the order of means is {means_told}"


def _told_apart(scores: Sequence[float]) -> list[str]:
    """Return different scores with three significant digits, or as many more as tell them apart.

    >>> _told_apart([3.94, 2.5]), _told_apart([3.9412, 3.94])
    (['3.94', '2.5'], ['3.941', '3.940'])
    """
    shown = [f"{score:.3g}" for score in scores]
    for digits in range(4, _DECIMALS):
        if len(set(shown)) == len(scores):
            break
        shown = [f"{score:#.{digits}g}" for score in scores]
    return shown


def how_tested(level: float, n: int, p: float, at_looks: str = "", *, is_least: bool = False) -> str:
    """Say how differences are tested: the p of a single one, or the level and the correction of several.

    Args:
        level: confidence level for a single comparison.
        n: the number of comparisons.
        p: p of a single comparison; NaN if there is none.
        at_looks: the words on looks while items come in, which stand behind the p or the level; "" for one look.
        is_least: see `p_text`.

    >>> how_tested(0.95, 1, 0.2112), how_tested(0.99, 1, 0.2112)
    ('p = 0.2112, one comparison', 'p = 0.2112, 99%, one comparison')
    >>> how_tested(0.95, 2, 0.2112), how_tested(0.95, 1, math.nan)
    ('95%, Holm over 2 comparisons', '95%, one comparison')
    """
    if n > 1 or math.isnan(p):
        return f"{percent(level)}{at_looks}, {family(n)}"
    of_level = "" if level == LEVEL else f", {percent(level)}"
    return f"{p_text(p, is_least=is_least)}{at_looks}{of_level}, {family(n)}"


def family(n: int) -> str:
    """Name the correction for n comparisons."""
    return f"Holm over {n} comparisons" if n > 1 else "one comparison"


def _if_models(findings: Sequence[Finding]) -> str:
    """Return that nothing is said of people, after a space, if language models gave the answers; else ""."""
    return f" {NOT_OF_PEOPLE}" if any(each.given_by == MODELS for each in findings) else ""


def limit_last(headlines: Sequence[str]) -> list[str]:
    """Return findings with the limit that some of them end with once, behind the last: what is found stands first.

    >>> limit_last(["A is higher. This says nothing about people.", "B is. This says nothing about people."])
    ['A is higher.', 'B is. This says nothing about people.']
    """
    limit = f" {NOT_OF_PEOPLE}"
    found = [headline.removesuffix(limit) for headline in headlines]
    return [*found[:-1], f"{found[-1]}{limit}"] if found != list(headlines) else found


def _who(findings: Sequence[Finding], verb: str) -> str:
    """Return people, the raters if they are too few or not known to speak of others, or the judges, with a verb."""
    known = [each.raters for each in findings if each.raters.n_raters]
    others = next((each.given_by for each in findings if each.given_by != PEOPLE), None)
    if others is not None:
        return judges(max((of.n_raters for of in known), default=0), verb)
    if known and all(of.about_others for of in known):
        return f"People {verb}"
    return f"This rater {verb}s" if max((of.n_raters for of in known), default=0) == 1 else f"These raters {verb}"


class Compared(NamedTuple):
    """A system compared with the baseline: its lead, and whether that is shown."""

    system: str
    lead: float
    is_shown: bool


def people_lead(subject: str, compared: Sequence[Compared], baseline: str) -> str:
    """Say which systems people rate higher than the baseline, which lower, and for which no difference is shown.

    Args:
        subject: subject and verb of the sentence: "People rate".
        compared: each further system.
        baseline: the system that they are compared with.
    """
    higher, lower, alike = _sorted_by_lead(compared)
    apart = []
    if higher:
        apart.append(f"{listed(higher)} higher than {baseline}")
    if lower:
        apart.append(f"{listed(lower)} lower than {baseline}")
    if not apart:
        return f"By the ratings, {not_shown(alike, baseline)}"
    parts = [f"{subject} {'; '.join(apart)}"]
    if alike:
        parts.append(not_shown(alike, baseline))
    return "; ".join(parts)


def scores_lead(name: str, compared: Sequence[Compared], baseline: str) -> str:
    """Say which systems have higher scores than the baseline, which lower, and for which no difference is shown.

    Args:
        name: name of the scores or of the metric.
        compared: each further system.
        baseline: the system that they are compared with.
    """
    higher, lower, alike = _sorted_by_lead(compared)
    parts = []
    if higher:
        parts.append(f"{listed(higher)} {_is(higher)} higher than {baseline}")
    if lower:
        parts.append(f"{listed(lower)} {_is(lower)} lower than {baseline}")
    if alike:
        parts.append(not_shown(alike, baseline))
    return f"By {name}, {'; '.join(parts)}"


def not_shown(alike: Sequence[str], baseline: str) -> str:
    """Say of which systems no difference from the baseline is shown.

    >>> not_shown(["a"], "base"), not_shown(["a", "b"], "base")
    ('no difference is shown between a and base', 'no difference is shown between base and any of a and b')
    """
    if len(alike) == 1:
        return f"no difference is shown between {alike[0]} and {baseline}"
    return f"no difference is shown between {baseline} and any of {listed(alike)}"


def _sorted_by_lead(compared: Sequence[Compared]) -> tuple[list[str], list[str], list[str]]:
    """Return the systems that are higher than the baseline, lower, and without a shown difference; the best first."""
    ordered = sorted(compared, key=lambda each: -each.lead)
    higher = [each.system for each in ordered if each.is_shown and each.lead > 0]
    lower = [each.system for each in ordered if each.is_shown and each.lead < 0]
    alike = [each.system for each in ordered if not each.is_shown]
    return higher, lower, alike


def _is(names: Sequence[str]) -> str:
    return "is" if len(names) == 1 else "are"


def _of_pairs(differences: Sequence[HumanDifference], subject: str) -> str:
    """Say which systems people rate higher than which others, of all pairs."""
    n_shown = sum(each.is_shown for each in differences)
    if not n_shown:
        return f"No difference is shown in any of the {len(differences)} pairs of systems"
    if len(differences) > _MOST_PAIRS:
        return f"{subject} the two systems differently in {n_shown} of {len(differences)} pairs"
    pairs = [RankedPair(*each.ranked, each.is_shown) for each in differences]
    higher = [f"{better} higher than {listed(lower)}" for better, lower in lower_of(pairs).items()]
    alike = [f"between {each.system} and {each.baseline}" for each in differences if not each.is_shown]
    rest = f"; no difference is shown {listed(alike)}" if alike else ""
    return f"{subject} {'; '.join(higher)}{rest}"


class RankedPair(NamedTuple):
    """Two systems: the one that is ahead, the other, and whether the difference is shown."""

    ahead: str
    behind: str
    is_shown: bool


def _best(pairs: Sequence[RankedPair], phrase: str, what: str, order: Sequence[str] = ()) -> str:
    """Name the systems that none is shown to be ahead of, in a sentence and a space; "" if all are such, or none is.

    Args:
        pairs: all pairs of systems.
        phrase: what the best is in.
        what: what tests show.
        order: the systems, the best first; none if nothing but the pairs tells it.

    >>> pairs = [RankedPair("a", "b", True), RankedPair("c", "b", True), RankedPair("a", "c", False)]
    >>> _best(pairs, "Rated highest", "difference")
    'Rated highest of 3 systems: a or c, between which no difference is shown. '
    """
    n_ahead = Counter(pair.ahead for pair in pairs)
    of_pairs = dict.fromkeys(name for pair in pairs for name in (pair.ahead, pair.behind))
    names = list(dict.fromkeys([*order, *sorted(of_pairs, key=lambda name: -n_ahead[name])]))
    behind = {pair.behind for pair in pairs if pair.is_shown}
    best = [name for name in names if name not in behind]
    if not behind or not best:
        return ""
    told = best[0]
    if len(best) > 1:
        among = "between" if len(best) == 2 else "among"
        told = f"{', '.join(best[:-1])} or {best[-1]}, {among} which no {what} is shown"
    return f"{phrase} of {len(names)} systems: {told}. "


def lower_of(pairs: Sequence[RankedPair]) -> dict[str, list[str]]:
    """Return by system those that are shown to be lower, the system with the most of them first."""
    lower_of: dict[str, list[str]] = {}
    for pair in pairs:
        if pair.is_shown:
            lower_of.setdefault(pair.ahead, []).append(pair.behind)
    return {name: lower_of[name] for name in sorted(lower_of, key=lambda name: -len(lower_of[name]))}


def scores_of_pairs(pairs: Sequence[RankedPair], order: Sequence[str]) -> str:
    """Say which systems' scores are higher than which others', of all pairs, or which groups cannot be told apart.

    Args:
        pairs: of systems.
        order: the systems, the highest score first.

    >>> print(scores_of_pairs([RankedPair("a", "b", True), RankedPair("a", "c", True), RankedPair("b", "c", False)],
    ...     ["a", "b", "c"]))
    a is higher than b and c; no difference is shown between b and c
    """
    n_shown = sum(pair.is_shown for pair in pairs)
    if not n_shown:
        of_several = f"in any of the {len(pairs)} pairs of systems"
        return f"no difference is shown {of_several if len(pairs) > 1 else f'between {listed(pairs[0][:2])}'}"
    if len(pairs) > _MOST_PAIRS:
        apart = {frozenset(pair[:2]) for pair in pairs if pair.is_shown}
        told = groups_told(groups_alike(order, apart))
        return f"two systems differ in {n_shown} of {len(pairs)} pairs; {told}"
    parts = [f"{ahead} is higher than {listed(lower)}" for ahead, lower in lower_of(pairs).items()]
    alike = [f"between {pair.ahead} and {pair.behind}" for pair in pairs if not pair.is_shown]
    return "; ".join([*parts, f"no difference is shown {listed(alike)}"] if alike else parts)


def letters_of(order: Sequence[str], apart: Collection[frozenset[str]]) -> dict[str, str]:
    """Return letters of each system: of those that share one, no two differ significantly, and all others do.

    Of more groups than letters there are none.

    Args:
        order: the systems, the best first.
        apart: the pairs that differ significantly.

    >>> letters_of(["a", "b", "c"], [frozenset("ac")])
    {'a': 'a', 'b': 'ab', 'c': 'b'}
    """
    groups = groups_alike(order, apart)
    if len(groups) > len(ascii_lowercase):
        return {}
    return {
        name: "".join(letter for letter, group in zip(ascii_lowercase, groups, strict=False) if name in group)
        for name in order
    }


def groups_told(groups: Sequence[Sequence[str]]) -> str:
    """Say which systems do not differ significantly, from groups without a significant pair; else their order.

    >>> groups_told([["a"], ["b", "c"]]), groups_told([["a"], ["b"], ["c"]])
    ('systems that cannot be told apart: b, c', 'the order is a, b, c')
    """
    several = [", ".join(group) for group in groups if len(group) > 1]
    if not several:
        return f"the order is {', '.join(group[0] for group in groups)}"
    return f"systems that cannot be told apart: {'; '.join(several)}"
