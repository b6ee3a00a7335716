"""One scan over texts, against the patterns and rules that it stands for."""

import re

import numpy as np
import pandas as pd
import pytest
from hypothesis import given
from hypothesis import strategies as st
from strange_texts import FRENCH, GERMAN, JAPANESE, unknown_scripts

from slor_metric.fluency.markup import _SUSPECT, NAME, prose_beside_names, prose_of
from slor_metric.fluency.plain_texts import (
    ANY_SENTENCE,
    ASIDE_SENTENCE,
    MARKS_INSIDE,
    NAMES_ALONE,
    PLAIN_SENTENCE,
    PROSE_ALONE,
    QUOTED_SENTENCE,
    scan,
)
from slor_metric.fluency.sentences import _PLAIN, Sentences, _AsRead, _sentences_of, read_sentences

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
    ":-3",
    "!?",
    "iPhone",
    "ABc",
    "Anna: B",
    "Über",
    "a.",
    "'",
    "12. ",
    "b) ",
    "1) ",
    "* ",
    "- ",
    " (an aside)",
    "'(x)'",
    " [4]",
    "(d. 1900)",
    " of four words more",
    "&amp;",
    "---",
    '" Why ? "',
    " said she .",
    "\U0001f600",
    "\u2192",
    "\u2605",
    "\u2014",
]
TEXT = st.text(st.characters(max_codepoint=127) | st.sampled_from("éß×东–—’‘„…«\u00a0\u2028\ud800"), max_size=12)
TEXTS = st.lists(st.lists(TEXT | st.sampled_from(PARTS), max_size=5).map("".join), max_size=4)
# a bracket after a letter beyond ASCII, and characters with the same first bytes as emoji and arrows are left open
OPEN = re.compile(r"[^\x00-\x7f]\(|[\u2180-\u218f\U00010000-\U0010ffff]")


def read_by_rules(texts):
    """Return the sentences of texts, each read by Python's rules alone."""
    parts = [prose_of(text) for text in texts]
    own = [_sentences_of(part.text, text, "en") for part, text in zip(parts, texts, strict=True)]
    prose = [part.text.replace(NAME, " ") if part.names else part.text for part in parts]
    sentences = [sentence for of_text in own for sentence in of_text]
    return Sentences(
        read=[sentence.text for sentence in sentences],
        counts=np.array([len(of_text) for of_text in own], dtype=np.int64),
        stopped=np.array([sentence.stopped for sentence in sentences], dtype=bool),
        notes=[sentence.note for sentence in sentences],
        prose=prose,
        has_prose=np.array([bool(text.strip()) for text in prose], dtype=bool),
        read_over=[", ".join(part.read_over) for part in parts],
        names=[part.names for part in parts],
    )


def assert_read_by_rules(texts):
    found, expected = vars(read_sentences(texts)), vars(read_by_rules(texts))
    assert {name: list(values) for name, values in found.items()} == {
        name: list(values) for name, values in expected.items()
    }


@given(TEXTS)
def test_what_is_sure_of_a_text(texts):
    for text, flags in zip(texts, scan(texts).tolist(), strict=True):
        assert bool(flags & PROSE_ALONE) == (not _SUSPECT.search(text) and not OPEN.search(text))
        if text.isascii() and ":" not in text and _PLAIN.fullmatch(text):
            assert flags & PLAIN_SENTENCE
        if flags & (PLAIN_SENTENCE | MARKS_INSIDE) == PLAIN_SENTENCE:
            assert _sentences_of(text, text, "en") == [_AsRead(text)]
        if flags & NAMES_ALONE:
            assert not flags & PROSE_ALONE
            assert prose_beside_names(text) == prose_of(text)
        assert flags & ANY_SENTENCE in (0, PLAIN_SENTENCE, QUOTED_SENTENCE, ASIDE_SENTENCE)


@given(TEXTS)
def test_sentences_of_a_scan_are_those_of_the_rules(texts):
    assert_read_by_rules(texts)


def test_sentences_of_strange_texts_are_those_of_the_rules():
    assert_read_by_rules([*GERMAN, *FRENCH, *JAPANESE, *unknown_scripts(200), *PARTS])


@pytest.mark.parametrize(
    ("folder", "name", "options", "column"),
    [
        ("gug", "gug_annotations.tsv", {"sep": "\t", "quoting": 3}, "Sentence"),
        ("fluency", "simplicity_da_with_references.csv", {}, "source"),
        ("inlg16", "rated_texts.csv", {}, "text"),
    ],
)
def test_sentences_of_real_texts_are_those_of_the_rules(folder, name, options, column, data_dir):
    texts = pd.read_csv(data_dir(folder) / name, keep_default_na=False, **options)[column].tolist()
    assert_read_by_rules(texts[:1500])


def test_most_sentences_are_sure():
    plain = ["5 cats , or 6 .", "Well . . .", "all is left: eggs and so on.", "It is the boys.'", "'Tis so."]
    plain += ["café !", "Zoë’s cat – it sat."]
    quoted = ['" Go , " he said .', " A cat sat.", 'He said "no."', '"\'Tis so," she said.']
    asides = ["A cat (it was old) sat.", 'He (Tom) said "no."']
    assert set(scan(plain).tolist()) == {PROSE_ALONE | PLAIN_SENTENCE}
    assert set(scan(quoted).tolist()) == {PROSE_ALONE | QUOTED_SENTENCE}
    assert set(scan(asides).tolist()) == {PROSE_ALONE | ASIDE_SENTENCE}
    assert set(scan(["He flew an F-15.", "See LaGuardia."]).tolist()) == {NAMES_ALONE | PLAIN_SENTENCE}
    several = ["Is it? It is.", "Mr. Smith sat.", "It cost 3.50."]
    assert set(scan(several).tolist()) == {PROSE_ALONE | PLAIN_SENTENCE | MARKS_INSIDE}
    others = ["1. A cat.", "1) A cat.", "- A cat.", "'A cat.'", "“A cat.”", "(A cat.)", "A cat", "Is it? It is", "东."]
    assert set(scan(others).tolist()) == {PROSE_ALONE}
