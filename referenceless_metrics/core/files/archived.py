"""Base classes of objects saved by their schema, and of objects pickled without values computed on demand."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cached_property
from typing import ClassVar, Self

import numpy as np

from referenceless_metrics.core.files.archive import (
    STRINGS,
    Schema,
    pack_strings,
    read_archive,
    reading,
    unpack_strings,
    write_archive,
)
from referenceless_metrics.core.support.validation import PathName, Record, Unsigned8


class Portable:
    """Pickled without its cached properties, so that its pickle does not change with use."""

    def __getstate__(self) -> Record:
        """Leave out values that were computed on demand."""
        kind = type(self)
        return {
            name: value for name, value in vars(self).items() if not isinstance(getattr(kind, name, 0), cached_property)
        }


class Archived(Portable):
    """Base of classes that are saved in an archive: the constructor takes the fields and arrays of the schema."""

    SCHEMA: ClassVar[Schema]

    def save(self, path: PathName) -> None:
        """Write it to a ``.safetensors`` file, atomically."""
        rules, arrays = self.SCHEMA.arrays, {}
        assert not callable(rules)
        for name, rule in rules.items():
            value = getattr(self, name)
            arrays[name] = pack_strings(value) if rule == STRINGS else value.astype(rule.dtype)
        write_archive(path, self.SCHEMA, {name: getattr(self, name) for name in self.SCHEMA.fields}, arrays)

    @classmethod
    def load(cls, path: PathName) -> Self:
        """Read a file of `save`.

        Raises:
            FileNotFoundError: if there is no such file.
            ValueError: for a truncated, damaged or foreign file, or one of a later version.
        """
        header, arrays = read_archive(path, cls.SCHEMA)
        with reading(path, cls.SCHEMA):
            unpacked = {name: cls._unpacked(a) if a.dtype == np.uint8 else a for name, a in arrays.items()}
            return cls(**header, **unpacked)

    @staticmethod
    def _unpacked(packed: Unsigned8) -> Sequence[str]:
        """Return strings of a file."""
        return unpack_strings(packed)
