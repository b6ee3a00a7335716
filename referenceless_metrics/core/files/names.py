"""The names of systems, taken from the names of their files."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import takewhile
from pathlib import Path

from referenceless_metrics.core.files.tables import FORMATS


def file_names(files: Sequence[str]) -> list[str]:
    """Return the shortest names that tell files apart: without the suffix, with it, of their folders, or whole paths.

    >>> file_names(["a/ours.txt", "b/base.txt"]), file_names(["runs/a/out.txt", "runs/b/out.txt"])
    (['ours', 'base'], ['a', 'b'])
    """
    for shorten in (suffixless, _with_suffix):
        names = [shorten(file) for file in files]
        if len(set(names)) == len(names):
            return names
    return _folders(files) or list(files)


def _folders(files: Sequence[str]) -> list[str]:
    """Return the parts of paths between those that all have at their beginning and end; none if that tells too little.

    >>> _folders(["runs/a/1/out.txt", "runs/b/1/out.txt"]), _folders(["out.txt", "a/out.txt"])
    (['a', 'b'], [])
    """
    paths = [Path(file).parts for file in files]
    rests = [path[_n_shared(paths) :] for path in paths]
    n_last = _n_shared([rest[::-1] for rest in rests])
    parts = [rest[: len(rest) - n_last] for rest in rests]
    names = [Path(*of_file).as_posix() for of_file in parts]
    return names if all(parts) and len(set(names)) == len(names) else []


def _n_shared(paths: Sequence[Sequence[str]]) -> int:
    """Return how many parts all paths share at their beginning."""
    return sum(1 for _ in takewhile(lambda parts: len(set(parts)) == 1, zip(*paths, strict=False)))


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
