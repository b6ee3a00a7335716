"""A study while answers come in: its comparisons at each look, agreement, and the items left by the plan."""

import pytest
from studies import answer

from referenceless_metrics.human_evaluation.studies.criteria import Criterion
from referenceless_metrics.human_evaluation.studies.progress import study_progress


def rating(rater, screen, output, *criterion):
    """Give system_two two points more, and fluency the item's number."""
    is_two = screen.outputs["AB".index(output)][-1] == 1
    return 2 + 2 * is_two * (criterion != ("fluency",)) + (screen.item + len(rater) * is_two) % 2


def test_a_study_without_ratings(draw, tmp_path):
    draw()
    assert study_progress(tmp_path / "study").note == "There are no ratings yet."


def test_before_the_first_look_nothing_is_said_of_systems(draw, tmp_path):
    design = draw(items=40)
    answer(
        design, tmp_path / "study", lambda rater, screen, *of: rating(rater, screen, *of) if screen.item < 15 else ""
    )
    found = study_progress(tmp_path / "study")
    assert found.n_planned == 40
    assert 0 < found.n_complete < 20
    assert found.note == f"Too early: {found.n_complete} of the 20 items of the first look are complete."


def test_a_study_of_fewer_items_than_a_first_look_is_not_compared_while_it_runs(draw, tmp_path):
    """With so few items a sequence finds differences that are none too often."""
    answer(draw(items=12), tmp_path / "study", rating)
    found = study_progress(tmp_path / "study")
    assert found.comparisons == ()
    assert found.note == "Looks begin at 20 items: human-score says what 12 show when all are rated."


def test_comparisons_say_when_it_is_enough(draw, tmp_path):
    answer(draw(items=40), tmp_path / "study", rating)
    found = study_progress(tmp_path / "study")
    assert found.n_complete == 40
    assert found.agreement[0].startswith("Krippendorff's α (interval) ")
    (comparison,) = found.comparisons
    assert comparison.startswith("system_two less ")
    assert comparison.endswith("enough: the difference is shown")
    assert "for these raters and for items in random order" in found.note


def test_who_cannot_judge_has_answered(draw, tmp_path):
    """The plan is done once every rater has answered: nobody is asked again for what he could not judge."""
    criteria = [Criterion.parse("fluency=1-5=How natural?"), Criterion.parse("adequacy=1-5=How true?")]
    design = draw(scale=None, items=20, criteria=criteria)
    first, (screen, *_) = next(iter(design.raters.items()))

    def answered(rater, shown, output, criterion):
        is_left_out = (rater, shown, criterion) == (first, screen, "adequacy")
        return "cannot judge" if is_left_out else rating(rater, shown, output, criterion)

    answer(design, tmp_path / "study", answered)
    found = study_progress(tmp_path / "study")
    assert (found.n_complete, found.n_planned, found.n_unjudged) == (20, 20, 1)
    assert not any("more item" in comparison for comparison in found.comparisons)


@pytest.mark.long
def test_each_criterion_has_its_comparison(draw, tmp_path):
    criteria = [Criterion.parse("fluency=1-5=How natural?"), Criterion.parse("adequacy=1-5=How true?")]
    answer(draw(scale=None, items=40, criteria=criteria), tmp_path / "study", rating)
    found = study_progress(tmp_path / "study")
    fluency, adequacy = found.comparisons
    assert fluency.startswith("fluency: system_two")
    assert fluency.endswith("the plan is done, and no difference is shown")
    assert adequacy.endswith("enough: the difference is shown")
    assert "corrected for 2 comparisons" in found.note


def test_preferences_have_agreement_alone(draw, tmp_path):
    answer(draw(scale="preference", items=20), tmp_path / "study", lambda rater, screen, output: "A")
    note = study_progress(tmp_path / "study").note
    assert note == "Preferences have no --every-look: human-score says what they show when all are given."
