import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from referenceless_papers.baselines.cider import Cider, cider_d

TOKENS = st.lists(st.sampled_from("abcd"), min_size=0, max_size=7)
SEGMENTS = st.lists(st.tuples(TOKENS, st.lists(TOKENS, min_size=1, max_size=3)), min_size=1, max_size=4)


def by_formula(candidates: list[list[str]], references: list[list[list[str]]]) -> list[float]:
    """The paper's formula with vectors over all n-grams that occur."""

    def grams(tokens: list[str], order: int) -> list[tuple[str, ...]]:
        return [tuple(tokens[i : i + order]) for i in range(len(tokens) - order + 1)]

    out = []
    for candidate, own in zip(candidates, references, strict=True):
        total = 0.0
        for order in range(1, 5):
            every = sorted({g for text in [candidate, *own] for g in grams(text, order)})
            rarity = np.array(
                [
                    math.log(len(references) / max(1, sum(any(g in grams(r, order) for r in rs) for rs in references)))
                    for g in every
                ]
            )
            vector = [np.array([grams(text, order).count(g) for g in every]) * rarity for text in [candidate, *own]]
            for reference, other in zip(own, vector[1:], strict=True):
                below = np.linalg.norm(vector[0]) * np.linalg.norm(other)
                if below:
                    damping = math.exp(-((len(candidate) - len(reference)) ** 2) / 72)
                    total += damping * float(np.minimum(vector[0], other) @ other) / below / len(own)
        out.append(10 * total / 4)
    return out


@given(SEGMENTS)
def test_values_are_those_of_the_formula(segments: list[tuple[list[str], list[list[str]]]]) -> None:
    candidates, references = [text for text, _ in segments], [own for _, own in segments]
    np.testing.assert_allclose(cider_d(candidates, references), by_formula(candidates, references), atol=1e-9)


def test_a_copy_scores_10_and_one_segment_alone_0() -> None:
    references = ["a cat sat on the mat", "dogs bark at night in town"]
    assert Cider().segment_scores(references, [references]) == pytest.approx([10, 10])
    assert Cider().segment_scores(references[:1], [references[:1]]).tolist() == [0]
    assert Cider().segment_scores(["", "x"], [references]).tolist() == [0, 0]
    assert "sig:6.0" in Cider().get_signature().format(short=True)
