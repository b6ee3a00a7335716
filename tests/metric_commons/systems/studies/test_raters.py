"""Raters' agreement beside an independent implementation, and who is flagged."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from numpy.random import default_rng
from text_files import write

from metric_commons.systems.studies import raters
from metric_commons.systems.studies.planning import WEBNLG_RATINGS
from metric_commons.systems.studies.raters import LEVELS, Answer, answers_of, krippendorff_alpha, rater_agreement
from metric_commons.systems.studies.reading import read_study
from metric_commons.systems.studies.server import rating_sheet
from tests.support import rated_sentences

_TABLES = st.lists(st.lists(st.sampled_from([1, 2, 3, 5, None]), min_size=3, max_size=3), min_size=2, max_size=12)


def answers(table):
    """Answers from rows of units, with a column a rater."""
    return [
        Answer(f"rater {rater}", unit, value, value)
        for unit, row in enumerate(table)
        for rater, value in enumerate(row)
        if value is not None
    ]


@pytest.mark.long
@given(_TABLES)
@pytest.mark.parametrize("level", LEVELS)
def test_alpha_is_that_of_another_implementation(level, table):
    krippendorff = pytest.importorskip("krippendorff")
    ours = krippendorff_alpha(answers(table), level)
    paired = [value for row in table for value in row if sum(each is not None for each in row) > 1]
    if len(set(paired) - {None}) < 2:
        assert np.isnan(ours)
    else:
        theirs = krippendorff.alpha(np.array(table, dtype=float).T, level_of_measurement=level)
        assert ours == pytest.approx(theirs, abs=1e-9)


def crowd(n, seed):
    generator = default_rng(seed)
    truth = generator.normal(3, 1, n)
    people = {f"honest {i}": np.clip(np.round(truth + generator.normal(0, 0.9, n)), 1, 5).tolist() for i in range(4)}
    return people | {"random": generator.integers(1, 6, n).tolist(), "constant": [4.0] * n}


def test_who_does_not_look_at_the_texts_is_flagged():
    flagged = {}
    for seed in range(20):
        rated = crowd(60, seed)
        found = rater_agreement([Answer(name, i, v, v) for name, values in rated.items() for i, v in enumerate(values)])
        assert len(found.raters) == 6  # nobody is left out
        for rater in found.raters:
            for flag in rater.flags:
                flagged[rater.rater, flag.split()[0]] = flagged.get((rater.rater, flag.split()[0]), 0) + 1
    assert flagged.pop(("constant", "gives")) == 20
    assert flagged.pop(("random", "agrees")) >= 19
    assert sum(flagged.values()) <= 1  # of 80 honest ones


def test_who_prefers_the_same_side_always_is_flagged(draw, tmp_path):
    design = draw("preference", items=30, repeats=0.2)
    for rater, rating in (("rater_1", "A"), ("rater_2", "tie")):
        sheet = rating_sheet(design, rater).replace(",\n", f",{rating}\n")
        write(tmp_path / "study" / "ratings" / f"{rater}.csv", sheet)
    one, other = rater_agreement(answers_of(read_study(tmp_path / "study"))).raters
    assert one.flags[0].startswith("gives 1 in 100%")
    assert one.spread > 0  # sides are drawn: of the systems, the preferences differ
    assert one.n_repeats == other.n_repeats == sum(screen.repeat for screen in design.raters["rater_1"])
    assert one.same < 1 == other.same


def flags_alone(monkeypatch):
    """Leave out what takes long and flags nobody."""
    for slow, fast in (("krippendorff_alpha", lambda *_: 0.0), ("rater_ceiling", lambda *_: None)):
        monkeypatch.setattr(raters, slow, fast)


@pytest.mark.long
@pytest.mark.parametrize("n, found, wrong", [(3, 0.5, 0.02), (6, 0.85, 0.02)])
def test_who_answers_at_random_among_few(n, found, wrong, monkeypatch):
    """Studies of 50 items and two systems from WebNLG's variances, rounded to a scale from 1 to 5."""
    flags_alone(monkeypatch)
    generator, flagged = default_rng(1), np.zeros((2, n))
    shapes = [(50, 1, 1), (50, 2, 1), (1, 1, n), (1, 2, n), (50, 1, n), (50, 2, n)]
    for _ in range(150):
        effects = zip(vars(WEBNLG_RATINGS).values(), shapes, strict=True)
        ratings = 0.75 + sum(value**0.5 * generator.normal(size=shape) for value, shape in effects)
        ratings = np.clip(np.round(4 * ratings + 1), 1, 5)
        for place in (0, 1):
            given = [Answer(str(who), (i, s), value, value) for (i, s, who), value in np.ndenumerate(ratings)]
            flagged[place] += [bool(rater.flags) for rater in rater_agreement(given).raters]
            ratings[:, :, 0] = generator.integers(1, 6, (50, 2))
    assert flagged[0].mean() / 150 == pytest.approx(wrong, abs=0.015)
    assert flagged[1, 0] / 150 == pytest.approx(found, abs=0.1)


@pytest.mark.long
def test_shuffled_raters_of_webnlg_are_flagged(data_dir, monkeypatch):
    """The figures of the guide to rating studies."""
    rows = rated_sentences.read(data_dir("webnlg-2020") / "judgements_en.csv", dtype=str).to_dict("records")
    given = [
        Answer(row["worker"], (row["item"], row["system"]), float(row["fluency"]), float(row["fluency"]))
        for row in rows
    ]
    flags_alone(monkeypatch)
    found = rater_agreement(given).raters
    assert (sum(bool(rater.flags) for rater in found), len(found)) == (5, 88)
    generator, flagged = default_rng(0), []
    for rater in found:
        places = [place for place, answer in enumerate(given) if answer.rater == rater.rater]
        if len(places) >= raters.FEWEST:
            shuffled = list(given)
            for place, value in zip(places, generator.permutation([given[i].value for i in places]), strict=True):
                shuffled[place] = given[place]._replace(value=value, shown=value)
            flagged += [bool(one.flags) for one in rater_agreement(shuffled).raters if one.rater == rater.rater]
    assert (sum(flagged), len(flagged)) == (66, 72)
