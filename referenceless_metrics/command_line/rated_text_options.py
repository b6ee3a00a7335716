"""Options on rated texts: the columns of ratings and of groups that are left out together, and the scale."""

from __future__ import annotations

import math
import re

import click

from referenceless_metrics.command_line.help import Rare
from referenceless_metrics.command_line.text_options import COLUMN

RATING_COLUMN = click.Option(["--rating-column"], type=COLUMN, default="rating", help="Column that holds the ratings.")


def scale_ends(value: str) -> tuple[float, float]:
    """Return the ends of a scale of ratings, from `LOW-HIGH`, or `LOW:HIGH`."""
    try:
        low, high = map(float, re.split("(?<=[^eE])[-:]", value, maxsplit=1))
    except ValueError:
        raise click.BadParameter(f"expected the ends of a scale as LOW-HIGH, but got {value!r}") from None
    if not -math.inf < low < high < math.inf:
        raise click.BadParameter(f"expected two finite ends of a scale, the lower first, but got {value!r}")
    return low, high


SCALE = click.Option(
    ["--scale"],
    type=scale_ends,
    metavar="LOW-HIGH",
    help="Ends of the ratings' scale; ratings and intervals lie on it.",
)

SYSTEM_COLUMN = click.Option(
    ["--system-column"],
    type=COLUMN,
    help="Column of the systems that wrote the texts: each is then also estimated from the others alone.",
)
GROUP_COLUMN = Rare(
    ["--group-column"],
    type=COLUMN,
    metavar="NAME",
    help="Column of what is left out together, such as a topic. `fit` and `evaluate` of quality estimation choose the "
    "model's settings so, too, which changes its ρ on systems.",
)
#: Options that name the units in which rated texts are left out.
GROUPINGS = (SYSTEM_COLUMN, GROUP_COLUMN)

WORSE_COLUMN = Rare(
    ["--worse-column"],
    type=COLUMN,
    metavar="NAME",
    help="Instead of ratings: column with texts that people like less than those of --text-column.",
)
