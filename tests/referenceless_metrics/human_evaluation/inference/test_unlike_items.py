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
from referenceless_metrics.human_evaluation.inference.unlike_items import over_all_items
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
    return systems, (n_unlike, n_items), differences


def test_a_difference_over_all_items_is_that_of_unlike_ones_times_their_share():
    systems, unlike, differences = studied(default_rng(0))
    scores = human_scores(systems)
    (found,) = over_all_items(scores, unlike).differences
    share = unlike[0] / unlike[1]
    assert found.mean.value == pytest.approx(share * differences.mean())
    drawn = differences.mean() ** 2 * share * (1 - share) / 200
    error = differences.std(ddof=1) / np.sqrt(40)
    assert found.mean.standard_error == pytest.approx(np.sqrt(share**2 * error**2 + drawn), rel=0.02)
    assert over_all_items(scores, None) is scores


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
