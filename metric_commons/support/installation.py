"""What is installed: version and files of this package, optional packages, and names imported when asked for."""

from __future__ import annotations

import importlib
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from functools import cache
from pathlib import Path
from typing import Any

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


def import_extra(module: str, extra: str, needed_by: str, distribution: str = DISTRIBUTION) -> Any:
    """Import a module that an extra of a distribution brings.

    Args:
        module: the module's full name.
        extra: the extra's name.
        needed_by: what needs it, as the error's subject, such as `the kernel meteor`.
        distribution: whose extra it is.

    Raises:
        ImportError: where it is not installed; the message names the extra.
    """
    try:
        return importlib.import_module(module)
    except ImportError as error:
        root = module.partition(".")[0]
        if error.name is not None and not f"{module}.".startswith(f"{error.name}."):
            raise  # the module is there, but something that it needs is not: that error says more
        raise ImportError(
            f'{needed_by} needs {root}, which is not installed: pip install "{distribution}[{extra}]"',
            name=root,
        ) from None


@contextmanager
def importing(extra: str, needed_by: str) -> Iterator[None]:
    """Name the extra where one of the imports in this block fails: for modules that are written against a framework.

    Args:
        extra: the extra's name.
        needed_by: what needs it, as the error's subject and verb, such as `torchmetrics adapters need`.

    Raises:
        ImportError: the import's own message, then the extra to install.
    """
    try:
        yield
    except ImportError as error:
        raise ImportError(f'{error}; {needed_by}: pip install "{DISTRIBUTION}[{extra}]"', name=error.name) from error


def lazy_names(package: str, names: Mapping[str, str]) -> tuple[Callable[[str], Any], Callable[[], list[str]]]:
    """Return a package's `__getattr__`, which imports a name when it is first asked for (PEP 562), and its `__dir__`.

    Args:
        package: its `__name__`.
        names: for each module what is imported from it, as an import statement says it: `"sqrt, floor as down"`.

    Raises:
        AttributeError: from the first function returned, for a name that is not among these.
    """
    places: dict[str, tuple[str, str]] = {}
    for module, told in names.items():
        for each in told.split(", "):
            attribute, _, alias = each.partition(" as ")
            places[alias or attribute] = module, attribute

    def find(name: str) -> Any:
        if name not in places:
            raise AttributeError(f"module {package!r} has no attribute {name!r}")
        module, attribute = places[name]
        found = importlib.import_module(module)
        if not hasattr(found, attribute):
            importlib.import_module(f"{module}.{attribute}")
        return getattr(found, attribute)

    return find, lambda: sorted(places)
