from __future__ import annotations

import pytest

from quality_estimation_metric.reading import check_rated_texts, choose_scope, parse_sources, read, read_all
from quality_estimation_metric.sources import parse_mr


def test_a_text_is_read_with_its_source() -> None:
    reading = read("Chow  serves Thai food.", parse_mr("inform(name=chow,food=thai,kids_allowed=yes)"))
    assert reading.text == "Chow serves Thai food."
    assert reading.delexicalised == "X-name serves X-food food ."
    assert reading.spelled == "name serves food food ."
    assert [triple.value for triple in reading.source] == ["X-name", "X-food", "yes"]
    assert reading.n_values == 2
    assert [triple.slot for triple in reading.errors.missing] == ["kids_allowed"]


def test_without_scope_nothing_is_replaced() -> None:
    reading = read("Chow is thai.", parse_mr("inform(name=chow)"), "none")
    assert reading.delexicalised == "chow is thai ."
    assert reading.source[0].value == "chow"


def test_equal_pairs_are_read_once() -> None:
    one, two, three = read_all(["a b", "a b", "c"], None, "none")
    assert one is two
    assert three.tokens == ("c",)


def test_scope_follows_the_sources() -> None:
    mixed = [parse_mr("inform(name=a,rating=b,stars=c,view=d)")]
    assert choose_scope(mixed) == "all"
    assert choose_scope([parse_mr("name[x], eatType[y]")]) == "published"


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
def test_sources_that_cannot_be_read_are_named(sources: object, error: type[Exception], message: str) -> None:
    with pytest.raises(error, match=message):
        parse_sources(sources, 2)


def test_rated_texts_are_not_empty() -> None:
    with pytest.raises(ValueError, match="item 1 is empty"):
        check_rated_texts(["a", " "])
