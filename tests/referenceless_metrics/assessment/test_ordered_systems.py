"""The sentence on systems that were left out has the figures of their table."""

import numpy as np
from numpy.random import default_rng

from referenceless_metrics.assessment.ordered_systems import ordered_systems_finding
from referenceless_metrics.assessment.system_pairs import tie_calibrated_accuracy


def test_the_sentence_holds_what_a_table_of_systems_and_items_gives():
    generator = default_rng(0)
    human = generator.normal(size=(4, 12)) + np.arange(4)[:, None]
    estimates = human + generator.normal(0, 1, human.shape)
    systems, items = (of.ravel() for of in np.indices(human.shape))
    order = generator.permutation(human.size)
    said = ordered_systems_finding(estimates.ravel()[order], human.ravel()[order], systems[order], items[order])
    assert said.startswith("Of 6 pairs of systems, estimates made without their ratings order 100% as people do")
    assert f"accuracy with ties {tie_calibrated_accuracy(estimates, human).value:.2f}" in said
    assert "over 12 items" in said
    kept = order[order != 3]  # an item whose output of the first system is that of another, and counts once
    fewer = ordered_systems_finding(estimates.ravel()[kept], human.ravel()[kept], systems[kept], items[kept])
    assert "over the 11 of 12 items of which each system has a text of its own" in fewer


def test_nothing_is_said_of_two_systems_and_little_without_items():
    values = default_rng(1).normal(size=30)
    assert ordered_systems_finding(values, values, np.arange(30) % 2) == ""
    assert ordered_systems_finding(values, np.full(30, 3.0), np.arange(30) % 3) == ""  # people tell nothing
    assert ordered_systems_finding(values, values, np.arange(30) % 3).endswith("order 100% as people do.")


def test_a_system_with_a_handful_of_estimates_has_no_place_in_the_order():
    values, systems = default_rng(2).normal(size=60), np.arange(60) % 4
    estimates = np.where((systems == 3) & (np.arange(60) >= 36), np.nan, values)  # nine of its fifteen texts
    said = ordered_systems_finding(estimates, values, systems, by="a metric")
    made = "estimates by a metric made without their ratings, for 45 of 60 texts,"
    assert said == f"Of 3 pairs of systems, {made} order 100% as people do."
    assert ordered_systems_finding(np.where(systems == 2, np.nan, estimates), values, systems) == ""
