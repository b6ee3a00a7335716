"""Threads with results in order, one thread in BLAS, progress bars, products of matrices."""

from __future__ import annotations

import os
import sys
from collections import deque
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager, nullcontext, suppress
from functools import cache
from threading import Lock
from typing import TYPE_CHECKING, Any, TypeVar

import numpy as np

from referenceless_metrics.core.support.validation import Numbers, check_whole

if TYPE_CHECKING:
    from concurrent.futures import Future

Item = TypeVar("Item")
Result = TypeVar("Result")

_AHEAD = 2
"""Most results that a thread may be ahead of the reader, so that they do not fill memory."""


def in_order(function: Callable[[Item], Result], items: Sequence[Item], n_jobs: int | None) -> Iterator[Result]:
    """Yield the results of a function on each item, in the order of the items, over `n_jobs` threads."""
    threads = min(thread_count(n_jobs), len(items))
    if threads <= 1:
        yield from map(function, items)
        return
    from concurrent.futures import ThreadPoolExecutor

    waiting: deque[Future[Result]] = deque()
    with ThreadPoolExecutor(threads) as executor:
        try:
            for item in items:
                waiting.append(executor.submit(function, item))
                if len(waiting) >= _AHEAD * threads:
                    yield waiting.popleft().result()
            while waiting:
                yield waiting.popleft().result()
        finally:  # no work goes on after the reader stops early, or an item fails
            for future in waiting:
                future.cancel()


def in_batches(
    task: Callable[[slice], Result], total: int, size: int, n_jobs: int | None, fewest: int | None = None
) -> Iterator[Result]:
    """Yield the results of `task` on batches of at most `size` of `total` items; see `in_order`.

    Batches are smaller, but not below `fewest`, if threads would otherwise have nothing to do.
    """
    if fewest is not None:
        size = min(max(-(-total // thread_count(n_jobs)), fewest), size)
    batches = [slice(at, min(at + size, total)) for at in range(0, total, size)]
    return in_order(task, batches, n_jobs)


def thread_count(n_jobs: int | None) -> int:
    """Return the number of threads for `n_jobs`, as in scikit-learn: None is 1, -1 all processors, -2 all but one.

    Raises:
        TypeError: for other objects than a whole number or None.
        ValueError: for 0.
    """
    if n_jobs is None:
        return 1
    check_whole(n_jobs, "n_jobs")
    if n_jobs == 0:
        raise ValueError("Expected argument `n_jobs` to be None or a whole number other than 0, but got 0")
    available = len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1
    return int(n_jobs) if n_jobs > 0 else max(1, available + 1 + int(n_jobs))


def progress_bar(total: int | None, description: str, progress: bool | None, unit: str = "text") -> Any:
    """Return a tqdm bar, or a stand-in without an import if none is drawn.

    In a block of `moving` none is drawn: progress moves the bar of that block.

    Args:
        total: number of units, if known.
        description: title of the bar.
        progress: False for no bar, True for a bar, None for one if stderr is a terminal and the work has taken over a
            second.
        unit: name of a unit.
    """
    if _moved:
        return _Part(_moved[-1], total)
    if not (progress or (progress is None and sys.stderr is not None and sys.stderr.isatty())):
        return _Undrawn()
    try:
        from tqdm import tqdm
    except ImportError:
        if progress:
            raise
        return _Undrawn()
    return tqdm(total=total, desc=description, unit=unit, delay=0 if progress else 1.0)


class _Undrawn(nullcontext[Any]):
    """Stand-in for a bar that is not drawn."""

    total: int | None = None

    def __enter__(self) -> _Undrawn:
        return self

    def update(self, n: int = 1) -> None:
        """Do nothing."""

    def set_postfix(self, **figures: Any) -> None:
        """Do nothing."""

    def write(self, text: str, file: Any = None) -> None:
        """Write a line, as tqdm does above its bar."""
        print(text, file=file)


class _Moved:
    """A bar, and so many of its units that stand for the work of a `with` block."""

    def __init__(self, bar: Any, units: int) -> None:
        self.bar, self.units = bar, units
        self.done, self.shown = 0.0, 0

    def add(self, share: float) -> None:
        """Count a share of the work as done."""
        self.done += share
        self.show(min(int(self.units * self.done), self.units))

    def show(self, units: int) -> None:
        """Move the bar to so many of the units."""
        self.bar.update(units - self.shown)
        self.shown = units


class _Part(_Undrawn):
    """Stand-in for a bar inside a block of `moving`."""

    def __init__(self, moved: _Moved, total: int | None) -> None:
        super().__init__()
        self._moved, self.total = moved, total

    def update(self, n: int = 1) -> None:
        """Move the block's bar by the share that n units are of all."""
        if self.total:
            self._moved.add(n / self.total)


_moved: list[_Moved] = []  # the bars of the blocks below that are open, the innermost last


@contextmanager
def moving(bar: Any, units: int) -> Iterator[None]:
    """Let bars that are opened in a `with` block move this one in place of being drawn.

    Args:
        bar: a bar that `progress_bar` returned.
        units: number of units that it counts once the block is done.
    """
    moved = _Moved(bar, units)
    _moved.append(moved)
    try:
        yield
        moved.show(units)
    finally:
        _moved.remove(moved)


class ForkSafeLock:
    """A lock that is free in a forked process, which does not have the thread that held it."""

    def __init__(self) -> None:
        self._lock = Lock()
        if hasattr(os, "register_at_fork"):  # not on Windows, where no process is forked
            os.register_at_fork(after_in_child=self._renew)

    def _renew(self) -> None:
        self._lock = Lock()

    def __enter__(self) -> None:
        self._lock.acquire()

    def __exit__(self, *error: object) -> None:
        with suppress(RuntimeError):  # of a thread that forked while it held the lock
            self._lock.release()


_inside: list[Any] = []  # restores the threads of BLAS, once for all that are in a block below
_inside_lock = ForkSafeLock()


@contextmanager
def one_blas_thread() -> Iterator[None]:
    """Limit BLAS to one thread in a `with` block.

    `n_jobs` alone sets the number of threads. BLAS would start one per processor, and its threads spin while they wait:
    beside another process on two cores, fitting 1,500 ratings took five times the processor time. scipy has a BLAS of
    its own, which must be imported before. The number is one for the whole process: if several threads are in such
    blocks at once, the last to leave restores the number that the first found.
    """
    with _inside_lock:
        _inside.append(_inside[0] if _inside else _blas("scipy.linalg" in sys.modules).limit(limits=1, user_api="blas"))
    try:
        yield
    finally:
        with _inside_lock:
            limit = _inside.pop()
            if not _inside:
                _disowned()
                limit.restore_original_limits()
                _disowned()


def _disowned() -> None:
    """Let any thread set the number of threads: since threadpoolctl 3.8 only the first one that did so is heard."""
    for library in _blas("scipy.linalg" in sys.modules).lib_controllers:
        if hasattr(library, "clear_controlling_thread"):
            library.clear_controlling_thread(force=True)


@cache
def _blas(with_scipy: bool) -> Any:
    """Find the loaded libraries, which takes a millisecond: anew if scipy has brought another."""
    from threadpoolctl import ThreadpoolController

    return ThreadpoolController()


def matmul(left: Numbers, right: Numbers) -> Numbers:
    """Return `left @ right` of finite numbers.

    BLAS libraries also compute with whatever lies beyond a matrix's edge, which can set the processor's flags of
    invalid values, overflow or division. numpy would warn of these, though no number of the product is affected. The
    flags are ignored here; callers must pass finite factors whose products are in range.
    """
    with one_blas_thread(), np.errstate(invalid="ignore", over="ignore", divide="ignore", under="ignore"):
        product: Numbers = left @ right
    return product
