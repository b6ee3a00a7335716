"""Made faults are where they are said to be, and a named one is counted as right only there."""

from referenceless_papers.packaged_models.faults import first_difference, made_faults, named_faults

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


def test_a_fault_is_right_where_its_edit_is_made_and_not_elsewhere():
    report = named_faults(SOUND, size=2)
    assert report["all"]["n"] == 2
    assert report["sound sentences"] == {"n": 1, "named": 0.0}
    assert 0 < report["all"]["chance"] < report["all"]["three_lowest"] <= 1
