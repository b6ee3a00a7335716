"""Running the examples of a card: every Python block must be a doctest."""

from __future__ import annotations

import doctest
import re
from pathlib import Path
from typing import Any

_BLOCK = re.compile(r"^```(\w*)\n(.*?)^```$", re.MULTILINE | re.DOTALL)


def code_blocks(card: str) -> list[tuple[str, str]]:
    """Return the language and the content of each fenced block."""
    return _BLOCK.findall(card)


def run_examples(path: Path, **names: Any) -> int:
    """Run the doctests of a card, with `names` defined, and return how many there were; fail with their output."""
    card = path.read_text(encoding="utf-8")
    for language, block in code_blocks(card):
        assert language in ("python", "bibtex"), f"{path.name}: a block of {language!r} that no test runs"
        if language == "python":
            starts = [line[:4] for line in block.splitlines() if line.startswith((">>> ", "... "))]
            assert starts[:1] == [">>> "], f"{path.name}: an example that is no doctest:\n{block}"
    test = doctest.DocTestParser().get_doctest(card, names, path.name, str(path), 0)
    output: list[str] = []
    result = doctest.DocTestRunner(verbose=False).run(test, out=output.append)
    assert result.failed == 0, "".join(output)
    return result.attempted
