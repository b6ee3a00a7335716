"""Every example in a docstring of the installed packages runs and prints the output that it shows."""

import doctest
import importlib
import pkgutil

import pytest

PACKAGES = (
    "bleu_neighbors_metric",
    "slor_metric",
    "quality_estimation_metric",
    "referenceless_metrics",
)
FLAGS = doctest.NORMALIZE_WHITESPACE | doctest.ELLIPSIS


def modules():
    names = []
    for package in PACKAGES:
        path = importlib.import_module(package).__path__
        names += [package, *(info.name for info in pkgutil.walk_packages(path, prefix=f"{package}."))]
    return [name for name in names if "._" not in name and not name.endswith(".__main__")]


@pytest.mark.parametrize("name", modules())
def test_docstring_examples(name):
    try:
        module = importlib.import_module(name)
    except ImportError as error:
        if error.name in PACKAGES or (error.name or "").split(".")[0] in PACKAGES:
            raise
        pytest.skip(f"{name} needs {error.name}, which is not installed")
    assert doctest.testmod(module, optionflags=FLAGS).failed == 0
