import pytest
from hypothesis import given
from hypothesis import strategies as st

from quality_estimation_metric.sources.base import split_words
from quality_estimation_metric.sources.delexicalise import PUBLISHED_SLOTS, delexicalise

MR = "inform(name='x',near='x',area='south of x',type=restaurant,kids_allowed=yes,price_range=dont_care)"


def test_the_longest_value_is_replaced_first_and_each_once():
    found = delexicalise("X, south of X and near X, near x.", MR)
    assert found.text == "X-name , X-area and near X-near , near x ."
    assert [triple.slot for triple in found.unmatched] == ["type"]
    assert found.replaced == (("x",), ("south", "of", "x"), ("x",))


CAFE = "inform(name='Cafe du Soleil')"


@pytest.mark.parametrize(
    "text, source, delexicalised",
    [
        ("the Café du Soleil is good", CAFE, "the X-name is good"),
        ("cafe soleil is good", CAFE, None),
        ("the cafedusoleil", CAFE, "the X-name"),
        ("cafe du soliel is far", CAFE, None),
        ("cafe du solel is far", CAFE, "X-name is far"),
        ("cafe of du soleils", CAFE, "X-name"),
        ("there are 2 restaurants", "inform(type=restaurant)", "there are 2 X-type"),
        ("call 4152828283", "inform(phone='4152828284')", None),
        ("call (415) 282-8284 .", "inform(phone='4152828284')", "call ( X-phone ."),
        ("it is 2,702 metres long", "a | length | 2702.0", "it is X-length metres long"),
        ("12 of 34 and 5", "inform(count=1234)", None),
        ("an end", "inform(name='and')", None),
        ("Ann Lee is of Bad Ems.", "Ann_Lee | birthPlace | Bad_Ems", "X-subject is of X-birthPlace ."),
        ("a cat", "What is it?", None),
    ],
)  # fmt: skip
def test_values_are_found_with_small_differences(text, source, delexicalised):
    slots = None if "|" in source else PUBLISHED_SLOTS
    assert delexicalise(text, source, slots).text == (delexicalised or text)


WORDS = "red door cafe caffe x X the of n't 'd é 7.50 . , I'm restaurants restaurant"
words_of_texts, SLOTS = st.sampled_from(WORDS.split()), st.sampled_from(sorted(PUBLISHED_SLOTS))


@given(
    st.lists(words_of_texts, max_size=12).map(" ".join) | st.text(max_size=40),
    st.lists(st.tuples(SLOTS, st.lists(words_of_texts, min_size=1, max_size=3).map(" ".join)), max_size=4),
)
def test_delexicalisation_is_undone(text, slots):
    found = delexicalise(text, [("inform", slot, value) for slot, value in slots])
    replaced = iter(found.replaced)
    restored = [next(replaced) if token.startswith("X-") else (token,) for token in found.tokens]
    assert [word for words in restored for word in words] == split_words(text)
    assert len(found.replaced) + len(found.unmatched) == sum(value != "dont_care" for _, value in slots)
