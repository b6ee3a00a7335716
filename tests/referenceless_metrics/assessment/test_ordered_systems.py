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


def test_nothing_is_said_of_two_systems_and_little_without_items():
    values = default_rng(1).normal(size=30)
    assert ordered_systems_finding(values, values, np.arange(30) % 2) == ""
    assert ordered_systems_finding(values, np.full(30, 3.0), np.arange(30) % 3) == ""  # people tell nothing
    assert ordered_systems_finding(values, values, np.arange(30) % 3).endswith("order 100% as people do.")
