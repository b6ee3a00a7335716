import numpy as np
from hypothesis import given
from hypothesis import strategies as st
from numpy.testing import assert_array_equal
from refusals import refused

from referenceless_papers.dusek.folds import grouped_parts, out_of_set_splits


@given(st.lists(st.integers(0, 30), min_size=1, max_size=80), st.integers(2, 5), st.integers(0, 20))
def test_parts_keep_groups_together(groups, n_parts, seed):
    if len(set(groups)) < n_parts:
        with refused(f"at least {n_parts} groups"):
            grouped_parts(groups, n_parts, seed)
        return
    parts = grouped_parts(groups, n_parts, seed)
    assert sorted(np.concatenate(parts).tolist()) == list(range(len(groups)))
    assert all(len(part) for part in parts)
    of_groups = [{groups[row] for row in part} for part in parts]
    assert sum(map(len, of_groups)) == len(set(groups))


def test_splits_by_set():
    inside = np.arange(900) < 300
    splits = out_of_set_splits(inside)
    assert {len(split.test) for split in splits.values()} == {100}
    for name, train, dev in (("C1", 100, 100), ("C2", 450, 150), ("C3", 700, 100)):
        split = splits[name]
        assert (len(split.train_rows), len(split.dev)) == (train, dev)
        assert not set(split.train_rows.tolist()) & {*split.dev.tolist(), *split.test.tolist()}
        assert_array_equal(split.test, splits["C1"].test)
    assert not inside[splits["C2"].train_rows].any()
    with refused("more than 200 rows inside"):
        out_of_set_splits(np.arange(900) < 200)
