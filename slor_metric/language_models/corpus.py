"""Reading a training corpus: plain, gzip, bzip2 or xz text in UTF-8, or lines from anywhere, as a stream."""

from __future__ import annotations

import bz2
import gzip
import lzma
import os
from collections.abc import Callable, Iterable, Iterator
from pathlib import Path
from typing import IO, Any

from metric_commons.support.validation import InputError, describe, lone_surrogate

Corpus = str | os.PathLike[str] | Iterable[str | os.PathLike[str]]
"""A path; or any iterable of lines (``str``) and of files (``Path``)."""

OPENERS: dict[str, Callable[..., IO[Any]]] = {".xz": lzma.open, ".lzma": lzma.open, ".gz": gzip.open, ".bz2": bz2.open}


def read_lines(corpus: Corpus) -> Iterator[str]:
    """Yield the lines of a corpus one by one, without their line ends.

    Args:
        corpus: the path of a text file in UTF-8 (``.xz``, ``.gz`` and ``.bz2`` are decompressed on the fly), or an
            iterable in which a ``str`` is a line and a ``Path`` is a file.

    Raises:
        InputError: for a path that does not exist, a file that is not UTF-8 or not what its suffix says, and a line
            with a lone surrogate, which UTF-8 cannot hold either.
        TypeError: for anything that is no text and no path.
    """
    if isinstance(corpus, (str, os.PathLike)):
        yield from _read_file(Path(corpus))
        return
    if isinstance(corpus, (bytes, dict)) or not isinstance(corpus, Iterable):
        raise TypeError(f"Expected argument `corpus` to be a path or lines, but got {describe(corpus)}")
    for number, item in enumerate(corpus, start=1):
        if isinstance(item, str):
            if (position := lone_surrogate(item)) is not None:
                raise InputError(f"line {number} of the corpus holds a lone surrogate at position {position}")
            yield item
        elif isinstance(item, os.PathLike):
            yield from _read_file(Path(item))
        else:
            raise TypeError(f"Expected argument `corpus` to hold lines or paths only, but got {describe(item)}")


def _read_file(path: Path) -> Iterator[str]:
    if path.is_dir():
        raise InputError(f"{path}: it is a folder, not a file")
    if not path.exists():  # a pipe, such as the shell's <(…), is read like a file
        raise InputError(f"{path}: there is no such file")
    with OPENERS.get(path.suffix, open)(path, "rb") as file:
        yield from read_stream(file, str(path))


def read_stream(stream: IO[bytes], name: str) -> Iterator[str]:
    """Yield the lines of an open file in UTF-8, without their line ends.

    Raises:
        InputError: for a file that is not UTF-8, or breaks off.
    """
    number = 0
    try:
        for number, line in enumerate(stream, start=1):  # named in the error below
            yield line.decode("utf-8-sig" if number == 1 else "utf-8").rstrip("\r\n")
    except UnicodeDecodeError as error:
        raise InputError(f"{name}:{number}: not UTF-8 ({error.reason}); convert the file to UTF-8") from None
    except (OSError, EOFError, lzma.LZMAError) as error:
        raise InputError(f"{name}: cannot be read after line {number} ({error})") from None
