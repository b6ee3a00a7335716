"""Components of a metric's web page: an example, boxes or files to give texts in, one error box, an answer.

All components are made inside a page (gradio's `Blocks`), in the order in which they shall stand there. Gradio is
imported on demand: `pip install "referenceless-metrics[app]"`.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import partial
from html import escape
from typing import Any

from referenceless_metrics.core.files.output import shorten
from referenceless_metrics.core.files.tables import RatedTexts, Table
from referenceless_metrics.core.support.installation import import_extra
from referenceless_metrics.pages.app.inputs import Input
from referenceless_metrics.pages.rendering import environment

QUIET = {"show_progress": "hidden", "api_visibility": "private"}
"""Settings of events for small changes: they answer at once, and only to the page itself."""

MOST_SHOWN = 60
"""Most columns whose first rows are shown if one is to be chosen."""

_TELL = """
window.referenceless.tell = (text) => {
  const box = document.createElement('div');
  box.textContent = text;
  const safe = box.innerHTML.replace(/[${}`]/g, (character) => `&#${character.charCodeAt(0)};`);
  props.value = MESSAGE.replace('TEXT', () => safe);
};
"""  # how a page's own script shows an error


def import_gradio() -> Any:
    """Return the module `gradio`.

    Raises:
        ImportError: if it is missing or older than 6; the message names the extra to install.
    """
    gradio = import_extra("gradio", "app", "the web page")
    if int(gradio.__version__.split(".")[0]) < 6:
        raise ImportError(
            f"the web page needs gradio 6 or later, but this is {gradio.__version__}: "
            'pip install "referenceless-metrics[app]"'
        )
    return gradio


def fragment(template: str, package: str = __package__, **values: Any) -> str:
    """Return a template's HTML as gradio's HTML component shows it; a package's own templates come first.

    The component has templates of its own, in `${…}` and `{{…}}`. Today it does not look for them in its value; so that
    it never can, the braces and dollars of texts are written as character references.
    """
    html: str = environment(package, __package__).get_template(template).render(**values)
    return html.translate({ord(character): f"&#{ord(character)};" for character in "${}`"})


def message(error: Exception | str) -> str:
    """Return an error as HTML."""
    return fragment("message.html.j2", text=str(error))


class Control:
    """A setting of a metric, or a choice of the content of an explanation.

    Args:
        name: under which its value is handed on.
        kind: gradio's component, such as `Slider`.
        options: the component's arguments.
    """

    def __init__(self, name: str, kind: str, **options: Any) -> None:
        self.name = name
        self.kind = kind
        self.options = {"min_width": 220, **options}

    def make(self) -> Any:
        """Make the component."""
        return getattr(import_gradio(), self.kind)(**self.options)


@dataclass(frozen=True)
class Source:
    """Inputs in which a visitor gives texts: a box to paste into, or a file.

    Attributes:
        given: the input that is given here.
        box: the box.
        file: the file.
        row: holds `columns`; hidden if there is nothing to choose.
        columns: the choices of the file's columns.
        note: note on the file's content.
    """

    given: Input
    box: Any
    file: Any
    row: Any
    columns: tuple[Any, ...]
    note: Any

    @property
    def inputs(self) -> list[Any]:
        """Components from which a handler reads the texts."""
        return [self.box, self.file, *self.columns]


def text_source(given: Input) -> Source:
    """Make a column with a heading and two tabs, to paste texts or to choose a file.

    A file counts for as long as it is there, which the note under both tabs says; typing into the box takes it away.

    The input's name is the box's `elem_id`, and the beginning of the other elements'.
    """
    gr = import_gradio()
    name = given.name
    with gr.Column(min_width=300, elem_classes="source"):
        gr.HTML(f"<h2>{escape(given.title)}</h2>", apply_default_css=False)
        with gr.Tabs(elem_classes="ways"):
            with gr.Tab("Paste", elem_id=f"{name}-paste"):
                box = gr.Textbox(label=given.info, lines=8, max_lines=8, elem_id=name)
            with gr.Tab("Upload a file", elem_id=f"{name}-upload"):
                file = gr.File(
                    label=f"{given.title}: a file", elem_id=f"{name}-file", elem_classes="upload", height=150
                )
                taken = escape(given.files or given.suffixes)
                hint = f'<div class="results"><p class="quiet">{taken}, up to 20 MB</p></div>'
                gr.HTML(hint, apply_default_css=False)
        with gr.Row(visible=False) as row:
            choices = tuple(
                gr.Dropdown(label=label, choices=[], min_width=120, elem_id=f"{name}-column-{place}")
                for place, label in enumerate(given.columns)
            )
        note = gr.HTML(apply_default_css=False, elem_id=f"{name}-note", elem_classes="upload-note")
    box.input(None, None, file, js="() => null", **QUIET)
    return Source(given, box, file, row, choices, note)


def on_upload(source: Source, notice: Any) -> None:
    """Let a file be described once it has come, and again when a column is chosen; an error shows in its place."""
    shows = [source.row, *source.columns, source.note, notice]
    describe = partial(describe_upload, source.given)
    described = source.file.change(describe, source.file, shows, **QUIET)
    described.then(None, js="() => window.referenceless.arrive(true)")
    for column in source.columns:
        column.input(describe, [source.file, *source.columns], shows, **QUIET)


def describe_upload(given: Input, path: str | None, *chosen: str | None) -> list[Any]:
    """Describe an uploaded file, with its first rows, and offer its columns; ask for those that are not known.

    Args:
        given: the input that the file shall hold.
        path: path of the file; None if it was taken away.
        chosen: the columns that were chosen; nothing if the file is new.

    Returns:
        Updates of the row with the choices of a column, which shows if there are several, of the choices, of the note
        on the file, and of the place for errors.
    """
    gr = import_gradio()
    names: list[str] = []
    columns: list[str | None] = []
    note = problem = ""
    if path:
        try:
            table = given.table(path)
            names, columns = list(table.columns), list(chosen) or given.known(table)
            asked = [label for label, column in zip(given.columns, columns, strict=True) if not column]
            held = None if asked else given.held(table, columns)
            note = fragment(
                "upload.html.j2",
                count=0 if held is None else len(held),
                what=given.what,
                scale=(held.ratings.min(), held.ratings.max()) if isinstance(held, RatedTexts) else None,
                asked=[label.lower() for label in asked],
                first=first_rows(table, names if asked or not columns else list(filter(None, columns))),
            )
        except ValueError as error:  # an InputError, or a name of a column that no reader takes
            problem = message(error)
            names, columns = (names, columns) if chosen else ([], [])
    values = dict(zip(given.columns, columns, strict=False))
    choices = [gr.update(choices=names, value=values.get(label)) for label in given.columns]
    return [gr.update(visible=bool(choices) and len(names) > 1), *choices, note, problem]


def first_rows(table: Table, columns: Sequence[str]) -> list[list[str]]:
    """Return some columns' names, of numbers with their range, and their cells in the first three rows, cut short."""
    shown = columns[:MOST_SHOWN]
    ranges = [(name, table.range_of(name)) for name in shown]
    titles = [f"{name} ({ends[0]:g} to {ends[1]:g})" if ends else name for name, ends in ranges]
    return [titles, *([shorten(str(row.get(name, ""))) for name in shown] for row in table.rows[:3])]


def notice_place() -> Any:
    """Make the place for errors and progress."""
    tell = _TELL.replace("MESSAGE", json.dumps(message("TEXT")))
    return import_gradio().HTML(apply_default_css=False, elem_id="notice", js_on_load=tell)


def heading(text: str) -> None:
    """Make a heading between the parts of an answer."""
    import_gradio().HTML(f'<div class="results"><h2>{escape(text)}</h2></div>', apply_default_css=False)


def on_click(button: Any, handler: Callable[..., Any], inputs: list[Any], outputs: list[Any], notice: Any) -> None:
    """Let a button work: its handler gets the inputs' values and `report`; the error, or else the answer, is shown.

    Args:
        button: the button.
        handler: called with the inputs' values, and with `report`, a function of the progress, in [0, 1], and a
            description of the current step.
        inputs: components.
        outputs: components.
        notice: component that shows the progress.
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
    done.then(None, js="() => window.referenceless.arrive()")
