"""Records of figures, and the networks of the package's own."""

from __future__ import annotations

import math
from pathlib import Path

import numpy as np
import pytest

from metric_commons.support.validation import InputError
from referenceless_papers.common.record import read_record, write_record
from referenceless_papers.dusek.record import Networks, add_to_record, pack_halves, read_networks, unpack_halves


def test_a_record_comes_back_and_what_is_undefined_is_null(tmp_path: Path) -> None:
    write_record({"here": {"values": (1.5, math.nan, math.inf)}}, tmp_path / "record.json")
    assert read_record(tmp_path / "record.json") == {"version": 1, "here": {"values": [1.5, None, None]}}


def test_foreign_files(tmp_path: Path) -> None:
    for text, message in (("{", "no record"), ("[]", "of version 1"), ('{"version": 9}', "of version 1")):
        (tmp_path / "record.json").write_text(text, encoding="utf-8")
        with pytest.raises(InputError, match=message):
            read_record(tmp_path / "record.json")


def test_a_record_of_networks_grows(tmp_path: Path) -> None:
    path = tmp_path / "record.json"
    add_to_record("small", Networks("here", {"pair/S1": {}}, {"pair/S1": 1}, {"S1": np.array([0.0, 0.5])}), path)
    add_to_record("small", Networks("here", {}, {"pair/S2": 2}, {"S1": np.array([0.5, 0.5])}), path)
    found = read_networks("small", path)
    assert found is not None
    assert (found.summaries, found.cpu_seconds) == ({"pair/S1": {}}, {"pair/S1": 1, "pair/S2": 2})
    assert found.estimates["S1"].tolist() == [0.5, 0.5]
    assert read_networks("published", path) is None
    with pytest.raises(InputError, match="it holds networks of here, and these are of elsewhere"):
        add_to_record("small", Networks("elsewhere"), path)


def test_halves_come_back() -> None:
    values = np.arange(0, 13) / 2
    assert unpack_halves(pack_halves(values)).tolist() == values.tolist()


def test_the_packages_record() -> None:
    networks = read_networks("small")
    assert networks is not None
    assert networks.how
    for key, summary in networks.summaries.items():
        if "/" in key:
            assert set(summary["rounded"]["pooled"]) == {"pearson", "spearman", "mae", "rmse"}, key
