"""Version and files of this package, optional packages, plug-ins, and public names that are imported when used.

A plug-in is an entry point of one of these groups, of `papers/` or of any other distribution:

| group | an entry's name and its object |
|---|---|
| `referenceless_metrics.metrics` | a metric: a `MetricSpec` of the registry |
| `referenceless_metrics.kernels` | a kernel for `BLEUNeighbors(kernel=…)`: a `Kernel` |
| `referenceless_metrics.commands` | a command below `referenceless`: a `click.Command`, such as a group |
| `referenceless_metrics.train_commands` | a command below `referenceless train`: a `click.Command` |
| `referenceless_metrics.estimator_models` | a model for `QualityEstimator(model=…)`: a `TrainedModel` |

In a source tree, this project's own entries are read from the `pyproject.toml` beside this package.
"""

from __future__ import annotations

import importlib
import operator
import os
import sys
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from functools import cache, partial
from pathlib import Path
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from importlib.metadata import EntryPoints

DISTRIBUTION = "referenceless-metrics"
METRICS_GROUP = "referenceless_metrics.metrics"
KERNELS_GROUP = "referenceless_metrics.kernels"
COMMANDS_GROUP = "referenceless_metrics.commands"
TRAIN_COMMANDS_GROUP = "referenceless_metrics.train_commands"
ESTIMATOR_MODELS_GROUP = "referenceless_metrics.estimator_models"

#: Beginning of the names of these groups.
_GROUPS = "referenceless_metrics."

_PACKAGE = Path(__file__).resolve().parent.parent  # core/


@cache  # every result asks for it, and a look at the installed files takes a millisecond
def project_version() -> str:
    """Return the installed version of the package, for signatures; `unknown` in a tree that was never installed."""
    _, _, version = Path(_distribution_folders().get(DISTRIBUTION.replace("-", "_"), "")).stem.partition("-")
    return version or "unknown"


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

    The path in the wheel is returned if it exists, else that in the checkout, which need not exist.
    """
    installed = _PACKAGE.joinpath(f"_{folder}", *parts)
    return installed if installed.exists() else _PACKAGE.parent.parent.joinpath(folder, *parts)


def import_extra(module: str, extra: str, needed_by: str, distribution: str = DISTRIBUTION) -> Any:
    """Import a module that an extra of a distribution brings.

    Args:
        module: the module's full name.
        extra: the extra's name.
        needed_by: the user of the module, as the error's subject, such as `the kernel meteor`.
        distribution: the distribution that has the extra.

    Raises:
        ImportError: if it is not installed; the message names the extra.
    """
    try:
        return importlib.import_module(module)
    except ImportError as error:
        root = module.partition(".")[0]
        if error.name is not None and not f"{module}.".startswith(f"{error.name}."):
            raise  # the module is there, but one that it imports is not: its own error tells more
        raise ImportError(
            f'{needed_by} needs {root}, which is not installed: pip install "{distribution}[{extra}]"',
            name=root,
        ) from None


@contextmanager
def importing(extra: str, needed_by: str) -> Iterator[None]:
    """Name the extra if an import in this block fails, for modules that are written for a framework.

    Args:
        extra: the extra's name.
        needed_by: the user of the module, as the error's subject and verb, such as `torchmetrics adapters need`.

    Raises:
        ImportError: the import's own message, then the extra to install.
    """
    try:
        yield
    except ImportError as error:
        raise ImportError(f'{error}; {needed_by}: pip install "{DISTRIBUTION}[{extra}]"', name=error.name) from error


def lazy_names(package: str, places: Mapping[str, str]) -> tuple[Callable[[str], Any], Callable[[], list[str]]]:
    """Return `__getattr__` and `__dir__` for a package that imports its public names when they are used (PEP 562).

    Args:
        package: its `__name__`.
        places: for each public name the place of its object, as `imported` takes it.

    Raises:
        AttributeError: from `__getattr__`, for a name that is not among these.
    """

    def find(name: str) -> Any:
        if name not in places:
            raise AttributeError(f"module {package!r} has no attribute {name!r}")
        return imported(places[name])

    def list_names() -> list[str]:
        return sorted(places)

    return find, list_names


def imported(place: str) -> Any:
    """Return the object at `module:attribute`, or a module by its name alone."""
    name, _, attribute = place.partition(":")
    module = importlib.import_module(name)
    return operator.attrgetter(attribute)(module) if attribute else module


@cache
def plugged_in(group: str) -> Mapping[str, Callable[[], Any]]:
    """Return the entries of an entry-point group: for each name a function that imports and returns the object."""
    entries = _declared_elsewhere().get(group, {}) | _declared_beside().get(group, {})
    # an installation and a tree list their entries in different orders
    return {name: partial(imported, place) for name, place in sorted(entries.items())}


def entry_points_of(group: str) -> EntryPoints:
    """Return the entry points of a group, of all distributions that are installed."""
    from importlib.metadata import entry_points

    return entry_points(group=group)


def forget_plug_ins() -> None:
    """Read entry points anew: a distribution was installed, or taken away, since they were read."""
    plugged_in.cache_clear()
    _declared_elsewhere.cache_clear()


@cache
def _declared_elsewhere() -> dict[str, dict[str, str]]:
    """Return the entries of all groups of this project, of the distributions in the folders of the path.

    `importlib.metadata` reads the same files, but to import it and to read those of hundreds of distributions takes
    longer than to score a few texts.
    """
    groups: dict[str, dict[str, str]] = {}
    for folder in _distribution_folders().values():
        try:
            text = Path(folder, "entry_points.txt").read_text(encoding="utf-8")
        except OSError:  # it has none
            continue
        entries: dict[str, str] = {}
        for line in map(str.strip, text.splitlines() if _GROUPS in text else ()):
            name, equals, place = line.partition("=")
            if line.startswith("["):
                entries = groups.setdefault(line.strip("[] "), {})
            elif equals and not line.startswith(("#", ";")):
                entries.setdefault(name.strip(), place.partition("[")[0].strip())  # an extra may follow in brackets
    return groups


def _distribution_folders() -> dict[str, str]:
    """Return the folder that describes each distribution, by its name; the first one on the path counts."""
    folders: dict[str, str] = {}
    for place in sys.path:
        try:
            found = list(os.scandir(place or "."))
        except OSError:  # no folder
            continue
        for entry in found:
            if entry.name.endswith((".dist-info", ".egg-info")):
                distribution = entry.name.rpartition(".")[0].partition("-")[0].lower().replace(".", "_")
                folders.setdefault(distribution, entry.path)
    return folders


@cache
def _declared_beside() -> dict[str, dict[str, str]]:
    """Return the entries of all groups in the source tree of this package; none if it is installed."""
    path = _PACKAGE.parent.parent / "pyproject.toml"
    if not path.is_file():
        return {}
    import tomllib

    project = tomllib.loads(path.read_text(encoding="utf-8")).get("project", {})
    groups: dict[str, dict[str, str]] = project.get("entry-points", {})
    return groups
