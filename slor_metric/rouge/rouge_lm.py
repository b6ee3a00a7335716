"""ROUGE-LM: overlap with references and a language model's opinion in one score.

Source: Kann, Rothe & Filippova (2018), the section on combining the two: both are brought to z-scores over the
scored set and added, so that neither counts for more because its unit is larger.

ROUGE-L of many texts with the best of their references (`score_multi` of the rouge-score package).

Word tokenisation for the overlap metrics: any script, or exactly that of rouge-score.
"""

from __future__ import annotations

import functools
import itertools
import re
import warnings
from collections.abc import Callable, Mapping, Sequence
from dataclasses import asdict, dataclass
from typing import Any

import numpy as np
from numpy.typing import ArrayLike

from referenceless_metrics.core.metric import check_references
from referenceless_metrics.core.support import native
from referenceless_metrics.core.support.computing import in_order
from referenceless_metrics.core.support.normal_forms import normalise
from referenceless_metrics.core.support.validation import (
    Floats,
    Integers,
    Unsigned32,
    check_choice,
    check_number,
    check_texts,
    describe,
)
from referenceless_metrics.core.support.words import ascii_words, rouge_stemmer, rouge_words
from slor_metric.pieces import pieces_of
from slor_metric.tokenizers.encoder import ChunkCache, JoinedTexts

Tokenise = Callable[[str], list[str]]

# A word is a letter or digit followed by letters, digits, combining marks and (zero-width) joiners. Scripts
# that are written without spaces have no such words: each of their characters, with its marks, is a token.
_UNSPACED = r"\p{Han}\p{Hiragana}\p{Katakana}\p{Bopomofo}\p{Yi}\p{Thai}\p{Lao}\p{Khmer}\p{Myanmar}\p{Tibetan}"
_BASE = rf"[[\p{{L}}\p{{N}}]--[{_UNSPACED}]]"
_WORD = rf"[[\p{{L}}\p{{N}}]&&[{_UNSPACED}]]\p{{M}}*|{_BASE}(?:{_BASE}|[\p{{M}}\u200c\u200d])*"


# Latin, IPA, quotation marks, dashes: no combining marks, no joiners, no unspaced scripts. For these the
# standard library's faster expressions do.
_is_simple = re.compile(r"[\x00-\u02ff\u2010-\u2027\u2030-\u205e]*").fullmatch
_simple_words = re.compile(r"[^\W_]+").findall


@functools.cache
def _word_pattern() -> Callable[[str], list[str]]:
    import regex  # loaded only for text beyond ASCII

    findall: Callable[[str], list[str]] = regex.compile(_WORD, flags=regex.VERSION1).findall
    return findall


def tokenise_unicode(text: str) -> list[str]:
    """Return the case-folded words of a text in any script.

    Letters and digits of any script make words, together with their combining marks; characters of scripts
    that are written without spaces (Chinese, Japanese, Thai, …) are tokens of their own; punctuation, symbols
    and emoji are dropped. The text is first brought to Unicode's NFKC form, so that composed and decomposed,
    full-width and ordinary characters agree. On ASCII text this is exactly rouge-score's tokenisation.

    >>> tokenise_unicode("It's 3 o'clock.")
    ['it', 's', '3', 'o', 'clock']
    >>> tokenise_unicode("Où est 東京タワー?")
    ['où', 'est', '東', '京', 'タ', 'ワ', 'ー']
    """
    if text.isascii():
        return ascii_words(text)
    # folding can undo the normal form: a few characters fold to sequences that are not normal
    folded = normalise("NFKC", normalise("NFKC", text).casefold())
    return _simple_words(folded) if _is_simple(folded) else _word_pattern()(folded)


def get_stemmer(stem: bool) -> Callable[[str], str] | None:
    """Return the Porter stemmer for single tokens, as rouge-score applies it, or None for `stem=False`.

    Raises:
        ImportError: for `stem=True` without nltk.
    """
    return rouge_stemmer("stem=True") if stem else None


#: The tokenisers by name: words in any script, and ASCII words as the rouge-score package finds them.
TOKENIZERS: dict[str, Tokenise] = {"unicode": tokenise_unicode, "rouge_score": rouge_words}


def get_tokeniser(tokenize: str = "unicode") -> Tokenise:
    """Return the function from a text to its tokens, one of `TOKENIZERS`.

    Raises:
        ValueError: for another name.
    """
    check_choice(tokenize, "tokenize", tuple(TOKENIZERS))
    return TOKENIZERS[tokenize]


References = Sequence[Sequence[str]] | Sequence[str]

#: Most characters that are compared together, texts and references, which bounds memory.
_BLOCK_LENGTH = 2_000_000


@functools.cache
def _chunks(tokenise: Tokenise) -> ChunkCache:
    """Return the words of chunks between white space: a line of each, with spaces between the words."""
    return ChunkCache(lambda chunks: [f"{' '.join(tokenise(chunk))}\n".encode() for chunk in chunks])


def _number_words(
    texts: JoinedTexts, tokenise: Tokenise, stem_word: Callable[[str], str] | None
) -> tuple[Unsigned32, int]:
    """Return the number of each text's words, equal for equal words, with 0 after each text; and the largest number."""
    parted = texts.parted({})  # the kernel finds the words of ASCII
    others = np.frombuffer(_chunks(tokenise).written(parted.others), dtype=np.uint8)
    words, n_types = np.empty(len(parted.characters) + len(others) + len(texts), np.uint8), np.zeros(1, np.int64)
    words = words[: native.call("write_words", parted.characters, parted.lengths, others, words)]
    most_words = int(np.count_nonzero(words <= ord(" ")))  # each has a space or a zero after it
    numbers = np.empty(most_words + len(texts), np.uint32)
    starts, ends = np.empty(most_words, np.int64), np.empty(most_words, np.int64)
    numbers = numbers[: native.call("number_words", words, native.SEED, numbers, starts, ends, n_types)]
    if stem_word is not None:
        number_of: dict[str, int] = {}
        bounds = zip(starts[: n_types[0]], ends[: n_types[0]], strict=True)
        types = [words[start:end].tobytes().decode() for start, end in bounds]
        of_stems = [number_of.setdefault(stem_word(word), number) for number, word in enumerate(types, 1)]
        numbers = np.array([0, *of_stems], dtype=np.uint32)[numbers]
    return numbers, int(n_types[0])


def _best_f(numbers: Unsigned32, n_types: int, counts: Integers) -> Floats:
    """Return each candidate's highest ROUGE-L F over its references.

    Args:
        numbers: the words of all candidates and then of all references, as `_number_words` gives them.
        n_types: the largest number.
        counts: the number of references of each candidate, shape (n,).
    """
    n_references = int(counts.sum())
    lcs, lengths = np.empty(n_references, np.int64), np.empty(len(counts) + n_references, np.int64)
    native.call("common_subsequences", numbers, n_types, counts, lcs, lengths)
    total = lengths[len(counts) :] + np.repeat(lengths[: len(counts)], counts)
    # 2·P·R / (P + R) with P = lcs / |candidate| and R = lcs / |reference|; two empty texts have no overlap
    f_measure = 2.0 * lcs / np.maximum(total, 1)
    best: Floats = np.maximum.reduceat(f_measure, np.cumsum(counts) - counts)
    return best


def rouge_l_mult(
    candidates: Sequence[str],
    references: References,
    *,
    tokenize: str = "unicode",
    stem: bool = False,
    n_jobs: int | None = None,
) -> Floats:
    """ROUGE-L F of each candidate against the reference that it agrees with most (ROUGE-L-mult).

    F is the harmonic mean of precision LCS / |candidate| and recall LCS / |reference| (Lin 2004), LCS the
    length of the longest common subsequence in tokens. With `tokenize="rouge_score"` these are the values of
    the rouge-score package's `score_multi`, stemmed or not.

    Args:
        candidates: the texts to score.
        references: for each candidate a list of reference texts, or one reference text.
        tokenize: see `slor_metric.rouge.rouge_lm.get_tokeniser`.
        stem: whether to apply the Porter stemmer, as rouge-score's `use_stemmer` (English; extra `rouge`).
        n_jobs: threads, as scikit-learn counts them: they change no value.

    Returns:
        F in [0, 1], shape (n candidates,); 0 for a candidate without any token, as in rouge-score.

    Raises:
        TypeError: for a bare string or an item that is no string.
        ValueError: for missing references or a number of references that is not that of the candidates.

    >>> rouge_l_mult(["the cat sat"], [["a cat sat down", "the cat sat"]]).tolist()
    [1.0]
    """
    texts = check_texts(candidates, "candidates")
    return rouge_l_of(texts, check_references(references, len(texts)), tokenize=tokenize, stem=stem, n_jobs=n_jobs)


def rouge_l_of(
    texts: Sequence[str], lists: Sequence[Sequence[str]], *, tokenize: str, stem: bool, n_jobs: int | None
) -> Floats:
    """Return `rouge_l_mult` of texts and lists of references that are known to be such."""
    tokenise, stem_word = get_tokeniser(tokenize), get_stemmer(stem)
    candidates, references = JoinedTexts.of(texts), JoinedTexts(list(itertools.chain.from_iterable(lists)))
    counts = np.fromiter(map(len, lists), np.int64, len(lists))
    ends = np.cumsum(counts)

    def score(piece: slice) -> Floats:
        own = counts[piece]
        of_own = slice(int(ends[piece.start] - own[0]), int(ends[piece.stop - 1]))
        words = _number_words(candidates.part(piece) + references.part(of_own), tokenise, stem_word)
        return _best_f(*words, own)

    lengths = candidates.lengths
    if len(texts):
        lengths = lengths + np.add.reduceat(references.lengths, ends - counts)
    return np.concatenate([np.zeros(0), *in_order(score, pieces_of(lengths, n_jobs, _BLOCK_LENGTH), n_jobs)])


#: Least ratio of the standard deviations of WPSLOR (in nats) and ROUGE-L: below it WPSLOR says little.
_LEAST_SPREAD = 2.0
_ENOUGH = 20


@dataclass(frozen=True)
class ZStatistics:
    """Means and standard deviations of ROUGE-L-mult and WPSLOR over a set of texts.

    Attributes:
        rouge_l_mean: mean of ROUGE-L-mult.
        rouge_l_std: its standard deviation (of the population: divided by n).
        wpslor_mean: mean of WPSLOR, in nats a token.
        wpslor_std: its standard deviation.
    """

    rouge_l_mean: float
    rouge_l_std: float
    wpslor_mean: float
    wpslor_std: float

    @classmethod
    def of(cls, rouge_l: ArrayLike, wpslor: ArrayLike) -> ZStatistics:
        """Compute the statistics over the texts for which both are defined; NaN if there is none."""
        both = _columns(rouge_l, wpslor)
        parts = both.compress(np.isfinite(both).all(axis=0), axis=1)
        if not parts.size:
            return cls(*[np.nan] * 4)
        # equal values can have a mean that differs from them by rounding, and so a standard deviation above zero
        means, stds = parts.mean(axis=1), np.where(np.ptp(parts, axis=1) > 0, parts.std(axis=1), 0.0)
        return cls(*np.stack([means, stds], axis=1).ravel().tolist())

    @classmethod
    def from_dict(cls, values: Mapping[str, float] | ZStatistics) -> ZStatistics:
        """Check and return statistics that come as a mapping, as `as_dict` gives it.

        Raises:
            TypeError: for anything but a mapping of numbers.
            ValueError: for a missing or unknown name, or a negative standard deviation.
        """
        if isinstance(values, ZStatistics):
            return values
        names = tuple(cls.__dataclass_fields__)
        if not isinstance(values, Mapping):
            raise TypeError(f"Expected argument `statistics` to be a mapping with {names}, but got {describe(values)}")
        if set(values) != set(names):
            raise ValueError(
                f"Expected argument `statistics` to hold {names} and nothing else, but got {tuple(values)}"
            )
        for name in names:
            minimum = 0.0 if name.endswith("std") else -np.inf
            check_number(values[name], f"statistics[{name!r}]", minimum)
        return cls(**{name: float(values[name]) for name in names})

    def as_dict(self) -> dict[str, float]:
        """Return the statistics as a plain mapping, for JSON."""
        return asdict(self)


class EvenFluencyWarning(UserWarning):
    """All texts are about equally fluent, and ROUGE-LM gives their small differences the weight of ROUGE-L."""


def warn_if_even(statistics: ZStatistics, n: int) -> None:
    """Warn if WPSLOR varies little beside ROUGE-L: z-scores inflate its small differences.

    On rated outputs WPSLOR's standard deviation is 2.6 to 6.8 nats for each unit of ROUGE-L's (Simplicity-DA by system,
    nlg-ratings by data set and system), and ROUGE-LM agrees with people better than ROUGE-L in all but a few. Below
    `_LEAST_SPREAD` the texts are all fluent, or all alike to the model: among the outputs of Simplicity-DA in the
    middle of WPSLOR's range (the middle half, quarter and sixth) ROUGE-L alone has r = .40, .38 and .36 and ROUGE-LM
    .34, .23 and .20; among those of nlg-ratings neither is always better.

    Args:
        statistics: means and standard deviations of the scored set.
        n: number of its texts; a few texts say nothing.
    """
    if n >= _ENOUGH and 0 <= statistics.wpslor_std < _LEAST_SPREAD * statistics.rouge_l_std:
        warnings.warn(
            f"WPSLOR varies little among these {n} texts (standard deviation {statistics.wpslor_std:.2f} nats, beside "
            f"{statistics.rouge_l_std:.2f} of ROUGE-L), and ROUGE-LM weighs both alike: ROUGE-L alone may do better",
            EvenFluencyWarning,
            stacklevel=3,
        )


def _columns(rouge_l: ArrayLike, wpslor: ArrayLike) -> Floats:
    first, second = np.asarray(rouge_l, dtype=float), np.asarray(wpslor, dtype=float)
    if first.ndim != 1 or first.shape != second.shape:
        raise ValueError(
            "Expected arguments `rouge_l` and `wpslor` to be two vectors of one length, "
            f"but got shapes {first.shape} and {second.shape}"
        )
    return np.stack([first, second])


def z_score(values: Any, mean: float, std: float) -> Any:
    """Return a number or numbers in standard deviations from the mean; those that do not differ count as average."""
    return (values - mean) / std if std > 0 else 0.0 * (values - mean)


def rouge_lm(rouge_l: ArrayLike, wpslor: ArrayLike, statistics: ZStatistics | None = None) -> Floats:
    """Return z(ROUGE-L-mult) + z(WPSLOR).

    By default z is taken over the given texts, so the values rank the texts of this set and their mean is zero; to
    compare sets that are scored apart, give the `statistics` of one set to all.

    Args:
        rouge_l: ROUGE-L-mult of each text, shape (n,).
        wpslor: WPSLOR of each text in nats a token, shape (n,).
        statistics: means and standard deviations to use; None for those of this set. A standard deviation of
            zero makes its part zero.

    Returns:
        One value per text in units of a standard deviation, shape (n,); NaN if either part is undefined.

    Raises:
        ValueError: for vectors of different lengths.

    >>> rouge_lm([0.2, 0.4, 0.6], [1.0, 3.0, 2.0]).round(3).tolist()
    [-2.449, 1.225, 1.225]
    """
    first, second = _columns(rouge_l, wpslor)
    if statistics is None:
        statistics = ZStatistics.of(first, second)
    total = z_score(first, statistics.rouge_l_mean, statistics.rouge_l_std)
    total += z_score(second, statistics.wpslor_mean, statistics.wpslor_std)
    # an infinite part (a text that the model gives no probability at all) has no place on a scale of deviations
    return np.where(np.isfinite(total), total, np.nan)
