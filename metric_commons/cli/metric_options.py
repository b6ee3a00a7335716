"""Commands that take any metric: `--metric NAME` brings in the options of that metric's parameters."""

from __future__ import annotations

import inspect
import re
from collections.abc import Callable, Collection, Mapping, Sequence
from typing import Any, get_origin

import click

from metric_commons.cli.base import numbers, pairs
from metric_commons.metric import Metric
from metric_commons.registry import MetricSpec, imported, metric_spec, metric_specs
from metric_commons.support.parameters import Parameter, parameters_of

_SPEC = f"{__name__}.spec"
_DEFAULT = "wpslor"


class MetricOptions:
    """The options of a metric in the commands that take any: one for each parameter that a command line can give.

    A metric that takes more than its parameters brings a subclass.

    Args:
        spec: the metric's entry.
    """

    def __init__(self, spec: MetricSpec) -> None:
        self.spec = spec

    def parameters(self) -> list[click.Parameter]:
        """Return the options, in the order in which they are shown."""
        return [*options_of(self.spec.load("make"))]

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
    found = []
    for one in parameters_of(make).values():
        settings = None if one.name in {"progress", "estimator", *without} else _settings(one)
        if settings is not None:
            own = (defaults or {}).get(one.name)
            default = one.default if own is None else own
            required = default is inspect.Parameter.empty
            shown = None if required else _shown(default)
            settings.setdefault("declarations", [f"--{_hyphenated(one.name)}"])
            words = _in_short(one.help) + (f"  [default: {shown}]" if shown else "")
            names = [*settings.pop("declarations"), one.name]
            found.append(click.Option(names, default=own, required=required, help=words, **settings))
    return found


def adding(options: Sequence[click.Parameter]) -> Callable[[Any], Any]:
    """Return a decorator that adds options to a command, shown in this order."""

    def add(command: Any) -> Any:
        command.__click_params__ = [*getattr(command, "__click_params__", []), *reversed(options)]
        return command

    return add


def _settings(one: Parameter) -> dict[str, Any] | None:
    """Return how a parameter is given on a command line; None where it takes objects alone."""
    origins = {get_origin(kind) for kind in one.kinds}
    name = _hyphenated(one.name)
    if Mapping in origins:
        pair: dict[str, Any] = {"multiple": True, "callback": pairs, "metavar": "NAME=VALUE"}
        return {"declarations": [f"--{name.removesuffix('s')}"], **pair}
    if bool in one.kinds:
        return {"declarations": [f"--{name}/--no-{name}" if one.default else f"--{name}"], "is_flag": True}
    if Sequence[int] in one.kinds:
        return {"callback": numbers(int), "metavar": "N,N,…"}
    if {float, str} <= set(one.kinds):
        return {"type": _NumberOrWord(one.choices), "metavar": "|".join(("NUMBER", *one.choices))}
    if one.choices:
        return {"type": click.Choice(one.choices)}
    plain = [kind for kind in (int, float, str) if kind in one.kinds]
    if inspect.Parameter.empty in one.kinds and isinstance(one.default, (bool, int, float, str)):
        return _settings(Parameter(one.name, (type(one.default),), one.default, one.help, one.choices))
    return {"type": plain[0]} if plain else None


class _NumberOrWord(click.ParamType[Any]):
    """A number, or one of a few words."""

    name = "number"

    def __init__(self, words: Sequence[str]) -> None:
        self.words = words

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> Any:
        """Return the number, or the word."""
        if value in self.words:
            return value
        try:
            return float(value)
        except ValueError:
            self.fail(f"expected a number or {' or '.join(self.words)}, but got {value!r}", param, ctx)


def _hyphenated(name: str) -> str:
    return name.replace("_", "-")


def _in_short(words: str) -> str:
    """Return the first sentence of a docstring's words on an argument, without marks and pointers to code."""
    plain = re.sub(r"[`\"]|\*\*", "", re.sub(r" \(see [^)]*\)|; see `[^;]*`", "", words))
    sentence = re.split(r"(?<=[^.]\.) (?=[A-Z])", plain)[0]
    return sentence[:1].upper() + sentence[1:].rstrip(".") + "." if sentence else ""


def _shown(default: Any) -> str:
    if isinstance(default, (tuple, list)):
        return ",".join(map(str, default))
    return "" if default is None or isinstance(default, bool) else str(default)


class MetricCommand(click.Command):
    """A command with `--metric`, whose other options are its own and those of the metric that is named.

    The callback gets the metric's `MetricSpec` as `spec`, and all options of the metric among its keyword arguments.
    """

    def get_params(self, ctx: click.Context) -> list[click.Parameter]:
        """Return the command's own parameters and those of the metric."""
        spec: MetricSpec | None = ctx.meta.get(_SPEC)
        own = super().get_params(ctx)
        return own if spec is None else [*own[:-1], *_parameters(spec, self), own[-1]]

    def parse_args(self, ctx: click.Context, args: list[str]) -> list[str]:
        """Find the metric first, since it decides which options there are."""
        choices = {spec.name: spec for spec in metric_specs()}
        name = named_metric(args) or _default(choices, args if self.name == "score" else ())
        ctx.meta[_SPEC] = chosen(choices, name, ctx)
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
    return click.option("--metric", metavar="NAME", help="The metric; `referenceless hub metrics` lists them.")(command)


def chosen(choices: Mapping[str, MetricSpec], name: str, ctx: click.Context) -> MetricSpec:
    """Return the metric of this name among those that a command takes.

    Raises:
        click.BadParameter: for another name.
    """
    if name not in choices:
        raise click.BadParameter(
            f"{name!r} is not one of {', '.join(map(repr, choices))}.", ctx=ctx, param_hint="'--metric'"
        )
    return choices[name]


def metric_from(spec: MetricSpec, options: dict[str, Any]) -> Metric:
    """Return the metric that options describe."""
    return options_for(spec).make(_own(spec, options), options.get("data_dir"))


def check_options(spec: MetricSpec, options: dict[str, Any]) -> None:
    """Say what is wrong with a metric's options before any file is read.

    Raises:
        click.UsageError: naming the options.
    """
    options_for(spec).check(_own(spec, options))


def options_for(spec: MetricSpec) -> MetricOptions:
    """Return a metric's options: those that it brings, or those of its parameters."""
    kind: type[MetricOptions] = imported(spec.options) if spec.options else MetricOptions
    return kind(spec)


def _own(spec: MetricSpec, options: dict[str, Any]) -> dict[str, Any]:
    context = click.get_current_context(silent=True)
    return {str(one.name): options[str(one.name)] for one in _parameters(spec, context.command if context else None)}


def _parameters(spec: MetricSpec, command: click.Command | None) -> list[click.Parameter]:
    """Return a metric's options beside a command's own, which take the place of any that have the same name."""
    taken = {one.name for one in command.params} if command is not None else set()
    return [one for one in options_for(spec).parameters() if one.name not in taken]


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
