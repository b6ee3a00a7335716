import numpy as np
import pytest

from quality_estimation_metric.rated_inputs import check_rated_texts, content_hash, known_slots, parse_sources
from quality_estimation_metric.sources import parse_mr


@pytest.mark.parametrize(
    ("sources", "error", "message"),
    [
        ("inform()", TypeError, "`sources` to be a list with one source for each text, but got str"),
        ({"name": "x"}, TypeError, "one source for each text, but got dict"),
        (5, TypeError, "one source for each text, but got int 5"),
        (["inform()"], ValueError, "one source for each of the 2 texts, but got 1"),
        (["inform()", 7], TypeError, "but item 1 is int 7"),
        (
            ["inform()", "inform(a='b"],
            ValueError,
            "but item 1 is a malformed meaning representation: the quote is never",
        ),
    ],
)
def test_sources_that_cannot_be_read_are_named(sources, error, message):
    with pytest.raises(error, match=message):
        parse_sources(sources, 2)


def test_rated_texts_are_not_empty():
    with pytest.raises(ValueError, match="item 1 is empty"):
        check_rated_texts(["a", " "])


def test_slots_are_known_in_lower_case():
    assert known_slots([parse_mr("name[x], eatType[y]"), parse_mr("Who is it?")]) == {"name", "eattype"}
    assert known_slots(None) == frozenset()


def test_sets_of_ratings_are_told_apart():
    ratings = np.array([1.0, 2.0])
    assert content_hash(["a", "b"], ratings) != content_hash(["ab", ""], ratings)
    assert content_hash(["a", "b"], ratings) != content_hash(["a", "b"], ratings + 1)
