"""How many threads `n_jobs` stands for."""

from __future__ import annotations

import os

from metric_commons.validation import check_number


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
