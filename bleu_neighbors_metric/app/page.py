"""A web page for BLEU Neighbors: candidates and a rated pool in, estimates and what is behind them out.

Needs `pip install "referenceless-metrics[app]"`. The page works on its packaged example without any network.
"""

from __future__ import annotations

from functools import partial
from typing import Any

from bleu_neighbors_metric.app import results
from bleu_neighbors_metric.app.results import ORDERS, Scored
from bleu_neighbors_metric.options import WEIGHT_METHODS
from bleu_neighbors_metric.tuning.calibration import AUTOMATIC
from metric_commons.app.inputs import (
    pasted_ratings,
    pasted_texts,
    quality_column,
    text_column,
    uploaded_ratings,
    uploaded_table,
    uploaded_texts,
)
from metric_commons.app.layout import (
    QUIET,
    TABLE_FILE,
    actions,
    answer,
    heading,
    in_another_order,
    introduction,
    on_click,
    on_upload,
    order_of_table,
    text_source,
)
from metric_commons.app.page import blocks, import_gradio, launch, message
from metric_commons.app.parts import Report, unreported
from metric_commons.app.uploads import describe_upload, nothing_uploaded, upload_status
from metric_commons.files.tables import RatedTexts
from metric_commons.support.errors import InputError

__all__ = ["build_app", "launch"]

TOKENIZERS = ("char", "char-nospace", "13a", "intl", "zh", "none")
"""The tokenisers that need no package or download of their own."""

_INTRO = """# BLEU Neighbors

How good is a text, when there is no reference to compare it with? BLEU Neighbors looks in a **pool of rated texts**
for those that resemble it and takes the mean of their ratings; where too few or too many do, it says so instead of
guessing. Estimates are in the unit of the ratings and hold for texts like those of the pool.

Give candidates and a pool, or try the example: a dozen sentences and 96 rated ones, written for this page.
"""

_N_GIVEN = 7  # inputs that hold candidates and pool
_FOLLOW = """
element.addEventListener('input', (e) => { if (e.target.id === 'tau') window.referenceless.follow(e.target); });
element.addEventListener('change', (e) => { if (e.target.id === 'tau') trigger('threshold'); });
"""
_THRESHOLD_OF_SLIDER = "(old, ...values) => [window.referenceless.threshold(), ...values]"
_SOURCE = "Ethayarajh and Sadigh (2020), *BLEU Neighbors: A Reference-less Approach to Automatic Evaluation*."


def build_app() -> Any:
    """Return the page as gradio `Blocks`; `launch` serves it.

    Raises:
        ImportError: where gradio 6 is missing.
    """
    gr = import_gradio()
    with blocks("BLEU Neighbors") as page:
        scored = gr.State(None)
        example = introduction(_INTRO)
        with gr.Row():
            candidates = text_source("Candidates", "Candidates, one a line", name="candidates")
            pool = text_source(
                "Rated pool",
                "Rated texts, one a line: the text, a comma or tab, its rating; or a table with a header",
                name="pool",
                kinds=TABLE_FILE,
                columns=("Column with the texts", "Column with the ratings"),
            )
        with gr.Accordion("Settings", open=False, elem_id="settings"), gr.Row():
            automatic = gr.Checkbox(
                True, label="τ from the pool", info="The highest that covers the most of it.", min_width=220
            )
            threshold = gr.Slider(
                0, 1, 0.08, step=0.005, label="Threshold τ", info="Least similarity of a neighbour.", min_width=220
            )
            fewest = gr.Number(5, label="Fewest neighbours", precision=0, minimum=1, min_width=220)
            share = gr.Slider(
                0, 1, 0.66, step=0.01, label="Largest share of the pool", info="1 for long texts.", min_width=220
            )
            tokenize = gr.Dropdown(list(TOKENIZERS), value="char", label="Tokens", min_width=220)
            weights = gr.Dropdown(
                list(WEIGHT_METHODS), value=AUTOMATIC["weights"], label="Weights of neighbours", min_width=220
            )
        buttons = actions("Score")
        with answer() as shown:
            summary = gr.HTML(apply_default_css=False, elem_id="results")
            charts = gr.HTML(apply_default_css=False, elem_id="charts", js_on_load=_FOLLOW)
            heading("Candidates and their estimates")
            order = order_of_table(ORDERS)
            table = gr.HTML(apply_default_css=False, elem_id="table")
            heading("Why this estimate?")
            with gr.Row(elem_classes="on-screen"):
                chosen = gr.Dropdown(
                    [], label="Candidate", info="Type to search.", scale=3, min_width=220, elem_id="chosen"
                )
                n_neighbors = gr.Slider(1, 50, 10, step=1, label="Rated texts shown", scale=2, min_width=220)
                marked = gr.Radio([2, 3, 4], value=4, label="Mark shared n-grams of order", scale=2, min_width=220)
            neighbours = gr.HTML(apply_default_css=False, elem_id="neighbours")
        gr.Markdown(_SOURCE)

        given = [*candidates.inputs, *pool.inputs]
        settings = [automatic, threshold, fewest, share, tokenize, weights, order, n_neighbors, marked]
        shows = [buttons.notice, shown, scored, threshold, summary, table, charts, chosen, neighbours]
        boxes = [candidates.box, candidates.file, pool.box, pool.file]
        on_upload(candidates, _describe_candidates, buttons.notice)
        on_upload(pool, _describe_pool, buttons.notice)
        on_click(buttons.go, _score, [scored, *given, *settings], shows, buttons.notice)
        on_click(example, _score_example, [scored, *settings], [*boxes, *shows], buttons.notice)
        threshold.input(None, None, automatic, js="() => false", **QUIET)  # who moves it wants it
        charts.threshold(
            _score_at, [threshold, *given, *settings], [automatic, *shows], js=_THRESHOLD_OF_SLIDER, **QUIET
        ).then(None, js="() => document.querySelector('#tau')?.focus({preventScroll: true})")
        order.input(_reorder, [scored, order], [table, chosen], **QUIET)
        for control in (chosen, n_neighbors, marked):
            control.input(_explain, [scored, chosen, n_neighbors, marked], neighbours, **QUIET)
    return page


def _example() -> list[Any]:
    """Return the packaged example for the boxes, and no files."""
    from bleu_neighbors_metric.example import example_candidates, example_pool

    rated = example_pool()
    lines = [f"{text}\t{quality:.12g}" for text, quality in zip(rated.texts, rated.quality, strict=True)]
    return ["\n".join(example_candidates()), None, "\n".join(lines), None]


def _score_example(earlier: Scored | None, *settings: Any, report: Report = unreported) -> list[Any]:
    """Fill the boxes with the packaged example and score it."""
    candidates, _, pool, _ = boxes = _example()
    return [*boxes, *_score(earlier, candidates, None, None, pool, None, None, None, *settings, report=report)]


def _score_at(threshold: float, *values: Any) -> list[Any]:
    """Score with the threshold of the slider on the curve."""
    given, settings = values[:_N_GIVEN], values[_N_GIVEN + 2 :]
    return [False, *_score(None, *given, False, threshold, *settings)]


_describe_candidates = partial(describe_upload, what="candidates")


def _describe_pool(path: str | None) -> list[Any]:
    """Say what an uploaded pool holds, and offer its columns."""
    gr = import_gradio()
    if not path:
        return nothing_uploaded(2)
    try:
        table = uploaded_table(path)
        rated = uploaded_ratings(path)
    except (InputError, ValueError) as error:
        return nothing_uploaded(2, error)
    assert table is not None  # a file without columns has no ratings and raised
    columns = list(table.columns)
    return [
        gr.update(visible=True),
        gr.update(choices=columns, value=text_column(table)),
        gr.update(choices=columns, value=quality_column(table)),
        upload_status(len(rated), "rated texts", low=float(rated.quality.min()), high=float(rated.quality.max())),
        "",
    ]


def read_inputs(
    candidates: str,
    candidates_file: str | None,
    candidates_column: str | None,
    pool: str,
    pool_file: str | None,
    pool_text_column: str | None,
    pool_quality_column: str | None,
) -> tuple[list[str], RatedTexts]:
    """Return candidates and pool as the page gives them; a file comes before a box.

    Raises:
        InputError: for an input that is missing or cannot be read.
    """
    texts = (
        uploaded_texts(candidates_file, candidates_column)
        if candidates_file
        else pasted_texts(candidates or "", "candidates")
    )
    rated = (
        uploaded_ratings(pool_file, pool_text_column, pool_quality_column)
        if pool_file
        else pasted_ratings(pool or "", "pool")
    )
    return texts, rated


def _score(earlier: Scored | None, *values: Any, report: Report = unreported) -> list[Any]:
    """Score what the page holds, or show what is wrong with it; `earlier` saves the work on a pool that stays."""
    gr = import_gradio()
    *sources, automatic, threshold, fewest, share, tokenize, weights, order, n_neighbors, marked = values
    parameters = {
        "threshold": AUTOMATIC["threshold"] if automatic else threshold,
        "min_neighbors": fewest,
        "max_fraction": share,
        "tokenize": tokenize,
        "weights": weights,
    }
    try:
        report(0.0, "reading")
        scored = results.score(*read_inputs(*sources), parameters, report, earlier)
    except (ValueError, TypeError) as error:
        hidden = gr.update(visible=False)
        return [message(error), hidden, None, gr.update(), "", "", "", gr.update(choices=[], value=None), ""]
    options = results.choices(scored, order)
    first = next((place for _, place in options if scored.estimates.covered[place]), options[0][1])
    return [
        "",
        gr.update(visible=True),
        scored,
        scored.estimator.threshold_,
        results.summary_html(scored),
        results.table_html(scored, order),
        results.charts_html(scored),
        gr.update(choices=options, value=first),
        results.neighbours_html(scored, first, int(n_neighbors), int(marked)),
    ]


_reorder = partial(in_another_order, results.table_html, results.choices)


def _explain(scored: Scored | None, place: int | None, n_neighbors: float, marked: int) -> str:
    """Show the neighbours of the chosen candidate."""
    if scored is None or place is None:
        return ""
    return results.neighbours_html(scored, place, int(n_neighbors), int(marked))
