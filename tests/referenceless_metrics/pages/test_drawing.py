"""Drawings: SVG, PNG and PDF, whole or not at all, with a description that tools can read."""

import re
import sys
import xml.etree.ElementTree as ElementTree

import pytest
from page_standards import contrast

from referenceless_metrics.pages.charts import Interval, Series, chart_of, intervals
from referenceless_metrics.pages.drawing import COLOURS, Plot, drawing

POINTS = [(0.0, 1.0), (1.0, float("nan")), (2.0, 3.0)]
SPREAD = [(0.5, 1.5), (0.0, 0.0), (2.0, 4.0)]
SERIES = [
    Series(POINTS, kind, SPREAD, kind, place) for place, kind in enumerate(("line", "dots", "diamonds", "spread"))
]


def drawn():
    rows = [Interval("a <b>", 1.0, 0.5, 1.5, thin=(1.0, 0.0, 2.0)), Interval("c", 2.0, 1.0, 2.5, is_filled=False)]
    plots = [Plot("rows", intervals(rows, 1.0), "across", place=0)]
    plots.append(Plot("series", chart_of(*SERIES, Series(POINTS, "guide", name="same")), "across", "up"))
    return drawing(plots)


def test_the_first_two_series_differ_in_grey():
    assert contrast(*COLOURS[:2]) > 2


def test_every_series_is_drawn_and_named_and_no_point_without_a_place():
    svg = drawn().svg
    ElementTree.fromstring(svg)
    assert "nan" not in svg.lower()
    assert "a &lt;b&gt;" in svg
    assert all(f">{one.kind}</text>" in svg for one in SERIES)


def test_a_bracket_has_an_arm_at_each_member_of_its_group_and_at_no_other():
    rows = [Interval(name, 1.0, 0.5, 1.5) for name in "abcd"]
    svg = drawing([Plot("rows", intervals(rows, groups=[(0, 2, 3), (1, 2)]), "across")]).svg
    first, second = re.findall(r'class="bracket" d="([^"]*)"', svg)
    assert [path.count("h") for path in (first, second)] == [3, 2]
    (arm,) = re.findall(r"h-5M[\d.]+,([\d.]+)h5", first)
    top = float(re.search(r"M[\d.]+,([\d.]+)h5V", first)[1])
    assert float(arm) - top == 40 * 2 + 8


@pytest.mark.parametrize("suffix, begins", [(".svg", b"<svg"), (".png", b"\x89PNG"), (".pdf", b"%PDF")])
def test_each_format_is_whole_and_the_same_each_time(suffix, begins, tmp_path):
    if suffix != ".svg":
        pytest.importorskip("typst")
    contents = set()
    for number in range(2):
        path = tmp_path / f"{number}{suffix}"
        drawn().save(path)
        contents.add(path.read_bytes())
    (content,) = contents
    assert content.startswith(begins)
    assert suffix == ".png" or b"1.000 [0.500, 1.500]" in content


def test_without_typst_the_extra_is_named(monkeypatch, tmp_path):
    monkeypatch.setitem(sys.modules, "typst", None)
    with pytest.raises(ImportError, match=r"referenceless-metrics\[plot\]"):
        drawn().save(tmp_path / "a.pdf")
