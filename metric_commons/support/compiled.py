"""Functions compiled by numba: without the interpreter's lock, and kept on disk so that only the first use compiles."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from numba import njit


def compiled(**options: Any) -> Callable[[Callable[..., Any]], Any]:
    """Return a decorator that compiles a function on its first call.

    The machine code is kept beside the source or in the user's cache folder. Where neither can be written (a
    read-only installation without a home), every process compiles anew; numba would refuse to import.

    Args:
        options: options of `numba.njit` beyond `nogil` and `cache`.
    """

    def compile_function(function: Callable[..., Any]) -> Any:
        try:
            return njit(nogil=True, cache=True, **options)(function)
        except RuntimeError:  # "no locator available"
            return njit(nogil=True, **options)(function)

    return compile_function
