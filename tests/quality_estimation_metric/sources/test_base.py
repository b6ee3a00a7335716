from hypothesis import given
from hypothesis import strategies as st

from quality_estimation_metric.sources.base import split_words


@given(st.text(max_size=60))
def test_no_character_but_white_space_is_lost(text):
    joined = "".join(split_words(text))
    assert joined == "".join(text.lower().replace("’", "'").split())
    assert (
        split_words(" ".join(split_words(text))) == split_words(text)
        or "'" in text
        or not text.isascii()
        or any(character in text for character in ".,:-n")
    )
