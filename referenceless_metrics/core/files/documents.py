"""Folders with a text in each file, as `000000_decoded.txt`, a sentence a line: outputs of a system, or references.

Such a folder is read as JSON lines, a row for each file: its lines joined are the text, and its name tells the item.
"""

from __future__ import annotations

import json
import re
from pathlib import Path
from statistics import mean

from referenceless_metrics.core.files.formats import SUFFIXES, TEXT
from referenceless_metrics.core.support.validation import InputError

ITEM = "item"
"""The column with the part of a file's name that tells its item."""

_FEWEST = 3  # files
_FEWEST_UNNUMBERED = 20  # files whose names differ in more than a number
_MOST_KINDS = 5  # of texts in one folder
_SAMPLED = 100
_FEWEST_WORDS = 3  # of a line, in the mean: those of tables and numbers have fewer
_BETWEEN = re.compile(r"([\W_]+)")


def are_documents(folder: str) -> bool:
    """Say whether a folder holds nothing but files with a text each: of one suffix, and none that of tables.

    Their names differ in a number alone, or in all but that if they are many. They have fewer lines in the mean than
    there are files: a few long files are of a system each, with a text per line.
    """
    files = _files(folder)
    n_kinds = len(_by_kind(files))
    are_named = n_kinds == 1 or (len(files) >= _FEWEST_UNNUMBERED and 2 * n_kinds > len(files))
    return are_named and _hold_texts(files)


def check_one_kind(folder: str) -> None:
    """Check that a folder does not hold texts of several kinds, as `000000_decoded.txt` and `000000_reference.txt`.

    Raises:
        InputError: for such a folder.
    """
    files = _files(folder)
    kinds = _by_kind(files)
    are_many = len(files) >= _FEWEST * len(kinds) and len(set(map(len, kinds.values()))) == 1
    if 1 < len(kinds) <= _MOST_KINDS and are_many and _hold_texts(files):
        named = " and ".join(of_kind[0].name for of_kind in kinds.values())
        raise InputError(
            f"{folder}: its {len(files)} files hold a text each, of {len(kinds)} kinds, such as {named}: move those of "
            "each kind into a folder of its own, which commands read as one file"
        )


def _by_kind(files: list[Path]) -> dict[str, list[Path]]:
    """Return files by their names without numbers."""
    found: dict[str, list[Path]] = {}
    for file in files:
        found.setdefault(re.sub(r"\d+", "0", file.stem), []).append(file)
    return found


def _hold_texts(files: list[Path]) -> bool:
    """Say whether files have one suffix, not that of tables, and their beginnings hold prose."""
    if len(files) < _FEWEST or len({file.suffix for file in files}) > 1:
        return False
    suffix = files[0].suffix.lower().removeprefix(".")
    return suffix != "" and SUFFIXES.get(suffix, "txt") == "txt" and _holds_prose(files)


def documents_in(folder: str) -> dict[str, Path]:
    """Return the files of a folder by their items, in the order of the numbers in their names.

    An item is what stands in the name of a file between the words with which all names begin and end.
    """
    files = sorted(_files(folder), key=_in_order)
    parts = [_BETWEEN.split(file.stem) for file in files]
    n_first = _n_alike(parts)
    n_last = _n_alike([of_file[n_first:][::-1] for of_file in parts])
    items = ["".join(of_file[n_first : len(of_file) - n_last]) for of_file in parts]
    return dict(zip(items, files, strict=True))


def as_json_lines(folder: str) -> bytes:
    """Return the texts in the files of a folder as JSON lines.

    Raises:
        InputError: for a file that cannot be read as UTF-8.
    """
    rows = [{TEXT: " ".join(_lines(file)), ITEM: item} for item, file in documents_in(folder).items()]
    return "".join(f"{json.dumps(row)}\n" for row in rows).encode()


def note_on_documents(folder: str) -> str:
    """Return the assumption that each file of a folder is a text, without an end."""
    found = documents_in(folder)
    item, first = next(iter(found.items()))
    return (
        f"{folder}: each of its {len(found)} files is read as one text, its lines joined, and its name tells the item, "
        f"such as {item!r} of {first.name}"
    )


def _files(folder: str) -> list[Path]:
    """Return what a folder holds, without hidden files; nothing of a folder that holds others, and of a file."""
    if not folder or not Path(folder).is_dir():
        return []
    held = sorted(each for each in Path(folder).iterdir() if not each.name.startswith("."))
    return held if all(each.is_file() for each in held) else []


def _holds_prose(files: list[Path]) -> bool:
    """Say whether the first files hold lines of several words, without tabs, and fewer than there are files."""
    try:
        texts = [_lines(file) for file in files[:_SAMPLED]]
    except InputError:
        return False
    lines = [line for text in texts for line in text]
    if not lines or any("\t" in line for line in lines):
        return False
    return mean(map(len, texts)) <= len(files) and mean(len(line.split()) for line in lines) >= _FEWEST_WORDS


def _lines(file: Path) -> list[str]:
    """Return the lines of a file that hold anything.

    Raises:
        InputError: for a file that is not UTF-8.
    """
    try:
        content = file.read_text(encoding="utf-8-sig")
    except UnicodeDecodeError as error:
        byte = error.object[error.start]
        raise InputError(
            f"{file}: not UTF-8 (byte 0x{byte:02x}), as the files of a folder of texts have to be"
        ) from None
    return [line.strip() for line in content.splitlines() if line.strip()]


def _in_order(file: Path) -> list[str | int]:
    """Return the name of a file so that its numbers sort as numbers."""
    return [int(part) if part.isdecimal() else part for part in re.split(r"(\d+)", file.name)]


def _n_alike(parts: list[list[str]]) -> int:
    """Return how many parts all names share at their beginning; not all of one."""
    n = 0
    while all(len(of_name) > n + 1 and of_name[n] == parts[0][n] for of_name in parts):
        n += 1
    return n
