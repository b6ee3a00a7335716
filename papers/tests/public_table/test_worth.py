"""The worth of a difference: pairs of systems, and the share that people order alike, by quarters."""

import numpy as np
from numpy.random import default_rng

from referenceless_papers.public_table.rated_sets import RatedSet
from referenceless_papers.public_table.worth import SystemPair, system_pairs, worth_row


def test_pairs_are_of_means_over_the_texts_that_the_metric_covers():
    generator = default_rng(0)
    systems = [name for name in "abc" for _ in range(12)]
    ratings, values = generator.normal(size=36), generator.normal(size=36)
    values[3] = np.nan
    values[26:] = np.nan  # leaves c two texts, too few
    texts = [str(place) for place in range(36)]
    rated = RatedSet("made", texts, ratings, np.arange(36), systems, None, None, (texts, ratings))
    (pair,) = system_pairs("SLOR", values, rated)
    kept = [place for place in range(12) if place != 3]
    assert np.isclose(pair.by_metric, values[kept].mean() - values[12:24].mean())
    (learned,) = system_pairs("BLEU Neighbors", values, rated)
    assert np.isclose(learned.by_metric, pair.by_metric / ratings.std())
    assert np.isclose(pair.by_people, ratings[kept].mean() - ratings[12:24].mean())


def test_a_row_has_the_share_of_each_quarter():
    pairs = [SystemPair(size, 1.0 if size > 10 or size % 2 else -1.0) for size in range(1, 21)]
    row = worth_row("metric", pairs)
    assert row["quarter 1 of its differences"] == "60% (1 to 5)"
    assert row["quarter 4 of its differences"] == "100% (16 to 20)"
    assert worth_row("metric", pairs[:10]) is None
