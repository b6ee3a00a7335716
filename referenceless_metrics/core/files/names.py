"""The names of systems, taken from the names of their files."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from referenceless_metrics.core.files.tables import FORMATS


def file_names(files: Sequence[str]) -> list[str]:
    """Return the shortest names that tell files apart: without the suffix, with it, or the whole paths.

    >>> file_names(["a/ours.txt", "b/base.txt"]), file_names(["a/ours.txt", "b/ours.txt"])
    (['ours', 'base'], ['a/ours.txt', 'b/ours.txt'])
    """
    for shorten in (suffixless, _with_suffix):
        names = [shorten(file) for file in files]
        if len(set(names)) == len(names):
            return names
    return list(files)


def _with_suffix(file: str) -> str:
    return Path(file).name


def suffixless(file: str) -> str:
    """Return a file's name without the suffix of its format.

    >>> suffixless("outputs/bt5-v1.1.jsonl.gz"), suffixless("GPT-3.5")
    ('bt5-v1.1', 'GPT-3.5')
    """
    name = Path(file).name
    stem, _, suffix = name.removesuffix(".gz").rpartition(".")
    if stem and suffix.lower() in FORMATS:
        return stem
    return name
