"""What a page shows of a metric that brings nothing for it."""

import base64
import csv
import io
import re
import warnings

import numpy as np
from refusals import refused

from metric_commons.app import explainer as module
from metric_commons.app.explainer import ORDERS, ROWS, explainer, places
from metric_commons.results import MetricResult
from metric_commons.support.validation import InputError


class Length:
    """Counts characters."""

    name = "length"
    signature = "metric:length"
    needs_references = needs_sources = False

    def predict(self, texts, **_):
        if any(text == "odd" for text in texts):
            warnings.warn("an odd text", UserWarning, stacklevel=2)
        values = np.array([len(text) or np.nan for text in texts], dtype=np.float64)
        columns = {"twice": 2 * values, "words": np.array([len(text.split()) for text in texts])}
        return MetricResult(
            values, tuple(None if t else "empty text" for t in texts), self.signature, columns, {"u": 1}
        )


class Overlap(Length):
    """Reads references and sources."""

    needs_references = needs_sources = True


def score(texts, metric=Length, **beside):
    part = explainer(metric())
    return part, part.score({"texts": texts, **beside}, {})


def test_a_metric_that_brings_nothing_has_a_page():
    part, scored = score(["a", "bbb", "", "odd"])
    assert part.introduction() == "# length\n\nCounts characters.\n\nThe metric is `metric:length`."
    assert [given.name for given in part.inputs()] == ["texts"]
    assert [given.name for given in explainer(Overlap()).inputs()] == ["sources", "texts", "references"]
    assert (part.example(), part.charts_html(scored), part.explanation_html(scored, 0)) == ({}, "", "")
    assert scored.notes == ("an odd text",)
    summary = part.summary_html(scored)
    assert 'id="mean-score">2.333<' in summary
    assert "75.0% <small>of 4" in summary
    table = part.table_html(scored, ORDERS[1])
    assert table.index(">bbb<") < table.index(">a<") < table.index("<em>an empty text</em>")
    assert "<br><small>empty text</small>" in table
    assert 'data-label="twice">6.000</td>' in table
    assert 'data-label="words">1</td>' in table


def test_a_page_of_the_table_and_the_file_that_holds_all():
    part, scored = score([f"text {i}" for i in range(ROWS + 7)])
    table = part.table_html(scored, ORDERS[0], 1)
    assert re.findall(r'data-place="(\d+)"', table) == [str(place) for place in range(ROWS, ROWS + 7)]
    assert f"{ROWS + 1} to {ROWS + 7} of {ROWS + 7} texts" in table
    assert re.findall(r"(disabled)?>(Previous|Next)<", table) == [("", "Previous"), ("disabled", "Next")]
    encoded = re.search(
        r'href="data:text/csv;charset=utf-8;base64,([^"]+)" download="length.csv"', part.file_html(scored)
    )
    assert encoded is not None
    rows = list(csv.DictReader(io.StringIO(base64.b64decode(encoded[1]).decode())))
    assert [row["text"] for row in rows] == scored.texts
    assert [float(row["length"]) for row in rows] == scored.result.values.tolist()
    assert set(rows[0]) == {"text", "length", "twice", "words", "reason"}


def test_orders():
    result = Length().predict(["bb", "", "ccc", "a"])
    found = {order: places(result, order) for order in ORDERS}
    assert list(found.values()) == [[0, 1, 2, 3], [2, 0, 3, 1], [3, 0, 2, 1], [1, 0, 2, 3]]
    part, scored = score(["bb", "", "ccc", "a"])
    assert part.texts_to_choose(scored, [2]) == [("3 · 3.000 · ccc", 2)]
    sorted_by = {order: re.findall(r'aria-sort="(\w+)"', part.table_html(scored, order)) for order in ORDERS}
    assert list(sorted_by.values()) == [["ascending"], ["descending"], ["ascending"], []]


def test_more_than_a_page_takes(monkeypatch):
    monkeypatch.setattr(module, "MOST_TEXTS", 2)
    with refused("at most 2 texts, but there are 3; the command `referenceless score --metric", InputError):
        score(["a"] * 3)


def test_which_metrics_have_a_page():
    with refused("Expected argument `name` to be one of"):
        explainer("bleu")
    with refused("Expected no options beside a metric that is made already, but got lm", TypeError):
        explainer(Length(), lm="word")
