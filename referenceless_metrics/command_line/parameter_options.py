"""Options of a command made from the parameters of a class or function: their types, defaults and help."""

from __future__ import annotations

import inspect
import json
import re
from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import replace
from typing import Any, get_origin

import click

from referenceless_metrics.command_line.help import Rare
from referenceless_metrics.command_line.text_options import COLUMN
from referenceless_metrics.core.support.parameters import Parameter, parameters_of
from referenceless_metrics.core.support.validation import Options, Record


def given(values: Options) -> Record:
    """Return the values that were given on the command line."""
    return {name: value for name, value in values.items() if value is not None}


def options_of(
    make: Callable[..., Any], *, without: Collection[str] = (), seldom: Collection[str] = ()
) -> list[click.Option]:
    """Return an option for each parameter of a class or function that a command line can give.

    An option that is not given has the value None, so that the class keeps its default, except that commands use all
    processors. `progress` and `estimator` are left out: commands have their own `--progress`, and take no objects.

    Args:
        make: the class or the function; its docstring describes the options.
        without: names of parameters to leave out.
        seldom: names of parameters that the short help does not describe.
    """
    left_out = ("progress", "estimator", *without)
    parameters = [parameter for parameter in parameters_of(make).values() if parameter.name not in left_out]
    options = (_option(replace(each, often=each.often and each.name not in seldom)) for each in parameters)
    return [option for option in options if option is not None]


def whole_numbers(value: str) -> tuple[int, ...]:
    """Return numbers that are separated by commas."""
    try:
        return tuple(map(int, value.split(",")))
    except ValueError:
        raise click.BadParameter(f"expected whole numbers separated by commas, but got {value!r}") from None


def number_or(words: Sequence[str]) -> Callable[[str], float | str]:
    """Return the type of an option that takes a number or one of several words."""

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
    typed = _typed(parameter)
    if typed is None:
        return None
    flag, settings = typed
    own_default = -1 if parameter.name == "n_jobs" else None
    required = own_default is None and parameter.default is inspect.Parameter.empty
    kind = click.Option if parameter.often or required else Rare
    return kind(
        [flag, parameter.name],
        default=own_default,
        show_default=False,
        required=required,
        help=_help(parameter, own_default),
        **settings,
    )


def _typed(parameter: Parameter) -> tuple[str, Record] | None:
    """Return the flag of a parameter's option and the settings of its type; None if it takes objects alone."""
    flag = f"--{parameter.name.replace('_', '-')}"
    if any(get_origin(kind) is Mapping for kind in parameter.kinds):
        return flag.removesuffix("s"), {"multiple": True, "callback": pairs, "metavar": "NAME=VALUE"}
    if bool in parameter.kinds:
        return f"{flag}/--no-{flag[2:]}" if parameter.default else flag, {"is_flag": True}
    if Sequence[int] in parameter.kinds:
        return flag, {"type": whole_numbers, "metavar": "N,N,…"}
    if {float, str} <= set(parameter.kinds):
        metavar = "|".join(("NUMBER", *parameter.choices))
        return flag, {"type": number_or(parameter.choices), "metavar": metavar}
    if parameter.choices:
        return flag, {"type": click.Choice(parameter.choices)}
    if parameter.name.endswith("_column"):
        return flag, {"type": COLUMN}
    for kind in (int, float, str):
        if kind in parameter.kinds:
            return flag, {"type": kind}
    return None


def _help(parameter: Parameter, own_default: int | None) -> str:
    """Return the first sentence on a parameter in the docstring, with its default if this is a number or a word."""
    words = re.sub(r" \(see [^)]*\)|; see `[^;]*`", "", parameter.help)  # without pointers to code
    words = re.sub(r"[`\"]", "", words)
    sentence = re.split(r"(?<=[^.]\.) (?=[A-Z])", words)[0]
    help = sentence[:1].upper() + sentence[1:]
    default = own_default or parameter.default
    if default in (None, "") or default is inspect.Parameter.empty or isinstance(default, bool):
        return help
    shown = ",".join(map(str, default)) if isinstance(default, tuple) else default
    return f"{help}  [default: {shown}]"
