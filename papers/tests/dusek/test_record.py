from pathlib import Path

import numpy as np
import pytest

from metric_commons.support.errors import InputError
from referenceless_papers.dusek.record import (
    add_to_record,
    pack_halves,
    read_record,
    unpack_halves,
    write_record,
)


def test_a_record_comes_back(tmp_path: Path) -> None:
    write_record({"small": {"how": "here", "summaries": {}}}, tmp_path / "record.json")
    assert read_record(tmp_path / "record.json")["small"]["how"] == "here"


def test_a_record_grows(tmp_path: Path) -> None:
    path = tmp_path / "record.json"
    one = {"how": "here", "cpu_seconds": {"pair/S1": 1}, "summaries": {"pair/S1": {}}, "estimates": {"S1": "ab"}}
    add_to_record("small", one, path)
    add_to_record("small", {**one, "cpu_seconds": {"pair/S2": 2}, "summaries": {}, "estimates": {"S1": "bb"}}, path)
    found = read_record(path)["small"]
    assert found == {**one, "cpu_seconds": {"pair/S1": 1, "pair/S2": 2}, "estimates": {"S1": "bb"}}
    with pytest.raises(InputError, match="it holds networks of here, and these are of elsewhere"):
        add_to_record("small", {**one, "how": "elsewhere"}, path)


def test_halves_come_back() -> None:
    values = np.arange(0, 13) / 2
    assert unpack_halves(pack_halves(values)).tolist() == values.tolist()


def test_foreign_files(tmp_path: Path) -> None:
    for text, message in (("{", "no record"), ("[]", "of version 1"), ('{"version": 9}', "of version 1")):
        (tmp_path / "record.json").write_text(text, encoding="utf-8")
        with pytest.raises(InputError, match=message):
            read_record(tmp_path / "record.json")


def test_the_packages_record() -> None:
    record = read_record()
    assert record["small"]["how"]
    for key, summary in record["small"]["summaries"].items():
        if "/" in key:
            assert set(summary["rounded"]["pooled"]) == {"pearson", "spearman", "mae", "rmse"}, key
