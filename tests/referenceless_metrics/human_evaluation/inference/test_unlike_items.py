"""Items of which outputs differ: differences are over all items, equal ones counting 0, and their intervals hold."""

import json

import numpy as np
import pytest
from command_lines import typed
from numpy.random import default_rng
from studies import answer
from text_files import write

from referenceless_metrics.core.support.validation import InputError
from referenceless_metrics.human_evaluation.inference.human_score import human_scores
from referenceless_metrics.human_evaluation.inference.output_ratings import SystemRatings
from referenceless_metrics.human_evaluation.inference.unlike_items import UnlikeItems, over_all_items
from referenceless_metrics.human_evaluation.studies.design import Design
from referenceless_metrics.human_evaluation.studies.drawing import draw_study


def studied(generator, n_items=200, n_rated=40):
    """Two systems' ratings of unlike items, with a mean difference of 1; 60 % of items are unlike."""
    n_unlike = int(generator.binomial(n_items, 0.6))
    differences = generator.normal(1, 1.5, n_rated)
    base = generator.normal(3, 1, n_rated)
    systems = [
        SystemRatings(name, values, np.full(n_rated, np.nan))
        for name, values in (("base", base), ("ours", base + differences))
    ]
    return systems, UnlikeItems(n_unlike, n_items), differences


def test_a_difference_over_all_items_is_that_of_unlike_ones_times_their_share():
    systems, unlike, differences = studied(default_rng(0))
    scores = human_scores(systems)
    (found,) = over_all_items(scores, unlike).differences
    share = unlike.share
    assert found.mean.value == pytest.approx(share * differences.mean())
    drawn = differences.mean() ** 2 * share * (1 - share) / 200
    error = differences.std(ddof=1) / np.sqrt(40)
    assert found.mean.standard_error == pytest.approx(np.sqrt(share**2 * error**2 + drawn), rel=0.02)
    assert over_all_items(scores, None) is scores
    assert over_all_items(scores, UnlikeItems(200, 200)) is scores


@pytest.mark.parametrize("draws, least, most", [(60, 0.88, 1.0), pytest.param(300, 0.92, 0.98, marks=pytest.mark.long)])
def test_its_interval_holds_and_is_narrower_than_that_of_as_many_items_drawn_from_all(draws, least, most):
    inside, widths, plain = [], [], []
    for seed in range(draws):
        generator = default_rng(seed)
        systems, unlike, _ = studied(generator)
        (found,) = over_all_items(human_scores(systems), unlike).differences
        low, high = found.interval()
        inside.append(low <= 0.6 <= high)
        widths.append(high - low)
        every = np.where(generator.random(40) < 0.6, generator.normal(1, 1.5, 40), 0.0)
        plain.append(2 * 2.02 * every.std(ddof=1) / np.sqrt(40))
    assert least <= np.mean(inside) <= most
    assert np.mean(widths) < 0.9 * np.mean(plain)


def outputs(n=40):
    """Three systems' outputs: the first two are equal on every other item, all three on every fourth."""
    base = [f"text {i}" for i in range(n)]
    ours = [text if i % 2 == 0 else f"ours {i}" for i, text in enumerate(base)]
    third = [text if i % 4 == 0 else f"third {i}" for i, text in enumerate(base)]
    return [("base", base), ("ours", ours), ("third", third)]


def test_items_that_all_systems_wrote_alike_are_not_drawn():
    two = draw_study(outputs()[:2], 20, ["ann"], skip_equal=True)
    assert (two.n_unlike, two.n_items) == (20, 40)
    assert {item.item % 2 for item in two.items} == {1}
    three = draw_study(outputs(), 30, ["ann"], skip_equal=True)
    assert three.n_unlike == 30
    assert 0 not in {item.item % 4 for item in three.items}
    with pytest.raises(InputError, match="of 20 items all outputs are equal"):
        draw_study(outputs()[:2], 21, ["ann"], skip_equal=True)
    with pytest.raises(InputError, match="leave out --skip-equal"):
        draw_study(outputs()[:1], 10, ["ann"], skip_equal=True)


def test_a_study_of_unlike_items_from_the_draw_to_its_score(folder):
    for name, texts in outputs()[:2]:
        write(f"{name}.txt", texts)
    typed("sample base.txt ours.txt -n 20 --raters ann --skip-equal -o study")
    design = Design.read("study")
    assert design.n_unlike == 20
    answer(design, folder / "study", lambda rater, screen, output: 2 + 2 * screen.outputs["AB".index(output)][0])
    found = json.loads(typed("human-score study --format json").out)
    (difference,) = [row for row in found["rows"] if row["less"]]
    assert difference["mean"] == pytest.approx(1.0)  # 2 on half of the items
    assert any("All systems wrote the same for 20 of 40 items" in line for line in found["findings"])
    assert "no random part of all" in typed("human-score base.txt ours.txt --ratings study --metric slor", 1).err


@pytest.fixture
def half_equal(folder):
    """A study by two raters of 20 items, drawn from the 30 of 40 of which two outputs differ; one rating lacks."""
    base = [f"text {i}" for i in range(40)]
    write("base.txt", base)
    write("ours.txt", [text if i % 4 == 0 else f"ours {i}" for i, text in enumerate(base)])
    typed("sample base.txt ours.txt -n 20 --raters ann,bob --skip-equal -o study")
    design = Design.read("study")

    def rate(rater, screen, output):
        (system,) = screen.outputs["AB".index(output)]
        if (rater, screen.item, system) == ("bob", 0, 1):
            return None
        return 1 + system + (screen.item + (rater == "bob")) % 3

    answer(design, folder / "study", rate)


def test_a_difference_that_is_not_of_the_means_is_told_with_both_reasons(half_equal):
    found = json.loads(typed("human-score study --format json").out)
    base, ours, difference = (row["mean"] for row in found["rows"])
    assert abs(ours - base - difference) > 0.1
    told = found["findings"][0]
    assert told.startswith(f"ours less base: {difference:.4f} is {difference * 40 / 30:.4f} times 30/40, since ")
    assert "over all 40 items, with 0 for the 10 of which all outputs are equal; " in told
    assert f"(1 rating in no pair is left out), and the means in the rows above differ by {ours - base:.4f}." in told


def test_all_that_goes_into_a_paper_tells_of_items_that_count_0(half_equal):
    scope = "over all 40 items, with 0 for the 10 of which all outputs are equal"
    found = json.loads(typed("human-score study --format json").out)
    (quoted,) = (line for line in found["findings"] if "For the paper" in line or "On 20 items" in line)
    assert f"; {scope}; " in quoted
    latex = typed("human-score study --format latex").out
    (note,) = (line for line in latex.splitlines() if "Signature" in line)
    assert f"Differences are {scope}: each is 30/40 of that over the others" in note
    assert "They are without 1 rating in no pair, too." in note
    paragraph = typed("study describe study").out
    assert f"Differences are {scope}: each is 30/40 of that over the others." in paragraph
    assert f"differences of means ({scope}) with 95% intervals" in paragraph
