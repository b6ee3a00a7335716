"""The format of a file, by its name and its first lines."""

from __future__ import annotations

from pathlib import Path

import numpy as np

from referenceless_metrics.core.files.documents import are_documents, check_one_kind, note_on_documents
from referenceless_metrics.core.files.formats import FORMATS, SUFFIXES, ByteLines
from referenceless_metrics.core.files.n_best import are_n_best
from referenceless_metrics.core.files.opening import PACKED, STDIN, opened, sniffed, sniffed_stdin
from referenceless_metrics.core.files.reading import Reading
from referenceless_metrics.core.support.validation import InputError, finite_numbers

_BINARY = ("parquet", "xlsx")

_SAMPLED = 20  # lines from which a file of numbers is recognised


def source_name(source: str) -> str:
    """Return a source as messages name it."""
    return "standard input" if source == STDIN else source


def file_format(source: str, reading: Reading, default: str) -> str:
    """Return the format of a source: the one that is named, that of its suffix, or else that of its content.

    Args:
        source: a file, or `-` for standard input.
        reading: the format that is named, if any, and the encoding.
        default: the format of text without a known suffix, such as standard input.

    Raises:
        InputError: for an unknown format, a file that cannot be opened, and one that holds no text.
    """
    return format_and_note(source, reading, default)[0]


def format_and_note(source: str, reading: Reading, default: str) -> tuple[str, list[str]]:
    """Return the format of a source as `file_format` does, with a note if the suffix does not tell it."""
    format = reading.format
    if format is not None:
        if format not in FORMATS:
            raise InputError(f"unknown input format {format!r}; the known ones are {', '.join(FORMATS)}")
        return format, []
    if source == STDIN:
        found = sniffed_stdin() if reading.encoding is None else None
        if found in (None, default):
            return default, []
        return str(found), [f"{source_name(source)}: read as {found} (--input-format)"]
    if are_documents(source):
        return "jsonl", [note_on_documents(source)]
    check_one_kind(source)
    suffix = suffix_of(source)
    known = SUFFIXES.get(suffix)
    if known in _BINARY:
        return known, []
    if not Path(source).is_file():
        with opened(source, source):  # there may be no such file, or it is a device
            return known or default, []
    if reading.encoding is not None:  # it is text
        return known or default, []
    found = sniffed(source, is_text=known is not None)
    if known is None or found in _BINARY or (known == "jsonl" and found == "json"):
        is_listed = found is None and (_names_several(reading) or _holds_n_best(source))
        format = found or ("csv" if is_listed else "txt" if default == "csv" and _holds_numbers(source) else default)
        if format == "txt" and len(suffix) == 2 and suffix.isalpha():  # a language, as of one side of a corpus
            return format, []
        problem = f"the suffix {'.' + suffix!r} is not known" if suffix else "there is no suffix"
        if known is not None:
            problem = f"the suffix {'.' + suffix!r} does not fit its content"
        return format, [f"{source}: {problem}; read as {format} (--input-format)"]
    if known == "txt" and (_names_several(reading) or _holds_n_best(source)):
        return "tsv", []
    return known, []


def _names_several(reading: Reading) -> bool:
    """Say whether a table is meant: several columns are named, or what separates them."""
    return len(reading.columns) > 1 or reading.delimiter is not None


def _holds_n_best(source: str) -> bool:
    """Say whether the first lines of a file are of a list of candidates."""
    with opened(source, source) as stream:
        return are_n_best(ByteLines(stream, source).peek(_SAMPLED))


def _holds_numbers(source: str) -> bool:
    """Say whether the first lines of a file hold a number each."""
    with opened(source, source) as stream:
        lines = [line for line in ByteLines(stream, source).peek(_SAMPLED) if line.strip()]
    return len(lines) > 1 and bool(np.isfinite(finite_numbers([line.strip() for line in lines])).all())


def names_lines(source: str) -> bool:
    """Say whether a file is called as one with a line for each thing: it has a suffix, and not that of a table.

    >>> names_lines("newstest.docs"), names_lines("docs.txt"), names_lines("docs.csv"), names_lines("doc")
    (True, True, False, False)
    """
    suffix = suffix_of(source)
    return suffix != "" and SUFFIXES.get(suffix, "txt") == "txt"


def suffix_of(source: str) -> str:
    """Return the format by a file's suffix, without the dot; .gz and the like say nothing.

    >>> suffix_of("a/ratings.CSV.gz")
    'csv'
    """
    plain = Path(source.lower())
    if plain.suffix in PACKED:
        plain = plain.with_suffix("")
    return plain.suffix.lstrip(".")
