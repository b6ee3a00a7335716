"""Which tokens of a text a language model knows.

SLOR divides a token's probability by its frequency. For tokens that the training corpus hardly holds both are guesses,
and their ratio can be large: a row of signs of another script scores higher than prose. So the metrics must know what
is unknown.
"""

from __future__ import annotations

import unicodedata
from collections import defaultdict
from collections.abc import Mapping, Sequence
from functools import cached_property

import numpy as np
from numpy.typing import ArrayLike

from metric_commons.results import EMPTY, NO_TOKENS, reasons_for
from metric_commons.support.validation import Booleans, Floats, Integers, Unsigned8

#: Why a text of unknown tokens has no score.
NO_KNOWN = "no known token"
TOO_MANY_UNKNOWN = "too many unknown tokens"
#: The largest share of unknown tokens that a text may have by default: the least that leaves every sentence of GUG's
#: training and development splits its score, to a tenth, under all packaged models. Sentences of other scripts have 0.8
#: and more.
MAX_UNKNOWN = 0.6

#: What a metric does with text that its models do not know.
UNKNOWN_RULES = ("abstain", "score")

#: What models write in place of what they do not know.
UNKNOWN_PIECES = frozenset({"<unk>", "[UNK]"})
#: A script that makes a smaller share of the corpus than this is not the model's: foreign names and quotations bring it
#: in.
_OWN_SCRIPT = 0.01
#: So many letters of a word in a row, each a piece of its own, spell out what the model has no pieces for.
SPELLED_OUT = 3
#: A model of whose corpus a larger share is single letters inside words spells everything, as character models do.
_SPELLING_MODEL = 0.25
_CONTINUATION = "##"
#: What `KnownTokens.flags` tells of a token: that it is unknown wherever it stands, a single letter that may spell a
#: word out, a piece that continues a word, and one that holds a letter.
UNKNOWN, SINGLE, CONTINUES, LETTERED = 1, 2, 4, 8


def script(character: str) -> str | None:
    """Return the script of a letter, as the first word of its Unicode name; None for what is no letter.

    >>> script("ж"), script("e"), script("é"), script("3")
    ('CYRILLIC', 'LATIN', 'LATIN', None)
    """
    if character.isascii():
        return "LATIN" if character.isalpha() else None
    if unicodedata.category(character)[0] not in "LM":
        return None
    return unicodedata.name(character, "UNNAMED").partition(" ")[0].partition("-")[0]


class KnownTokens:
    """What a model's vocabulary tells about the tokens of a text.

    A token is unknown where it is the model's sign for unknown text; where its letters are of a script that makes less
    than 1 % of the training corpus; and where it belongs to three or more pieces of a word in a row that are single
    letters (a word spelled out because no longer piece fits), unless the model spells most words.

    Args:
        tokens: the vocabulary, by token id; pieces that continue a word begin with ``##``.
        counts: how often each occurs in the training corpus, shape (len(tokens),); None where that is not known: then
            all count alike.

    >>> known = KnownTokens(["<unk>", "q", "##q", "cat"], [0, 1, 2, 40])
    >>> known.unknown([3, 0, 1, 2, 2])
    array([False,  True,  True,  True,  True])
    """

    def __init__(self, tokens: Sequence[str], counts: ArrayLike | None = None) -> None:
        weights = np.ones(len(tokens)) if counts is None else np.asarray(counts, dtype=float)
        bare = [token.removeprefix(_CONTINUATION) or token for token in tokens]
        scripts = [self._script_of(token) for token in bare]
        mass: defaultdict[str, float] = defaultdict(float)
        for name, weight in zip(scripts, weights.tolist(), strict=True):
            if name is not None:
                mass[name] += weight
        total = sum(mass.values())
        own = {None, *(name for name, weight in mass.items() if weight >= _OWN_SCRIPT * total)}
        self._unknown = np.array(
            [token in UNKNOWN_PIECES or name not in own for token, name in zip(tokens, scripts, strict=True)],
            dtype=bool,
        )
        self.continues = np.array([token != piece for token, piece in zip(tokens, bare, strict=True)], dtype=bool)
        self._tokens = tokens
        self.lettered = np.array([name is not None for name in scripts], dtype=bool)
        self._single = np.array([len(token) == 1 and token.isalpha() for token in bare], dtype=bool)
        inside = self._single & self.continues
        self._spells = bool(weights[inside].sum() > _SPELLING_MODEL * max(weights.sum(), 1.0))

    @cached_property
    def flags(self) -> Unsigned8:
        """What is known of each token by itself, as bits, shape (len(tokens),), for the kernel."""
        single = self._single & (not self._spells)
        bits = ((UNKNOWN, self._unknown), (SINGLE, single), (CONTINUES, self.continues), (LETTERED, self.lettered))
        flags: Unsigned8 = np.sum([bit * mask for bit, mask in bits], axis=0).astype(np.uint8)
        return flags

    @cached_property
    def _ids(self) -> dict[str, int]:
        return {token: i for i, token in enumerate(self._tokens)}

    @classmethod
    def of_model(cls, model: object, pieces: Sequence[str]) -> tuple[KnownTokens, Integers]:
        """Return what a language model knows, and the ids of the pieces that it gave for some texts."""
        known = getattr(model, "known", None)
        if isinstance(known, KnownTokens):
            lookup = known._ids
        else:  # the model tells no vocabulary: only the signs for unknown text are unknown, and pieces spelt in any way
            lookup = {piece: i for i, piece in enumerate(dict.fromkeys(pieces))}
            known = cls(list(lookup))
            known._unknown = np.array([piece in UNKNOWN_PIECES for piece in lookup], dtype=bool)
            known._spells = True
        return known, np.array([lookup.get(piece, -1) for piece in pieces], dtype=np.int64)

    @staticmethod
    def _script_of(token: str) -> str | None:
        if token in UNKNOWN_PIECES:
            return None
        if token.isascii():
            return "LATIN" if token.isalpha() or any(map(str.isalpha, token)) else None
        return next((name for name in map(script, token) if name is not None), None)

    def unknown(self, ids: ArrayLike) -> Booleans:
        """Tell which tokens are unknown.

        Args:
            ids: token ids of one text or of several after one another, shape (n,); a negative one is unknown.

        Returns:
            Shape (n,).
        """
        tokens = np.asarray(ids, dtype=np.int64)
        found: Booleans = self._unknown[tokens] | (tokens < 0)
        if self._spells or not len(tokens):
            return found
        single, continues = self._single[tokens], self.continues[tokens]
        # a stretch of single letters begins where a word does, or where a longer piece ends
        in_stretch = single & continues
        starts_before = np.zeros(len(tokens), dtype=bool)
        starts_before[:-1] = in_stretch[1:] & single[:-1] & ~continues[:-1]
        member = in_stretch | starts_before
        if not member.any():
            return found
        begins = member & (starts_before | ~np.concatenate(([False], member[:-1])))
        stretch = np.cumsum(begins)
        sizes = np.bincount(stretch[member], minlength=int(stretch[-1]) + 1)
        found |= member & (sizes[stretch] >= SPELLED_OUT)
        return found


def cap_unknown_log_odds(log_odds: Floats, unknown: Booleans, offsets: Integers) -> Floats:
    """Take from unknown tokens what they earn by following one another: nothing above 0.

    Args:
        log_odds: ln p_M − ln p_u of the tokens of all texts after one another, shape (tokens,), in nats.
        unknown: which tokens are unknown, shape (tokens,).
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
        n_tokens: how many tokens each has, shape (n,).
        masks: which texts have no score for a reason beside having nothing in them, shape (n,) each; the first that
            holds is given.
    """
    nothing = n_tokens == 0
    empty = nothing.copy()
    for place in np.flatnonzero(nothing).tolist():
        empty[place] = not texts[place] or texts[place].isspace()
    all_masks = {EMPTY: empty, NO_TOKENS: nothing, **masks}
    values[np.logical_or.reduce(list(all_masks.values()))] = np.nan
    return reasons_for(len(texts), all_masks)
