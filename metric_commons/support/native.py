"""The kernels of `native/`, a compiled library: loaded when the first of them is called, one set for each processor.

Processors of x86-64 have levels (2, 3 with AVX2, 4 with AVX-512); the highest that the machine has is taken, or the one
that the environment variable `REFERENCELESS_LEVEL` names. All levels give the same bits. The library is entered without
the interpreter's lock, keeps no state and writes nothing, so that threads and forked processes share it.
"""

from __future__ import annotations

import ctypes
import operator
import os
import platform
import sys
import zlib
from collections.abc import Callable
from functools import cache
from pathlib import Path
from typing import Any

import numpy as np

from metric_commons.support import native_interface
from metric_commons.support.validation import describe

LEVEL_VARIABLE = "REFERENCELESS_LEVEL"

_LIBRARY = Path(__file__).with_name("_kernels.dll" if sys.platform == "win32" else "_kernels.so")
_NO_MEMORY = -1
_ADDRESS, _SIZE, _FLOAT = ctypes.c_void_p, ctypes.c_int64, ctypes.c_double

_Converter = Callable[[str, Any], tuple[Any, ...]]


def call(function: str, *arguments: Any) -> int:
    """Call a function of the library.

    Args:
        function: its name in `native_interface.FUNCTIONS`.
        arguments: what that line lists.

    Returns:
        What the function returns, which is not negative.

    Raises:
        ValueError: for an argument that is not as its line says, or that the function refuses; the message names it.
        MemoryError: where the function got no memory.
        ImportError: where the library is missing or of another version of these sources.
    """
    return _bound(function, level())(*arguments)


def level_name() -> str:
    """Return which set of kernels runs, such as ``x86-64-v3``."""
    return f"x86-64-v{level()}" if level() else platform.machine()


@cache  # asking a processor takes 15 microseconds where it is a virtual one
def levels() -> range:
    """Return the levels that this machine can run; none where processors have no levels."""
    highest = int(_library().processor_level())
    return range(2, highest + 1)


def level() -> int:
    """Return the level that runs, 0 where processors have none.

    Raises:
        ValueError: for a level in `REFERENCELESS_LEVEL` that the machine cannot run.
    """
    wanted, available = os.environ.get(LEVEL_VARIABLE, ""), levels()
    if not wanted:
        return max(available, default=0)
    if wanted not in map(str, available):
        names = ", ".join(map(str, available)) or "none: its processor has no levels"
        raise ValueError(f"Expected {LEVEL_VARIABLE} to be a level of this machine ({names}), but got {wanted!r}")
    return int(wanted)


class _Function:
    """A function of the library, with what turns Python's arguments into its own."""

    def __init__(self, name: str, at_level: int) -> None:
        self._name = name
        self._parameters = _parameters(native_interface.FUNCTIONS[name])
        self._entry = getattr(_library(), f"{name}_v{at_level}", None) or getattr(_library(), name)
        self._entry.restype = _SIZE
        self._entry.argtypes = [kind for _, kinds, _ in self._parameters for kind in kinds]

    def __call__(self, *arguments: Any) -> int:
        converted: list[Any] = []
        for (parameter, _, convert), argument in zip(self._parameters, arguments, strict=True):
            converted += convert(f"`{parameter}` of `{self._name}`", argument)
        status = int(self._entry(*converted))
        if status >= 0:
            return status
        if status == _NO_MEMORY:
            raise MemoryError(f"no memory for what `{self._name}` holds")
        place = -2 - status
        raise ValueError(
            f"Expected argument `{self._parameters[place][0]}` of `{self._name}` to go with the others, "
            f"but got {describe(arguments[place])}"
        )


@cache
def _bound(name: str, at_level: int) -> _Function:
    return _Function(name, at_level)


@cache
def _library() -> ctypes.CDLL:
    try:
        library = ctypes.CDLL(str(_LIBRARY))
    except OSError as error:
        raise ImportError(f"The compiled kernels cannot be loaded ({error}): install this package anew") from None
    library.interface_checksum.restype = library.processor_level.restype = _SIZE
    if library.interface_checksum() != interface_checksum(Path(native_interface.__file__).read_bytes()):
        raise ImportError(f"{_LIBRARY} was built from other sources: in a checkout, run `pip install -e .` anew")
    return library


def interface_checksum(table: bytes) -> int:
    """Return the checksum of the source of `native_interface`, whatever ends its lines."""
    return zlib.crc32(b"\n".join(table.splitlines()))


def _parameters(line: str) -> list[tuple[str, list[Any], _Converter]]:
    """Return the name, the C types and the converter of each parameter in a line of the table."""
    parameters = []
    for parameter in filter(None, line.split(", ")):
        kind, name = parameter.rsplit(" ", 1)
        parameters.append((name, *_kind(kind)))
    return parameters


def _kind(kind: str) -> tuple[list[Any], _Converter]:
    if kind == "int":
        return [_SIZE], lambda name, value: (operator.index(value),)
    if kind == "float":
        return [_FLOAT], lambda name, value: (float(value),)
    if kind in native_interface.GROUPS:
        group = _group(kind)
        return [ctypes.POINTER(group.struct)], group
    return [_ADDRESS, _SIZE], _array_converter(kind)


def _array_converter(kind: str) -> _Converter:
    """Return what turns an array into its address and its number of items, and refuses one of another type."""
    written, kind = kind.startswith("out "), kind.removeprefix("out ")
    optional = kind.endswith("?")
    dtype = np.dtype(kind.rstrip("?").removesuffix("[]"))

    def convert(name: str, array: Any) -> tuple[Any, ...]:
        if array is None and optional:
            return None, 0
        if not isinstance(array, np.ndarray) or array.dtype != dtype or not array.flags.c_contiguous:
            came = describe(array)
            if isinstance(array, np.ndarray):
                came = f"one of {array.dtype}" if array.dtype != dtype else "one that is not contiguous"
            raise ValueError(f"Expected argument {name} to be a contiguous array of {dtype}, but got {came}")
        if written and not array.flags.writeable:
            raise ValueError(f"Expected argument {name} to be an array that may be written to")
        return array.__array_interface__["data"][0], array.size

    return convert


@cache
def _group(kind: str) -> _Group:
    return _Group(kind)


class _Group:
    """Turns an object with attributes into a pointer to the struct of that name."""

    def __init__(self, kind: str) -> None:
        self._parameters = _parameters(native_interface.GROUPS[kind])
        fields = [(f"{name}{at}", c) for name, kinds, _ in self._parameters for at, c in enumerate(kinds)]
        self.struct = type(kind, (ctypes.Structure,), {"_fields_": fields})

    def __call__(self, name: str, value: Any) -> tuple[Any, ...]:
        converted: list[Any] = []
        for parameter, _, convert in self._parameters:
            converted += convert(f"`{parameter}` in {name}", getattr(value, parameter))
        return (ctypes.byref(self.struct(*converted)),)
