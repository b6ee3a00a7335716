"""The likeliest fault of a text: the word, the kind, and no word on sound sentences."""

import numpy as np
import pytest

from slor_metric.fluency.faults import likeliest_fault
from slor_metric.fluency.metric import Fluency


@pytest.fixture(scope="module")
def metric():
    return Fluency()


@pytest.mark.parametrize(
    "text, word, kind",
    [
        ("The mayor opened the the new bridge on Sunday.", "the", "repetition"),
        ("She recieved a letter from the government.", "recieved", "spelling"),
        ("He a doctor in the old town.", "a", "missing verb"),
        ("She have lived in this village all her life.", "have", "agreement"),
        ("The new was bridge opened on Sunday.", "was", "extra word"),
    ],
)
def test_the_word_and_the_kind(metric, text, word, kind):
    fault = likeliest_fault(metric, text)
    assert (fault.word, fault.kind) == (word, kind)
    assert np.diff(metric.predict([text, fault.better]).values) == pytest.approx(fault.gain)


def test_words_that_stand_twice_are_a_repetition(metric):
    fault = likeliest_fault(metric, "The river The river lost the final match.")
    assert (fault.kind, fault.better) == ("repetition", "The river lost the final match.")


@pytest.mark.parametrize("text", ["The mayor opened the new bridge on Sunday.", "", "1 2 3", "Das ist nicht gut."])
def test_nothing_is_said_of_sound_sentences_and_of_what_has_no_score(metric, text):
    assert likeliest_fault(metric, text) is None
