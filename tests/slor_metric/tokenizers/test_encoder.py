"""The encoder against the tokenisers themselves: every way through it gives the same ids."""

import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from slor_metric.tokenizers.encoder import JoinedTexts, TextEncoder
from slor_metric.tokenizers.words import PLAIN, WhitespaceTokeniser, WordPieceTokeniser, WordTokeniser, tokenise

WORDS = """the cat sat do n't 's 've ' " - . , 1999 4.06 8,687,956 o'clock well-known ma'am ca wo not it a b n nt t s
don't café é ж 東京 _ ! antidisestablishmentarianism antidisestablishmentarianisms"""
PIECES = """the cat ##s s ##at un ##happi ##ness ##n n ' 1 ##9 ##, 4 ##. ##0 ##6 - ##- well ##k ##now ##n't a b ##a ##b
t ##t ##é caf ж ##ж ##clock o ##' . , " ! antidisestablish ##mentarian ##ism"""
TOKENISERS = {
    "words": (WordTokeniser(), WORDS.split()),
    "wordpiece": (WordPieceTokeniser(PIECES.split()), PIECES.split()),
    "whitespace": (WhitespaceTokeniser(), [*WORDS.split(), "The", "don’t", "a\0"]),
}
TEXTS = [
    "The cat sat.",
    "“Don’t,” she said — ‘never’!",
    "wait -- what... ``quoted'' '''",
    "8,687,956 at 4.06% in 1999-2000, 20th, 1,a 1.",
    "n't don't ma'am o'clock it's well-don't the-n't 's's 'sx 've",
    "unhappiness unhappinesx " + "a" * 100 + " " + "a" * 101 + " " + "the" * 40,
    "antidisestablishmentarianism antidisestablishmentarianisms Antidisestablishmentarianism",
    "a\0b \0 a\0",
    "a\u00adb \u200b c\x1cd\x85e\u3000f",
    "東京 is big ΟΔΟΣ ΣΑΣ İ cafe\u0301 café",
    "\ud800 lone",
    "",
    " \t\n ",
]


def encoder(name):
    tokeniser, vocabulary = TOKENISERS[name]
    made = TextEncoder(tokeniser, {token: i for i, token in enumerate(vocabulary, start=3)})
    assert made._vocabulary.mode >= 0  # once these tables are there, they read few texts too
    return made


def twin(name, texts):
    tokeniser, vocabulary = TOKENISERS[name]
    ids = {token: i for i, token in enumerate(vocabulary, start=3)}
    return [i for text in texts for i in (1, *(ids.get(token, 0) for token in tokenise(tokeniser, text)), 2)]


@pytest.mark.parametrize("name", TOKENISERS)
def test_equals_the_tokeniser(name):
    made = encoder(name)
    for text in TEXTS:
        assert made.encode([text]).tolist() == twin(name, [text]), text
    for texts in (TEXTS, TEXTS[:7], [], [""]):
        assert made.encode(texts).tolist() == twin(name, texts)


@pytest.mark.parametrize("name", ["words", "wordpiece"])
def test_python_reads_no_chunk_that_the_kernel_can_read(name, monkeypatch):
    """In a text with other characters it reads those chunks alone that hold them."""
    made, read = encoder(name), []
    split = made._tokenizer.split_chunk
    monkeypatch.setattr(made._tokenizer, "split_chunk", lambda chunk: read.append(chunk) or split(chunk))
    texts = ["the café sat.", "The “東京” cat’s " + "a" * 101, "é\u2003\0"]
    made.encode(texts)
    assert sorted(read) == sorted(["café", "“東京”", "é", "\0"])


ENGLISH = st.text(alphabet="abnNtTsSmdDrReEvVlL'`’“-–.,19_ \"\0\x1c\t!#é東", max_size=40)


@pytest.mark.parametrize("name", TOKENISERS)
@given(texts=st.lists(st.one_of(ENGLISH, st.text(max_size=20)), max_size=5))
def test_equals_the_tokeniser_on_any_text(name, texts):
    assert encoder(name).encode(texts).tolist() == twin(name, texts)


@pytest.mark.parametrize("plain", [{}, PLAIN])
@given(
    texts=st.lists(st.one_of(ENGLISH, st.text(max_size=20), st.sampled_from(TEXTS)), max_size=5),
    is_ascii_read=st.booleans(),
)
def test_chunks_of_ascii_are_parted_from_others(plain, texts, is_ascii_read):
    parted = JoinedTexts(texts).parted(plain, is_ascii_read=is_ascii_read)
    written, others = [], []
    for text in texts:
        own = ""
        for part in re.split(r"(\s)", text):
            chunk = part if text.isascii() and "\0" not in text else part.translate(plain)
            if not part or part.isspace():
                own += part if part.isascii() else " "
            elif is_ascii_read and chunk.isascii() and "\0" not in chunk:
                own += chunk
            else:
                own += "\x80"
                others.append(part)
        written.append(own)
    assert parted.others == others
    assert parted.lengths.tolist() == list(map(len, written))
    assert parted.characters.tobytes().decode("latin-1") == "".join(written)


def test_a_tokeniser_of_the_users_own_is_asked_for_every_text():
    class Letters(WordTokeniser):
        def split_chunk(self, chunk):
            return list(chunk)

    made = TextEncoder(Letters(), {"c": 3, "a": 4})
    assert made.encode(["cat a"]).tolist() == [1, 3, 4, 0, 4, 2]
