"""Files are written whole or not at all."""

import os
import stat
import sys
import threading
from pathlib import Path

import pytest
from command_lines import python

from metric_commons.files.atomic import atomic_write


def files(folder):
    return sorted(path.name for path in folder.iterdir())


def fail_half_way(path, error):
    with atomic_write(path, "w") as file:
        file.write("half of the new")
        raise error


def test_bytes_and_text(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    with atomic_write(tmp_path / "a.bin") as file:
        file.write(b"\x00\xff\r\n")
    with atomic_write("a.txt", "w") as file:
        file.write("ü\n🙂\r\n")
    assert (tmp_path / "a.bin").read_bytes() == b"\x00\xff\r\n"
    assert (tmp_path / "a.txt").read_bytes() == "ü\n🙂\r\n".encode()
    assert files(tmp_path) == ["a.bin", "a.txt"]


@pytest.mark.parametrize("error", [ValueError, KeyboardInterrupt, SystemExit])
@pytest.mark.parametrize("exists", [True, False])
def test_an_error_keeps_the_old_file_and_leaves_no_other(tmp_path, exists, error):
    path = tmp_path / "index"
    if exists:
        path.write_text("old")
    with pytest.raises(error):
        fail_half_way(path, error)
    assert files(tmp_path) == (["index"] if exists else [])
    if exists:
        assert path.read_text() == "old"


def test_readers_see_the_old_file_until_the_new_one_is_whole(tmp_path):
    path = tmp_path / "index"
    path.write_text("old")
    with atomic_write(path, "w") as file:
        file.write("new")
        file.flush()
        assert path.read_text() == "old"
    assert path.read_text() == "new"


@pytest.mark.skipif(sys.platform == "win32", reason="permissions of POSIX systems")
def test_permissions(tmp_path):
    mask = os.umask(0o027)
    try:
        with atomic_write(tmp_path / "new"):
            pass
        (tmp_path / "old").touch()
        (tmp_path / "old").chmod(0o604)
        with atomic_write(tmp_path / "old"):
            pass
    finally:
        assert os.umask(mask) == 0o027  # nothing changed it for good
    assert stat.S_IMODE((tmp_path / "new").stat().st_mode) == 0o640
    assert stat.S_IMODE((tmp_path / "old").stat().st_mode) == 0o604


def test_the_longest_of_file_names(tmp_path):
    path = tmp_path / ("ü" * 127)  # 254 bytes, where most file systems allow 255
    with atomic_write(path, "w") as file:
        file.write("a")
    assert path.read_text() == "a"


@pytest.mark.parametrize(
    "name, error, message",
    [
        ("no/such/index", FileNotFoundError, "Cannot write {0}/no/such/index: there is no folder {0}/no/such"),
        ("file/index", FileNotFoundError, "Cannot write {0}/file/index: there is no folder {0}/file"),
        ("folder", IsADirectoryError, "Cannot write {0}/folder: it is a folder"),
    ],
)
def test_what_cannot_be_written(tmp_path, name, error, message):
    (tmp_path / "file").touch()
    (tmp_path / "folder").mkdir()
    with pytest.raises(error) as caught, atomic_write(tmp_path / name):
        pass
    assert str(caught.value) == message.format(tmp_path)


def test_folder_that_may_not_be_written(tmp_path, monkeypatch):
    def refuse(*_, **__):
        raise PermissionError(13, "Permission denied")  # permissions do not hold for every user who tests

    monkeypatch.setattr(Path, "open", refuse)
    with pytest.raises(PermissionError) as caught, atomic_write(tmp_path / "index"):
        pass
    assert str(caught.value) == f"Cannot write {tmp_path / 'index'}: Permission denied"


def test_a_symbolic_link_stays_one(tmp_path):
    (tmp_path / "elsewhere").mkdir()
    target, link = tmp_path / "elsewhere" / "real", tmp_path / "link"
    target.write_text("old")
    link.symlink_to(target)
    with atomic_write(link, "w") as file:
        file.write("new")
    assert link.is_symlink()
    assert target.read_text() == "new"
    assert files(tmp_path / "elsewhere") == ["real"]
    with pytest.raises(ValueError):  # noqa: PT011  # of no message
        fail_half_way(link, ValueError)
    assert target.read_text() == "new"


def test_a_link_to_a_file_that_is_yet_to_be(tmp_path):
    (tmp_path / "link").symlink_to(tmp_path / "real")
    with atomic_write(tmp_path / "link", "w") as file:
        file.write("new")
    assert (tmp_path / "real").read_text() == "new"


@pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="needs named pipes")
def test_a_pipe_is_written_into_and_not_replaced(tmp_path):
    pipe = tmp_path / "pipe"
    os.mkfifo(pipe)
    received = []
    reader = threading.Thread(target=lambda: received.append(pipe.read_text()), daemon=True)
    reader.start()
    with atomic_write(pipe, "w") as file:
        file.write("through")
    reader.join(timeout=10)
    assert received == ["through"]
    assert stat.S_ISFIFO(pipe.stat().st_mode)
    assert files(tmp_path) == ["pipe"]


@pytest.mark.skipif(not Path("/dev/stdout").exists(), reason="needs /dev/stdout")
def test_standard_output_by_its_path():
    program = (
        "from metric_commons.files.atomic import atomic_write\n"
        "with atomic_write('/dev/stdout', 'w') as f: f.write('out')"
    )
    assert python(program).stdout == "out"


def test_many_writers_leave_one_whole_file(tmp_path):
    path = tmp_path / "index"

    def write(letter):
        for _ in range(10):
            with atomic_write(path, "w") as file:
                file.write(letter * 10_000)

    writers = [threading.Thread(target=write, args=(letter,)) for letter in "abc"]
    for writer in writers:
        writer.start()
    for writer in writers:
        writer.join()
    assert path.read_text() in {letter * 10_000 for letter in "abc"}
    assert files(tmp_path) == ["index"]
