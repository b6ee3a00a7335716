"""The scale of Fluency in words: people object the more often, the lower a sentence scores."""

import json

import numpy as np
import pytest
from command_lines import done

from referenceless_papers.packaged_models.scale import drawn_sentences, objections_by_level, shares_kept


def test_each_level_has_the_mean_share_of_its_own_sentences():
    scores = np.array([0.1, -0.4, -1.2, -9.0, np.nan])
    found = objections_by_level(scores, np.array([0.2, 0.4, 0.5, 1.0, 0.0]))
    assert found == {"0": {"n": 2, "object": 0.3}, "-1": {"n": 1, "object": 0.5}, "-4": {"n": 1, "object": 1.0}}


def test_limits_keep_what_lies_above_them():
    """Values are of lengths here: a text of two words is below each limit but the last."""
    prose = ["One two three four.", "One two."]
    found = shares_kept(lambda texts: np.array([len(text.split()) - 4.5 for text in texts]), prose)
    assert found["as written"] == {"0": 0.0, "-1": 0.5, "-2": 0.5, "-3": 1.0}
    assert found.keys() == {"as written", "every fourth word behind the next", "words shuffled"}
    unread = shares_kept(lambda texts: np.full(len(texts), np.nan), prose)
    assert unread["words shuffled"]["-3"] == 0.0


def test_sentences_are_drawn_near_each_level_and_once():
    texts = [
        f"The {noun} was painted {adverb}." for noun in ("bridge", "house", "wall") for adverb in ("today", "again")
    ]
    drawn = drawn_sentences({"one": texts, "two": texts[:3]}, size=2)
    assert list(drawn.columns) == ["level", "set", "text"]
    assert set(drawn["set"]) <= {"one"}
    assert drawn["text"].is_unique
    assert drawn.groupby("level").size().max() <= 2


@pytest.mark.long
def test_people_object_more_often_at_lower_levels(data_dir):
    printed = done("reproduce", "fluency-scale", data_dir("gug").parent).stdout
    gug, lau = json.loads(printed).values()
    objections = [gug[level]["object"] for level in ("1", "0", "-1", "-2", "-3", "-4")]
    assert objections == sorted(objections)
    assert lau["1"]["object"] < lau["-1"]["object"]
    assert sum(level["n"] for level in lau.values()) == 100
