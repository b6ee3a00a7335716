from collections import Counter

import pytest
from hypothesis import given
from hypothesis import strategies as st

from referenceless_papers.baselines.counts import Overlap, f_measure, ngram_overlap

TOKENS = st.lists(st.sampled_from("abc"), max_size=8)


def by_marking(candidate: list[str], reference: list[str], order: int) -> tuple[float, float]:
    """Cross each n-gram of the reference out once it is found."""
    own = [candidate[place : place + order] for place in range(len(candidate) - order + 1)]
    left = [reference[place : place + order] for place in range(len(reference) - order + 1)]
    total, found = len(left), 0
    for gram in own:
        if gram in left:
            left.remove(gram)
            found += 1
    return found / max(1, len(own)), found / max(1, total)


@given(TOKENS, TOKENS, st.integers(1, 3))
def test_clipped_overlap_crosses_ngrams_out(candidate: list[str], reference: list[str], order: int) -> None:
    assert ngram_overlap(candidate, reference, order) == pytest.approx(by_marking(candidate, reference, order))


@given(TOKENS, TOKENS)
def test_unclipped_overlap_counts_every_repetition(candidate: list[str], reference: list[str]) -> None:
    found = ngram_overlap(candidate, reference, clip=False)
    assert found.precision == pytest.approx(sum(token in reference for token in candidate) / max(1, len(candidate)))
    assert found.recall == pytest.approx(sum(token in candidate for token in reference) / max(1, len(reference)))


def test_f() -> None:
    assert Overlap(0.6, 0.6).fmeasure == pytest.approx(0.6)
    assert f_measure(1.0, 0.25, beta=2) == pytest.approx(5 * 0.25 / (0.25 + 4))
    assert Overlap(0.2, 0.4).measure("recall") == 0.4
    with pytest.raises(ValueError, match="`measure`"):
        Overlap(0.2, 0.4).measure("f2")
    assert Counter("ab") & Counter("b")
