"""What a web page says of an uploaded file as soon as it is there."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from metric_commons.app.inputs import TEXT_COLUMNS, text_column, uploaded_table, uploaded_texts
from metric_commons.app.page import fragment, import_gradio, message
from metric_commons.support.errors import InputError


def upload_status(count: int, what: str, **values: float) -> str:
    """Return how much a file holds as HTML: `count` of `what`, and named `values` beside."""
    return fragment(__package__, "upload.html.j2", count=count, what=what, values=values)


def nothing_uploaded(n_columns: int = 1, error: Exception | None = None) -> list[Any]:
    """Return the updates for a source of texts without a file that can be read (see `layout.on_upload`)."""
    gr = import_gradio()
    hidden = [gr.update(visible=False), *(gr.update(choices=[], value=None) for _ in range(n_columns))]
    return [*hidden, "", "" if error is None else message(error)]


def describe_upload(path: str | None, what: str, names: Sequence[str] = TEXT_COLUMNS) -> list[Any]:
    """Say what an uploaded file of texts holds, and offer its columns.

    Args:
        path: of the file; None where it was taken away.
        what: what the texts are called on the page.
        names: under which their column is recognised, the best first.

    Returns:
        Updates of the row with the choice of a column, which shows where there are several, of the choice, of the note
        on the file, and of the one place for errors.
    """
    gr = import_gradio()
    if not path:
        return nothing_uploaded()
    try:
        table = uploaded_table(path)
        name = text_column(table, names) if table is not None else None
        n_texts = len(uploaded_texts(path, name))
    except (InputError, ValueError) as error:
        return nothing_uploaded(error=error)
    columns = list(table.columns) if table is not None else []
    return [
        gr.update(visible=len(columns) > 1),
        gr.update(choices=columns, value=name),
        upload_status(n_texts, what),
        "",
    ]
