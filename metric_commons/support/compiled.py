"""Functions compiled by numba: without the interpreter's lock, and kept on disk so that only the first use compiles.

Machine code is kept beside the source, else in the user's cache, else in a temporary folder of the user's. numba itself
passes over code beside a source that cannot be written, as in an image of a cluster, and compiles anew in every
process. Here that code is read, and what is missing there is kept in the next place.

With NUMBA_DISABLE_JIT=1, as debuggers and measures of coverage need it, Python runs all functions as they are written:
with the same results, thousands of times slower.
"""

from __future__ import annotations

import os
import stat
import tempfile
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
from llvmlite import ir
from numba import config, njit, types
from numba.core import cgutils
from numba.core.caching import CompileResultCacheImpl, FunctionCache, IndexDataCacheFile
from numba.extending import intrinsic, register_jitable

COMPILED: list[Any] = []
"""All functions that were made so in this process."""


def compiled(**options: Any) -> Callable[[Callable[..., Any]], Any]:
    """Return a decorator that compiles a function on its first call.

    The machine code is kept on disk (see `CompiledCache`). Where nothing can be written, every process compiles anew;
    numba would refuse to import.

    Args:
        options: options of `numba.njit` beyond `nogil`.
    """

    def compile_function(function: Callable[..., Any]) -> Any:
        if config.DISABLE_JIT:
            return np.errstate(all="ignore")(function)  # compiled code warns of no overflow either
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


def generated(plain: Callable[..., Any]) -> Callable[[Callable[..., Any]], Any]:
    """Return a decorator of what writes LLVM's language for compiled code; where nothing is compiled, `plain` runs."""
    return (lambda _: plain) if config.DISABLE_JIT else intrinsic


def load_line(builder: Any, pointer: Any) -> None:
    """Write the request for the cache line at a pointer: to read, as near as possible, data."""
    address, number = ir.IntType(8).as_pointer(), ir.IntType(32)
    kind = ir.FunctionType(ir.VoidType(), [address, number, number, number])
    function = cgutils.get_or_insert_function(builder.module, kind, "llvm.prefetch.p0i8")
    builder.call(function, [builder.bitcast(pointer, address), *(ir.Constant(number, value) for value in (0, 3, 1))])


@generated(lambda array, row: None)
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
        load_line(builder, item)
        return context.get_dummy_value()

    return types.void(array, types.intp), generate


_IN_TREE: Any = CompileResultCacheImpl._locator_classes[1]


class _TemporaryLocator(_IN_TREE):  # type: ignore[misc]  # numba has no types
    """A folder of this user's where temporary files go."""

    def __init__(self, function: Callable[..., Any], file: str) -> None:
        super().__init__(function, file)
        user = os.getuid() if hasattr(os, "getuid") else 0
        self._root = Path(tempfile.gettempdir()) / f"referenceless-metrics-compiled-{user}"
        self._cache_path = str(self._root / self.get_suitable_cache_subpath(file))

    def ensure_cache_path(self) -> None:
        """Make the folder, and see that nobody else can put code there.

        Raises:
            OSError: where somebody can, or where it cannot be made.
        """
        self._root.mkdir(mode=0o700, exist_ok=True)
        found = self._root.lstat()
        if not stat.S_ISDIR(found.st_mode) or (
            hasattr(os, "getuid") and (found.st_uid != os.getuid() or found.st_mode & 0o022)
        ):
            raise PermissionError(f"{self._root} may be written by others")
        super().ensure_cache_path()


class _Implementation(CompileResultCacheImpl):  # type: ignore[misc]
    _locator_classes = (*CompileResultCacheImpl._locator_classes, _TemporaryLocator)


class CompiledCache(FunctionCache):  # type: ignore[misc]
    """The machine code of one function, by types of its arguments and by processor.

    Args:
        function: the function, before it is compiled.

    Raises:
        RuntimeError: where there is no place at all.
    """

    _impl_class = _Implementation
    _cache_file: Any

    def __init__(self, function: Callable[..., Any]) -> None:
        super().__init__(function)
        beside = str(Path(function.__code__.co_filename).parent / "__pycache__")
        self._prebuilt: Any = None
        if beside != self.cache_path:
            stamp = self._impl.locator.get_source_stamp()
            self._prebuilt = IndexDataCacheFile(beside, self._impl.filename_base, stamp)

    def _load_overload(self, sig: Any, target_context: Any) -> Any:
        if self._prebuilt is not None:
            own, self._cache_file = self._cache_file, self._prebuilt
            try:
                found = super()._load_overload(sig, target_context)
            except OSError:  # it may not be read
                found = None
            finally:
                self._cache_file = own
            if found is not None:
                return found
        return super()._load_overload(sig, target_context)

    def save_overload(self, sig: Any, data: Any) -> None:
        """Keep what was compiled; where that fails, the next process compiles anew."""
        from filelock import FileLock

        try:
            with FileLock(Path(self.cache_path) / ".compiling.lock"):  # numba gives out file names without asking
                super().save_overload(sig, data)
        except (OSError, NotImplementedError):  # the latter: a file system without locks
            return
