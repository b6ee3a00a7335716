"""Files are written whole or not at all."""

import os
import stat
import sys
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest
from text_files import read

from referenceless_metrics.core.files.atomic import atomic_write, remove_unfinished


def files(folder):
    return sorted(path.name for path in folder.iterdir())


def replace(path, content="new"):
    with atomic_write(path, "w") as file:
        file.write(content)


def fail_half_way(path, error):
    with atomic_write(path, "w") as file:
        file.write("half of the new")
        raise error


@pytest.mark.parametrize("error", [ValueError, KeyboardInterrupt, SystemExit])
@pytest.mark.parametrize("before", [{"index": "old"}, {}])
def test_an_error_keeps_the_old_file_and_leaves_no_other(folder, before, error):
    for name, content in before.items():
        Path(name).write_text(content)
    with pytest.raises(error):
        fail_half_way("index", error)
    assert {path.name: read(path) for path in folder.iterdir()} == before


@pytest.mark.skipif(sys.platform == "win32", reason="permissions of POSIX systems")
def test_permissions(folder):
    mask = os.umask(0o027)
    try:
        replace("new")
        Path("old").touch()
        Path("old").chmod(0o604)
        replace("old")
    finally:
        assert os.umask(mask) == 0o027  # nothing changed it for good
    assert [stat.S_IMODE(Path(name).stat().st_mode) for name in ("new", "old")] == [0o640, 0o604]


@pytest.mark.parametrize(
    "name, error, message",
    [
        ("no/such/index", FileNotFoundError, "there is no folder {}/no/such"),
        ("file/index", FileNotFoundError, "there is no folder {}/file"),
        ("folder", IsADirectoryError, "it is a folder"),
        ("refused", PermissionError, "Permission denied"),
    ],
)
def test_what_cannot_be_written(folder, monkeypatch, name, error, message):
    Path("file").touch()
    Path("folder").mkdir()
    if name == "refused":  # permissions do not hold for every user who tests
        refusal = PermissionError(13, "Permission denied")
        monkeypatch.setattr(Path, "open", lambda *_, **__: (_ for _ in ()).throw(refusal))
    with pytest.raises(error) as caught:
        replace(name)
    assert str(caught.value) == f"Cannot write {name}: {message.format(folder)}"


@pytest.mark.parametrize("exists", [True, False])
def test_a_symbolic_link_stays_one(tmp_path, exists):
    (tmp_path / "elsewhere").mkdir()
    target, link = tmp_path / "elsewhere" / "real", tmp_path / "link"
    if exists:
        target.write_text("old")
    link.symlink_to(target)
    replace(link)
    assert link.is_symlink()
    assert read(target) == "new"
    with pytest.raises(ValueError):  # noqa: PT011  # of no message
        fail_half_way(link, ValueError)
    assert read(target) == "new"
    assert files(tmp_path / "elsewhere") == ["real"]


@pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="needs named pipes")
def test_a_pipe_is_written_into_and_not_replaced(tmp_path):
    pipe = tmp_path / "pipe"
    os.mkfifo(pipe)
    with ThreadPoolExecutor() as beside:
        reader = beside.submit(pipe.read_text)
        replace(pipe, "through")
        assert reader.result(timeout=10) == "through"
    assert stat.S_ISFIFO(pipe.stat().st_mode)
    assert files(tmp_path) == ["pipe"]


def test_what_a_killed_process_left_is_removed_and_nothing_else(tmp_path):
    path = tmp_path / "scores.parquet"
    others = [".scores.parquet.mine", ".other.parquet.0123456789abcdef", "scores.parquet.0123456789abcdef"]
    for name in [".scores.parquet.0123456789abcdef", *others]:
        (tmp_path / name).touch()
    remove_unfinished(path)
    assert sorted(file.name for file in tmp_path.iterdir()) == sorted(others)
