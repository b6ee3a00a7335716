"""A Space tried before it is uploaded: its environment is built anew, and its programs run in it."""

from __future__ import annotations

import json
import os
import re
import signal
import subprocess
import sys
import tempfile
import venv
from collections.abc import Iterator
from importlib.metadata import distribution
from pathlib import Path
from typing import Any

_ASIDES = ("WARNING", "DEPRECATION", "[notice]")
"""Beginnings of pip's lines that do not tell the cause of a failure."""

_PROGRAM = """
import app
from {repo} import Module
if {is_scored}:
    beside = dict.fromkeys(Module.inputs, ["a first text"])
    Module().compute(predictions=["A first text."], **beside)
"""


def try_space(folder: Path, repo: str, *, is_scored: bool) -> Iterator[str]:
    """Build a Space's environment, import its page and module there, score a text, and say whether it starts.

    Each step is said as it begins; the last sentence is the verdict.

    If pip finds one of its requirements on no index, the installed version of that one stands in for it, as a wheel: so
    all further faults are seen too.

    Args:
        folder: a folder that `assemble` wrote.
        repo: the repository's own name, which the module has.
        is_scored: whether the module scores a text; False for one without ratings.
    """
    with tempfile.TemporaryDirectory(prefix="space-") as temporary:
        yield "making an environment, and installing what the Space requires: some minutes"
        venv.create(temporary)
        python = str(Path(temporary) / ("Scripts/python.exe" if os.name == "nt" else "bin/python"))
        pip = [sys.executable, "-m", "pip", "--python", python, "--disable-pip-version-check"]
        wheels = Path(temporary) / "wheels"
        install = [*pip, "install", "--find-links", str(wheels), "-r", "requirements.txt"]  # in the folder
        which, trouble = "the Space", _trouble(install, folder)
        if trouble:
            yield f"{which} would not start: {trouble}"
            sources = [*filter(None, map(_installed_from, (folder / "requirements.txt").read_text("utf-8").split()))]
            which = f"with a wheel of {', '.join(sources)} it"
            yield f"building a wheel of {', '.join(sources)}"
            trouble = _trouble([*pip[:3], "wheel", "--no-deps", "--wheel-dir", str(wheels), *sources], folder)
            if not trouble:
                yield "installing what the Space requires, with that wheel: some minutes"
                trouble = _trouble(install, folder)
        if not trouble:
            yield "starting its app" + (", and scoring a text" if is_scored else "")
            trouble = _trouble([python, "-c", _PROGRAM.format(repo=repo, is_scored=is_scored)], folder)
        yield f"{which} would not start: {trouble}" if trouble else f"{which} starts"


def _trouble(command: list[str], folder: Path) -> str:
    """Return the last line that a command says of why it fails, and its status; "" if it does not fail."""
    result = subprocess.run(command, capture_output=True, text=True, check=False, cwd=folder)
    if not result.returncode:
        return ""
    status = f"exit status {result.returncode}"
    if result.returncode < 0:
        status = f"killed by {signal.Signals(-result.returncode).name}"
    said = [line for line in result.stderr.splitlines() if line.strip() and not line.startswith(_ASIDES)]
    return f"{said[-1]} ({status})" if said else status


def _installed_from(requirement: str) -> str | None:
    """Return the address from which a requirement was installed here, if it came from no index (PEP 610)."""
    origin: Any = distribution(re.split(r"[\[=]", requirement)[0]).read_text("direct_url.json")
    return origin and str(json.loads(origin)["url"])
