"""Tests of input that must be refused."""

import pytest


def refused(message, error=ValueError):
    """Return a context in which that error must be raised, with a message that matches (a regular expression)."""
    return pytest.raises(error, match=message)


def refusals(call, cases, error=ValueError):
    """Return a test that a call refuses each case: its input, the message, and the error if it is another."""

    @pytest.mark.parametrize("case", cases)
    def test(case):
        *given, message, kind = case if isinstance(case[-1], type) else (*case, error)
        with refused(message, kind):
            call(*given)

    return test
