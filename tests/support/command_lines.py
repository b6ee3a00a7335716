"""Commands as they are typed after `referenceless`, in this process, and programs in processes of their own."""

from __future__ import annotations

import json
import os
import shlex
import subprocess
import sys
import warnings
from contextlib import redirect_stderr, redirect_stdout
from functools import partial
from io import BytesIO, TextIOWrapper
from typing import NamedTuple

import click
import pytest
from click.testing import CliRunner

from referenceless_metrics.__main__ import main
from referenceless_metrics.cli import cli


class Told(NamedTuple):
    """The text that a command wrote to standard output and to standard error."""

    out: str
    err: str


def commands(command=cli, path=()):
    """Yield every command, and every group of commands, with its words."""
    yield path, command
    if isinstance(command, click.Group):
        context = click.Context(command)
        for name in command.list_commands(context):
            yield from commands(command.get_command(context, name), (*path, name))


def left(words):
    """Run a command, and return its exit status and output."""
    streams = [TextIOWrapper(BytesIO(), encoding="utf-8", write_through=True) for _ in Told._fields]
    with redirect_stdout(streams[0]), redirect_stderr(streams[1]), pytest.raises(SystemExit) as stop:
        main(words)
    out, err = (stream.buffer.getvalue().decode() for stream in streams)  # type: ignore[attr-defined]
    return int(stop.value.code or 0), out, err


def invoke(line, *more, **options):
    """Run a command: a line as it is typed, with further words behind it."""
    if isinstance(warnings.showwarning, partial):  # of a command before: each one shows a note once
        warnings.showwarning = partial(warnings.showwarning.func, set())
    return CliRunner().invoke(cli, [*shlex.split(line), *map(str, more)], **options)


def done(line, *more, **options):
    """Run a command that must succeed."""
    result = invoke(line, *more, **options)
    assert result.exit_code == 0, f"{result.output} {result.exception!r}"
    return result


def python(program, *words, status=0, environ=(), **options):
    """Run a program, or a module's file, in a process of its own that must leave with this status."""
    command = [sys.executable, *(("-c", program) if " " in program else (program,)), *map(str, words)]
    own = {**os.environ, **dict(environ)}
    result = subprocess.run(command, capture_output=True, text=True, timeout=300, env=own, **options)
    assert result.returncode == status, result.stderr
    return result


def typed(line, status=0):
    """Run a command that must leave with this exit status."""
    found, *told = left(shlex.split(line))
    assert found == status, told
    return Told(*told)


def as_json(line):
    """Return the output of a command with `--format json`."""
    return json.loads(typed(f"{line} --format json").out)
