"""Commands about one metric: `cite`, `app` (its web page on this machine), and those that metrics bring."""

from __future__ import annotations

import inspect
from collections.abc import Callable
from typing import Any

import click
from click.core import ParameterSource

from referenceless_metrics.command_line.adding import adding
from referenceless_metrics.command_line.help import ShortHelp
from referenceless_metrics.command_line.metric_command import (
    ADVICE,
    METRIC,
    ChosenMetrics,
    MetricCommand,
    chosen_spec,
    metric_option,
    values_of,
)
from referenceless_metrics.core.citations import METHODS
from referenceless_metrics.core.registry import MetricSpec, Part, metric_specs
from referenceless_metrics.core.registry import cite as cited
from referenceless_metrics.core.support.parameters import parameters_of
from referenceless_metrics.core.support.validation import InputError


class PerMetricCommand(click.Command):
    """A command that each metric brings: `--metric` decides which one runs, with its arguments, options and help.

    Args:
        name: its name.
        brought: the field of `MetricSpec` with the metric's own command, or None.
        help: its description.
    """

    def __init__(self, name: str, brought: Callable[[MetricSpec], Part | None], help: str) -> None:
        super().__init__(name, help=help)
        self._brought = brought

    def make_context(
        self, info_name: str | None, args: list[str], parent: click.Context | None = None, **extra: Any
    ) -> click.Context:
        """Find the metric before the other arguments are parsed: it decides the command."""
        commands = {spec.name: part for spec in metric_specs() if (part := self._brought(spec)) is not None}
        choices = list(commands)
        named = list(dict.fromkeys(values_of(args, "--metric")))
        if len(named) > 1:
            told = f"{self.name} takes one metric, but got {', '.join(named)}: give each a run of its own"
            raise click.UsageError(told, parent)
        spec = chosen_spec(choices, named[0] if named else choices[0], parent)
        brought = commands[spec.name]()
        epilog = f"--metric is one of {', '.join(choices)}; each has options of its own.\n\n{brought.epilog}"
        parts = {"params": [METRIC, *brought.params], "callback": brought.callback, "help": brought.help}
        command = ShortHelp(self.name, epilog=epilog, **parts)
        return command.make_context(info_name, args, parent, **extra)


fit = PerMetricCommand("fit", lambda spec: spec.fit, help="Learn from rated texts, and write a file to score with.")


class _SeveralMetrics(MetricCommand):
    several = True


@click.command(cls=_SeveralMetrics, epilog="Example: referenceless cite --metric bleu_neighbors --pool pool.csv")
@metric_option
@adding(ADVICE)
@click.option("--methods", is_flag=True, help="Print BibTeX of tests, coefficients, and BLEU, chrF and TER instead.")
def cite(chosen: ChosenMetrics, *, methods: bool, **options: Any) -> None:
    """Print a metric's signature, a sentence for a paper, and BibTeX.

    --metric may be repeated. Give the options with which the texts were scored: the signature has them. A metric that
    you trained is that of --advice FOLDER, or of the file that `fit` wrote.
    """
    click.echo(METHODS if methods else cited(*chosen.make(options)), nl=False)


def _takes_pool(spec: MetricSpec) -> bool:
    if spec.explainer is None:
        return False
    takes_pool: bool = spec.explainer().takes_pool
    return takes_pool


def _is_made(spec: MetricSpec) -> bool:
    """Tell whether a page can make the metric without settings, or from the visitor's pool."""
    defaults = [parameter.default for parameter in parameters_of(spec.maker()).values()]
    return _takes_pool(spec) or inspect.Parameter.empty not in defaults


@click.command(cls=MetricCommand, epilog="Example: referenceless app --metric bleu_neighbors --port 8000 --no-open")
@metric_option
@click.option("--open/--no-open", "open_browser", default=True, help="Open it in a browser")
@click.option("--host", default="127.0.0.1", help="Address to listen on; 0.0.0.0 lets other machines in.")
@click.option(
    "--port", type=click.IntRange(1, 65535), help="Port to listen on  [default: the first free one from 7860]"
)
def app(chosen: ChosenMetrics, host: str, port: int | None, open_browser: bool, **options: Any) -> None:
    """Serve a web page that scores and explains texts (extra `app`).

    Without --metric, there is a page for each metric.
    """
    from referenceless_metrics.pages.app.page import build_app, launch

    context = click.get_current_context()
    spec = chosen.spec
    from_visitor = _takes_pool(spec)
    source = context.get_parameter_source
    ignored = [name for name in options if from_visitor and source(name) == ParameterSource.COMMANDLINE]
    if ignored:
        flags = ", ".join(f"--{name.replace('_', '-')}" for name in ignored)
        raise click.UsageError(
            f"{flags}: visitors of this page bring the rated texts and choose the settings; leave these out"
        )
    metric = spec.name if from_visitor else chosen.make(options)[0]
    others = () if chosen.is_named else (other.name for other in metric_specs() if other != spec and _is_made(other))
    page = build_app(metric, *others)
    try:
        launch(page, server_name=host, server_port=port, inbrowser=open_browser)
    except OSError as error:
        taken = "Cannot find empty port" in str(error)  # gradio adds names of its own
        why = "the port is taken; name another with --port" if taken else error
        raise InputError(f"cannot serve the page at {host}{f':{port}' if port else ''}: {why}") from None
