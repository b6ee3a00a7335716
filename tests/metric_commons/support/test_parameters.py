"""Parameters stored as given."""

import pytest
from refusals import refused

from metric_commons.support.parameters import ParameterisedEstimator


class Toy(ParameterisedEstimator):
    def __init__(self, size=1, *, name="toy"):
        self.size = size
        self.name = name


def test_parameters_are_read_set_and_shown():
    toy = Toy(2)
    assert toy.get_params() == {"size": 2, "name": "toy"}
    assert repr(toy) == "Toy(size=2)"
    assert toy.set_params(name="other") is toy
    assert repr(toy) == "Toy(size=2, name='other')"
    with refused("parameter name"):
        toy.set_params(colour="red")


def test_scikit_learn_copies_it():
    base = pytest.importorskip("sklearn.base")
    assert base.clone(Toy(3)).get_params() == {"size": 3, "name": "toy"}
