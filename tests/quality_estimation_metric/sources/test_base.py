from hypothesis import given
from hypothesis import strategies as st

from quality_estimation_metric.sources.base import split_words


@given(st.text(max_size=60))
def test_no_character_but_white_space_is_lost(text):
    assert "".join(split_words(text)) == "".join(text.lower().replace("’", "'").split())
