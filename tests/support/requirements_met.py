"""The requirements of an installation, followed through the distributions that are installed here."""

import importlib.metadata

from packaging.requirements import Requirement
from packaging.utils import canonicalize_name


def asked_for(lines, *extras):
    """Return the requirements of an installation, with some extras or none."""
    return [
        line for line in lines if line.marker is None or any(line.marker.evaluate({"extra": e}) for e in ("", *extras))
    ]


def installed_by(waiting):
    """Return the names of the distributions that requirements bring, each with the extras that are asked for."""
    waiting, seen = [*waiting], set()
    while waiting:
        line = waiting.pop()
        key = (canonicalize_name(line.name), frozenset(line.extras))
        if key in seen:
            continue
        seen.add(key)
        try:
            lines = importlib.metadata.requires(line.name) or []
        except importlib.metadata.PackageNotFoundError:  # for another platform
            continue
        waiting += asked_for([*map(Requirement, lines)], *line.extras)
    return {name for name, _ in seen}
