"""Where machine code is kept: beside the source, else in the user's cache, else in a temporary folder of the user's.

numba itself passes over code beside a source that cannot be written, as in an image of a cluster, and compiles anew in
every process. Here that code is read, and what is missing there is kept in the next place.
"""

from __future__ import annotations

import os
import stat
import tempfile
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from numba.core.caching import CompileResultCacheImpl, FunctionCache, IndexDataCacheFile

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
        try:
            with _alone(Path(self.cache_path)):  # numba gives out file names without asking who else does
                super().save_overload(sig, data)
        except OSError:
            return


@contextmanager
def _alone(folder: Path) -> Iterator[None]:
    """Let one process at a time write in a folder."""
    try:
        import fcntl
    except ImportError:  # Windows
        yield
        return
    with (folder / ".compiling.lock").open("a") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        yield
