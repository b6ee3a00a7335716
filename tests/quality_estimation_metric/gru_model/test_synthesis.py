import pytest
from hypothesis import given
from hypothesis import strategies as st

from quality_estimation_metric.gru_model.synthesis import SPARED, Distorter, score_after, synthesise

TOKENS = st.lists(st.sampled_from(["X-name", "is", "a", "cheap", "place", ",", "."]), min_size=1, max_size=8)


@pytest.mark.parametrize(
    ("rating", "rule", "expected"),
    [
        (6.0, "described", [4, 3, 2, 1, 1]),
        (5.5, "described", [4, 3, 2, 1, 1]),
        (5.0, "described", [4, 3, 2, 1, 1]),
        (2.5, "described", [1.5, 1, 1, 1, 1]),
        (6.0, "published", [4, 4, 3, 2, 1]),
        (5.5, "published", [4, 3.5, 2.5, 1.5, 1]),
        (5.0, "published", [4, 3, 2, 1, 1]),
    ],
)
def test_ratings_fall(rating: float, rule: str, expected: list[float]) -> None:
    assert [score_after(rating, errors, rule) for errors in range(1, 6)] == expected
    assert score_after(rating, 0, rule) == rating


@given(TOKENS, st.integers(0, 1000))
def test_an_error_changes_a_text_by_one_token(tokens: list[str], seed: int) -> None:
    out = Distorter([tokens, ["other", "words"]], seed).distort(tokens)
    assert abs(len(out) - len(tokens)) <= 1
    assert out
    if len(out) == len(tokens):  # replaced: one place differs
        assert sum(a != b for a, b in zip(out, tokens, strict=True)) == 1
    else:  # one is the other with a token more
        longer, shorter = (out, tokens) if len(out) > len(tokens) else (tokens, out)
        assert any(longer[:place] + longer[place + 1 :] == shorter for place in range(len(longer)))


def test_articles_and_punctuation_are_spared_where_that_can_be() -> None:
    tokens = ["the", "cheap", "."]
    kept = [[token for token in Distorter([tokens], seed).distort(tokens) if token in SPARED] for seed in range(200)]
    assert all({"the", "."} <= set(each) for each in kept)
    assert Distorter([["the"]], 0).distort(["the"])  # there is nothing else to pick


def test_a_text_becomes_five() -> None:
    made = synthesise([["x", "is", "good"], ["y"]], [6.0, 3.0], rule="published", seed=1)
    assert [(each.source, each.errors, each.rating) for each in made] == [
        (0, 0, 6.0), (0, 1, 4), (0, 2, 4), (0, 3, 3), (0, 4, 2),
        (1, 0, 3.0), (1, 1, 2), (1, 2, 1), (1, 3, 1), (1, 4, 1),
    ]  # fmt: skip
    assert made[0].tokens == ("x", "is", "good")
    assert made == synthesise([["x", "is", "good"], ["y"]], [6.0, 3.0], rule="published", seed=1)
    assert made != synthesise([["x", "is", "good"], ["y"]], [6.0, 3.0], rule="published", seed=2)


def test_bad_input() -> None:
    with pytest.raises(ValueError, match="one rating for each of 1 texts, but got 2"):
        synthesise([["a"]], [1.0, 2.0])
    with pytest.raises(ValueError, match="at least one token"):
        synthesise([[]], [1.0])
    with pytest.raises(ValueError, match="`rule`"):
        synthesise([["a"]], [1.0], rule="other")
    assert synthesise([], []) == []
