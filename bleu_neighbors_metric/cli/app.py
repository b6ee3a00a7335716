"""`bleu-neighbors app`: the web page on this machine."""

from __future__ import annotations

import click

from metric_commons.cli.app import app_options, serve


@click.command(epilog="Example: bleu-neighbors app --port 8000 --no-open")
@app_options
def app(host: str, port: int | None, open_browser: bool) -> None:
    """Serve a web page to score candidates with a rated pool and see why (extra `app`)."""
    from bleu_neighbors_metric.app.page import build_app

    serve(build_app(), host, port, open_browser)
