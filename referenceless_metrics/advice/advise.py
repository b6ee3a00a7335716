"""From ratings of texts to advice: what to estimate further texts with, what to expect, and whether to rate more.

Shown as rows of a table, and as one self-contained HTML page.
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
from referenceless_metrics.advice.candidates import (
    FEWEST_FOR_QUALITY_ESTIMATION,
    Candidate,
    choose,
    pool_candidates,
    trained_candidate,
)
from referenceless_metrics.advice.look.proposals import FEWEST_TEXTS
from referenceless_metrics.assessment.agreement import SLOTTED, SYSTEMS, TEXTS
from referenceless_metrics.assessment.assessment import Assessment, assess, groupings_of, left_out_estimates
from referenceless_metrics.assessment.learning_curve import LearningCurve, learning_curve
from referenceless_metrics.assessment.meta_evaluation import Correlation
from referenceless_metrics.comparison.page import rating_measure, systems_page
from referenceless_metrics.comparison.segments import Measure
from referenceless_metrics.core.files.tables import RatedTexts
from referenceless_metrics.core.results import MetricResult
from referenceless_metrics.core.support.validation import Floats, InputError, Record
from referenceless_metrics.human_evaluation.studies.planning import plan_to_find
from referenceless_metrics.pages.charts import LARGE, scatters
from referenceless_metrics.pages.drawing import Drawing, Plot, drawing

_NONE_LEFT_OUT = "no estimate without its own rating"
_SOUGHT = 0.05  # a difference of two systems, as a share of the scale


@dataclass(frozen=True)
class Advice:
    """The metric that ratings allow, and what to expect of it.

    Attributes:
        texts: distinct texts, whose ratings are averaged.
        ratings: theirs, shape (n,).
        groups: the name of each one's system, or group; None if neither is known.
        candidates: what was compared.
        assessments: what the estimates of each candidate are worth.
        chosen: the best.
        metric: the best, trained on all ratings; it carries the verdict.
        assessment: what its estimates are worth: its own, or where parts of the texts choose otherwise and that gives a
            lower ρ, those of the choice. No more than what was measured of it is promised.
        curve: what half of the ratings would give.
        estimates: what the best says of each text where it was left out, shape (n,).
        findings: all this in words, the verdict first.
    """

    texts: tuple[str, ...]
    ratings: Floats
    groups: list[str] | None
    candidates: tuple[Candidate, ...]
    assessments: tuple[Assessment, ...]
    chosen: Candidate
    metric: Any
    assessment: Assessment
    curve: LearningCurve
    estimates: Floats
    findings: tuple[str, ...] = ()

    def _repr_html_(self) -> str:
        """Return what a notebook shows: the findings, escaped, the verdict first."""
        return "".join(f"<p>{escape(finding)}</p>" for finding in self.findings)

    def plot(self) -> Drawing:
        """Draw the estimates of texts left out against their ratings; a notebook shows it, and its `save` writes it."""
        (chart,) = scatters([self.estimates], [self.ratings], frame=LARGE)
        return drawing([Plot(self.chosen.name, chart, "estimate, each text left out", "rating", place=0)])

    @property
    def expected(self) -> Correlation:
        """The rank correlation to expect, by the strictest way of leaving texts out."""
        return self.assessment.expected.corrected

    @property
    def verdict(self) -> str:
        """One of `agreement.VERDICTS`: what every other command says of the metric, too."""
        return self.assessment.verdict.verdict


def advise(rated: RatedTexts, *, quality_estimator: bool = True, seed: int = 12345) -> Advice:
    """Say what ratings allow.

    Args:
        rated: texts with ratings; with their systems, systems without ratings are looked at too, and with their
            sources, texts that are new once the sources' values are placeholders.
        quality_estimator: whether to compare the trained estimator too, which takes most of the time.
        seed: of the folds among which the choice is made.

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
    sources = _of_texts(rated, rated.sources, texts)
    groupings, candidates = groupings_of(rated, texts), pool_candidates(texts, ratings)
    has_words = all(text.strip() for text in texts)
    if has_words and (sources is not None or (quality_estimator and len(texts) >= FEWEST_FOR_QUALITY_ESTIMATION)):
        trained, delexicalised = trained_candidate(texts, ratings, sources)
        if sources is not None:
            groupings = {SLOTTED: delexicalised, **groupings}
        if quality_estimator and len(texts) >= FEWEST_FOR_QUALITY_ESTIMATION:
            candidates.append(trained)
    left_out = [left_out_estimates(candidate.from_parts, ratings, groupings) for candidate in candidates]
    place, assessed = choose(left_out, ratings, groupings, seed)
    chosen = candidates[place]
    metric = chosen.make()
    *assessments, of_choice = (
        assess(estimates, texts, ratings, groupings=groupings, rated=rated) for estimates in (*left_out, assessed)
    )
    assessment = min(assessments[place], of_choice, key=lambda each: each.expected.corrected.value)
    if isinstance(metric, BLEUNeighbors):
        attach_calibration(metric, calibrate(metric, rated), assessment.verdict)
    else:
        metric.attach_verdict(assessment.verdict)
    names = rated.groupings.get(SYSTEMS) or next(iter(rated.groupings.values()), None)
    advice = Advice(
        texts=tuple(texts),
        ratings=ratings,
        groups=_of_texts(rated, names, texts),
        candidates=tuple(candidates),
        assessments=tuple(assessments),
        chosen=chosen,
        metric=metric,
        assessment=assessment,
        curve=learning_curve(chosen.from_parts, ratings, (round(len(texts) / 2), len(texts)), n_draws=chosen.n_draws),
        estimates=left_out[place][TEXTS],
    )
    return replace(advice, findings=tuple(_findings(advice, rated)))


def _of_texts(rated: RatedTexts, values: Sequence[Any] | None, texts: Sequence[str]) -> list[Any] | None:
    """Return the value of each distinct text; of several, the first."""
    of_text = {} if values is None else dict(zip(reversed(rated.texts), reversed(values), strict=True))
    return None if values is None else [of_text[text] for text in texts]


def _findings(advice: Advice, rated: RatedTexts) -> list[str]:
    assessment, rho = advice.assessment, advice.expected
    where = "outputs of a further system" if assessment.strictest == SYSTEMS else "further texts of the rated systems"
    summary, *others = assessment.findings()
    sentences = [
        f"{summary} Use {advice.chosen.name} ({advice.chosen.call}): expect ρ {rho.value:.2f} [{rho.low:.2f}, "
        f"{rho.high:.2f}] on {where}.",
        *others,
    ]
    alone = advice.assessments[advice.candidates.index(advice.chosen)].expected.corrected
    if alone != rho:
        sentences.append(
            "Parts of the texts do not agree which way is best, and the choice costs some ρ: with "
            f"{advice.chosen.name} in all of them it is {alone.value:.2f} [{alone.low:.2f}, {alone.high:.2f}], as "
            "`referenceless calibrate` shows."
        )
    n_empty = sum(not text.strip() for text in rated.texts)
    if n_empty:
        sentences.append(f"{n_empty} of the rated texts are empty, so the trained estimator was not tried.")
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


def advice_rows(advice: Advice) -> list[Record]:
    """Return one row per candidate: ρ on texts left out, and on systems and groups left out if these are known."""
    return [
        {
            "candidate": candidate.name,
            "chosen": "yes" if candidate is advice.chosen else "",
            **{
                "spearman" if left_out == TEXTS else f"spearman_of_{left_out.replace(' ', '_')}": agreed.corrected.value
                for left_out, agreed in assessment.agreements.items()
            },
            "coverage": assessment.agreements[TEXTS].coverage,
        }
        for candidate, assessment in zip(advice.candidates, advice.assessments, strict=True)
    ]


def advice_summary(advice: Advice) -> Record:
    """Return the figures and findings by name, for JSON."""
    return {
        "verdict": advice.verdict,
        "use": advice.chosen.name,
        "call": advice.chosen.call,
        "left_out": advice.assessment.strictest,
        "expected_spearman": advice.expected.value,
        "expected_low": advice.expected.low,
        "expected_high": advice.expected.high,
        "gain_of_last_doubling": advice.curve.gain,
        "n_texts": len(advice.texts),
        "n_ratings": advice.assessment.n_ratings,
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
    reasons = tuple(_NONE_LEFT_OUT if np.isnan(value) else None for value in advice.estimates)
    estimates = MetricResult(advice.estimates, reasons, advice.metric.signature)
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
        folder=folder,
    )
