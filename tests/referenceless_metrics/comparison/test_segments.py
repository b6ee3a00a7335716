"""The table of segments: its content, that no text breaks out of its script, and the library that shows it."""

import gzip
import json
from base64 import b64decode
from hashlib import sha256
from importlib.resources import files

import numpy as np
from text_files import read
from toy_metrics import Lengths

from referenceless_metrics.comparison.segments import MOST_PLAIN, Measure, segments

HOSTILE = "</script><!--<script>alert(1)</script>\u2028\" ' \x07 \u202e \ud800"


METRIC = Lengths(strict=True)  # a stranger's, of which nothing is installed


def test_the_largest_differences_come_first_and_no_text_breaks_out():
    first = [HOSTILE, "", "", *("a" * n for n in range(1, 98))]
    second = ["b", "b", "", *("b" * 50 for _ in range(97))]
    measure = Measure("Length", [METRIC.predict(first), METRIC.predict(second)], METRIC)
    found = segments([("<b>", first), ("ours", second)], [measure])
    assert found.differences[0] == len(HOSTILE) - 1
    assert np.isnan(found.differences[1:3]).all()
    shown = found.differences[found.plain]
    assert len(shown) == MOST_PLAIN
    assert (shown[:-1] >= shown[1:]).all()
    assert "<" not in found.data
    told = json.loads(found.data)
    assert told["systems"] == ["<b>", "ours"]
    assert told["texts"][0][0].startswith("</script><!--<script>alert(1)</script>")
    assert not set("\x07\u202e\ud800") & set(told["texts"][0][0])
    assert (told["values"][0][0][1], told["reasons"][0][0][1], told["differences"][1]) == (None, "empty text", None)


def test_of_one_system_the_estimate_is_held_against_the_rating():
    texts = ["a", "bb", "ccc"]
    measures = [Measure("Length", [METRIC.predict(texts)]), Measure("Rating", [METRIC.predict(["a" * 5, "", "a"])])]
    found = segments([("ours", texts)], measures, ["x", "y", "x"])
    np.testing.assert_array_equal(found.differences, [4.0, np.nan, 2.0])
    assert found.plain == [0, 2, 1]
    assert json.loads(found.data)["groups"] == ["x", "y", "x"]


def test_explanations_are_as_many_as_fit(monkeypatch):
    monkeypatch.setattr(Measure, "explanations", lambda _, systems, places: [[f"{place**9}" for place in places]])
    monkeypatch.setattr("referenceless_metrics.comparison.segments._LARGEST", 1000)
    texts = ["a" * (place + 1) for place in range(200)]
    found = segments([("ours", texts)], [Measure("Length", [METRIC.predict(texts)])])
    assert len(found.explanations) <= 1000
    assert 0 < found.n_explained == len(json.loads(gzip.decompress(b64decode(found.explanations)))) < 200


def test_the_library_is_the_one_that_was_published():
    folder = files("referenceless_metrics.comparison") / "tabulator"
    lines = read(folder / "SHA256SUMS").splitlines()
    assert len(lines) == 3
    for line in lines:
        expected, name = line.split()
        assert sha256((folder / name).read_bytes()).hexdigest() == expected
    assert "The MIT License" in read(folder / "LICENSE")
