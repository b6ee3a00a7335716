"""The command line as the installed script runs it."""

import pytest

from referenceless_metrics.__main__ import main


@pytest.fixture
def command(capsys):
    """Return what runs a command and returns its exit status, standard output and standard error."""

    def run(*arguments):
        with pytest.raises(SystemExit) as stop:
            main([str(argument) for argument in arguments])
        return int(stop.value.code or 0), *capsys.readouterr()

    return run
