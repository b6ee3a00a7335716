"""Figures of networks that take long to train, kept with the package: a description, and the measurements."""

from __future__ import annotations

import os
from dataclasses import dataclass, field
from importlib.resources import files
from pathlib import Path
from typing import Any

import numpy as np

from referenceless_metrics.core.support.validation import Floats, InputError
from referenceless_papers.common.record import read_record, write_record

SIZES = ("small", "published")


@dataclass
class Networks:
    """Networks of one size, with their figures.

    Attributes:
        how: a description of the networks and of the machine they were trained on.
        summaries: summaries by key, such as `pair/S1` or `SFHot.C2/S4`.
        cpu_seconds: processor time of training and estimating, by family and set-up, such as `C2/S4`.
        estimates: estimates of the published folds, by set-up: the first seed's, rounded, shape (n,).
    """

    how: str
    summaries: dict[str, Any] = field(default_factory=dict)
    cpu_seconds: dict[str, int] = field(default_factory=dict)
    estimates: dict[str, Floats] = field(default_factory=dict)

    def updated(self, other: Networks, how: str) -> Networks:
        """Return these networks with others in the place of those of the same names."""
        return Networks(
            how,
            self.summaries | other.summaries,
            self.cpu_seconds | other.cpu_seconds,
            self.estimates | other.estimates,
        )


def read_networks(name: str, path: str | os.PathLike[str] | None = None) -> Networks | None:
    """Return the networks of a record.

    Args:
        name: their size, one of `SIZES`.
        path: the record; None for the package's own.

    Returns:
        The networks; None if the record has none of that size.
    """
    own = str(files("referenceless_papers") / "dusek" / "networks.json")
    content = read_record(own if path is None else path)
    if name not in content:
        return None
    found = Networks(**content[name])
    found.estimates = {setup: unpack_halves(text) for setup, text in content[name]["estimates"].items()}
    return found


def add_to_record(name: str, found: Networks, path: str | os.PathLike[str]) -> None:
    """Write networks to a record; the record's other networks stay.

    Args:
        name: their size, one of `SIZES`.
        found: the networks.
        path: the file, which need not exist.

    Raises:
        InputError: for a file of another kind or version, or one whose networks of that size were trained otherwise.
    """
    content = read_record(path) if Path(path).exists() else {}
    kept = (read_networks(name, path) if content else None) or Networks(found.how)
    if kept.how != found.how:
        raise InputError(f"{path}: it holds networks of {kept.how}, and these are of {found.how}")
    merged = vars(kept.updated(found, found.how))
    merged["estimates"] = {setup: pack_halves(values) for setup, values in merged["estimates"].items()}
    write_record({**content, name: merged}, path)


def pack_halves(values: Floats) -> str:
    """Write ratings in steps of a half as one letter each, from `a` for 0.

    >>> pack_halves(np.array([0.5, 1.0, 6.0]))
    'bcm'
    """
    return "".join(chr(ord("a") + round(2 * value)) for value in values.tolist())


def unpack_halves(text: str) -> Floats:
    """Read a string of `pack_halves`, shape (n,)."""
    return np.array([(ord(letter) - ord("a")) / 2 for letter in text], dtype=np.float64)
