"""Installed things: version and files of this package, optional packages, plug-ins, names imported when asked for.

A plug-in is an entry point of one of these groups; `papers/` and anyone else's distribution use them in the same way:

| group | an entry's name and its object |
|---|---|
| `referenceless_metrics.metrics` | of a metric: a `MetricSpec` of the registry |
| `referenceless_metrics.kernels` | of a kernel, for `BLEUNeighbors(kernel=…)`: a `Kernel` of its registry |
| `referenceless_metrics.commands` | of a command below `referenceless`: a `click.Command`, such as a group |
| `referenceless_metrics.train_commands` | of a command below `referenceless train`: a `click.Command` |
| `referenceless_metrics.estimator_models` | of a model, for `QualityEstimator(model=…)`: a `TrainedModel` |

In a tree that was never installed, or changed since, this project's own entries are read from the `pyproject.toml`
beside this package.
"""

from __future__ import annotations

import importlib
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from functools import cache, partial
from pathlib import Path
from typing import Any

DISTRIBUTION = "referenceless-metrics"
METRICS_GROUP = "referenceless_metrics.metrics"
KERNELS_GROUP = "referenceless_metrics.kernels"
COMMANDS_GROUP = "referenceless_metrics.commands"
TRAIN_COMMANDS_GROUP = "referenceless_metrics.train_commands"
ESTIMATOR_MODELS_GROUP = "referenceless_metrics.estimator_models"

_PACKAGE = Path(__file__).resolve().parent.parent  # core/


@cache  # every result asks for it, and a look at the installed files takes a millisecond
def project_version() -> str:
    """Return the installed version of the package, for signatures; `unknown` in a tree that was never installed."""
    from importlib.metadata import PackageNotFoundError, version

    try:
        return version(DISTRIBUTION)
    except PackageNotFoundError:
        return "unknown"


def project_address() -> str:
    """Return the address of the project's repository; an empty string if the installed distribution names none."""
    from importlib.metadata import PackageNotFoundError, metadata

    try:
        addresses: list[str] = metadata(DISTRIBUTION).get_all("Project-URL") or []
    except PackageNotFoundError:
        return ""
    named = dict(address.split(", ", 1) for address in addresses)
    return named.get("Repository", "")


def shipped(folder: str, *parts: str) -> Path:
    """Return the path of a file or folder below `metrics` or `hub_cards`, in a wheel or in a checkout.

    It need not exist: of the two places the wheel's is returned where something is there, else the checkout's.
    """
    installed = _PACKAGE.joinpath(f"_{folder}", *parts)
    return installed if installed.exists() else _PACKAGE.parent.parent.joinpath(folder, *parts)


def import_extra(module: str, extra: str, needed_by: str, distribution: str = DISTRIBUTION) -> Any:
    """Import a module that an extra of a distribution brings.

    Args:
        module: the module's full name.
        extra: the extra's name.
        needed_by: what needs it, as the error's subject, such as `the kernel meteor`.
        distribution: whose extra it is.

    Raises:
        ImportError: if it is not installed; the message names the extra.
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
    for module, imports in names.items():
        for each in imports.split(", "):
            attribute, _, alias = each.partition(" as ")
            places[alias or attribute] = module, attribute

    def find(name: str) -> Any:
        if name not in places:
            raise AttributeError(f"module {package!r} has no attribute {name!r}")
        module, attribute = places[name]
        if module == package:
            return importlib.import_module(f"{module}.{attribute}")
        value = importlib.import_module(module)
        if not hasattr(value, attribute):
            importlib.import_module(f"{module}.{attribute}")
        return getattr(value, attribute)

    return find, lambda: sorted(places)


def imported(place: str) -> Any:
    """Return the object at `module:attribute`."""
    module, _, attribute = place.partition(":")
    return getattr(importlib.import_module(module), attribute)


@cache
def plugged_in(group: str) -> Mapping[str, Callable[[], Any]]:
    """Return what is declared in an entry-point group: by name a function that imports and returns the object."""
    from importlib.metadata import entry_points

    entries: dict[str, Callable[[], Any]] = {
        name: partial(imported, place) for name, place in _declared_beside(group).items()
    }
    for entry in entry_points(group=group):
        entries.setdefault(entry.name, entry.load)
    return dict(sorted(entries.items()))  # an installation and a tree list their entries in different orders


def _declared_beside(group: str) -> dict[str, str]:
    """Return the entries of the source tree that this package lies in; none where it is installed."""
    path = _PACKAGE.parent.parent / "pyproject.toml"
    if not path.is_file():
        return {}
    import tomllib

    project = tomllib.loads(path.read_text(encoding="utf-8")).get("project", {})
    places: dict[str, str] = project.get("entry-points", {}).get(group, {})
    return places
