"""What the metrics' web pages are built from: an example, boxes or files to give texts in, one error box, an answer.

Everything is made inside a page (`page.blocks`), in the order in which it shall stand there.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from html import escape
from typing import TYPE_CHECKING, Any

from metric_commons.app.page import import_gradio, message

if TYPE_CHECKING:
    from collections.abc import Iterator

ANY_FILE = ".txt, .csv, .tsv, .jsonl or .parquet"
TABLE_FILE = ".csv, .tsv, .jsonl or .parquet"
QUIET = {"show_progress": "hidden", "api_visibility": "private"}
"""How small changes answer: at once, and only to the page itself."""

ARRIVE = "() => window.referenceless.arrive()"
"""Brings the error, or else the answer, into view, and the keyboard with it."""

_TELL = """
window.referenceless.tell = (text) => {
  const box = document.createElement('div');
  box.textContent = text;
  const safe = box.innerHTML.replace(/[${}`]/g, (character) => `&#${character.charCodeAt(0)};`);
  props.value = MESSAGE.replace('TEXT', () => safe);
};
"""  # how a page's own script shows an error


@dataclass(frozen=True)
class TextSource:
    """Where a visitor gives texts: a box to paste into, or a file.

    Attributes:
        box: the box.
        file: the file.
        row: holds `columns`; hidden where there is nothing to choose.
        columns: the choices of the file's columns.
        note: says what the file holds.
    """

    box: Any
    file: Any
    row: Any
    columns: tuple[Any, ...]
    note: Any

    @property
    def inputs(self) -> list[Any]:
        """What a handler needs to read the texts."""
        return [self.box, self.file, *self.columns]

    @property
    def described(self) -> list[Any]:
        """What shows when a file has come."""
        return [self.row, *self.columns, self.note]


@dataclass(frozen=True)
class Actions:
    """The button that scores what is given, and the one place for errors."""

    go: Any
    notice: Any


def text_source(
    title: str,
    info: str,
    *,
    name: str,
    kinds: str = ANY_FILE,
    columns: Sequence[str] = ("Column with the texts",),
    lines: int = 8,
    visible: bool = True,
) -> TextSource:
    """Make a column with a heading and two tabs, to paste texts or to choose a file.

    A file counts for as long as it is there, which the note under both tabs says; typing into the box takes it away.

    Args:
        title: the heading.
        info: label of the box, which says how it is read.
        name: of the elements; the box's `elem_id`, and the beginning of the others'.
        kinds: the files that are read.
        columns: labels of the choices of a column.
        lines: height of the box.
        visible: whether the page has need of it.
    """
    gr = import_gradio()
    with gr.Column(min_width=300, visible=visible, elem_classes="source"):
        gr.HTML(f"<h2>{escape(title)}</h2>", apply_default_css=False)
        with gr.Tabs(elem_classes="ways"):
            with gr.Tab("Paste", elem_id=f"{name}-paste"):
                box = gr.Textbox(label=info, lines=lines, max_lines=lines, elem_id=name)
            with gr.Tab("Upload a file", elem_id=f"{name}-upload"):
                file = gr.File(label=f"{title}: a file", elem_id=f"{name}-file", elem_classes="upload", height=150)
                hint = f'<div class="results"><p class="quiet">{escape(kinds)}, up to 20 MB</p></div>'
                gr.HTML(hint, apply_default_css=False)
        with gr.Row(visible=False) as row:
            choices = tuple(
                gr.Dropdown(label=label, choices=[], min_width=120, elem_id=f"{name}-column-{place}")
                for place, label in enumerate(columns)
            )
        note = gr.HTML(apply_default_css=False, elem_id=f"{name}-note", elem_classes="upload-note")
    box.input(None, None, file, js="() => null", **QUIET)
    return TextSource(box, file, row, choices, note)


def actions(label: str) -> Actions:
    """Make the place for errors and progress, and under it the button."""
    gr = import_gradio()
    tell = _TELL.replace("MESSAGE", json.dumps(message("TEXT")))
    notice = gr.HTML(apply_default_css=False, elem_id="notice", js_on_load=tell)
    go = gr.Button(label, variant="primary", elem_id="score")
    return Actions(go, notice)


def introduction(text: str) -> Any:
    """Make a page's beginning, in Markdown, and the button that scores the example, which is returned."""
    gr = import_gradio()
    gr.Markdown(text)
    button = gr.Button("Try the example", elem_id="example")
    button.click(None, js="() => window.referenceless.paste()")
    return button


@contextmanager
def answer() -> Iterator[Any]:
    """Hold what shows once there is an answer; its first element has the heading to go to, in `#results`."""
    gr = import_gradio()
    with gr.Column(visible=False, elem_id="answer") as shown:
        yield shown


def heading(text: str) -> None:
    """Make a heading between the parts of an answer."""
    import_gradio().HTML(f'<div class="results"><h2>{escape(text)}</h2></div>', apply_default_css=False)


def order_of_table(orders: Sequence[str]) -> Any:
    """Make the choice of a table's order; the first is the one that it begins with."""
    gr = import_gradio()
    return gr.Dropdown(
        list(orders),
        value=orders[0],
        label="Order of the table",
        filterable=False,
        elem_id="order",
        elem_classes="on-screen",
    )


def in_another_order(
    table_html: Callable[[Any, str], str], choices: Callable[[Any, str], list[Any]], scored: Any, order: str
) -> list[Any]:
    """Show the table of what was scored in another order; the text that is explained stays.

    Args:
        table_html: returns the table in an order.
        choices: returns the texts of the table to choose from, in an order.
        scored: what both take; None where nothing was scored yet.
        order: one of those that `order_of_table` was given.
    """
    gr = import_gradio()
    if scored is None:
        return ["", gr.update()]
    return [table_html(scored, order), gr.update(choices=choices(scored, order))]


def on_upload(source: TextSource, handler: Callable[[str | None], list[Any]], notice: Any) -> None:
    """Let a handler say what a file holds: it returns what `source.described` shows, and the error or nothing."""
    described = source.file.change(handler, source.file, [*source.described, notice], **QUIET)
    described.then(None, js="() => window.referenceless.arrive(true)")


def on_click(button: Any, handler: Callable[..., Any], inputs: list[Any], outputs: list[Any], notice: Any) -> None:
    """Let a button work: its handler gets the values of `inputs` and a `Report`; the answer comes into view.

    Args:
        button: the button.
        handler: called with the inputs' values and `report`.
        inputs: components.
        outputs: components.
        notice: where the progress shows.
    """
    gr = import_gradio()

    def reported(progress: Any = gr.Progress(), *values: Any) -> Any:  # gradio looks for this very default  # noqa: B008
        return handler(*values, report=lambda share, doing: progress(share, desc=doing))

    done = button.click(
        reported,
        inputs,
        outputs,
        api_visibility="private",
        show_progress="full",
        show_progress_on=[notice],
        scroll_to_output=False,
    )
    done.then(None, js=ARRIVE)
