"""Commands that take any metric: `--metric NAME` brings in that metric's own options."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

import click

from metric_commons.metric import Metric
from metric_commons.registry import MetricSpec, metric_spec, metric_specs

_SPEC = f"{__name__}.spec"
_DEFAULT = "wpslor"


@dataclass(frozen=True)
class MetricOptions:
    """What a metric brings to the commands that take any metric.

    Attributes:
        add: adds the metric's options to a command.
        make: makes the metric from their values; it also gets `data_dir`, for pools that are data sets.
        check: says what is wrong with the values before any file is read, or None.
    """

    add: Callable[[Callable[..., Any]], Callable[..., Any]]
    make: Callable[..., Metric]
    check: Callable[..., None] | None = None

    def parameters(self) -> list[click.Parameter]:
        """Return the options, in the order in which they are shown."""

        def holder() -> None: ...

        self.add(holder)
        found: list[click.Parameter] = list(reversed(getattr(holder, "__click_params__", [])))
        return found


class MetricCommand(click.Command):
    """A command with `--metric`, whose other options are its own and those of the metric that is named.

    The callback gets the metric's `MetricSpec` as `spec`, and all options of the metric among its keyword arguments.
    """

    def get_params(self, ctx: click.Context) -> list[click.Parameter]:
        """Return the command's own parameters and those of the metric."""
        spec: MetricSpec | None = ctx.meta.get(_SPEC)
        own = super().get_params(ctx)
        return own if spec is None or not spec.options else [*own[:-1], *_parameters(spec), own[-1]]

    def parse_args(self, ctx: click.Context, args: list[str]) -> list[str]:
        """Find the metric first, since it decides which options there are."""
        choices = {spec.name: spec for spec in metric_specs(getattr(_group(ctx), "family", None))}
        name = named_metric(args) or _default(choices, args if self.name == "score" else ())
        if name not in choices:
            raise click.BadParameter(
                f"{name!r} is not one of {', '.join(map(repr, choices))}.", ctx=ctx, param_hint="'--metric'"
            )
        ctx.meta[_SPEC] = choices[name]
        return super().parse_args(ctx, args)

    def invoke(self, ctx: click.Context) -> Any:
        """Hand the metric's entry to the callback."""
        ctx.params.pop("metric", None)
        ctx.params["spec"] = ctx.meta[_SPEC]
        return super().invoke(ctx)

    def format_epilog(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        """Say of which metric the options are."""
        spec: MetricSpec = ctx.meta.get(_SPEC) or metric_spec(_DEFAULT)
        formatter.write_paragraph()
        formatter.write_text(f"These are the options with --metric {spec.name}; add --metric NAME for another's.")
        super().format_epilog(ctx, formatter)


def metric_option(command: Callable[..., Any]) -> Callable[..., Any]:
    """Add `--metric`, which `MetricCommand` reads."""
    return click.option("--metric", metavar="NAME", help="The metric; `referenceless metrics` lists them.")(command)


def metric_from(spec: MetricSpec, options: dict[str, Any]) -> Metric:
    """Return the metric that options describe."""
    brought: MetricOptions = spec.load("options")
    return brought.make(spec.name, **_own(spec, options), data_dir=options.get("data_dir"))


def check_options(spec: MetricSpec, options: dict[str, Any]) -> None:
    """Say what is wrong with a metric's options before any file is read.

    Raises:
        click.UsageError: naming the options.
    """
    brought: MetricOptions = spec.load("options")
    if brought.check is not None:
        brought.check(spec.name, **_own(spec, options))


def _own(spec: MetricSpec, options: dict[str, Any]) -> dict[str, Any]:
    return {str(one.name): options[str(one.name)] for one in _parameters(spec)}


def _parameters(spec: MetricSpec) -> list[click.Parameter]:
    brought: MetricOptions = spec.load("options")
    return brought.parameters()


def named_metric(args: Sequence[str]) -> str | None:
    """Return the metric that arguments name with `--metric`; None where they name none."""
    for place, argument in enumerate(args):
        if argument == "--":
            return None
        if argument.startswith("--metric="):
            return argument.partition("=")[2]
        if argument == "--metric" and place + 1 < len(args):
            return args[place + 1]
    return None


def _default(choices: dict[str, MetricSpec], args: Sequence[str]) -> str:
    """Return the metric that is meant where none is named: one that reads references where texts have some."""
    if any(argument.startswith("--reference") for argument in args):
        readers = [name for name, spec in choices.items() if spec.needs_references]
        if readers:
            return readers[0]
    return _DEFAULT if _DEFAULT in choices else next(iter(choices))


def _group(ctx: click.Context) -> click.Command | None:
    return ctx.parent.command if ctx.parent is not None else None
