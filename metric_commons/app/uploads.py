"""What a web page says of an uploaded file as soon as it is there."""

from __future__ import annotations

from typing import Any

from metric_commons.app.inputs import text_column, uploaded_table, uploaded_texts
from metric_commons.app.page import fragment, import_gradio, message
from metric_commons.support.errors import InputError


def upload_status(count: int, what: str, **values: float) -> str:
    """Return how much a file holds as HTML: `count` of `what`, and named `values` beside."""
    return fragment(__package__, "upload.html.j2", count=count, what=what, values=values)


def describe_upload(path: str | None, what: str) -> list[Any]:
    """Say what an uploaded file of texts holds, and offer its columns.

    Args:
        path: of the file; None where it was taken away.
        what: what the texts are called on the page.

    Returns:
        Updates of the choice of a column, which shows where there are several, and of the note on the file.
    """
    gr = import_gradio()
    if not path:
        return [gr.update(choices=[], value=None, visible=False), ""]
    try:
        table = uploaded_table(path)
        name = text_column(table) if table is not None else None
        n_texts = len(uploaded_texts(path, name))
    except (InputError, ValueError) as error:
        return [gr.update(choices=[], value=None, visible=False), message(error)]
    columns = list(table.columns) if table is not None else []
    return [gr.update(choices=columns, value=name, visible=len(columns) > 1), upload_status(n_texts, what)]
