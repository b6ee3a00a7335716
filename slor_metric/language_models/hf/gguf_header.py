"""A look at a GGUF file before it is read: what it declares must fit into it.

The reader that transformers uses believes a file's counts: of 24 bytes that declare 2^60 numbers it takes memory until
there is none. Layout: https://github.com/ggml-org/ggml/blob/master/docs/gguf.md.
"""

from __future__ import annotations

import mmap
import struct
from collections.abc import Mapping
from math import prod
from pathlib import Path
from typing import Any

_SCALARS = {0: "B", 1: "b", 2: "H", 3: "h", 4: "I", 5: "i", 6: "f", 7: "?", 10: "Q", 11: "q", 12: "d"}
_STRING, _ARRAY = 8, 9
_DEEPEST = 4  # arrays within arrays
_LEAST_FIELD = 8 + 4 + 1  # the length of its name, its type, its value
_LEAST_TENSOR = 8 + 4 + 4 + 8  # the length of its name, its number of dimensions, its type, its place
_MOST_DIMENSIONS = 8
_SMALL = 2**30  # numbers that any model may have
_SIZES = ("embedding_length", "feed_forward_length", "vocab_size", "attention.head_count")


def check_gguf(path: Path, quant_sizes: Mapping[Any, tuple[int, int]]) -> None:
    """Check that all that a file declares fits into it, without taking memory for it.

    Args:
        path: the file.
        quant_sizes: for each type of tensor the numbers and the bytes of a block, as gguf's `GGML_QUANT_SIZES`.

    Raises:
        ValueError: where something does not, or for a file of another kind; the message does not name the file.
    """
    with path.open("rb") as file:
        if path.stat().st_size < 24:
            raise ValueError("it is cut short within its header")
        with mmap.mmap(file.fileno(), 0, access=mmap.ACCESS_READ) as content:
            _Header(content, {int(kind): size for kind, size in quant_sizes.items()}).check()


class _Header:
    def __init__(self, content: mmap.mmap, quant_sizes: dict[int, tuple[int, int]]) -> None:
        self.content = content
        self.quant_sizes = quant_sizes
        self.at = 8
        # The version is a small number: where its low half is 0, the bytes stand the other way round.
        self.order = "<" if struct.unpack_from("<I", content, 4)[0] & 0xFFFF else ">"

    def check(self) -> None:
        n_tensors, n_fields = self.number("Q"), self.number("Q")
        self.require(n_fields * _LEAST_FIELD + n_tensors * _LEAST_TENSOR, f"{n_tensors:,} tensors, {n_fields:,} fields")
        fields = dict(self.field() for _ in range(n_fields))
        shapes = [self.tensor() for _ in range(n_tensors)]
        self.check_sizes(fields, shapes)

    def check_sizes(self, fields: dict[str, Any], shapes: list[tuple[int, ...]]) -> None:
        """Check the sizes by which a model is made before its tensors are read."""
        longest = max((length for shape in shapes for length in shape), default=0)
        architecture = fields.get("general.architecture")
        own = {name: fields.get(f"{architecture}.{name}", 0) for name in (*_SIZES, "block_count", "context_length")}
        own = {name: size for name, size in own.items() if isinstance(size, int)}
        for name in _SIZES:
            if own.get(name, 0) > longest:
                raise ValueError(f"it declares {name} {own[name]:,}, but its tensors are at most {longest:,} long")
        if own.get("block_count", 0) > len(shapes):
            raise ValueError(f"it declares {own['block_count']:,} layers, but holds {len(shapes):,} tensors")
        positions = own.get("context_length", 0) * own.get("embedding_length", 0)
        if positions > max(_SMALL, sum(map(prod, shapes))):
            raise ValueError(f"it declares a context of {own['context_length']:,}, beyond a model of its size")

    def require(self, size: int, what: str) -> None:
        """Check that so many bytes are left."""
        left = len(self.content) - self.at
        if size > left:
            raise ValueError(f"it declares {what}, which take {size:,} bytes or more, and {left:,} are left of it")

    def number(self, kind: str) -> Any:
        layout = f"{self.order}{kind}"
        self.require(struct.calcsize(layout), "a number")
        (value,) = struct.unpack_from(layout, self.content, self.at)
        self.at += struct.calcsize(layout)
        return value

    def text(self) -> str:
        length = self.number("Q")
        self.require(length, f"a text of {length:,} bytes")
        self.at += length
        return self.content[self.at - length : self.at].decode("utf-8", "replace")

    def field(self) -> tuple[str, Any]:
        name = self.text()
        return name, self.value(self.number("I"), 0)

    def value(self, kind: int, depth: int) -> Any:
        """Pass over a value, and return it where it is a number or a text."""
        if kind in _SCALARS:
            return self.number(_SCALARS[kind])
        if kind == _STRING:
            return self.text()
        if kind != _ARRAY:
            raise ValueError(f"it has a field of the unknown type {kind}")
        if depth == _DEEPEST:
            raise ValueError(f"its arrays nest more than {_DEEPEST} deep")
        inner, length = self.number("I"), self.number("Q")
        least = struct.calcsize(f"<{_SCALARS[inner]}") if inner in _SCALARS else 8 if inner == _STRING else 12
        self.require(length * least, f"an array of {length:,} values")
        if inner in _SCALARS:
            self.at += length * least
        elif inner == _STRING:
            self.pass_texts(length)
        else:
            for _ in range(length):
                self.value(inner, depth + 1)
        return None

    def pass_texts(self, n_texts: int) -> None:
        """Pass over a vocabulary: hundreds of thousands of texts."""
        unpack, at, end = struct.Struct(f"{self.order}Q").unpack_from, self.at, len(self.content) - 8
        for _ in range(n_texts):
            if at > end:
                raise ValueError(f"it declares an array of {n_texts:,} texts, and ends within them")
            at += 8 + unpack(self.content, at)[0]
        self.at = at
        self.require(0, "an array of texts")

    def tensor(self) -> tuple[int, ...]:
        """Return a tensor's shape."""
        name, n_dimensions = self.text(), self.number("I")
        if n_dimensions > _MOST_DIMENSIONS:
            raise ValueError(f"its tensor {name[:40]!r} has {n_dimensions:,} dimensions")
        shape = tuple(self.number("Q") for _ in range(n_dimensions))
        kind, _ = self.number("I"), self.number("Q")
        if kind not in self.quant_sizes:
            raise ValueError(f"its tensor {name[:40]!r} is of the unknown type {kind}")
        numbers, n_bytes = self.quant_sizes[kind]
        if prod(shape) // numbers * n_bytes > len(self.content):
            raise ValueError(f"its tensor {name[:40]!r} declares {prod(shape):,} numbers, beyond the file's size")
        return shape
