"""Texts cut into sentences: marks that end one and that do not, and notes on sentences."""

import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from slor_metric.fluency.sentences import _without_asides, read_sentences, split_sentences


@pytest.mark.parametrize(
    "sentences",
    [
        ["Dr. Smith met Mrs. Jones at 5 p.m. on Friday.", "They left."],
        ["The price rose by 3.5 percent to $5.99.", "It fell again."],
        ['He said: "I will go. You stay."', "Then he left."],
        ["J. K. Rowling wrote it.", "The U.S. Army bought it."],
        ["See Fig. 3, e.g. the left one (cf. p. 5).", "Next one!"],
        ["1. Mix the eggs.", "2. Bake."],
        ["- Milk", "- Eggs and a line\nthat goes on"],
        ["Introduction", "The mayor came."],
        ["Is it?", "Yes, it is... I think."],
    ],
)
def test_ends_of_sentences(sentences):
    between = "\n" if sentences[0][-1].isalpha() or sentences[0][0].isdigit() else " "
    assert split_sentences(between.join(sentences)) == sentences


@pytest.mark.parametrize(
    "text, note, read",
    [
        ("The mayor came.", "", "The mayor came."),
        ("The mayor came", "no final full stop", "The mayor came ."),
        ("He asked: “Why?”", "", "He asked:  Why?"),
        ("The Lord of the Rings", "title or headline", "The Lord of the Rings ."),
        ("new rule for small farms", "title or headline", "new rule for small farms ."),
        ("• Flour [sifted]", "list item", "Flour [sifted] ."),
        ("b) The eggs are beaten.", "list item", "The eggs are beaten."),
        ("| The eggs are beaten. |", "list item", "The eggs are beaten."),
        ("Anna: The eggs are beaten.", "", "The eggs are beaten."),
        ("Speaker 2: Are the eggs beaten?", "", "Are the eggs beaten?"),
        ("Three things are left: eggs.", "", "Three things are left: eggs."),
        ("We assume that $x_1 > 0$ is even.", "", "We assume that Zhivkovic is even."),
        ("The area $A = \\pi r^2$ of the circle is known.", "", "The area   of the circle is known."),
        ("It costs $5 and $6 today.", "", "It costs $5 and $6 today."),
        ("A man (or a woman) came in", "no final full stop", "A man came in ."),
        ("...", "", "..."),
    ],
)
def test_how_a_sentence_is_read(text, note, read):
    found = read_sentences([text])
    assert (found.notes, found.read) == ([note], [read])
    assert found.stopped.tolist() == [read.endswith(" .")]


@given(st.lists(st.text(st.sampled_from("ab A.!?\n\"'-1()…"), max_size=30), max_size=4))
def test_every_text_has_its_sentences(texts):
    found = read_sentences(texts)
    assert sorted(set(found.of_text.tolist())) == list(range(len(texts)))
    assert (found.of_text[1:] >= found.of_text[:-1]).all()
    for text in texts:
        if text.strip():
            assert "".join(" ".join(split_sentences(text)).split()) == "".join(text.split())


def test_lone_surrogates_are_cut_as_other_signs_are():
    assert split_sentences("The cat sat. \ud83d The dog ran.") == ["The cat sat.", "\ufffd The dog ran."]


def test_a_long_gap_costs_no_more_than_it_is_long():
    text = f"The cat sat.\nA{' ' * 200_000}dog ran."  # it took a minute
    assert [sentence.split()[:2] for sentence in split_sentences(text)] == [["The", "cat"], ["A", "dog"]]


def test_a_long_line_is_cut_after_full_width_stops_into_the_same_sentences():
    sentence = "私たちは部屋を探しています。"
    assert split_sentences(sentence * 1000) == [sentence] * 1000  # of 14,000 characters; fewer than 10,000 are not cut
    assert split_sentences(sentence * 10) == [sentence] * 10


@given(st.text("ab1_ \t\u2003()[].é", max_size=60))
def test_asides_are_left_out_with_the_spaces_before_them_if_four_words_remain(text):
    bare = re.sub(r"\s*[(\[][^()\[\]]*[)\]]", "", text)
    assert _without_asides(text) == (bare if len(re.findall(r"[^\W\d_]+", bare)) >= 4 else text)
