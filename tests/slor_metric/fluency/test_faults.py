"""The likeliest fault of a text: the word, the kind, and no word on sound sentences."""

import re
from itertools import islice

import numpy as np
import pytest

from slor_metric.fluency.faults import likeliest_fault
from slor_metric.fluency.metric import Fluency
from slor_metric.language_models.unigram import read_lines


@pytest.fixture(scope="module")
def metric():
    return Fluency()


@pytest.mark.parametrize(
    "text, word, kind",
    [
        ("The mayor opened the the new bridge on Sunday.", "the", "repetition"),
        ("She recieved a letter from the government.", "recieved", "spelling"),
        ("He a doctor in the old town.", "a", "missing verb"),
        ("The children was playing in the garden.", "was", "agreement"),
        ("The new was bridge opened on Sunday.", "was", "order"),
    ],
)
def test_the_word_and_the_kind(metric, text, word, kind):
    fault = likeliest_fault(metric, text)
    assert (fault.word, fault.kind) == (word, kind)
    assert np.diff(metric.score([text, fault.better]).values) == pytest.approx(fault.gain)


@pytest.mark.parametrize("text", ["The mayor opened the new bridge on Sunday.", "", "1 2 3", "Das ist nicht gut."])
def test_nothing_is_said_of_sound_sentences_and_of_what_has_no_score(metric, text):
    assert likeliest_fault(metric, text) is None


def test_the_named_word_is_the_faulty_one(metric, data_dir):
    lines = islice(read_lines(data_dir("lm-corpus") / "english-2.txt.xz"), 3000)
    sound = [line.split() for line in lines if re.fullmatch(r"[A-Z][a-z]+(?: [a-z]+){7,14}\.", line)][:40]
    found = []
    for i, words in enumerate(sound):
        at = 2 + i % (len(words) - 4)  # two words swapped, or one doubled
        faulty = [
            *words[:at],
            *(words[at : at + 2][::-1] if i % 2 else words[at : at + 1] * 2),
            *words[at + 2 - (i + 1) % 2 :],
        ]
        fault = likeliest_fault(metric, " ".join(faulty))
        if fault is not None:
            found.append(fault.word in faulty[at : at + 2])
    assert len(found) >= 0.4 * len(sound)
    assert np.mean(found) >= 0.8  # by chance two words in twelve
