"""Are differences found four times in five, as `sample` and `advise` plan and `human-score` reports?"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np

from referenceless_metrics.core.support.validation import Floats
from referenceless_metrics.human_evaluation.inference.crossed import FEWEST_RATERS, Crossed, crossed
from referenceless_metrics.human_evaluation.inference.estimated_means import POWER, Inference
from referenceless_metrics.human_evaluation.studies.planning import Plan, VarianceComponents, variance_components
from referenceless_papers.study_designs.simulation import Array, Codes, drawn_ratings, steadied

_MIDDLE = 0.7  # part of the scale in which drawn ratings lie
_DESIGNS = 40
_NAMED = 200  # draws whose smallest difference is looked at


@dataclass(frozen=True)
class PlannedCell:
    """Findings of planned studies of two systems.

    Attributes:
        ratings: the drawn ratings, in words.
        n_items: items of a study.
        n_raters: raters in all.
        overlap: number of raters of each item.
        width: mean ratio of the planned interval's width to that of the intervals found.
        planned: the share of studies that show the difference which was planned to be found in `POWER` of them.
        named: the same of the difference that another such study says it finds; of fewer than five raters, by them.
    """

    ratings: str
    n_items: int
    n_raters: int
    overlap: int
    width: float
    planned: float
    named: float


def drawn_cell(
    name: str, components: VarianceComponents, design: tuple[int, int, int], *, points: int, n_draws: int, seed: int
) -> PlannedCell:
    """Draw studies from variance components, on a scale of so many points from 0 to 1, and plan with their components.

    Args:
        name: name of the components.
        components: components of ratings before they are rounded.
        design: items, raters, and number of raters of each item.
        points: number of points of the scale; 0 leaves ratings as they are.
        n_draws: studies.
        seed: seed of the draws.
    """
    generator = np.random.default_rng(seed)

    def rounded(ratings: Array) -> Array:
        steps = points - 1
        return np.round(np.clip(ratings + _MIDDLE, 0, 1) * steps) / steps if points else ratings

    def drawn(n_items: int, n_raters: int, overlap: int, draws: int) -> tuple[Codes, Codes, list[Array], list[Array]]:
        # As `sample` does: each rater gets as many items as the others. The overlap divides the raters' number.
        rounds = -(-n_items * overlap // n_raters)
        items: Codes = np.repeat(np.arange(n_items), overlap)
        raters: Codes = np.concatenate([generator.permutation(n_raters) for _ in range(rounds)])[: len(items)]
        ratings, views = drawn_ratings(generator, components, items, raters, draws)
        return items, raters, [rounded(each) for each in ratings], views

    of_scale = components
    if points:
        items, raters, ratings, _ = drawn(4000, 500, 5, 1)
        systems = np.repeat(range(len(ratings)), len(items)).tolist()
        every = [np.tile(codes, len(ratings)).tolist() for codes in (items, raters)]
        of_scale = variance_components(every[0], systems, every[1], np.concatenate(ratings).ravel())
    plan = Plan(of_scale, *design, scale_width=1.0)
    studies, truths = [], []
    for _ in range(_DESIGNS):
        items, raters, ratings, views = drawn(*design, n_draws // _DESIGNS)
        weights = np.full(len(items), 1 / len(items))
        studies.append(crossed(ratings[1] - ratings[0], weights, items, raters))
        truths.append(weights @ (views[1] - views[0]))
    return _cell(name, plan, studies, 0.0, np.concatenate(truths) if design[1] < FEWEST_RATERS else 0.0)


def resampled_cells(
    name: str,
    pairs: Mapping[tuple[int, int], Floats],
    n_items: int,
    scale_width: float | None,
    *,
    draws: int,
    seed: int,
) -> list[PlannedCell]:
    """Resample the items of real pairs of judgements, by one rater each, and plan with their variance."""
    generator, cells = np.random.default_rng(seed), []
    for rows in pairs.values():
        first = np.unique(rows[:, 0], return_index=True)[1]
        if len(first) < max(n_items, 10):
            continue
        differences = rows[first, 3] - rows[first, 2]
        components = VarianceComponents(0.0, 0.0, 0.0, 0.0, 0.0, float(differences.var()) / 2)
        plan = Plan(components, n_items, 1, 1, scale_width=scale_width)
        resampled = differences[generator.integers(0, len(first), (n_items, draws))]
        study = crossed(resampled, np.full(n_items, 1 / n_items), np.arange(n_items))
        cells.append(_cell(name, plan, [study], *[float(differences.mean())] * 2))
    return cells


def mean_cell(cells: Sequence[PlannedCell]) -> PlannedCell:
    """Return the mean over pairs of systems."""
    first = cells[0]
    means = [float(np.mean([getattr(each, name) for each in cells])) for name in ("width", "planned", "named")]
    return PlannedCell(f"{first.ratings} ({len(cells)} pairs)", first.n_items, 1, 1, *means)


def _cell(name: str, plan: Plan, studies: Sequence[Crossed], truth: float, of_raters: Array | float) -> PlannedCell:
    """Return the findings of studies on people's difference, and on that of the raters who are spoken of."""
    general = plan.n_raters >= FEWEST_RATERS
    said = [steadied([each], plan.n_items, plan.scale_width)[0][0 if general else 1] for each in studies]
    # A study in which nothing varied finds nothing.
    reaches = np.concatenate([np.where(each.standard_error > 0, each.width() / 2, np.inf) for each in said])
    values = np.concatenate([each.value for each in said])

    def power(difference: float, truth: Array | float) -> float:
        return float((values - truth + difference > reaches).mean())

    least, most = 0.0, 100 * plan.inference(all_raters=general).standard_error
    for _ in range(40):
        middle = (least + most) / 2
        least, most = (least, middle) if plan.power(middle, all_raters=general) >= POWER else (middle, most)
    errors, freedoms = (
        np.concatenate([np.broadcast_to(getattr(each, of), each.value.shape) for each in said])
        for of in ("standard_error", "degrees_of_freedom")
    )
    named = [
        power(Inference(0.0, *of, 0.0).detectable(), of_raters)
        for of in list(zip(errors, freedoms, strict=True))[:_NAMED]
    ]
    planned, varied = plan.inference(all_raters=general), reaches[np.isfinite(reaches)]
    of = plan.n_items, plan.n_raters, plan.overlap
    return PlannedCell(name, *of, planned.width() / 2 / float(varied.mean()), power(most, truth), float(np.mean(named)))
