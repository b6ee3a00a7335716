"""Commands as they are typed, for tests of a metric that is not the default one."""

from __future__ import annotations

import pytest

from referenceless_metrics.__main__ import main

_TAKES_ANY_METRIC = ("score", "compare", "human-score", "app")


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
