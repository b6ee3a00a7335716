"""WordPiece: greedy matching against Hugging Face's, and training that is the same on every run."""

import pytest
from command_lines import python
from hypothesis import given
from hypothesis import strategies as st
from refusals import refused

from slor_metric.tokenizers.words import WordPieceTokeniser, train_wordpiece

COUNTS = {
    "the": 300, "then": 40, "there": 60, "here": 50, "hen": 20, "tree": 30, "trees": 25, "three": 30, "ether": 5,
    "rest": 20, "resting": 10, "nesting": 12, "nest": 15, "singing": 9, "sing": 14, "rare": 1, "żubr": 2, ".": 200,
}  # fmt: skip
COUNTS = {word: 150 * count for word, count in COUNTS.items()} | {"żubr": 2}
OPTIONS = {"vocab_size": 60, "progress": False}


@pytest.fixture(scope="module")
def vocabulary():
    return train_wordpiece(COUNTS, **OPTIONS)


@pytest.mark.long
def test_every_run_gives_the_same(vocabulary):
    # New processes: the order of a hash map differs between them.
    program = (
        "from slor_metric.tokenizers.words import train_wordpiece\n"
        f"print('\\n'.join(train_wordpiece({COUNTS!r}, **{OPTIONS!r})))"
    )
    for _ in range(2):
        assert python(program).stdout.split("\n")[:-1] == vocabulary
    backwards = dict(reversed(COUNTS.items()))
    assert train_wordpiece(backwards, **OPTIONS) == vocabulary


@given(st.text(alphabet="thernsig.żx", max_size=20))
def test_equals_hugging_face(vocabulary, word):
    from tokenizers import Tokenizer
    from tokenizers.models import WordPiece

    ids = {piece: i for i, piece in enumerate([*vocabulary, "<unk>"])}
    reference = Tokenizer(WordPiece(ids, unk_token="<unk>", max_input_chars_per_word=100))
    expected = reference.encode(word, add_special_tokens=False).tokens
    assert (WordPieceTokeniser(vocabulary).split_word(word) if word else []) == expected


def test_refuses_what_cannot_be_trained():
    with refused(r"vocab_size.*alphabet"):
        train_wordpiece(COUNTS, vocab_size=5, progress=False)
    with refused("word_counts"):
        train_wordpiece({}, progress=False)
    with refused("vocab_size", TypeError):
        train_wordpiece(COUNTS, vocab_size=5.5, progress=False)
