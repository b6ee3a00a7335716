"""The caption of a table of differences or win rates, and the note below it."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING

from referenceless_metrics.core.support.installation import project_version
from referenceless_metrics.human_evaluation.inference.human_score import Contrast, HumanDifference, HumanScores
from referenceless_metrics.human_evaluation.inference.preferences import PREFERENCE_TEST
from referenceless_metrics.human_evaluation.wording.contrast_phrases import (
    PAIRED,
    in_clusters,
    looks_of,
    on_all_items,
    test_phrase,
)
from referenceless_metrics.human_evaluation.wording.drawn import NO_ESTIMATES, Estimated
from referenceless_metrics.human_evaluation.wording.holm_level import holm_sentence, percent
from referenceless_metrics.human_evaluation.wording.on_means import on_order
from referenceless_metrics.human_evaluation.wording.phrases import count
from referenceless_metrics.human_evaluation.wording.whose_findings import (
    number_of_raters,
    on_these_raters,
    scope_sentence,
)

if TYPE_CHECKING:
    pass


OF_OUTPUTS = "over the rated outputs, of the mean of each one's ratings"
"""Meaning of a mean in which all outputs count alike."""

OF_WEIGHTED = "of the ratings, weighted so that raters who gave many do not decide alone (generalised least squares)"
"""Meaning of a mean if raters gave unequal numbers of ratings."""

_OF_PAIRS = "over the items rated of both, of the mean difference of each one's pairs of ratings"
"""Meaning of a difference in which all items count alike."""

ON_LETTERS = "letters: of systems that share a letter no two are shown to differ."
"""Meaning of the letters of systems, of which all pairs are compared."""


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
    basis = [f"{what}{on_all_items(contrasts)}{in_clusters(n_clusters)}{by} with {percent(level)} intervals{allowing}."]
    ways = list(dict.fromkeys(PAIRED[each.paired] for each in differences))
    test = f"Differences: {' or '.join(ways)}, p {test_phrase(differences)}" if ways else f"p: {PREFERENCE_TEST}"
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
    parts += [looks.signature for looks in looks_of(differences)]
    return [*note, f"Signature: {'|'.join([*parts, f'version:{project_version()}'])}."]


def _on_means(scores: Mapping[str, HumanScores]) -> list[str]:
    """Say what means are of, and which plain means stand in another order, for the note below a table.

    Args:
        scores: the scores by criterion.
    """
    every = [each for of_criterion in scores.values() for each in (*of_criterion.scores, *of_criterion.differences)]
    if not any(each.is_weighted for each in every):
        return [f"Means are {OF_OUTPUTS}."]
    orders = [
        f"{criterion}: {line}" if criterion else line
        for criterion, of_criterion in scores.items()
        for line in on_order(of_criterion)
    ]
    return [
        f"Means are {OF_WEIGHTED}, each mean and each difference by itself, so that a difference need not be that of "
        f"the two means; plain means are {OF_OUTPUTS}.",
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


def _scales_text(scales: Mapping[str, tuple[float, float] | None]) -> str:
    """Return the ends of the scale as a signature has them; those of each criterion if they differ."""
    texts = {name: "none" if ends is None else f"{ends[0]:g}-{ends[1]:g}" for name, ends in scales.items()}
    if len(set(texts.values())) < 2:
        return next(iter(texts.values()), "none")
    return "+".join(f"{name}={text}" for name, text in texts.items())
