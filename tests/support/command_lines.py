"""Commands as they are typed after `referenceless`."""

from __future__ import annotations

import json
import shlex
from contextlib import redirect_stderr, redirect_stdout
from io import BytesIO, TextIOWrapper
from typing import Any, NamedTuple

import pytest

from referenceless_metrics.__main__ import main


class Told(NamedTuple):
    """What a command wrote to standard output and to standard error."""

    out: str
    err: str


def typed(line: str, status: int = 0) -> Told:
    """Run a command that must leave with this exit status."""
    streams = [TextIOWrapper(BytesIO(), encoding="utf-8", write_through=True) for _ in Told._fields]
    with redirect_stdout(streams[0]), redirect_stderr(streams[1]), pytest.raises(SystemExit) as left:
        main(shlex.split(line))
    told = Told(*(stream.buffer.getvalue().decode() for stream in streams))  # type: ignore[attr-defined]
    assert (left.value.code or 0) == status, told
    return told


def as_json(line: str) -> Any:
    """Return what a command writes with `--format json`."""
    return json.loads(typed(f"{line} --format json").out)
