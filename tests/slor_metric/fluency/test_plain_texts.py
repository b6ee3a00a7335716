"""One scan over texts, against the patterns that it stands for."""

from hypothesis import given
from hypothesis import strategies as st

from slor_metric.fluency.markup import _SUSPECT
from slor_metric.fluency.plain_texts import PLAIN_SENTENCE, PROSE_ALONE, scan
from slor_metric.fluency.sentences import _PLAIN

PARTS = [
    "A",
    "xD",
    "XD",
    "www.",
    "://",
    "GPT-4",
    "4a",
    "f(",
    ":-)",
    ";P",
    "!?",
    "iPhone",
    "ABc",
    "Anna: B",
    "Über",
    "a.",
]
ASCII = st.text(st.characters(max_codepoint=127), max_size=12)


@given(st.lists(st.lists(ASCII | st.sampled_from(PARTS), max_size=4).map("".join), max_size=4))
def test_what_is_sure_of_a_text(texts):
    for text, flags in zip(texts, scan(texts).tolist(), strict=True):
        is_read = text.isascii() and "\0" not in text
        assert bool(flags & PROSE_ALONE) == (is_read and not _SUSPECT.search(text))
        assert bool(flags & PLAIN_SENTENCE) == (is_read and ":" not in text and bool(_PLAIN.fullmatch(text)))
