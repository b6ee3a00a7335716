"""Commands that take any metric: `--metric NAME` brings in the options of that metric's parameters."""

from __future__ import annotations

import inspect
import json
import re
from collections.abc import Callable, Collection, Mapping, Sequence
from pathlib import Path
from typing import Any, get_origin

import click
from click.core import ParameterSource

from referenceless_metrics.command_line.base import COLUMN, adding
from referenceless_metrics.command_line.help import Rare, ShortHelp
from referenceless_metrics.core.metric import Metric
from referenceless_metrics.core.registry import MetricSpec, default_metric, metric_names, metric_spec
from referenceless_metrics.core.support.parameters import Parameter, parameters_of
from referenceless_metrics.core.support.validation import Options, Record

_BROUGHT, _NAMED = f"{__name__}.brought", f"{__name__}.named"


class MetricOptions:
    """The options of a metric in the commands that take any: one for each parameter that a command line can give.

    A metric that takes more than its parameters brings a subclass.

    Args:
        spec: the metric's entry.
        taken: the names of a command's own options, which take the place of any that have the same name.
    """

    def __init__(self, spec: MetricSpec, taken: Collection[str | None] = ()) -> None:
        self.spec = spec
        self.shown = [option for option in self.parameters() if option.name not in taken]

    def parameters(self) -> list[click.Parameter]:
        """Return the options, in the order in which they are shown."""
        return [*options_of(self.spec.maker())]

    def check(self, values: Record) -> None:
        """Say what is wrong with the options' values before any file is read.

        Raises:
            click.UsageError: naming the options.
        """

    def make(self, values: Record, data_dir: str | None) -> Metric:
        """Make the metric from the options' values; `data_dir` is for pools that are data sets."""
        make = self.spec.maker()
        metric: Metric = make(**given(values))
        return metric


def given(values: Options) -> Record:
    """Return the values that were given on the command line."""
    return {name: value for name, value in values.items() if value is not None}


def options_of(make: Callable[..., Any], *, without: Collection[str] = ()) -> list[click.Option]:
    """Return an option for each parameter of a class or function that a command line can give.

    One that is not given has the value None, so that what is made keeps its own default; but commands use all
    processors. The parameters `progress` and `estimator` are left out: commands have a `--progress` of their own, and
    no objects.

    Args:
        make: the class or the function; its docstring says what the options are.
        without: names of parameters to leave out.
    """
    left_out = ("progress", "estimator", *without)
    options = (_option(parameter) for parameter in parameters_of(make).values() if parameter.name not in left_out)
    return [option for option in options if option is not None]


def whole_numbers(value: str) -> tuple[int, ...]:
    """Return the numbers that an option is given, separated by commas."""
    try:
        return tuple(map(int, value.split(",")))
    except ValueError:
        raise click.BadParameter(f"expected whole numbers separated by commas, but got {value!r}") from None


def number_or(words: Sequence[str]) -> Callable[[str], float | str]:
    """Return the type of an option that takes a number, or one of a few words."""

    def parse(value: str) -> float | str:
        try:
            return value if value in words else float(value)
        except ValueError:
            raise click.BadParameter(f"expected a number or {' or '.join(words)}, but got {value!r}") from None

    return parse


def pairs(_: click.Context, __: click.Parameter, values: Sequence[str]) -> Record | None:
    """Read an option's NAME=VALUE pairs, as JSON (`true`, `0.5`, `["the", "a"]`) or else as text; None for none.

    A hyphen in a name is an underscore.

    Raises:
        click.BadParameter: for a pair without a name or without `=`.
    """
    values_by_name: Record = {}
    for pair in values:
        name, equals, value = pair.partition("=")
        if not name or not equals:
            raise click.BadParameter(f"expected NAME=VALUE, such as device=cuda, but got {pair!r}")
        try:
            values_by_name[name.replace("-", "_")] = json.loads(value)
        except ValueError:
            values_by_name[name.replace("-", "_")] = value
    return values_by_name or None


def _option(parameter: Parameter) -> click.Option | None:
    """Return a parameter's option; None for a parameter that takes objects alone."""
    flag = f"--{parameter.name.replace('_', '-')}"
    own_default = -1 if parameter.name == "n_jobs" else None
    default = own_default or parameter.default
    required = default is inspect.Parameter.empty
    settings: Record
    if any(get_origin(kind) is Mapping for kind in parameter.kinds):
        flag = flag.removesuffix("s")
        settings = {"multiple": True, "callback": pairs, "metavar": "NAME=VALUE"}
    elif bool in parameter.kinds:
        flag = f"{flag}/--no-{flag[2:]}" if parameter.default else flag
        settings = {"is_flag": True}
    elif Sequence[int] in parameter.kinds:
        settings = {"type": whole_numbers, "metavar": "N,N,…"}
    elif {float, str} <= set(parameter.kinds):
        settings = {"type": number_or(parameter.choices), "metavar": "|".join(("NUMBER", *parameter.choices))}
    elif parameter.choices:
        settings = {"type": click.Choice(parameter.choices)}
    elif parameter.name.endswith("_column"):
        settings = {"type": COLUMN}
    else:
        plain = [kind for kind in (int, float, str) if kind in parameter.kinds]
        if not plain:
            return None
        settings = {"type": plain[0]}
    words = re.sub(r"[`\"]", "", re.sub(r" \(see [^)]*\)|; see `[^;]*`", "", parameter.help))  # no pointers to code
    words = re.split(r"(?<=[^.]\.) (?=[A-Z])", words)[0]
    if not (required or default is None or isinstance(default, bool)):
        words += f"  [default: {','.join(map(str, default)) if isinstance(default, tuple) else default}]"
    kind = click.Option if parameter.often or required else Rare
    help = words[:1].upper() + words[1:]
    return kind(
        [flag, parameter.name], default=own_default, show_default=False, required=required, help=help, **settings
    )


class MetricCommand(ShortHelp):
    """A command with `--metric`, whose other options are its own and those of the metric that is named.

    The callback gets the metric's `MetricSpec` as `spec`, and all options of the metric among its keyword arguments.

    Attributes:
        several: whether several metrics may be named.
    """

    several = False

    def parse_args(self, ctx: click.Context, args: list[str]) -> list[str]:
        """Find the metric first, since it decides which options there are."""
        args = [*_advised(args, ctx), *args] if ADVICE in self.params else args
        names = list(dict.fromkeys(values_of(args, "--metric")))
        if len(names) > 1 and not self.several:
            raise click.UsageError(f"{self.name} takes one metric, but got {', '.join(names)}", ctx)
        specs = [chosen(metric_names(), name, ctx) for name in names] or [self._implied(args)]
        ctx.meta[_NAMED], ctx.meta[_BROUGHT] = bool(names), tuple(options_for(spec, self) for spec in specs)
        try:
            rest = super().parse_args(ctx, args)
        except (click.NoSuchOption, click.BadParameter) as error:
            if names or getattr(error, "param", None) in self.params:  # of an option that any metric leaves
                raise
            chosen_so = f"Where no metric is named, it is {specs[0].name}; for options of another add --metric NAME."
            raise click.UsageError(f"{error.format_message()} {chosen_so}", error.ctx) from error
        ctx.params["spec"] = specs[0]
        return rest

    def get_params(self, ctx: click.Context) -> list[click.Parameter]:
        """Return the command's parameters, those of its metrics before `--help`."""
        *options, help_all, help = super().get_params(ctx)
        brought = {option.name: option for metric in reversed(brought_by(ctx)) for option in metric.shown}
        return [*options, *brought.values(), help_all, help]

    def _implied(self, args: Sequence[str]) -> MetricSpec:
        """Return the metric that is meant where none is named: one that the given options imply, or the default."""
        options = {argument.partition("=")[0] for argument in args}
        by_references = self.name == "score" and "--with" not in options
        by_references = by_references and not options.isdisjoint(("--references", "--reference-columns"))
        for spec in map(metric_spec, metric_names()):  # one by one: the first that fits is often the first of all
            if spec.needs_references if by_references else not options.isdisjoint(spec.implied_by):
                return spec
        return default_metric()

    def sections(self, ctx: click.Context) -> dict[str, list[click.Parameter]]:
        """Return the command's own options, and those of a metric that is named."""
        sections, metric = {"Options": super().get_params(ctx)}, brought_by(ctx)[0]
        if self.name == "score" or metric_is_named(ctx):
            sections[f"Options of {metric.spec.name}"] = metric.shown
        return sections

    def format_epilog(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        """Say that each metric has options."""
        formatter.write_paragraph()
        formatter.write_text(f"This is with {brought_by(ctx)[0].spec.name}; for others add --metric NAME.")
        super().format_epilog(ctx, formatter)


METRIC = click.Option(
    ["--metric"], metavar="NAME", expose_value=False, help="The metric, one of `referenceless hub metrics`."
)
#: `--metric`, which `MetricCommand` reads.
metric_option = adding(METRIC)
ADVICE = Rare(["--advice"], metavar="FOLDER", expose_value=False, help="What `advise -o` wrote: its metric is taken.")


def _advised(args: Sequence[str], ctx: click.Context) -> list[str]:
    """Return the options of the metric that `--advice` names.

    Raises:
        click.UsageError: for what `advise` did not write.
    """
    options: list[str] = []
    for place in values_of(args, "--advice"):
        from referenceless_metrics.pages.embedded import read_page

        page = read_page(place)
        *named, file = page["options"] or [""]
        if not named:
            raise click.UsageError(f"{place} names no metric: it is no page of `advise`", ctx)
        options += [*named, str(Path(page["place"]).parent / file)]
    return options


def chosen(names: Collection[str], name: str, ctx: click.Context | None) -> MetricSpec:
    """Return the metric of this name.

    Raises:
        click.BadParameter: for another than those that a command takes.
    """
    if name not in names:
        raise click.BadParameter(f"{name!r} is not one of {', '.join(map(repr, names))}.", ctx, METRIC)
    return metric_spec(name)


def metrics_from(options: Record) -> list[Metric]:
    """Return all metrics that the options of the command that runs describe."""
    data_dir = options["reading"].data_dir if "reading" in options else None
    return [brought.make(values, data_dir) for brought, values in _brought(options)]


def check_options(options: Record) -> None:
    """Say what is wrong with the metric's options before any file is read.

    Raises:
        click.UsageError: naming the options.
    """
    for brought, values in _brought(options):
        brought.check(values)


def brought_by(ctx: click.Context) -> tuple[MetricOptions, ...]:
    """Return the options of each metric of a command line, the first one's first."""
    brought: tuple[MetricOptions, ...] = ctx.meta.get(_BROUGHT, ())
    return brought or (options_for(default_metric(), ctx.command),)


def metric_is_asked_for(ctx: click.Context) -> bool:
    """Return whether the command line names a metric, or gives one of its options."""
    given_here = map(
        ctx.get_parameter_source, (str(each.name) for brought in brought_by(ctx) for each in brought.shown)
    )
    return metric_is_named(ctx) or ParameterSource.COMMANDLINE in given_here


def metric_is_named(ctx: click.Context) -> bool:
    """Return whether the command line names a metric."""
    return bool(ctx.meta.get(_NAMED))


def _brought(options: Options) -> list[tuple[MetricOptions, Record]]:
    """Return the options of each metric of the command that runs, and their values among all that it was given."""
    brought = brought_by(click.get_current_context())
    return [(each, {str(option.name): options[str(option.name)] for option in each.shown}) for each in brought]


def options_for(spec: MetricSpec, command: click.Command | None = None) -> MetricOptions:
    """Return a metric's options beside a command's own: those that it brings, or those of its parameters."""
    kind: type[MetricOptions] = MetricOptions if spec.options is None else spec.options()
    return kind(spec, {option.name for option in command.params} if command is not None else ())


def values_of(args: Sequence[str], option: str) -> list[str]:
    """Return what arguments give an option, before they are parsed.

    >>> values_of(["--metric", "slor", "a.txt", "--metric=fluency", "--", "--metric"], "--metric")
    ['slor', 'fluency']
    """
    values, before = [], ""
    for argument in args:
        if before == option:
            values.append(argument)
        elif argument == "--":
            break
        elif argument.startswith(f"{option}="):
            values.append(argument.partition("=")[2])
        before = "" if before == option else argument
    return values
