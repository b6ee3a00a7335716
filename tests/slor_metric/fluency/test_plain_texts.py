"""One scan over texts, against the patterns and rules that it stands for."""

import re

from hypothesis import given
from hypothesis import strategies as st

from slor_metric.fluency.markup import _SUSPECT
from slor_metric.fluency.plain_texts import PLAIN_SENTENCE, PROSE_ALONE, QUOTED_SENTENCE, scan
from slor_metric.fluency.sentences import _PLAIN, _AsRead, _sentences_of

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
    "'",
    "12. ",
    "b) ",
    '" Why ? "',
    " said she .",
    "\U0001f600",
    "\u2192",
    "\u2605",
    "\u2014",
]
TEXT = st.text(st.characters(max_codepoint=127) | st.sampled_from("é东„…\ud800"), max_size=12)
# a bracket after a letter beyond ASCII, and characters with the same first bytes as emoji and arrows are left open
OPEN = re.compile(r"[^\x00-\x7f]\(|[\u2180-\u218f\U00010000-\U0010ffff]")


@given(st.lists(st.lists(TEXT | st.sampled_from(PARTS), max_size=4).map("".join), max_size=4))
def test_what_is_sure_of_a_text(texts):
    for text, flags in zip(texts, scan(texts).tolist(), strict=True):
        assert bool(flags & PROSE_ALONE) == (not _SUSPECT.search(text) and not OPEN.search(text))
        if text.isascii() and ":" not in text and _PLAIN.fullmatch(text):
            assert flags & PLAIN_SENTENCE
        if flags == PROSE_ALONE | PLAIN_SENTENCE:
            assert _sentences_of(text, text, "en") == [_AsRead(text)]
        if flags == PROSE_ALONE | QUOTED_SENTENCE:
            assert _sentences_of(text, text, "en") == [_AsRead(text.replace('"', " ").strip())]


def test_most_sentences_are_sure():
    plain = ["5 cats , or 6 .", "Well . . .", "all is left: eggs and so on.", "It is the boys.'"]
    quoted = ['" Go , " he said .', " A cat sat.", 'He said "no."', '"\'Tis so," she said.']
    assert set(scan(plain).tolist()) == {PROSE_ALONE | PLAIN_SENTENCE}
    assert set(scan(quoted).tolist()) == {PROSE_ALONE | QUOTED_SENTENCE}
    assert set(scan(["café !", "1. A cat.", "'A cat.'", "Is it? It is.", "A cat", "(A cat.)"]).tolist()) == {
        PROSE_ALONE
    }
