"""Commands that take any metric: `--metric NAME` brings in the options of that metric's parameters."""

from __future__ import annotations

import inspect
import re
from collections.abc import Callable, Collection, Mapping, Sequence
from typing import Any, get_origin

import click

from metric_commons.cli.base import COLUMN, adding, number_or, numbers, pairs
from metric_commons.cli.help import Rare, ShortHelp
from metric_commons.metric import Metric
from metric_commons.registry import MetricSpec, imported, metric_names, metric_spec, metric_specs
from metric_commons.support.parameters import Parameter, parameters_of

_OPTIONS = f"{__name__}.options"
_NAMED = f"{__name__}.named"
_DEFAULT = "fluency"


class MetricOptions:
    """The options of a metric in the commands that take any: one for each parameter that a command line can give.

    A metric that takes more than its parameters brings a subclass.

    Args:
        spec: the metric's entry.
        taken: the names of a command's own options, which take the place of any that have the same name.
    """

    def __init__(self, spec: MetricSpec, taken: Collection[str | None] = ()) -> None:
        self.spec = spec
        self.shown = [one for one in self.parameters() if one.name not in taken]

    def parameters(self) -> list[click.Parameter]:
        """Return the options, in the order in which they are shown."""
        return [*options_of(self.spec.load("make"))]

    def flags(self) -> set[str]:
        """Return the names of the options."""
        return set().union(*(one.opts + one.secondary_opts for one in self.shown))

    def check(self, values: dict[str, Any]) -> None:
        """Say what is wrong with the options' values before any file is read.

        Raises:
            click.UsageError: naming the options.
        """

    def make(self, values: dict[str, Any], data_dir: str | None) -> Metric:
        """Make the metric from the options' values; `data_dir` is for pools that are data sets."""
        metric: Metric = self.spec.load("make")(**given(values))
        return metric


def given(values: Mapping[str, Any]) -> dict[str, Any]:
    """Return the values that were given on the command line."""
    return {name: value for name, value in values.items() if value is not None}


def options_of(
    make: Callable[..., Any], *, without: Collection[str] = (), defaults: Mapping[str, Any] | None = None
) -> list[click.Option]:
    """Return an option for each parameter of a class or function that a command line can give.

    One that is not given has the value None, so that what is made keeps its own default. The parameters `progress` and
    `estimator` are left out: commands have a `--progress` of their own, and no objects.

    Args:
        make: the class or the function; its docstring says what the options are.
        without: names of parameters to leave out.
        defaults: defaults of the command line's own.
    """
    left_out = {"progress", "estimator", *without}
    options = [
        _option(one, (defaults or {}).get(one.name)) for one in parameters_of(make).values() if one.name not in left_out
    ]
    return [option for option in options if option is not None]


def _option(one: Parameter, own_default: Any) -> click.Option | None:
    """Return a parameter's option; None for a parameter that takes objects alone."""
    flag = f"--{one.name.replace('_', '-')}"
    plain = [kind for kind in (int, float, str) if kind in one.kinds]
    settings: dict[str, Any]
    if any(get_origin(kind) is Mapping for kind in one.kinds):
        flag = flag.removesuffix("s")
        settings = {"multiple": True, "callback": pairs, "metavar": "NAME=VALUE"}
    elif bool in one.kinds:
        flag = f"{flag}/--no-{flag[2:]}" if one.default else flag
        settings = {"is_flag": True}
    elif Sequence[int] in one.kinds:
        settings = {"type": numbers(int), "metavar": "N,N,…"}
    elif float in plain and str in plain:
        settings = {"type": number_or(one.choices), "metavar": "|".join(("NUMBER", *one.choices))}
    elif one.choices or plain:
        other = COLUMN if one.name.endswith("_column") else plain[0]
        settings = {"type": click.Choice(one.choices) if one.choices else other}
    else:
        return None
    words = re.sub(r"[`\"]", "", re.sub(r" \(see [^)]*\)|; see `[^;]*`", "", one.help))  # no pointers to code
    words = re.split(r"(?<=[^.]\.) (?=[A-Z])", words)[0]
    default = one.default if own_default is None else own_default
    if not (default is None or isinstance(default, bool) or default is inspect.Parameter.empty):
        words += f"  [default: {','.join(map(str, default)) if isinstance(default, tuple) else default}]"
    required = default is inspect.Parameter.empty
    words = words[:1].upper() + words[1:]
    kind = click.Option if one.often or required else Rare
    return kind([flag, one.name], default=own_default, required=required, help=words, **settings)


class MetricCommand(ShortHelp):
    """A command with `--metric`, whose other options are its own and those of the metric that is named.

    The callback gets the metric's `MetricSpec` as `spec`, and all options of the metric among its keyword arguments.
    """

    def get_params(self, ctx: click.Context) -> list[click.Parameter]:
        """Return the command's own parameters and those of the metric."""
        *own, everything, last = super().get_params(ctx)
        return [*own, *(ctx.meta[_OPTIONS].shown if _OPTIONS in ctx.meta else ()), everything, last]

    def parse_args(self, ctx: click.Context, args: list[str]) -> list[str]:
        """Find the metric first, since it decides which options there are."""
        name = named_metric(args)
        ctx.meta[_NAMED] = name is not None or self.name == "score"
        spec = chosen(metric_names(), name, ctx) if name is not None else self._implied(ctx, args)
        ctx.meta[_OPTIONS] = options_for(spec, self)
        try:
            return super().parse_args(ctx, args)
        except click.BadParameter as error:
            if (
                name is not None
                or error.param is None
                or error.param.name not in {one.name for one in ctx.meta[_OPTIONS].shown}
            ):
                raise
            told = f"That is so with --metric {spec.name}, which is meant where none is named."
            raise click.UsageError(f"{error.format_message()} {told}", ctx) from error

    def _implied(self, ctx: click.Context, args: Sequence[str]) -> MetricSpec:
        """Return the metric that is meant where none is named: the default, or the one that has all given options.

        Raises:
            click.UsageError: where several have them.
        """
        default = metric_spec(_default(args if self.name == "score" else ()))
        given = {argument.partition("=")[0] for argument in args if argument.startswith("--") and argument != "--"}
        left = given.difference(*(one.opts + one.secondary_opts for one in super().get_params(ctx)))
        if not left or left <= options_for(default, self).flags():
            return default
        takers = [spec for spec in metric_specs() if left <= options_for(spec, self).flags()]
        if len(takers) > 1:
            names = " or ".join(spec.name for spec in takers)
            raise click.UsageError(f"{', '.join(sorted(left))}: add the metric that it is for, --metric {names}", ctx)
        return takers[0] if takers else default

    def invoke(self, ctx: click.Context) -> Any:
        """Hand the metric's entry to the callback."""
        ctx.params.pop("metric", None)
        ctx.params["spec"] = ctx.meta[_OPTIONS].spec
        return super().invoke(ctx)

    def is_rare(self, ctx: click.Context, one: click.Parameter) -> bool:
        """Return whether `--help` only names an option: not one for what the metric reads."""
        spec = ctx.meta[_OPTIONS].spec
        reads = {"references": spec.needs_references, "sources": spec.needs_sources}
        return super().is_rare(ctx, one) and not reads.get(str(one.name))

    def sections(self, ctx: click.Context) -> dict[str, list[click.Parameter]]:
        """Return the command's own options, and those of a metric that is named."""
        brought: MetricOptions = ctx.meta[_OPTIONS]
        own = [one for one in self.get_params(ctx) if one not in brought.shown]
        return {"Options": own, f"Options of {brought.spec.name}": brought.shown if ctx.meta[_NAMED] else []}

    def format_epilog(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        """Say that each metric has options."""
        formatter.write_paragraph()
        default = "" if ctx.meta[_NAMED] else f"; without one it is {ctx.meta[_OPTIONS].spec.name}"
        formatter.write_text(f"For a metric's options add --metric NAME{default}.")
        super().format_epilog(ctx, formatter)


METRIC = click.Option(["--metric"], metavar="NAME", help="The metric, one of `referenceless hub metrics`.")
#: `--metric`, which `MetricCommand` reads.
metric_option = adding(METRIC)


def chosen(names: Collection[str], name: str, ctx: click.Context) -> MetricSpec:
    """Return the metric of this name.

    Raises:
        click.BadParameter: for another than those that a command takes.
    """
    if name not in names:
        raise click.BadParameter(
            f"{name!r} is not one of {', '.join(map(repr, names))}.", ctx=ctx, param_hint="'--metric'"
        )
    return metric_spec(name)


def metric_from(spec: MetricSpec, options: dict[str, Any]) -> Metric:
    """Return the metric that options describe."""
    brought, own = _values(spec, options)
    return brought.make(own, options.get("data_dir"))


def check_options(spec: MetricSpec, options: dict[str, Any]) -> None:
    """Say what is wrong with a metric's options before any file is read.

    Raises:
        click.UsageError: naming the options.
    """
    brought, own = _values(spec, options)
    brought.check(own)


def options_for(spec: MetricSpec, command: click.Command | None = None) -> MetricOptions:
    """Return a metric's options beside a command's own: those that it brings, or those of its parameters."""
    kind: type[MetricOptions] = imported(spec.options) if spec.options else MetricOptions
    return kind(spec, {one.name for one in command.params} if command is not None else ())


def _values(spec: MetricSpec, options: dict[str, Any]) -> tuple[MetricOptions, dict[str, Any]]:
    context = click.get_current_context(silent=True)
    brought = options_for(spec) if context is None else context.meta[_OPTIONS]
    return brought, {str(one.name): options[str(one.name)] for one in brought.shown}


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


def _default(args: Sequence[str]) -> str:
    """Return the metric that is meant where none is named: one that reads references where texts have some."""
    if any(argument.startswith("--reference") for argument in args):
        return next(spec.name for spec in metric_specs() if spec.needs_references)
    return _DEFAULT
