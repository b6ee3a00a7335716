"""Attributes that are computed on demand, without a lock.

Python 3.11's `functools.cached_property` has one lock for all objects of a class while it computes a value. A process
that is forked meanwhile inherits the lock, but not the thread that holds it, and waits for ever. Later Pythons have no
such lock. Two threads may both compute a value; the first one is kept.
"""

from __future__ import annotations

import functools
import sys
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING or sys.version_info >= (3, 12):
    from functools import cached_property as cached_property
else:

    class cached_property(functools.cached_property):  # as the one of `functools`, without the lock
        """A property that is found once per object, and kept in its `__dict__`."""

        def __get__(self, instance: Any, owner: Any = None) -> Any:
            """Return the value."""
            if instance is None:
                return self
            kept = vars(instance)
            if self.attrname not in kept:
                kept.setdefault(self.attrname, self.func(instance))
            return kept[self.attrname]
