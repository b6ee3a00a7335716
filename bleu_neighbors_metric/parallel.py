"""Threads: how many `n_jobs` stands for, and work in batches over them."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from typing import TypeVar

from metric_commons.support.validation import check_number

Result = TypeVar("Result")


def in_batches(task: Callable[[slice], Result], total: int, size: int, n_jobs: int | None) -> Iterator[Result]:
    """Yield the results of `task` on batches of at most `size` of `total` items, in order, over `n_jobs` threads."""
    batches = [slice(at, at + size) for at in range(0, total, size)]
    threads = min(thread_count(n_jobs), len(batches))
    if threads <= 1:
        yield from map(task, batches)
    else:
        with ThreadPoolExecutor(threads) as pool:
            yield from pool.map(task, batches)


def thread_count(n_jobs: int | None) -> int:
    """Return the number of threads, as scikit-learn reads `n_jobs`: None is 1, -1 all processors, -2 all but one.

    Raises:
        TypeError: for anything but a whole number or None.
        ValueError: for 0.
    """
    if n_jobs is None:
        return 1
    check_number(n_jobs, "n_jobs", integer=True)
    if n_jobs == 0:
        raise ValueError("Expected argument `n_jobs` to be None or a whole number other than 0, but got 0")
    available = len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1
    return int(n_jobs) if n_jobs > 0 else max(1, available + 1 + int(n_jobs))
