"""Functions compiled by numba: without the interpreter's lock, and kept on disk so that only the first use compiles."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, TypeVar

from numba import njit

Function = TypeVar("Function", bound=Callable[..., Any])


def compiled(**options: Any) -> Callable[[Function], Function]:
    """Return a decorator that compiles a function on its first call.

    The machine code is kept beside the source or in the user's cache folder. Where neither can be written (a
    read-only installation without a home), every process compiles anew; numba would refuse to import.

    Args:
        options: options of `numba.njit` beyond `nogil` and `cache`.
    """

    def compile_function(function: Function) -> Function:
        try:
            result: Function = njit(nogil=True, cache=True, **options)(function)
        except RuntimeError:  # "no locator available"
            result = njit(nogil=True, **options)(function)
        return result

    return compile_function
