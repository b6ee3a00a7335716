"""Optional packages: what is said where one is missing, and where one is broken."""

from __future__ import annotations

import math
import sys

import pytest

from metric_commons.support.extras import import_extra, importing


def test_a_module_that_is_there_is_returned():
    assert import_extra("math", "any", "this") is math


def test_a_missing_one_is_told_with_its_extra_and_what_else_can_be_done():
    message = (
        'the kernel meteor needs no_such_package, which is not installed: pip install "referenceless-metrics[meteor]", '
        "or do without"
    )
    with pytest.raises(ImportError) as caught:
        import_extra("no_such_package.part", "meteor", "the kernel meteor", instead=", or do without")
    assert str(caught.value) == message
    assert caught.value.name == "no_such_package"


def test_a_broken_one_keeps_its_own_error(tmp_path, monkeypatch):
    (tmp_path / "broken_package.py").write_text("import no_such_dependency\n")
    monkeypatch.syspath_prepend(tmp_path)
    monkeypatch.delitem(sys.modules, "broken_package", raising=False)
    with pytest.raises(ImportError, match="no_such_dependency"):
        import_extra("broken_package", "any", "this")


def test_a_module_written_against_a_framework_names_its_extra():
    told = r"such'; its adapters need: pip install .referenceless-metrics\[such\]"
    with pytest.raises(ImportError, match=told) as caught, importing("such", "its adapters need"):
        import such  # noqa: F401  # it fails
    assert caught.value.name == "such"
    with importing("any", "this needs"):
        assert math.pi > 3
