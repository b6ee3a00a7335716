"""The page of a metric that brings nothing for it."""

import base64
import csv
import io
import re
import warnings
from dataclasses import replace

from refusals import refused
from toy_metrics import Lengths, Matches

from referenceless_metrics.core.support.validation import InputError
from referenceless_metrics.pages.app import explainer as module
from referenceless_metrics.pages.app.explainer import ORDERS, ROWS, explainer, places


class Length(Lengths):
    """Counts characters."""

    def predict(self, texts, **_):
        if "odd" in texts:
            warnings.warn("an odd text", UserWarning, stacklevel=2)
        result = super().predict(texts)
        return replace(result, columns={**result.columns, "twice": 2 * result.values})


METRIC = Length(strict=True)


def score(texts):
    part = explainer(METRIC)
    return part, part.score({"texts": texts}, {})


def test_a_metric_that_brings_nothing_has_a_page():
    part, scored = score(["a", "bbb", "", "odd"])
    assert part.introduction() == "# lengths\n\nCounts characters.\n\nThe metric is `metric:lengths|scale:1`."
    assert [given.name for given in part.inputs()] == ["texts"]
    assert [given.name for given in explainer(Matches(sources=True)).inputs()] == ["sources", "texts", "references"]
    assert (part.example(), part.charts_html(scored), part.explanation_html(scored, 0)) == ({}, "", "")
    assert scored.notes == ("an odd text",)
    summary = part.summary_html(scored)
    assert 'id="mean-score">2.333<' in summary
    assert "75.0% <small>of 4" in summary
    table = part.table_html(scored, ORDERS[1])
    assert table.index(">bbb<") < table.index(">a<") < table.index("<em>an empty text</em>")
    assert "<br><small>empty text</small>" in table
    assert 'data-label="twice">6.000</td>' in table
    assert 'data-label="n characters">1</td>' in table


def test_a_page_of_the_table_and_the_file_that_holds_all():
    part, scored = score([f"text {i}" for i in range(ROWS + 7)])
    table = part.table_html(scored, ORDERS[0], 1)
    assert re.findall(r'data-place="(\d+)"', table) == [str(place) for place in range(ROWS, ROWS + 7)]
    assert f"{ROWS + 1} to {ROWS + 7} of {ROWS + 7} texts" in table
    assert re.findall(r"(disabled)?>(Previous|Next)<", table) == [("", "Previous"), ("disabled", "Next")]
    encoded = re.search(
        r'href="data:text/csv;charset=utf-8;base64,([^"]+)" download="lengths.csv"', part.file_html(scored)
    )
    assert encoded is not None
    rows = list(csv.DictReader(io.StringIO(base64.b64decode(encoded[1]).decode())))
    assert [row["text"] for row in rows] == scored.texts
    assert [float(row["lengths"]) for row in rows] == scored.result.values.tolist()
    assert set(rows[0]) == {"text", "lengths", "n_characters", "twice", "reason"}


def test_orders():
    result = METRIC.predict(["bb", "", "ccc", "a"])
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
        explainer(METRIC, lm="word")
