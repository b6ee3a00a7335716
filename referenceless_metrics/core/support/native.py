"""The kernels of `native/`, a compiled library: loaded when the first of them is called, one set for each processor.

Processors of x86-64 have levels (2, 3 with AVX2, 4 with AVX-512); the highest that the machine has is taken, or the one
that the environment variable `REFERENCELESS_LEVEL` names. All levels give the same bits. The library is entered without
the interpreter's lock, keeps no state and writes nothing, so that threads and forked processes share it.

Functions that use hash tables take a seed. A table is read with the seed that it was built with, so whatever keeps a
table keeps its seed beside it. No result depends on a seed.
"""

from __future__ import annotations

import ctypes
import operator
import os
import platform
import secrets
import sys
import zlib
from collections.abc import Callable, Iterable, Sequence
from functools import cache
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np

from referenceless_metrics.core.support import native_interface
from referenceless_metrics.core.support.validation import describe

LEVEL_VARIABLE = "REFERENCELESS_LEVEL"

SEED = secrets.randbits(63)
"""The seed of all hash tables that this process builds: nobody can write texts whose words meet in one slot."""

_LIBRARY = Path(__file__).with_name("_kernels.dll" if sys.platform == "win32" else "_kernels.so")
_NO_MEMORY = -1
_ADDRESS, _SIZE, _FLOAT = ctypes.c_void_p, ctypes.c_int64, ctypes.c_double


def call(function: str, *arguments: Any) -> int:
    """Call a function of the library.

    Args:
        function: its name in `native_interface.FUNCTIONS`.
        arguments: the arguments that the function's line in that table lists.

    Returns:
        The function's result, which is not negative.

    Raises:
        ValueError: for an argument that is not as its line says, or that the function refuses; the message names it.
        MemoryError: if the function got no memory.
        ImportError: if the library is missing or of another version of these sources.
    """
    entry, parameters = _bound(function, level())
    status = int(entry(*_converted(parameters, arguments, f"of `{function}`")))
    if status >= 0:
        return status
    if status == _NO_MEMORY:
        raise MemoryError(f"no memory for what `{function}` holds")
    place = -2 - status
    raise ValueError(
        f"Expected argument `{parameters[place].name}` of `{function}` to go with the others, "
        f"but got {describe(arguments[place])}"
    )


def instruction_set() -> str:
    """Return which set of kernels runs, such as ``x86-64-v3``."""
    return f"x86-64-v{level()}" if level() else platform.machine()


@cache  # asking a processor takes 15 microseconds if it is a virtual one
def levels() -> range:
    """Return the levels that this machine can run; none if processors have no levels."""
    highest = int(_library().processor_level())
    return range(2, highest + 1)


def level() -> int:
    """Return the level that runs, 0 if processors have none.

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


@cache
def _bound(name: str, at_level: int) -> tuple[Callable[..., int], list[_Parameter]]:
    """Return a function of the library, and its parameters."""
    parameters = _parameters(native_interface.FUNCTIONS[name])
    entry: Any = getattr(_library(), f"{name}_v{at_level}", None) or getattr(_library(), name)
    entry.restype = _SIZE
    entry.argtypes = [kind for parameter in parameters for kind in parameter.types]
    return entry, parameters


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


class _Parameter(NamedTuple):
    """A parameter in a line of the table.

    Attributes:
        name: its name.
        types: its types in C: a number, a pointer to a struct, or an array's address and number of items.
        dtype: the type of an array's items; None if it is no array.
        written: whether an array is written to.
        optional: whether an array may be None.
        fields: the fields of a struct; none if it is no struct.
    """

    name: str
    types: list[Any]
    dtype: np.dtype[Any] | None = None
    written: bool = False
    optional: bool = False
    fields: Sequence[_Parameter] = ()


@cache
def _parameters(line: str) -> list[_Parameter]:
    parameters = []
    for parameter in filter(None, line.split(", ")):
        kind, name = parameter.rsplit(" ", 1)
        if kind in ("int", "float"):
            parameters.append(_Parameter(name, [_SIZE if kind == "int" else _FLOAT]))
        elif kind in native_interface.GROUPS:
            fields = _parameters(native_interface.GROUPS[kind])
            parameters.append(_Parameter(name, [ctypes.POINTER(_struct_of(fields))], fields=fields))
        else:
            dtype = np.dtype(kind.removeprefix("out ").rstrip("?").removesuffix("[]"))
            written, optional = kind.startswith("out "), kind.endswith("?")
            parameters.append(_Parameter(name, [_ADDRESS, _SIZE], dtype, written, optional))
    return parameters


def _struct_of(fields: Sequence[_Parameter]) -> type[ctypes.Structure]:
    """Return a struct of C with the members of each field, in order."""
    members = []
    for field in fields:
        for at, kind in enumerate(field.types):
            members.append((f"{field.name}{at}", kind))

    class Struct(ctypes.Structure):
        _fields_ = members

    return Struct


def _converted(parameters: Sequence[_Parameter], arguments: Iterable[Any], where: str) -> list[Any]:
    """Return arguments as C has them: numbers, arrays as addresses with their sizes, objects as pointers to structs."""
    converted: list[Any] = []
    for (name, types, dtype, written, optional, fields), argument in zip(parameters, arguments, strict=True):
        if dtype is not None:
            if argument is None and optional:
                converted += [None, 0]
                continue
            if not isinstance(argument, np.ndarray) or argument.dtype != dtype or not argument.flags.c_contiguous:
                came = describe(argument)
                if isinstance(argument, np.ndarray):
                    came = f"one of {argument.dtype}" if argument.dtype != dtype else "one that is not contiguous"
                raise ValueError(
                    f"Expected argument `{name}` {where} to be a contiguous array of {dtype}, but got {came}"
                )
            if written and not argument.flags.writeable:
                raise ValueError(f"Expected argument `{name}` {where} to be an array that may be written to")
            converted += [argument.__array_interface__["data"][0], argument.size]
        elif fields:
            of_fields = _converted(fields, [getattr(argument, each.name) for each in fields], f"in `{name}` {where}")
            converted.append(ctypes.byref(types[0]._type_(*of_fields)))
        else:
            converted.append(float(argument) if types[0] is _FLOAT else operator.index(argument))
    return converted
