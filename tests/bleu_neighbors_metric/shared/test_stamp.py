"""Stamps: they hold for the files and the machine that they were made for."""

from __future__ import annotations

import shutil

from bleu_neighbors_metric.shared import stamp


def test_a_stamp_holds_until_a_file_changes(tmp_path, monkeypatch):
    folder = tmp_path / "folder"
    folder.mkdir()
    (folder / "a").write_bytes(b"12")
    assert not stamp.is_checked(folder, ["a"], "digest")
    stamp.write_stamp(folder, ["a"], "digest")
    assert stamp.is_checked(folder, ["a"], "digest")
    assert not stamp.is_checked(folder, ["a"], "other")
    shutil.copytree(folder, tmp_path / "copy")
    assert not stamp.is_checked(tmp_path / "copy", ["a"], "digest")
    with monkeypatch.context() as elsewhere:
        elsewhere.setattr(stamp, "_machine", lambda: "another")
        assert not stamp.is_checked(folder, ["a"], "digest")
    (folder / "a").write_bytes(b"21")
    assert not stamp.is_checked(folder, ["a"], "digest")
    (folder / "checked").write_text("{")
    assert not stamp.is_checked(folder, ["a"], "digest")


def test_where_no_stamp_can_be_written_nothing_is_checked(tmp_path):
    stamp.write_stamp(tmp_path / "missing", ["a"], "digest")
    assert not stamp.is_checked(tmp_path / "missing", ["a"], "digest")
