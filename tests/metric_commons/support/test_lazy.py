"""Names that are imported when they are first asked for."""

from __future__ import annotations

import math
import subprocess
import sys

import pytest

from metric_commons.support.lazy import lazy_names


def test_names_are_found_in_their_places():
    find = lazy_names("somewhere", {"root": "math:sqrt", "numbers": "math"})
    assert find("root") is math.sqrt
    assert find("numbers") is math
    with pytest.raises(AttributeError, match="module 'somewhere' has no attribute 'other'"):
        find("other")


@pytest.mark.parametrize("package", ["slor_metric", "referenceless_metrics"])
def test_a_lazy_package_has_all_its_names_and_loads_none_before(package):
    code = f"""
import sys, {package} as package
assert "numpy" not in sys.modules
assert dir(package) == sorted(package.__all__)
for name in package.__all__:
    getattr(package, name)
"""
    subprocess.run([sys.executable, "-c", code], check=True)
