"""The counts in a GGUF file's header are checked against its size: none can make the reader take memory."""

import tracemalloc
from struct import pack

import numpy as np
import pytest

from slor_metric.language_models.hf.gguf_reader import bounded_reader

gguf = pytest.importorskip("gguf")
HUGE = 2**60


def text(content):
    return pack("<Q", len(content)) + content.encode()


def field(name, kind, value):
    return text(name) + pack("<I", kind) + value


def tensor(name, shape, kind=0):
    return text(name) + pack(f"<I{len(shape)}QIQ", len(shape), *shape, kind, 0)


def header(fields, tensors, n_fields=None, n_tensors=None):
    counts = len(tensors) if n_tensors is None else n_tensors, len(fields) if n_fields is None else n_fields
    return b"GGUF" + pack("<IQQ", 3, *counts) + b"".join(fields) + b"".join(tensors)


def array(kind, count, rest=b""):
    return header([field("a", 9, pack("<IQ", kind, count) + rest)], [])


def declared(*numbers):
    return header([NAME, *(number(name, value) for name, value in numbers)], [tensor("w", (4,))])


NAME = field("general.architecture", 8, text("llama"))
WORDS = field("tokenizer.tokens", 9, pack("<IQ", 8, 3) + text("a") + text("b") + text(""))
SCORES = field("tokenizer.scores", 9, pack("<IQ3f", 6, 3, 0, 0, 0))
NESTED = field("nested", 9, pack("<IQ", 9, 1) + pack("<IQ2I", 4, 2, 7, 8))


def number(name, value):
    return field(f"llama.{name}", 4, pack("<I", value))


SOUND = header([NAME, WORDS, SCORES, NESTED, number("block_count", 1)], [tensor("w", (4, 32)), tensor("q", (32, 2), 3)])
BODY = bytes(4 * 128 + 2 * 20)

CASES = {
    "tensors": (header([], [], n_tensors=HUGE), "it ends after"),
    "numbers": (array(4, HUGE), "it ends after"),
    "short strings": (array(8, 3, text("x") + bytes(16)), None),
    "a string in an array": (array(8, 1, pack("<Q", HUGE)), "it ends after"),
    "depth": (header([field("a", 9, pack("<IQ", 9, 1) * 9999)], []), "recursion"),
    "a string": (header([field("a", 8, pack("<Q", HUGE))], []), "it ends after"),
    "shape": (header([], [tensor("w", (HUGE, 2))]), "it ends after"),
    "overflow": (header([], [tensor("w", (2**32, 2**32))]), "reshape"),
    "type of a tensor": (header([], [tensor("w", (2,), 99)]), "is not a valid"),
    "layers": (declared(("block_count", 2**31)), "layers, but holds 1 tensors"),
    "width": (declared(("embedding_length", 2**31)), "embedding_length 2,147,483,648, but"),
    "context": (declared(("embedding_length", 4), ("context_length", 2**31)), "a context of 2,147,483,648"),
}


def message(content, folder):
    path = folder / "model.gguf"
    path.write_bytes(content)
    try:
        with bounded_reader(str(path), {}):
            return None
    except (KeyError, RecursionError, ValueError) as error:
        return str(error)


@pytest.mark.parametrize("content, expected", CASES.values(), ids=CASES)
def test_what_cannot_be_there_is_refused_without_memory_for_it(content, expected, tmp_path):
    tracemalloc.start()
    told = message(content + bytes(64), tmp_path)
    _, peak = tracemalloc.get_traced_memory()
    tracemalloc.stop()
    assert told is None if expected is None else told is not None and expected in told
    assert peak < 2**21


def test_a_sound_file_passes_and_cut_anywhere_in_its_header_does_not(tmp_path):
    assert message(SOUND + BODY, tmp_path) is None
    assert all(message(SOUND[:end], tmp_path) is not None for end in range(8, len(SOUND)))


@pytest.mark.parametrize("order", gguf.GGUFEndian)
def test_files_of_the_gguf_package_pass_in_both_byte_orders(order, tmp_path):
    path = tmp_path / "written.gguf"
    writer = gguf.GGUFWriter(path, "llama", endianess=order)
    writer.add_block_count(1)
    writer.add_embedding_length(32)
    writer.add_tensor("token_embd.weight", np.zeros((3, 32), dtype=np.float32))
    writer.write_header_to_file()
    writer.write_kv_data_to_file()
    writer.write_tensors_to_file()
    writer.close()
    assert message(path.read_bytes(), tmp_path) is None
    assert message(path.read_bytes()[:-1], tmp_path) is not None


def test_a_file_is_read_once_for_all_who_are_given_its_readers(tmp_path):
    path, readers = tmp_path / "model.gguf", {}
    path.write_bytes(SOUND + BODY)
    with bounded_reader(str(path), readers):
        first = gguf.GGUFReader(str(path))
    with bounded_reader(str(path), readers):
        assert gguf.GGUFReader(path) is first
    with bounded_reader(str(path), {}):
        assert gguf.GGUFReader(path) is not first


def test_fields_and_tensors_are_those_of_the_gguf_package_as_plain_arrays(tmp_path):
    path = tmp_path / "model.gguf"
    path.write_bytes(SOUND + BODY)
    expected = gguf.GGUFReader(path)
    with bounded_reader(str(path), {}):
        found = gguf.GGUFReader(path)
    assert list(found.fields) == list(expected.fields)
    for name, own in found.fields.items():
        for part, same in zip(own.parts, expected.fields[name].parts, strict=True):
            assert type(part) is np.ndarray  # numpy's class of mapped files is many times as slow
            np.testing.assert_array_equal(part, same, strict=False)
    for own, same in zip(found.tensors, expected.tensors, strict=True):
        assert own.name == same.name
        np.testing.assert_array_equal(own.data, same.data)
