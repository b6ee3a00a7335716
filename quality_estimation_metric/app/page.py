"""A web page for quality estimation: a meaning representation and texts in, estimates and what moved them out.

Needs `pip install "referenceless-metrics[app]"`. With the packaged model it works without any network.
"""

from __future__ import annotations

from functools import partial
from typing import Any

from metric_commons.app.inputs import pasted_texts
from metric_commons.app.page import blocks, import_gradio, launch, message
from quality_estimation_metric.app import results
from quality_estimation_metric.app.results import Scored
from quality_estimation_metric.estimator import QualityEstimator
from quality_estimation_metric.model_files.source import quality_estimation

__all__ = ["build_app", "launch"]

_INTRO = """# Quality estimation

What would people say of a generated text, when there is no reference to compare it with? The estimate is learned from
texts that people rated, and from what those texts were made from.
"""
_PACKAGED = """The model is the packaged one. It knows **restaurants and hotels**: outputs of two dialogue systems of
2015, rated from 1 to 6 for overall quality. Of other domains it knows nothing.
"""
_SOURCE = (
    "After Dušek, Novikova and Rieser (2017), *Referenceless Quality Estimation for Natural Language Generation*. "
    "Ratings: Novikova et al. (2017), MIT licence. Raters disagree much, and so intervals are wide."
)


def build_app(estimator: QualityEstimator | None = None, **options: Any) -> Any:
    """Return the page as gradio `Blocks`; `launch` serves it.

    Args:
        estimator: a fitted estimator; None for the packaged one.
        options: instead of an estimator, arguments of `quality_estimation`, such as `model_file`.

    Raises:
        ImportError: where gradio 6 is missing.
        NotFittedError: for an estimator that was not fitted.
        ValueError: as `quality_estimation` raises.
    """
    gr = import_gradio()
    packaged = estimator is None and not options
    metric = quality_estimation(estimator=estimator, **options)
    with blocks(results.TITLE) as page:
        scored = gr.State(None)
        gr.Markdown(_INTRO + "\n" + (_PACKAGED if packaged else f"The model is `{metric.signature}`."))
        with gr.Row():
            with gr.Column(min_width=300, visible=metric.needs_sources):
                source = gr.Textbox(
                    label="Meaning representation",
                    info="One for all texts, or a line for each: a dialogue act, E2E, triples or JSON.",
                    lines=6,
                    max_lines=12,
                    elem_id="source",
                )
            with gr.Column(min_width=300):
                texts = gr.Textbox(label="Texts", info="One a line.", lines=6, max_lines=12, elem_id="texts")
        with gr.Row():
            example = gr.Button("Load example", elem_id="example", min_width=140)
            go = gr.Button("Estimate", variant="primary", elem_id="score", min_width=140)
        notice = gr.HTML(apply_default_css=False, elem_id="notice")
        with gr.Column(visible=False) as shown:
            summary = gr.HTML(apply_default_css=False, elem_id="results")
            table = gr.HTML(apply_default_css=False, elem_id="table")
            gr.Markdown("## Word by word")
            chosen = gr.Dropdown([], label="Text", info="Type to search.", elem_id="chosen")
            explanation = gr.HTML(apply_default_css=False, elem_id="explanation")
        gr.Markdown(_SOURCE)

        quiet = {"show_progress": "hidden", "api_visibility": "private"}
        example.click(_example, outputs=[source, texts, notice], **quiet)
        go.click(
            partial(_score, metric),
            [texts, source],
            [notice, shown, scored, summary, table, chosen, explanation],
            api_visibility="private",
            show_progress_on=[notice],
        )
        chosen.input(_explain, [scored, chosen], explanation, **quiet)
    return page


def _example() -> list[Any]:
    """Fill the boxes with the packaged example."""
    from quality_estimation_metric.example import DEMO_SOURCES, DEMO_TEXTS

    return ["\n".join(DEMO_SOURCES), "\n".join(DEMO_TEXTS), ""]


def _score(estimator: QualityEstimator, pasted: str, sources: str) -> list[Any]:
    """Estimate what the page holds, or show what is wrong with it."""
    gr = import_gradio()
    try:
        scored = results.score(estimator, pasted_texts(pasted or "", "texts"), sources or "")
    except (ValueError, TypeError) as error:
        return [message(error), gr.update(visible=False), None, "", "", gr.update(choices=[], value=None), ""]
    options = results.choices(scored)
    return [
        "",
        gr.update(visible=True),
        scored,
        results.summary_html(scored),
        results.table_html(scored),
        gr.update(choices=options, value=0),
        results.explanation_html(scored, 0),
    ]


def _explain(scored: Scored | None, place: int | None) -> str:
    """Show the chosen text word by word."""
    return "" if scored is None or place is None else results.explanation_html(scored, place)
