"""Normal forms: as Unicode's own wherever no more than 30 marks follow one another, and never slow."""

import unicodedata

import pytest
from hypothesis import given
from hypothesis import strategies as st

from referenceless_metrics.core.support.normal_forms import normalise

FORMS = ["NFC", "NFKC", "NFKD"]
ONE_CLASS, TWO_CLASSES, FALL_APART, HALF_WIDTH = "\u0301", "\u0323\u0301", "\u0f73", "\uff9e"


@given(st.sampled_from(FORMS), st.text(st.sampled_from("aé\u0301\u0323\u0f73\uff9eΣ가 "), max_size=30))
def test_texts_with_few_marks_are_as_unicodedata_has_them(form, text):
    assert normalise(form, text) == unicodedata.normalize(form, text)


@pytest.mark.parametrize("marks", [ONE_CLASS, TWO_CLASSES, FALL_APART, HALF_WIDTH])
@pytest.mark.parametrize("form", FORMS)
def test_no_more_than_thirty_marks_are_sorted_together(form, marks):
    found = normalise(form, "a" + marks * 100)
    decomposed = unicodedata.normalize("NFKD", found)
    most = 30 * len(unicodedata.normalize("NFKD", marks[0]))
    runs = "".join("m" if unicodedata.combining(character) else " " for character in decomposed).split()
    assert max(map(len, runs)) <= most
    assert decomposed.replace("\u034f", "").count(unicodedata.normalize("NFKD", marks)[0]) == 100


def test_thirty_marks_are_left_as_they_are():
    text = "q" + "\u0301" * 30
    assert normalise("NFC", text) == text
    assert normalise("NFC", text + "\u0301") == text + "\u034f\u0301"
