"""Packages that take seconds to import, imported when a test first uses them."""

from importlib import import_module
from importlib.util import find_spec

import pytest


class LazyModule:
    """A module that is imported when an attribute of it is first asked for."""

    def __init__(self, name):
        self.__dict__["_name"] = name

    def __getattr__(self, attribute):
        if attribute.startswith("__") or attribute == "_mock_name":  # pytest asks this of whatever a file holds
            raise AttributeError(attribute)
        return getattr(import_module(self._name), attribute)

    def __setattr__(self, attribute, value):
        setattr(import_module(self._name), attribute, value)

    def __delattr__(self, attribute):
        delattr(import_module(self._name), attribute)


def lazily(name):
    """Return a module to be imported later; skip the test file if its package is not installed.

    Every process that runs tests collects all files, and most run none of those that need these packages.
    """
    package = name.partition(".")[0]
    if find_spec(package) is None:
        pytest.skip(f"needs {package}", allow_module_level=True)
    return LazyModule(name)
