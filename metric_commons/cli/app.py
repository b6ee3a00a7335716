"""The command `app`: a metric's web page on this machine."""

from __future__ import annotations

import inspect
from typing import Any

import click
from click.core import ParameterSource

from metric_commons.cli.metric_options import MetricCommand, metric_option, metrics_from
from metric_commons.registry import MetricSpec, metric_specs
from metric_commons.support.parameters import parameters_of
from metric_commons.support.validation import InputError


def _takes_pool(spec: MetricSpec) -> bool:
    return bool(spec.explain) and spec.load("explain").takes_pool


def _is_made(spec: MetricSpec) -> bool:
    """Return whether a page can make the metric without being told anything, or the visitor makes it."""
    defaults = [one.default for one in parameters_of(spec.load("make")).values()]
    return _takes_pool(spec) or inspect.Parameter.empty not in defaults


@click.command(cls=MetricCommand, epilog="Example: referenceless app --metric bleu_neighbors --port 8000 --no-open")
@metric_option
@click.option("--open/--no-open", "open_browser", default=True, help="Open it in a browser")
@click.option("--host", default="127.0.0.1", help="Address to listen on; 0.0.0.0 lets other machines in.")
@click.option(
    "--port", type=click.IntRange(1, 65535), help="Port to listen on  [default: the first free one from 7860]"
)
def app(spec: MetricSpec, host: str, port: int | None, open_browser: bool, **options: Any) -> None:
    """Serve a web page that scores texts and says why; without --metric, a page for each metric (extra `app`)."""
    from metric_commons.app.page import build_app, launch

    context = click.get_current_context()
    from_visitor = _takes_pool(spec)
    source = context.get_parameter_source
    given = [name for name in options if from_visitor and source(name) == ParameterSource.COMMANDLINE]
    if given:
        told = ", ".join(f"--{name.replace('_', '-')}" for name in given)
        raise click.UsageError(
            f"{told}: visitors of this page bring the rated texts and choose the settings; leave these out"
        )
    metric = spec.name if from_visitor else metrics_from(options)[0]
    named = isinstance(context.command, MetricCommand) and context.command.named
    others = () if named else (one.name for one in metric_specs() if one != spec and _is_made(one))
    page = build_app(metric, *others)
    try:
        launch(page, server_name=host, server_port=port, inbrowser=open_browser)
    except OSError as error:  # gradio's message names the port
        raise InputError(f"cannot serve the page at {host}{f':{port}' if port else ''}: {error}") from None
