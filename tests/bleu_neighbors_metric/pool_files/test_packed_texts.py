"""Packed texts beside a list of the same."""

import numpy as np
import pytest
import text_strategies as strategies
from hypothesis import given
from refusals import refused

from bleu_neighbors_metric.pool_files.packed_texts import PackedTexts


@given(strategies.pools)
def test_they_read_as_a_list(texts):
    packed = PackedTexts.of(texts)
    assert list(packed) == texts
    assert len(packed) == len(texts)
    assert packed[-1] == texts[-1]
    assert packed[::2] == texts[::2]
    assert all(text in packed for text in texts)
    assert all((text + "x" in packed) == (text + "x" in texts) for text in texts)
    with pytest.raises(IndexError):
        packed[len(texts)]
    if len(set(texts)) == len(texts):
        packed.check()
    else:
        with refused("twice"):
            packed.check()


def test_no_texts_and_ends_that_part_nothing_are_refused():
    content = np.frombuffer(b"abc", dtype=np.uint8)
    for ends in ([], [2], [4], [-1, 3], [3, 2, 3]):
        with refused("ends: "):
            PackedTexts(content, np.array(ends, dtype=np.int64)).check()
