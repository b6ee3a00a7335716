"""Threads: their number, their order, and the distance that they run ahead."""

import os
import threading
import time

import pytest
from refusals import refused

from referenceless_metrics.core.support.computing import in_batches, in_order, thread_count


@pytest.mark.parametrize("n_jobs", [None, 1, 3, -1, 50])
def test_results_come_in_order(n_jobs):
    def slow_at_first(item):
        time.sleep(0.01 if item == 0 else 0)
        return item * item

    assert list(in_order(slow_at_first, range(20), n_jobs)) == [item * item for item in range(20)]
    assert list(in_order(slow_at_first, [], n_jobs)) == []


def test_batches_cover_everything_once():
    assert list(in_batches(lambda batch: (batch.start, batch.stop), 7, 3, 2)) == [(0, 3), (3, 6), (6, 7)]
    assert list(in_batches(lambda batch: batch, 0, 3, 2)) == []


def test_a_slow_reader_is_not_left_behind():
    begun = []
    results = in_order(lambda item: begun.append(item) or item, range(100), 2)
    next(results)
    time.sleep(0.1)
    assert len(begun) <= 5  # two for each of two threads, and the one that was read
    assert list(results) == list(range(1, 100))


def test_an_error_reaches_the_reader_and_ends_the_work():
    before = set(threading.enumerate())  # other tests of this process leave theirs, a server's for one
    begun = []

    def fail(item):
        begun.append(item)
        if item == 3:
            raise ValueError("item 3")
        return item

    with refused("item 3"):
        list(in_order(fail, range(1000), 2))
    assert len(begun) < 20
    assert set(threading.enumerate()) <= before


def test_the_number_of_threads_is_read_as_scikit_learn_reads_it():
    available = len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count()
    assert [thread_count(n) for n in (None, 1, 5, -1, -2, -1000)] == [1, 1, 5, available, max(1, available - 1), 1]
    with refused("other than 0"):
        thread_count(0)
    with refused("whole number", TypeError):
        thread_count(1.5)
