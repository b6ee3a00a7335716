"""What each word of a text costs: the features of `Fluency`, as compiled code.

A text's score starts from what a text without a fault would have, and every word takes something away:

- its **shortfalls** under the three models: how far its log-odds ln p_M − ln p_u (SLOR's summand) stays below one nat.
  More than that earns nothing more: what sets bad text apart is how bad its bad places are (and a well-worn phrase is
  no better than a plain sentence);
- its place among the **worst** three under the class model;
- its **marks**: that it is misspelt, or repeats what was said;
- its **log-odds** as they are, without that cap, as far as they lower the text's mean or are its least.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from metric_commons.support.compiled import compiled, compiled_within
from metric_commons.support.validation import Booleans, Floats, Integers
from slor_metric.fluency.constants import FEATURES
from slor_metric.fluency.words import BLANK, MISSPELLING, UNKNOWN, WORD

_PIECES, _WORDS, _CLASSES, _WORST, _MISSPELLINGS, _REPETITIONS = range(6)
_PIECE_ODDS, _WORD_ODDS, _LEAST_PIECE, _LEAST_WORD, _LOWEST_CLASSES = range(6, len(FEATURES))

#: Log-odds above this, in nats, earn nothing more.
CAP = 1.0
#: How many of the words with the least class log-odds count once more.
N_WORST = 3
#: So many numbers and marks in a row occur in prose, as in a date; more are a list.
_MOST_BLANK = 2
#: What an unknown word in lower case costs, of a misspelling's mark.
_OF_UNKNOWN = 0.5


@compiled_within()
def _said_before(numbers: Integers, start: int, end: int, seen: Integers) -> Booleans:
    """Tell which words of a text end three words that stood in it before, shape (end − start,).

    Args:
        numbers: which word each is.
        start: where the text begins.
        end: where it ends.
        seen: room for the last words of threes, hashed: a power of two of places, more than the text has words.
    """
    found = np.zeros(end - start, dtype=np.bool_)
    mask = 1
    while mask < 2 * (end - start):
        mask *= 2
    mask -= 1
    seen[: mask + 1] = -1
    for i in range(start + 2, end):
        mixed = (numbers[i - 2] * 1_000_003 + numbers[i - 1]) * 1_000_003 + numbers[i]
        place = (mixed ^ (mixed >> 29)) & mask
        while seen[place] >= 0:
            j = seen[place]
            if numbers[j] == numbers[i] and numbers[j - 1] == numbers[i - 1] and numbers[j - 2] == numbers[i - 2]:
                found[i - start] = True
                break
            place = (place + 1) & mask
        if not found[i - start]:
            seen[place] = i
    return found


@compiled()
def fill_costs(
    numbers: Integers,
    kinds: NDArray[np.int8],
    offsets: Integers,
    piece_log_odds: Floats,
    piece_offsets: Integers,
    piece_starts: Booleans,
    word_log_odds: Floats,
    class_log_odds: Floats,
    scales: Floats,
    costs: Floats,
    sums: Floats,
) -> None:
    """Fill the costs of each word (a row) for each feature (a column of `FEATURES`), and their sums by text.

    Repetitions, unknown words after unknown words, and numbers and marks after two others earn nothing: their log-odds
    count at most 0. A word repeats where the last word was the same, or where it ends three words that stood in the
    text before.

    Args:
        numbers: which word each is, shape (words,).
        kinds: of what kind, shape (words,).
        offsets: text i holds the words from ``offsets[i]`` to ``offsets[i + 1]``, shape (n + 1,).
        piece_log_odds: those of the pieces of all texts, shape (pieces,), in nats.
        piece_offsets: the same for pieces, shape (n + 1,).
        piece_starts: whether a piece begins a word, shape (pieces,).
        word_log_odds: shape (words,).
        class_log_odds: shape (words,).
        scales: what each text's costs are divided by, shape (n, 11).
        costs: where to write them, shape (words, 11), zeros.
        sums: where to write their sums, shape (n, 11), zeros.
    """
    longest = 0
    for text in range(len(offsets) - 1):
        longest = max(longest, offsets[text + 1] - offsets[text])
    seen = np.empty(4 * longest + 1, dtype=np.int64)
    idle = np.empty(longest, dtype=np.bool_)  # which words can earn nothing
    for text in range(len(offsets) - 1):
        start, end = offsets[text], offsets[text + 1]
        before = _said_before(numbers, start, end, seen)
        piece = piece_offsets[text]
        last_piece = piece_offsets[text + 1]
        last_word = -1  # the last one that is no number or mark
        unknown_before = False
        n_blank = 0  # in a row
        least_piece, least_piece_at, least_word_at = np.inf, start, start
        for i in range(start, end):
            blank = kinds[i] == BLANK
            repeats = False
            if not blank:
                repeats = numbers[i] == last_word
                last_word = numbers[i]
            repeats = repeats or before[i - start]
            unknown = kinds[i] != WORD and not blank
            n_blank = n_blank + 1 if blank else 0
            rests = n_blank > _MOST_BLANK or repeats or (unknown and unknown_before)
            idle[i - start] = rests
            if not blank:
                unknown_before = unknown
            most = 0.0 if rests else CAP
            first_piece = piece
            while piece < last_piece and (piece == first_piece or not piece_starts[piece]):
                odds = piece_log_odds[piece]
                costs[i, _PIECES] += min(odds, most) - CAP
                costs[i, _PIECE_ODDS] += min(odds, 0.0) if rests else odds
                if odds < least_piece:
                    least_piece, least_piece_at = odds, i
                piece += 1
            odds = word_log_odds[i]
            costs[i, _WORDS] = min(odds, most) - CAP
            costs[i, _WORD_ODDS] = min(odds, 0.0) if rests else odds
            if odds < word_log_odds[least_word_at]:
                least_word_at = i
            costs[i, _CLASSES] = min(class_log_odds[i], most) - CAP
            if kinds[i] == MISSPELLING:
                costs[i, _MISSPELLINGS] = -1.0
            elif kinds[i] == UNKNOWN:
                costs[i, _MISSPELLINGS] = -_OF_UNKNOWN
            if repeats:
                costs[i, _REPETITIONS] = -1.0
        if end > start:
            costs[least_word_at, _LEAST_WORD] = word_log_odds[least_word_at]
            costs[least_piece_at, _LEAST_PIECE] = least_piece if least_piece < np.inf else 0.0
        # the worst words; the earlier of two equal ones
        n_worst = min(N_WORST, end - start)
        for _ in range(n_worst):
            worst = -1
            for i in range(start, end):
                if costs[i, _WORST] == 0.0 and (worst < 0 or costs[i, _CLASSES] < costs[worst, _CLASSES]):
                    worst = i
            # a cost of exactly 0 would look like a word that was not chosen
            costs[worst, _WORST] = min(costs[worst, _CLASSES], -1e-12) / n_worst
            odds = class_log_odds[worst]
            costs[worst, _LOWEST_CLASSES] = (min(odds, 0.0) if idle[worst - start] else odds) / n_worst
        for i in range(start, end):
            for feature in range(len(FEATURES)):
                costs[i, feature] /= scales[text, feature]
                sums[text, feature] += costs[i, feature]
