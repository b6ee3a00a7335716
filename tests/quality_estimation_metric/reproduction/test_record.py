from pathlib import Path

import pytest

from metric_commons.support.errors import InputError
from quality_estimation_metric.reproduction.record import read_record, write_record


def test_a_record_comes_back(tmp_path: Path) -> None:
    write_record({"small": {"how": "here", "summaries": {}}}, tmp_path / "record.json")
    assert read_record(tmp_path / "record.json")["small"]["how"] == "here"


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
