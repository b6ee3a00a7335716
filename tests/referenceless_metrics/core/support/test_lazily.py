"""Properties found on demand, and locks: a process that is forked while another thread is inside does not hang."""

import os
import threading

import pytest
from forked import exit_status_of_child

from referenceless_metrics.core.support.computing import ForkSafeLock
from referenceless_metrics.core.support.lazily import cached_property

pytestmark = [
    pytest.mark.skipif(not hasattr(os, "fork"), reason="this platform forks no processes"),
    pytest.mark.filterwarnings("ignore:.*fork:DeprecationWarning"),
]


class Slow:
    """Its attribute is found once the event is there."""

    def __init__(self, event):
        self.event, self.n_found = event, 0

    @cached_property
    def value(self):
        """Forty-two."""
        self.event.wait(10)
        self.n_found += 1
        return 42


def test_a_value_is_found_once():
    event = threading.Event()
    event.set()
    slow = Slow(event)
    assert (slow.value, slow.value, slow.n_found) == (42, 42, 1)
    assert Slow.value.__doc__ == "Forty-two."


def test_a_child_forked_while_another_thread_finds_a_value_finds_its_own():
    waiting, there = threading.Event(), threading.Event()
    there.set()
    finding, other = Slow(waiting), Slow(there)
    thread = threading.Thread(target=lambda: finding.value)
    thread.start()
    assert exit_status_of_child(lambda: other.value) == 42
    waiting.set()
    thread.join()


def test_a_child_forked_while_another_thread_holds_a_lock_finds_it_free():
    lock, inside, leave = ForkSafeLock(), threading.Event(), threading.Event()

    def hold():
        with lock:
            inside.set()
            leave.wait(10)

    def take():
        with lock:
            return 7

    thread = threading.Thread(target=hold)
    thread.start()
    inside.wait()
    assert exit_status_of_child(take) == 7
    leave.set()
    thread.join()
