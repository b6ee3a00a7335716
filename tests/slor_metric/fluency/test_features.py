"""Names that cost nothing: words and pieces, against plain twins of their kernels."""

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from referenceless_metrics.core.support import native
from slor_metric.fluency.features import _names
from slor_metric.fluency.words import BLANK, KINDS, MISSPELLING, NAME, UNKNOWN, WORD

TEXTS = st.lists(st.lists(st.integers(0, len(KINDS) - 1), max_size=8), max_size=4)


def offsets_of(lists):
    return np.cumsum([0, *map(len, lists)]).astype(np.int64)


def flat(lists, dtype):
    return np.array([item for items in lists for item in items], dtype=dtype)


def names_of(kinds):
    """Return whether each word of one text is a name."""
    if kinds.count(WORD) < 2:
        return [False] * len(kinds)
    return [
        kind in (NAME, UNKNOWN) and (place == 0 or NAME in kinds[max(place - 2, 0) : place + 1])
        for place, kind in enumerate(kinds)
    ]


def test_names_by_hand():
    kinds = [UNKNOWN, WORD, NAME, UNKNOWN, MISSPELLING, UNKNOWN, BLANK, WORD]
    found = _names(np.array(kinds, dtype=np.int8), np.array([0, len(kinds)]))
    assert np.flatnonzero(found).tolist() == [0, 2, 3]


@given(TEXTS)
def test_names_equal_the_twin(texts):
    found = _names(flat(texts, np.int8), offsets_of(texts))
    assert found.tolist() == [is_name for kinds in texts for is_name in names_of(kinds)]


@given(st.lists(st.lists(st.tuples(st.booleans(), st.integers(1, 3)), max_size=5), max_size=4))
def test_pieces_of_names(texts):
    """Each word is a name or none, and has so many pieces."""
    names = [[is_name for is_name, _ in words] for words in texts]
    starts = [[place == 0 for _, n_pieces in words for place in range(n_pieces)] for words in texts]
    expected = [[is_name for is_name, n_pieces in words for _ in range(n_pieces)] for words in texts]
    found = np.empty(sum(map(len, starts)), dtype=bool)
    arrays = flat(names, bool), offsets_of(names), flat(starts, bool), offsets_of(starts)
    native.call("mark_pieces", *arrays, found)
    assert found.tolist() == flat(expected, bool).tolist()
