"""The simulation of rating studies holds its bars with fewer draws, and agrees with the results of `human-score`."""

from itertools import islice

import numpy as np
import pytest

from referenceless_metrics.human_evaluation.inference.human_score import human_scores
from referenceless_metrics.human_evaluation.inference.output_ratings import SystemRatings
from referenceless_metrics.human_evaluation.studies.planning import WEBNLG_RATINGS
from referenceless_papers.study_designs.agreement import agreement_tasks
from referenceless_papers.study_designs.choosing import choice
from referenceless_papers.study_designs.draws import draw_tasks
from referenceless_papers.study_designs.held import HeldCell, held, held_markdown
from referenceless_papers.study_designs.judgements import e2e, webnlg
from referenceless_papers.study_designs.keeping import Keeping
from referenceless_papers.study_designs.left_out import cell_of_systems, cell_of_texts, similarities
from referenceless_papers.study_designs.planned import drawn_cell, mean_cell, resampled_cells
from referenceless_papers.study_designs.several_criteria import (
    Criteria,
    criteria_tasks,
    drawn_ratings,
    p_of_comparisons,
)
from referenceless_papers.study_designs.simulation import paired_cell, preference_cell, resampled_cell, unpaired_cell

DRAWS = 400
#: The bars are those of `DRAWS` and more draws; the case of a few draws shows that a cell is measured.
long = pytest.mark.long


@long
def test_a_few_draws_are_measured(data_dir):
    judged = webnlg(data_dir("webnlg-2020").parent, "fluency")
    assert paired_cell(judged, 10, 3, fixed=False, n_draws=12, seed=1).coverage > 0.8
    assert unpaired_cell(judged, 10, 3, n_draws=12, seed=1).coverage > 0.8
    assert preference_cell(judged, 10, 3, n_draws=12, seed=1).coverage > 0.8
    assert 0.7 < drawn_cell("drawn", WEBNLG_RATINGS, (50, 3, 3), points=0, n_draws=100, seed=1).named < 0.9


@long
@pytest.mark.parametrize("n_items, n_raters", [(10, 3), (50, 1)])
def test_intervals_hold_and_false_differences_are_rare(data_dir, n_items, n_raters):
    judged = webnlg(data_dir("webnlg-2020").parent, "fluency")
    of = judged, n_items, n_raters
    cell = paired_cell(*of, fixed=False, n_draws=DRAWS, seed=1)
    assert 0.93 <= cell.coverage <= 0.985
    assert 0.93 <= cell.these <= 0.975
    assert cell.false_higher <= 0.085
    assert cell.narrower_these > 0.06
    assert 0.09 <= cell.by_design <= 0.2
    assert 0.93 <= unpaired_cell(*of, n_draws=DRAWS, seed=1).coverage <= 0.99
    assert 0.92 <= preference_cell(*of, n_draws=DRAWS, seed=1).coverage <= 0.995


@long
def test_outputs_rated_side_by_side_save_half_of_the_width(data_dir):
    judged = e2e(data_dir("e2e-ratings").parent, "quality")
    cell = paired_cell(judged, 20, 1, fixed=False, n_draws=DRAWS, seed=1)
    assert cell.narrower > 0.5
    real = resampled_cell(judged.name, judged.pairs(), 20, n_systems=3, scale_width=None, n_draws=200, seed=1)
    assert real.coverage >= 0.94
    assert real.wider <= 1.2
    assert real.narrower > 0.5
    assert np.isnan(real.false_higher)


@long
@pytest.mark.parametrize("design, points", [((50, 8, 8), 0), ((100, 10, 1), 6), ((50, 24, 1), 2), ((50, 3, 3), 0)])
def test_what_was_planned_is_found_four_times_in_five(design, points):
    cell = drawn_cell("drawn", WEBNLG_RATINGS, design, points=points, n_draws=4000, seed=1)
    assert 0.78 <= cell.planned <= 0.835
    assert 0.75 <= cell.named <= 0.85
    assert 0.97 <= cell.width <= 1.07


@long
def test_real_differences_are_found_as_planned(data_dir):
    judged = webnlg(data_dir("webnlg-2020").parent, "fluency")
    cell = mean_cell(resampled_cells(judged.name, judged.pairs(), 20, judged.scale_width, draws=200, seed=1))
    assert 0.78 <= cell.planned <= 0.83
    assert 0.77 <= cell.named <= 0.83


@long
def test_the_best_of_several_metrics_finds_more_and_below_30_rated_outputs_none_counts():
    generator = np.random.default_rng(0)
    ratings = generator.normal(size=200)
    estimates = np.stack([share * ratings + generator.normal(size=200) for share in (0.3, 0.5, 0.7)])
    few, enough = (choice(ratings, estimates, n_rated, n_draws=60) for n_rated in (20, 30))
    assert few.best == few.combined == few.alone
    assert few.named == (few.alone,) * 3
    assert enough.best > max(enough.alone, *enough.named)
    assert max(enough.alone, enough.combined) <= 0.1


@long
def test_agreement_s_intervals_hold_from_fifteen_items_on():
    cells = [cell for task in islice(agreement_tasks("", 150, 1), 1, 5) for cell in task()]
    assert {cell.what for cell in cells} >= {"alpha nominal", "fleiss kappa", "weighted kappa"}
    assert min(cell.share for cell in cells) >= 0.9
    assert np.mean([cell.share for cell in cells]) >= 0.93


def test_a_cell_is_judged_with_its_standard_error():
    cells = [held("an interval", "data", "10", [True] * n + [False] * (1000 - n)) for n in (950, 930, 900, 999)]
    assert [cell.verdict for cell in cells] == ["as said", "as said", "less often than said", "more often than said"]
    assert "90.0% (0.95%), 95.0%" in held_markdown(cells)


@long
def test_a_correlation_of_texts_left_out_and_of_a_further_system_hold(data_dir):
    folder = str(data_dir("usr").parent)
    known = similarities(folder, "usr", "overall")
    cells = [cell_of_texts(known, 50, shuffled, 150, np.random.default_rng(1)) for shuffled in (True, False)]
    assert min(cell.share for cell in cells) >= 0.92
    assert cell_of_systems(known, 5, 100, np.random.default_rng(1)).share >= 0.88


def test_cells_that_were_kept_are_not_drawn_again(tmp_path):
    def failing():
        raise AssertionError

    cell = held("an interval", "data", "10", [True] * 19 + [False])
    keeping = Keeping(tmp_path / "cells", draws=20, seed=0)
    broken_off = keeping.cells("part", HeldCell, [lambda: [cell], failing])
    assert str(next(broken_off)) == str(cell)
    with pytest.raises(AssertionError):
        next(broken_off)
    assert [path.name for path in (tmp_path / "cells").iterdir()] == ["part-000-20-0.json"]
    assert str(list(keeping.cells("part", HeldCell, [failing, lambda: [cell, cell]]))) == str([cell] * 3)
    assert list(Keeping(None, 20, 0).cells("part", HeldCell, [lambda: []])) == []


def test_p_of_drawn_criteria_is_that_of_human_score():
    ratings = drawn_ratings(np.random.default_rng(0), Criteria(2, 0.5, 20, False), 3)
    none = np.full(20, np.nan)
    for draw in range(3):
        of_criteria = [
            human_scores(
                [SystemRatings(f"system {i}", of_system[:, draw], none) for i, of_system in enumerate(of_criterion)],
                scale=(1.0, 5.0),
            )
            for of_criterion in ratings
        ]
        expected = [each.p_value for scores in of_criteria for each in scores.differences]
        assert p_of_comparisons(ratings)[:, draw] == pytest.approx(expected)


@long
def test_several_criteria_show_a_false_difference_as_rarely_as_is_said():
    cells = [cell for task in islice(criteria_tasks("", DRAWS, 1), 4) for cell in task()]
    assert len(cells) == 4
    assert max(cell.share for cell in cells) <= 0.085


@long
def test_draws_along_a_metric_hold_and_are_narrower(data_dir):
    (systematic, in_strata) = next(draw_tasks(str(data_dir("webnlg-2020").parent), DRAWS, 1))()
    for cell in (systematic, in_strata):
        assert cell.share >= 0.92
        assert cell.width < cell.beside
