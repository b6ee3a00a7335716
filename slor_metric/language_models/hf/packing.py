"""Texts as the rows that a model reads: long ones in windows, short ones side by side.

Side by side, a processor's time goes to tokens and hardly any to padding.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from slor_metric.language_models.hf.torch_support import length_batches

if TYPE_CHECKING:
    import torch

#: How long a shared row may be, in tokens; the shortest that pays is taken. A text attends within itself, but its row's
#: attention is computed whole: much longer rows would cost more than the padding did.
SHARED_WIDTHS = (64, 96, 128)
#: What a token's row costs, in tokens for each token of its width: attention, beside the products with the weights.
COST_OF_WIDTH = 1 / 2000


class Window(NamedTuple):
    """One pass of the model over a part of a text.

    Attributes:
        start: the first text token that the model reads, after the context token.
        stop: the end of what it reads.
        scored_from: the first text token whose log-probability this window gives.
        scored_to: the end of these.
    """

    start: int
    stop: int
    scored_from: int
    scored_to: int


def sliding_windows(n_tokens: int, max_length: int, stride: int) -> Iterator[Window]:
    """Yield the windows that score a text.

    Window k starts at text token k · `stride`. It is the context token and `max_length` − 1 text tokens, and predicts
    `max_length` text tokens. Of these a later window keeps those that no earlier one gave. Their context is at least
    `max_length` − `stride` text tokens; only tokens near the start of the text have less, because there is no more.

    Args:
        n_tokens: text tokens.
        max_length: tokens that the model reads at once, at least 1.
        stride: how far apart windows start, in [1, `max_length`].

    Yields:
        The windows; none for an empty text.
    """
    start = scored = 0
    while scored < n_tokens:
        end = min(start + max_length, n_tokens)
        yield Window(start, end - 1, scored, end)
        scored = end
        start += stride


def packed_batches(lengths: Sequence[int], batch_size: int, max_tokens: int) -> Iterator[list[list[int]]]:
    """Yield batches of rows, each row the texts that share it: longest rows first.

    Args:
        lengths: the length of each text, in tokens, without the context token, which a row holds once.
        batch_size: texts in a batch at most.
        max_tokens: rows × longest row at most; a text that is longer by itself still gets a batch of its own.

    Yields:
        Positions into `lengths`, a list a row.
    """
    widest = SHARED_WIDTHS[-1] - 1
    long = [i for i, length in enumerate(lengths) if length > widest]
    for batch in length_batches([1 + lengths[i] for i in long], batch_size, max_tokens):
        yield [[long[j]] for j in batch]
    short = [i for i, length in enumerate(lengths) if length <= widest]
    longest = max((lengths[i] for i in short), default=0)
    choices = []
    for width in (longest, *(shared - 1 for shared in SHARED_WIDTHS if shared - 1 > longest)):
        rows = [[short[j] for j in row] for row in _best_fit([lengths[i] for i in short], width, batch_size)]
        widths = [1 + sum(lengths[i] for i in row) for row in rows]
        batches = list(_batches(rows, widths, batch_size, max_tokens))
        choices.append((sum(cost for _, cost in batches), [batch for batch, _ in batches]))
    yield from min(choices)[1]


def within_texts(places: torch.Tensor, dtype: torch.dtype) -> tuple[torch.Tensor, torch.Tensor]:
    """Return what keeps the texts of a row apart: an attention mask, and each token's position in its own text.

    Args:
        places: which of its row's texts each token belongs to, ascending, shape (rows, longest): −1 for the context
            that stands before all of them and is seen by all; padding has a number of its own.
        dtype: of the mask.

    Returns:
        What is added to attention, 0 or as good as −∞, shape (rows, 1, longest, longest), and positions from 0, shape
        (rows, longest).
    """
    import torch

    columns = torch.arange(places.shape[1], device=places.device)
    in_context = places == -1
    starts = torch.where(places.diff(dim=1, prepend=places[:, :1] - 1) != 0, columns, 0).cummax(dim=1).values
    positions = columns - starts + torch.where(in_context, 0, in_context.sum(dim=1, keepdim=True))
    seen = (places[:, :, None] == places[:, None, :]) | in_context[:, None, :]
    seen &= columns[:, None] >= columns[None, :]
    mask = torch.zeros(seen.shape, dtype=dtype, device=places.device).masked_fill_(~seen, torch.finfo(dtype).min)
    return mask[:, None], positions


def _best_fit(lengths: Sequence[int], width: int, most: int) -> list[list[int]]:
    """Return rows of at most `most` texts and `width` tokens: best fit, longest first (Johnson 1973)."""
    rows: list[list[int]] = []
    by_room: list[list[list[int]]] = [[] for _ in range(width + 1)]
    rooms = 0  # bit r is set where a row has room for r more tokens
    for i in np.argsort(-np.asarray(lengths, dtype=np.int64), kind="stable").tolist():
        fitting = rooms >> lengths[i]
        if fitting:
            room = lengths[i] + (fitting & -fitting).bit_length() - 1
            row = by_room[room].pop()
            rooms ^= 0 if by_room[room] else 1 << room
        else:
            room, row = width, []
            rows.append(row)
        row.append(i)
        if len(row) < most:
            by_room[room - lengths[i]].append(row)
            rooms |= 1 << room - lengths[i]
    return rows


def _batches(
    rows: Sequence[list[int]], widths: Sequence[int], batch_size: int, max_tokens: int
) -> Iterator[tuple[list[list[int]], float]]:
    """Yield rows in batches, longest rows first, and what each batch costs."""
    order = sorted(range(len(rows)), key=lambda r: -widths[r])
    start = 0
    while start < len(order):
        longest = widths[order[start]]
        stop = start + 1
        texts = len(rows[order[start]])
        while stop < len(order) and (stop + 1 - start) * longest <= max_tokens:
            texts += len(rows[order[stop]])
            if texts > batch_size:
                break
            stop += 1
        yield [rows[r] for r in order[start:stop]], (stop - start) * longest * (1 + COST_OF_WIDTH * longest)
        start = stop
