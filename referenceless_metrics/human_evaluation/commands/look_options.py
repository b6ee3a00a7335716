"""Options of commands whose figures may be looked at while items come in."""

from __future__ import annotations

import click

from referenceless_metrics.command_line.adding import adding
from referenceless_metrics.command_line.help import Rare
from referenceless_metrics.core.support.validation import Options
from referenceless_metrics.human_evaluation.inference.any_time import FIRST_LOOK, PLANNED, Looks

_OPTIONS = (
    Rare(
        ["--every-look"],
        is_flag=True,
        help="Intervals, p and verdicts that hold however often you look while items come in, in random order.",
    ),
    Rare(
        ["--first-look"],
        type=click.IntRange(min=2),
        metavar="N",
        help=f"Complete items at the first look, fixed beforehand  [default: {FIRST_LOOK}]",
    ),
    Rare(
        ["--planned-items"],
        type=click.IntRange(min=2),
        metavar="N",
        help=f"Items of the plan, fixed beforehand: intervals are narrowest there  [default: a study's, or {PLANNED}]",
    ),
)

#: Options of a command whose findings may be looked at more than once.
look_options = adding(*_OPTIONS)

LOOK_OPTIONS = [str(option.name) for option in _OPTIONS]
"""The names of these options' values."""


def looks_of_study(options: Options, n_items: int) -> Looks | None:
    """Return when somebody looks at a study of so many items, which are its plan; None for one look.

    Raises:
        InputError: like `looks_of`.
        click.UsageError: like `looks_of`.
    """
    return looks_of(options, max(n_items, options["first_look"] or FIRST_LOOK))


def looks_of(options: Options, planned: int = PLANNED) -> Looks | None:
    """Return when somebody looks; None for one look.

    Args:
        options: the command's.
        planned: the items of the plan, if no option says so.

    Raises:
        InputError: for fewer planned items than at the first look.
        click.UsageError: for the plan of looks that nobody asked for.
    """
    first, items = options["first_look"], options["planned_items"]
    if not options["every_look"]:
        if first is not None or items is not None:
            raise click.UsageError("--first-look and --planned-items are for --every-look")
        return None
    return Looks(FIRST_LOOK if first is None else first, planned if items is None else items, options["level"])
