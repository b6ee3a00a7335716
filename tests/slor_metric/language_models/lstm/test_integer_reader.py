"""Networks in 8 bits by whole numbers, against the same matrices as floats."""

import numpy as np
from hypothesis import given, settings
from hypothesis import strategies as st
from numpy.testing import assert_allclose, assert_array_equal

from slor_metric.language_models.lstm.integer_reader import IntegerReader
from slor_metric.language_models.lstm.model import Reader, SmallLanguageModel
from slor_metric.language_models.lstm.storage import SMALL_FILE, NetworkShape, as_floats
from tests.support.levels import at_each_level
from tests.support.tiny_small_model import TOKENS, save_random_model

TEXTS = ["the cats sat.", "", "a zebra", "the " * 120, "Balbal, zzz dend!", "naïve tast"]


@settings(max_examples=12)
@given(
    hidden=st.integers(1, 40),
    embedding=st.integers(1, 20),
    width=st.integers(1, 20),
    cutoffs=st.sampled_from([(), (3,), (20,), (17, 40)]),
)
def test_networks_of_any_size(hidden, embedding, width, cutoffs, tmp_path_factory):
    shape = NetworkShape(len(TOKENS), 1, hidden, embedding, 0.0, width, cutoffs)
    file = tmp_path_factory.mktemp("random") / SMALL_FILE
    save_random_model(file, shape, scale=0.5)
    lm = SmallLanguageModel.load(file)
    framed = lm._encoder.encode(TEXTS)
    starts = np.flatnonzero(framed == 1)
    by_floats = Reader(shape, {name: as_floats(matrix) for name, matrix in lm.weights.items()})
    reader = IntegerReader(shape, lm.weights)
    found = reader.read(framed, starts)
    assert_allclose(found, by_floats.read(framed, starts), atol=2e-2)  # networks of random weights differ most
    for text in np.split(framed, starts[1:]):
        assert_array_equal(reader.read(text, np.zeros(1, np.int64)), found[: len(text)])
        found = found[len(text) :]


@settings(max_examples=6)
@given(texts=st.lists(st.lists(st.integers(3, 6), max_size=7), min_size=1, max_size=14))
def test_texts_that_begin_alike_are_read_as_each_by_itself(texts, tmp_path_factory):
    """Few tokens, so that most beginnings are those of several texts, and some texts are equal."""
    file = tmp_path_factory.mktemp("random") / SMALL_FILE
    save_random_model(file, NetworkShape(len(TOKENS), 1, 17, 9, 0.0, 16, (5, 20)), scale=0.5)
    reader = SmallLanguageModel.load(file)._reader
    framed = np.array([token for text in texts for token in (1, 4, 5, *text, 2)], dtype=np.int32)
    starts = np.cumsum([0, *(len(text) + 4 for text in texts[:-1])])
    guesses = np.zeros((len(framed), reader.guess_width), dtype=np.int8)
    found, guesses = at_each_level(lambda: [reader.read(framed, starts, guesses=guesses), guesses.copy()])
    for text, begin in zip(np.split(framed, starts[1:]), starts.tolist(), strict=True):
        own = np.zeros((len(text), reader.guess_width), dtype=np.int8)
        assert_array_equal(reader.read(text, np.zeros(1, np.int64), guesses=own), found[begin : begin + len(text)])
        assert_array_equal(own, guesses[begin : begin + len(text)])
