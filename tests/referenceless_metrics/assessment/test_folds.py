"""No text is estimated by a model that has seen it, or its group."""

import numpy as np
from hypothesis import given
from hypothesis import strategies as st
from refusals import refusals

from referenceless_metrics.assessment.folds import check_groups, number_groups, random_folds
from referenceless_metrics.core.support.validation import InputError

test_groups_that_show_nothing_are_refused = refusals(
    check_groups,
    [(["x"] * 3, "all 3 texts are of one group"), (["x", "x", "y"], "the group y has one text")],
    error=InputError,
)


@given(st.lists(st.integers(0, 9), min_size=10, max_size=60), st.integers(2, 5), st.integers(0, 99))
def test_groups_stay_whole_and_folds_even(keys, n_folds, seed):
    groups = number_groups(keys)
    for by_size, counted, slack in (
        (True, np.ones(len(keys)), np.bincount(groups).max()),
        (False, np.r_[True, np.diff(np.sort(groups)) > 0].astype(float), 1),
    ):
        folds = random_folds(groups, n_folds, seed, by_size=by_size)
        assert all(len(set(folds[groups == group].tolist())) == 1 for group in groups)
        assert folds.max() < n_folds
        sizes = np.bincount(folds[np.argsort(groups, kind="stable")], weights=counted, minlength=n_folds)
        assert sizes.max() <= counted.sum() / n_folds + slack
