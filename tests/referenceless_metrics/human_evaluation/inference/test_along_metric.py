"""Items drawn along a metric's difference: every k-th or in strata, with the variance of the residuals."""

import json

import numpy as np
import pytest
from command_lines import done, typed
from numpy.random import default_rng
from studies import answer
from text_files import write, write_table

from referenceless_metrics.core.support.validation import InputError
from referenceless_metrics.human_evaluation.inference.along_metric import AlongMetric, DrawnItem, Stratum
from referenceless_metrics.human_evaluation.inference.human_score import human_scores
from referenceless_metrics.human_evaluation.inference.output_ratings import SystemRatings
from referenceless_metrics.human_evaluation.studies.design import Design
from referenceless_metrics.human_evaluation.studies.drawing import draw_study
from referenceless_metrics.human_evaluation.studies.drawn_along import DifferenceByItem, drawn_along
from referenceless_metrics.human_evaluation.studies.reading import read_study

MANY = 10**9
"""A number of items so large that their own draw adds nothing."""


def rated(ratings, items):
    none = np.full(len(items), np.nan)
    return [SystemRatings(name, values, none, list(items)) for name, values in zip("ab", ratings, strict=True)]


def least_squares(columns, values):
    """Return the coefficients, and the residual variance."""
    design = np.stack(columns, axis=1)
    coefficients = np.linalg.lstsq(design, values, rcond=None)[0]
    left = values - design @ coefficients
    return coefficients, left @ left / (len(values) - design.shape[1])


def test_a_systematic_draw_has_the_residual_variance_of_a_line_along_the_order():
    generator = default_rng(0)
    order = np.arange(3, 300, 10)
    n = len(order)
    base = generator.normal(size=n)
    differences = order / 100 + generator.normal(size=n)
    systems = rated([base, base + differences], range(n))
    along = AlongMetric("made", MANY, tuple(DrawnItem(i, int(at), 0.0, 0) for i, at in enumerate(order)))
    (plain,), (found,) = (human_scores(systems, along=each).differences for each in (None, along))
    _, variance = least_squares([np.ones(n), order], differences)
    assert found.mean.value == pytest.approx(differences.mean())
    assert found.mean.standard_error == pytest.approx(np.sqrt(variance / n))
    assert found.mean.degrees_of_freedom == n - 2
    assert plain.mean.standard_error == pytest.approx(np.sqrt(differences.var(ddof=1) / n))
    # If all items were drawn and rated, the draw is no draw: the variance is that of all items like them.
    everything = AlongMetric("made", n, along.items)
    (of_all,) = human_scores(systems, along=everything).differences
    assert of_all.mean.standard_error == pytest.approx(plain.mean.standard_error)
    told = human_scores(systems, along=along).notes[-1]
    assert "every k-th along made's difference" in told
    assert f"regression on their order ({n - 2} degrees of freedom)" in told


def test_items_without_ratings_bring_back_a_part_of_what_the_draw_balanced():
    generator = default_rng(1)
    order = np.arange(40)
    differences = order / 10 + generator.normal(size=40)
    along = AlongMetric("made", MANY, tuple(DrawnItem(i, i, 0.0, 0) for i in range(40)))
    kept = np.arange(0, 40, 2)
    systems = rated([np.zeros(20) + 0.1 * generator.normal(size=20), differences[kept]], kept)
    of_kept = systems[1].ratings - systems[0].ratings
    (found,) = human_scores(systems, along=along).differences
    _, variance = least_squares([np.ones(20), kept], of_kept)
    half_back = (of_kept.var(ddof=1) - variance) * (1 / 20 - 1 / 40)
    assert found.mean.standard_error**2 == pytest.approx(variance / 20 + half_back)


def test_strata_take_the_metric_s_part_off_within_them():
    generator = default_rng(2)
    stratum = np.repeat([0, 1, 2], [12, 10, 14])
    n = len(stratum)
    metric = stratum + generator.normal(size=n)
    differences = 0.5 * metric + generator.normal(size=n)
    base = generator.normal(size=n)
    strata = (Stratum(MANY, 0.1), Stratum(MANY, 1.2), Stratum(2 * MANY, 1.9))
    items = tuple(DrawnItem(i, i, float(metric[i]), int(stratum[i])) for i in range(n))
    (found,) = human_scores(
        rated([base, base + differences], range(n)), along=AlongMetric("made", 4 * MANY, items, strata)
    ).differences
    dummies = [(stratum == number).astype(float) for number in range(3)]
    coefficients, variance = least_squares([*dummies, metric], differences)
    shares = np.array([0.25, 0.25, 0.5])
    expected = shares @ [coefficients[number] + coefficients[3] * strata[number].mean for number in range(3)]
    assert found.mean.value == pytest.approx(expected)
    # The variance of the fitted line at the shares of the strata, and at the mean of the metric over all items.
    design = np.stack([*dummies, metric], axis=1)
    at = np.array([*shares, shares @ [stratum.mean for stratum in strata]])
    spread = at @ np.linalg.inv(design.T @ design) @ at
    assert found.mean.standard_error**2 == pytest.approx(variance * spread)
    assert found.mean.degrees_of_freedom == n - 4


def test_strata_with_few_ratings_are_merged_with_a_neighbour():
    generator = default_rng(3)
    n = 24
    metric, differences, base = generator.normal(size=(3, n))
    stratum = np.repeat([0, 1, 2], [11, 10, 3])
    strata = (Stratum(100, 0.0), Stratum(100, 0.2), Stratum(200, 0.8))
    merged = (strata[0], Stratum(300, 0.6))

    def found(numbers, strata):
        items = tuple(DrawnItem(i, i, float(metric[i]), int(numbers[i])) for i in range(n))
        along = AlongMetric("made", 400, items, strata)
        return human_scores(rated([base, base + differences], range(n)), along=along).differences[0].mean

    assert found(stratum, strata) == found(np.minimum(stratum, 1), merged)


@pytest.mark.long
@pytest.mark.parametrize("strata", [False, True])
def test_intervals_hold_and_are_narrower_than_a_simple_draw_s(strata):
    inside, widths, simple = [], [], []
    for seed in range(50):
        generator = default_rng(seed)
        people = generator.normal(1, 2, 400)
        metric = DifferenceByItem("made", 0.6 * people + generator.normal(0, 1.6, 400))
        base = generator.normal(3, 1, 400)
        ratings = np.stack([base, base + people])
        along = drawn_along(metric, np.arange(400), 40, generator, strata=strata)
        items = np.array([each.item for each in along.items])
        (found,) = human_scores(rated(ratings[:, items], items.tolist()), along=along).differences
        low, high = found.interval()
        inside.append(low <= 1 <= high)
        widths.append(high - low)
        (found,) = human_scores(rated(ratings[:, :40], range(40))).differences
        simple.append(np.diff(found.interval()))
    assert np.mean(inside) >= 0.9
    assert np.mean(widths) < 0.9 * np.mean(simple)


def test_every_kth_item_is_drawn_or_as_many_of_each_stratum():
    values = default_rng(4).normal(size=90)
    values[7] = np.nan
    metric = DifferenceByItem("made", values)
    systematic = drawn_along(metric, np.arange(90), 30, default_rng(5), strata=False)
    assert set(np.diff([each.order for each in systematic.items])) == {3}
    assert (systematic.n_items, systematic.strata) == (90, ())
    in_strata = drawn_along(metric, np.arange(0, 90, 2), 25, default_rng(5), strata=True)
    assert [stratum.n_items for stratum in in_strata.strata] == [23, 22]
    assert np.bincount([each.stratum for each in in_strata.items]).tolist() == [13, 12]
    assert len({each.item for each in in_strata.items}) == 25
    assert not any(each.item % 2 for each in in_strata.items)
    assert in_strata.strata[0].mean < in_strata.strata[1].mean
    assert AlongMetric.of_record(json.loads(json.dumps(in_strata.record()))) == in_strata
    with pytest.raises(InputError, match="made finds the same difference in all of the 90 items"):
        drawn_along(DifferenceByItem("made", np.ones(90)), np.arange(90), 30, default_rng(5), strata=False)


@pytest.mark.parametrize(
    "n_systems, options, message",
    [
        (3, {}, "of two systems, and here are 3: leave out --along"),
        (2, {"scale": "preference"}, "--along goes with scales, and not with preferences"),
        (2, {"metric": "slor"}, "leave out --along or --metric"),
        (2, {"along": None, "strata": True}, r"name the metric too \(--along NAME\)"),
    ],
)
def test_draws_that_are_refused(n_systems, options, message):
    outputs = [(name, [f"{name} {i}" for i in range(30)]) for name in "abc"[:n_systems]]
    along = DifferenceByItem("made", np.arange(30.0))
    with pytest.raises(InputError, match=message):
        draw_study(outputs, 10, ["ann"], **{"along": along, **options})


def test_a_study_along_a_column_from_the_draw_to_its_score(folder):
    generator = default_rng(6)
    metric = generator.normal(size=60)
    for name, scores in (("base", np.zeros(60)), ("ours", metric)):
        rows = [(f"{name} wrote {i}", score) for i, score in enumerate(scores)]
        write_table(folder / f"{name}.csv", ("text", "comet"), rows)
    sample = "sample base.csv ours.csv -n 30 --raters ann,bob --scale 1-7"
    assert "there is no column 'bleurt'" in typed(f"{sample} --along bleurt -o study", 1).err
    write("a.txt", "a text of base\n" * 30)
    write("b.txt", "a text of ours\n" * 30)
    told = typed("sample a.txt b.txt -n 20 --along bleurt -o study", 1).err
    assert "--along bleurt: expected a metric, such as slor, or a column of the systems' files" in told
    assert (
        "--along bleu_neighbors: this metric needs more than texts"
        in typed(f"{sample} --along bleu_neighbors -o study", 1).err
    )
    done(f"{sample} --along comet -o study")
    design = Design.read("study")
    assert design.along.metric == "comet"
    assert set(np.diff(sorted(each.order for each in design.along.items))) == {2}

    def rating(rater, screen, output):
        text = design.texts(screen)["AB".index(output)]
        item = int(text.split()[-1])
        return int(np.clip(round(4 + metric[item] * text.startswith("ours")), 1, 7))

    answer(design, folder / "study", rating)
    found = json.loads(done("human-score study --format json").stdout)
    assert any("Items were drawn every k-th along comet's difference" in line for line in found["findings"])
    (narrow,) = [row for row in found["rows"] if row["less"]]
    of_study = json.loads(done("human-score study --format json --every-look").stdout)
    assert any("Sequences take items as drawn simply" in line for line in of_study["findings"])
    read_study("study").table[["text", "system", "item", "rater", "rating"]].to_csv("rows.csv", index=False)
    simple = json.loads(done("human-score --ratings rows.csv --scale 1-7 --baseline base --format json").stdout)
    (plain,) = [row for row in simple["rows"] if row["less"]]
    assert narrow["mean"] == pytest.approx(plain["mean"])
    assert narrow["high"] - narrow["low"] < 0.85 * (plain["high"] - plain["low"])
    refused = typed("human-score base.csv ours.csv --ratings study --metric slor", 1).err
    assert "items were drawn along comet's difference, which uses what a metric tells: leave out the metric" in refused
    described = done("study describe study").stdout
    assert (
        "30 items systematically along the difference of the systems by comet, with a random start, from 60"
        in described
    )
    for needs_references in ("rouge_lm", "quality_estimation"):
        told = typed(f"{sample} --along {needs_references} -o refused", 1).err
        assert f"--along {needs_references}: this metric needs more than texts" in told
    done(f"{sample} --along comet --skip-equal -o unlike")
    assert (
        ", among the 60 of which outputs differ, with a random start, from 60" in done("study describe unlike").stdout
    )
    done(f"{sample} --along comet --strata -o strata")
    assert "at random within 3 strata of the difference of the systems by comet" in done("study describe strata").stdout
