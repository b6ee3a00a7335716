"""What a GGUF file declares is checked against its size: no count can make the reader take memory."""

from __future__ import annotations

import struct
import time
import tracemalloc
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from slor_metric.language_models.hf.loading import bounded_reader

gguf = pytest.importorskip("gguf")
HUGE = 2**60


def text(content: str) -> bytes:
    return struct.pack("<Q", len(content)) + content.encode()


def field(name: str, kind: int, value: bytes) -> bytes:
    return text(name) + struct.pack("<I", kind) + value


def tensor(name: str, shape: tuple[int, ...], kind: int = 0) -> bytes:
    return text(name) + struct.pack(f"<I{len(shape)}QIQ", len(shape), *shape, kind, 0)


def header(
    fields: list[bytes], tensors: list[bytes], n_fields: int | None = None, n_tensors: int | None = None
) -> bytes:
    counts = len(tensors) if n_tensors is None else n_tensors, len(fields) if n_fields is None else n_fields
    return b"GGUF" + struct.pack("<IQQ", 3, *counts) + b"".join(fields) + b"".join(tensors)


NAME = field("general.architecture", 8, text("llama"))
WORDS = field("tokenizer.tokens", 9, struct.pack("<IQ", 8, 3) + text("a") + text("b") + text(""))
SCORES = field("tokenizer.scores", 9, struct.pack("<IQ3f", 6, 3, 0, 0, 0))
NESTED = field("nested", 9, struct.pack("<IQ", 9, 1) + struct.pack("<IQ2I", 4, 2, 7, 8))


def number(name: str, value: int) -> bytes:
    return field(f"llama.{name}", 4, struct.pack("<I", value))


SOUND = header([NAME, WORDS, SCORES, NESTED, number("block_count", 1)], [tensor("w", (4, 32)), tensor("q", (32, 2), 3)])
BODY = bytes(4 * 128 + 2 * 20)

CASES = [
    (header([], [], n_tensors=HUGE), "bytes or more"),
    (header([], [], n_fields=HUGE), "bytes or more"),
    (header([field("a", 9, struct.pack("<IQ", 4, HUGE))], []), "bytes or more"),
    (header([field("a", 9, struct.pack("<IQ", 8, HUGE))], []), "bytes or more"),
    (header([field("a", 9, struct.pack("<IQ", 8, 3) + text("x") + bytes(16))], []), None),
    (header([field("a", 9, struct.pack("<IQQ", 8, 1, HUGE))], []), "bytes or more"),
    (header([field("a", 9, struct.pack("<IQ", 9, HUGE))], []), "bytes or more"),
    (header([field("a", 9, struct.pack("<IQ", 9, 1) * 9999)], []), "recursion"),
    (header([field("a", 8, struct.pack("<Q", HUGE))], []), "bytes or more"),
    (header([field("a", 77, b"")], []), "is not a valid"),
    (header([], [tensor("w", (HUGE, 2))]), "bytes or more"),
    (header([], [tensor("w", (2**32, 2**32))]), "reshape"),
    (header([], [text("w") + struct.pack("<I", 2**31) + bytes(99)]), "bytes or more"),
    (header([], [tensor("w", (2,), 99)]), "is not a valid"),
    (header([NAME, number("block_count", 2**31)], [tensor("w", (4,))]), "layers, but holds 1 tensors"),
    (header([NAME, number("embedding_length", 2**31)], [tensor("w", (4,))]), "embedding_length 2,147,483,648, but"),
    (
        header([NAME, number("embedding_length", 4), number("context_length", 2**31)], [tensor("w", (4,))]),
        "a context of 2,147,483,648",
    ),
    (b"GGUF\x03\0\0\0", "bytes or more"),
]


def message(content: bytes, folder: Path) -> str | None:
    path = folder / "model.gguf"
    path.write_bytes(content)
    try:
        with bounded_reader(str(path)):
            return None
    except (KeyError, RecursionError, ValueError) as error:
        return str(error)


@pytest.mark.parametrize(("content", "expected"), CASES)
def test_what_cannot_be_there_is_refused_without_memory_for_it(
    content: bytes, expected: str | None, tmp_path: Path
) -> None:
    tracemalloc.start()
    begin = time.perf_counter()
    told = message(content if len(content) == 8 else content + bytes(64), tmp_path)
    _, peak = tracemalloc.get_traced_memory()
    tracemalloc.stop()
    assert told is None if expected is None else told is not None and expected in told
    assert peak < 2**21
    assert time.perf_counter() - begin < 5


def test_a_sound_file_passes_and_cut_anywhere_in_its_header_does_not(tmp_path: Path) -> None:
    assert message(SOUND + BODY, tmp_path) is None
    assert all(message(SOUND[:end], tmp_path) is not None for end in range(8, len(SOUND)))


@settings(max_examples=300, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(st.integers(8, len(SOUND) - 1), st.binary(min_size=1, max_size=9))
def test_damage_anywhere_is_refused_or_harmless(tmp_path: Path, at: int, damage: bytes) -> None:
    message(SOUND[:at] + damage + SOUND[at + len(damage) :] + BODY, tmp_path)  # raises nothing else


def test_files_of_the_gguf_package_pass_in_both_byte_orders(tmp_path: Path) -> None:
    for order in (gguf.GGUFEndian.LITTLE, gguf.GGUFEndian.BIG):
        path = tmp_path / f"{order.name}.gguf"
        writer: Any = gguf.GGUFWriter(path, "llama", endianess=order)
        writer.add_block_count(1)
        writer.add_embedding_length(32)
        writer.add_context_length(2048)
        writer.add_token_list([b"<unk>", b"a", b"b"])
        writer.add_tensor("token_embd.weight", np.zeros((3, 32), dtype=np.float32))
        writer.write_header_to_file()
        writer.write_kv_data_to_file()
        writer.write_tensors_to_file()
        writer.close()
        assert message(path.read_bytes(), tmp_path) is None
        assert message(path.read_bytes()[:-1], tmp_path) is not None
