"""Packed strings, against lists of strings and against the strict reader of JSON."""

import json

import numpy as np
import pytest
from hypothesis import example, given
from hypothesis import strategies as st
from refusals import refused

from referenceless_metrics.core.files.archive import pack_strings, unpack_strings
from referenceless_metrics.core.files.packed_strings import PackedStrings, _lines_of, unpack_lines

STRINGS = st.lists(st.text('ab"\\/,[]é東\u2028', max_size=4), max_size=6)


@given(STRINGS, st.slices(6), st.integers(-7, 7))
def test_equal_a_list(strings, part, place):
    packed = PackedStrings.of(strings)
    assert len(packed) == len(strings)
    assert list(packed) == packed[:] == strings
    assert packed[part] == strings[part]
    assert packed.joined == "".join(f"{string}\n" for string in strings)
    assert PackedStrings.of(packed) is packed
    if -len(strings) <= place < len(strings):
        assert packed[place] == strings[place]
    else:
        with pytest.raises(IndexError):
            packed[place]


@given(STRINGS)
@example([])
@example([""])
@example(["\\", '"', "\\\\", ",", '","'])
@example(["\\"] * 2000)
@example(["tab\t", "\x01"])
def test_unpacked_as_by_the_strict_reader(strings):
    packed = pack_strings(strings)
    assert list(unpack_lines(packed)) == unpack_strings(packed) == strings
    spaced = np.frombuffer(json.dumps(strings, indent=1).encode(), dtype=np.uint8)
    assert list(unpack_lines(spaced)) == strings


def test_a_vocabulary_takes_the_fast_way():
    assert _lines_of(pack_strings(["the", '"', "\\", "é"])).tobytes().decode() == 'the\n"\n\\\né\n'


def _outcome(read, packed):
    try:
        return list(read(packed))
    except ValueError:
        return None


@given(st.text('ab",[]\\u00d8', max_size=12), st.booleans())
def test_any_text_is_read_or_refused_as_by_the_strict_reader(text, is_list):
    packed = np.frombuffer((f'["{text}"]' if is_list else text).encode(), dtype=np.uint8)
    assert _outcome(unpack_lines, packed) == _outcome(unpack_strings, packed)


def test_refuses_line_ends_half_characters_and_what_is_no_text():
    for make in (lambda: PackedStrings.of(["a", "b\n"]), lambda: unpack_lines(pack_strings(["a\nb"]))):
        with refused("without line ends"):
            make()
    for content in (b'["\xed\xa0\xbd"]', b'["\\ud83d"]', b'["\xff"]'):
        with pytest.raises(ValueError, match=r"Unicode|UTF-8|utf-8"):
            unpack_lines(np.frombuffer(content, dtype=np.uint8))
