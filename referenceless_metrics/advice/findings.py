"""The sentences that an advice gives to its reader."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING

from referenceless_metrics.assessment.agreement import SYSTEMS, TEXTS, UNPROVEN
from referenceless_metrics.assessment.further_system import HELD
from referenceless_metrics.core.files.tables import RatedTexts
from referenceless_metrics.human_evaluation.studies.planning import plan_to_find

if TYPE_CHECKING:
    from referenceless_metrics.advice.advise import Advice

_SOUGHT = 0.05
"""Difference of two systems for which a study is planned, as a share of the scale."""


def findings_of(advice: Advice, rated: RatedTexts, n_empty: int) -> list[str]:
    """Return the sentences about an advice, the verdict first.

    Args:
        advice: the advice.
        rated: the rated texts that it is of.
        n_empty: the number of empty texts, which were left out.
    """
    assessment = advice.assessment
    rho = advice.expected
    where = "outputs of a further system" if assessment.strictest == SYSTEMS else "further texts of the rated systems"
    summary, *others = assessment.findings()
    expected = f"expect ρ {rho.value:.2f} [{rho.low:.2f}, {rho.high:.2f}] on {where}"
    if assessment.strictest == SYSTEMS:
        expected += f" (in simulations, such 95% bounds held the measured ρ of {HELD} of further systems)"
    if math.isnan(rho.value):
        expected = f"no ρ can be told on {where}"
    use = f"Use {advice.chosen.name}, `{advice.chosen.call}`"
    if advice.verdict in UNPROVEN:
        left_out = list(assessment.agreements)[-1]  # by which `choose` chooses
        use = (
            f"Of the ways to learn from these ratings, {advice.chosen.name}, `{advice.chosen.call}`, came first by "
            f"rank correlation with {left_out} left out"
        )
    sentences = [f"{summary} {use}: {expected}.", *others]
    if advice.verdict in UNPROVEN and assessment.strictest == SYSTEMS:
        sentences.insert(
            1,
            "That is of outputs of further systems: what is useful for further outputs of the rated systems is asked "
            "without the column of systems (leave out --system-column).",
        )
    if advice.untrained is not None:
        if advice.verdict in UNPROVEN and advice.untrained.is_shown:
            own = advice.untrained.agreements[TEXTS].spearman.value
            sentences.insert(1, f"Take Fluency in its place, which needs no ratings: ρ {own:.2f} with these.")
        elif advice.untrained.is_no_worse_than(rho):
            sentences.insert(
                1,
                "Fluency, which needs no ratings, ranks these texts at least as well: that learning from ratings adds "
                "to it is not shown.",
            )
        sentences.append(advice.untrained.finding)
    alone = advice.assessments[advice.candidates.index(advice.chosen)].expected.corrected
    if alone != rho:
        sentences.append(
            "Parts of the texts do not agree which way is best, and the choice costs some ρ: with "
            f"{advice.chosen.name} in all of them it is {alone.value:.2f} [{alone.low:.2f}, {alone.high:.2f}], as "
            "`referenceless calibrate` shows."
        )
    if n_empty:
        is_left_out = "text is empty and was" if n_empty == 1 else "texts are empty and were"
        sentences.append(f"{n_empty} rated {is_left_out} left out.")
    if len(advice.texts) < len(rated):
        sentences.append(
            f"{len(rated)} ratings are of {len(advice.texts)} distinct texts: equal texts count once, with their mean, "
            "and are left out together."
        )
    return [
        *sentences,
        *advice.curve.findings,
        "A mean of estimates is no finding about people: to say how they rate a system, rate some of its outputs and "
        f"use `referenceless human-score`. Against another system, {plan_to_find(_SOUGHT)}.",
    ]
