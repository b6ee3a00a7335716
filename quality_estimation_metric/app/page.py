"""A web page for quality estimation: a meaning representation and texts in, estimates and what moved them out.

Needs `pip install "referenceless-metrics[app]"`. With the packaged model it works without any network.
"""

from __future__ import annotations

from functools import partial
from typing import Any

from metric_commons.app.inputs import pasted_texts, uploaded_texts
from metric_commons.app.layout import QUIET, actions, answer, heading, introduction, on_click, on_upload, text_source
from metric_commons.app.page import blocks, import_gradio, launch, message
from metric_commons.app.parts import Report, unreported
from metric_commons.app.uploads import describe_upload
from quality_estimation_metric.app import results
from quality_estimation_metric.app.results import Scored
from quality_estimation_metric.estimator import QualityEstimator
from quality_estimation_metric.model_files.source import quality_estimation

__all__ = ["build_app", "launch"]

SOURCE_COLUMNS = ("mr", "source", "meaning_representation", "input", "triples")
"""Names under which a column of sources is recognised, the best first."""

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
        example = introduction(_INTRO + "\n" + (_PACKAGED if packaged else f"The model is `{metric.signature}`."))
        with gr.Row():
            sources = text_source(
                "Meaning representations",
                "One for all texts, or a line for each: a dialogue act, E2E, triples or JSON",
                name="source",
                columns=("Column with the meaning representations",),
                visible=metric.needs_sources,
            )
            texts = text_source("Texts", "Texts, one a line", name="texts")
        buttons = actions("Estimate")
        with answer() as shown:
            summary = gr.HTML(apply_default_css=False, elem_id="results")
            heading("Texts and their estimates")
            table = gr.HTML(apply_default_css=False, elem_id="table")
            heading("Word by word")
            chosen = gr.Dropdown([], label="Text", info="Type to search.", elem_id="chosen", elem_classes="on-screen")
            explanation = gr.HTML(apply_default_css=False, elem_id="explanation")
        gr.Markdown(_SOURCE)

        boxes = [sources.box, sources.file, texts.box, texts.file]
        shows = [buttons.notice, shown, scored, summary, table, chosen, explanation]
        on_upload(sources, _describe_sources, buttons.notice)
        on_upload(texts, _describe_texts, buttons.notice)
        on_click(buttons.go, partial(_score, metric), [*texts.inputs, *sources.inputs], shows, buttons.notice)
        on_click(example, partial(_score_example, metric), [], [*boxes, *shows], buttons.notice)
        chosen.input(_explain, [scored, chosen], explanation, **QUIET)
    return page


def _example() -> list[Any]:
    """Return the packaged example for the boxes, and no files."""
    from quality_estimation_metric.example import DEMO_SOURCES, DEMO_TEXTS

    return ["\n".join(DEMO_SOURCES), None, "\n".join(DEMO_TEXTS), None]


def _score_example(estimator: QualityEstimator, *, report: Report = unreported) -> list[Any]:
    """Fill the boxes with the packaged example and estimate it."""
    sources, _, texts, _ = boxes = _example()
    return [*boxes, *_score(estimator, texts, None, None, sources, None, None, report=report)]


_describe_texts = partial(describe_upload, what="texts")
_describe_sources = partial(describe_upload, what="meaning representations", names=SOURCE_COLUMNS)


def read_inputs(
    texts: str,
    texts_file: str | None,
    column: str | None,
    sources: str,
    sources_file: str | None,
    sources_column: str | None,
    *,
    needs_sources: bool,
) -> tuple[list[str], list[str]]:
    """Return texts and their sources as the page gives them; a file comes before a box.

    Raises:
        InputError: for an input that is missing or cannot be read.
    """
    found = uploaded_texts(texts_file, column) if texts_file else pasted_texts(texts or "", "texts")
    if not needs_sources:
        return found, []
    if sources_file:
        return found, uploaded_texts(sources_file, sources_column, SOURCE_COLUMNS)
    return found, results.pasted_sources(sources or "", len(found))


def _score(estimator: QualityEstimator, *values: Any, report: Report = unreported) -> list[Any]:
    """Estimate what the page holds, or show what is wrong with it."""
    gr = import_gradio()
    try:
        report(0.0, "reading")
        scored = results.score(estimator, *read_inputs(*values, needs_sources=estimator.needs_sources), report)
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
