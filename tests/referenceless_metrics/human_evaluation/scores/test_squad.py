"""SQuAD's exact match and F1, against values worked by hand."""

import pytest

from referenceless_metrics.human_evaluation.scores.squad import exact_match, f1_of_words, plain_answer


@pytest.mark.parametrize(
    ("answer", "plain"),
    [
        ("The United  States.", "united states"),
        ("a, an, the", ""),
        ("U.S.A.", "usa"),
        ("twenty-one", "twentyone"),
        ("Theatre of an era", "theatre of era"),
        ("$3 (about)", "3 about"),
        ("naïve – Ünder", "naïve – ünder"),  # a dash that is not of ASCII stays
    ],
)
def test_answers_lose_capitals_punctuation_and_articles(answer, plain):
    assert plain_answer(answer) == plain


@pytest.mark.parametrize(
    ("answer", "right", "matched", "f1"),
    [
        ("the Canberra.", ["Canberra"], 1, 1),
        ("1889", ["in 1889"], 0, 2 / 3),  # precision 1, recall 1/2
        ("blue blue green green", ["red blue blue"], 0, 4 / 7),  # precision 2/4, recall 2/3
        ("city Rome", ["Rome", "the city of Rome"], 0, 4 / 5),  # the better of 2/3 and 4/5
        ("twenty-one", ["twenty one"], 0, 0),
        ("", ["Rome"], 0, 0),
        ("the", [], 1, 1),  # no words, and no answer
        ("Rome", [], 0, 0),
    ],
)
def test_exact_match_and_f1_are_by_the_best_right_answer(answer, right, matched, f1):
    assert exact_match(answer, right) == matched
    assert f1_of_words(answer, right) == pytest.approx(f1)
