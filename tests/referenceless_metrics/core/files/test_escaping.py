"""Texts as they may stand beside others."""

import re
from unicodedata import category

import pytest
from hypothesis import given
from hypothesis import strategies as st

from referenceless_metrics.core.files.escaping import code, escaped, one_line, visible

REORDERING = "\u061c\u200e\u200f\u202a\u202b\u202c\u202d\u202e\u2066\u2067\u2068\u2069"


@given(st.text(alphabet=st.characters() | st.sampled_from(REORDERING + "\r\n\t\x1b\x85\u2028")))
def test_nothing_that_controls_is_left(text):
    shown = one_line(text)
    assert not any(category(character) == "Cc" or character in REORDERING for character in shown)
    assert len(shown.splitlines()) <= 1
    kept = visible(text, keep="\n")
    assert kept.count("\n") == text.count("\n")


@pytest.mark.parametrize("character", REORDERING)
def test_what_reorders_is_named(character):
    assert visible(f"a{character}b") == f"a[U+{ord(character):04X}]b"


@given(st.text())
def test_markdown_of_any_text_is_one_line_without_markup(text):
    shown = escaped(text)
    assert "\n" not in shown
    assert re.search(r"(?<!\\)(?:\\\\)*[|*_`<]", shown) is None
    assert code(text).count("`") == 2
