"""Unknown tokens: against a plain reading of the rule, token by token."""

import itertools
from collections import Counter

import numpy as np
from hypothesis import given
from hypothesis import strategies as st
from numpy.testing import assert_array_equal

from slor_metric.language_models.known import (
    CONTINUES,
    LETTERED,
    SINGLE,
    UNKNOWN,
    UNKNOWN_PIECES,
    cap_unknown_log_odds,
    flags_of_pieces,
    script,
    token_flags,
    unknown_tokens,
)
from slor_metric.language_models.ngram import packaged

VOCABULARY = "<unk> a cat ##s ##a ##t q ##q ##的 ##ой что 3 . ##ing é".split()
COUNTS = [5, 400, 300, 50, 1, 1, 1, 1, 1, 1, 1, 90, 90, 40, 3]


def plainly(ids):
    """Read the rule from left to right."""
    tokens = [VOCABULARY[i] for i in ids]
    found = [token in ("<unk>", "##的", "##ой", "что") for token in tokens]
    single = [len(token.removeprefix("##")) == 1 and token.removeprefix("##").isalpha() for token in tokens]
    stretch = []
    for i, token in enumerate([*tokens, "."]):
        inside = i < len(tokens) and single[i] and token.startswith("##")
        if stretch and not inside:
            if len(stretch) >= 3:
                for place in stretch:
                    found[place] = True
            stretch = []
        if i < len(tokens) and single[i]:
            stretch.append(i)
    return found


@given(st.lists(st.integers(0, len(VOCABULARY) - 1), max_size=12))
def test_the_rule(ids):
    assert unknown_tokens(token_flags(VOCABULARY, COUNTS)[ids]).tolist() == plainly(ids)


def plain_flags(tokens, counts):
    """Read the rules token by token."""
    bare = [token.removeprefix("##") or token for token in tokens]
    continues = [token != piece for token, piece in zip(tokens, bare, strict=True)]
    scripts = []
    for token, piece in zip(tokens, bare, strict=True):
        named = [name for name in map(script, piece) if name is not None]
        scripts.append(named[0] if named and token not in UNKNOWN_PIECES else None)
    mass = Counter()
    for name, count in zip(scripts, counts, strict=True):
        mass[name] += count
    of_letters = sum(mass.values()) - mass[None]
    single = [len(piece) == 1 and piece.isalpha() for piece in bare]
    spelled = sum(count for *both, count in zip(single, continues, counts, strict=True) if all(both))
    if spelled > 0.25 * max(sum(counts), 1):
        single = [False] * len(tokens)
    return [
        UNKNOWN * (token in UNKNOWN_PIECES or (name is not None and mass[name] < 0.01 * of_letters))
        + SINGLE * alone
        + CONTINUES * is_inside
        + LETTERED * (name is not None)
        for token, name, alone, is_inside in zip(tokens, scripts, single, continues, strict=True)
    ]


TOKENS = st.sampled_from([*VOCABULARY, "[UNK]", "#", "##", "###", "##a3", "", "\ud800", "e\u0301", "\u0301"])


@given(st.dictionaries(st.one_of(TOKENS, st.text("ab#é3жн的", max_size=4)), st.integers(0, 500)))
def test_flags_equal_the_twin(counts):
    tokens = list(counts)
    assert token_flags(tokens, list(counts.values())).tolist() == plain_flags(tokens, list(counts.values()))
    assert token_flags(tokens).tolist() == plain_flags(tokens, [1] * len(tokens))


def test_pieces_of_any_model():
    flags = flags_of_pieces(object(), "a [UNK] ##b ##c ##d ж".split())
    assert unknown_tokens(flags).tolist() == [False, True, False, False, False, False]
    flags = flags_of_pieces(packaged("word"), ["the", "<unk>", "never-heard-of"])
    assert unknown_tokens(flags).tolist() == [False, True, True]


@given(st.lists(st.tuples(st.floats(-5, 5), st.booleans()), max_size=10), st.lists(st.integers(0, 10), max_size=4))
def test_nothing_is_earned_by_following(tokens, cuts):
    odds = np.array([value for value, _ in tokens])
    unknown = np.array([mark for _, mark in tokens], dtype=np.bool_)
    offsets = np.array([0, *sorted(min(cut, len(tokens)) for cut in cuts), len(tokens)])
    expected = odds.copy()
    for first, last in itertools.pairwise(offsets.tolist()):
        for i in range(first + 1, last):
            if unknown[i] and unknown[i - 1]:
                expected[i] = min(odds[i], 0)
    assert_array_equal(cap_unknown_log_odds(odds, unknown, offsets), expected)
