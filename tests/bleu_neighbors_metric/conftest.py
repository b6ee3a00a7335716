"""The command line as the installed script runs it."""

import pytest
from command_lines import left


@pytest.fixture
def command():
    """Return what runs a command and returns its exit status, standard output and standard error."""
    return lambda *arguments: left([str(argument) for argument in arguments])
