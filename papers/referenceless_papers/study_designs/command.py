"""The command `reproduce study-designs`: do `human-score`'s intervals hold, and what does pairing save?"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import asdict
from functools import lru_cache, partial
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from referenceless_metrics.core.support.installation import imported
from referenceless_metrics.core.support.validation import Floats, Record

if TYPE_CHECKING:
    from referenceless_papers.study_designs.choosing import Choice
    from referenceless_papers.study_designs.judgements import JudgedSet
    from referenceless_papers.study_designs.keeping import Keeping, Task
    from referenceless_papers.study_designs.planned import PlannedCell
    from referenceless_papers.study_designs.simulation import Cell

DESIGNS = (20, 5, 5), (50, 8, 8), (31, 24, 3), (181, 24, 3), (100, 10, 1), (50, 3, 3), (20, 2, 2), (100, 1, 1)
"""Planned studies: items, raters, and number of raters of each item."""

ITEMS, RATERS, RATED = (10, 20, 50, 100), (1, 2, 3), (20, 30, 60)
PREFERENCES = 10  # times as many studies, of planned ones too, since they are drawn fast

HELD = {
    "agreement": "referenceless_papers.study_designs.agreement:agreement_tasks",
    "unequal-raters": "referenceless_papers.study_designs.unequal_raters:unequal_rater_tasks",
    "left-out": "referenceless_papers.study_designs.left_out:left_out_tasks",
    "further-systems": "referenceless_papers.study_designs.left_out:further_system_tasks",
    "gates": "referenceless_papers.study_designs.gates:gate_tasks",
    "clusters": "referenceless_papers.study_designs.clusters:cluster_tasks",
    "criteria": "referenceless_papers.study_designs.several_criteria:criteria_tasks",
    "draws": "referenceless_papers.study_designs.draws:draw_tasks",
    "looks": "referenceless_papers.study_designs.looks:look_tasks",
}
"""Parts that count what held, by name, with the function that yields their tasks."""

PARTS = ("designs", "choices", "plans", *HELD)


@click.command(epilog="Example: referenceless reproduce study-designs --data-dir data --folder cells")
@click.option(
    "--data-dir", required=True, type=click.Path(), help="Folder that holds webnlg-2020/, e2e-ratings/ and fluency/."
)
@click.option("--draws", type=click.IntRange(min=20), default=2000, show_default=True, help="Studies of each kind.")
@click.option(
    "--part", "parts", type=click.Choice(PARTS), multiple=True, help="Part to draw; may be repeated  [default: all]"
)
@click.option("--seed", type=int, default=0, show_default=True, help="Of the draws.")
@click.option(
    "--folder",
    type=click.Path(file_okay=False),
    help="Folder that keeps each cell once it is drawn; what is there is not drawn again. Of one version of the code.",
)
@click.option(
    "--format", type=click.Choice(("markdown", "json")), default="markdown", show_default=True, help="Output format."
)
def study_designs(
    data_dir: str, draws: int, parts: tuple[str, ...], seed: int, folder: str | None, format: str
) -> None:
    """Draw rating studies whose truth is known, and count `human-score`'s 95 % intervals that hold.

    Studies of 5 systems are drawn from the variances that WebNLG 2020, the E2E challenge and Simplicity-DA have, of 10
    to 100 items by 1 to 3 raters each, paired and not; real judgements are resampled beside them. Real ratings, split
    at random into two equal systems, show the effect of choosing a metric after the ratings. The other parts test
    further statements with an interval or a test. With --folder a run that was broken off goes on.
    """
    import json

    from referenceless_papers.study_designs.keeping import Keeping

    keeping = Keeping(None if folder is None else Path(folder), draws, seed)
    cells: list[Any] = []
    tables = []
    for part in parts or PARTS:
        found, table = _part(part, data_dir, keeping)
        cells += found
        tables.append(table)
    click.echo(json.dumps([asdict(cell) for cell in cells], indent=2) if format == "json" else "\n\n".join(tables))


def _part(part: str, data_dir: str, keeping: Keeping) -> tuple[Sequence[Any], str]:
    """Return a part's cells, and its table."""
    from referenceless_papers.study_designs.choosing import Choice
    from referenceless_papers.study_designs.held import HeldCell, held_markdown
    from referenceless_papers.study_designs.planned import PlannedCell
    from referenceless_papers.study_designs.simulation import Cell

    kinds: dict[str, tuple[Any, type, Any]] = {
        "designs": (design_tasks, Cell, markdown),
        "choices": (choice_tasks, Choice, choices_markdown),
        "plans": (plan_tasks, PlannedCell, planned_markdown),
    }
    if part in HELD:
        kinds[part] = imported(HELD[part]), HeldCell, held_markdown
    tasks, kind, table = kinds[part]
    cells = list(keeping.cells(part, kind, tasks(data_dir, keeping.draws, keeping.seed)))
    return cells, table(cells)


def _judged_sets(data_dir: str) -> tuple[list[JudgedSet], list[JudgedSet]]:
    """Return the sets by whose variances studies are drawn, and those that are resampled alone."""
    from referenceless_papers.study_designs.judgements import e2e, simplicity, webnlg

    sets = [webnlg(data_dir, "fluency"), e2e(data_dir, "quality"), simplicity(data_dir)]
    return sets, [webnlg(data_dir, "correctness"), e2e(data_dir, "quality", ranks=True)]


def choice_tasks(data_dir: str, draws: int, seed: int) -> Iterator[Task]:
    """Yield tasks that count equal halves of real ratings that look different, by number of rated outputs."""
    for n_rated in RATED:
        yield partial(_choices, data_dir, n_rated, draws, seed)


def _choices(data_dir: str, n_rated: int, draws: int, seed: int) -> list[Choice]:
    from referenceless_papers.study_designs.choosing import choice

    return [choice(*_estimated(data_dir), n_rated, n_draws=draws, seed=seed)]


@lru_cache(maxsize=1)
def _estimated(data_dir: str) -> tuple[Floats, Floats]:
    """Return the ratings among which is chosen, and the estimates of several metrics; see `estimates_of`."""
    from referenceless_papers.public_table.rated_sets import READERS
    from referenceless_papers.study_designs.choosing import estimates_of

    rated = next(READERS["fluency"](Path(data_dir) / "fluency"))
    return rated.ratings, estimates_of(rated)


def design_tasks(data_dir: str, draws: int, seed: int) -> Iterator[Task]:
    """Yield tasks that count intervals that hold: studies by each set's variances, and its resampled judgements."""
    sets, further = _judged_sets(data_dir)
    for judged in sets:
        yield from drawn_tasks(judged, draws, seed)
        yield from real_tasks(judged, draws, seed)
    for judged in further:
        yield from real_tasks(judged, draws, seed)


def drawn_tasks(judged: JudgedSet, draws: int, seed: int) -> Iterator[Task]:
    """Yield tasks that count intervals that hold in each kind of study, drawn with a set's variances."""
    from referenceless_papers.study_designs import simulation

    raters = RATERS if judged.raters_known else (1,)
    each: Record = {"n_draws": draws, "seed": seed}

    def task(draw: Callable[..., Cell], *of: Any, **options: Any) -> Task:
        return lambda: [draw(judged, *of, **each | options)]

    for n_items in ITEMS:
        for n_raters in raters:
            yield task(simulation.paired_cell, n_items, n_raters, fixed=False)
            yield task(simulation.unpaired_cell, n_items, n_raters)
            yield task(simulation.preference_cell, n_items, n_raters, n_draws=PREFERENCES * draws)
    if judged.raters_known:
        yield task(simulation.paired_cell, 20, 5, fixed=True)
    if judged.components.rater_system > 0:
        for n_items in ITEMS[:2]:
            yield task(simulation.paired_cell, n_items, 1, fixed=False, few=True)


def real_tasks(judged: JudgedSet, draws: int, seed: int) -> Iterator[Task]:
    """Yield tasks that count intervals that hold if a set's own judgements are resampled, at the sizes that exist."""
    # A study of two systems without a scale borrows nothing: that is Student's t.
    for n_systems, scale_width in dict.fromkeys(
        [(2, None), (2, judged.scale_width), (3, None), (3, judged.scale_width)]
    ):
        for n_items in ITEMS:
            yield partial(_real, judged, n_items, n_systems, scale_width, draws, seed)


def _real(
    judged: JudgedSet, n_items: int, n_systems: int, scale_width: float | None, draws: int, seed: int
) -> list[Cell]:
    from referenceless_papers.study_designs.simulation import resampled_cell

    found = resampled_cell(
        judged.name,
        judged.pairs(),
        n_items,
        n_systems=n_systems,
        scale_width=scale_width,
        n_draws=draws,
        seed=seed,
    )
    return [] if found is None else [found]


def plan_tasks(data_dir: str, draws: int, seed: int) -> Iterator[Task]:
    """Yield tasks that count findings of planned studies: by WebNLG's variances, and by each set's judgements."""
    from referenceless_metrics.human_evaluation.inference.crossed import FEWEST_RATERS

    for points, scale in ((0, "any value"), (6, "6 points"), (2, "2 points")):
        for design in DESIGNS:
            if points == 0 or design[1] >= FEWEST_RATERS:
                name = f"WebNLG 2020, fluency, {scale}"
                yield partial(_planned, name, design, points, PREFERENCES * draws, seed)
    sets, further = _judged_sets(data_dir)
    for judged in (*sets, *further):
        for n_items in ITEMS[1:3]:
            yield partial(_planned_of_real, judged, n_items, draws, seed)


def _planned(name: str, design: tuple[int, int, int], points: int, draws: int, seed: int) -> list[PlannedCell]:
    from referenceless_metrics.human_evaluation.studies.planning import WEBNLG_RATINGS
    from referenceless_papers.study_designs.planned import drawn_cell

    return [drawn_cell(name, WEBNLG_RATINGS, design, points=points, n_draws=draws, seed=seed)]


def _planned_of_real(judged: JudgedSet, n_items: int, draws: int, seed: int) -> list[PlannedCell]:
    from referenceless_papers.study_designs.planned import mean_cell, resampled_cells

    name = f"{judged.name}, real"
    cells = resampled_cells(name, judged.pairs(), n_items, judged.scale_width, draws=draws, seed=seed)
    return [mean_cell(cells)] if cells else []


def planned_markdown(cells: Sequence[PlannedCell]) -> str:
    """Return the findings of planned studies, as a table."""
    heads = (
        "ratings",
        "items, raters, raters of each item",
        "planned interval, times as wide as those drawn",
        "shown: the difference planned for 80 %",
        "the difference that `human-score` names for 80 %",
    )
    rows = (
        (
            cell.ratings,
            f"{cell.n_items}, {cell.n_raters}, {cell.overlap}",
            f"{cell.width:.2f}",
            f"{cell.planned:.1%}",
            f"{cell.named:.1%}",
        )
        for cell in cells
    )
    return _table(heads, rows)


def markdown(cells: Sequence[Cell]) -> str:
    """Return the cells as a table."""
    heads = (
        "judgements",
        "design",
        "items × raters of each",
        "coverage of 95 % intervals (standard error), and of the worst pair",
        "times as wide as Student's t",
        "of these raters'",
        "a false difference of 5 systems: from the baseline, any pair",
        "narrower than independent samples, for these raters, and by Student's t",
    )
    rows = (
        (
            cell.judged,
            cell.design,
            f"{cell.n_items} × {cell.n_raters}",
            f"{cell.coverage:.1%} ({cell.error:.2%}), {cell.worst:.1%}",
            "" if math.isnan(cell.wider) else f"{cell.wider:.2f}",
            _shares(cell.these),
            _shares(cell.false_higher, cell.false_pairs),
            _shares(cell.narrower, cell.narrower_these, cell.by_design),
        )
        for cell in cells
    )
    return _table(heads, rows)


def choices_markdown(choices: Sequence[Choice]) -> str:
    """Return the shares of equal systems that look different, by the way a metric was chosen, as a table."""
    heads = (
        "rated outputs of each",
        "ratings alone",
        "a metric named before, the mean and the worst of five",
        "the best of five or none",
        "five as one",
    )
    rows = (
        (
            str(one.n_rated),
            f"{one.alone:.1%}",
            _shares(sum(one.named) / len(one.named), max(one.named)),
            f"{one.best:.1%}",
            f"{one.combined:.1%}",
        )
        for one in choices
    )
    return _table(heads, rows)


def _table(heads: Sequence[str], rows: Iterable[Sequence[str]]) -> str:
    lines = [f"| {' | '.join(cells)} |" for cells in (heads, *rows)]
    return "\n".join([lines[0], "|---" * len(heads) + "|", *lines[1:]])


def _shares(*values: float) -> str:
    known = [value for value in values if not math.isnan(value)]
    return ", ".join(f"{value:.1%}".replace("-", "−") for value in known)
