"""The web page of any metric: inputs, scores with explanations, and a launch that needs no network.

Needs `pip install "referenceless-metrics[app]"`. A metric's own part of the page is its `Explainer`.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from functools import partial
from itertools import chain
from typing import Any

from referenceless_metrics.core.metric import Metric
from referenceless_metrics.pages.app.explainer import ORDERS, Explainer, Report, Scored, explainer, places, unreported
from referenceless_metrics.pages.app.layout import (
    QUIET,
    Control,
    heading,
    import_gradio,
    message,
    notice_place,
    on_click,
    on_upload,
    text_source,
)
from referenceless_metrics.pages.app.limits import page_class, with_body_limit, with_security_headers
from referenceless_metrics.pages.rendering import render

MOST_UPLOADED = "20mb"
"""The largest file that a page takes."""

KEPT = 1800
"""Seconds for which a page remembers a visitor's scores; then, or after a reload, texts have to be scored again."""

MOST_SESSIONS = 100
"""Most visitors whose pages are remembered at once; the oldest is forgotten first."""

_CLICKS = """
element.addEventListener('click', (e) => {
  const asked = e.target.closest('[data-order], [data-page], [data-place]');
  if (!asked || (asked.dataset.place && String(getSelection()))) return; // who marks words does not ask for the text
  window.referenceless.asked = { page: 0, ...asked.dataset };
  trigger(asked.dataset.place ? 'row' : 'turn');
});
"""
_TURNED = """
(scored, chosen, order) => {
  const asked = window.referenceless.asked;
  return [scored, chosen, asked.order ?? order, +asked.page];
}
"""
_ROW = "(scored, chosen, ...choices) => [scored, +window.referenceless.asked.place, ...choices]"


def build_app(metric: str | Metric, *more: str | Metric, **options: Any) -> Any:
    """Return a metric's page as gradio `Blocks`; `launch` serves it.

    Args:
        metric: a metric that is installed, by name, or an object of the protocol.
        more: metrics that get pages beside, between which a visitor chooses.
        options: further arguments of a metric given by name, such as `lm` for another language model.

    Raises:
        ImportError: if gradio 6 is missing.
        TypeError: for an unknown option.
        ValueError: for an unknown metric, and as the metric itself raises.
    """
    gr = import_gradio()
    part = _part(metric, **options)
    # reports nothing to anyone, and deletes what a visitor uploads after an hour
    title = part.spec.title
    with page_class()(title=title, analytics_enabled=False, delete_cache=(600, 3600), fill_width=False) as page:
        gr.Navbar(visible=bool(more), main_page_name=title)
        _draw(part)

        def forget(request: Any) -> None:
            page.state_holder.session_data.pop(request.session_hash, None)

        forget.__annotations__["request"] = gr.Request  # gradio passes an argument by its annotation
        page.unload(forget)
    for other in map(_part, more):
        with page.route(other.spec.title, other.spec.name):
            gr.Navbar(main_page_name=title)  # else gradio calls the first page "Home" here
            _draw(other)
    return page


def _part(metric: str | Metric, **options: Any) -> Explainer:
    part = explainer(metric, **options)
    # A metric that is made has its pool, and a visitor brings none.
    return Explainer(part.spec, metric) if part.takes_pool and not isinstance(metric, str) else part


def _draw(part: Explainer) -> None:
    """Draw a metric's page, and let it answer."""
    gr = import_gradio()
    scored = gr.State(None, time_to_live=KEPT)
    gr.Markdown(part.introduction())
    asked = _draw_question(part)
    answer = _draw_answer(part)
    gr.Markdown(part.credit)
    _connect(part, asked, answer, scored)


@dataclass(frozen=True)
class _Question:
    """Components with which a visitor asks.

    Attributes:
        example: the button that fills in the example.
        sources: boxes and files of the inputs.
        settings: the metric's settings, by name.
        notice: place for errors and progress.
        go: the button that scores.
    """

    example: Any
    sources: list[Any]
    settings: dict[str, Any]
    notice: Any
    go: Any


@dataclass(frozen=True)
class _Answer:
    """Components that show the results.

    Attributes:
        shown: the column that holds all of them.
        summary: the figures about all texts.
        charts: the charts.
        order: the order of the table.
        table: the table.
        file: the table as a file.
        number: the page of the table that is asked for.
        chosen: the text that is explained.
        choices: choices of its explanation.
        explanation: the explanation.
    """

    shown: Any
    summary: Any
    charts: Any
    order: Any
    table: Any
    file: Any
    number: Any
    chosen: Any
    choices: list[Any]
    explanation: Any


def _draw_question(part: Explainer) -> _Question:
    """Draw the visitor's inputs, and the button that scores."""
    gr = import_gradio()
    example = gr.Button("Try the example", elem_id="example", visible=bool(part.example()))
    example.click(None, js="() => window.referenceless.paste()")
    with gr.Row():
        sources = [text_source(given) for given in part.inputs()]
    with gr.Accordion("Settings", open=False, elem_id="settings", visible=bool(part.settings)), gr.Row():
        settings = {control.name: control.make() for control in part.settings}
    notice = notice_place()
    go = gr.Button("Score", variant="primary", elem_id="score")
    return _Question(example, sources, settings, notice, go)


def _draw_answer(part: Explainer) -> _Answer:
    """Draw the components for scored texts: figures, charts, the table, and one text explained."""
    gr = import_gradio()
    html = partial(gr.HTML, apply_default_css=False)
    with gr.Column(visible=False, elem_id="answer") as shown:  # its first element has the heading, in `#results`
        summary = html(elem_id="results")
        charts = html(elem_id="charts")
        heading(f"{part.text.capitalize()}s and their {part.value or 'score'}s")
        order = gr.Dropdown(
            list(ORDERS),
            value=ORDERS[0],
            label="Order of the table",
            filterable=False,
            elem_id="order",
            elem_classes="on-screen",
        )
        table = html(elem_id="table", js_on_load=_CLICKS)
        file = html(elem_id="file")
        number = gr.Number(0, visible=False)
        if part.heading:
            heading(part.heading)
        with gr.Row(elem_classes="on-screen", visible=bool(part.heading)):
            chosen = gr.Dropdown(
                [], label=part.text.capitalize(), info="Type to search.", scale=3, min_width=220, elem_id="chosen"
            )
            choices = [control.make() for control in part.choices]
        explanation = html(elem_id="explanation")
    return _Answer(shown, summary, charts, order, table, file, number, chosen, choices, explanation)


def _connect(part: Explainer, asked: _Question, answer: _Answer, scored: Any) -> None:
    """Let the page answer: say which components each event reads, and which it sets."""
    handlers = Handlers(part)
    how = [*asked.settings.values(), answer.order, *answer.choices]
    given = [component for source in asked.sources for component in source.inputs]
    boxes = [component for source in asked.sources for component in (source.box, source.file)]
    shows = [
        asked.notice,
        answer.shown,
        scored,
        answer.summary,
        answer.table,
        answer.file,
        answer.charts,
        answer.chosen,
        answer.explanation,
    ]
    for source in asked.sources:
        on_upload(source, asked.notice)
    on_click(asked.go, handlers.score, [*how, *given], shows, asked.notice)
    on_click(asked.example, handlers.score_example, how, [*boxes, *shows], asked.notice)

    order, table, chosen, choices = answer.order, answer.table, answer.chosen, answer.choices
    order.input(handlers.turn, [scored, chosen, order], [order, table, chosen], **QUIET)
    table.turn(handlers.turn, [scored, chosen, order, answer.number], [order, table, chosen], js=_TURNED, **QUIET)
    explained = [chosen, answer.explanation]
    if part.heading:
        row = table.row(handlers.choose, [scored, chosen, *choices], explained, js=_ROW, **QUIET)
        row.then(None, js="() => window.referenceless.bring('#explanation')")
    for control in (chosen, *choices):
        control.input(handlers.explain, [scored, chosen, *choices], answer.explanation, **QUIET)


class Handlers:
    """Handlers of a page's events.

    Args:
        part: the metric's part of the page.
    """

    def __init__(self, part: Explainer) -> None:
        self.part = part
        self.inputs = part.inputs()

    def score(self, *values: Any, report: Report = unreported) -> list[Any]:
        """Score the page's inputs, or show what is wrong with them.

        Args:
            values: the settings, the order of the table, the choices of the explanation, and
                of each input its box, its file and its columns.
            report: function that is told the progress of the work.
        """
        gr = import_gradio()
        left = iter(values)
        settings = self._next(left, self.part.settings)
        order = next(left)
        choices = self._next(left, self.part.choices).values()
        try:
            report(0.0, "reading")
            given = {one.name: one.read(*[next(left) for _ in range(2 + len(one.columns))]) for one in self.inputs}
            scored = self.part.score(given, settings, report)
        except (ValueError, TypeError) as error:
            nothing = ["", "", "", "", gr.update(choices=[], value=None), ""]
            return [message(error), gr.update(visible=False), None, *nothing]
        shown = places(scored.result, order)
        first = next((place for place in shown if scored.result.covered[place]), shown[0])
        return [
            "",
            gr.update(visible=True),
            scored,
            self.part.summary_html(scored),
            self.part.table_html(scored, order),
            self.part.file_html(scored),
            self.part.charts_html(scored),
            gr.update(choices=self.part.texts_to_choose(scored, shown), value=first),
            self.part.explanation_html(scored, first, *choices),
        ]

    @staticmethod
    def _next(values: Iterable[Any], controls: Iterable[Control]) -> dict[str, Any]:
        return {control.name: value for control, value in zip(controls, values, strict=False)}

    def score_example(self, *asked: Any, report: Report = unreported) -> list[Any]:
        """Fill the boxes with the example, take away the files, and score it."""
        lines = self.part.example()
        boxes = ["\n".join(lines[one.name]) for one in self.inputs]
        given = [[box, None, *[None] * len(one.columns)] for one, box in zip(self.inputs, boxes, strict=True)]
        shown = chain.from_iterable((box, None) for box in boxes)
        return [*shown, *self.score(*asked, *chain.from_iterable(given), report=report)]

    def turn(self, scored: Scored | None, chosen: int | None, order: str, page: float = 0) -> list[Any]:
        """Show the table in another order, or another page of it; the text that is explained stays."""
        gr = import_gradio()
        if scored is None or chosen is None:
            return [order, "", gr.update()]
        shown = dict.fromkeys([*places(scored.result, order, int(page)), chosen])
        table = self.part.table_html(scored, order, int(page))
        return [order, table, gr.update(choices=self.part.texts_to_choose(scored, shown))]

    def choose(self, scored: Scored | None, place: int | None, *choices: Any) -> list[Any]:
        """Show why the text of the row that was clicked has its value."""
        return [place, self.explain(scored, place, *choices)]

    def explain(self, scored: Scored | None, place: int | None, *choices: Any) -> str:
        """Show why the chosen text has its value."""
        return "" if scored is None or place is None else self.part.explanation_html(scored, place, *choices)


def launch_options() -> dict[str, Any]:
    """Return the arguments of `Blocks.launch` that the pages are made for: fonts and styles that are all local."""
    gradio = import_gradio()
    from starlette.middleware import Middleware

    theme = gradio.themes.Default(
        primary_hue="blue",
        neutral_hue="slate",
        font=[gradio.themes.Font(name) for name in ("system-ui", "Segoe UI", "Roboto", "Noto Sans", "sans-serif")],
        font_mono=[gradio.themes.Font(name) for name in ("ui-monospace", "Consolas", "monospace")],
    ).set(
        # gradio's paler colours have less than 4.5:1 contrast
        color_accent="*primary_700",
        body_text_color_subdued="*neutral_600",
        body_text_color_subdued_dark="*neutral_300",
        block_info_text_color="*neutral_600",
        block_info_text_color_dark="*neutral_300",
        block_label_text_color="*neutral_700",
        block_title_text_color="*neutral_700",
        block_title_text_color_dark="*neutral_200",
        button_primary_background_fill="*primary_700",
        button_primary_background_fill_hover="*primary_800",
        button_primary_background_fill_dark="*primary_700",
        button_primary_background_fill_hover_dark="*primary_800",
        button_secondary_text_color="*neutral_900",
    )
    return {
        "theme": theme,
        "css": render(__package__, "app.css"),
        "head": render(__package__, "head.html.j2"),
        "ssr_mode": False,  # would start a server of Node.js beside Python's
        "footer_links": [],
        "max_file_size": MOST_UPLOADED,
        "state_session_capacity": MOST_SESSIONS,
        "app_kwargs": {"middleware": [Middleware(with_body_limit), Middleware(with_security_headers)]},
    }


def launch(page: Any, **options: Any) -> Any:
    """Serve a page; `options` are those of gradio's `Blocks.launch` and come before our own."""
    return page.launch(**{**launch_options(), **options})
