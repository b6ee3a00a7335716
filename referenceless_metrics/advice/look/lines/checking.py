"""Command lines that a table's doubtful keys may spoil: each reads the file as the command does before it is shown."""

from __future__ import annotations

import shlex
import warnings
from collections.abc import Callable, Sequence
from functools import cache
from itertools import pairwise

import click

from referenceless_metrics.advice.look.columns.choosing import texts_of
from referenceless_metrics.advice.look.lines.parts import OTHER, Parts
from referenceless_metrics.advice.look.lines.words_of_labels import TO_FILL_IN
from referenceless_metrics.core.files.tables import Table
from referenceless_metrics.core.support.validation import InputError, shortened
from referenceless_metrics.human_evaluation.ratings.keys import holds_items

_KEYS = ("item", "system", "rater", "criterion", "cluster", "slice", "system_a", "system_b")
_LONGEST = 1000  # letters of a refusal in a note


def are_doubtful(table: Table, parts: Parts) -> bool:
    """Say whether commands may refuse a table.

    They may if some cells of keys are blank, several rows have the same keys, a column that no part has is called as
    one that holds items, or words tell the better of two outputs.
    """
    names = [name for part in _KEYS if (name := parts.first(part)) is not None]
    if not names or (not parts.ratings and not parts.winners and not parts.first("preference")):
        return False
    if parts.first("preference") is not None or any(
        holds_items(column) for column in table.columns if column not in names
    ):
        return True
    rows = list(zip(*(texts_of(table, name) for name in names), strict=True))
    return len(set(rows)) < len(rows) or any(not cell.strip() for row in set(rows) for cell in row)


def without_refused(lines: Sequence[str]) -> tuple[list[str], list[str]]:
    """Return the command lines by which files can be read, and remarks on commands that would refuse all of theirs."""
    kept: list[str] = []
    refused: dict[str, str] = {}
    refusal = cache(refusal_of)
    for line in lines:
        readable = _with_readable_items(line, refusal)
        told = refusal(readable)
        if not told:
            kept.append(readable)
        else:
            refused.setdefault(readable.split()[1], told)
    left = {line.split()[1] for line in kept}
    return kept, [f"`{name}` asks for more: {told}" for name, told in refused.items() if name not in left]


def _with_readable_items(line: str, refusal: Callable[[str], str]) -> str:
    """Return a line of `evaluate` as it is, or with items as clusters if these repeat and each row is an output.

    Args:
        line: the command line.
        refusal: `refusal_of`.
    """
    words = shlex.split(line)
    if words[1] != "evaluate" or words.count("--item-column") != 1 or not refusal(line):
        return line
    other = shlex.join("--cluster-column" if word == "--item-column" else word for word in words)
    return line if refusal(other) else other


def refusal_of(line: str) -> str:
    """Return what a command says that cannot read its files; "" if it reads them, and for lines that are no such ones.

    Lines on ratings, and on scores beside them, are read. Words that are to be filled in, and files that are to come,
    refuse nothing.
    """
    _, name, *words = shlex.split(line)
    values = [after for before, after in pairwise(words) if before == "--values"]
    if OTHER in words or any(value.endswith("=") or TO_FILL_IN.search(value) for value in values):
        return ""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        try:
            if name == "human-score":
                _read_for_human_score(words)
            elif name == "agreement":
                _read_for_agreement(words)
            elif name == "evaluate" and "--scores" in words:
                _read_for_evaluate(words)
        except (InputError, click.ClickException) as error:
            message = error.format_message() if isinstance(error, click.ClickException) else str(error)
            return shortened(message, _LONGEST)
    return ""


def _read_for_human_score(words: Sequence[str]) -> None:
    from referenceless_metrics.human_evaluation.commands.human_score import human_score, read_ratings

    options = human_score.make_context("human-score", list(words), obj=("human-score", *words)).params
    read_ratings(options["rating_files"], [], options, alone=True)


def _read_for_agreement(words: Sequence[str]) -> None:
    from referenceless_metrics.human_evaluation.commands.agreement import agreement, answers_of_table

    options = agreement.make_context("agreement", list(words), obj=("agreement", *words)).params
    answers_of_table(options["ratings"], options)


def _read_for_evaluate(words: Sequence[str]) -> None:
    from referenceless_metrics.human_evaluation.commands.evaluate import judge_card, judge_files
    from referenceless_metrics.human_evaluation.commands.judged_files import read_judged

    options = judge_card.make_context("evaluate", list(words), obj=("evaluate", *words)).params
    read_judged(
        options["scores"], options["ratings"], options["earlier"], options["score_columns"], judge_files(options)
    )
