"""The options that say which columns of ratings are read, and how; the same in all commands that read ratings."""

from __future__ import annotations

import re
from typing import Any

import click

from referenceless_metrics.command_line.help import Rare
from referenceless_metrics.command_line.rated_text_options import scale_ends
from referenceless_metrics.command_line.reading_options import sets_reading
from referenceless_metrics.command_line.text_options import COLUMN, option_of_column
from referenceless_metrics.core.files.number_words import parse_values
from referenceless_metrics.core.support.validation import InputError, Options, finite_number
from referenceless_metrics.human_evaluation.exports.spans import parse_mqm_weights
from referenceless_metrics.human_evaluation.ratings.columns import COLUMNS_ARE, ENDS, RATERS, RatingColumns

_NAMES = {
    "item": "Column with what each output was made for  [default: item, if there is one]",
    "system": "Column with the system, named as its file, with or without suffix  [default: system, if there is one]",
    "rater": "Column with who rated  [default: rater, if there is one]",
    "criterion": "Column with what outputs are rated by  [default: criterion, if there is one]",
    "cluster": "Column with what items lie together in, such as a document or a dialogue; or a file with a line "
    "for each item.",
    "slice": "Column with the part that items are in; each part is compared alone, too.",
    "preference": "Column with the preferred system or side  [default: preference, if there is one]",
    "system-a": "Column with the first of two compared systems  [default: system_a]",
    "system-b": "Column with the second  [default: system_b]",
}

PREFERENCES_NAMED = "a column of preferences is named by --preference-column NAME"
"""The end of a message on a table without ratings, of commands that read preferences, too."""


def _values(ctx: click.Context, parameter: click.Parameter, text: str | None) -> dict[str, float] | None:
    """Return the numbers of words, by which answers of surveys are read, too."""
    if text is None:
        return None
    try:
        words = parse_values(text)
    except InputError as error:
        raise click.BadParameter(str(error).removeprefix("--values: ")) from None
    sets_reading("words")(ctx, parameter, words)
    return words


def _scales(_: click.Context, __: click.Parameter, texts: tuple[str, ...]) -> dict[str, tuple[float, float]]:
    """Return the ends of scales by criterion, from NAME=LOW-HIGH."""
    scales = {}
    for text in texts:
        name, _equals, ends = text.rpartition("=")
        if not name:
            raise click.BadParameter(f"expected NAME=LOW-HIGH, such as fluency=1-5, but got {text!r}")
        scales[name.strip()] = scale_ends(ends)
    return scales


def _weights(text: str) -> dict[str, float]:
    try:
        return parse_mqm_weights(text)
    except InputError as error:
        raise click.BadParameter(str(error)) from None


def differences_to_find(context: click.Context, option: click.Parameter, texts: tuple[str, ...]) -> dict[str, float]:
    """Return the differences to find by the name of their criterion, "" for all criteria."""
    differences = {}
    for text in texts:
        name, _, number = text.rpartition("=")
        difference = finite_number(number)
        if difference is None or difference <= 0:
            raise click.BadParameter(
                f'expected a number above 0, or one of a criterion, such as "fluency=0.5", but got {text!r}',
                context,
                option,
            )
        differences[name.strip()] = difference
    return differences


def column_option(name: str) -> click.Option:
    """Return the option that names the column of some content."""
    return option_of_column(name, _NAMES[name])


RATING_COLUMNS = click.Option(
    ["--rating-column", "rating_columns"],
    type=COLUMN,
    multiple=True,
    help="Column with the ratings; several are of a rater each  [default: rating]",
)
_OF_OUTPUTS = "Column of rated outputs; without it `text`, or the one that holds the systems' outputs."
RATINGS_TEXT_COLUMN = Rare(["--ratings-text-column"], type=COLUMN, help=_OF_OUTPUTS)
PLAIN_RATINGS_TEXT_COLUMN = click.Option(["--ratings-text-column"], type=COLUMN, help=_OF_OUTPUTS)
COLUMNS = Rare(
    ["--columns-are"],
    type=click.Choice(COLUMNS_ARE),
    default=RATERS,
    show_default=True,
    help="Whose several columns of ratings are; criteria are each analysed, and corrected for together.",
)


def bad_condition(text: str) -> Any:
    """Return the condition of what counts as bad that an option is given."""
    from referenceless_metrics.human_evaluation.judges.limits import Bad

    try:
        return Bad.parse(text)
    except InputError as error:
        raise click.BadParameter(str(error)) from None


_OF_CRITERION = re.compile(r"([^<>=]*?)\s*([<>]=?.*)", re.DOTALL)


def _bad_by_criterion(_: click.Context, __: click.Parameter, texts: tuple[str, ...]) -> dict[str, Any] | None:
    """Return the conditions of what counts as bad by criterion, "" for all; None without any."""
    found: dict[str, Any] = {}
    for text in texts:
        match = _OF_CRITERION.fullmatch(text.strip())
        criterion, condition = ("", text) if match is None else match.groups()
        if criterion in found:
            raise click.BadParameter(f"two conditions are of {criterion or 'all criteria'}: give one of each criterion")
        found[criterion] = bad_condition(condition)
    if "" in found and len(found) > 1:
        raise click.BadParameter("one condition is of all criteria, and others of one each: give either")
    return found or None


BAD_BY_CRITERION = Rare(
    ["--bad"],
    multiple=True,
    callback=_bad_by_criterion,
    metavar="CONDITION",
    help='Ratings that count as bad, as "<=2", or by one criterion, as "fluency<=2" (may be repeated): the share of '
    "such outputs is compared, and lower is better.",
)
BAD = Rare(
    ["--bad"],
    type=bad_condition,
    metavar="CONDITION",
    help='Ratings that count as bad, as "<=2": says how many of them a limit of the scores catches, and of others.',
)
VALUES = Rare(
    ["--values"],
    callback=_values,
    metavar="WORD=NUMBER,…",
    help='Numbers that words in the ratings stand for: "no=0,yes=1"; nothing behind = is missing, nothing before it a '
    'blank cell: "x=1,=0".',
)
ERROR_WEIGHTS = Rare(
    ["--mqm-weights", "reading_error_weights"],
    type=_weights,
    expose_value=False,
    callback=sets_reading("error_weights"),
    metavar="SEVERITY=WEIGHT,…",
    help='Weights of marked errors beside the usual ones, as "Critical=10,Minor/Style=0.5".',
)
CRITERION_SCALES = Rare(
    ["--criterion-scale", "scales"],
    multiple=True,
    callback=_scales,
    metavar="NAME=LOW-HIGH",
    help="Ends of the scale of one criterion, if criteria have different scales; may be repeated.",
)
OVERALL = Rare(
    ["--overall"],
    is_flag=True,
    help="Take the mean of the criteria too; exploratory unless the study was drawn with it.",
)
A_IS = Rare(
    ["--a-is"],
    type=click.Choice(ENDS),
    help="Of preferences that are numbers: the end of the scale that prefers the first system.",
)


FIXED_SIDES = Rare(
    ["--fixed-sides"],
    is_flag=True,
    help="Take the sides that preferences name, as A and B, for two systems: each side is of one in all rows.",
)


def rating_columns(options: Options, **further: Any) -> RatingColumns:
    """Return the columns that a command line names.

    Args:
        options: the values of those of these options that the command has.
        further: columns by other options.
    """
    named = {
        name.replace("-", "_"): options[key]
        for name in _NAMES
        if (key := f"{name.replace('-', '_')}_column") in options
    }
    read = {"words": "values", "ratings": "rating_columns"}
    read |= {name: name for name in ("columns_are", "a_is", "fixed_sides")}
    named |= {field: options[key] for field, key in read.items() if key in options}
    return RatingColumns(**named, **further)
