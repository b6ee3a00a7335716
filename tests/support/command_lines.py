"""Commands as they are typed after `referenceless`."""

from __future__ import annotations

import json
import shlex
from collections.abc import Sequence
from contextlib import redirect_stderr, redirect_stdout
from io import BytesIO, TextIOWrapper
from typing import Any, NamedTuple

import pytest

from referenceless_metrics.__main__ import main


class Told(NamedTuple):
    """What a command wrote to standard output and to standard error."""

    out: str
    err: str


def left(words: Sequence[str]) -> tuple[int, str, str]:
    """Run a command, and return its exit status and what it wrote."""
    streams = [TextIOWrapper(BytesIO(), encoding="utf-8", write_through=True) for _ in Told._fields]
    with redirect_stdout(streams[0]), redirect_stderr(streams[1]), pytest.raises(SystemExit) as stop:
        main(words)
    out, err = (stream.buffer.getvalue().decode() for stream in streams)  # type: ignore[attr-defined]
    return int(stop.value.code or 0), out, err


def typed(line: str, status: int = 0) -> Told:
    """Run a command that must leave with this exit status."""
    found, *told = left(shlex.split(line))
    assert found == status, told
    return Told(*told)


def as_json(line: str) -> Any:
    """Return what a command writes with `--format json`."""
    return json.loads(typed(f"{line} --format json").out)
