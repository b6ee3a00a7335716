"""Findings from people's ratings and preferences, as rows of a table and in sentences."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Mapping, Sequence
from functools import partial
from itertools import combinations
from typing import TYPE_CHECKING, Any, NamedTuple, TypeVar

from referenceless_metrics.core.support.installation import project_version
from referenceless_metrics.core.support.statistics import fixed, in_one_rounding, p_text
from referenceless_metrics.human_evaluation.inference.any_time import Looks
from referenceless_metrics.human_evaluation.inference.crossed import FEWEST_RATERS, FEWEST_RATERS_OF_EACH
from referenceless_metrics.human_evaluation.inference.estimated_means import POWER, Inference
from referenceless_metrics.human_evaluation.inference.human_score import (
    OF_SCALE,
    SAME_MEAN,
    Contrast,
    Finding,
    HumanDifference,
    HumanScore,
    HumanScores,
    note_on_uncertain_ends,
)
from referenceless_metrics.human_evaluation.inference.preferences import PREFERENCE_TEST, WinRate
from referenceless_metrics.human_evaluation.inference.swapped_orders import PositionBias
from referenceless_metrics.human_evaluation.ratings.model_raters import (
    JUDGES,
    MEANS,
    MODELS,
    OF_RATINGS_ALONE,
    PEOPLE,
)
from referenceless_metrics.human_evaluation.studies.criteria import OVERALL
from referenceless_metrics.human_evaluation.wording.further_study import TIMES, items_or_raters, to_find_told
from referenceless_metrics.human_evaluation.wording.headline import (
    RankedPair,
    highest_first,
    letters_of,
    lower_of,
    nothing_said,
    strongest_first,
)
from referenceless_metrics.human_evaluation.wording.holm_level import holm_sentence, interval_name, percent
from referenceless_metrics.human_evaluation.wording.phrases import VERDICTS, count, judges, listed, ratings_told
from referenceless_metrics.human_evaluation.wording.whose_findings import (
    number_of_raters,
    on_these_raters,
    scope_sentence,
    scope_told,
)
from referenceless_metrics.pages.findings import FOR_THE_PAPER, IF_A_RATER_LEFT

if TYPE_CHECKING:
    from referenceless_metrics.human_evaluation.ratings.rating_table import RatingTable

PAIRED = {
    "item and rater": "paired by item and rater",
    "item": "paired by item",
    "some items": "some items rated of both",
    "": "independent samples",
}
"""Phrase for each value of `HumanDifference.paired`."""

TOO_FEW = "too few items to tell"
"""Words in place of an interval that reaches as far as ratings can differ."""

FEW_ITEMS = 50
"""Fewest items for which intervals of two systems hold without a declared scale."""

_ROBUST = " with cluster-robust errors"
"""Words behind the name of a test of items in clusters."""

_LOPSIDED = 1.25
"""Ratio of the arms of an interval above which the reason of the longer one is given."""

_MOST = 3
"""Most comparisons by all criteria that get lines of their own on the finding, on power and for the paper.

Of more, one line is for all comparisons by a criterion.
"""

_OF_OUTPUTS = "over the rated outputs, of the mean of each one's ratings"
"""Meaning of a mean in which all outputs count alike."""

_OF_WEIGHTED = "of the ratings, weighted so that raters who gave many do not decide alone (generalised least squares)"
"""Meaning of a mean if raters gave unequal numbers of ratings."""

_OF_PAIRS = "over the items rated of both, of the mean difference of each one's pairs of ratings"
"""Meaning of a difference in which all items count alike."""

_ON_MEANS = (
    "Each rating is the mean over people whose number nothing tells: how they differ is not counted, so that nothing "
    "is said of people in general."
)
"""Limit of ratings that are means."""

ON_LETTERS = "letters: of systems that share a letter no two are shown to differ."
"""Meaning of the letters of systems, of which all pairs are compared."""

_SAME_RATE = 5e-4
"""Largest difference of a win rate from the share of wins that is not explained."""


_Contrast = TypeVar("_Contrast", bound=Contrast)


class Drawn(NamedTuple):
    """The draw of rated outputs, as far as it is known.

    Attributes:
        n_items: number of items of a study; 0 for ratings of unknown origin.
        n_all: number of items from which they were drawn; None if it is not known.
        n_complete: number of complete items of a study that lacks answers; None otherwise.
        n_left_out: number of raters of a study who are left out.
        is_over: whether all raters of a study have come to the end, so that what it lacks are blanks.
        n_studies: number of studies that are analysed together.
    """

    n_items: int = 0
    n_all: int | None = None
    n_complete: int | None = None
    n_left_out: int = 0
    is_over: bool = False
    n_studies: int = 1

    @classmethod
    def of(cls, table: RatingTable) -> Drawn:
        """Return the draw of a study's ratings, or that of others, which is not known."""
        n_items = table.planned[0] if table.planned else 0
        return cls(n_items, table.n_all, table.n_complete, len(table.left_out), table.is_over, table.n_studies)

    @property
    def is_known(self) -> bool:
        """Whether outputs are known to be drawn at random, from a study's design."""
        return self.n_items > 0


class Estimated(NamedTuple):
    """The estimates that take part in findings from ratings, as the sentences to quote name them.

    Attributes:
        name: their name, in words; "" if none take part.
        made: how they were made, in words.
        is_named: whether a study named them before the ratings.
    """

    name: str = ""
    made: str = ""
    is_named: bool = False

    @property
    def standing(self) -> str:
        """That the analysis is exploratory, to follow other words; "" for one that was named before the ratings."""
        return "" if self.is_named else "; exploratory: this analysis was not named before the ratings"

    def of_further(self, difference: HumanDifference) -> str:
        """Return the further outputs whose estimates take part in a difference, in words; "" if none do."""
        if not self.name or not difference.n_estimated:
            return ""
        return f", with estimates of {difference.n_estimated} further outputs ({self.name}{self.standing})"


NO_ESTIMATES = Estimated()
"""Findings from ratings alone, and preferences."""


def score_rows(scores: HumanScores, *, by_mean: bool = False) -> list[dict[str, Any]]:
    """Return one row per system, and one per difference.

    Args:
        scores: the scores.
        by_mean: whether three systems or more stand in the order of their means, the highest first.
    """
    both: list[Any] = [*scores.scores, *scores.differences]
    if by_mean and len(scores.scores) > 2:
        places = {each.system: place for place, each in enumerate(sorted(scores.scores, key=_highest_first))}
        both = [
            *sorted(scores.scores, key=lambda each: places[each.system]),
            *sorted(scores.differences, key=lambda each: sorted((places[each.system], places[each.baseline]))),
        ]
    letters = letters_of(highest_first(scores), scores.apart) if scores.are_of_all_pairs else {}
    rows = []
    for each in both:
        is_difference = isinstance(each, HumanDifference)
        row = {
            "system": each.system,
            "less": each.baseline if is_difference else "",
            **_counts(each),
            "mean": each.mean.value,
            **_told_ends(each),
            "plain mean": each.plain,
            "ratings alone": each.ratings_alone.value,
            **_ends(each, " alone", each.ratings_alone),
            "p": each.p_value if is_difference and each.mean.is_known else math.nan,
            **_adjusted(each),
            "narrower": each.shrinkage,
            "r": math.nan if is_difference else each.correlation,
            **_by_raters(each),
            "made": PAIRED[each.paired] if is_difference else "",
        }
        if letters:
            row["letters"] = "" if is_difference else letters[each.system]
        rows.append(row)
    return rows


def _highest_first(score: HumanScore) -> float:
    """Order systems by their means; one without a mean stands last."""
    return math.inf if math.isnan(score.mean.value) else -score.mean.value


def _counts(finding: HumanScore | HumanDifference) -> dict[str, float]:
    """Return the numbers of a system's outputs and of those rated, or of a difference that of its items.

    A difference has no outputs of its own; that of independent samples has no items either.
    """
    if isinstance(finding, HumanScore):
        return {"outputs": finding.n_outputs, "rated": finding.n_rated}
    return {"outputs": math.nan, "rated": finding.n_items if is_paired(finding) else math.nan}


def preference_rows(rates: Sequence[WinRate]) -> list[dict[str, Any]]:
    """Return one row per pair of systems."""
    rows = []
    for rate in rates:
        row = {
            "system": rate.system,
            "against": rate.baseline,
            "items": rate.n_items,
            "wins": rate.wins,
            "ties": rate.ties,
            "losses": rate.losses,
            "win rate": rate.mean.value,
            **_ends(rate, "", rate.mean),
            "p": rate.p_value,
            **_adjusted(rate),
            **_by_raters(rate),
        }
        rows.append(row)
    return rows


def contrast_basis(contrasts: Sequence[Contrast], what: str, estimated: Estimated = NO_ESTIMATES) -> list[str]:
    """Return the caption's sentences on a table: items, raters, intervals, pairing, test and correction.

    Args:
        contrasts: the differences, or win rates.
        what: the figures' name, "Mean ratings" or "Win rates".
        estimated: the estimates that take part.
    """
    if not contrasts:
        return []
    level, n = contrasts[0].level, contrasts[0].n_compared
    differences = [each for each in contrasts if isinstance(each, HumanDifference)]
    n_raters = number_of_raters(contrasts)
    by = f" by {n_raters} rater{'s' if n_raters > 1 else ''}" if n_raters else ""
    n_clusters = max(each.n_clusters for each in contrasts)
    allowing = ", which allow for clusters" if n_clusters else ""
    basis = [f"{what}{_on_all(contrasts)}{_in_clusters(n_clusters)}{by} with {percent(level)} intervals{allowing}."]
    ways = list(dict.fromkeys(PAIRED[each.paired] for each in differences))
    test = f"Differences: {' or '.join(ways)}, p {_test(differences)}" if ways else f"p: {PREFERENCE_TEST}"
    corrected = f"; p holm: corrected for {n} comparisons (Holm), with intervals at Holm's level" if n > 1 else ""
    basis.append(f"{test}{corrected}.")
    if estimated.name:
        most = max((each.n_estimated for each in differences), default=0)
        of = f"{most} further outputs" if most else "further outputs, in means alone"
        basis.append(f"With estimates of {of} ({estimated.name}){estimated.standing}.")
    return basis


def contrast_note(
    contrasts: Sequence[Contrast], scores: Mapping[str, HumanScores], estimated: Estimated = NO_ESTIMATES
) -> list[str]:
    """Return the sentences of the note below a table in a paper: meaning of the figures, Holm's level and signature.

    Args:
        contrasts: the differences, or win rates.
        scores: the scores by criterion; none of preferences.
        estimated: the estimates that take part.
    """
    if not contrasts:
        return []
    level, n = contrasts[0].level, contrasts[0].n_compared
    differences = [each for each in contrasts if isinstance(each, HumanDifference)]
    note = _on_means(scores) if differences else []
    if estimated.name:
        note.append(f"Estimates of unrated outputs take part ({estimated.made}){estimated.standing}.")
    note += _over_all_items(differences)
    note += _over_pairs(differences, estimated)
    if n > 1:
        note.append(holm_sentence(level, n, contrasts[0].EQUAL_TOLD))
    note += filter(None, [scope_sentence(contrasts), *on_these_raters(contrasts)])
    if any(of_criterion.are_of_all_pairs for of_criterion in scores.values()):
        note.append(ON_LETTERS)
    scales = {criterion: of_criterion.scores[0].scale for criterion, of_criterion in scores.items()}
    parts = [f"human_score|level:{level:g}|correction:holm|scale:{_scales_text(scales)}"]
    n_clusters = max(each.n_clusters for each in contrasts)
    if n_clusters:
        parts.append(f"clusters:{n_clusters}")
    if estimated.name:
        parts.append(f"estimates:{'named' if estimated.is_named else 'exploratory'}")
    parts += [looks.signature for looks in _looks(differences)]
    return [*note, f"Signature: {'|'.join([*parts, f'version:{project_version()}'])}."]


def _on_means(scores: Mapping[str, HumanScores]) -> list[str]:
    """Say what means are of, and which plain means stand in another order, for the note below a table.

    Args:
        scores: the scores by criterion.
    """
    every = [each for of_criterion in scores.values() for each in (*of_criterion.scores, *of_criterion.differences)]
    if not any(each.is_weighted for each in every):
        return [f"Means are {_OF_OUTPUTS}."]
    orders = [
        f"{criterion}: {line}" if criterion else line
        for criterion, of_criterion in scores.items()
        for line in on_order(of_criterion)
    ]
    return [
        f"Means are {_OF_WEIGHTED}, each mean and each difference by itself, so that a difference need not be that of "
        f"the two means; plain means are {_OF_OUTPUTS}.",
        *orders,
    ]


def _over_all_items(differences: Sequence[HumanDifference]) -> list[str]:
    """Say that differences are over more items than were drawn from, for the note below a table; nothing if not."""
    unlike = next((each.unlike for each in differences if each.unlike is not None), None)
    if unlike is None:
        return []
    return [f"Differences are {unlike.scope}: each is {unlike.factor} of that over the others; means are over these."]


def _over_pairs(differences: Sequence[HumanDifference], estimated: Estimated) -> list[str]:
    """Say that differences leave out ratings without a partner, which are in the means; nothing if none do.

    Estimates part the two as well, and the sentence names both causes.
    """
    most = max((each.n_unpaired for each in differences), default=0)
    if not most:
        return []
    up_to = "" if all(each.n_unpaired == most for each in differences) else "up to "
    ratings = count(most, "rating")
    without = f"without {up_to}{ratings} in no pair"
    if estimated.name:
        return [
            f"Differences are {without}, and estimates move figures by themselves: they are not quite those of the "
            "means."
        ]
    if any(each.unlike is not None for each in differences):
        return [f"They are {without}, too."]
    if any(each.is_weighted for each in differences):
        return [f"Differences are {without}, so not quite the difference of the means."]
    return [f"Differences are {_OF_PAIRS}, {without}, so not quite the difference of the means."]


def _on(contrasts: Sequence[Contrast]) -> str:
    """Return the items that figures rest on; rated outputs of each system if these are not of the same items."""
    unpaired = [each for each in contrasts if isinstance(each, HumanDifference) and not is_paired(each)]
    items = [each.n_items for each in contrasts if each.n_items and each not in unpaired]
    told = [f" on {_numbers(items)} items"] if items else []
    if unpaired:
        preposition = "on" if items else "of"
        told.append(f" {preposition} {_numbers(n for each in unpaired for n in each.n_rated)} outputs of each system")
    return " or".join(told)


def _on_all(contrasts: Sequence[Contrast]) -> str:
    """Return what means and differences rest on: the outputs of each system, too, if they are not of the same number.

    Args:
        contrasts: the differences, or win rates.
    """
    paired = [each for each in contrasts if isinstance(each, HumanDifference) and is_paired(each)]
    outputs = _numbers(n for each in paired for n in each.n_rated) if paired else ""
    if len(paired) < len(contrasts) or outputs == _numbers(each.n_items for each in paired):
        return _on(contrasts)
    return f" of {outputs} outputs of each system, differences{_on(contrasts)}"


def _numbers(numbers: Iterable[int]) -> str:
    """Return numbers as one, or as the least and the greatest of them."""
    least, *_, greatest = sorted([*numbers] * 2)
    return str(least) if least == greatest else f"{least} to {greatest}"


def _in_clusters(n: int) -> str:
    """Return the number of the items' clusters, in words; "" if nobody named clusters."""
    return f" in {n} cluster{'s' if n > 1 else ''}" if n else ""


def _scales_text(scales: Mapping[str, tuple[float, float] | None]) -> str:
    """Return the ends of the scale as a signature has them; those of each criterion if they differ."""
    texts = {name: "none" if ends is None else f"{ends[0]:g}-{ends[1]:g}" for name, ends in scales.items()}
    if len(set(texts.values())) < 2:
        return next(iter(texts.values()), "none")
    return "+".join(f"{name}={text}" for name, text in texts.items())


def _looks(differences: Sequence[HumanDifference]) -> list[Looks]:
    """Return when somebody looks, of ratings that are looked at as they come in; none of a single look."""
    return list(dict.fromkeys(each.watched.looks for each in differences if each.watched is not None))


def _test(differences: Sequence[HumanDifference]) -> str:
    """Return the test of which p is, for a caption."""
    for looks in _looks(differences):
        return f"and intervals of confidence sequences, which {looks.held('complete items')}"
    sources = list(dict.fromkeys(each.borrowed_from for each in differences if each.borrowed_from))
    robust = _ROBUST if any(each.n_clusters for each in differences) else ""
    by_t = f"by Student's t{robust}" + (f", whose variance borrows from {listed(sources)}" if sources else "")
    of_shares = list(dict.fromkeys(f"by {each.shares.test}" for each in differences if each.shares is not None))
    others = [f"others {by_t}" if of_shares else by_t] if any(each.shares is None for each in differences) else []
    return ", and ".join([*of_shares, *others])


def _ends(finding: Finding, name: str, mean: Inference | None, level: float | None = None) -> dict[str, float]:
    """Return the ends of an interval, NaN if they are unknown."""
    low, high = (math.nan, math.nan) if mean is None else finding.interval(mean, level)
    return {f"low{name}": _finite(low), f"high{name}": _finite(high)}


def _told_ends(finding: HumanScore | HumanDifference) -> dict[str, float]:
    """Return the ends of the interval of a mean, or of a difference at the level of one; NaN if it tells nothing."""
    is_too_wide = finding.is_plainly_too_wide if isinstance(finding, HumanDifference) else finding.is_too_wide
    is_told = finding.mean.is_known and not is_too_wide
    return _ends(finding, "", finding.mean if is_told else None)


def _finite(value: float) -> float:
    return value if math.isfinite(value) else math.nan


def _adjusted(finding: Finding) -> dict[str, float]:
    """Return p after Holm's correction, and the interval that agrees with it."""
    if not isinstance(finding, Contrast) or not finding.mean.is_known:
        return {"p holm": math.nan, **_ends(finding, " holm", None)}
    mean = None if finding.is_too_wide else finding.mean
    return {"p holm": finding.p_told, **_ends(finding, " holm", mean, finding.level_adjusted)}


def _by_raters(finding: Finding) -> dict[str, float]:
    """Return the intervals for these raters, and for others, unless the raters are too few for these."""
    these = finding.raters.these if finding.raters.n_raters else None
    others = finding.raters.others if finding.raters.about_others else None
    return {**_ends(finding, " these raters", these), **_ends(finding, " others", others)}


def score_lines(
    scores: HumanScores,
    drawn: Drawn,
    criterion: str = "",
    *,
    can_name_scale: bool = True,
    mqm_weights: str = "",
    estimated: Estimated = NO_ESTIMATES,
    find: float | None = None,
) -> list[str]:
    """Return sentences on the meaning of the figures, the findings, and the difference that such a study detects.

    Args:
        scores: the scores.
        drawn: the draw of the rated outputs.
        criterion: the name of the criterion, for the sentences to quote; "" for one without a name.
        can_name_scale: whether the ratings are on a scale whose ends can be named, unlike the score of marked errors.
        mqm_weights: the weights of errors, in words, if the ratings are the scores of MQM; "" for others.
        estimated: the estimates that take part.
        find: the true difference that a further study shall find; None for none.
    """
    level = percent(scores.level)
    at_random = "the study drew the outputs at random" if drawn.is_known else "valid only for outputs drawn at random"
    plain = [each for each in scores.scores if not each.is_too_wide]
    by_t_alone = [each for each in plain if each.watched is None and each.share is None]
    means = [(each.mean.value, *each.interval()) for each in by_t_alone]
    of_shares = scores.are_shares
    are_weighted = any(each.is_weighted for each in (*scores.scores, *scores.differences))
    lines = [
        f"mean: {_OF_WEIGHTED if are_weighted else _OF_OUTPUTS}, with {level} intervals; {at_random}.",
        *([f"plain mean: {_OF_OUTPUTS}, as `evaluate` and `compare --scores` take it."] if are_weighted else []),
        *(["Answers are 0 and 1: a mean is the share of 1, and a difference is one of shares."] if of_shares else []),
        *([_ON_MEANS] if any(each.given_by == MEANS for each in scores.scores) else []),
        *on_lopsided_intervals(means, has_scale=scores.scores[0].scale is not None),
        *note_on_uncertain_ends(scores.scores),
        *_on_told_ends(scores),
        *_on_wide_intervals(scores),
        *scores.notes,
        *scores.warnings,
    ]
    most = max((*scores.differences, *scores.scores), key=lambda each: each.shrinkage)
    if 0 < most.shrinkage < 1:
        lines.append(
            f"narrower: by which share the estimates narrow an interval; {most.shrinkage:.0%} is what about "
            f"{_more_ratings(most.shrinkage):.0%} more rated outputs would bring."
        )
    by_t = [each for each in scores.differences if each.watched is None and each.shares is None]
    few = any(each.mean.is_known and _smaller_sample(each) < FEW_ITEMS for each in by_t)
    if few and len(scores.scores) == 2 and scores.scores[0].scale is None:
        advice = "Name the ends of the scale (--scale LOW-HIGH)"
        if not can_name_scale:
            advice = "Rate more items: a sum of errors has no lowest end that --scale could name"
        lines.append(
            f"Caution: with two systems, no declared scale and fewer than {FEW_ITEMS} items, {level} intervals of "
            f"differences hold less than they say (of 95%: 89 to 93% on public ratings). {advice}."
        )
    elif few and scores.scores[0].scale is None and can_name_scale:
        lines.append(
            "No scale is named: with its ends (--scale LOW-HIGH) intervals stay on it, and intervals and p of "
            f"differences over fewer than {FEW_ITEMS} items borrow variance from it, too."
        )
    if _are_many(scores.differences):
        of = f"by MQM with error weights {mqm_weights}, " if mqm_weights else ""
        of = "of the shares rated 1, " if of_shares else of
        told = partial(_sentence_on_all, scores.differences_by_mean, criterion, of=of, estimated=estimated)
        lines += [ON_LETTERS] if scores.are_of_all_pairs else []
        lines += filter(None, [scope_sentence(scores.differences), *on_these_raters(scores.differences)])
        lines += [*_reasons(scores.differences), *_power_of_many(scores.differences, drawn.n_all, find)]
        return [*lines, *_for_paper_of_all(told, scores.differences, scores.unfinished, drawn)]
    lines += [ON_LETTERS] if scores.are_of_all_pairs else []
    for each in scores.differences:
        lines += _difference_finding(each)
    lines += on_these_raters(scores.differences)
    for each in (each for each in scores.differences if each.watched is None):
        detectable = each.detectable()
        if 0 < detectable < math.inf and items_of_sample(each) > 1:
            lines += [_on_power(each, detectable, drawn), *_to_find(each, find)]
    figure = f"by MQM with error weights {mqm_weights}: mean difference" if mqm_weights else "mean difference"
    figure = "difference of the shares rated 1:" if of_shares else figure
    for each in _with_sentence(scores.differences):
        told = partial(_sentence, each, criterion, figure=figure, estimated=estimated)
        lines.append(_for_paper(told, scores.unfinished, drawn))
    return lines


def _on_power(each: HumanDifference, detectable: float, drawn: Drawn) -> str:
    """Return the true difference that such a study finds, and a larger one, if ratings can differ so much."""
    times, further = _further_study(each, drawn.n_all)
    of_more = each.detectable(times)
    more = f"; {further} finds {_figure(of_more)}" if further and of_more <= each.reach else ""
    pair = f"{each.system} less {each.baseline}"
    if detectable > each.reach:
        return f"{pair}: {TOO_FEW}: such a study finds no difference that ratings can have{more}."
    found = f"a true difference of {_figure(detectable)} with a probability of {POWER:.0%}"
    return f"{pair}: such a study finds {found}{more}.{items_or_raters(each) if times == TIMES else ''}"


def _difference_finding(each: HumanDifference) -> list[str]:
    """Return the finding on a difference with its figures, and its reason."""
    unpaired = f", {count(each.n_unpaired, 'rating')} unpaired and left out" if each.n_unpaired else ""
    items = (
        f" ({each.n_items} items{_in_clusters(each.n_clusters)}{unpaired}{_on_common(each)})" if each.n_items else ""
    )
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
    return "" if math.isnan(each.on_common) else f", on which the mean difference is {_figure(each.on_common)}"


def _preference_finding(rate: WinRate) -> list[str]:
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
        f"{rate.n_items} items{_in_clusters(rate.n_clusters)}, {rate.ties} ties"
    )
    return _finding(rate, claim, figures)


def _are_many(contrasts: Sequence[Contrast]) -> bool:
    """Say whether contrasts by a criterion have one sentence together: the comparisons by all criteria count."""
    return len(contrasts) > _MOST or (len(contrasts) > 1 and contrasts[0].n_compared > _MOST)


def _with_sentence(contrasts: Sequence[_Contrast]) -> list[_Contrast]:
    """Return the contrasts that have a sentence of their own for the paper: none of many, which have one together."""
    return [each for each in contrasts if each.mean.is_known] if not _are_many(contrasts) else []


def quoted_findings(contrasts: Sequence[Contrast]) -> list[str]:
    """Return the findings that a sentence for the paper tells with the same figures, without their reasons."""
    found = []
    for each in _with_sentence(contrasts):
        told = _difference_finding(each) if isinstance(each, HumanDifference) else []
        told = _preference_finding(each) if isinstance(each, WinRate) else told
        found += told[:1]
    return found


def _more_ratings(shrinkage: float) -> float:
    """Return the share of further rated outputs that would narrow an interval as much as estimates do.

    >>> round(_more_ratings(0.1), 2)
    0.23
    """
    return 1 / (1 - shrinkage) ** 2 - 1


def below_table(scores: HumanScores) -> list[str]:
    """Say why differences are not those of the means, and which systems stand in another order by the plain means.

    Estimates and weights of raters move each figure by itself, and pairs leave ratings out. These sentences stand right
    below the table.
    """
    of_systems = {each.system: each for each in scores.scores}
    gaps = {}
    for place, each in enumerate(scores.differences):
        told = _on_gap(each, of_systems[each.system], of_systems[each.baseline]) if each.watched is None else ""
        if told:
            gaps[place] = told
    if len(gaps) > _MOST:
        return [*on_order(scores), _on_gaps([scores.differences[place] for place in gaps], of_systems)]
    return [*on_order(scores), *gaps.values()]


def _on_gaps(differences: Sequence[HumanDifference], of_systems: Mapping[str, HumanScore]) -> str:
    """Say why many differences are not those of the two means, and by how much the farthest one."""
    gaps = [
        abs(of_systems[each.system].mean.value - of_systems[each.baseline].mean.value - each.mean.value)
        for each in differences
    ]
    farthest = differences[gaps.index(max(gaps))]
    turned = [
        f"{each.system} less {each.baseline}"
        for each in differences
        if each.mean.value * (of_systems[each.system].mean.value - of_systems[each.baseline].mean.value) < 0
    ]
    other_sign = f", and of another sign for {listed(turned[:_MOST])}" if turned else ""
    findings = [*differences, *of_systems.values()]
    unlike = farthest.unlike
    scope = "" if unlike is None else f"they are {unlike.scope} ({unlike.factor} of those over the others)"
    reasons = [
        (scope, bool(scope)),
        ("ratings in no pair are left out", any(each.n_unpaired for each in differences)),
        ("estimates move each figure by a weight of its own", any(each.shrinkage > 0 for each in findings)),
        ("raters are weighted anew in each mean and each difference", any(each.is_weighted for each in findings)),
    ]
    return (
        f"{len(differences)} differences are not those of the means in the rows above, by up to {fixed(max(gaps), 4)} "
        f"({farthest.system} less {farthest.baseline}){other_sign}: "
        f"{listed([reason for reason, is_one in reasons if is_one])}."
    )


def on_order(scores: HumanScores) -> list[str]:
    """Name the pairs of systems whose plain means stand in another order than their means; nothing without any."""
    ranked = sorted(scores.scores, key=lambda score: -score.mean.value)
    turned = [
        f"{above.system} stands above {below.system} by the means ({fixed(above.mean.value, 4)} and "
        f"{fixed(below.mean.value, 4)}) and below it by the plain means ({fixed(above.plain, 4)} and "
        f"{fixed(below.plain, 4)})"
        for above, below in combinations(ranked, 2)
        if above.mean.value - below.mean.value > SAME_MEAN and below.plain - above.plain > SAME_MEAN
    ]
    if not turned:
        return []
    more = f"; and so {count(len(turned) - _MOST, 'further pair')}" if len(turned) > _MOST else ""
    return [f"Other order by the plain means: {'; '.join(turned[:_MOST])}{more}."]


def _on_gap(difference: HumanDifference, system: HumanScore, baseline: HumanScore) -> str:
    """Say why a difference is not that of the two means; "" where it is, as it stands in the table.

    A note of the scores tells of items that count 0: a difference that they alone part from the means has no sentence.
    """
    of_means = system.mean.value - baseline.mean.value
    of_these = difference.mean.value / (1.0 if difference.unlike is None else difference.unlike.share)
    n = difference.n_unpaired
    is_moved = difference.shrinkage > 0
    are_moved = system.shrinkage > 0 or baseline.shrinkage > 0
    is_weighted = difference.is_weighted or system.is_weighted or baseline.is_weighted
    if not (n or is_moved or are_moved or is_weighted) or abs(of_means - of_these) < SAME_MEAN:
        return ""
    pair, value = f"{difference.system} less {difference.baseline}", fixed(difference.mean.value, 4)
    left_out = f" ({count(n, 'rating')} in no pair {'is' if n == 1 else 'are'} left out)" if n else ""
    weighted = ""
    if is_weighted:
        of_plain = fixed(system.plain - baseline.plain, 4)
        weighted = f" Raters are weighted anew in each mean and each difference; the plain means differ by {of_plain}."
    if difference.unlike is not None:
        told = fixed(of_these, 4)
        of_pairs = f"{told} is of pairs of ratings{left_out}, and " if n else ""
        return (
            f"{pair}: {value} is {told} times {difference.unlike.factor}, since the difference is "
            f"{difference.unlike.scope}; {of_pairs}the means in the rows above differ by "
            f"{fixed(of_means, 4)}.{weighted}"
        )
    if not (is_moved or are_moved or n):
        return f"{pair}: {value}, and the means in the rows above differ by {fixed(of_means, 4)}.{weighted}"
    if not (is_moved or are_moved or is_weighted):
        return (
            f"{pair}: {value} is the mean over {count(difference.n_items, 'item')}, of the mean difference of each "
            f"one's pairs of ratings{left_out}; the means in the rows above are over all rated outputs, of the mean of "
            f"each one's ratings, and differ by {fixed(of_means, 4)}."
        )
    if not (is_moved or are_moved):
        return (
            f"{pair}: {value} is of pairs of ratings{left_out}, and the means in the rows above differ by "
            f"{fixed(of_means, 4)}.{weighted}"
        )
    moved = "each mean and each difference by a weight of its own"
    if not (is_moved and are_moved):
        moved = "this difference and not the means" if is_moved else "the means and not this difference"
    alone = system.ratings_alone.value - baseline.ratings_alone.value
    return (
        f"{pair}: {value}, and the means in the rows above differ by {fixed(of_means, 4)}, since estimates move "
        f"{moved}. By the ratings alone it is {fixed(difference.ratings_alone.value, 4)}{left_out}, and the means "
        f"differ by {fixed(alone, 4)}.{weighted}"
    )


def _further_study(contrast: Contrast, n_all: int | None) -> tuple[float, str]:
    """Return how many times as many items a further study has, and its name; "" where there are no more items.

    Args:
        contrast: the difference, or win rate, of the study at hand.
        n_all: number of items that there are; None if it is not known.
    """
    times = TIMES if n_all is None else min(TIMES, n_all / items_of_sample(contrast))
    if times <= 1:
        return times, ""
    items = f"all {n_all} items"
    if times == TIMES:
        items = f"four times as many {'items' if is_paired(contrast) else 'outputs of each'}"
        items = "four times as many clusters" if contrast.n_clusters else items
    raters = ""
    if contrast.raters.about_others:
        raters = " by four times as many raters" if times == TIMES else ", with as many more raters,"
    return times, f"one of {items}{raters}"


def _for_paper(told: Callable[[str], str], unfinished: str, drawn: Drawn) -> str:
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
    if unfinished and drawn.n_complete is not None:
        parts.append(f"{drawn.n_complete} of {drawn.n_items} items complete; all rated outputs count")
        beginning = FOR_THE_PAPER if drawn.is_over else IF_A_RATER_LEFT
    missing = f" ({'; '.join(parts)})" if parts else ""
    return f"{beginning}{told(missing)}"


def _for_paper_of_all(
    told: Callable[[str], str], contrasts: Sequence[Contrast], unfinished: str, drawn: Drawn
) -> list[str]:
    """Return the sentence to quote on many contrasts; none if there is no finding on any of them.

    Args:
        told: see `_for_paper`.
        contrasts: the contrasts.
        unfinished: see `_for_paper`.
        drawn: likewise.
    """
    return [_for_paper(told, unfinished, drawn)] if any(map(_is_told, contrasts)) else []


def on_lopsided_intervals(means: Iterable[tuple[float, float, float]], *, has_scale: bool) -> list[str]:
    """Return why intervals of mean ratings reach further to one side, if some do.

    Args:
        means: each mean rating with the ends of its interval.
        has_scale: whether the ends of the scale are named.
    """
    arms = [(value - low, high - value) for value, low, high in means if math.isfinite(low) and math.isfinite(high)]
    if not any(max(pair) > _LOPSIDED * min(pair) for pair in arms):
        return []
    of_scale = ""
    if has_scale:
        of_scale = ", and on a named scale an interval is at least that of a share of it (Korn & Graubard 1998)"
    return [
        "An interval of a mean reaches further to one side if the ratings are skewed: the skewness of the mean is "
        f"taken out of Student's t (Hall 1992){of_scale}."
    ]


def _on_told_ends(scores: HumanScores) -> list[str]:
    """Say how intervals of means are bounded that no named scale bounds: shares, and means at an end of the ratings."""
    plain = [each for each in scores.scores if each.watched is None]
    lines = []
    if any(each.share is not None for each in plain):
        lines.append("Of single answers of 0 and 1 the mean is a share, and its interval is Wilson's (1927).")
    bounded = [each.told for each in plain if each.share is None and each.scale is None and _is_cut(each)]
    for low, high in filter(None, bounded[:1]):
        ends = f"from {low:g} to {high:g}, the highest rating"
        lines.append(f"Intervals of means stay in the range {ends}; --scale LOW-HIGH names other ends.")
    return lines


def _on_wide_intervals(scores: HumanScores) -> list[str]:
    """Name the systems, and the pairs, of which an interval would reach as far as ratings can differ; none without."""
    named = [each.system for each in scores.scores if each.is_too_wide]
    named += [f"{each.system} less {each.baseline}" for each in scores.differences if each.is_too_wide]
    if not named:
        return []
    return [f"{listed(named)}: {TOO_FEW}, so that no interval is given: it would be {_as_wide(scores)}."]


def _as_wide(scores: HumanScores) -> str:
    first = scores.scores[0]
    return "as wide as the scale" if first.scale or first.told else "as wide as all ratings lie apart"


def _is_cut(score: HumanScore) -> bool:
    """Say whether an end of the interval is one of the scale that the ratings tell."""
    return score.told is not None and not set(score.told).isdisjoint(score.interval())


def _by(contrasts: Sequence[Contrast]) -> str:
    """Return the number of raters of contrasts, in words; "" if it is not known."""
    n_raters, given_by = number_of_raters(contrasts), contrasts[0].given_by
    if given_by in (MODELS, JUDGES):
        kind = "judge that is a language model" if given_by == MODELS else "judge"
        kinds = "judges that are language models" if given_by == MODELS else "judges"
        return f" by {n_raters} {kinds}" if n_raters > 1 else f" by a {kind}"
    if given_by == MEANS:
        return " by an unknown number of people each"
    if not n_raters:
        return ""
    return " by 1 rater" if n_raters == 1 else f" by {n_raters} raters"


def _sentence(difference: HumanDifference, criterion: str, complete: str, *, figure: str, estimated: Estimated) -> str:
    """Return the sentence to quote on a difference.

    Args:
        difference: the difference.
        criterion: the name of the criterion; "" for one without a name.
        complete: the number of raters who are left out and, of a study that lacks answers, of complete items, in
            brackets; "" otherwise.
        figure: the name of the difference.
        estimated: the estimates that take part.
    """
    basis = f"{rated_sample(difference)}{_in_clusters(difference.n_clusters)}"
    shown = f"rated {_higher(difference)} than" if difference.is_shown else "not shown to be rated differently from"
    by_t = f"Student's t{_ROBUST if difference.n_clusters else ''}"
    test = f"{by_t}, {PAIRED[difference.paired]}"
    if difference.paired and not is_paired(difference):
        test = f"{by_t} of two samples that share {difference.n_items} items{_on_common(difference)}"
    if not difference.mean.standard_error:
        test = f"a bound by {_scale_told(difference)}, since {_alike(difference)}, {PAIRED[difference.paired]}"
    elif difference.shares is not None:
        test = f"{difference.shares.test}, {PAIRED[difference.paired]}"
    elif difference.borrowed_from:
        test += f", whose variance borrows from {_scale_told(difference)}"
    if difference.is_weighted:
        test += ", with raters weighted by generalised least squares"
    for looks in _looks([difference]):
        of_looks = f"confidence sequences, which hold at every look from {looks.first} items on"
        test = f"{of_looks}, {PAIRED[difference.paired]}"
    test = ", ".join(filter(None, [test, scope_told([difference])]))
    systems = f"{difference.system} was {shown} {difference.baseline}{_in_criterion(criterion)}"
    scope = "" if difference.unlike is None else f"; {difference.unlike.scope}"
    figures = f"{figure} {_quoted(difference, difference.lead)}{scope}; {test}"
    further = estimated.of_further(difference)
    return f'"On {basis}{_by([difference])}{complete}{further}, {systems} ({figures})."'


def _alike(contrast: Contrast) -> str:
    """Return the clause that nothing varied: no difference, or none of the means in clusters."""
    if contrast.n_clusters > 1:
        return f"means do not vary between the {contrast.n_clusters} clusters"
    return "all items lie in one cluster" if contrast.n_clusters else "no difference varied"


def _is_told(contrast: Contrast) -> bool:
    """Say whether there is a finding on a contrast."""
    watched = getattr(contrast, "watched", None)
    return contrast.mean.is_known and not contrast.is_too_wide and (watched is None or not watched.obstacle)


def _reasons(contrasts: Sequence[Contrast]) -> list[str]:
    """Return what stands beside many findings, which the table tells: what cannot be told, and notes, each once."""
    told = []
    for each in contrasts:
        lines = _difference_finding(each) if isinstance(each, HumanDifference) else []
        lines = _preference_finding(each) if isinstance(each, WinRate) else lines
        told += lines[1:] if _is_told(each) else lines
    return list(dict.fromkeys(told))


def _power_of_many(contrasts: Sequence[Contrast], n_all: int | None, find: float | None) -> list[str]:
    """Say which true differences, or win rates, a study finds, from the easiest pair of systems to the hardest.

    Args:
        contrasts: the differences, or win rates.
        n_all: number of items that there are; None if it is not known.
        find: the true difference, or win rate, that a further study shall find; None for none.
    """
    are_rates = isinstance(contrasts[0], WinRate)
    of_one_look = [each for each in contrasts if getattr(each, "watched", None) is None and items_of_sample(each) > 1]
    sizes = {place: each.detectable() for place, each in enumerate(of_one_look)}
    known = [place for place, size in sizes.items() if 0 < size < math.inf and size <= _widest(of_one_look[place])]
    if not known:
        return []
    hardest = of_one_look[max(known, key=lambda place: sizes[place])]
    least, greatest = (_figure(hardest.EQUAL + choose(sizes[place] for place in known)) for choose in (min, max))
    times, further = _further_study(hardest, n_all)
    pair = f" ({hardest.system} and {hardest.baseline})" if len(contrasts) > 1 else ""
    more = f"; in place of {greatest}{pair}, {further} finds {_figure(hardest.EQUAL + hardest.detectable(times))}"
    what = "win rate" if are_rates else "difference"
    told = f"a true {what} of {least}"
    if least != greatest:
        told = f"true {what}s of {least} to {greatest}, by pair of systems,"
    found = f"Such a study finds {told} with a probability of {POWER:.0%}{more if further else ''}."
    return [f"{found}{items_or_raters(hardest) if times == TIMES else ''}", *_to_find(hardest, find)]


def _to_find(contrast: Contrast, find: float | None) -> list[str]:
    """Say how large a further study is that finds a difference, or win rate, in a list; none without one to find."""
    if find is None:
        return []
    if contrast.n_clusters:
        return [to_find_told(contrast, find, contrast.n_clusters, "clusters")]
    units = "items" if is_paired(contrast) else "outputs of each"
    return [to_find_told(contrast, find, items_of_sample(contrast), units)]


def _widest(contrast: Contrast) -> float:
    """Return the largest difference that ratings can have, or the farthest that a win rate can be from one half."""
    return contrast.reach if isinstance(contrast, HumanDifference) else contrast.EQUAL


_MOST_ALIKE = 6
"""Most pairs without a difference that the sentence to quote lists, if it names their systems anyway."""


def _sentence_on_all(
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
        criterion: see `_sentence`.
        complete: likewise.
        of: the kind of the figures, before the test; "" for means.
        estimated: the estimates that take part.
        n_items: number of items of all pairs of preferences together; 0 if it is not known.
    """
    known = [each for each in contrasts if _is_told(each)]
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
    sample = _on(known).removeprefix(" on").removeprefix(" of")
    if n_items > max(each.n_items for each in known):
        sample += f" of each pair, {n_items} in all"
    basis = f"On{sample}{_in_clusters(max(each.n_clusters for each in known))}"
    by = _by(known)
    test, further = PREFERENCE_TEST, ""
    if differences:
        ways = " or ".join(dict.fromkeys(PAIRED[each.paired] for each in differences))
        is_weighted = any(each.is_weighted for each in differences)
        weighted = ", with raters weighted by generalised least squares" if is_weighted else ""
        unlike = differences[0].unlike
        scope = "" if unlike is None else f"differences {unlike.scope}; "
        test = f"{scope}{ways}, p {_test(differences)}{weighted}"
        further = estimated.of_further(max(differences, key=lambda each: each.n_estimated))
    test = ", ".join(filter(None, [test, scope_told(known)]))
    ends = [f"largest {p_text(max(each.p_adjusted for each in shown))} where a {what} was shown"] if shown else []
    ends += [f"smallest {p_text(min(each.p_adjusted for each in others))} where none was"] if others else []
    corrected = f"by Holm's procedure for {contrasts[0].n_compared} comparisons, {listed(ends)}"
    systems = "; ".join(filter(None, found))
    return f'"{basis}{by}{complete}{further}{_in_criterion(criterion)}: {systems} ({of}{test}; {corrected})."'


def is_paired(contrast: Contrast) -> bool:
    """Say whether a comparison is of outputs of the same items: always that of preferences."""
    return not isinstance(contrast, HumanDifference) or contrast.paired.startswith("item")


def rated_sample(contrast: Contrast) -> str:
    """Return the sample that a comparison rests on, in words: its items, or the outputs if these are of other items."""
    if not isinstance(contrast, HumanDifference) or is_paired(contrast):
        return f"{contrast.n_items} items"
    of_system, of_baseline = contrast.n_rated
    return f"{of_system} outputs of {contrast.system} and {of_baseline} of {contrast.baseline}"


def items_of_sample(contrast: Contrast) -> int:
    """Return the number of items of which outputs were rated: of one of the two systems, if these have other items."""
    if not isinstance(contrast, HumanDifference) or is_paired(contrast):
        return contrast.n_items
    return max(contrast.n_rated)


def _smaller_sample(difference: HumanDifference) -> int:
    """Return the number of items of a difference in pairs, or of rated outputs of the system that has fewer."""
    return difference.n_items if is_paired(difference) else min(difference.n_rated)


def _in_criterion(criterion: str) -> str:
    """Return the criterion of a finding, in words; "" for one without a name.

    >>> _in_criterion("fluency"), _in_criterion("overall")
    (' in fluency', ' overall')
    """
    if criterion == OVERALL:
        return f" {criterion}"
    return f" in {criterion}" if criterion else ""


def _scale_told(difference: HumanDifference) -> str:
    """Return the source of the variance that a difference borrows, with the ends of the scale if it is that."""
    if difference.borrowed_from != OF_SCALE or difference.scale is None:
        return difference.borrowed_from
    return f"{OF_SCALE} from {difference.scale[0]:g} to {difference.scale[1]:g}"


def _preference_sentence(rate: WinRate, criterion: str, complete: str) -> str:
    """Return the sentence to quote on a win rate; the arguments are those of `_sentence`."""
    ahead, other = rate.ranked
    shown = f"{ahead} was preferred to {other}"
    if not rate.is_shown:
        shown = f"no preference was shown between {rate.system} and {rate.baseline}"
    counts = f"{rate.wins} wins, {rate.ties} ties, {rate.losses} losses"
    test = ", ".join(filter(None, [rate.test, scope_told([rate])]))
    return (
        f'"On {rate.n_items} items{_in_clusters(rate.n_clusters)}{_by([rate])}{complete}, {shown}'
        f"{_in_criterion(criterion)} (win rate of {rate.system} {_quoted(rate, rate.mean.value)}; {test}; "
        f'{counts})."'
    )


ON_COUNTS = (
    "Wins, ties and losses count judgements; in a win rate each item counts once, or by its weight, and raters "
    "who judged much count less each time, if their ratings vary, so that it need not be the share of wins."
)
"""Why a win rate need not be the share of wins."""

ON_MEANS = (
    "A pair that was judged in both orders is one win, tie or loss, by the mean of both answers; in a win rate this "
    "mean counts, which is 0.75 of a win and a tie, so that it need not be the share of wins."
)
"""The same of pairs of which both orders were judged, once by one rater."""


def preference_lines(
    rates: Sequence[WinRate],
    strengths: Mapping[str, Inference],
    drawn: Drawn,
    unfinished: str = "",
    criterion: str = "",
    on_counts: str = ON_COUNTS,
    n_items: int = 0,
    find: float | None = None,
) -> list[str]:
    """Return sentences on the findings from preferences.

    Args:
        rates: the win rates.
        strengths: the result of `preferences.strengths`.
        drawn: the draw of the items.
        unfinished: the progress of a study that lacks answers; "" otherwise.
        criterion: the name of the criterion, for the sentences to quote; "" for one without a name.
        on_counts: why a win rate need not be the share of wins, in a sentence.
        n_items: number of items of all pairs together; 0 if it is not known.
        find: the true win rate that a further study shall find; None for none.
    """
    level = rates[0].level
    at_random = "the study drew the items at random" if drawn.is_known else "valid only for items drawn at random"
    lines = [
        f"win rate: share of preferences for the system, ties half each, with {percent(level)} intervals; {at_random}."
    ]
    if any(abs(rate.mean.value - _counted(rate)) > _SAME_RATE for rate in rates):
        lines.append(on_counts)
    if _are_many(rates):
        lines += filter(None, [scope_sentence(rates), *on_these_raters(rates), *_reasons(rates)])
        lines += [*_strength_lines(strengths, level), *_power_of_many(rates, drawn.n_all, find)]
        return [
            *lines,
            *_for_paper_of_all(partial(_sentence_on_all, rates, criterion, n_items=n_items), rates, unfinished, drawn),
        ]
    for rate in rates:
        lines += _preference_finding(rate)
    lines += on_these_raters(rates)
    lines += _strength_lines(strengths, level)
    for rate in rates:
        detectable = rate.mean.detectable(rate.level_adjusted)
        if 0 < detectable < rate.EQUAL:
            times, larger = _further_study(rate, drawn.n_all)
            rate_of_more = _figure(rate.EQUAL + rate.mean.detectable(rate.level_adjusted, times))
            more_told = f"; {larger} finds {rate_of_more}" if larger else ""
            alone = items_or_raters(rate) if times == TIMES else ""
            lines.append(
                f"{rate.system} against {rate.baseline}: such a study finds a true win rate of "
                f"{_figure(rate.EQUAL + detectable)} with a probability of {POWER:.0%}{more_told}.{alone}"
            )
            lines += _to_find(rate, find)
    for rate in _with_sentence(rates):
        lines.append(_for_paper(partial(_preference_sentence, rate, criterion), unfinished, drawn))
    return lines


def _strength_lines(strengths: Mapping[str, Inference], level: float) -> list[str]:
    """Return the Bradley-Terry strengths in sentences, the strongest system first; nothing without strengths."""
    if not strengths:
        return []
    first = next(iter(strengths))
    ordered = strongest_first(strengths)
    lines = [
        f"Bradley-Terry, the strongest first: {', '.join(ordered)}. Intervals below are of one comparison each, "
        "without a correction, and rest on the preferences of all pairs."
    ]
    for system in (each for each in ordered if each != first):
        log_odds = strengths[system]
        low, high = log_odds.interval(level)
        lines.append(
            f"Bradley-Terry: {system} against {first}, log odds {log_odds.value:+.3g} "
            f"[{low:.3g}, {high:.3g}], so it is preferred in {1 / (1 + math.exp(-log_odds.value)):.0%}."
        )
    return lines


def place_line(places: tuple[int, int, int]) -> str:
    """Return how often the first of two outputs was preferred, in a study, which draws their order.

    Args:
        places: numbers of answers for the first output, for the second, and for neither.
    """
    first, second, neither = places
    return f"Places: the first output was preferred in {first} answers, the second in {second}, neither in {neither}."


def ties_sentence(n: int, *, has_criteria: bool) -> str:
    """Return the number of ties between equal outputs, which nobody was shown, in words; "" for none.

    Args:
        n: number of such ties by each criterion.
        has_criteria: whether there are several criteria.
    """
    if not n:
        return ""
    by = " by each criterion" if has_criteria else ""
    return f"Equal outputs were not shown, and count as a tie of each rater of the item: {n} of the ties{by}."


def _counted(rate: WinRate) -> float:
    """Return the share of judgements for the system, ties half each."""
    return (rate.wins + rate.ties / 2) / (rate.wins + rate.ties + rate.losses)


def position_line(bias: PositionBias, level: float) -> str:
    """Return a sentence on the effect of the order of two outputs on a rater's preference."""
    low, high = bias.interval(level)
    who = f" by {bias.rater}" if bias.rater else ""
    p = bias.p_value(level)
    place = "first" if bias.mean.value > 0.5 else "second"
    shown = f"the {place} output is preferred for its place" if p <= 1 - level else "no preference for a place is shown"
    return (
        f"Position: of {bias.n_pairs} pairs judged in both orders{who}, {shown}: the first won {bias.mean.value:.0%} "
        f"[{low:.0%}, {high:.0%}], {p_text(p)}; {bias.consistent:.0%} got one answer in both orders. Such a pair "
        "counts once, by the mean of both."
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
            else f"{_alike(contrast)}, and nothing tells how far {of_what} can differ that were not drawn: name the "
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


def _figure(value: float) -> str:
    return f"{value + 0.0:.3g}"


def _with_interval(contrast: Contrast, value: float) -> str:
    """Return the value of a difference or win rate, and its interval, with as many decimals."""
    if contrast.is_too_wide:
        return f"{_figure(value)}, no interval"
    shown, low, high = in_one_rounding(value, *contrast.adjusted_interval)
    told = interval_name(contrast.level, contrast.level_adjusted, contrast.n_compared)
    return f"{shown} [{low}, {high}] ({told})"


def _quoted(contrast: Contrast, value: float) -> str:
    """Return the value of a difference or win rate with interval, level, p and correction, as a paper has them."""
    n = contrast.n_compared
    if contrast.is_too_wide:
        by_holm = f" by Holm's procedure for {n} comparisons" if n > 1 else ""
        return f"{_figure(value)}, {TOO_FEW}, {p_text(contrast.p_adjusted)}{by_holm}"
    shown, low, high = in_one_rounding(value, *contrast.adjusted_interval)
    figures = f"{shown}, {percent(contrast.level_adjusted)} interval [{low}, {high}], {p_text(contrast.p_adjusted)}"
    return f"{figures}, both by Holm's procedure for {n} comparisons" if n > 1 else figures


def _p_value(contrast: Contrast) -> str:
    corrected = f" (Holm, {contrast.n_compared} comparisons)" if contrast.n_compared > 1 else ""
    return f"{p_text(contrast.p_adjusted)}{corrected}"
