"""Packages whose names are imported when they are first asked for (PEP 562), so that importing the package is quick."""

from __future__ import annotations

import importlib
from collections.abc import Callable, Mapping
from typing import Any


def lazy_names(package: str, places: Mapping[str, str]) -> Callable[[str], Any]:
    """Return a package's `__getattr__`.

    Args:
        package: its `__name__`.
        places: for each name the module that has it, as `module:attribute`, or `module` for the module itself.

    Raises:
        AttributeError: from the function returned, for a name that is not among `places`.
    """

    def find(name: str) -> Any:
        if name not in places:
            raise AttributeError(f"module {package!r} has no attribute {name!r}")
        module, _, attribute = places[name].partition(":")
        found = importlib.import_module(module)
        return getattr(found, attribute) if attribute else found

    return find
