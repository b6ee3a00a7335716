"""What must be refused."""

import pytest


def refused(message, error=ValueError):
    """Return a context in which that error must be raised, with a message that matches (a regular expression)."""
    return pytest.raises(error, match=message)
