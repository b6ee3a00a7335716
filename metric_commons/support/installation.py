"""Which version of the package this is, and where the files lie that it ships beside its code."""

from __future__ import annotations

from functools import cache
from pathlib import Path

DISTRIBUTION = "referenceless-metrics"

_PACKAGE = Path(__file__).resolve().parent.parent


@cache  # every result asks for it, and a look at the installed files takes a millisecond
def project_version() -> str:
    """Return the installed version of the package, for signatures; `unknown` in a tree that was never installed."""
    from importlib.metadata import PackageNotFoundError, version

    try:
        return version(DISTRIBUTION)
    except PackageNotFoundError:
        return "unknown"


def shipped(folder: str, *parts: str) -> Path:
    """Return the path of a file or folder below `metrics` or `hub_cards`, in a wheel or in a checkout.

    It need not exist: of the two places the wheel's is returned where something is there, else the checkout's.
    """
    installed = _PACKAGE.joinpath(f"_{folder}", *parts)
    return installed if installed.exists() else _PACKAGE.parent.joinpath(folder, *parts)
