"""ASCII text to token ids in compiled code, by the rules of the tokenisers of this package.

Most English text is ASCII, where letters, digits and white space are known without tables. What is not goes through
the tokenisers themselves; both ways give the same ids.

A vocabulary's ASCII tokens in tables that compiled code looks up: whole tokens hashed, pieces in a tree of bytes.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, NamedTuple

import numpy as np

from metric_commons.support.compiled import compiled
from metric_commons.support.validation import Integers, Integers32, Unsigned8, Unsigned64

_LOWER = np.uint64(32)  # the bit that tells a small letter from a capital
_APOSTROPHE, _QUOTE, _HYPHEN, _GRAVE, _POINT, _COMMA = 39, 34, 45, 96, 46, 44
_D, _E, _L, _M, _N, _R, _S, _T, _V = (ord(letter) for letter in "delmnrstv")
_MAX_WORD = 100  # characters; a longer word is unknown to WordPiece


@compiled(inline="always")
def _step(edges: Integers32, state: int, byte: int) -> Any:
    """The state after a byte, or −1."""
    mask = len(edges) - 1
    key = (state << 8) | byte
    slot = edge_slot(key, mask)
    while edges[slot, 0] != key:
        if edges[slot, 0] == -1:
            return np.int64(-1)
        slot = (slot + 1) & mask
    return np.int64(edges[slot, 1])


@compiled(inline="always")
def _is_space(byte: int) -> Any:
    return byte == 32 or 9 <= byte <= 13 or 28 <= byte <= 31


@compiled(inline="always")
def _is_letter(text: Unsigned8, at: int, end: int) -> Any:
    return at < end and 97 <= text[at] <= 122


@compiled(inline="always")
def _is_digit(text: Unsigned8, at: int, end: int) -> Any:
    return at < end and 48 <= text[at] <= 57


@compiled(inline="always")
def _letters(text: Unsigned8, at: int, end: int) -> Any:
    """Where the run of letters that begins at a place ends."""
    while _is_letter(text, at, end):
        at += 1
    return at


@compiled(inline="always")
def _clitic(text: Unsigned8, at: int, end: int) -> Any:
    """Where the clitic after an apostrophe ends ('s 'm 'd 're 've 'll, no letter after it), or −1."""
    stop = _letters(text, at, end)
    size = stop - at
    if size == 1 and (text[at] == _S or text[at] == _M or text[at] == _D):
        return stop
    if size == 2:
        first, second = text[at], text[at + 1]
        if (second == _E and first in (_R, _V)) or (first == _L and second == _L):
            return stop
    return -1


@compiled(inline="always")
def _negation(text: Unsigned8, at: int, end: int) -> Any:
    """Whether n't stands here, no letter after it."""
    return (
        at + 2 < end
        and text[at] == _N
        and text[at + 1] == _APOSTROPHE
        and text[at + 2] == _T
        and not _is_letter(text, at + 3, end)
    )


@compiled()
def _word_end(text: Unsigned8, at: int, end: int) -> Any:
    """Where the word that begins at a place ends: `WordTokeniser`'s rules, for lower-case ASCII without doubles."""
    if _is_letter(text, at, end):
        stop = _letters(text, at, end)
        if stop - at > 1 and _negation(text, stop - 1, end):
            return stop - 1
        if _negation(text, at, end):
            return at + 3
        while stop < end:
            joint = text[stop]
            if joint == _HYPHEN or (joint == _APOSTROPHE and _clitic(text, stop + 1, end) < 0):
                if not _is_letter(text, stop + 1, end):
                    break
                stop = _letters(text, stop + 1, end)
            else:
                break
        return stop
    if _is_digit(text, at, end):
        stop = at + 1
        while True:
            while _is_digit(text, stop, end):
                stop += 1
            if stop < end and (text[stop] == _POINT or text[stop] == _COMMA) and _is_digit(text, stop + 1, end):
                stop += 1
                continue
            return stop
    if text[at] == _APOSTROPHE:
        stop = _clitic(text, at + 1, end)
        if stop >= 0:
            return stop
    return at + 1


@compiled()
def _plain(text: Unsigned8, start: int, end: int, out: Unsigned8) -> Any:
    """Write a chunk in lower case to `out`, two apostrophes as a quotation mark, hyphens in a row as one."""
    size = 0
    at = start
    while at < end:
        byte = text[at]
        if byte == _GRAVE:
            byte = np.uint8(_APOSTROPHE)
        at += 1
        if byte == _APOSTROPHE and at < end and (text[at] == _APOSTROPHE or text[at] == _GRAVE):
            at += 1
            byte = np.uint8(_QUOTE)
        elif byte == _HYPHEN:
            while at < end and text[at] == _HYPHEN:
                at += 1
        elif 65 <= byte <= 90:
            byte = np.uint8(byte + 32)
        out[size] = byte
        size += 1
    return size


@compiled(inline="always")
def _lookup_short(first: int, second: int, short: Unsigned64) -> Any:
    """The id of a token of at most 16 bytes, or −1."""
    mask = len(short) - 1
    slot = short_slot(first, second, mask)
    while short[slot, 2] != NONE:
        if short[slot, 0] == first and short[slot, 1] == second:
            return np.int64(short[slot, 2])
        slot = (slot + 1) & mask
    return np.int64(-1)


@compiled()
def _token(
    text: Unsigned8,
    at: int,
    end: int,
    short: Unsigned64,
    edges: Integers32,
    ids: Integers32,
    unknown: int,
    out: Integers32,
    count: int,
) -> Any:
    """Write the id of a whole token, else those of its longest pieces from left to right, else `unknown`.

    Returns:
        The number of ids written so far.
    """
    if end - at <= SHORT:
        first, second = np.uint64(0), np.uint64(0)
        for i in range(min(end - at, 8)):
            first |= np.uint64(text[at + i]) << np.uint64(8 * i)
        for i in range(8, end - at):
            second |= np.uint64(text[at + i]) << np.uint64(8 * (i - 8))
        found = _lookup_short(first, second, short)
        if found >= 0:
            out[count] = found
            return count + 1
    before, begin = count, at
    while at < end:
        state = np.int64(0) if at == begin else np.int64(1)
        best = np.int64(-1)
        reached = at
        ahead = at
        while ahead < end:
            state = _step(edges, state, np.int64(text[ahead]))
            if state < 0:
                break
            ahead += 1
            if ids[state] >= 0:
                best, reached = np.int64(ids[state]), ahead
        if best < 0 or (end - begin > _MAX_WORD and not (at == begin and reached == end)):
            out[before] = unknown
            return before + 1
        out[count] = best
        count += 1
        at = reached
    return count


@compiled()
def encode_ascii(
    text: Unsigned8,
    lengths: Integers,
    encoded: Integers32,
    short: Unsigned64,
    edges: Integers32,
    ids: Integers32,
    mode: int,
    unknown: int,
    before: int,
    after: int,
    out: Integers32,
) -> Any:
    """Cut texts into tokens, write their ids, each text between two markers, and return how many were written.

    Args:
        text: the bytes of all texts after one another, between 1 and 127.
        lengths: the number of bytes of each text, shape (n,); −1 for a text that is encoded already.
        encoded: the ids of those texts after one another, with their markers.
        short: of an `AsciiVocabulary`, as are the next three.
        edges: see there.
        ids: see there.
        mode: see there.
        unknown: what is written for a token that the vocabulary has not.
        before: the marker before each text.
        after: the marker after it.
        out: receives the ids; len(text) + 2 n + len(encoded) places are enough.
    """
    longest = np.int64(0)
    for i in range(len(lengths)):
        longest = max(longest, lengths[i])
    plain = np.empty(longest, dtype=np.uint8)
    at = np.int64(0)
    count = np.int64(0)
    taken = np.int64(0)
    for i in range(len(lengths)):
        if lengths[i] < 0:
            while True:
                out[count] = encoded[taken]
                count += 1
                taken += 1
                if encoded[taken - 1] == after:
                    break
            continue
        end = at + lengths[i]
        out[count] = before
        count += 1
        while at < end:
            if _is_space(text[at]):
                at += 1
                continue
            stop = at
            if mode != 0:  # most chunks are letters only: read and looked up in one go
                first, second = np.uint64(0), np.uint64(0)
                while stop < end and stop - at < SHORT:
                    byte = np.uint64(text[stop]) | _LOWER
                    if byte < 97 or byte > 122:
                        break
                    if stop - at < 8:
                        first |= byte << np.uint64(8 * (stop - at))
                    else:
                        second |= byte << np.uint64(8 * (stop - at - 8))
                    stop += 1
                if stop == end or _is_space(text[stop]):
                    found = _lookup_short(first, second, short)
                    if found >= 0 or mode == 1:
                        out[count] = found if found >= 0 else unknown
                        count += 1
                        at = stop
                        continue
            while stop < end and not _is_space(text[stop]):
                stop += 1
            if mode == 0:
                count = _token(text, at, stop, short, edges, ids, unknown, out, count)
            else:
                size = _plain(text, at, stop, plain)
                word = np.int64(0)
                while word < size:
                    word_end = _word_end(plain, word, size)
                    count = _token(plain, word, word_end, short, edges, ids, unknown, out, count)
                    word = word_end
            at = stop
        out[count] = after
        count += 1
    return count


#: How text is cut, by the name of the tokeniser.
MODES = {"whitespace": 0, "words": 1, "wordpiece": 2}
_MIX = np.uint64(0x9E3779B97F4A7C15)
_HALF = np.uint64(32)
_MIX_AGAIN = np.uint64(0xD6E8FEB86659FD93)
NONE = np.uint64(0xFFFFFFFFFFFFFFFF)
SHORT = 16  # bytes of a token that the table of whole tokens holds


class AsciiVocabulary(NamedTuple):
    """A vocabulary's ASCII tokens: short ones in a hash table of whole tokens, pieces and long ones in a tree of bytes.

    Attributes:
        short: tokens of at most 16 bytes, shape (slots, 3), uint64: the bytes in two words, then the id; an empty slot
            has the id `NONE`. The number of slots is a power of two.
        edges: shape (slots, 2), int32: ``state << 8 | byte`` (−1: empty) and the state that it leads to; likewise.
        ids: the id of the token that ends in each state, shape (states,), int32; −1 for none.
        mode: see `MODES`.
    """

    short: Unsigned64
    edges: Integers32
    ids: Integers32
    mode: int


def index_vocabulary(vocabulary: Mapping[str, int], mode: str, continuation: str = "##") -> AsciiVocabulary:
    """Return the index of a vocabulary; what is not ASCII is left out.

    Args:
        vocabulary: tokens with their ids, which are not negative.
        mode: one of `MODES`. With ``"wordpiece"``, tokens with the prefix `continuation` continue a word.
        continuation: that prefix.
    """
    pieces = mode == "wordpiece"
    states: dict[int, int] = {}
    ids = [-1, -1]
    whole: list[bytes] = []
    whole_ids: list[int] = []
    for token, index in vocabulary.items():
        if not token.isascii():
            continue
        text, state = token.encode("ascii"), 0
        if pieces and token.startswith(continuation):
            text, state = text[len(continuation) :], 1
        elif len(text) <= SHORT and 0 not in text:
            whole.append(text)
            whole_ids.append(index)
            if not pieces:
                continue
        for byte in text:
            key = state << 8 | byte
            state = states.setdefault(key, len(ids))
            if state == len(ids):
                ids.append(-1)
        ids[state] = index
    edges = np.full((_slots(len(states)), 2), -1, dtype=np.int32)
    _fill_edges(edges, np.array(list(states.items()), dtype=np.int32).reshape(-1, 2))
    short = np.full((_slots(len(whole)), 3), NONE, dtype=np.uint64)
    keys = np.array(whole, dtype=f"S{SHORT}").view("<u8").reshape(-1, 2).astype(np.uint64)
    _fill_short(short, keys, np.array(whole_ids, dtype=np.uint64))
    return AsciiVocabulary(short, edges, np.array(ids, dtype=np.int32), MODES[mode])


def _slots(entries: int) -> int:
    return 1 << max(4, (2 * entries).bit_length())


@compiled(inline="always")
def edge_slot(key: int, mask: int) -> Any:
    """The slot of the table of edges at which a key's search begins."""
    return np.int64((np.uint64(key) * _MIX) >> _HALF) & mask


@compiled(inline="always")
def short_slot(first: int, second: int, mask: int) -> Any:
    """The slot of the table of whole tokens at which the search of a token's two words begins."""
    mixed = (first ^ (second * _MIX_AGAIN)) * _MIX
    return np.int64((mixed ^ (mixed >> _HALF)) * _MIX_AGAIN >> _HALF) & mask


@compiled()
def _fill_edges(edges: Integers32, pairs: Integers32) -> None:
    mask = len(edges) - 1
    for i in range(len(pairs)):
        slot = edge_slot(np.int64(pairs[i, 0]), mask)
        while edges[slot, 0] != -1:
            slot = (slot + 1) & mask
        edges[slot, 0], edges[slot, 1] = pairs[i, 0], pairs[i, 1]


@compiled()
def _fill_short(short: Unsigned64, keys: Unsigned64, ids: Unsigned64) -> None:
    mask = len(short) - 1
    for i in range(len(keys)):
        slot = short_slot(keys[i, 0], keys[i, 1], mask)
        while short[slot, 2] != NONE:
            slot = (slot + 1) & mask
        short[slot, 0], short[slot, 1], short[slot, 2] = keys[i, 0], keys[i, 1], ids[i]
