"""Records of figures, and the networks of the package's own."""

import math

import numpy as np
from refusals import refused

from referenceless_metrics.core.support.validation import InputError
from referenceless_papers.common.record import read_record, write_record
from referenceless_papers.dusek.record import Networks, add_to_record, read_networks


def test_a_record_comes_back_and_what_is_undefined_is_null(tmp_path):
    write_record({"here": {"values": (1.5, math.nan, math.inf)}}, tmp_path / "record.json")
    assert read_record(tmp_path / "record.json") == {"version": 1, "here": {"values": [1.5, None, None]}}


def test_a_record_of_networks_grows(tmp_path):
    path = tmp_path / "record.json"
    add_to_record("small", Networks("here", {"pair/S1": {}}, {"pair/S1": 1}, {"S1": np.array([0.0, 0.5])}), path)
    add_to_record("small", Networks("here", {}, {"pair/S2": 2}, {"S1": np.array([0.5, 0.5])}), path)
    found = read_networks("small", path)
    assert (found.summaries, found.cpu_seconds) == ({"pair/S1": {}}, {"pair/S1": 1, "pair/S2": 2})
    assert found.estimates["S1"].tolist() == [0.5, 0.5]
    assert read_networks("published", path) is None
    with refused("it holds networks of here, and these are of elsewhere", InputError):
        add_to_record("small", Networks("elsewhere"), path)
