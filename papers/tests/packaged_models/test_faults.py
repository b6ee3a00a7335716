"""Made faults are at their stated places, where the likeliest fault is named; sound sentences have hardly any."""

import re
from itertools import islice

import pytest

from referenceless_papers.packaged_models.faults import first_difference, made_faults, named_faults
from slor_metric.language_models.unigram import read_lines

SOUND = [
    "The old bridge over the river was painted green last summer.",
    "She said that the children were playing in the garden near school.",
    "A doctor from the village has visited all houses of our street.",
    "Too short.",
]


def test_each_sentence_gets_one_fault_at_one_place_and_the_kinds_come_in_turn():
    made = made_faults(SOUND * 3, 9)
    assert len(made) == 9
    assert len({kind for kind, *_ in made}) > 4
    for kind, sound, faulty in made:
        before, after = sound.split(), faulty.split()
        at = first_difference(after, before)
        grown = {"missing verb": -1, "missing article": -1, "repetition": 1, "extra word": 1}.get(kind, 0)
        assert sound in SOUND[:3]
        assert len(after) == len(before) + grown
        changed = 2 if kind == "order" else 1 - min(grown, 0)
        assert before[at + changed :] == after[at + changed + grown :]


@pytest.mark.long
def test_the_likeliest_fault_is_the_made_one(data_dir):
    lines = islice(read_lines(data_dir("lm-corpus") / "english-2.txt.xz"), 3000)
    sound = [line for line in lines if re.fullmatch(r"[A-Z][a-z]+(?: [a-z]+){7,14}\.", line)]
    report = named_faults(sound, size=40)
    assert report["all"]["n"] == report["sound sentences"]["n"] == 40
    assert report["all"]["named"] >= 0.3
    assert report["all"]["right"] >= 0.8
    assert report["all"]["three_lowest"] > report["all"]["lowest"] > 2 * report["all"]["chance"]
    assert report["all"]["chance"] < 0.15  # one word of eight to fifteen
    assert report["sound sentences"]["named"] <= 0.1
    by_limit = [*report["by limit of evidence"].values()]
    assert [each["named"] for each in by_limit] == sorted((each["named"] for each in by_limit), reverse=True)
    assert report["by limit of evidence"]["2.5"]["named"] == report["all"]["named"]
    assert report["by limit of evidence"]["2.5"]["right"] == report["all"]["right"]
    by_probability = report["by probability"]
    assert sum(each["words"] for each in by_probability) > 40 * 2 * 8
    assert by_probability[0]["faulty"] < 0.05 < 0.5 < by_probability[-1]["faulty"]
