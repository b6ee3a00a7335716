"""What each word of a text costs: the features of `Fluency`, as compiled code.

A text's score starts from what a text without a fault would have, and every word takes something away:

- its **shortfalls** under the three models: how far its log-odds ln p_M − ln p_u (SLOR's summand) stays below one nat.
  More than that earns nothing more: what sets bad text apart is how bad its bad places are (and a well-worn phrase is
  no better than a plain sentence);
- its place among the **worst** three under the class model;
- its **marks**: that it is misspelt, or repeats what was said.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from metric_commons.support.compiled import compiled
from slor_metric.fluency.words import BLANK, MISSPELLING, UNKNOWN, WORD

#: Log-odds above this, in nats, earn nothing more.
CAP = 1.0
#: How many of the words with the least class log-odds count once more.
N_WORST = 3
#: So many numbers and marks in a row occur in prose, as in a date; more are a list.
_MOST_BLANK = 2
#: What an unknown word in lower case costs, of a misspelling's mark.
_OF_UNKNOWN = 0.5


@compiled()
def _capped(log_odds: NDArray[np.float64], idle: NDArray[np.bool_], i: int) -> float:
    return float(min(log_odds[i], 0.0 if idle[i] else CAP))


@compiled()
def _said_before(numbers: NDArray[np.int64], start: int, end: int, seen: NDArray[np.int64]) -> NDArray[np.bool_]:
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
    numbers: NDArray[np.int64],
    kinds: NDArray[np.int8],
    offsets: NDArray[np.int64],
    piece_log_odds: NDArray[np.float64],
    piece_offsets: NDArray[np.int64],
    piece_starts: NDArray[np.bool_],
    word_log_odds: NDArray[np.float64],
    class_log_odds: NDArray[np.float64],
    costs: NDArray[np.float64],
    idle: NDArray[np.bool_],
) -> None:
    """Fill the costs of each word (a row) for each feature (a column of `FEATURES`).

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
        costs: where to write them, shape (words, 6), zeros.
        idle: where to write which words can earn nothing, shape (words,).
    """
    longest = 0
    for text in range(len(offsets) - 1):
        longest = max(longest, offsets[text + 1] - offsets[text])
    seen = np.empty(4 * longest + 1, dtype=np.int64)
    for text in range(len(offsets) - 1):
        start, end = offsets[text], offsets[text + 1]
        before = _said_before(numbers, start, end, seen)
        piece = piece_offsets[text]
        last_piece = piece_offsets[text + 1]
        last_word = -1  # the last one that is no number or mark
        unknown_before = False
        n_blank = 0  # in a row
        for i in range(start, end):
            blank = kinds[i] == BLANK
            repeats = False
            if not blank:
                repeats = numbers[i] == last_word
                last_word = numbers[i]
            repeats = repeats or before[i - start]
            unknown = kinds[i] != WORD and not blank
            n_blank = n_blank + 1 if blank else 0
            idle[i] = n_blank > _MOST_BLANK or repeats or (unknown and unknown_before)
            if not blank:
                unknown_before = unknown
            most = 0.0 if idle[i] else CAP
            if piece < last_piece:
                costs[i, 0] = min(piece_log_odds[piece], most) - CAP
                piece += 1
                while piece < last_piece and not piece_starts[piece]:
                    costs[i, 0] += min(piece_log_odds[piece], most) - CAP
                    piece += 1
            costs[i, 1] = min(word_log_odds[i], most) - CAP
            costs[i, 2] = min(class_log_odds[i], most) - CAP
            if kinds[i] == MISSPELLING:
                costs[i, 4] = -1.0
            elif kinds[i] == UNKNOWN:
                costs[i, 4] = -_OF_UNKNOWN
            if repeats:
                costs[i, 5] = -1.0
        # the worst words; the earlier of two equal ones
        n_worst = min(N_WORST, end - start)
        for _ in range(n_worst):
            worst = -1
            for i in range(start, end):
                if costs[i, 3] == 0.0 and (
                    worst < 0 or _capped(class_log_odds, idle, i) < _capped(class_log_odds, idle, worst)
                ):
                    worst = i
            # a cost of exactly 0 would look like a word that was not chosen
            costs[worst, 3] = min(_capped(class_log_odds, idle, worst) - CAP, -1e-12) / n_worst
