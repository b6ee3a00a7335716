"""Conditions on texts, such as `fluency > 0`, and the texts that meet them."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from typing import NamedTuple

import click
import numpy as np

from referenceless_metrics.core.results import MetricResult
from referenceless_metrics.core.support.comparisons import COMPARED
from referenceless_metrics.core.support.validation import Booleans, InputError, Integers, Numbers

_CONDITION = re.compile(r"\s*(\w+)\s*(<=|>=|<|>)\s*(\S+)\s*")


class Condition(NamedTuple):
    """A condition on texts: a figure of the metric, compared with a number.

    Attributes:
        figure: the metric's name, which means its value, or the name of one of its columns.
        sign: one of `<`, `<=`, `>` and `>=`.
        bound: the number.
    """

    figure: str
    sign: str
    bound: float


def conditions_of(text: str) -> list[Condition]:
    """Read conditions that are joined by `and`.

    >>> conditions_of("fluency > 0 and n_tokens>=5")[1]
    Condition(figure='n_tokens', sign='>=', bound=5.0)

    Raises:
        click.BadParameter: for other text.
    """
    conditions = []
    for part in re.split(r"\band\b", text):
        match = _CONDITION.fullmatch(part)
        try:
            conditions.append(Condition(match[1], match[2], float(match[3])))  # type: ignore[index]
        except (TypeError, ValueError):
            raise click.BadParameter(
                f"expected conditions such as 'fluency_ngram > -2', joined by 'and', but got {part.strip()!r}"
            ) from None
    return conditions


def passing(name: str, result: MetricResult, conditions: Sequence[Condition]) -> Booleans:
    """Return whether each text has a value and meets all conditions, shape (n,).

    Args:
        name: the metric's name.
        result: the metric's result for n texts.
        conditions: the conditions.

    Raises:
        InputError: for a figure that the metric does not have.
    """
    passes: Booleans = result.covered.copy()
    for _, _, places in _failing(name, result, conditions):
        passes[places] = False
    return passes


def failures(name: str, result: MetricResult, conditions: Sequence[Condition]) -> list[str]:
    """Return the first condition that each text fails, or the reason for its missing value; "" if it passes.

    Args:
        name: the metric's name.
        result: the metric's result for n texts.
        conditions: the conditions.

    Raises:
        InputError: for a figure that the metric does not have.
    """
    reasons = [reason or "" for reason in result.reasons]
    for condition, figures, places in _failing(name, result, conditions):
        for place in places.tolist():
            reasons[place] = f"{condition.figure} {figures[place]:.4g}, not {condition.sign} {condition.bound:g}"
    return reasons


def _failing(
    name: str, result: MetricResult, conditions: Sequence[Condition]
) -> Iterator[tuple[Condition, Numbers, Integers]]:
    """Yield each condition with its figures, shape (n,), and the places of the texts that fail it first."""
    passes = result.covered.copy()
    for condition in conditions:
        figures = _figures(condition.figure, name, result)
        meets = COMPARED[condition.sign](figures, condition.bound)
        yield condition, figures, np.flatnonzero(passes & ~meets)
        passes &= meets


def _figures(figure: str, name: str, result: MetricResult) -> Numbers:
    """Return the values or the column of a metric that a condition names."""
    columns = {**result.columns, name: result.values}
    if figure not in columns:
        raise InputError(f"--keep: the metric has no {figure!r}, but {', '.join(columns)}")
    return columns[figure]
