from collections.abc import Sequence
from functools import cache

import pytest
from hypothesis import given
from hypothesis import strategies as st

from referenceless_papers.baselines.rouge_w import RougeW, rouge_w, weighted_lcs

TOKENS = st.lists(st.sampled_from("abc"), max_size=8)


def by_recursion(first: Sequence[str], second: Sequence[str], weight: float) -> float:
    """The paper's recurrence, cell by cell from the end."""

    @cache
    def cell(i: int, j: int) -> tuple[float, int]:
        if i == 0 or j == 0:
            return 0.0, 0
        if first[i - 1] == second[j - 1]:
            value, run = cell(i - 1, j - 1)
            return value + (run + 1) ** weight - run**weight, run + 1
        return max(cell(i - 1, j)[0], cell(i, j - 1)[0]), 0

    return cell(len(first), len(second))[0]


def longest_common_subsequence(first: Sequence[str], second: Sequence[str]) -> int:
    if not first or not second:
        return 0
    if first[0] == second[0]:
        return 1 + longest_common_subsequence(first[1:], second[1:])
    return max(longest_common_subsequence(first[1:], second), longest_common_subsequence(first, second[1:]))


@given(TOKENS, TOKENS, st.sampled_from([1.0, 1.2, 2.0]))
def test_the_table_is_the_recurrence(first: list[str], second: list[str], weight: float) -> None:
    assert weighted_lcs(first, second, weight) == pytest.approx(by_recursion(first, second, weight))
    assert weighted_lcs(first, second, 1.0) == pytest.approx(longest_common_subsequence(first, second))


@given(TOKENS, TOKENS)
def test_values_lie_between_0_and_1(first: list[str], second: list[str]) -> None:
    found = rouge_w(first, second)
    assert 0 <= found.precision <= 1 + 1e-12
    assert 0 <= found.recall <= 1 + 1e-12
    if first:
        assert rouge_w(first, first) == pytest.approx((1.0, 1.0))


def test_the_papers_example() -> None:
    """Lin 2004: adjacent matches win, where ROUGE-L has a tie."""
    reference, adjacent, scattered = "abcdefg", "abcdhik", "ahbkcid"
    assert rouge_w(adjacent, reference, 2.0).recall == pytest.approx(4 / 7)
    assert rouge_w(scattered, reference, 2.0).recall == pytest.approx(2 / 7)


def test_the_metric() -> None:
    metric = RougeW(measure="recall", weight=2)
    assert metric.segment_scores(["a b c d h i k"], [["a b c d e f g"], ["z"]]) == pytest.approx([4 / 7])
    assert metric.segment_scores([""], [["a"]]).tolist() == [0]
    assert "wt:2.0" in metric.get_signature().format(short=True)
    with pytest.raises(ValueError, match="weight"):
        RougeW(weight=0.5)
