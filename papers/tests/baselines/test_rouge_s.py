from itertools import combinations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from referenceless_papers.baselines.rouge_s import RougeS, rouge_s

TOKENS = st.lists(st.sampled_from("abc"), max_size=8)


def by_marking(candidate: list[str], reference: list[str], max_skip: int | None) -> tuple[float, float]:
    def pairs(tokens: list[str]) -> list[tuple[str, str]]:
        reach = len(tokens) if max_skip is None else max_skip + 1
        places = [(i, j) for i, j in combinations(range(len(tokens)), 2) if j - i <= reach]
        return [(tokens[i], tokens[j]) for i, j in places]

    own, left = pairs(candidate), pairs(reference)
    total, found = len(left), 0
    for pair in own:
        if pair in left:
            left.remove(pair)
            found += 1
    return found / max(1, len(own)), found / max(1, total)


@given(TOKENS, TOKENS, st.sampled_from([None, 0, 1, 4]))
def test_pairs_are_crossed_out(candidate: list[str], reference: list[str], max_skip: int | None) -> None:
    assert rouge_s(candidate, reference, max_skip) == pytest.approx(by_marking(candidate, reference, max_skip))


def test_the_papers_example() -> None:
    """Lin 2004, Section 4: three, one and two of the six pairs of "police killed the gunman"."""
    reference = ["police", "killed", "the", "gunman"]
    for text, pairs in (
        ("police kill the gunman", 3),
        ("the gunman kill police", 1),
        ("the gunman police killed", 2),
    ):
        assert rouge_s(text.split(), reference) == pytest.approx((pairs / 6, pairs / 6))


def test_the_metric() -> None:
    metric = RougeS()
    assert metric.segment_scores(["police kill the gunman"], [["Police killed the gunman."]]) == pytest.approx([0.5])
    assert metric.segment_scores(["police"], [["police"]]).tolist() == [0]
    with pytest.raises(ValueError, match="max_skip"):
        RougeS(max_skip=-1)
