"""Fluency beside the metrics that learn from ratings: it needs none, so that they are worth their ratings above it."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from referenceless_metrics.assessment.agreement import LEFT_OUT, SYSTEMS, TEXTS, Agreement, agreement
from referenceless_metrics.assessment.meta_evaluation import Correlation
from referenceless_metrics.core.support.validation import Floats, Integers
from slor_metric.fluency.metric import Fluency


@dataclass(frozen=True)
class Untrained:
    """A metric that learns nothing from ratings, compared with them.

    Attributes:
        name: its name in tables.
        title: a description.
        agreements: agreements of its values with the ratings, by the units that are left out of metrics that learn:
            within systems for systems, over all texts for others.
    """

    name: str
    title: str
    agreements: Mapping[str, Agreement]

    @property
    def is_shown(self) -> bool:
        """Whether its values are shown to rank these texts as people do, within systems too if these are known."""
        within = self.agreements.get(SYSTEMS)
        return self.agreements[TEXTS].spearman.low > 0 and (within is None or within.corrected.low > 0)

    def is_no_worse_than(self, expected: Correlation) -> bool:
        """Whether it ranks these texts at least as well as a metric that learns, by the same way of leaving out.

        Args:
            expected: the rank correlation to expect of the metric that learns; within systems if these are known.
        """
        within = self.agreements.get(SYSTEMS)
        own = self.agreements[TEXTS].spearman if within is None else within.corrected
        return self.is_shown and own.value >= expected.value

    @property
    def finding(self) -> str:
        """The agreement, in a sentence."""
        agreed = self.agreements[TEXTS]
        rho = agreed.spearman
        if not agreed.coverage > 0:
            return "Fluency, which needs no ratings, gives none of these texts a score."
        if math.isnan(rho.value):
            share = f"{agreed.coverage:.1%} of these texts"
            return f"Fluency, which needs no ratings, gives {share} a score: too few to hold against the ratings."
        within = self.agreements.get(SYSTEMS)
        inside = (
            ""
            if within is None or math.isnan(within.corrected.value)
            else f", {within.corrected.value:.2f} as the mean of each system's own ρ (by Fisher's z)"
        )
        found = f"ρ {rho.value:.2f} [{rho.low:.2f}, {rho.high:.2f} by Fisher's transformation] with these{inside}"
        return (
            f"For comparison: Fluency, which needs no ratings, has {found}. It says how acceptable sentences are, "
            "whatever the raters were asked, in a unit of its own."
        )


def fluency_beside(texts: Sequence[str], ratings: Floats, groupings: Mapping[str, Integers]) -> Untrained:
    """Return Fluency with its agreement with ratings.

    Args:
        texts: n distinct texts.
        ratings: the mean rating of each, shape (n,).
        groupings: the number of each text's group for each unit that is left out of metrics that learn, shape (n,).
    """
    values = Fluency().predict(texts).values
    baseline = float(ratings.mean())
    over_all = agreement(values, ratings, texts, baseline=baseline)
    agreements = {left_out: over_all for left_out in LEFT_OUT if left_out == TEXTS or left_out in groupings}
    if SYSTEMS in groupings:
        agreements[SYSTEMS] = agreement(values, ratings, texts, baseline=baseline, systems=groupings[SYSTEMS])
    return Untrained(
        "Fluency (no ratings)",
        "how acceptable a text's sentences are by language models; no rating is used",
        agreements,
    )
