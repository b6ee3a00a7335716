"""Commands about one metric: `cite`, and those that metrics bring, such as `fit --metric NAME` from NAME."""

from __future__ import annotations

from typing import Any

import click

from metric_commons.cli.help import ShortHelp
from metric_commons.cli.metric_options import METRIC, MetricCommand, chosen, metric_option, metrics_from, values_of
from metric_commons.registry import MetricSpec, metric_specs
from metric_commons.registry import cite as cited


class PerMetricCommand(click.Command):
    """A command whose arguments, options and help are those of the one that the metric of `--metric` brings.

    Its name is also the part of a `MetricSpec` that holds each metric's own.
    """

    def make_context(
        self, info_name: str | None, args: list[str], parent: click.Context | None = None, **extra: Any
    ) -> click.Context:
        """Find the metric first: it decides what the command is."""
        choices = [spec.name for spec in metric_specs() if getattr(spec, str(self.name))]
        own = chosen(choices, (*values_of(args, "--metric"), choices[0])[0], parent).load(str(self.name))
        told = f"--metric is one of {', '.join(choices)}; each has options of its own.\n\n{own.epilog}"
        command = ShortHelp(self.name, params=[METRIC, *own.params], callback=own.callback, help=own.help, epilog=told)
        return command.make_context(info_name, args, parent, **extra)


fit = PerMetricCommand("fit", help="Learn from rated texts, and write a file to score with.")
evaluate = PerMetricCommand("evaluate", help="Say how well a metric estimates ratings that it has not seen.")


@click.command(cls=MetricCommand, epilog="Example: referenceless cite --metric bleu_neighbors --pool pool.csv")
@metric_option
def cite(spec: MetricSpec, **options: Any) -> None:
    """Print what a paper says of a metric: its signature, a sentence for the methods section, and BibTeX.

    Give the options that the texts were scored with: the signature tells them.
    """
    click.echo(cited(metrics_from(options)[0]), nl=False)
