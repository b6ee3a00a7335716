"""The option `--plot` of commands that draw what they tell."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import click

from metric_commons.report.plots import FORMATS


def _checked(_: click.Context, __: click.Parameter, value: str | None) -> str | None:
    if value is not None and Path(value).suffix.lower() not in FORMATS:
        raise click.BadParameter(f"expected a file that ends in {' or '.join(FORMATS)}, but got {value!r}")
    return value


def plot_option(shows: str) -> Callable[[Callable[..., Any]], Callable[..., Any]]:
    """Return a decorator that adds `--plot FILE`; `shows` says what is drawn."""
    return click.option(
        "--plot", type=click.Path(), callback=_checked, metavar="FILE", help=f"PNG or SVG to write: {shows}."
    )
