"""A web page for BLEU Neighbors: candidates and a rated pool in, estimates and what is behind them out.

Needs `pip install "referenceless-metrics[app]"`. The page works on its packaged example without any network.
"""

from __future__ import annotations

from functools import partial
from typing import Any

from bleu_neighbors_metric.app import results
from bleu_neighbors_metric.app.results import ORDERS, Scored
from bleu_neighbors_metric.options import WEIGHT_METHODS
from metric_commons.app.inputs import (
    pasted_ratings,
    pasted_texts,
    quality_column,
    text_column,
    uploaded_ratings,
    uploaded_table,
    uploaded_texts,
)
from metric_commons.app.page import blocks, import_gradio, launch, message
from metric_commons.app.uploads import describe_upload, upload_status
from metric_commons.files.rated_texts import RatedTexts
from metric_commons.support.errors import InputError

__all__ = ["build_app", "launch"]

TOKENIZERS = ("char", "char-nospace", "13a", "intl", "zh", "none")
"""The tokenisers that need no package or download of their own."""

_INTRO = """# BLEU Neighbors

How good is a text, when there is no reference to compare it with? BLEU Neighbors looks in a **pool of rated texts**
for those that resemble it and takes the mean of their ratings; where too few or too many do, it says so instead of
guessing. Estimates are in the unit of the ratings and hold for texts like those of the pool.

Give candidates and a pool, or **load the example**: a dozen sentences and 96 rated ones, written for this page.
"""

_SOURCE = "Ethayarajh and Sadigh (2020), *BLEU Neighbors: A Reference-less Approach to Automatic Evaluation*."


def build_app() -> Any:
    """Return the page as gradio `Blocks`; `launch` serves it.

    Raises:
        ImportError: where gradio 6 is missing.
    """
    gr = import_gradio()
    with blocks("BLEU Neighbors") as page:
        scored = gr.State(None)
        gr.Markdown(_INTRO)
        with gr.Row():
            with gr.Column(min_width=300):
                candidates = gr.Textbox(
                    label="Candidates", info="One a line.", lines=8, max_lines=8, elem_id="candidates"
                )
                candidates_file = gr.File(
                    label="… or a file: .txt, .csv, .tsv, .jsonl, .parquet",
                    height=110,
                    elem_id="candidates-file",
                    elem_classes="upload",
                )
                candidates_column = gr.Dropdown(label="Column with the texts", choices=[], visible=False)
                candidates_note = gr.HTML(
                    apply_default_css=False, elem_id="candidates-note", elem_classes="upload-note"
                )
            with gr.Column(min_width=300):
                pool = gr.Textbox(
                    label="Rated pool",
                    info="One a line: a text, a comma or tab, its rating. Or a table with a header.",
                    lines=8,
                    max_lines=8,
                    elem_id="pool",
                )
                pool_file = gr.File(
                    label="… or a file: .csv, .tsv, .jsonl, .parquet",
                    height=110,
                    elem_id="pool-file",
                    elem_classes="upload",
                )
                with gr.Row(visible=False) as pool_columns:
                    pool_text_column = gr.Dropdown(label="Column with the texts", choices=[], min_width=120)
                    pool_quality_column = gr.Dropdown(
                        label="Column with the ratings", choices=[], min_width=120, elem_id="pool-quality-column"
                    )
                pool_note = gr.HTML(apply_default_css=False, elem_id="pool-note", elem_classes="upload-note")
        with gr.Accordion("Settings", open=False), gr.Row():
            threshold = gr.Slider(
                0, 1, 0.08, step=0.005, label="Threshold τ", info="Least similarity of a neighbour.", min_width=220
            )
            fewest = gr.Number(5, label="Fewest neighbours", precision=0, minimum=1, min_width=220)
            share = gr.Slider(
                0, 1, 0.66, step=0.01, label="Largest share of the pool", info="1 for long texts.", min_width=220
            )
            tokenize = gr.Dropdown(list(TOKENIZERS), value="char", label="Tokens", min_width=220)
            weights = gr.Dropdown(list(WEIGHT_METHODS), value="uniform", label="Weights of neighbours", min_width=220)
        with gr.Row():
            example = gr.Button("Load example", elem_id="example", min_width=140)
            go = gr.Button("Score", variant="primary", elem_id="score", min_width=140)
        notice = gr.HTML(apply_default_css=False, elem_id="notice")
        with gr.Column(visible=False) as shown:
            summary = gr.HTML(apply_default_css=False, elem_id="results")
            order = gr.Dropdown(list(ORDERS), value=ORDERS[0], label="Order of the table", filterable=False)
            table = gr.HTML(apply_default_css=False, elem_id="table")
            charts = gr.HTML(apply_default_css=False, elem_id="charts")
            gr.Markdown("## Why this estimate?")
            with gr.Row():
                chosen = gr.Dropdown(
                    [], label="Candidate", info="Type to search.", scale=3, min_width=220, elem_id="chosen"
                )
                n_neighbors = gr.Slider(1, 50, 10, step=1, label="Rated texts shown", scale=2, min_width=180)
                marked = gr.Radio([2, 3, 4], value=4, label="Mark shared n-grams of order", scale=2, min_width=180)
            neighbours = gr.HTML(apply_default_css=False, elem_id="neighbours")
            pool_report = gr.HTML(apply_default_css=False, elem_id="pool-report")
        gr.Markdown(_SOURCE)

        sources = [
            candidates,
            candidates_file,
            candidates_column,
            pool,
            pool_file,
            pool_text_column,
            pool_quality_column,
        ]
        settings = [threshold, fewest, share, tokenize, weights]
        shows = [notice, shown, scored, summary, table, charts, chosen, neighbours, pool_report]
        explanation = [scored, chosen, n_neighbors, marked]
        quiet = {"show_progress": "hidden", "api_visibility": "private"}
        example.click(_example, outputs=[candidates, candidates_file, pool, pool_file, notice], **quiet)
        candidates_file.change(_describe_candidates, candidates_file, [candidates_column, candidates_note], **quiet)
        pool_file.change(
            _describe_pool, pool_file, [pool_columns, pool_text_column, pool_quality_column, pool_note], **quiet
        )
        go.click(
            _score,
            [*sources, *settings, order, n_neighbors, marked],
            shows,
            api_visibility="private",
            show_progress="full",
            show_progress_on=[notice],
            scroll_to_output=False,
        )
        order.input(_reorder, [scored, order], [table, chosen], **quiet)
        for control in (chosen, n_neighbors, marked):
            control.input(_explain, explanation, neighbours, **quiet)
    return page


def _example() -> list[Any]:
    """Fill the boxes with the packaged example and take uploaded files away."""
    from bleu_neighbors_metric.example import example_candidates, example_pool

    rated = example_pool()
    lines = [f"{text}\t{quality:.12g}" for text, quality in zip(rated.texts, rated.quality, strict=True)]
    return ["\n".join(example_candidates()), None, "\n".join(lines), None, ""]


_describe_candidates = partial(describe_upload, what="candidates")


def _describe_pool(path: str | None) -> list[Any]:
    """Say what an uploaded pool holds, and offer its columns."""
    gr = import_gradio()
    none = [gr.update(visible=False), gr.update(choices=[], value=None), gr.update(choices=[], value=None)]
    if not path:
        return [*none, ""]
    try:
        table = uploaded_table(path)
        rated = uploaded_ratings(path)
    except (InputError, ValueError) as error:
        return [*none, message(error)]
    assert table is not None  # a file without columns has no ratings and raised
    columns = list(table.columns)
    return [
        gr.update(visible=True),
        gr.update(choices=columns, value=text_column(table)),
        gr.update(choices=columns, value=quality_column(table)),
        upload_status(len(rated), "rated texts", low=float(rated.quality.min()), high=float(rated.quality.max())),
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


def _score(*values: Any) -> list[Any]:
    """Score what the page holds, or show what is wrong with it."""
    gr = import_gradio()
    *sources, threshold, fewest, share, tokenize, weights, order, n_neighbors, marked = values
    parameters = {
        "threshold": threshold,
        "min_neighbors": fewest,
        "max_fraction": share,
        "tokenize": tokenize,
        "weights": weights,
    }
    try:
        scored = results.score(*read_inputs(*sources), parameters)
    except (ValueError, TypeError) as error:
        return [message(error), gr.update(visible=False), None, "", "", "", gr.update(choices=[], value=None), "", ""]
    options = results.choices(scored, order)
    first = next((place for _, place in options if scored.estimates.covered[place]), options[0][1])
    return [
        "",
        gr.update(visible=True),
        scored,
        results.summary_html(scored),
        results.table_html(scored, order),
        results.charts_html(scored),
        gr.update(choices=options, value=first),
        results.neighbours_html(scored, first, int(n_neighbors), int(marked)),
        results.pool_html(scored),
    ]


def _reorder(scored: Scored | None, order: str) -> list[Any]:
    """Show the table in another order; the candidate that is explained stays."""
    gr = import_gradio()
    if scored is None:
        return ["", gr.update()]
    return [results.table_html(scored, order), gr.update(choices=results.choices(scored, order))]


def _explain(scored: Scored | None, place: int | None, n_neighbors: float, marked: int) -> str:
    """Show the neighbours of the chosen candidate."""
    if scored is None or place is None:
        return ""
    return results.neighbours_html(scored, place, int(n_neighbors), int(marked))
