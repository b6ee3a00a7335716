"""Ratings whose means are known, in many layouts: the lines that `look` proposes tell these means, and no others."""

import json
import random
import shlex
from collections import Counter

import pytest
from command_lines import as_json, left
from rated_layouts import LAYOUTS, drawn_ratings
from text_files import write_table

from referenceless_metrics.advice.look.looking import look
from referenceless_metrics.advice.look.together.joint import joint_lines


def told_by_look(layout, seed):
    """Return `right` if the first lines tell all means, `wrong` for another mean, `refused`, or `part` for fewer."""
    rng = random.Random(f"{layout} {seed}")
    ratings = drawn_ratings(rng, n_raters=1 if layout == "an object of systems" else None)
    files = LAYOUTS[layout](ratings, rng)
    looks = [look(file) for file in files]
    lines = joint_lines(looks) if len(files) > 1 else looks[0].commands
    lines = [line for line in lines if line.split()[1] == "human-score" or "compare --scores" in line]
    told = set()
    for line in lines[: len(ratings.criteria)]:
        status, out, _ = left([*shlex.split(line)[1:], "--format", "json"])
        if status:
            return "part" if told else "refused"
        rows = [row for row in json.loads(out)["rows"] if not row.get("less")]
        for row in rows:
            named = means_called(ratings, row)
            if not named and row["system"] not in shlex.split(line)[3]:  # which calls all ratings as their file
                return "wrong"
            told |= named
        if told == set(ratings.means):
            return "right"
    return "part"


def means_called(ratings, row):
    """Return the criterion and system of each known mean that a row tells, whose names hold those of the row."""
    return {
        (criterion, system)
        for (criterion, system), mean in ratings.means.items()
        if (row["system"] in system or system in row["system"])
        and row["mean"] == pytest.approx(mean)
        and (not row.get("criterion") or len(ratings.criteria) == 1 or criterion in row["criterion"])
    }


@pytest.mark.parametrize("layout", LAYOUTS)
@pytest.mark.parametrize("seed", range(2))
def test_the_first_lines_tell_the_means(layout, seed, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    assert told_by_look(layout, seed) == "right"


@pytest.mark.fuzz
@pytest.mark.parametrize("layout", LAYOUTS)
def test_no_layout_is_misread(layout, tmp_path, monkeypatch):
    told = Counter()
    for seed in range(100):
        folder = tmp_path / str(seed)
        folder.mkdir()
        monkeypatch.chdir(folder)
        told[told_by_look(layout, seed)] += 1
    assert told["wrong"] == 0, told
    assert told["right"] >= 85, told


@pytest.mark.parametrize("name", ["winner", "answer", "label", "judgement", "verdict"])
def test_a_column_that_names_one_of_two_systems_is_one_of_preferences(name, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    systems = ("base", "ours")
    chosen = [("ours", "base", "tie")[n % 3] for n in range(30)]
    rows = [[n, *(systems if n % 2 else systems[::-1]), f"r{n % 2}", each] for n, each in enumerate(chosen)]
    write_table("t.csv", ["item", "system1", "system2", "rater", name], rows)
    line = next(line for line in look("t.csv").commands if line.split()[1] == "human-score")
    (found,) = as_json(line.removeprefix("referenceless "))["rows"]
    assert (found["wins"], found["ties"], found["losses"]) == (10, 10, 10)
