"""Notes of files that were checked: they hold for the files and the machine that they were made for."""

from __future__ import annotations

import shutil

from bleu_neighbors_metric.pool_files import verification_cache
from bleu_neighbors_metric.pool_files.verification_cache import is_verified, note_verified


def test_a_note_holds_until_the_file_changes(tmp_path, monkeypatch):
    folder = tmp_path / "folder"
    folder.mkdir()
    file = folder / "a"
    file.write_bytes(b"12")
    assert not is_verified(file)
    note_verified(file)
    assert is_verified(file)
    shutil.copytree(folder, tmp_path / "copy")
    assert not is_verified(tmp_path / "copy" / "a")
    with monkeypatch.context() as elsewhere:
        elsewhere.setattr(verification_cache, "_machine", lambda: "another")
        assert not is_verified(file)
    file.write_bytes(b"21")
    assert not is_verified(file)
    (folder / "checked").write_text("{")
    assert not is_verified(file)
    note_verified(tmp_path / "missing" / "a")  # where no note can be written, there is none
    assert not is_verified(tmp_path / "missing" / "a")
