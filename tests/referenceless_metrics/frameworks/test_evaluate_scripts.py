"""The rules of evaluate's own repository for modules, applied to ours: no open arguments, and examples that run."""

import doctest
import importlib
import inspect
from pathlib import Path

import pytest
from lazily import lazily

from referenceless_metrics.core.registry import metric_names
from referenceless_metrics.frameworks.hub.modules import module_path

evaluate = lazily("evaluate")
loading = lazily("evaluate.loading")


METRICS = Path(module_path("slor")).parent
NAMES = sorted(folder.name for folder in METRICS.iterdir() if (folder / f"{folder.name}.py").is_file())


def test_every_metric_has_its_script():
    assert sorted([*metric_names(), "huse"]) == NAMES  # which has no values for single texts


@pytest.fixture(params=NAMES)
def script(request, own_modules_cache):
    """Import a script as `evaluate.load` does, from the copy that it makes."""
    found = loading.evaluation_module_factory(str(METRICS / request.param), module_type="metric")
    return importlib.import_module(found.module_path)


def test_no_argument_of_compute_is_open(script):
    parameters = inspect.signature(loading.import_main_class(script.__name__)._compute).parameters.values()
    assert [parameter.name for parameter in parameters if parameter.kind is parameter.VAR_KEYWORD] == []


def test_the_examples_of_a_script_run(script, monkeypatch, tmp_path):
    load = evaluate.load
    monkeypatch.setattr(
        "evaluate.load", lambda name, **bound: load(str(METRICS / name), cache_dir=str(tmp_path), **bound)
    )
    result = doctest.testmod(script)  # without flags, as upstream
    assert result.failed == 0
    assert result.attempted > 1


def test_help_shows_the_example(script):
    main = loading.import_main_class(script.__name__)
    assert main.example in str(main().compute.__doc__)
