"""Plots: PNG and SVG, whole or not at all, with a description that tools can read."""

import sys
import xml.etree.ElementTree as ElementTree

import pytest

from metric_commons.report.plots import FIRST, SECOND, intervals, new_figure, save


def grey(colour):
    red, green, blue = (int(colour[i : i + 2], 16) / 255 for i in (1, 3, 5))
    return 0.2126 * red + 0.7152 * green + 0.0722 * blue


def test_the_two_series_differ_in_grey():
    assert grey(SECOND) - grey(FIRST) > 0.3


def test_both_formats_carry_the_description_and_are_the_same_each_time(tmp_path):
    pytest.importorskip("matplotlib")
    contents = {".png": set(), ".svg": set()}
    for suffix, found in contents.items():
        for number in range(2):
            figure, (axes,) = new_figure()
            intervals(axes, ["a", "b"], [1.0, 2.0], [0.5, 1.5], [1.5, 2.5])
            path = tmp_path / f"{number}{suffix}"
            save(figure, path, "Two systems: a 1, b 2")
            found.add(path.read_bytes())
        assert len(found) == 1
    assert b"Two systems: a 1, b 2" in contents[".png"].pop()
    svg = contents[".svg"].pop().decode("utf-8")
    ElementTree.fromstring(svg)
    assert "Two systems: a 1, b 2" in svg


def test_without_matplotlib_the_extra_is_named(monkeypatch):
    monkeypatch.setitem(sys.modules, "matplotlib.figure", None)
    with pytest.raises(ImportError, match=r"referenceless-metrics\[plot\]"):
        new_figure()
