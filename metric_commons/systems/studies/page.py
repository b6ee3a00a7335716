"""The pages that raters see, and the same as plain sheets; neither tells which system wrote what."""

from __future__ import annotations

import base64
import hashlib
from collections.abc import Mapping, Sequence
from typing import Any

from metric_commons.files.output import render_rows
from metric_commons.report.rendering import environment, render
from metric_commons.systems.studies.design import Design


def rating_page(design: Design, rater: str, *, post: str = "", given: Sequence[Mapping[str, Any]] = ()) -> str:
    """Return a rater's page: one HTML file that needs no network.

    Args:
        design: the study's.
        rater: whose page.
        post: where the page sends each rating; "" for a page that keeps them until they are exported.
        given: ratings that there are already, each with `screen`, `output` and `rating`.
    """
    script: str = environment(__package__).get_template("rating.js").render()
    digest = base64.b64encode(hashlib.sha256(script.encode()).digest()).decode()
    values = {"design": design, "rater": rater, "post": post, "given": given}
    return render(__package__, "rating.html.j2", script=script, hash=digest, **values)


def rating_sheet(design: Design, rater: str) -> str:
    """Return a rater's outputs as CSV, with an empty column for the ratings; safe to open in a spreadsheet."""
    rows = []
    for number, screen in enumerate(design.raters[rater], 1):
        asked: dict[str, Any] = {"study": design.study, "rater": rater, "screen": number}
        source, texts = design.items[screen.item].source or "", design.texts(screen)
        shown = [{"text": text} for text in texts]
        if design.scale.is_preference:
            shown = [{"text": texts[0], "text_b": texts[1]}]
        for output, columns in zip(design.answers_on(screen), shown, strict=True):
            rows.append({**asked, "output": output, "source": source, **columns, "rating": ""})
    return render_rows(rows, "csv-safe")
