"""The last lines of `fit`: the commands that score further texts with the file that it wrote."""

from __future__ import annotations

import shlex
from collections.abc import Sequence


def uses_of(file: str, option: str, columns: Sequence[str] = ()) -> str:
    """Return the command lines that score with a fitted file.

    Args:
        file: the file.
        option: the option of commands that takes it.
        columns: the options for the columns of texts that are scored.

    >>> print(uses_of("pool.index", "--pool"))
    Score further texts: referenceless score FILE --pool pool.index
    Score them over HTTP: referenceless serve --pool pool.index
    """
    fitted = [option, file]
    return (
        f"Score further texts: {shlex.join(['referenceless', 'score', 'FILE', *fitted, *columns])}\n"
        f"Score them over HTTP: {shlex.join(['referenceless', 'serve', *fitted])}"
    )
