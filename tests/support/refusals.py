"""What must be refused."""

from __future__ import annotations

from typing import Any

import pytest


def refused(message: str, error: type[Exception] | tuple[type[Exception], ...] = ValueError) -> Any:
    """Return a context in which that error must be raised, with a message that matches (a regular expression)."""
    return pytest.raises(error, match=message)
