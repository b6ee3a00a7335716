"""Pairs of a sentence and one fault: what is chosen, what is left alone, and how they are counted."""

import pytest

from referenceless_papers.packaged_models.pairs import KINDS, accuracies, make_pairs


@pytest.mark.parametrize(
    "kind, line, fault",
    [
        ("subject-verb agreement", "the old ships were painted red again .", "The old ships was painted red again."),
        ("subject-verb agreement", "he told us if she were ill today .", None),  # both are said
        ("subject-verb agreement", "they say you were ill last week .", None),
        ("subject-verb agreement", "he is here and they are not .", None),
        ("determiner-noun agreement", "we left this old house at noon .", "We left these old house at noon."),
        ("determiner-noun agreement", "we heard that this is the end .", None),  # no determiner
        ("missing verb", "the church is in the old town .", "The church in the old town."),
        ("missing verb", "the church was painted by a monk .", None),  # "painted" could be its verb
        ("missing subject", "she does n't like rain , he said .", "Doesn't like rain, he said."),
        ("missing subject", "we like rain in the night too .", None),  # would be an order
        ("subordinate clause alone", "the night is cold and very long .", "The night is cold and very long."),
        ("subordinate clause alone", "if it rains they will stay inside .", None),
    ],
)
def test_faults(kind, line, fault):
    (pairs,) = [make_pairs([line])[kind]]
    if fault is None:
        assert pairs == []
    elif kind == "subordinate clause alone":
        ((good, bad),) = pairs
        assert good == fault
        assert bad.split(" ", 1)[1] == fault[0].lower() + fault[1:]
    else:
        assert [bad for _, bad in pairs] == [fault]


def test_pairs_are_the_same_each_time_and_ties_count_half():
    lines = [f"the {word} was seen at the door ." for word in ("cat", "dog", "bird", "man", "wolf")]
    pairs = make_pairs([*lines, "too short .", '" quoted " words are left out here .'], size=3)
    assert pairs == make_pairs([*lines, "too short .", '" quoted " words are left out here .'], size=3)
    assert len(pairs["subject-verb agreement"]) == 3
    right = accuracies(pairs, lambda texts: [float("was" in text) for text in texts])
    assert list(right) == list(KINDS)
    assert right["subject-verb agreement"] == 1
    assert right["subordinate clause alone"] == 0.5
    assert right["determiner-noun agreement"] == 0
