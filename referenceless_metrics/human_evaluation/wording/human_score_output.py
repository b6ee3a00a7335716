"""Findings from people's ratings and preferences, as rows of a table and in sentences."""

from __future__ import annotations

import math
from collections.abc import Sequence
from functools import partial

from referenceless_metrics.human_evaluation.inference.human_score import (
    OF_OTHERS,
    OF_SCALE,
    HumanDifference,
    HumanScores,
    note_on_uncertain_ends,
)
from referenceless_metrics.human_evaluation.ratings.model_raters import MEANS
from referenceless_metrics.human_evaluation.wording.contrast_notes import OF_OUTPUTS, OF_WEIGHTED, ON_LETTERS
from referenceless_metrics.human_evaluation.wording.contrast_phrases import (
    are_many,
    items_of_sample,
    smaller_sample,
    to_find,
)
from referenceless_metrics.human_evaluation.wording.contrast_sentences import (
    difference_finding,
    difference_sentence,
    for_paper,
    for_paper_of_all,
    having_sentences,
    sentence_on_all,
)
from referenceless_metrics.human_evaluation.wording.drawn import NO_ESTIMATES, Drawn, Estimated
from referenceless_metrics.human_evaluation.wording.holm_level import percent
from referenceless_metrics.human_evaluation.wording.on_means import (
    on_lopsided_intervals,
    on_told_ends,
    on_wide_intervals,
)
from referenceless_metrics.human_evaluation.wording.phrases import listed
from referenceless_metrics.human_evaluation.wording.power_lines import more_ratings, on_power, power_of_many, reasons_of
from referenceless_metrics.human_evaluation.wording.whose_findings import on_these_raters, scope_sentence

_MOST_RAISED = 3  # differences that a note names
FEW_ITEMS = 50
"""Fewest items for which intervals of two systems hold without a declared scale."""

_ON_MEANS = (
    "Each rating is the mean over people whose number nothing tells: how they differ is not counted, so that nothing "
    "is said of people in general."
)
"""Limit of ratings that are means."""


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
        f"mean: {OF_WEIGHTED if are_weighted else OF_OUTPUTS}, with {level} intervals; {at_random}.",
        *([f"plain mean: {OF_OUTPUTS}, as `evaluate` and `compare --scores` take it."] if are_weighted else []),
        *(["Answers are 0 and 1: a mean is the share of 1, and a difference is one of shares."] if of_shares else []),
        *([_ON_MEANS] if any(each.given_by == MEANS for each in scores.scores) else []),
        *on_lopsided_intervals(means, has_scale=scores.scores[0].scale is not None),
        *note_on_uncertain_ends(scores.scores),
        *on_told_ends(scores),
        *on_wide_intervals(scores),
        *scores.notes,
        *scores.warnings,
    ]
    most = max((*scores.differences, *scores.scores), key=lambda each: each.shrinkage)
    if 0 < most.shrinkage < 1:
        lines.append(
            f"narrower: by which share the estimates narrow an interval; {most.shrinkage:.0%} is what about "
            f"{more_ratings(most.shrinkage):.0%} more rated outputs would bring."
        )
    by_t = [each for each in scores.differences if each.watched is None and each.shares is None]
    few = any(each.mean.is_known and smaller_sample(each) < FEW_ITEMS for each in by_t)
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
    lines += _on_borrowed(by_t)
    if are_many(scores.differences):
        of = f"by MQM with error weights {mqm_weights}, " if mqm_weights else ""
        of = "of the shares rated 1, " if of_shares else of
        told = partial(sentence_on_all, scores.differences_by_mean, criterion, of=of, estimated=estimated)
        lines += [ON_LETTERS] if scores.are_of_all_pairs else []
        lines += filter(None, [scope_sentence(scores.differences), *on_these_raters(scores.differences)])
        lines += [*reasons_of(scores.differences), *power_of_many(scores.differences, drawn.n_all, find)]
        return [*lines, *for_paper_of_all(told, scores.differences, scores.unfinished, drawn)]
    lines += [ON_LETTERS] if scores.are_of_all_pairs else []
    for each in scores.differences:
        lines += difference_finding(each)
    lines += on_these_raters(scores.differences)
    for each in (each for each in scores.differences if each.watched is None):
        detectable = each.detectable()
        if 0 < detectable < math.inf and items_of_sample(each) > 1:
            lines += [on_power(each, detectable, drawn), *to_find(each, find)]
    figure = f"by MQM with error weights {mqm_weights}: mean difference" if mqm_weights else "mean difference"
    figure = "difference of the shares rated 1:" if of_shares else figure
    for each in having_sentences(scores.differences):
        told = partial(difference_sentence, each, criterion, figure=figure, estimated=estimated)
        lines.append(for_paper(told, scores.unfinished, drawn))
    return lines


def _on_borrowed(differences: Sequence[HumanDifference]) -> list[str]:
    """Say which differences over few items are not shown, and have a variance above their own, and of what it is.

    Args:
        differences: differences tested by Student's t.
    """
    unshown = [each for each in differences if each.mean.standard_error and not each.is_shown]
    few = [each for each in unshown if smaller_sample(each) < FEW_ITEMS]
    lines = []
    for source in (OF_OTHERS, OF_SCALE):
        raised = [f"{each.system} less {each.baseline}" for each in few if each.borrowed_from == source]
        if raised:
            told = listed(raised) if len(raised) <= _MOST_RAISED else f"{len(raised)} differences"
            lines.append(
                f"The variance of {told} borrows from {source}: the own one of a difference over few items is often "
                "too small, and p and intervals by it alone would be."
            )
    return lines


ON_MEANS = (
    "A pair that was judged in both orders is one win, tie or loss, by the mean of both answers; in a win rate this "
    "mean counts, which is 0.75 of a win and a tie, so that it need not be the share of wins."
)
"""The same of pairs of which both orders were judged, once by one rater."""
