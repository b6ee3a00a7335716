"""Sliding windows over a long token sequence: every token is scored once, with a known least context."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

__all__ = ["Window", "sliding_windows"]


@dataclass(frozen=True)
class Window:
    """One pass of the model over a part of a text.

    Attributes:
        start: the first text token that the model reads, after the context token where there is one.
        stop: the end of what it reads.
        scored_from: the first text token whose log-probability this window gives.
        scored_to: the end of these.
    """

    start: int
    stop: int
    scored_from: int
    scored_to: int


def sliding_windows(n_tokens: int, max_length: int, stride: int, has_bos: bool) -> Iterator[Window]:
    """Yield the windows that score a text.

    Window k starts at text token k · `stride`. With a context token the window is that token and `max_length` − 1 text
    tokens, and its outputs predict `max_length` text tokens; without one it is `max_length` text tokens, and the first
    token of the text is scored by none. Of these outputs a later window keeps those that no earlier one gave. Their
    context is at least `max_length` − `stride` text tokens; only tokens near the start of the text have less, because
    there is no more.

    Args:
        n_tokens: text tokens.
        max_length: tokens that the model reads at once, at least 1.
        stride: how far apart windows start, in [1, `max_length`].
        has_bos: whether each window begins with a context token.

    Yields:
        The windows; none for an empty text.
    """
    reach = max_length if has_bos else max_length + 1  # text tokens from a window's start to its last output
    scored = 0 if has_bos else 1
    start = 0
    while scored < n_tokens:
        end = min(start + reach, n_tokens)
        yield Window(start, end - 1, scored, end)
        scored = end
        start += stride
