"""Commands as they are typed, in this process, and programs in processes of their own."""

from __future__ import annotations

import shlex
import subprocess
import sys
from typing import Any

import pytest
from click.testing import CliRunner, Result

from referenceless_metrics.__main__ import main
from referenceless_metrics.cli import cli

_TAKES_ANY_METRIC = ("score", "compare", "human-score", "app")


def invoke(line: str, *more: object, **options: Any) -> Result:
    """Run a command: a line as it is typed, with further words behind it."""
    return CliRunner().invoke(cli, [*shlex.split(line), *map(str, more)], **options)


def done(line: str, *more: object, **options: Any) -> Result:
    """Run a command that must succeed."""
    result = invoke(line, *more, **options)
    assert result.exit_code == 0, f"{result.output} {result.exception!r}"
    return result


def python(program, *words, status=0, **options):
    """Run a program, or a module's file, in a process of its own that must leave with this status."""
    command = [sys.executable, *(("-c", program) if " " in program else (program,)), *map(str, words)]
    result = subprocess.run(command, capture_output=True, text=True, timeout=300, **options)
    assert result.returncode == status, result.stderr
    return result


def with_metric(name: str, *arguments: object) -> list[str]:
    """Return a command's words with `--metric NAME` after the command, where it takes one and none is named."""
    words = [str(argument) for argument in arguments]
    named = any(word.startswith("--metric") for word in words)
    return (
        words
        if named or words[:1] == [] or words[0] not in _TAKES_ANY_METRIC
        else [words[0], "--metric", name, *words[1:]]
    )


def status(*arguments: str) -> int:
    """Run a command as a user types it, and return its exit status."""
    with pytest.raises(SystemExit) as left:
        main(arguments)
    assert isinstance(left.value.code, int)
    return left.value.code
