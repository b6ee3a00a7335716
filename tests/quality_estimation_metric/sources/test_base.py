from hypothesis import given
from hypothesis import strategies as st

from quality_estimation_metric.sources.base import plain, split_words


def test_contractions_and_punctuation_stand_apart():
    words = split_words("It isn't Annie's; they’ll e-mail £7.50 at 10:30!")
    assert words == "it is n't annie 's ; they 'll e-mail £ 7.50 at 10:30 !".split()


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


def test_plain_words_have_no_accents():
    assert plain("Crème") == "creme"
