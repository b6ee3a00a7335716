"""Names of files: those of systems that are taken from them, and whether two are of one file."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from itertools import takewhile
from pathlib import Path

from referenceless_metrics.core.files.formats import FORMATS
from referenceless_metrics.core.support.metric_names import names_metric


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


def are_one_file(one: str, other: str) -> bool:
    """Say whether two names are of one file."""
    return Path(one).is_file() and Path(other).is_file() and Path(one).samefile(other)


def _with_suffix(file: str) -> str:
    return Path(file).name


def suffixless(file: str) -> str:
    """Return a file's name without the suffix of its format, or of the metric whose scores it holds.

    >>> suffixless("outputs/bt5-v1.1.jsonl.gz"), suffixless("GPT-3.5"), suffixless("runs/ours.bleurt")
    ('bt5-v1.1', 'GPT-3.5', 'ours')
    """
    name = Path(file).name
    stem, _, suffix = name.removesuffix(".gz").rpartition(".")
    if stem and (suffix.lower() in FORMATS or names_metric(suffix)):
        return stem
    return name


def metric_of_file(file: str) -> str:
    """Return the metric that a file is called after, by its suffix or by what stands before the first dot; "" for none.

    >>> metric_of_file("runs/ours.bleurt"), metric_of_file("COMET-22.ours.txt"), metric_of_file("comet.txt")
    ('bleurt', 'COMET-22', '')
    """
    first, *others = Path(file).name.removesuffix(".gz").split(".")
    if others and names_metric(others[-1]):
        return others[-1]
    return first if len(others) > 1 and names_metric(first) else ""


def without_metric(system: str, metric: str) -> str:
    """Return the name that a file gives to a system, without that of the metric whose scores it holds.

    >>> without_metric("COMET-22.ours", "COMET-22"), without_metric("ours.bleurt", "bleurt")
    ('ours', 'ours')
    """
    return system.removeprefix(f"{metric}.").removesuffix(f".{metric}")


def alike_but_for_ends(names: Sequence[str], known: Sequence[str]) -> dict[str, str]:
    """Return the known name of each of some names that differ from it by the same ends, as names of files do.

    All names, or all known ones, begin and end with these words; without them all of the fewer names, two or more, are
    those of the others. Names of which one is known as it stands are left alone.

    >>> alike_but_for_ends(["hyp.a.de", "hyp.b.de"], ["a", "b", "ref"])
    {'hyp.a.de': 'a', 'hyp.b.de': 'b'}
    >>> alike_but_for_ends(["a", "b"], ["hyp.b.de", "hyp.a.de"])
    {'a': 'hyp.a.de', 'b': 'hyp.b.de'}
    >>> alike_but_for_ends(["hyp.a", "out.b"], ["a", "b"]), alike_but_for_ends(["a1", "b1"], ["a", "b"])
    ({}, {})
    """
    if not set(names).isdisjoint(known):
        return {}
    if found := _without_ends(names, known):
        return found
    longer = _without_ends(known, names)
    return {name: longer_name for longer_name, name in sorted(longer.items(), key=lambda pair: names.index(pair[1]))}


def _without_ends(names: Sequence[str], known: Sequence[str]) -> dict[str, str]:
    """Return the known names that some names are without their common ends; none if no ends do that, or several."""
    ends = set()
    for name in names:
        for one in filter(None, known):
            ends |= {(name[: at.start()], name[at.end() :]) for at in re.finditer(re.escape(one), name)}
    found = []
    for begin, end in ends:
        cut = {name: name.removeprefix(begin).removesuffix(end) for name in names}
        have_ends = all(name == f"{begin}{rest}{end}" for name, rest in cut.items())
        are_words = not begin[-1:].isalnum() and not end[:1].isalnum()
        alike = {name: rest for name, rest in cut.items() if rest in known}
        if have_ends and are_words and len(alike) == min(len(names), len(known)) > 1:
            found.append(alike)
    return found[0] if len(found) == 1 else {}


def alike_told(alike: Mapping[str, str]) -> str:
    """Return the assumption that names which differ by their ends are of the same systems.

    >>> alike_told({"hyp.a.de": "a", "hyp.b.de": "b"})
    "systems are told by their names without the ends that these share: 'hyp.a.de' is 'a', 'hyp.b.de' is 'b'"
    """
    told = ", ".join(f"{name!r} is {known!r}" for name, known in alike.items())
    return f"systems are told by their names without the ends that these share: {told}"
