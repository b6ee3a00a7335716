"""The weights and the scale of Fluency: chosen without a set and measured on it; edited prose has mean 0 and unit 1."""

import numpy as np
import pytest

from referenceless_papers.packaged_models.fluency_choice import (
    _best_exponents,
    best_weights,
    leave_one_set_out,
    mean_correlation,
)
from referenceless_papers.packaged_models.fluency_constants import WEIGHTS_OF, edited_prose, fit_constants
from referenceless_papers.training.word_classes import HELD_OUT_EVERY
from slor_metric.example import example_texts
from slor_metric.fluency.constants import LMS, packaged_constants
from slor_metric.fluency.features import FeatureReader
from slor_metric.fluency.sentences import read_sentences
from slor_metric.formulas import powslor
from slor_metric.measures import measure_features


def covariances(weights, noise, seed):
    """The covariances of three features and a rating that is made of them."""
    draw = np.random.default_rng(seed)
    x = draw.normal(size=(4000, 3))
    return np.cov(np.column_stack([x, x @ weights + noise * draw.normal(size=4000)]).T)


def test_the_weights_that_ratings_are_made_of_come_back():
    sets = [covariances([2.0, 1.0, -1.0], 0.1, seed) for seed in range(3)]
    weights = best_weights(sets, np.eye(3))
    assert weights[0] / weights[1] == pytest.approx(2, rel=0.05)
    assert weights[2] == 0  # never below
    one = best_weights(sets, np.array([[1.0, 1.0, 0.0]]))
    assert mean_correlation(weights, sets) > mean_correlation(one, sets)


def test_the_exponents_that_ratings_are_made_of_come_back():
    draw = np.random.default_rng(0)
    length = draw.integers(4, 30, 500)
    unigram = -draw.uniform(6, 9, 500) * length
    model = unigram / 2 + draw.normal(size=500) * length
    ratings = powslor(model, unigram, length, 1.4, 0.7)
    found = _best_exponents([(measure_features(model, unigram, length), ratings)])
    assert found == pytest.approx([1.4, 0.7], abs=0.01)


def test_each_set_is_measured_with_what_was_chosen_without_it():
    sets = {name: covariances([1.0, i, 0.0], 1.0, i) for i, name in enumerate(["GUG train", "GUG dev", "CoLA"])}
    seen = []

    def choose(some):
        seen.append([name for name, c in sets.items() if any(c is other for other in some)])
        return np.ones(3)

    found = leave_one_set_out(sets, choose)
    assert list(found) == list(sets)
    assert seen == [["CoLA"], ["CoLA"], ["GUG train", "GUG dev"]]  # one source leaves together


def test_the_scale_is_that_of_edited_prose(tmp_path):
    corpus = tmp_path / "corpus.txt"
    examples = [*example_texts().texts, "No mark", "in lower case it begins ."]
    read = ["The n-grams have read this sentence."] * (HELD_OUT_EVERY - 1)
    corpus.write_text("\n".join(line for text in examples for line in (*read, text)), encoding="utf-8")
    prose = edited_prose(str(corpus))
    assert set(prose) == {text for text in examples if text[0].isupper() and text[-1] == "."}
    reader = FeatureReader("ngram")
    texts = ["She recieved a letter letter.", "He go to school, he go to school.", "The mayor opened the bridge."]
    constants = fit_constants(texts, prose, reader=reader)
    values = reader.read(read_sentences(prose).read, spare_names=True).values
    scores = values @ constants.coefficients(reader.names) + constants.base
    assert scores.mean() == pytest.approx(0, abs=1e-4)
    assert scores.std() == pytest.approx(1, abs=1e-4)
    with pytest.raises(ValueError, match="vary in every feature"):
        fit_constants(texts[2:], prose, reader=reader)


@pytest.mark.parametrize("lm", LMS)
def test_packaged_weights_are_of_the_named_parts(lm):
    assert {*packaged_constants(lm).weights} == {name for part in WEIGHTS_OF[lm] for name in part}
