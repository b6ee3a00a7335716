"""Options of the form NAME=VALUE, for what a command hands on to a model or a kernel."""

from __future__ import annotations

import json
from collections.abc import Sequence
from typing import Any

import click


def parse_pairs(values: Sequence[str]) -> dict[str, Any]:
    """Return the values of NAME=VALUE pairs by name; a hyphen in a name is an underscore.

    A value is read as JSON (`true`, `0.5`, `["the", "a"]`), and as text where it is none.

    Raises:
        click.BadParameter: for a pair without a name or without `=`.

    >>> parse_pairs(["encoder=models/minilm", "idf=true", "batch-size=64"])
    {'encoder': 'models/minilm', 'idf': True, 'batch_size': 64}
    """
    found: dict[str, Any] = {}
    for pair in values:
        name, equals, value = pair.partition("=")
        if not name or not equals:
            raise click.BadParameter(f"expected NAME=VALUE, such as device=cuda, but got {pair!r}")
        try:
            found[name.replace("-", "_")] = json.loads(value)
        except ValueError:
            found[name.replace("-", "_")] = value
    return found


def pairs_callback(_: click.Context, __: click.Parameter, values: Sequence[str]) -> dict[str, Any]:
    """Read an option's NAME=VALUE pairs."""
    return parse_pairs(values)
