"""Recordings are well-formed pictures that say what they show."""

import xml.etree.ElementTree as ElementTree

import pytest
from text_files import read

from referenceless_papers.recording import recording, write_recording

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


def test_it_is_written_whole_or_not_at_all(tmp_path):
    write_recording("tool", [(0.0, "a")], tmp_path / "demo.svg")
    assert read(tmp_path / "demo.svg").endswith("</svg>\n")
    with pytest.raises(FileNotFoundError):
        write_recording("tool", [], tmp_path / "none" / "demo.svg")
