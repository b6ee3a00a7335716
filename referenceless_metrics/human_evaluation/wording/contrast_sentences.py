"""Sentences on single findings from ratings and preferences, as a paper quotes them."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, NamedTuple, TypeVar

from referenceless_metrics.core.support.statistics import in_one_rounding, p_text
from referenceless_metrics.human_evaluation.inference.crossed import FEWEST_RATERS, FEWEST_RATERS_OF_EACH
from referenceless_metrics.human_evaluation.inference.human_score import OF_SCALE, Contrast, HumanDifference
from referenceless_metrics.human_evaluation.inference.preferences import PREFERENCE_TEST, WinRate
from referenceless_metrics.human_evaluation.ratings.model_raters import OF_RATINGS_ALONE, PEOPLE
from referenceless_metrics.human_evaluation.wording.contrast_phrases import (
    PAIRED,
    ROBUST,
    alike,
    are_many,
    by_raters,
    in_clusters,
    in_criterion,
    is_paired,
    looks_of,
    on_items,
    rated_sample,
    test_phrase,
)
from referenceless_metrics.human_evaluation.wording.drawn import NO_ESTIMATES, Drawn, Estimated
from referenceless_metrics.human_evaluation.wording.headline import RankedPair, lower_of, nothing_said
from referenceless_metrics.human_evaluation.wording.holm_level import interval_name, percent
from referenceless_metrics.human_evaluation.wording.on_means import TOO_FEW
from referenceless_metrics.human_evaluation.wording.phrases import VERDICTS, count, judges, listed, ratings_told
from referenceless_metrics.human_evaluation.wording.whose_findings import scope_told
from referenceless_metrics.pages.findings import FOR_THE_PAPER, IF_A_RATER_LEFT

if TYPE_CHECKING:
    pass


_Contrast = TypeVar("_Contrast", bound=Contrast)


def difference_finding(each: HumanDifference) -> list[str]:
    """Return the finding on a difference with its figures, and its reason."""
    unpaired = f", {count(each.n_unpaired, 'rating')} unpaired and left out" if each.n_unpaired else ""
    items = f" ({each.n_items} items{in_clusters(each.n_clusters)}{unpaired}{_on_common(each)})" if each.n_items else ""
    claim = _Claim(
        verb="rate",
        shown=f"{each.system} {_higher(each)} than {each.baseline}",
        alike=f"{each.system} and {each.baseline} differently",
        answers=ratings_told(each.given_by),
        found=f"{each.system} is {_higher(each)} than {each.baseline}",
        differ=f"{each.system} and {each.baseline} differ",
    )
    return _finding(each, claim, f"{_with_interval(each, each.lead)}, {PAIRED[each.paired]}{items}")


def _on_common(each: HumanDifference) -> str:
    """Return the difference on the items that are rated of both, if these are some; "" else."""
    return "" if math.isnan(each.on_common) else f", on which the mean difference is {figure_text(each.on_common)}"


def preference_finding(rate: WinRate) -> list[str]:
    """Return the finding on a win rate with its figures, and its reason."""
    claim = _Claim(
        verb="prefer",
        shown=" to ".join(rate.ranked),
        alike=f"{rate.system} or {rate.baseline}",
        answers=VERDICTS,
        found=" is preferred to ".join(rate.ranked),
        differ=f"{rate.system} or {rate.baseline} is preferred",
    )
    figures = (
        f"win rate of {rate.system} {_with_interval(rate, rate.mean.value)}, "
        f"{rate.n_items} items{in_clusters(rate.n_clusters)}, {rate.ties} ties"
    )
    return _finding(rate, claim, figures)


def having_sentences(contrasts: Sequence[_Contrast]) -> list[_Contrast]:
    """Return the contrasts that have a sentence of their own for the paper: none of many, which have one together."""
    return [each for each in contrasts if each.mean.is_known] if not are_many(contrasts) else []


def quoted_findings(contrasts: Sequence[Contrast]) -> list[str]:
    """Return the findings that a sentence for the paper tells with the same figures, without their reasons."""
    found = []
    for each in having_sentences(contrasts):
        told = difference_finding(each) if isinstance(each, HumanDifference) else []
        told = preference_finding(each) if isinstance(each, WinRate) else told
        found += told[:1]
    return found


def for_paper(told: Callable[[str], str], unfinished: str, drawn: Drawn) -> str:
    """Return a sentence to quote, with the condition under which it is right.

    The p of a study that is not finished is that of a single look: it may be quoted if no more answers come.

    Args:
        told: makes the sentence of what is left out or missing, in words.
        unfinished: the progress of a study that lacks answers; "" otherwise.
        drawn: the draw of the study.
    """
    parts = [f"{drawn.n_studies} studies together"] if drawn.n_studies > 1 else []
    if drawn.n_left_out:
        parts.append(f"{drawn.n_left_out} more left out")
    beginning = FOR_THE_PAPER
    if drawn.n_partly_left_out:
        parts.append(f"ratings of {count(drawn.n_partly_left_out, 'rater')} in some of the studies left out")
    if unfinished and drawn.n_complete is not None:
        parts.append(f"{drawn.n_complete} of {drawn.n_items} items complete; all rated outputs count")
        beginning = FOR_THE_PAPER if drawn.is_over else IF_A_RATER_LEFT
    missing = f" ({'; '.join(parts)})" if parts else ""
    return f"{beginning}{told(missing)}"


def for_paper_of_all(
    told: Callable[[str], str], contrasts: Sequence[Contrast], unfinished: str, drawn: Drawn
) -> list[str]:
    """Return the sentence to quote on many contrasts; none if there is no finding on any of them.

    Args:
        told: see `for_paper`.
        contrasts: the contrasts.
        unfinished: see `for_paper`.
        drawn: likewise.
    """
    return [for_paper(told, unfinished, drawn)] if any(map(is_told, contrasts)) else []


def difference_sentence(
    difference: HumanDifference, criterion: str, complete: str, *, figure: str, estimated: Estimated
) -> str:
    """Return the sentence to quote on a difference.

    Args:
        difference: the difference.
        criterion: the name of the criterion; "" for one without a name.
        complete: the number of raters who are left out and, of a study that lacks answers, of complete items, in
            brackets; "" otherwise.
        figure: the name of the difference.
        estimated: the estimates that take part.
    """
    basis = f"{rated_sample(difference)}{in_clusters(difference.n_clusters)}"
    shown = f"rated {_higher(difference)} than" if difference.is_shown else "not shown to be rated differently from"
    by_t = f"Student's t{ROBUST if difference.n_clusters else ''}"
    test = f"{by_t}, {PAIRED[difference.paired]}"
    if difference.paired and not is_paired(difference):
        test = f"{by_t} of two samples that share {difference.n_items} items{_on_common(difference)}"
    if not difference.mean.standard_error:
        test = f"a bound by {_scale_told(difference)}, since {alike(difference)}, {PAIRED[difference.paired]}"
    elif difference.shares is not None:
        test = f"{difference.shares.test}, {PAIRED[difference.paired]}"
    elif difference.borrowed_from:
        test += f", whose variance borrows from {_scale_told(difference)}"
    if difference.is_weighted:
        test += ", with raters weighted by generalised least squares"
    for looks in looks_of([difference]):
        of_looks = f"confidence sequences, which hold at every look from {looks.first} items on"
        test = f"{of_looks}, {PAIRED[difference.paired]}"
    test = ", ".join(filter(None, [test, scope_told([difference])]))
    systems = f"{difference.system} was {shown} {difference.baseline}{in_criterion(criterion)}"
    scope = "" if difference.unlike is None else f"; {difference.unlike.scope}"
    figures = f"{figure} {_quoted(difference, difference.lead)}{scope}; {test}"
    further = estimated.of_further(difference)
    return f'"On {basis}{by_raters([difference])}{complete}{further}, {systems} ({figures})."'


def is_told(contrast: Contrast) -> bool:
    """Say whether there is a finding on a contrast."""
    watched = getattr(contrast, "watched", None)
    return contrast.mean.is_known and not contrast.is_too_wide and (watched is None or not watched.obstacle)


_MOST_ALIKE = 6
"""Most pairs without a difference that the sentence to quote lists, if it names their systems anyway."""


def sentence_on_all(
    contrasts: Sequence[Contrast],
    criterion: str,
    complete: str,
    *,
    of: str = "",
    estimated: Estimated = NO_ESTIMATES,
    n_items: int = 0,
) -> str:
    """Return the sentence to quote on many comparisons: all pairs that differ, and all that are not shown to.

    Args:
        contrasts: the differences, or win rates.
        criterion: see `difference_sentence`.
        complete: likewise.
        of: the kind of the figures, before the test; "" for means.
        estimated: the estimates that take part.
        n_items: number of items of all pairs of preferences together; 0 if it is not known.
    """
    known = [each for each in contrasts if is_told(each)]
    differences = [each for each in known if isinstance(each, HumanDifference)]
    shown, others = [each for each in known if each.is_shown], [each for each in known if not each.is_shown]
    verb, what = ("rated higher than", "difference") if differences else ("preferred to", "preference")
    above: dict[str, list[str]] = {}
    for name, behind in lower_of([RankedPair(*each.ranked, each.is_shown) for each in known]).items():
        above.setdefault(listed(behind), []).append(name)
    found = [
        f"{listed(names)} {'was' if len(names) == 1 else 'were each'} {verb} {behind}"
        for behind, names in above.items()
    ]
    if others:
        pairs = listed([f"between {each.system} and {each.baseline}" for each in others])
        systems_met = {name for each in shown for name in each.ranked}
        if len(others) > _MOST_ALIKE and all(systems_met.issuperset(each.ranked) for each in others):
            pairs = f"in the other {len(others)} of {len(known)} pairs"
        found.append(f"no {what} was shown {pairs}")
    found.append(nothing_said([(each.system, each.baseline) for each in contrasts if each not in known]))
    sample = on_items(known).removeprefix(" on").removeprefix(" of")
    if n_items > max(each.n_items for each in known):
        sample += f" of each pair, {n_items} in all"
    basis = f"On{sample}{in_clusters(max(each.n_clusters for each in known))}"
    by = by_raters(known)
    test, further = PREFERENCE_TEST, ""
    if differences:
        ways = " or ".join(dict.fromkeys(PAIRED[each.paired] for each in differences))
        is_weighted = any(each.is_weighted for each in differences)
        weighted = ", with raters weighted by generalised least squares" if is_weighted else ""
        unlike = differences[0].unlike
        scope = "" if unlike is None else f"differences {unlike.scope}; "
        test = f"{scope}{ways}, p {test_phrase(differences)}{weighted}"
        further = estimated.of_further(max(differences, key=lambda each: each.n_estimated))
    test = ", ".join(filter(None, [test, scope_told(known)]))
    ends = [f"largest {p_text(max(each.p_adjusted for each in shown))} where a {what} was shown"] if shown else []
    ends += [f"smallest {p_text(min(each.p_adjusted for each in others))} where none was"] if others else []
    corrected = f"by Holm's procedure for {contrasts[0].n_compared} comparisons, {listed(ends)}"
    systems = "; ".join(filter(None, found))
    return f'"{basis}{by}{complete}{further}{in_criterion(criterion)}: {systems} ({of}{test}; {corrected})."'


def _scale_told(difference: HumanDifference) -> str:
    """Return the source of the variance that a difference borrows, with the ends of the scale if it is that."""
    if difference.borrowed_from != OF_SCALE or difference.scale is None:
        return difference.borrowed_from
    return f"{OF_SCALE} from {difference.scale[0]:g} to {difference.scale[1]:g}"


def preference_sentence(rate: WinRate, criterion: str, complete: str) -> str:
    """Return the sentence to quote on a win rate; the arguments are those of `difference_sentence`."""
    ahead, other = rate.ranked
    shown = f"{ahead} was preferred to {other}"
    if not rate.is_shown:
        shown = f"no preference was shown between {rate.system} and {rate.baseline}"
    counts = f"{rate.wins} wins, {rate.ties} ties, {rate.losses} losses"
    test = ", ".join(filter(None, [rate.test, scope_told([rate])]))
    return (
        f'"On {rate.n_items} items{in_clusters(rate.n_clusters)}{by_raters([rate])}{complete}, {shown}'
        f"{in_criterion(criterion)} (win rate of {rate.system} {_quoted(rate, rate.mean.value)}; {test}; "
        f'{counts})."'
    )


class _Claim(NamedTuple):
    """Words of a finding: on people, with a verb, and on answers of which nobody knows who gave them.

    Attributes:
        verb: the verb of people, such as "rate".
        shown: its object if a difference is shown, such as "ours higher than base".
        alike: its object otherwise, such as "ours and base differently".
        answers: the name of the answers, such as "these ratings".
        found: the clause that they show, such as "ours is higher than base".
        differ: the clause that they may show, such as "ours and base differ".
    """

    verb: str
    shown: str
    alike: str
    answers: str
    found: str
    differ: str


def _finding(contrast: Contrast, claim: _Claim, figures: str) -> list[str]:
    """Return the finding about people, or about the raters if they are too few to speak of others, and its reason.

    Args:
        contrast: a difference or a win rate.
        claim: the words of the finding.
        figures: the estimate with its interval and its basis.
    """
    these, n_raters = contrast.raters.these, contrast.raters.n_raters
    is_unknown = contrast.given_by in OF_RATINGS_ALONE
    subject = f"People {claim.verb}" if contrast.given_by == PEOPLE else judges(n_raters, claim.verb)
    differ = claim.differ if is_unknown else f"{_lower(subject)} {claim.alike}"
    watched = getattr(contrast, "watched", None)
    if watched is not None and watched.obstacle:
        return [f"Whether {differ} cannot be told: {watched.obstacle}."]
    of_what = "clusters" if contrast.n_clusters else "items"
    if not contrast.mean.is_known:
        why = (
            f"no rater rated both, and one of them has fewer than {FEWEST_RATERS_OF_EACH} raters, so their leniency "
            "cannot be told from the systems: let each rater rate both"
            if these is None
            else f"{alike(contrast)}, and nothing tells how far {of_what} can differ that were not drawn: name the "
            f"ends of the scale (--scale LOW-HIGH), or rate more {of_what}"
        )
        return [f"Whether {differ} cannot be told: {why}."]
    notes = []
    if contrast.given_by == PEOPLE and not contrast.raters.about_others:
        subject = f"These {n_raters} raters {claim.verb}"
        if n_raters == 0:
            subject = f"These raters {claim.verb}"
            notes = [
                "Nothing is said of raters other than these, who are not told (--rater-column NAME, if a column tells "
                "them)."
            ]
        elif n_raters == 1:
            subject = f"This rater {claim.verb}s"
            notes = ["One rater says nothing of how others would rate."]
        elif n_raters < FEWEST_RATERS:
            notes = [
                f"Nothing is said of raters other than these: {n_raters} are too few; have at least {FEWEST_RATERS}."
            ]
    if these is None:
        notes.append("No rater rated enough of both, so nothing is said of these raters alone.")
    if contrast.is_too_wide:
        return [
            f"Whether {claim.differ if is_unknown else f'{_lower(subject)} {claim.alike}'} cannot be told: {TOO_FEW} "
            f"({figures}, {_p_value(contrast)}).",
            *notes,
        ]
    figures = f"{figures}, {_p_value(contrast)}."
    if is_unknown:
        found = claim.found if contrast.is_shown else f"it is not shown that {claim.differ}"
        return [f"By {claim.answers}, {found}: {figures}", *notes]
    if contrast.is_shown:
        return [f"{subject} {claim.shown}: {figures}", *notes]
    return [f"It is not shown that {_lower(subject)} {claim.alike}: {figures}", *notes]


def _lower(subject: str) -> str:
    return f"{subject[:1].lower()}{subject[1:]}"


def _higher(contrast: Contrast) -> str:
    return "higher" if contrast.lead > 0 else "lower"


def figure_text(value: float) -> str:
    """Return a figure to three digits; one that rounds to 0 has no sign."""
    return f"{value + 0.0:.3g}"


def _with_interval(contrast: Contrast, value: float) -> str:
    """Return the value of a difference or win rate, and its interval, with as many decimals."""
    if contrast.is_too_wide:
        return f"{figure_text(value)}, no interval"
    shown, low, high = in_one_rounding(value, *contrast.adjusted_interval)
    told = interval_name(contrast.level, contrast.level_adjusted, contrast.n_compared)
    return f"{shown} [{low}, {high}] ({told})"


def _quoted(contrast: Contrast, value: float) -> str:
    """Return the value of a difference or win rate with interval, level, p and correction, as a paper has them."""
    n = contrast.n_compared
    if contrast.is_too_wide:
        by_holm = f" by Holm's procedure for {n} comparisons" if n > 1 else ""
        return f"{figure_text(value)}, {TOO_FEW}, {p_text(contrast.p_adjusted)}{by_holm}"
    shown, low, high = in_one_rounding(value, *contrast.adjusted_interval)
    figures = f"{shown}, {percent(contrast.level_adjusted)} interval [{low}, {high}], {p_text(contrast.p_adjusted)}"
    return f"{figures}, both by Holm's procedure for {n} comparisons" if n > 1 else figures


def _p_value(contrast: Contrast) -> str:
    corrected = f" (Holm, {contrast.n_compared} comparisons)" if contrast.n_compared > 1 else ""
    return f"{p_text(contrast.p_adjusted)}{corrected}"
