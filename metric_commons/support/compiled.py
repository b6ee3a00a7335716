"""Functions compiled by numba: without the interpreter's lock, and kept on disk so that only the first use compiles."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from llvmlite import ir
from numba import njit, types
from numba.core import cgutils
from numba.extending import intrinsic, register_jitable

__all__ = ["compiled", "compiled_within", "prefetch"]

from metric_commons.support.compile_cache import CompiledCache

COMPILED: list[Any] = []
"""All functions that were made so in this process."""


def compiled(**options: Any) -> Callable[[Callable[..., Any]], Any]:
    """Return a decorator that compiles a function on its first call.

    The machine code is kept on disk (see `compile_cache`). Where nothing can be written, every process compiles anew;
    numba would refuse to import.

    Args:
        options: options of `numba.njit` beyond `nogil`.
    """

    def compile_function(function: Callable[..., Any]) -> Any:
        # Nobody passes these functions on as pointers, for which numba would compile each of them a second entrance.
        dispatcher = njit(nogil=True, no_cfunc_wrapper=True, **options)(function)
        try:
            dispatcher._cache = CompiledCache(function)  # what `cache=True` does with numba's own
        except RuntimeError:  # "no locator available"
            return dispatcher
        COMPILED.append(dispatcher)
        return dispatcher

    return compile_function


def compiled_within(**options: Any) -> Callable[[Callable[..., Any]], Any]:
    """Return a decorator for what only compiled functions call: it is compiled as a part of them.

    Such a function has no entrance from Python, which for arrays and tuples of arrays takes longer to compile than the
    function itself. Python runs it as it is written.

    Args:
        options: options of `numba.njit`.
    """
    return register_jitable(no_cfunc_wrapper=True, **options)  # type: ignore[no-any-return]  # numba has no types


@intrinsic  # type: ignore[untyped-decorator]
def prefetch(_: Any, array: Any, row: Any) -> Any:
    """Ask the processor for the cache line in which ``array[row]`` begins, in compiled code: nothing waits for it.

    Many lookups in a table that is larger than the caches are limited by the time that one access takes. Where it is
    known some steps ahead what will be read, those times overlap.
    """

    def generate(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
        kind = signature.args[0]
        place = [arguments[1], *[context.get_constant(types.intp, 0)] * (signature.args[0].ndim - 1)]
        item = cgutils.get_item_pointer(
            context, builder, kind, context.make_array(kind)(context, builder, arguments[0]), place
        )
        address, number = ir.IntType(8).as_pointer(), ir.IntType(32)
        function = cgutils.get_or_insert_function(
            builder.module,
            ir.FunctionType(ir.VoidType(), [address, number, number, number]),
            "llvm.prefetch.p0i8",
        )
        # to read, as near as possible, data
        constants = [ir.Constant(number, value) for value in (0, 3, 1)]
        builder.call(function, [builder.bitcast(item, address), *constants])
        return context.get_dummy_value()

    return types.void(array, types.intp), generate
