"""How much a compressed file may grow."""

from __future__ import annotations

import pytest
from metric_commons.files.bounds import check_unpacked

from metric_commons.files.archive import ALWAYS_ALLOWED, MOST, MOST_TIMES, may_unpack


def test_small_files_may_grow_to_the_first_limit_and_large_ones_by_a_factor() -> None:
    assert may_unpack(ALWAYS_ALLOWED, 1)
    assert not may_unpack(ALWAYS_ALLOWED + 1, 1)
    large = ALWAYS_ALLOWED // 10
    assert may_unpack(MOST_TIMES * large, large)
    assert not may_unpack(MOST_TIMES * large + 1, large)
    assert not may_unpack(MOST + 1, MOST)
    assert not may_unpack(-1, 1)


def test_the_error_tells_both_sizes() -> None:
    check_unpacked(10, 10)
    with pytest.raises(ValueError, match="declares 10,000,000,000,000 bytes of content in 23,000 of its own"):
        check_unpacked(10**13, 23_000)
