"""Recordings are well-formed pictures that say what they show."""

import xml.etree.ElementTree as ElementTree

from referenceless_papers.recording import recording

SVG = "{http://www.w3.org/2000/svg}"


def test_lines_stand_in_order_and_markup_is_text():
    root = ElementTree.fromstring(recording("tool <x>", [(0.0, "Heading\na & b\n"), (30.0, "<last>")]))
    lines = ["".join(each.itertext()) for each in root.iter(f"{SVG}text")]
    assert lines == ["$ tool <x>", "Heading", "a & b", "<last>"]
    assert root.attrib["aria-label"] == "Output of the command tool <x>"
    heights = [float(each.attrib["y"]) for each in root.iter(f"{SVG}text")]
    assert heights == sorted(heights)
    assert max(heights) < float(root.attrib["height"])


def test_long_pauses_are_cut():
    text = recording("tool", [(0.0, "a"), (60.0, "b"), (60.5, "c")])
    assert "animation-delay:1.20s" in text
    assert "animation-delay:1.70s" in text
    assert "prefers-reduced-motion" in text
