"""Training an n-gram model: a corpus in, a `NgramLanguageModel` out."""

from __future__ import annotations

import os
from array import array
from collections import Counter, defaultdict
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import islice
from typing import Annotated

import numpy as np

from referenceless_metrics.core.files.atomic import check_destination
from referenceless_metrics.core.support.computing import progress_bar
from referenceless_metrics.core.support.validation import InputError, Unsigned32, check_choice, check_whole, describe
from slor_metric.language_models.ngram.estimation import backoff_weights, count_ngrams, estimate, keep_best, losses
from slor_metric.language_models.ngram.model import NgramLanguageModel
from slor_metric.language_models.ngram.storage import from_tables
from slor_metric.language_models.unigram import Corpus, UnigramTable, read_lines
from slor_metric.tokenizers.words import (
    BOS,
    EOS,
    SPECIALS,
    UNK,
    Tokeniser,
    WordPieceTokeniser,
    default_tokenizer,
    get_tokeniser,
    train_wordpiece,
)

TOKENIZERS = ("words", "wordpiece", "whitespace", "characters")
MAX_ORDER = 8


def train_ngram(
    corpus: Corpus,
    out: str | os.PathLike[str] | None = None,
    *,
    language: str | None = None,
    order: int | None = None,
    tokenizer: Annotated[str | None, TOKENIZERS] = None,
    vocab_size: int | None = None,
    prune: Sequence[int] | None = None,
    max_ngrams: int | None = None,
    progress: bool | None = None,
) -> NgramLanguageModel:
    """Train a modified Kneser–Ney model and its unigram table.

    Memory: about 60 bytes per token of the corpus, for counting; the text itself is streamed.

    Args:
        corpus: a path of UTF-8 text, one sentence per line (``.xz``, ``.gz`` and ``.bz2`` are decompressed on the
            fly), or an iterable of lines (``str``) and files (``Path``).
        out: path of the model's file; None to write nothing.
        language: the code of the corpus's language, such as `"ru"`: the model remembers it, and `tokenizer` follows it.
        order: the length of the longest n-grams, 1 to 8; by default 6 of characters, else 4.
        tokenizer: tokenisation of the text; ``"whitespace"`` for text that is tokenised already; by default characters
            for a `language` written without spaces, WordPieces for another, else words. ``"words"`` are lower-cased
            (`tokenizers.words.WordTokeniser`), ``"wordpiece"`` are pieces of these, from a vocabulary trained on the
            corpus.
        vocab_size: number of tokens that the model knows besides ``<unk>``, ``<s>`` and ``</s>``; all others are
            ``<unk>``; by default all tokens, or 8,000 WordPieces.
        prune: for each order, drop n-grams seen at most so often, like kenlm's ``--prune``: the first 0, not
            decreasing; the last number stands for all higher orders. None: no cut-offs.
        max_ngrams: after that, keep so many n-grams of orders 2 and up, those whose removal costs most (entropy
            pruning), and store log-probabilities and back-offs in 8 bits.
        progress: show progress bars; None: on a terminal.

    Returns:
        The model, as it would be loaded from `out`.

    Raises:
        InputError: for a corpus that cannot be read, or has no usable line.
        OSError: for an `out` that cannot be written, before anything is read.
        TypeError, ValueError: for an option out of its range.
    """
    usual = default_tokenizer(language)
    tokenizer = usual if tokenizer is None else tokenizer
    check_choice(tokenizer, "tokenizer", TOKENIZERS)
    if order is None:
        order = 6 if tokenizer == "characters" else 4
    check_whole(order, "order", 1, MAX_ORDER)
    if vocab_size is not None:
        check_whole(vocab_size, "vocab_size", 1)
    if max_ngrams is not None:
        check_whole(max_ngrams, "max_ngrams", 0)
    thresholds = check_thresholds(prune, order)
    if out is not None:
        check_destination(out)
    encoded = encode_corpus(corpus, tokenizer, vocab_size, progress=progress)
    model = estimate_model(encoded, order, thresholds, max_ngrams, progress=progress)
    model.language = language
    if out is not None:
        model.save(out)
    return model


def check_thresholds(prune: Sequence[int] | None, order: int) -> tuple[int, ...]:
    """Return one count threshold per order.

    Raises:
        TypeError: for anything but a sequence of whole numbers.
        ValueError: for more of them than orders, a first one that is not 0, or a decrease.
    """
    if isinstance(prune, (str, bytes)) or not isinstance(prune, Sequence | None):
        raise TypeError(f"Expected argument `prune` to be a list of whole numbers, but got {describe(prune)}")
    thresholds = [0] if prune is None else list(prune)
    for threshold in thresholds:
        check_whole(threshold, "prune", 0)
    if not 1 <= len(thresholds) <= order or thresholds[0] != 0 or thresholds != sorted(thresholds):
        raise ValueError(
            f"Expected argument `prune` to be 1 to {order} numbers that begin with 0 and do not decrease, "
            f"but got {thresholds}"
        )
    return tuple(thresholds + thresholds[-1:] * (order - len(thresholds)))


@dataclass
class EncodedCorpus:
    """A corpus as token ids.

    Attributes:
        ids: all sentences after one another, each as ``<s> … </s>``, shape (t,), uint32.
        tokens: the vocabulary by id: ``<unk>``, ``<s>``, ``</s>``, then by falling count.
        tokenizer: the tokeniser that cuts texts into these tokens.
    """

    ids: Unsigned32
    tokens: list[str]
    tokenizer: Tokeniser


def encode_corpus(
    corpus: Corpus, tokenizer: str, vocab_size: int | None, *, progress: bool | None = None
) -> EncodedCorpus:
    """Read a corpus once, settle its vocabulary and encode it.

    Each distinct chunk between whitespace is tokenised once: the text is kept as chunk numbers, which are replaced by
    token ids in the end.
    """
    chunk_ids: defaultdict[str, int] = defaultdict()
    chunk_ids.default_factory = chunk_ids.__len__
    line_end = chunk_ids["\n"]
    stream = array("I")
    with progress_bar(None, "reading", progress, unit=" lines") as bar:
        for line in read_lines(corpus):
            if chunks := line.split():
                stream.extend(map(chunk_ids.__getitem__, chunks))
                stream.append(line_end)
            bar.update()
    if not stream:
        raise InputError("the corpus has no usable line: every line is empty")
    text = np.frombuffer(stream, dtype=np.uint32)
    chunk_counts = np.bincount(text, minlength=len(chunk_ids)).tolist()[1:]

    rule = get_tokeniser("words" if tokenizer == "wordpiece" else tokenizer)
    chunks = list(islice(chunk_ids, 1, None))
    split = list(map(rule.split_chunk, chunks))
    pieces: list[str] = []
    if tokenizer == "wordpiece":
        pieces = train_wordpiece(_weighted(split, chunk_counts), vocab_size or 8000, progress=bool(progress))
        rule, vocab_size = WordPieceTokeniser(pieces), None
        split = list(map(rule.split_chunk, chunks))
    counts = _weighted(split, chunk_counts)
    for special in SPECIALS:  # never a token of the text
        counts.pop(special, None)
    for piece in pieces:
        counts[piece] += 0
    ranked = sorted(counts, key=lambda token: (-counts[token], token))[:vocab_size]
    tokens = [*SPECIALS, *ranked]
    ids = {token: i for i, token in enumerate(tokens)}
    ids[SPECIALS[BOS]] = ids[SPECIALS[EOS]] = UNK
    encoded = [[ids.get(token, UNK) for token in tokens_of_chunk] for tokens_of_chunk in split]
    return EncodedCorpus(_expand(text, [[EOS, BOS], *encoded]), tokens, rule)


def _weighted(split: list[list[str]], weights: list[int]) -> Counter[str]:
    counts: Counter[str] = Counter()
    for tokens, weight in zip(split, weights, strict=True):
        for token in tokens:
            counts[token] += weight
    return counts


def _expand(text: Unsigned32, encoded: list[list[int]]) -> Unsigned32:
    """Replace chunk numbers by the chunks' token ids; those of a line's end part the sentences, as ``</s> <s>``."""
    sizes = np.array([len(ids) for ids in encoded], dtype=np.int32)
    starts = np.cumsum(sizes) - sizes
    pool = np.array([i for ids in encoded for i in ids], dtype=np.uint32)
    before = starts[text] - (np.cumsum(sizes[text]) - sizes[text])  # of each chunk in the pool, less in the text
    tokens = pool[np.arange(sizes[text].sum()) + np.repeat(before, sizes[text])]
    return np.concatenate([np.array([BOS], np.uint32), tokens[:-1]])  # no sentence begins after the last


def estimate_model(
    encoded: EncodedCorpus,
    order: int,
    thresholds: tuple[int, ...],
    max_ngrams: int | None,
    *,
    progress: bool | None = None,
) -> NgramLanguageModel:
    """Count, estimate, prune and quantise; the arguments are those of `train_ngram`."""
    with progress_bar(4, "estimating", progress, unit=" steps") as bar:
        tables = count_ngrams(encoded.ids, order, len(encoded.tokens))
        bar.update()
        probabilities, weights = estimate(tables, thresholds)
        keep = [np.ones(len(tables[0]), dtype=bool)]
        keep += [table.counts > threshold for table, threshold in zip(tables[1:], thresholds[1:], strict=True)]
        bar.update()
        if max_ngrams is not None:
            keep = keep_best(tables, losses(tables, probabilities, keep, len(encoded.ids)), max_ngrams)
            weights = backoff_weights(tables, probabilities, keep)
        bar.update()
        # Rounding comes last: weights that made up for the rounded probabilities would be far off wherever the listed
        # words take nearly all the mass.
        trie = from_tables(tables, probabilities, weights, keep, quantised=max_ngrams is not None)
        bar.update()
    unigram = UnigramTable.by_id(encoded.tokens, tables[0].counts, encoded.tokenizer.name)
    return NgramLanguageModel(trie, encoded.tokens, tokenizer=encoded.tokenizer, unigram=unigram)
