"""Pairs of answers that are the same, and the share of one of two answers."""

import pytest

from referenceless_metrics.human_evaluation.studies.raters import Answer
from referenceless_metrics.human_evaluation.studies.same_answers import same_answers
from referenceless_metrics.human_evaluation.wording.agreement_output import on_answers


def answers(*given):
    return [Answer(rater, unit, value, value) for rater, unit, value in given]


def test_each_pair_of_raters_counts_once_by_first_answers():
    given = [("ann", 1, 1), ("bob", 1, 1), ("eve", 1, 0), ("ann", 2, 0), ("eve", 2, 0), ("ann", 1, 0)]
    assert same_answers(answers(*given)) == (2, 4)


def test_answers_of_two_values_have_a_share():
    told = on_answers(answers(("ann", 1, 1), ("bob", 1, 1), ("ann", 2, 1), ("bob", 2, 0)))
    assert told == ["Both gave the same answer to 1 of 2 outputs (50.0%).", "Share of answers 1: 75.0% (3 of 4)."]
    told = on_answers(answers(*((rater, 1, 0) for rater in ("ann", "bob", "eve"))))
    assert told == [
        "Two raters of an output gave the same answer in 3 of 3 pairs (100.0%).",
        "Share of answers 0: 100.0% (3 of 3).",
    ]


@pytest.mark.parametrize(("n", "told"), [(3, 1), (40, 0)])
def test_more_values_have_none_and_many_are_not_compared(n, told):
    given = answers(*((rater, unit, unit % n) for rater in ("ann", "bob") for unit in range(40)))
    assert len(on_answers(given)) == told
