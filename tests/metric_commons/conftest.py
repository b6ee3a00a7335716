"""Fixtures of the tests of what the metrics share."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from pathlib import Path

import pytest


@pytest.fixture
def own_modules_cache(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    """Point `evaluate` to an empty cache of modules, and return its folder.

    The cache is a package that Python imports once: what an earlier cache left in `sys.modules` would be used still.
    """
    folder = tmp_path / "modules"
    monkeypatch.setattr("evaluate.config.HF_MODULES_CACHE", str(folder))
    monkeypatch.setattr(sys, "path", [*sys.path])
    for name in cached_modules():
        monkeypatch.delitem(sys.modules, name)
    yield folder
    for name in cached_modules():
        del sys.modules[name]


def cached_modules() -> list[str]:
    return [name for name in sys.modules if name.split(".")[0] == "evaluate_modules"]
