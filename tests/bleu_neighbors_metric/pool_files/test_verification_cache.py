"""Notes of files that were checked: they hold for the files and the machine that they were made for."""

import shutil

from bleu_neighbors_metric.pool_files import folder as verification_cache
from bleu_neighbors_metric.pool_files.folder import is_verified, note_verified


def test_a_note_holds_until_the_file_changes(tmp_path, monkeypatch):
    folder = tmp_path / "folder"
    folder.mkdir()
    file = folder / "a"
    file.write_bytes(b"1")
    note_verified(file)
    assert not is_verified(file)  # so small a file is checked each time
    monkeypatch.setattr(verification_cache, "_SMALL", 1)
    file.write_bytes(b"12")
    for path in (folder, file):
        path.chmod(0o755)
    assert not is_verified(file)
    note_verified(file)
    assert is_verified(file)
    shutil.copytree(folder, tmp_path / "copy")
    assert not is_verified(tmp_path / "copy" / "a")
    with monkeypatch.context() as elsewhere:
        elsewhere.setattr(verification_cache, "_machine", lambda: "another")
        assert not is_verified(file)
    for path in (folder, file, folder / "checked"):  # whoever may write here may have forged the note
        path.chmod(path.stat().st_mode | 0o020)
        note_verified(file)
        assert is_verified(file) == (path.name == "checked")
        path.chmod(0o755)
    with monkeypatch.context() as elsewhere:
        elsewhere.setattr(verification_cache.os, "geteuid", lambda: 12345)
        assert not is_verified(file)
    assert is_verified(file)
    file.write_bytes(b"21")
    assert not is_verified(file)
    (folder / "checked").write_text("{")
    assert not is_verified(file)
    note_verified(tmp_path / "missing" / "a")  # where no note can be written, there is none
    assert not is_verified(tmp_path / "missing" / "a")
