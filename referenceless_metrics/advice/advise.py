"""The advice that ratings of texts give: a metric, the agreement to expect of it, and whether to rate more."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
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
from referenceless_metrics.advice.findings import findings_of
from referenceless_metrics.advice.look.lines.on_ratings import FEWEST_TEXTS
from referenceless_metrics.advice.untrained import Untrained, fluency_beside
from referenceless_metrics.assessment.agreement import SLOTTED, SYSTEMS, TEXTS, Verdict
from referenceless_metrics.assessment.assessment import (
    Assessment,
    assess,
    groupings_of,
    left_out_estimates,
)
from referenceless_metrics.assessment.learning_curve import LearningCurve, learning_curve
from referenceless_metrics.assessment.meta_evaluation import Correlation
from referenceless_metrics.assessment.ordered_systems import ordered_systems_findings
from referenceless_metrics.core.files.tables import RatedTexts
from referenceless_metrics.core.support.validation import Floats, InputError, Integers
from referenceless_metrics.pages.charts import LARGE, scatters
from referenceless_metrics.pages.drawing import Drawing, Plot, drawing


@dataclass(frozen=True)
class Advice:
    """The metric that ratings allow, and the agreement to expect of it.

    Attributes:
        texts: n distinct texts.
        ratings: the mean rating of each, shape (n,).
        groups: the system of each text, or its group; None if neither is known.
        candidates: the ways to estimate ratings that were compared.
        assessments: the worth of each candidate's estimates.
        chosen: the best candidate.
        metric: the chosen metric, trained on all ratings; it carries the verdict.
        assessment: the worth of the chosen candidate's estimates, or of the whole choice if that has a lower ρ: the
            advice promises no more than was measured.
        curve: the correlation to expect with half of the ratings, and with all.
        estimates: the chosen candidate's estimate of each text, made without its own rating, shape (n,).
        findings: all this in sentences, the verdict first.
        untrained: Fluency, which learns nothing, compared with the ratings; None if it is left out.
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
    untrained: Untrained | None = None

    def _repr_html_(self) -> str:
        """Return the findings as HTML, for a notebook."""
        return "".join(f"<p>{escape(finding)}</p>" for finding in self.findings)

    def plot(self) -> Drawing:
        """Draw the estimates of the rated texts against their ratings."""
        (chart,) = scatters([self.estimates], [self.ratings], frame=LARGE)
        return drawing([Plot(self.chosen.name, chart, "estimate, each text left out", "rating", place=0)])

    @property
    def expected(self) -> Correlation:
        """The rank correlation to expect on new texts, by the strictest way of leaving texts out."""
        return self.assessment.expected.corrected

    @property
    def verdict(self) -> str:
        """One of `agreement.VERDICTS`. Every other command gives the metric the same verdict."""
        return self.assessment.verdict.verdict


def advise(rated: RatedTexts, *, quality_estimator: bool = True, fluency: bool = True, seed: int = 12345) -> Advice:
    """Compare the ways to estimate ratings on these ratings, and choose the best. Empty texts are left out.

    Args:
        rated: texts with ratings. If their systems are known, the estimates are tested on systems without ratings,
            too; if their sources are known, on texts whose sources have other values.
        quality_estimator: whether to compare the trained estimator, which takes most of the time.
        fluency: whether to show Fluency beside them, which needs no ratings.
        seed: the seed of the folds among which the choice is made.

    Raises:
        InputError: for fewer than 20 distinct texts, ratings that are all alike, one group only, or a system of one
            text.
    """
    all_rated = rated
    rated = _without_empty_texts(all_rated)
    texts, ratings = _distinct_texts(rated)
    candidates, groupings = _compared(rated, texts, ratings, quality_estimator=quality_estimator)
    left_out = [left_out_estimates(candidate.from_parts, ratings, groupings) for candidate in candidates]
    place, of_choice = choose(left_out, ratings, groupings, seed)
    assessments = [assess(each, texts, ratings, groupings=groupings, rated=rated) for each in left_out]
    assessment_of_choice = assess(of_choice, texts, ratings, groupings=groupings, rated=rated)
    assessment = min(assessments[place], assessment_of_choice, key=_expected_correlation)
    chosen = candidates[place]
    sizes = (round(len(texts) / 2), len(texts))
    advice = Advice(
        texts=tuple(texts),
        ratings=ratings,
        groups=_systems_or_groups(rated, texts),
        candidates=tuple(candidates),
        assessments=tuple(assessments),
        chosen=chosen,
        metric=_with_verdict(chosen.make(), rated, assessment.verdict),
        assessment=assessment,
        curve=learning_curve(chosen.from_parts, ratings, sizes, n_draws=chosen.n_draws),
        estimates=left_out[place][TEXTS],
        untrained=fluency_beside(texts, ratings, groupings) if fluency else None,
    )
    ordered = ordered_systems_findings(left_out[place], ratings, groupings, by=chosen.name)
    findings = [*findings_of(advice, rated, len(all_rated) - len(rated)), *ordered]
    return replace(advice, findings=tuple(findings))


def _without_empty_texts(rated: RatedTexts) -> RatedTexts:
    """Return the rated texts that hold anything: nothing can be learned from an empty one, or told of it."""
    kept = [place for place, text in enumerate(rated.texts) if text.strip()]
    if len(kept) == len(rated):
        return rated
    return replace(
        rated,
        texts=[rated.texts[place] for place in kept],
        ratings=rated.ratings[kept],
        groupings={kind: tuple(names[place] for place in kept) for kind, names in rated.groupings.items()},
        sources=None if rated.sources is None else [rated.sources[place] for place in kept],
    )


def _distinct_texts(rated: RatedTexts) -> tuple[list[str], Floats]:
    """Return the distinct texts and their mean ratings, after checking that they allow any advice."""
    merged = rated_pool(rated.texts, rated.ratings)
    texts, ratings = list(merged.texts), merged.ratings
    if len(texts) < FEWEST_TEXTS:
        raise InputError(
            f"{len(texts)} distinct rated texts are too few to leave any out: rate at least {FEWEST_TEXTS}, and better "
            "a hundred"
        )
    if np.ptp(ratings) == 0:
        raise InputError(f"all ratings are {ratings[0]:g}: they hold no information about quality")
    return texts, ratings


def _compared(
    rated: RatedTexts, texts: list[str], ratings: Floats, *, quality_estimator: bool
) -> tuple[list[Candidate], Mapping[str, Integers]]:
    """Return the candidates, and the ways in which texts are left out together."""
    candidates = pool_candidates(texts, ratings)
    groupings: Mapping[str, Integers] = groupings_of(rated, texts)
    sources = _of_texts(rated, rated.sources, texts)
    is_tried = quality_estimator and len(texts) >= FEWEST_FOR_QUALITY_ESTIMATION
    if not (is_tried or sources is not None):
        return candidates, groupings
    trained, delexicalised = trained_candidate(texts, ratings, sources)
    if is_tried:
        candidates.append(trained)
    if sources is not None:
        groupings = {SLOTTED: delexicalised, **groupings}
    return candidates, groupings


def _expected_correlation(assessment: Assessment) -> float:
    return assessment.expected.corrected.value


def _with_verdict(metric: Any, rated: RatedTexts, verdict: Verdict) -> Any:
    """Return the metric with the verdict that it carries from now on."""
    if isinstance(metric, BLEUNeighbors):
        attach_calibration(metric, calibrate(metric, rated), verdict)
    else:
        metric.attach_verdict(verdict)
    return metric


def _systems_or_groups(rated: RatedTexts, texts: Sequence[str]) -> list[str] | None:
    """Return the system of each text; its group by the first grouping if systems are not known."""
    names = rated.groupings.get(SYSTEMS) or next(iter(rated.groupings.values()), None)
    return _of_texts(rated, names, texts)


def _of_texts(rated: RatedTexts, values: Sequence[Any] | None, texts: Sequence[str]) -> list[Any] | None:
    """Return the value of each distinct text; the first one if a text has several."""
    if values is None:
        return None
    of_text: dict[str, Any] = {}
    for text, value in zip(rated.texts, values, strict=True):
        of_text.setdefault(text, value)
    return [of_text[text] for text in texts]
