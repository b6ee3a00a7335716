"""Commands about one metric: `cite`, and those that metrics bring, such as `fit --metric NAME` from NAME."""

from __future__ import annotations

import inspect
from typing import Any

import click

from metric_commons.cli.help import ShortHelp
from metric_commons.cli.metric_options import METRIC, MetricCommand, chosen, metric_from, metric_option, named_metric
from metric_commons.registry import MetricSpec, metric_specs
from metric_commons.registry import cite as cited

_OWN = f"{__name__}.own"


class PerMetricCommand(ShortHelp):
    """A command whose arguments, options and help are those of the metric that `--metric` names.

    Args:
        name: the command's name, which is also the part of a `MetricSpec` that holds each metric's own.
        help: what it does, for the list of commands.
    """

    def __init__(self, name: str, help: str) -> None:
        super().__init__(name, help=help, params=[METRIC])

    def choices(self) -> list[str]:
        """Return the names of the metrics that bring this command."""
        return [spec.name for spec in metric_specs() if getattr(spec, str(self.name))]

    def parse_args(self, ctx: click.Context, args: list[str]) -> list[str]:
        """Find the metric first: it decides what the command is."""
        choices = self.choices()
        spec = chosen(choices, named_metric(args) or choices[0], ctx)
        ctx.meta[_OWN] = spec.load(str(self.name))
        return super().parse_args(ctx, args)

    def get_params(self, ctx: click.Context) -> list[click.Parameter]:
        """Return `--metric` and the parameters of the metric's own command."""
        own: click.Command | None = ctx.meta.get(_OWN)
        *named, everything, last = super().get_params(ctx)
        return [*named, *(own.params if own is not None else ()), everything, last]

    def invoke(self, ctx: click.Context) -> Any:
        """Run the metric's own command."""
        ctx.params.pop("metric", None)
        return ctx.invoke(ctx.meta[_OWN].callback, **ctx.params)

    def help_text(self, ctx: click.Context) -> str:
        """Return what the metric's own command does."""
        return inspect.cleandoc(ctx.meta.get(_OWN, self).help)

    def format_epilog(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        """Say which metrics bring the command, with the example of this one."""
        formatter.write_paragraph()
        formatter.write_text(f"--metric is one of {', '.join(self.choices())}; each has options of its own.")
        own: click.Command | None = ctx.meta.get(_OWN)
        if own is not None:
            own.format_epilog(ctx, formatter)


fit = PerMetricCommand("fit", "Learn from rated texts, and write a file to score with.")
evaluate = PerMetricCommand("evaluate", "Say how well a metric estimates ratings that it has not seen.")


@click.command(cls=MetricCommand, epilog="Example: referenceless cite --metric bleu_neighbors --pool pool.csv")
@metric_option
def cite(spec: MetricSpec, **options: Any) -> None:
    """Print what a paper says of a metric: its signature, a sentence for the methods section, and BibTeX.

    Give the options that the texts were scored with: the signature tells them.
    """
    click.echo(cited(metric_from(spec, options)), nl=False)
