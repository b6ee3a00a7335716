"""Texts that share a row of a batch, and the tokens with which they begin alike: each is read once.

A row is a tree. Its root is the context token, which stands before every text; each other token has one before it, and
if two texts go on differently after the same tokens, two have the same one before them. A token sees those on the way
to the root and nothing else, so it is read as in its text alone.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from referenceless_metrics.core.support.validation import Integers

if TYPE_CHECKING:
    import torch

#: Value in place of the column before the context token.
ROOT = -1


@dataclass(frozen=True)
class Row:
    """Some texts in one row.

    Attributes:
        tokens: the tokens that are read, the context token first, shape (width,).
        before: the column of the token before each, `ROOT` for the first, shape (width,).
        columns: for each text, the columns of the context token and of the text's own tokens.
    """

    tokens: list[int]
    before: list[int]
    columns: list[list[int]]


def row_of(context: int, texts: Sequence[Sequence[int]]) -> Row:
    """Return texts as one row, in which tokens with which several begin stand once."""
    tokens, before, columns = [context], [ROOT], []
    known: dict[tuple[int, int], int] = {}  # the column of a token after the token of another column
    for text in texts:
        path = [0]
        for token in text:
            column = known.setdefault((path[-1], token), len(tokens))
            if column == len(tokens):
                tokens.append(token)
                before.append(path[-1])
            path.append(column)
        columns.append(path)
    return Row(tokens, before, columns)


def alike_beginnings(texts: Sequence[Sequence[int]], width: int) -> list[list[int]]:
    """Put texts together that begin with the same tokens, or the same one.

    Args:
        texts: the tokens of n texts.
        width: tokens that texts of one group have at most, shared ones counted once; a longer text is alone.

    Returns:
        Groups of places, each place in one of them, neighbours in lexical order.
    """
    groups: list[list[int]] = []
    size = 0
    last: Sequence[int] = ()
    for place in sorted(range(len(texts)), key=lambda place: list(texts[place])):
        text = texts[place]
        n_shared = _n_shared(last, text)
        if n_shared > 0 and size + len(text) - n_shared <= width:
            groups[-1].append(place)
            size += len(text) - n_shared
        else:
            groups.append([place])
            size = len(text)
        last = text
    return groups


def _n_shared(first: Sequence[int], second: Sequence[int]) -> int:
    """Return the number of tokens that two texts have in common at their beginning."""
    for n, (one, other) in enumerate(zip(first, second, strict=False)):
        if one != other:
            return n
    return min(len(first), len(second))


def tree_positions(before: Integers) -> tuple[Integers, Integers]:
    """Return the tokens that each token sees, and the number of tokens before it in its text.

    Args:
        before: the column before each token, shape (width,), ascending along each text.

    Returns:
        Booleans, shape (width, width), and positions from 0, shape (width,).
    """
    sees = np.eye(len(before), dtype=bool)
    for column, earlier in enumerate(before.tolist()):
        if earlier != ROOT:
            sees[column] |= sees[earlier]
    return sees, sees.sum(axis=1) - 1


def within_texts(
    rows: Sequence[Sequence[int]], width: int, dtype: torch.dtype, device: torch.device
) -> tuple[torch.Tensor, torch.Tensor]:
    """Return an attention mask that keeps the texts of rows apart, and each token's position in its own text.

    Args:
        rows: for each row, the column before each token (see `Row`).
        width: tokens of the longest row. Padding stands after shorter ones, and sees itself.
        dtype: the type of the mask.
        device: the device of both.

    Returns:
        The addition to attention, 0 or as good as −∞, shape (rows, 1, width, width), and positions from 0, shape (rows,
        width); those of padding are 0, since a model may have fewer positions than a row has columns.
    """
    import torch

    before = np.full((len(rows), width), ROOT)
    for row, columns in zip(before, rows, strict=True):
        row[: len(columns)] = columns
    sees, positions = map(np.stack, zip(*map(tree_positions, before), strict=True))
    seen = torch.from_numpy(sees).to(device)
    mask = torch.zeros(seen.shape, dtype=dtype, device=device).masked_fill_(~seen, torch.finfo(dtype).min)
    return mask[:, None], torch.from_numpy(positions).to(device)
