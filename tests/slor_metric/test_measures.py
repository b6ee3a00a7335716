"""Links: their formulas, their files, and that a learned one is hardly ever worse than SLOR."""

import numpy as np
import pytest
from numpy.random import default_rng
from numpy.testing import assert_allclose, assert_array_equal
from refusals import refusals, refused

from slor_metric import SLOR, WPSLOR
from slor_metric.formulas import penlp
from slor_metric.language_models.base import read_likelihoods
from slor_metric.measures import MEASURE_FEATURES, _left_out, fit_measure, measure_features
from tests.support import rated_sentences as rated
from tests.support.small_metrics import Bare

TEXTS = ["The cat sat on the mat.", "It rained.", "He go to school.", ""]


def test_named_measures():
    metric = SLOR()
    found = read_likelihoods(metric.language_model, metric.unigram_model, TEXTS)
    nce = SLOR(measure="meanlp").predict(TEXTS)
    assert_allclose(nce.values[:3], found.model[:3] / found.n_tokens[:3])
    short = SLOR(measure="penlp").predict(TEXTS)
    assert_allclose(short.values[:3], found.model[:3] / ((5 + found.n_tokens[:3]) / 6) ** 0.8)
    powers = SLOR(measure="powslor").predict(TEXTS)
    scored = slice(0, 3)
    of_powers = (found.model[scored] - 1.25 * found.unigram[scored]) / found.n_tokens[scored] ** 1.2
    assert_allclose(powers.values[scored], of_powers)
    assert np.isnan([nce.values[3], short.values[3], powers.values[3]]).all()
    assert "unigram:none|measure:penlp|" in SLOR(measure="penlp").signature


def test_penlp_needs_no_unigram_model():
    assert SLOR(Bare(), measure="penlp").predict(["a b"]).values.tolist() == pytest.approx([-2 / (7 / 6) ** 0.8])
    with refused("without one"):
        SLOR(Bare(), measure="meanlp").fit(["a"] * 20, list(range(20)))
    assert_allclose(penlp([-9.0], [1], alpha=0), [-9.0])


def made_up(n=200, seed=0):
    """Features, and ratings that depend on the first and the last."""
    rng = default_rng(seed)
    x = rng.normal(size=(n, 3)) * [2, 1, 0.1] + [1, -8, 0.1]
    return x, x[:, 0] + 10 * x[:, 2] + rng.normal(size=n)


def test_a_measure_finds_what_matters():
    x, y = made_up()
    measure = fit_measure(MEASURE_FEATURES, x, y, "m")
    assert measure.agreement["fitted"] > measure.agreement["start"]
    assert measure.agreement["length"] == pytest.approx(measure.agreement["fitted"], abs=0.02)  # here the length is all
    assert measure(x).mean() == pytest.approx(x[:, 0].mean())
    assert measure(x).std() == pytest.approx(x[:, 0].std())
    assert "of which length alone gives +0." in measure.summary


def test_left_out_errors_are_those_of_fits_without_each_text():
    x, y = made_up(40)
    penalties = np.array([0.0, 1.0, 1.0])
    solution, errors = _left_out(x, y, penalties)

    def fitted(rows):
        return np.linalg.solve(x[rows].T @ x[rows] + np.diag(penalties), x[rows].T @ y[rows])

    everything = np.arange(len(x))
    assert_allclose(solution, fitted(everything))
    assert_allclose(errors, [(y[i] - x[i] @ fitted(everything != i)) ** 2 for i in everything])


def test_files(tmp_path):
    texts = [f"{'The cat sat on the mat. ' * (i % 4 + 1)}It rained {'too ' * (i % 7)}." for i in range(40)]
    fitted = SLOR().fit(texts, [len(text) % 9 for text in texts])
    fitted.measure_.save(tmp_path / "measure.npz")
    again = SLOR(measure=str(tmp_path / "measure.npz"))
    assert again.measure_ == fitted.measure_
    assert again.signature == fitted.signature
    assert_array_equal(again.predict(TEXTS).values, fitted.predict(TEXTS).values)
    with refused(r"fitted on the features and models.*but it was fitted on.*fit it anew"):
        WPSLOR(measure=str(tmp_path / "measure.npz"))


@pytest.mark.parametrize(
    "measure, error", [("probit", ValueError), ("./none.npz", ValueError), (3, TypeError), (None, TypeError)]
)
def test_bad_measures(measure, error):
    with refused(r"`measure`.*'slor', 'lp', 'meanlp', 'penlp', 'normlp'", error):
        SLOR(measure=measure)


test_bad_ratings = refusals(
    lambda texts, ratings: SLOR().fit(texts, ratings),
    [
        (["The cat sat on the mat.", "It rained."] * 15, [1.0] * 30, "`ratings` to vary"),
        (["The cat sat on the mat.", "It rained."] * 15, [1.0] * 29, "`ratings`.*30 texts"),
        (["The cat sat on the mat.", "It rained."] * 15, [float("nan")] * 30, "`ratings`.*finite"),
        (["The cat sat on the mat.", "It rained."] * 5, range(10), "at least 20"),
        (["It rained."] * 30, range(30), "differ in slor"),
    ],
)


@pytest.mark.long
@pytest.mark.parametrize("make", [SLOR, WPSLOR])
@pytest.mark.parametrize("ratings_of", [rated.simplicity_da, rated.nlg_naturalness, rated.webnlg_fluency])
def test_never_much_worse_than_slor(make, ratings_of, data_dir):
    texts, ratings = ratings_of(data_dir)
    found = read_likelihoods(make().language_model, make().unigram_model, texts)
    values = measure_features(found.model - found.unknown_surplus, found.unigram, found.n_tokens)
    defined = np.isfinite(values).all(axis=1)
    x, y = values[defined], ratings[defined]
    rng = default_rng(2)
    for n in (100, 300):
        gains = []
        for seen, rest in (np.split(rng.permutation(len(y)), [n]) for _ in range(10)):
            measure = fit_measure(MEASURE_FEATURES, x[seen], y[seen], "m")
            gains.append(rated.correlation(measure(x[rest]), y[rest]) - rated.correlation(x[rest, 0], y[rest]))
        assert np.mean(gains) >= -0.01, n
