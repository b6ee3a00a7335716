"""The pages that raters see, and the same as plain sheets; neither tells which system wrote what."""

from __future__ import annotations

import base64
import hashlib
from collections.abc import Mapping, Sequence
from typing import Any

from metric_commons.files.escaping import visible
from metric_commons.files.output import render_rows
from metric_commons.report.rendering import environment
from metric_commons.systems.studies.design import Design


def rating_page(design: Design, rater: str, *, post: str = "", given: Sequence[Mapping[str, Any]] = ()) -> str:
    """Return a rater's page: one HTML file that needs no network.

    Args:
        design: the study's.
        rater: whose page.
        post: where the page sends each rating; "" for a page that keeps them until they are exported.
        given: ratings that there are already, each with `screen`, `output` and `rating`.
    """
    screens = [
        {
            "source": _shown(design.items[screen.item].source or ""),
            "texts": [_shown(text) for text in design.texts(screen)],
            "outputs": design.answers_on(screen),
        }
        for screen in design.raters[rater]
    ]
    scale = None if design.scale.is_preference else [design.scale.low, design.scale.high]
    data = {"study": design.study, "rater": rater, "question": design.question, "scale": scale, "screens": screens}
    templates = environment(__package__)
    script = templates.get_template("rating.js").render()
    page: str = templates.get_template("rating.html.j2").render(
        design=design,
        data=data | {"post": post, "given": list(given)},
        script=script,
        hash=base64.b64encode(hashlib.sha256(script.encode()).digest()).decode(),
    )
    return page


def rating_sheet(design: Design, rater: str) -> str:
    """Return a rater's outputs as CSV, with an empty column for the ratings; safe to open in a spreadsheet."""
    rows = []
    for number, screen in enumerate(design.raters[rater], 1):
        texts = design.texts(screen)
        shown = {"text": texts} if not design.scale.is_preference else {"text": texts[:1], "text_b": texts[1:]}
        for place, output in enumerate(design.answers_on(screen)):
            rows.append(
                {
                    "study": design.study,
                    "rater": rater,
                    "screen": number,
                    "output": output,
                    "source": design.items[screen.item].source or "",
                    **{name: column[place] for name, column in shown.items()},
                    "rating": "",
                }
            )
    return render_rows(rows, "csv-safe")


def raters_page(design: Design, rated: Mapping[str, int]) -> str:
    """Return the page that lists the raters, with how many of their outputs are rated."""
    asked = {rater: sum(len(design.answers_on(s)) for s in screens) for rater, screens in design.raters.items()}
    page: str = environment(__package__).get_template("raters.html.j2").render(asked=asked, rated=rated)
    return page


def _shown(text: str) -> str:
    return visible(text, keep="\t\n\r").encode("utf-8", "replace").decode("utf-8")
