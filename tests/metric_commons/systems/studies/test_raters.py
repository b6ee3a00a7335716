"""Raters' agreement beside an independent implementation, and who is flagged."""

import numpy as np
from numpy.random import default_rng
from text_files import write, write_table

from metric_commons.systems.studies.raters import Answer, answers_of, rater_agreement, remarks_of
from metric_commons.systems.studies.reading import read_study
from metric_commons.systems.studies.server import rating_sheet


def test_who_answers_at_random_agrees_with_nobody_and_one_answer_is_flagged():
    generator = default_rng(0)
    truth = generator.normal(3, 1, 200)
    rated = {f"honest {i}": np.clip(np.round(truth + generator.normal(0, 0.9, 200)), 1, 5).tolist() for i in range(3)}
    rated |= {"random": generator.integers(1, 6, 200).tolist(), "constant": [4.0] * 200}
    agreed = rater_agreement([Answer(name, i, v, v) for name, values in rated.items() for i, v in enumerate(values)])
    flagged = {rater["rater"]: rater["flags"] for rater in agreed.raters if rater["flags"]}
    assert flagged == {"constant": ["gives 4 in 100% of 200 ratings"]}
    by_rater = {rater["rater"]: rater["correlation"] for rater in agreed.raters}
    assert abs(by_rater["random"]) < 0.15 < 0.25 < by_rater["honest 0"]
    assert np.isnan(by_rater["constant"])


def test_who_prefers_the_same_side_always_is_flagged(draw, tmp_path):
    design = draw("preference", items=30, repeats=0.2)
    for rater, rating in (("rater_1", "A"), ("rater_2", "tie")):
        sheet = rating_sheet(design, rater).replace(",\n", f",{rating}\n")
        write(tmp_path / "study" / "ratings" / f"{rater}.csv", sheet)
    one, other = rater_agreement(answers_of(read_study(tmp_path / "study"))).raters
    assert one["flags"][0].startswith("gives 1 in 100%")
    assert one["spread"] > 0  # sides are drawn: of the systems, the preferences differ
    assert one["n_repeats"] == other["n_repeats"] == sum(screen.repeat for screen in design.raters["rater_1"])
    assert one["same"] < 1 == other["same"]


def test_damaged_texts_tell_who_rates_without_reading_and_count_for_no_system(draw, tmp_path):
    design = draw(checks=3, repeats=0.0)
    for name, careful in (("rater_1", True), ("rater_2", False)):
        rows = [
            {
                **{"study": design.study, "rater": name, "screen": number, "output": output},
                "rating": 4 if careful > screen.check else 1,
            }
            for number, screen in enumerate(design.raters[name], 1)
            for output in design.answers_on(screen)
        ]
        if careful:
            rows[0]["rating"] = "cannot judge"
        by_kind = {
            check: {text for screen in design.raters[name] if screen.check == check for text in design.texts(screen)}
            for check in (False, True)
        }
        assert len(by_kind[True]) == 3
        assert not by_kind[True] & by_kind[False]
        write_table(tmp_path / "study" / "ratings" / f"{name}.csv", list(rows[0]), [row.values() for row in rows])
    study = read_study(tmp_path / "study")
    failed, unjudged = remarks_of(study)
    assert failed.startswith("rater_2 rated 3 of 3 damaged texts as high as the whole ones")
    assert unjudged.startswith("rater_1 could not judge 1 text;")
    assert len(study.table) == 2 * 2 * 12
    assert {answer.value for answer in answers_of(study)} == {1.0, 4.0}
    check = next(screen for screen in design.raters["rater_2"] if screen.check)
    for row in rows:
        screen = design.raters["rater_2"][row["screen"] - 1]
        if (screen.item, screen.outputs["AB".index(row["output"])]) == (check.item, check.outputs[0]):
            row["rating"] = "cannot judge" if not screen.check else 1
    write_table(tmp_path / "study" / "ratings" / "rater_2.csv", list(rows[0]), [row.values() for row in rows])
    assert remarks_of(read_study(tmp_path / "study"))[0].startswith("rater_2 rated 2 of 2 damaged texts")
