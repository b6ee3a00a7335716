from hypothesis import given
from hypothesis import strategies as st

from quality_estimation_metric.sources import base
from quality_estimation_metric.sources.base import split_words


@given(st.text(max_size=60))
def test_no_character_but_white_space_is_lost(text):
    assert "".join(split_words(text)) == "".join(text.lower().replace("’", "'").split())


@given(st.text(st.sampled_from("nN'’t -a1.,:sédİΣ\u0301\x1f\u2028"), max_size=40))
def test_words_are_those_of_the_whole_text(text):
    """Whatever stands between white space is read by itself, and remembered."""
    assert split_words(text) == base._TOKEN.findall(text.lower().replace("’", "'"))


def test_words_that_are_kept_take_little_memory(monkeypatch):
    monkeypatch.setattr(base, "_MOST_KEPT", 2)
    kept = base._WordsOfChunks()
    long = "x" * 101
    assert [kept[chunk] for chunk in ("a", "b.", long, "c")] == [("a",), ("b", "."), (long,), ("c",)]
    assert list(kept) == ["c"]
