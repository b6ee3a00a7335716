import pytest
from hypothesis import given
from hypothesis import strategies as st
from refusals import refused

from referenceless_papers.gru_estimator.inputs import Prepared
from referenceless_papers.gru_estimator.synthesis import SPARED, Distorter, score_after, synthesise

TOKENS = st.lists(st.sampled_from("X-name is a cheap place , .".split()), min_size=1, max_size=8)


@pytest.mark.parametrize(
    "rating, expected",
    [
        (6.0, [4, 3, 2, 1, 1]),
        (5.5, [4, 3, 2, 1, 1]),
        (5.0, [4, 3, 2, 1, 1]),
        (2.5, [1.5, 1, 1, 1, 1]),
    ],
)
def test_ratings_fall(rating, expected):
    assert [score_after(rating, errors) for errors in range(1, 6)] == expected
    assert score_after(rating, 0) == rating


@given(TOKENS, st.integers(0, 1000))
def test_an_error_changes_a_text_by_one_token(tokens, seed):
    out = Distorter([tokens, ["other", "words"]], seed).distort(tokens)
    assert abs(len(out) - len(tokens)) <= 1
    assert out
    if len(out) == len(tokens):  # replaced: one place differs
        assert sum(a != b for a, b in zip(out, tokens, strict=True)) == 1
    else:  # one is the other with a token more
        longer, shorter = (out, tokens) if len(out) > len(tokens) else (tokens, out)
        assert any(longer[:place] + longer[place + 1 :] == shorter for place in range(len(longer)))


def test_articles_and_punctuation_are_spared_where_that_can_be():
    tokens = ["the", "cheap", "."]
    kept = [[token for token in Distorter([tokens], seed).distort(tokens) if token in SPARED] for seed in range(200)]
    assert all({"the", "."} <= set(each) for each in kept)
    assert Distorter([["the"]], 0).distort(["the"])  # there is nothing else to pick


def test_a_text_becomes_five():
    texts, ratings = [Prepared(("x", "is", "good"), (("a", "b", "c"),)), Prepared(("y",))], [6.0, 3.0]
    made = synthesise(texts, ratings, seed=1)
    assert [rating for _, rating in made] == [6.0, 4, 3, 2, 1, 3.0, 2, 1, 1, 1]
    assert [text.items for text, _ in made] == [texts[0].items] * 5 + [()] * 5
    assert made[0][0] == texts[0]
    assert made == synthesise(texts, ratings, seed=1)
    assert made != synthesise(texts, ratings, seed=2)


def test_bad_input():
    with refused("at least one token"):
        synthesise([Prepared(())], [1.0])
