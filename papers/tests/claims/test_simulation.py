"""The intervals hold on real ratings: the bars, with fewer draws than the command that reports them."""

import numpy as np
import pytest
from rated_systems import nlg_ratings, simplicity_da, webnlg_2020

from bleu_neighbors_metric import BLEUNeighbors
from referenceless_papers.claims.simulation import simulate

DRAWS = 300
SLACK = 3.5 * np.sqrt(0.95 * 0.05 / DRAWS)  # of a share near 95 %, at so many draws


def estimated(data, systems, pool=None):
    """Estimate each system's outputs from a pool, or from all other systems' ratings."""
    result = {}
    for system in systems:
        texts, ratings = data.of(system)
        metric = BLEUNeighbors(0.0, 1, 1.0, weights="similarity").fit(*(pool or data.except_for(system)))
        estimates = metric.predict(texts).values
        result[system] = ratings, np.where(np.isnan(estimates), np.nanmean(estimates), estimates)
    return result


@pytest.mark.long
def test_every_bar_with_two_thousand_draws(data_dir):
    """Hold the bars, each system and each pair: 93 to 97 %, and 4 to 6 % of random halves found different."""
    cases = [simplicity_da(data_dir("fluency"))]
    cases += [webnlg_2020(data_dir("webnlg-2020"), quality) for quality in ("fluency", "correctness")]
    for data in cases:
        result = simulate(estimated(data, sorted(set(data.systems))), 40, n_draws=2000)
        for covered in result.differences:
            assert 0.92 <= covered.coverage <= 0.98, covered
        assert np.mean([covered.shrinkage for covered in result.differences]) > 0
        assert 0.04 <= np.mean(list(result.type_one.values())) <= 0.06


def check(result):
    for covered in (*result.means, *result.differences):
        assert covered.coverage == pytest.approx(0.95, abs=0.03 + SLACK), covered
    assert np.mean([covered.coverage for covered in result.differences]) == pytest.approx(0.95, abs=0.03)
    assert np.mean([covered.shrinkage for covered in result.differences]) > 0
    assert np.mean(list(result.type_one.values())) == pytest.approx(0.05, abs=0.02)


def test_lols_and_wen(data_dir):
    data = nlg_ratings(data_dir("nlg-ratings"))
    texts, ratings = data.of("SFRES/LOLS")
    drawn = np.random.default_rng(0).permutation(len(texts))[:300]
    pool = [texts[i] for i in drawn], ratings[drawn]
    check(simulate(estimated(data, ["SFRES/WEN"], pool) | estimated(data, ["SFRES/LOLS"]), 50, n_draws=DRAWS))
