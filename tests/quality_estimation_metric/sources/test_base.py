from hypothesis import given
from hypothesis import strategies as st

from quality_estimation_metric.sources import base
from quality_estimation_metric.sources.base import split_words


@given(st.text(max_size=60))
def test_no_character_but_white_space_is_lost(text):
    assert "".join(split_words(text)) == "".join(text.lower().replace("’", "'").split())


@given(st.text(st.sampled_from("nN'’t -a1.,:sédİ\u0301\x1f\u2028"), max_size=40))
def test_words_are_those_of_the_whole_text(text):
    """Whatever stands between white space is read by itself, and remembered."""
    assert split_words(text) == base._TOKEN.findall(text.lower().replace("’", "'"))
