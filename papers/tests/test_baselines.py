"""Metrics with references: against the definitions written out, and the examples of their papers."""

import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from numpy.testing import assert_allclose

from referenceless_papers.baselines import cider_d, rouge_s, rouge_w


def ngrams(tokens, order):
    return [tuple(tokens[i : i + order]) for i in range(len(tokens) - order + 1)]


def test_the_papers_example_of_rouge_w():
    """Lin 2004: adjacent matches win, whereas ROUGE-L has a tie."""
    reference, adjacent, scattered = "abcdefg", "abcdhik", "ahbkcid"
    assert rouge_w(adjacent, reference, 2.0).recall == pytest.approx(4 / 7)
    assert rouge_w(scattered, reference, 2.0).recall == pytest.approx(2 / 7)


@pytest.mark.parametrize(
    "text, shared", [("police kill the gunman", 3), ("the gunman kill police", 1), ("the gunman police killed", 2)]
)
def test_the_papers_example_of_rouge_s(text, shared):
    """Lin 2004, Section 4: three, one and two of the six pairs of "police killed the gunman"."""
    assert rouge_s(text.split(), ["police", "killed", "the", "gunman"]) == pytest.approx((shared / 6, shared / 6))


FOUR = st.lists(st.sampled_from("abcd"), max_size=7)
SEGMENTS = st.lists(st.tuples(FOUR, st.lists(FOUR, min_size=1, max_size=3)), min_size=1, max_size=4)


def by_formula(candidates, references):
    """The paper's formula with vectors over all n-grams that occur."""
    out = []
    for candidate, own in zip(candidates, references, strict=True):
        total = 0.0
        for order in range(1, 5):
            grams = [ngrams(text, order) for text in [candidate, *own]]
            every = sorted(set().union(*grams))
            holders = [sum(any(g in ngrams(r, order) for r in rs) for rs in references) for g in every]
            rarity = np.log(len(references) / np.maximum(1, holders))
            first, *others = (np.array([own_grams.count(g) for g in every]) * rarity for own_grams in grams)
            for reference, other in zip(own, others, strict=True):
                below = np.linalg.norm(first) * np.linalg.norm(other)
                if below:
                    damping = math.exp(-((len(candidate) - len(reference)) ** 2) / 72)
                    total += damping * float(np.minimum(first, other) @ other) / below / len(own)
        out.append(10 * total / 4)
    return out


@given(SEGMENTS)
def test_values_are_those_of_the_formula(segments):
    candidates, references = [text for text, _ in segments], [own for _, own in segments]
    assert_allclose(cider_d(candidates, references), by_formula(candidates, references), atol=1e-9)
