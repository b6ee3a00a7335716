"""Raw array files: what is mapped is what was written, or nothing."""

from __future__ import annotations

import numpy as np
import pytest
from metric_commons.files.raw_arrays import ArrayFile, check_sum, map_array, write_array


@pytest.mark.parametrize(
    "array",
    [
        np.arange(12, dtype=np.int64).reshape(3, 4),
        np.arange(12, dtype=">i4").reshape(3, 2, 2),
        np.asfortranarray(np.arange(6.0).reshape(2, 3)),
        np.zeros((0, 5), dtype=np.uint8),
    ],
)
def test_a_round_trip_keeps_numbers(tmp_path, array):
    held = write_array(tmp_path / "a", array, checksum=True)
    check_sum(tmp_path / "a", held)
    mapped = map_array(tmp_path / "a", held)
    np.testing.assert_array_equal(mapped, array)
    assert type(mapped) is np.ndarray
    mapped.flat[:] = 7  # a copy of this process alone
    check_sum(tmp_path / "a", held)


def test_other_files_are_named(tmp_path):
    held = write_array(tmp_path / "a", np.arange(4), checksum=True)
    content = (tmp_path / "a").read_bytes()
    (tmp_path / "a").write_bytes(content[:-1])
    with pytest.raises(ValueError, match="a: damaged: expected 32 bytes, but got 31"):
        map_array(tmp_path / "a", held)
    (tmp_path / "a").write_bytes(b"\1" + content[1:])
    with pytest.raises(ValueError, match="a: damaged: its checksum is wrong"):
        check_sum(tmp_path / "a", held)
    with pytest.raises(ValueError, match="b: missing"):
        map_array(tmp_path / "b", ArrayFile("<i8", (4,)))
