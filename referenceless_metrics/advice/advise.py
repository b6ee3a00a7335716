"""From ratings of texts to advice: what to estimate further texts with, what to expect, and whether to rate more.

It is told as rows for a table, and as one HTML page that needs nothing but itself.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from html import escape
from typing import Any

import numpy as np

from bleu_neighbors_metric.estimator import BLEUNeighbors
from bleu_neighbors_metric.pool import rated_pool
from bleu_neighbors_metric.tuning.calibration import attach_calibration, calibrate
from metric_commons.assessment.agreement import NO_BETTER, Agreement, Verdict, verdict_from, worst
from metric_commons.assessment.folds import check_groups
from metric_commons.assessment.meta_evaluation import RaterCeiling, rater_ceiling
from metric_commons.files.tables import RatedTexts
from metric_commons.metric import verdict_of
from metric_commons.report.charts import scatters
from metric_commons.report.drawing import Drawing, Plot, drawing
from metric_commons.report.segments import Measure
from metric_commons.report.systems import rating_measure, systems_page
from metric_commons.results import MetricResult
from metric_commons.support.validation import Floats, InputError, Record
from metric_commons.systems.studies.planning import plan_to_find
from quality_estimation_metric.estimator import QualityEstimator
from referenceless_metrics.advice.measure import (
    Candidate,
    LeftOut,
    RepeatedFolds,
    assess,
    candidates,
    extrapolate_to_full_data,
    group_folds,
    leave_out,
    repeated_folds,
)

FEWEST_TEXTS = 20
"""Distinct rated texts below which there is no advice but to rate more."""

_SOUGHT = 0.05  # a difference of two systems, as a share of the scale
_NOTABLE = 0.05  # a difference of two correlations that is worth a sentence
_ENOUGH_REPEATED = 0.5  # further ratings of the same texts, for each text, to say how raters agree


@dataclass(frozen=True)
class Advice:
    """What ratings allow.

    Attributes:
        n_ratings: how many there are.
        texts: distinct texts, whose ratings are averaged.
        ratings: theirs, shape (n,).
        groups: the name of each one's group; None without.
        candidates: what was compared.
        left_out: the candidates on texts left out at random.
        by_group: on groups left out; None without groups.
        n_groups: 0 without.
        chosen: the name of the best.
        metric: the best, trained on all ratings.
        agreement: on texts left out, of what the other folds say is best (nested cross-validation).
        group_agreement: on groups left out; None without.
        expected: ρ to expect of the best on further texts like these, by nested cross-validation.
        interval: of it, 95 %.
        expected_of_groups: ρ to expect on groups (systems, topics) without ratings; NaN where not known.
        gain: by how much ρ may grow with twice the ratings.
        ceiling: what the raters' disagreement allows; None where not known.
        judged: what the metric's estimates are worth, as the metric carries it.
        warns: whether the expected ρ is no promise (see `RepeatedFolds.warns`).
        outputs: estimates of the outputs; None for none.
        n_outputs_rated: how many outputs are among the rated texts.
        findings: all this in words, the verdict first.
    """

    n_ratings: int
    texts: tuple[str, ...]
    ratings: Floats
    groups: tuple[str, ...] | None
    candidates: tuple[Candidate, ...]
    left_out: RepeatedFolds
    by_group: LeftOut | None
    n_groups: int
    chosen: Candidate
    metric: Any
    agreement: Agreement
    group_agreement: Agreement | None
    expected: float
    interval: tuple[float, float]
    expected_of_groups: float
    gain: float
    ceiling: RaterCeiling | None
    judged: Verdict
    warns: bool
    outputs: MetricResult | None = None
    n_outputs_rated: int = 0
    findings: tuple[str, ...] = ()

    def _repr_html_(self) -> str:
        """Return what a notebook shows: the findings, escaped, the verdict first."""
        return "".join(f"<p>{escape(finding)}</p>" for finding in self.findings)

    def plot(self) -> Drawing:
        """Draw the estimates of texts left out against their ratings; a notebook shows it, and its `save` writes it."""
        (chart,) = scatters([self.ratings], [self.estimates], identity=True)
        plot = Plot(self.chosen.name, chart, "rating", "estimate", place=0)
        return drawing([plot], f"Estimates of {self.n_texts} texts, each left out, against their ratings")

    @property
    def n_texts(self) -> int:
        """How many distinct texts there are."""
        return len(self.texts)

    @property
    def estimates(self) -> Floats:
        """What the best says of each text where it was left out, shape (n,)."""
        return np.asarray(self.left_out.each[0].estimates[self.candidates.index(self.chosen)])

    @property
    def verdict(self) -> str:
        """`useful`, `weak` or `no better than the mean`: what every other command says of the metric, too."""
        return self.judged.verdict


def advise(
    rated: RatedTexts, outputs: Sequence[str] | None = None, *, quality_estimator: bool = True, seed: int = 12345
) -> Advice:
    """Say what ratings allow.

    Args:
        rated: texts with ratings; with groups, such as systems, unseen groups are looked at too.
        outputs: texts to estimate.
        quality_estimator: whether to compare the trained estimator too, which takes most of the time.
        seed: of the folds.

    Raises:
        InputError: for fewer than 20 distinct texts, ratings that are all alike, one group only, or a group of one
            text.
    """
    merged = rated_pool(rated.texts, rated.ratings)
    texts, ratings = list(merged.texts), merged.ratings
    if len(texts) < FEWEST_TEXTS:
        raise InputError(
            f"{len(texts)} distinct rated texts are too few to leave any out: rate at least {FEWEST_TEXTS}, and better "
            "a hundred"
        )
    if np.ptp(ratings) == 0:
        raise InputError(f"all ratings are {ratings[0]:g}: they hold no information about quality")
    # A text in several groups counts for the first.
    of_text = dict(zip(rated.texts[::-1], (rated.groups or ())[::-1], strict=False))
    names = tuple(str(of_text[text]) for text in texts) if of_text else None
    groups = None if names is None else check_groups(names)
    compared = candidates(texts, ratings, quality_estimator=quality_estimator)
    folds = repeated_folds(len(texts), seed)
    left_out = RepeatedFolds(tuple(leave_out(compared, texts, ratings, fold) for fold in folds))
    best = int(left_out.means.argmax())
    chosen = compared[best]
    half = RepeatedFolds(tuple(leave_out([chosen], texts, ratings, fold, share=0.5, seed=seed) for fold in folds))
    by_group = None if groups is None else leave_out(compared, texts, ratings, group_folds(groups, seed))
    metric = chosen.make(texts, ratings)
    if isinstance(metric, BLEUNeighbors):
        attach_calibration(metric, calibrate(metric, rated))
    gain = max(0.0, float(left_out.means[best] - half.means[0]))
    expected = extrapolate_to_full_data(left_out.nested_cv_score, gain, int(folds[0].max()) + 1)
    interval = left_out.interval(expected)
    first = left_out.each[0]
    agreed = assess(first.nested_estimates, first.training_means, texts, ratings)
    of_groups = None
    if by_group is not None:
        of_groups = assess(by_group.estimates[best], by_group.training_means, texts, ratings)
    known = set(texts)
    advice = Advice(
        n_ratings=len(rated.texts),
        texts=tuple(texts),
        ratings=ratings,
        groups=names,
        candidates=tuple(compared),
        left_out=left_out,
        by_group=by_group,
        n_groups=0 if groups is None else int(groups.max()) + 1,
        chosen=chosen,
        metric=metric,
        agreement=agreed,
        group_agreement=of_groups,
        expected=expected,
        interval=interval,
        expected_of_groups=np.nan if by_group is None else float(by_group.means[best]),
        gain=gain,
        ceiling=rater_ceiling(rated.texts, rated.ratings),
        judged=_judge(metric, agreed, of_groups, left_out.warns),
        warns=left_out.warns,
        outputs=None if outputs is None else metric.predict(outputs),
        n_outputs_rated=sum(text in known for text in outputs or ()),
    )
    return replace(advice, findings=tuple(_findings(advice, rated)))


def _judge(metric: Any, agreed: Agreement, of_groups: Agreement | None, warns: bool) -> Verdict:
    """Return the verdict on the metric, its own or a worse one of groups or the choice, and let the metric carry it."""
    own = verdict_of(metric) or verdict_from(agreed)
    if not isinstance(metric, BLEUNeighbors) and of_groups is not None:  # that one has looked at groups
        on_groups = verdict_from(of_groups, of_groups)
        own = on_groups if worst([on_groups.verdict, own.verdict]) == on_groups.verdict else own
    if warns and own.verdict != NO_BETTER:
        own = replace(own, reason="choice")
    if isinstance(metric, QualityEstimator):
        metric.attach_verdict(own)
    elif isinstance(metric, BLEUNeighbors) and metric.calibration is not None:
        metric.attach_calibration(replace(metric.calibration, reason=own.reason))
    return own


def _findings(advice: Advice, rated: RatedTexts) -> list[str]:
    low, high = advice.interval
    found = [
        f"{advice.judged.summary} Use {advice.chosen.name} ({advice.chosen.call}): expect ρ "
        f"{advice.expected:.2f} [{low:.2f}, {high:.2f}] on further texts like these."
    ]
    if advice.verdict == NO_BETTER:
        found.append("Do not report these estimates as quality.")
    elif not advice.agreement.mean_squared_error < advice.agreement.baseline_error:
        found.append("They order texts, and no more: as ratings, they err by no less than the mean rating does.")
    empty = sum(not text.strip() for text in rated.texts)
    if empty:
        found.append(f"{empty} of the rated texts are empty: leave them out, or the trained estimator is not tried.")
    if advice.n_texts < advice.n_ratings:
        found.append(
            f"{advice.n_ratings} ratings are of {advice.n_texts} distinct texts: equal texts count once, with their "
            "mean, and are never on both sides of a fold."
        )
    if advice.group_agreement is not None:
        found.append(
            f"On groups without ratings, each of the {advice.n_groups} left out in turn or with others: "
            f"{advice.group_agreement.verdict}, ρ {advice.expected_of_groups:.2f}. That is what to expect of a new "
            "system or topic: rate some of its texts before you rely on estimates of them."
        )
    length = advice.agreement.length.value
    if abs(length) >= max(0.2, advice.expected - _NOTABLE):
        found.append(f"The length of a text alone correlates with the ratings at ρ {length:.2f}.")
    repeated = advice.n_ratings - advice.n_texts
    if advice.ceiling is not None and advice.ceiling.reliability > 0 and repeated >= _ENOUGH_REPEATED * advice.n_texts:
        found.append(advice.ceiling.summary(advice.expected))
    found.append(
        f"Twice as many ratings may add about {advice.gain:.2f} to ρ."
        if advice.gain >= 0.01
        else "Twice as many ratings may add little: with half of these the figures are the same."
    )
    if advice.outputs is not None:
        found.extend(_of_outputs(advice, advice.outputs))
    return found


def _of_outputs(advice: Advice, outputs: MetricResult) -> list[str]:
    found = [
        f"The {len(outputs)} outputs have a mean estimate of {outputs.mean:.3f} at coverage {outputs.coverage:.2f}. "
        "That is no finding about people: to say how people rate the system, rate some of its outputs and use "
        f"`referenceless human-score`. Against another system, {plan_to_find(_SOUGHT)}."
    ]
    if outputs.coverage < advice.agreement.coverage - 0.1:
        found.append(
            "The outputs resemble the rated texts less than these do one another: the estimates are less sure."
        )
    if advice.n_outputs_rated:
        found.append(
            f"{advice.n_outputs_rated} of the outputs are among the rated texts: their estimates hold their ratings."
        )
    return found


def advice_rows(advice: Advice) -> list[Record]:
    """Return a row a candidate: ρ on texts left out, and on groups left out where there are any."""
    rows = []
    for place, candidate in enumerate(advice.candidates):
        row: Record = {
            "candidate": candidate.name,
            "chosen": "yes" if candidate is advice.chosen else "",
            "spearman": float(advice.left_out.means[place]),
        }
        if advice.by_group is not None:
            row["spearman_of_groups"] = float(advice.by_group.means[place])
        rows.append(row)
    return rows


def advice_summary(advice: Advice) -> Record:
    """Return the figures and findings by name, for JSON."""
    return {
        "verdict": advice.verdict,
        "use": advice.chosen.name,
        "call": advice.chosen.call,
        "expected_spearman": advice.expected,
        "expected_low": advice.interval[0],
        "expected_high": advice.interval[1],
        "expected_spearman_of_groups": advice.expected_of_groups,
        "gain_of_twice_the_ratings": advice.gain,
        "n_texts": advice.n_texts,
        "n_ratings": advice.n_ratings,
        "findings": list(advice.findings),
        "signature": advice.metric.signature,
    }


def render_page(advice: Advice, title: str, options: Sequence[str] = (), folder: str = "") -> str:
    """Return the page: verdict, table, findings, plots, the rated texts, and what to type next; it needs no network.

    Args:
        advice: what `advise` found.
        title: the heading.
        options: with which a command line names the saved metric, whose file lies beside the page; none where it is
            not saved.
        folder: of the page, for the command line to type next.
    """
    estimates = MetricResult(advice.estimates, (None,) * advice.n_texts, advice.metric.signature)
    measures = [
        Measure(advice.chosen.name.capitalize(), [estimates], advice.metric, explained=False),
        rating_measure([advice.ratings]),
    ]
    return systems_page(
        [("Rated texts, each left out", advice.texts)],
        measures,
        findings=advice.findings[1:],
        groups=advice.groups,
        options=options,
        title=title,
        package=__package__,
        template="advice.html.j2",
        advice=advice,
        rows=advice_rows(advice),
        titles={candidate.name: candidate.title for candidate in advice.candidates},
        folder=folder,
    )
