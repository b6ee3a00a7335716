"""GGUF files through the reader of the package gguf, bounded by the size of the file.

That reader believes a file's counts: of 24 bytes that declare 2^60 numbers it takes memory until there is none. Layout:
https://github.com/ggml-org/ggml/blob/master/docs/gguf.md.
"""

from __future__ import annotations

import contextlib
import functools
import importlib
from collections.abc import Iterator
from math import prod
from typing import Any

import numpy as np

_LARGEST_TABLE = 2**30  # numbers of a table of positions that any model may have
_SIZES = ("embedding_length", "feed_forward_length", "vocab_size", "attention.head_count")


@contextlib.contextmanager
def bounded_reader(path: str, readers: dict[str, Any]) -> Iterator[None]:
    """Read a file and check it; meanwhile gguf's reader is one that is bounded, and reads each file once.

    transformers reads a file's fields several times, and asks for the table of tensor names anew for each of a model's
    hundreds of modules: a minute for a small model.

    Args:
        path: the file.
        readers: the readers of files that were read before, by path; those of this block are added.

    Raises:
        KeyError, RecursionError, ValueError: if the file's header does not fit into the file, or contradicts itself.
    """
    gguf: Any = importlib.import_module("gguf")

    class BoundedReader(gguf.GGUFReader):  # type: ignore[misc]
        """Ends with an error at the end of the file: whatever is counted, each item of it takes some bytes."""

        @property
        def data(self) -> Any:
            """The bytes of the file, a plain array: numpy's class of mapped files takes each single byte by Python."""
            return self._bytes

        @data.setter
        def data(self, mapped: Any) -> None:
            self._bytes = mapped.view(np.ndarray)

        def _get(self, offset: int, dtype: Any, count: int = 1, *order: Any, **options: Any) -> Any:
            if int(offset) + dtype().itemsize * int(count) > len(self.data):
                raise ValueError(f"it ends after {len(self.data):,} bytes, before what it declares")
            return super()._get(offset, dtype, count, *order, **options)

    def reader_of(file: Any) -> Any:
        if str(file) not in readers:
            readers[str(file)] = BoundedReader(file)
        return readers[str(file)]

    originals = {name: getattr(gguf, name) for name in ("GGUFReader", "get_tensor_name_map")}
    gguf.GGUFReader = reader_of
    gguf.get_tensor_name_map = functools.cache(gguf.get_tensor_name_map)
    try:
        _check_sizes(gguf.GGUFReader(path), gguf.GGUFValueType.STRING)
        yield
    finally:
        for name, original in originals.items():
            setattr(gguf, name, original)


def _check_sizes(reader: Any, text: Any) -> None:
    """Check the sizes by which a model is made before its tensors are read."""
    shapes = [tensor.shape.tolist() for tensor in reader.tensors]
    longest = max(map(max, filter(None, shapes)), default=0)
    architecture = reader.get_field("general.architecture")
    prefix = "" if architecture is None else bytes(architecture.parts[-1]).decode()

    def declared(name: str) -> int:
        field = reader.get_field(f"{prefix}.{name}")
        return int(field.parts[-1][0]) if field is not None and len(field.types) == 1 and field.types != [text] else 0

    for name in _SIZES:
        if declared(name) > longest:
            raise ValueError(f"it declares {name} {declared(name):,}, but its tensors are at most {longest:,} long")
    if declared("block_count") > len(shapes):
        raise ValueError(f"it declares {declared('block_count'):,} layers, but holds {len(shapes):,} tensors")
    context = declared("context_length")
    if context * declared("embedding_length") > max(_LARGEST_TABLE, sum(map(prod, shapes))):
        raise ValueError(f"it declares a context of {context:,}, beyond a model of its size")
