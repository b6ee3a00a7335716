"""The authors' data, and the command line as the installed script runs it."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest

from metric_commons.datasets import load_rated
from metric_commons.files.tables import RatedTexts
from referenceless_metrics.__main__ import main


@pytest.fixture(scope="session")
def huse(data_dir: Callable[[str], Path]) -> RatedTexts:
    return load_rated("huse:summarization", data_dir=str(data_dir("huse")))


@pytest.fixture
def command(capsys: pytest.CaptureFixture[str]) -> Callable[..., tuple[int, str, str]]:
    """Return what runs a command and returns its exit status, standard output and standard error."""

    def run(*arguments: object) -> tuple[int, str, str]:
        with pytest.raises(SystemExit) as stop:
            main([str(argument) for argument in arguments])
        return int(stop.value.code or 0), *capsys.readouterr()

    return run
