"""Raters' agreement beside an independent implementation, and who is flagged."""

import numpy as np
import pytest
from numpy.random import default_rng
from studies import answer

from referenceless_metrics.human_evaluation.studies.raters import (
    Answer,
    answers_of,
    check_flags,
    check_remarks,
    rater_agreement,
    side_remarks,
    unjudged_remarks,
)
from referenceless_metrics.human_evaluation.studies.reading import read_study


def test_who_answers_at_random_agrees_with_nobody_and_one_answer_is_flagged():
    generator = default_rng(0)
    truth = generator.normal(3, 1, 200)
    rated = {f"honest {i}": np.clip(np.round(truth + generator.normal(0, 0.9, 200)), 1, 5).tolist() for i in range(3)}
    rated |= {"random": generator.integers(1, 6, 200).tolist(), "constant": [4.0] * 200}
    agreed = rater_agreement([Answer(name, i, v, v) for name, values in rated.items() for i, v in enumerate(values)])
    flagged = {rater["rater"]: rater["flags"] for rater in agreed.raters if rater["flags"]}
    assert flagged["constant"] == ["gives 4 in 100% of 200 ratings"]
    assert set(flagged) <= {"constant", "random"}
    by_rater = {rater["rater"]: rater["correlation"] for rater in agreed.raters}
    assert abs(by_rater["random"]) < 0.15 < 0.25 < by_rater["honest 0"]
    assert np.isnan(by_rater["constant"])


def test_who_agrees_with_none_of_the_others_is_flagged_with_alpha_without_these_ratings():
    generator = default_rng(1)
    truth = generator.normal(3, 1, 240)
    rated = {name: np.clip(np.round(truth + generator.normal(0, 0.8, 240)), 1, 5) for name in ("ann", "cleo")}
    rated["bob"] = truth[generator.permutation(240)].round().clip(1, 5)
    by_name = {name: [Answer(name, i, v, v) for i, v in enumerate(values)] for name, values in rated.items()}
    agreed = rater_agreement([*by_name["ann"], *by_name["bob"], *by_name["cleo"]])
    ann, bob, cleo = agreed.raters
    without = rater_agreement([*by_name["ann"], *by_name["cleo"]]).coefficients
    assert ann["flags"] == cleo["flags"] == []
    (flag,) = bob["flags"]
    assert flag.startswith(f"agrees with none of the others (r {bob['correlation']:.2f}, and theirs among themselves ")
    before = agreed.coefficients
    told = [f"{of['alpha ordinal'].value:.2f} and {of['alpha interval'].value:.2f}" for of in (without, before)]
    assert flag.endswith(f"; without these ratings ordinal and interval α is {told[0]}, and not {told[1]}")


def test_a_rater_s_correlation_is_pearson_s_over_shared_outputs_and_none_below_ten_of_them():
    # Of twelve shared outputs ann and bob say the opposite; the outputs that each rated alone pull their means
    # together.
    shared = {f"shared {i}": float(i) for i in range(12)}
    answers = [Answer("ann", unit, value, value) for unit, value in shared.items()]
    answers += [Answer("bob", unit, 11 - value, value) for unit, value in shared.items()]
    answers += [Answer("ann", f"ann's {i}", 100.0, 100.0) for i in range(40)]
    answers += [Answer("bob", f"bob's {i}", -100.0, 0.0) for i in range(40)]
    answers += [Answer("cat", f"shared {i}", float(i), 0.0) for i in range(9)]
    by_rater = {rater["rater"]: rater["correlation"] for rater in rater_agreement(answers).raters}
    assert by_rater["ann"] == pytest.approx(-1)
    assert by_rater["bob"] == pytest.approx(-1)
    assert np.isnan(by_rater["cat"])


def test_a_rater_s_correlation_is_the_mean_over_pairs_by_what_they_share():
    generator = default_rng(0)
    truth = generator.normal(size=40)
    rated = {name: truth + generator.normal(size=40) for name in "abc"}
    answers = [Answer("a", i, rated["a"][i], 0.0) for i in range(40)]
    answers += [Answer("b", i, rated["b"][i], 0.0) for i in range(30)]
    answers += [Answer("c", i, rated["c"][i], 0.0) for i in range(28, 40)]
    with_b = np.corrcoef(rated["a"][:30], rated["b"][:30])[0, 1]
    with_c = np.corrcoef(rated["a"][28:], rated["c"][28:])[0, 1]
    first = rater_agreement(answers).raters[0]
    assert first["correlation"] == pytest.approx((30 * with_b + 12 * with_c) / 42)
    assert first["n_shared"] == 40


def test_who_prefers_the_same_side_always_is_flagged(draw, tmp_path):
    design = draw("preference", items=30, repeats=0.2)
    answer(design, tmp_path / "study", lambda rater, *_: {"rater_1": "A", "rater_2": "tie"}[rater])
    one, other = rater_agreement(answers_of(read_study(tmp_path / "study"))).raters
    assert one["flags"][0].startswith("gives 1 in 100%")
    assert one["spread"] > 0  # sides are drawn: of the systems, the preferences differ
    assert one["n_repeats"] == other["n_repeats"] == sum(screen.repeat for screen in design.raters["rater_1"])
    assert one["same"] < 1 == other["same"]


def test_a_repeat_does_not_stand_in_for_a_first_answer_that_is_missing(draw, tmp_path):
    design = draw(repeats=0.2)
    (again, *_) = (screen for screen in design.raters["rater_1"] if screen.repeat)

    def rating(rater, screen, output):
        is_left_blank = rater == "rater_1" and screen.item == again.item and not screen.repeat
        return "" if is_left_blank else 1 + screen.item % 5

    answer(design, tmp_path / "study", rating)
    study = read_study(tmp_path / "study")
    scored = study.table[~study.table["repeat"]].dropna()
    one, other = rater_agreement(answers_of(study)).raters
    n_scored = [scored[scored["rater"] == each["rater"]][["item", "text"]].drop_duplicates() for each in (one, other)]
    assert [one["n"], other["n"]] == list(map(len, n_scored))
    assert one["n"] < other["n"]


def test_damaged_texts_tell_who_rates_without_reading_and_count_for_no_system(draw, tmp_path):
    design = draw(checks=3, repeats=0.0)
    for screens in design.raters.values():
        whole, damaged = (
            {text for screen in screens if screen.check == check for text in design.texts(screen)} for check in (0, 1)
        )
        assert len(damaged) == 3
        assert not damaged & whole
    first = design.raters["rater_1"][0]

    def rating(rater, screen, output):
        if (rater, screen, output) == ("rater_1", first, "A"):
            return "cannot judge"
        if rater == "rater_2":
            return 2
        return 1 if screen.check else 4

    answer(design, tmp_path / "study", rating)
    study = read_study(tmp_path / "study")
    flags = check_flags(study, "")
    assert flags == {"rater_2": "rated 3 of 3 damaged texts as high as the whole ones"}
    assert unjudged_remarks(study) == ["rater_1 could not judge 1 text."]
    agreed = rater_agreement(answers_of(study), flags=flags)
    assert [flags["rater_2"] in rater["flags"] for rater in agreed.raters] == [False, True]
    assert len(study.table) == 2 * 2 * 12
    assert {answer.value for answer in answers_of(study)} == {2.0, 4.0}
    check = next(screen for screen in design.raters["rater_2"] if screen.check)

    def rating_without_one_text(rater, screen, output):
        text = (rater, screen.item, screen.outputs["AB".index(output)])
        is_left_out = text == ("rater_2", check.item, check.outputs[0]) and not screen.check
        return "cannot judge" if is_left_out else rating(rater, screen, output)

    answer(design, tmp_path / "study", rating_without_one_text)
    assert check_flags(read_study(tmp_path / "study"), "")["rater_2"].startswith("rated 2 of 2 damaged texts")


def test_a_rater_who_prefers_one_side_stands_first_among_answers_by_side(draw, tmp_path):
    def rating(rater, screen, output):
        if screen.item == 1:
            return "tie"
        return "B" if rater == "rater_2" or screen.item % 2 else "A"

    design = draw(scale="preference", repeats=0.2)
    answer(design, tmp_path / "study", rating)
    (told,) = side_remarks(read_study(tmp_path / "study"), "")
    shown = [screen.item for screen in design.raters["rater_1"] if not screen.repeat and screen.item != 1]
    n, n_even = len(shown), sum(item % 2 == 0 for item in shown)
    assert told.startswith(
        f"Answers A, for the output shown first, without ties: rater_2 0 of {n}, rater_1 {n_even} of"
    )


def test_who_fails_one_check_or_as_most_raters_do_is_not_flagged(draw, tmp_path):
    design = draw(checks=3, repeats=0.0)
    first = next(screen for screen in design.raters["rater_2"] if screen.check)

    def slip(rater, screen, output):
        return 4 if not screen.check or (rater, screen) == ("rater_2", first) else 1

    answer(design, tmp_path / "study", slip)
    study = read_study(tmp_path / "study")
    assert check_flags(study, "") == {}
    assert check_remarks(study, "") == [
        "Of 6 answers about damaged texts, 5 were below those about the whole ones (rater_2 2 of 3, rater_1 3 of 3)."
    ]
    answer(design, tmp_path / "study", lambda *_: 3)
    study = read_study(tmp_path / "study")
    assert check_flags(study, "") == {}
    assert check_remarks(study, "")[0].startswith("Damaged texts tell nothing of the raters: 6 of 6 were rated as high")


def test_intervals_are_for_further_clusters_where_items_lie_in_some():
    # Raters disagree in whole documents, so that these tell less than as many independent texts would.
    generator = default_rng(4)
    in_document = generator.normal(0, 1, (20, 2))
    answers = [
        Answer(rater, (f"{document}/{i}",), value := float(i % 3 + in_document[document, place]), value, document)
        for place, rater in enumerate(("ann", "bob"))
        for document in range(20)
        for i in range(6)
    ]
    clustered = rater_agreement(answers)
    by_hand = rater_agreement([each._replace(unit=(each.cluster, each.unit), cluster=None) for each in answers])
    plain = rater_agreement([each._replace(cluster=None) for each in answers])
    assert (clustered.n_shared, clustered.n_shared_items, clustered.n_shared_clusters) == (120, 120, 20)
    assert plain.n_shared_clusters == 0
    assert clustered.coefficients == by_hand.coefficients
    alpha, too_sure = (each.coefficients["alpha interval"] for each in (clustered, plain))
    assert alpha.value == too_sure.value
    assert alpha.high - alpha.low > 1.5 * (too_sure.high - too_sure.low)


def test_an_item_without_a_cluster_is_one_of_its_own():
    answers = [Answer(rater, (i,), i % 4, 0.0, None if i < 6 else i // 6) for rater in "ab" for i in range(36)]
    assert rater_agreement(answers).n_shared_clusters == 6 + 5


def test_raters_stand_in_the_order_of_the_numbers_in_their_names():
    names = ["annotator 10", "annotator 2", "12", "3", "annotator 1", "ann"]
    agreed = rater_agreement([Answer(name, unit, unit % 5, unit % 5) for name in names for unit in range(12)])
    assert [row["rater"] for row in agreed.raters] == ["3", "12", "ann", "annotator 1", "annotator 2", "annotator 10"]
