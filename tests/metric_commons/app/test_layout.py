"""The parts of a page: what they show, and how their events are wired."""

from __future__ import annotations

from typing import Any

import pytest

pytest.importorskip("gradio", reason="needs gradio 6")

from metric_commons.app.layout import actions, answer, heading, in_another_order, on_click, on_upload, text_source
from metric_commons.app.page import blocks


def events(page: Any) -> list[tuple[str, bool]]:
    """The events of a page, each with whether it asks the server."""
    return [(function.targets[0][1], function.fn is not None) for function in page.fns.values()]


def test_a_source_of_texts() -> None:
    with blocks("a page") as page:
        source = text_source("Pool <b>", "one a line", name="pool", columns=("texts", "ratings"))
    assert source.inputs == [source.box, source.file, *source.columns]
    assert source.described == [source.row, *source.columns, source.note]
    assert [column.elem_id for column in source.columns] == ["pool-column-0", "pool-column-1"]
    assert "<h2>Pool &lt;b&gt;</h2>" in [block.value for block in page.blocks.values() if hasattr(block, "value")]
    assert events(page) == [("input", False)]  # what is typed takes the file away, in the browser


def test_a_button_reports_how_far_its_work_is() -> None:
    told = []

    def handler(*values: Any, report: Any) -> str:
        report(0.5, "half")
        told.append(values)
        return "done"

    with blocks("a page") as page:
        source = text_source("Texts", "one a line", name="texts")
        buttons = actions("Score")
        with answer():
            heading("Scores")
        on_upload(source, lambda path: [], buttons.notice)
        on_click(buttons.go, handler, [source.box], [buttons.notice], buttons.notice)
    clicked = next(function for function in page.fns.values() if function.targets[0][1] == "click")
    assert clicked.fn(lambda share, desc: told.append((share, desc)), "a text") == "done"
    assert told == [(0.5, "half"), ("a text",)]
    assert [name for name, _ in events(page)].count("then") == 2


def test_a_table_in_another_order() -> None:
    def table(scored: list[str], order: str) -> str:
        return " ".join(sorted(scored, reverse=order == "last first"))

    def choices(scored: list[str], order: str) -> list[str]:
        return table(scored, order).split()

    shown, update = in_another_order(table, choices, ["a", "b"], "last first")
    assert (shown, update["choices"]) == ("b a", ["b", "a"])
    assert "value" not in update  # what is explained stays
    assert in_another_order(table, choices, None, "last first")[0] == ""
