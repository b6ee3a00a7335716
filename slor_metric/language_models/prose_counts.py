"""What a text's characters tell, in one pass of compiled code: letters three by three, words, known words, signs."""

from __future__ import annotations

from typing import Any

import numpy as np

from metric_commons.support.compiled import compiled, compiled_within
from metric_commons.support.validation import Floats, Integers, Unsigned32
from slor_metric.language_models.letters import OTHER, SIZE, SPACE

#: The columns of what `count_characters` gives: letters and the ends of words; letters beyond a to z; words, those that
#: the vocabulary holds, and those that are frequent in it; numbers and signs; letters and digits, and those that repeat
#: the last one.
COLUMNS = ("spelled", "others", "words", "known", "frequent", "marks", "signs", "repeated")
_SPELLED, _OTHERS, _WORDS, _KNOWN, _FREQUENT, _MARKS, _SIGNS, _REPEATED = range(len(COLUMNS))

_BASIS, _PRIME = -3750763034362895579, 1099511628211  # FNV-1a in 64 bits, with a sign
_APOSTROPHE, _HYPHEN, _COMMA, _POINT = ord("'"), ord("-"), ord(","), ord(".")
_N, _T = ord("n"), ord("t")


@compiled_within()
def _letter(point: int) -> int:
    """Return the sign of a letter, from 1 to `OTHER`; `SPACE` for what is none."""
    if 97 <= point <= 122:
        return point - 96
    if 65 <= point <= 90:
        return point - 64
    return OTHER if point >= 0xAA else SPACE  # all beyond ASCII: what matters is that it is not a to z


@compiled_within()
def _slot(table: Integers, key: int) -> int:
    """Return where a word stands, or the free place where it would; an entry's last two bits are no part of the key."""
    mask = len(table) - 1
    place = (key ^ (key >> 32)) & mask
    while table[place] != 0 and (table[place] ^ key) >> 2 != 0:
        place = (place + 1) & mask
    return place


@compiled()
def index_words(points: Unsigned32, n_frequent: int, table: Integers) -> None:
    """Fill a table of the words that a text can be made of: every run of letters of a vocabulary.

    Args:
        points: the vocabulary's code points, a line a word, the most frequent first; lower case.
        n_frequent: the runs of so many lines are frequent.
        table: receives the words, zeros; a power of two of places, more than there are runs.
    """
    key: Any = np.int64(_BASIS)
    point: Any
    line, length = 0, 0
    for i in range(len(points) + 1):
        point = np.int64(points[i]) if i < len(points) else 10
        if _letter(point) != SPACE:
            key = (key ^ point) * _PRIME
            length += 1
            continue
        if length:
            place = _slot(table, key)
            if table[place] == 0:
                table[place] = (key & ~3) | 2 | (1 if line < n_frequent else 0)
        key, length = np.int64(_BASIS), 0
        line += point == 10


@compiled()
def count_characters(
    points: Unsigned32,
    lengths: Integers,
    logprobs: Floats,
    table: Integers,
    sums: Floats,
    counts: Integers,
) -> None:
    """Sum ln p of the letters of each text, each given the two signs before it within its word, and count the rest.

    A space counts where it ends a word. A word is a run of letters, with what follows an apostrophe in it; "n't" is cut
    off where the run is unknown with its n. A number is a run of digits with the points and commas inside it.
    Apostrophes and hyphens inside words are no signs.

    Args:
        points: the code points of all texts after one another, uint8 or uint32, in lower case beyond ASCII; above 0xA9
            letters only.
        lengths: how many each text has, shape (n,).
        logprobs: ln p of each trigram, shape (SIZE³,).
        table: what `index_words` filled.
        sums: receives the sums, shape (n,), zeros.
        counts: receives a column for each of `COLUMNS`, shape (n, 8), zeros.
    """
    start = 0
    for text in range(len(lengths)):
        end = start + lengths[text]
        first, second = SPACE, SPACE
        key: Any = np.int64(_BASIS)
        key_before: Any = key
        point: Any
        clitic, in_number = False, False
        last_sign: Any = np.int64(-1)
        total, spelled, others, words, known, frequent, marks, signs, repeated = 0.0, 0, 0, 0, 0, 0, 0, 0, 0
        for at in range(start, end + 1):
            point = np.int64(points[at]) if at < end else 32
            code = _letter(point)
            if code != SPACE:
                total += logprobs[((first if second != SPACE else SPACE) * SIZE + second) * SIZE + code]
                spelled += 1
                others += code == OTHER
                lower = point | 32 if point < 128 else point
                signs += 1
                repeated += lower == last_sign
                last_sign = lower
                if second == SPACE:
                    clitic = first != SPACE and points[at - 1] == _APOSTROPHE
                key_before = key
                key = (key ^ lower) * _PRIME
                in_number = False
            else:
                following = np.int64(points[at + 1]) if at + 1 < end else 32
                if second != SPACE:  # a space counts where it ends a word
                    total += logprobs[(first * SIZE + second) * SIZE + SPACE]
                    spelled += 1
                    if not clitic:
                        entry = table[_slot(table, key)]
                        if entry == 0 and point == _APOSTROPHE and (following | 32) == _T and second == _letter(_N):
                            entry = table[_slot(table, key_before)]
                        words += 1
                        known += entry != 0
                        frequent += entry & 1
                    key = np.int64(_BASIS)
                if 48 <= point <= 57:
                    signs += 1
                    repeated += point == last_sign
                    last_sign = point
                    marks += not in_number
                    in_number = True
                elif not (in_number and point in (_COMMA, _POINT) and 48 <= following <= 57):
                    in_number = False
                    joins = second != SPACE and point in (_APOSTROPHE, _HYPHEN)
                    marks += point > 32 and not (joins and _letter(following) != SPACE)
            first, second = second, code
        sums[text] = total
        row = counts[text]
        row[_SPELLED], row[_OTHERS], row[_WORDS], row[_KNOWN] = spelled, others, words, known
        row[_FREQUENT], row[_MARKS], row[_SIGNS], row[_REPEATED] = frequent, marks, signs, repeated
        start = end
