"""Delimited text whose columns are named by numbered comments, above the rows and between them.

PCIbex Farm writes results so (doc.pcibex.net/how-to-guides/data-transformation): `# 1. Results reception time.`
and so on stand above the first rows, and `# 13. item.` above rows with further columns.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

from referenceless_metrics.core.files.headers import single_names
from referenceless_metrics.core.files.lines import ByteLines
from referenceless_metrics.core.support.validation import InputError, Record

_NAME = re.compile(r"#\s*(\d+)\.\s*(\S.*?)\.?\s*")
_FEWEST = 2  # names
_COMMA = "%2C"
_NOTHING = "NULL"


def are_named_by_comments(sample: Sequence[str]) -> bool:
    """Say whether comments above the first row give numbers and names to all its fields, but for the last, maybe.

    >>> are_named_by_comments(["# Columns:", "# 1. Time.", "# 2. Value.", "17,4"])
    True
    >>> are_named_by_comments(["# 1. This is a list.", "text,rating", "a,4"])
    False
    """
    names: list[str] = []
    for line in sample:
        if not line.startswith("#"):
            n_fields = len(line.split(","))
            return len(names) >= _FEWEST and len(names) <= n_fields <= len(names) + 1
        _add_name(names, line)
    return False


def _add_name(names: list[str], line: str) -> None:
    """Add the name that a comment gives to a place; it replaces those of this place and of later ones."""
    match = _NAME.fullmatch(line.strip())
    if match is not None and int(match[1]) <= len(names) + 1:
        names[int(match[1]) - 1 :] = [match[2]]


def commented_rows(lines: ByteLines, columns: Record) -> Iterator[tuple[int, Record]]:
    """Yield the rows with the names that the comments above each give to its fields.

    A comma inside a field is written `%2C`, and a field without a value `NULL`.

    Args:
        lines: the text.
        columns: receives the names of the columns.

    Raises:
        InputError: for a row with more fields than names, but for one more; the message names the line.
    """
    lines.notes.append(f"{lines.name}: numbered comments name the columns, and others between the rows further ones")
    names: list[str] = []
    for line in lines:
        if line.startswith("#"):
            _add_name(names, line)
            continue
        if not line.strip():
            continue
        fields = line.rstrip("\r\n").split(",")
        if len(fields) > len(names) + 1:
            raise InputError(
                f"{lines.name}:{lines.number}: expected {len(names)} fields between commas, which comments above name, "
                f"but got {len(fields)}"
            )
        of_row, _ = single_names([*names, ""][: len(fields)])
        columns.update(dict.fromkeys(of_row))
        cells = ("" if field == _NOTHING else field.replace(_COMMA, ",") for field in fields)
        yield lines.number, dict(zip(of_row, cells, strict=True))
