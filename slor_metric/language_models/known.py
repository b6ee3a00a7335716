"""Tokens of a text that a language model knows.

SLOR divides a token's probability by its frequency. For tokens that the training corpus hardly holds both are guesses,
and their ratio can be large: a row of signs of another script scores higher than prose. So the metrics must know which
tokens are unknown.
"""

from __future__ import annotations

import unicodedata
from collections.abc import Mapping, Sequence

import numpy as np
from numpy.typing import ArrayLike, NDArray

from referenceless_metrics.core.results import EMPTY, NO_TOKENS, reasons_for
from referenceless_metrics.core.support import native
from referenceless_metrics.core.support.validation import Booleans, Floats, Integers, Integers32, Unsigned8, Unsigned32
from slor_metric.language_models.other_languages import code_points, distinct

#: Reason why a text of unknown tokens has no score.
NO_KNOWN = "no known token"
TOO_MANY_UNKNOWN = "too many unknown tokens"
#: Largest share of unknown tokens of a text with a score by default: the least that leaves every sentence of GUG's
#: training and development splits its score, to a tenth, under all packaged models. Sentences of other scripts have 0.8
#: and more.
MAX_UNKNOWN = 0.6

#: Pieces that models write in place of unknown text.
UNKNOWN_PIECES = frozenset({"<unk>", "[UNK]"})
#: Least share of the corpus of a script that is the model's own: foreign names and quotations bring in other scripts.
_OWN_SCRIPT = 0.01
#: Fewest letters of a word in a row, each a piece of its own, that spell out a word that the model has no pieces for.
SPELLED_OUT = 3
#: If single letters inside words make up more than this share of the corpus, it is a character model, and spelled-out
#: words are not unknown.
_SPELLING_MODEL = 0.25
_CONTINUATION = "##"
#: The bits of `token_flags`: a token that is always unknown, a single letter that may spell a word out, a
#: piece that continues a word, and one that holds a letter.
UNKNOWN, SINGLE, CONTINUES, LETTERED = 1, 2, 4, 8


def script(character: str) -> str | None:
    """Return the script of a letter, as the first word of its Unicode name; None for a character that is no letter.

    >>> script("ж"), script("e"), script("é"), script("3")
    ('CYRILLIC', 'LATIN', 'LATIN', None)
    """
    if character.isascii():
        return "LATIN" if character.isalpha() else None
    if unicodedata.category(character)[0] not in "LM":
        return None
    return unicodedata.name(character, "UNNAMED").partition(" ")[0].partition("-")[0]


def _script_of(token: str) -> str | None:
    """Return the script of a token's first letter; None for one without, and for the signs for unknown text."""
    if token in UNKNOWN_PIECES:
        return None
    return next((name for name in map(script, token) if name is not None), None)


def token_flags(tokens: Sequence[str], counts: ArrayLike | None = None) -> Unsigned8:
    """Return the flags of each token of a model's vocabulary, as bits, shape (len(tokens),).

    A token is unknown if it is the model's sign for unknown text; if its letters are of a script that makes less than 1
    % of the training corpus; and, in a text, if `unknown_tokens` finds that it spells a word out. If the model spells
    most words, no token is `SINGLE`.

    Args:
        tokens: the vocabulary, by token id; pieces that continue a word begin with ``##``.
        counts: count of each token in the training corpus, shape (len(tokens),); None if it is not known: then all
            count alike.
    """
    # By arrays of characters: a vocabulary has tens of thousands of tokens, and is read at each start.
    n_tokens = len(tokens)
    weights = np.ones(n_tokens) if counts is None else np.asarray(counts, dtype=float)
    lengths = np.fromiter(map(len, tokens), np.int64, n_tokens)
    starts = np.cumsum(lengths) - lengths
    characters = code_points("".join([*tokens, "  "]))  # a token's first two characters exist, whatever its length
    of_script, is_alphabetic = _scripts(characters)
    continues = (lengths > len(_CONTINUATION)) & (characters[starts] == ord("#")) & (characters[starts + 1] == ord("#"))
    bare_starts = starts + len(_CONTINUATION) * continues
    single = (bare_starts + 1 == starts + lengths) & is_alphabetic[bare_starts]
    letters = np.append(np.flatnonzero(of_script > 0), len(characters))
    first_letters = starts.copy()
    elsewhere = np.flatnonzero(of_script[starts] == 0)
    first_letters[elsewhere] = letters[np.searchsorted(letters, starts[elsewhere])]
    is_sign = np.zeros(n_tokens, dtype=bool)
    maybe_signs = np.isin(lengths, [*map(len, UNKNOWN_PIECES)]) & (of_script[starts] == 0)
    is_sign[maybe_signs] = [tokens[place] in UNKNOWN_PIECES for place in np.flatnonzero(maybe_signs).tolist()]
    lettered = (first_letters < starts + lengths) & ~is_sign
    scripts = of_script[np.where(lettered, first_letters, -1)]  # the last character is a space, which has none
    mass = np.bincount(scripts, weights, minlength=1)
    foreign = lettered & (mass[scripts] < _OWN_SCRIPT * mass[1:].sum())
    if weights[single & continues].sum() > _SPELLING_MODEL * max(weights.sum(), 1.0):
        single[:] = False
    flags: Unsigned8 = (
        UNKNOWN * (foreign | is_sign) + SINGLE * single + CONTINUES * continues + LETTERED * lettered
    ).astype(np.uint8)
    return flags


def _scripts(characters: Unsigned32) -> tuple[NDArray[np.int16], Booleans]:
    """Return the number of each character's script, from 1, and 0 for one without; and True for letters.

    Args:
        characters: code points, shape (n,).

    Returns:
        Shape (n,) each.
    """
    occurring = distinct(characters)
    scripts, is_alphabetic = (np.zeros(occurring[-1] + 1, dtype=kind) for kind in (np.int16, bool))
    numbers: dict[str | None, int] = {None: 0}
    for point in occurring:
        scripts[point] = numbers.setdefault(script(chr(point)), len(numbers))
        is_alphabetic[point] = chr(point).isalpha()
    return scripts[characters], is_alphabetic[characters]


def flags_of_pieces(model: object, pieces: Sequence[str]) -> Unsigned8:
    """Return the flags of pieces; if a language model tells no vocabulary, only signs for unknown text are unknown.

    >>> flags_of_pieces(object(), ["a", "[UNK]", "7"])
    array([8, 1, 0], dtype=uint8)
    """
    by_id: Unsigned8 | None = getattr(model, "flags", None)
    if by_id is None:
        flags = [UNKNOWN * (piece in UNKNOWN_PIECES) | LETTERED * (_script_of(piece) is not None) for piece in pieces]
    else:
        lookup = dict(zip(getattr(model, "tokens", ()), by_id.tolist(), strict=True))
        flags = [lookup.get(piece, UNKNOWN) for piece in pieces]
    return np.array(flags, dtype=np.uint8)


def unknown_tokens(flags: Unsigned8) -> Booleans:
    """Return True for unknown tokens: by themselves, or as three or more single letters of a word in a row.

    Args:
        flags: the flags of the tokens of one text or of several after one another, shape (n,).

    Returns:
        Shape (n,).

    >>> unknown_tokens(token_flags(["<unk>", "q", "##q", "cat"], [0, 1, 2, 40])[[3, 0, 1, 2, 2]])
    array([False,  True,  True,  True,  True])
    """
    single, continues = (flags & SINGLE).astype(bool), (flags & CONTINUES).astype(bool)
    # a stretch of single letters begins where a word begins, or where a longer piece ends
    stretch = np.cumsum(~(single & continues))
    sizes = np.bincount(stretch, single)
    unknown: Booleans = (flags & UNKNOWN).astype(bool)
    return unknown | single & (sizes[stretch] >= SPELLED_OUT) if len(flags) else unknown


def add_up(ids: Integers32, offsets: Integers, logprobs: Floats, unigram: Floats, flags: Unsigned8) -> Floats:
    """Return the sums of each text: `unknown_tokens`, `cap_unknown_log_odds` and `sum_by_text` in one pass.

    Args:
        ids: the tokens of all texts after one another, shape (tokens,).
        offsets: text i holds the tokens from ``offsets[i]`` to ``offsets[i + 1]``, shape (n + 1,).
        logprobs: ln p_M of each token, shape (tokens,).
        unigram: ln p_u by token id.
        flags: the result of `token_flags`, by token id.

    Returns:
        ln p_M, ln p_u and the surplus of unknown tokens, in nats; the number of unknown tokens, and of those that are
        unknown or hold a letter: shape (n, 5).
    """
    sums = np.empty((len(offsets) - 1, 5))
    native.call("add_up", ids, offsets, logprobs, unigram, flags, sums)
    return sums


def capped_log_odds(ids: Integers32, offsets: Integers, logprobs: Floats, unigram: Floats, flags: Unsigned8) -> Floats:
    """Return the log-odds of tokens: `unknown_tokens` and `cap_unknown_log_odds` in one pass, shape (tokens,).

    Args:
        ids: like the others, as for `add_up`.
        offsets: the index of each text's first token.
        logprobs: ln p_M of each token.
        unigram: ln p_u by token id.
        flags: the result of `token_flags`, by token id.
    """
    odds = np.empty(len(ids))
    native.call("capped_log_odds", ids, offsets, logprobs, unigram, flags, odds)
    return odds


def cap_unknown_log_odds(log_odds: Floats, unknown: Booleans, offsets: Integers) -> Floats:
    """Cap the log-odds of unknown tokens that follow one another at 0.

    Args:
        log_odds: ln p_M − ln p_u of the tokens of all texts after one another, shape (tokens,), in nats.
        unknown: True for unknown tokens, shape (tokens,).
        offsets: text i holds the tokens from ``offsets[i]`` to ``offsets[i + 1]``, shape (n + 1,).

    Returns:
        Shape (tokens,).

    >>> cap_unknown_log_odds(np.array([2.0, 3.0, 4.0]), np.array([True, True, False]), np.array([0, 3]))
    array([2., 0., 4.])
    """
    follows = np.zeros(len(unknown), dtype=bool)
    follows[1:] = unknown[:-1]
    firsts = offsets[:-1]
    follows[firsts[firsts < len(follows)]] = False
    return np.where(follows & unknown, np.minimum(log_odds, 0.0), log_odds)


def refused(unknown_share: Floats, max_unknown: float) -> dict[str, Booleans]:
    """Return which texts have too little that a model knows, by the reason, shape (n,) each.

    Args:
        unknown_share: the share of unknown words or tokens of each text, shape (n,).
        max_unknown: the largest share of a text that has a score.
    """
    return {NO_KNOWN: unknown_share == 1, TOO_MANY_UNKNOWN: unknown_share > max_unknown}


def abstain(
    values: Floats,
    texts: Sequence[str],
    n_tokens: Integers,
    masks: Mapping[str, Booleans],
) -> tuple[str | None, ...]:
    """Set the values of texts that have no score to NaN, and return the reasons.

    Args:
        values: shape (n,) or (n, k), changed in place.
        texts: n texts.
        n_tokens: number of tokens of each text, shape (n,).
        masks: by reason, True for texts that have no score for it, shape (n,) each; the first that holds is given. A
            text without tokens needs none.
    """
    nothing = n_tokens == 0
    empty = nothing.copy()
    for place in np.flatnonzero(nothing).tolist():
        empty[place] = not texts[place] or texts[place].isspace()
    all_masks = {EMPTY: empty, NO_TOKENS: nothing, **masks}
    values[np.logical_or.reduce(list(all_masks.values()))] = np.nan
    return reasons_for(len(texts), all_masks)
