"""Optional packages, missing and broken."""

import math
import sys
from importlib.metadata import entry_points, version

import pytest
from refusals import refused
from text_files import write

from referenceless_metrics.core.support.installation import (
    DISTRIBUTION,
    METRICS_GROUP,
    _declared_elsewhere,
    forget_plug_ins,
    import_extra,
    importing,
    project_version,
)


def test_a_missing_one_is_told_with_its_extra():
    message = (
        'the kernel meteor needs no_such_package, which is not installed: pip install "referenceless-metrics[meteor]"'
    )
    with pytest.raises(ImportError) as caught:
        import_extra("no_such_package.part", "meteor", "the kernel meteor")
    assert str(caught.value) == message
    assert caught.value.name == "no_such_package"


def test_a_broken_one_keeps_its_own_error(tmp_path, monkeypatch):
    (tmp_path / "broken_package.py").write_text("import no_such_dependency\n")
    monkeypatch.syspath_prepend(tmp_path)
    monkeypatch.delitem(sys.modules, "broken_package", raising=False)
    with refused("no_such_dependency", ImportError):
        import_extra("broken_package", "any", "this")


def test_a_module_written_against_a_framework_names_its_extra():
    told = r"such'; its adapters need: pip install .referenceless-metrics\[such\]"
    with refused(told, ImportError) as caught, importing("such", "its adapters need"):
        import such  # noqa: F401  # it fails
    assert caught.value.name == "such"
    with importing("any", "this needs"):
        assert math.pi > 3


def test_the_version_is_that_of_the_distribution():
    assert project_version() == version(DISTRIBUTION)


def test_entries_are_those_that_importlib_finds(tmp_path, monkeypatch):
    declared = f"[console_scripts]\nrun = a:b\n\n# a comment\n[{METRICS_GROUP}]\n mine=some.module:Made.by [extra]\n"
    folders = ("first/Their.Metrics-1.2.dist-info", "second/their_metrics-1.1.dist-info", "second/other.egg-info")
    for folder, name in zip(folders, ("mine", "hidden", "other"), strict=True):
        (tmp_path / folder).mkdir(parents=True)
        write(tmp_path / folder / "entry_points.txt", declared.replace("mine", name))
    (tmp_path / "first" / "none-1.dist-info").mkdir()
    paths = [tmp_path / "first", tmp_path / "second", tmp_path / "nowhere"]
    monkeypatch.setattr(sys, "path", [*map(str, paths), *sys.path])
    forget_plug_ins()
    found = _declared_elsewhere()
    forget_plug_ins()
    assert {"mine", "other"} < set(found[METRICS_GROUP])
    for group in (name for name in found if name.startswith("referenceless_metrics.")):
        theirs = entry_points(group=group)
        assert {entry.name: f"{entry.module}:{entry.attr}" for entry in theirs} == found[group]
