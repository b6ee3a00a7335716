"""Optional packages: imported where they are used, with the extra to install where they are missing."""

from __future__ import annotations

import importlib
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

from metric_commons.support.installation import DISTRIBUTION


def import_extra(module: str, extra: str, needed_by: str, *, instead: str = "") -> Any:
    """Import a module that an extra of the distribution brings.

    Args:
        module: the module's full name.
        extra: the extra's name.
        needed_by: what needs it, as the error's subject, such as `the kernel meteor`.
        instead: what else the user can do, such as `, or give a list of your own`.

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
            f'{needed_by} needs {root}, which is not installed: pip install "{DISTRIBUTION}[{extra}]"{instead}',
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
