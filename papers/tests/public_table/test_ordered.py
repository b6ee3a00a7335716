"""The order of systems: shares of pairs by their definitions, over the texts that a metric covers."""

import numpy as np

from referenceless_papers.public_table.ordered import order_rows
from referenceless_papers.public_table.rated_sets import RatedSet


def rated_set(n_items=12, n_systems=3):
    """A made set, in which the ratings of later systems are higher, with the ratings as values."""
    items = np.repeat(np.arange(n_items), n_systems)
    systems = np.tile(np.arange(n_systems), n_items)
    ratings = systems + 0.01 * items
    texts = [f"text {place}" for place in range(len(items))]
    return RatedSet("made", texts, ratings, items, [f"s{k}" for k in systems], None, None, (texts, ratings))


def test_a_metric_that_orders_as_people_do_has_1_and_its_opposite_0():
    rated = rated_set()
    same, opposite = order_rows({"same": rated.ratings, "opposite": -rated.ratings}, rated)
    assert [same[name] for name in ("systems", "shared items")] == ["3", "12"]
    assert [same[name] for name in ("pairwise accuracy", "soft", "accuracy with ties")] == ["1.00"] * 3
    assert [opposite[name] for name in ("pairwise accuracy", "soft", "accuracy with ties")] == ["0.00"] * 3


def test_texts_that_a_metric_leaves_out_do_not_count():
    rated = rated_set()
    values = np.where(rated.items < 9, rated.ratings, np.nan)
    (row,) = order_rows({"few": values}, rated)
    assert (row["pairwise accuracy"], row["soft"], row["shared items"]) == ("1.00", "–", "9")
    two = rated.rows(np.flatnonzero(np.array(rated.systems) != "s2"))
    assert order_rows({"same": two.ratings}, two) == []
