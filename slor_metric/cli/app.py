"""`slor app`: the web pages on this machine."""

from __future__ import annotations

from typing import Any

import click

from metric_commons.cli.app import app_options, serve
from slor_metric.cli.models import make_metric, model_options


@click.command(epilog="Example: slor app --metric rouge_lm --port 8000 --no-open")
@click.option(
    "--metric",
    type=click.Choice(("slor", "wpslor", "rouge_lm")),
    default="wpslor",
    show_default=True,
    help="The metric that the page computes.",
)
@model_options
@app_options
def app(
    metric: str,
    lm: str,
    unigram: str | None,
    unigram_corpus: str | None,
    lm_options: dict[str, Any],
    host: str,
    port: int | None,
    open_browser: bool,
) -> None:
    """Serve a web page to score texts and see what each token adds (extra `app`)."""
    from slor_metric.app.page import build_app

    serve(build_app(make_metric(metric, lm, unigram, unigram_corpus, lm_options)), host, port, open_browser)
