"""Texts whose words and n-grams met in one slot while hash tables had no secret: their former hashes, inverted."""

import numpy as np

_WORD_BYTES = 64


def words_of_one_hash(n):
    """Return n words of 128 letters with one hash of ``key = rotate(key, 7) ^ byte``, as ROUGE-L's words once had.

    Letters that stand 64 places apart meet in the same bits, so that changing places does not change the hash.
    """
    words = []
    for number in range(n):
        first = "".join("ab"[number >> place & 1] for place in range(_WORD_BYTES))
        words.append(first + first.translate(str.maketrans("ab", "ba")))
    return words


def threes_of_one_slot(words, n, slots=1 << 19):
    """Return n times three words whose numbers meet in one slot, as the words that Fluency looks for repetitions in.

    Args:
        words: words by their numbers in the vocabulary.
        n: number of threes.
        slots: the size of the table.
    """
    rng = np.random.default_rng(0)
    short = np.array([number for number, word in enumerate(words) if len(word) < 5 and word.isalpha()])
    is_short = np.zeros(len(words), dtype=bool)
    is_short[short] = True
    factor, mask = np.uint64(1000003), np.uint64(slots - 1)
    found = []
    while len(found) < n:
        a, b = rng.choice(short, (2, 100_000)).astype(np.uint64)
        base = (a * factor + b) * factor
        c = ((base >> np.uint64(29)) - base) & mask
        known = c < len(words)
        a, b, c, base = a[known], b[known], c[known], base[known]
        mixed = base + c
        met = is_short[c.astype(np.int64)] & ((mixed ^ mixed >> np.uint64(29)) & mask == 0)
        found += np.stack([a[met], b[met], c[met]], axis=1).tolist()
    return [" ".join(words[number] for number in three) for three in found[:n]]


def bigrams_of_few_slots(n, slots=1 << 21, window=64):
    """Return a text of n bigrams of characters that met in a few slots of the trie of n-grams."""
    firsts = [chr(0x4E00 + number) for number in range(2500)]  # nodes 1, 2, …
    factor, mask = np.uint64(11400714819323198485), np.uint64(slots - 1)
    seconds = np.concatenate([np.arange(0x3400, 0xD800), np.arange(0x10000, 0x110000)]).astype(np.uint64)
    pairs = []
    for node, first in enumerate(firsts, 1):
        mixed = (np.uint64(node << 32) | seconds) * factor
        near = (mixed ^ mixed >> np.uint64(32)) & mask < window
        pairs += [first + chr(second) for second in seconds[near].tolist()]
        if len(pairs) >= n:
            break
    return "".join(firsts) + "".join(pairs[:n])
