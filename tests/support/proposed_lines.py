"""Runs of the command lines that `look`, or an error, proposes for made files."""

from __future__ import annotations

import shlex
import shutil
from collections.abc import Collection, Sequence
from pathlib import Path

from command_lines import left

OTHER = "OTHER"
OF_RATINGS = ("human-score", "agreement", "compare", "evaluate")
"""Commands that take a moment: the others load a language model, or learn."""


def check_lines(lines: Sequence[str], file: str, commands: Collection[str] = OF_RATINGS) -> dict[str, str]:
    """Run those of some proposed lines that are of some commands, and return what each wrote, by its command.

    `OTHER` stands for the file of another system, which is a copy here. `compare` and `evaluate` score texts, too,
    unless they are given scores: of these, only lines with `--scores` run, if the commands are the usual ones.
    """
    found: dict[str, str] = {}
    for line in lines:
        words = shlex.split(line)[1:]
        scores_texts = words[0] in ("compare", "evaluate") and "--scores" not in words
        if words[0] not in commands or (scores_texts and commands is OF_RATINGS):
            continue
        if OTHER in words:
            other = f"other_{Path(file).name}"
            shutil.copy(file, other)
            words = [other if word == OTHER else word for word in words]
        status, out, err = left(words)
        assert status == 0, f"{line}: {err}"
        found.setdefault(words[0], out)
    return found
