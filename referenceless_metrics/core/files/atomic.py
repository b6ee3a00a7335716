"""Files and folders that are written whole or not at all."""

from __future__ import annotations

import os
import re
import shutil
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import IO

from referenceless_metrics.core.support.validation import PathName, check_path

#: Characters of a file's name, and random bytes, in the name of the temporary file that takes its place.
_KEPT, _RANDOM_BYTES = 40, 8


def check_destination(path: PathName) -> None:
    """Check that a file can be written to a path, before the work whose result it will hold.

    Raises:
        OSError: if the folder is missing, or the path is itself a folder.
    """
    target = Path(path)
    folder = target.resolve().parent
    if not folder.is_dir():
        raise FileNotFoundError(f"Cannot write {target}: there is no folder {folder}")
    if target.is_dir():
        raise IsADirectoryError(f"Cannot write {target}: it is a folder")


def check_new_folder(path: PathName, argument: str) -> Path:
    """Return the path of a folder that can be written anew, before the work whose result it will hold.

    Raises:
        FileExistsError: if it is a file, or a folder that is not empty.
    """
    target = Path(path).expanduser()
    if target.exists() and (not target.is_dir() or any(target.iterdir())):
        raise FileExistsError(f"Expected argument `{argument}` to be an absent or empty folder, but {target} is not")
    return target


@contextmanager
def new_folder(target: Path) -> Iterator[Path]:
    """Yield a folder beside an absent or empty one, whose place it takes once the block ends without an error."""
    target.parent.mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory(dir=target.parent, prefix=f".{target.name}.") as temporary:
        folder = Path(temporary) / "new"  # a folder of its own, with the permissions that are usual here
        folder.mkdir()
        yield folder
        if target.exists():
            target.rmdir()
        shutil.move(folder, target)


def remove_unfinished(path: PathName) -> None:
    """Remove partial files of `atomic_write` by processes that were killed.

    Nobody else may be writing the file.
    """
    final = Path(path).resolve()
    unfinished = re.compile(rf"\.{re.escape(final.name[:_KEPT])}\.[0-9a-f]{{{2 * _RANDOM_BYTES}}}")
    for stray in final.parent.glob(".*"):
        if unfinished.fullmatch(stray.name):
            stray.unlink(missing_ok=True)


@contextmanager
def named_in_errors(path: PathName) -> Iterator[None]:
    """Name the file if the system refuses to write, as on a full disk.

    Raises:
        OSError: of the same kind.
    """
    try:
        yield
    except OSError as error:
        if error.filename is None and error.errno is not None:
            raise OSError(error.errno, error.strerror, os.fspath(path)) from None
        raise


@contextmanager
def atomic_write(path: PathName, mode: str = "wb") -> Iterator[IO]:  # type: ignore[type-arg]
    r"""Open a temporary file beside `path` that takes its place once the block ends without an error.

    A symbolic link stays, and the file that it points to is written. A terminal, a pipe or `/dev/null` cannot be
    replaced, and is written as it comes.

    Args:
        path: the file to write.
        mode: `"wb"`, or `"w"` for UTF-8 text with `\n` line ends.

    Raises:
        OSError: if the folder is missing or may not be written; an existing file keeps its content.
    """
    target = check_path(path)
    final = target.resolve()
    encoding = {} if "b" in mode else {"encoding": "utf-8", "newline": "\n"}
    if target.exists() and not target.is_file() and not target.is_dir():
        with named_in_errors(target), target.open(mode, **encoding) as stream:  # type: ignore[call-overload]
            yield stream
        return
    check_destination(target)
    from secrets import token_hex  # with OpenSSL, which most runs do not need

    temporary = final.with_name(f".{final.name[:_KEPT]}.{token_hex(_RANDOM_BYTES)}")
    try:
        file = temporary.open(mode.replace("w", "x"), **encoding)  # type: ignore[call-overload]
    except OSError as error:
        raise type(error)(f"Cannot write {target}: {error.strerror}") from None
    try:
        with named_in_errors(target), file:
            yield file
            file.flush()
            os.fsync(file.fileno())
        if final.exists():
            temporary.chmod(final.stat().st_mode & 0o777)
        temporary.replace(final)
    except BaseException:
        temporary.unlink(missing_ok=True)
        raise
