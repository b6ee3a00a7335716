"""Pairs of a sentence and one fault: sentences chosen, sentences left alone, and their count."""

from referenceless_papers.packaged_models.pairs import KINDS, accuracies, make_pairs


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
