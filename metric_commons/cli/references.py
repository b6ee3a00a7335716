"""References on the command line: in files of their own, or in columns beside the texts."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import click

from metric_commons.files.text_io import read_texts
from metric_commons.support.errors import InputError


def references_option(command: Callable[..., Any]) -> Callable[..., Any]:
    """Add `--references`."""
    return click.option(
        "--references",
        multiple=True,
        type=click.Path(),
        help="File with a reference for each text, in the same order; may be repeated. A blank line is none.",
    )(command)


def reference_columns_option(command: Callable[..., Any]) -> Callable[..., Any]:
    """Add `--reference-columns`."""
    return click.option(
        "--reference-columns",
        multiple=True,
        metavar="NAME",
        help="Column with references, by name or pattern ('reference_*'); may be repeated.",
    )(command)


def reference_options(command: Callable[..., Any]) -> Callable[..., Any]:
    """Add `--references` and `--reference-columns`."""
    return references_option(reference_columns_option(command))


def reference_streams(files: Sequence[str], n_texts: int, of: str, *, every_text: bool = False) -> list[list[str]]:
    """Read files of references, one stream a file; a blank line is no reference.

    Args:
        files: the files.
        n_texts: how many texts there are.
        of: the file of the texts, for messages.
        every_text: whether each text must have a reference.

    Raises:
        InputError: for a file of another length, or a text without a reference.
    """
    streams = []
    for file in files:
        found = read_texts(file, text_column="reference")
        if len(found) != n_texts:
            raise InputError(f"{file} has {len(found)} references, but {of} has {n_texts} texts")
        streams.append(found)
    if streams and every_text:
        for place, texts in enumerate(zip(*streams, strict=True)):
            if not any(text.strip() for text in texts):
                raise InputError(f"{', '.join(files)}: no reference for text {place + 1}")
    return streams


def check_reference_options(file: str, references: Sequence[str], reference_columns: Sequence[str]) -> None:
    """Check that references are named in one way, before anything is read.

    Raises:
        click.UsageError: for both ways, or for columns of standard input.
    """
    if references and reference_columns:
        raise click.UsageError("give --references or --reference-columns, not both")
    if reference_columns and file == "-":
        raise click.UsageError("--reference-columns needs a file, not standard input")


def reference_lists(file: str, n_texts: int, references: Sequence[str]) -> list[list[str]]:
    """Return the references of each text from files.

    Raises:
        InputError: for a file of another length, or a text without a reference.
    """
    streams = reference_streams(references, n_texts, file, every_text=True)
    return [[text for text in texts if text.strip()] for texts in zip(*streams, strict=True)]
