"""The ratings of a study, read from the raters' files and brought to the outputs that they are of.

A file of ratings is a table (CSV, TSV, JSON lines or Parquet) in the study's folder `ratings/`, with the columns
`study` (the study's name), `rater`, `screen` (counted from 1), `output` (the letter on the screen, or `AB` of a
preference), `rating` (a number of the scale, or `A`, `tie`, `B`; nothing where the output is unrated) and, optional,
`time` and `text`. It names no system: raters may look into it.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from itertools import combinations
from pathlib import Path
from typing import NamedTuple

from metric_commons.files.escaping import no_formula
from metric_commons.files.tables import FORMATS
from metric_commons.files.text_io import read_table
from metric_commons.support.errors import InputError
from metric_commons.support.validation import describe
from metric_commons.systems.studies.design import ANSWERS, LETTERS, RATINGS, Design, Screen

COLUMNS = ("study", "rater", "screen", "output", "rating", "time")


class Judgement(NamedTuple):
    """One answer of a rater, as it was given.

    Attributes:
        rater: who.
        screen: the screen's number, from 1.
        output: the letter of the output on it, or `AB`.
        answer: a number of the scale, or the share of a win for A: 1, .5 or 0; NaN where there is none.
        time: when, as the file says; "" where it does not.
    """

    rater: str
    screen: int
    output: str
    answer: float
    time: str = ""


class Rating(NamedTuple):
    """A row of the long table: one rater's rating of one system's output.

    Equal outputs were shown once, and the rating stands in a row for each of their systems.

    Attributes:
        item: the item's place in the systems' files, counted from 0.
        system: the system's name.
        rater: the rater's.
        rating: on the study's scale; NaN in `StudyRatings.missing`.
        text: the output.
        repeat: whether the rater had rated the same before; such rows are for self-agreement, not for scores.
        weight: how many items this one stands for.
        screen: the screen on which it was rated, counted from 1.
        time: when; "" where not known.
    """

    item: int
    system: str
    rater: str
    rating: float
    text: str
    repeat: bool
    weight: float
    screen: int
    time: str


class Preference(NamedTuple):
    """A row of the long table: one rater's preference between two systems' outputs of an item.

    Attributes:
        item: the item's place in the systems' files, counted from 0.
        system_a: a system's name; of two, the one that the design names first.
        system_b: the other's.
        rater: the rater's name.
        preference: 1 where the output of `system_a` is better, 0 where that of `system_b` is, .5 for a tie; NaN in
            `StudyRatings.missing`.
        identical: whether the two outputs are equal, which was not asked and counts as a tie of each of its raters.
        repeat: whether the rater had compared the same before; such rows are for self-agreement, not for scores.
        weight: how many items this one stands for.
        screen: the screen on which they were compared, counted from 1; 0 where they are identical.
        time: when; "" where not known.
    """

    item: int
    system_a: str
    system_b: str
    rater: str
    preference: float
    identical: bool
    repeat: bool
    weight: float
    screen: int
    time: str


@dataclass(frozen=True)
class StudyRatings:
    """A study with its ratings.

    Attributes:
        design: the study's.
        judgements: what raters answered, one row for each thing that was on a screen.
        ratings: the long table; none where `design.scale.is_preference`.
        preferences: the long table of preferences; none of any other study.
        missing: rows of the same kind for what the design asked and nobody answered, the rating NaN.
    """

    design: Design
    judgements: tuple[Judgement, ...]
    ratings: tuple[Rating, ...]
    preferences: tuple[Preference, ...]
    missing: tuple[Rating | Preference, ...]


def read_study(folder: str | Path) -> StudyRatings:
    """Read a study's design and all ratings that there are, brought to the systems.

    Raises:
        InputError: for a folder without a study or without ratings, an edited key, ratings of another study, an unknown
            rater, a rating off the scale, an output that is not in the study, one that was rated twice, and ratings of
            one rater in two files.
    """
    design = Design.read(folder)
    files = rating_files(folder)
    if not files:
        raise InputError(f"{Path(folder) / RATINGS}: there are no ratings yet; put the raters' files there")
    answers: dict[tuple[str, int, str], Judgement] = {}
    sources: dict[str, Path] = {}
    for file in files:
        for rater, given in read_ratings(file, design).items():
            if rater in sources:
                raise InputError(
                    f"{file}: {sources[rater].name} holds ratings of {rater!r} too; leave one file a rater"
                )
            sources[rater] = file
            answers |= {(rater, each.screen, each.output): each for each in given}
    rows: list[Rating | Preference] = []
    missing: list[Rating | Preference] = []
    for rater, screens in design.raters.items():
        for number, screen in enumerate(screens, 1):
            for output in design.answers_on(screen):
                found = answers.get((rater, number, output))
                judgement = found or Judgement(rater, number, output, math.nan)
                (missing if found is None else rows).extend(_rows(design, screen, judgement))
    if design.scale.is_preference:
        rows += _identical(design, set(sources))
    return StudyRatings(
        design,
        tuple(answers.values()),
        ratings=tuple(row for row in rows if isinstance(row, Rating)),
        preferences=tuple(row for row in rows if isinstance(row, Preference)),
        missing=tuple(missing),
    )


def rating_files(folder: str | Path) -> list[Path]:
    """Return the files of ratings in a study's folder, by name."""
    return sorted(
        path
        for path in (Path(folder) / RATINGS).glob("*.*")
        if path.suffix[1:].lower() in FORMATS and not path.name.startswith(".")
    )


def read_ratings(file: str | Path, design: Design) -> Mapping[str, list[Judgement]]:
    """Return the answers in one file, by rater.

    Raises:
        InputError: as `read_study`.
    """
    table = read_table(str(file))
    columns = [table.column(name, "of the ratings") for name in COLUMNS[:5]]
    found: dict[str, list[Judgement]] = {}
    known: set[tuple[str, int, str]] = set()
    for row, (study, rater, screen, output, rating) in enumerate(zip(*columns, strict=True)):
        where, more = table.where(row), table.rows[row]
        if study != design.study:
            raise InputError(f"{where}: this is a rating of study {study!r}, and the study is {design.study!r}")
        number = int(table.number(screen) or 0)
        place = str(output)
        try:
            check_place(design, rater, number, place, more.get("text"))
            if rating is None or str(rating).strip() == "":
                continue
            answer = check_answer(design, rating if table.number(rating) is None else table.number(rating))
        except InputError as error:
            raise InputError(f"{where}: {error}") from None
        if (rater, number, place) in known:
            raise InputError(f"{where}: output {output} of screen {number} is rated twice by {rater!r}")
        known.add((rater, number, place))
        found.setdefault(rater, []).append(Judgement(rater, number, place, answer, str(more.get("time") or "")))
    return found


def check_place(design: Design, rater: str, screen: int, output: str, text: object = None) -> None:
    """Check that a study asks a rater for something.

    Args:
        design: the study's.
        rater: who rated.
        screen: the screen's number, from 1.
        output: what was rated on it.
        text: that stands beside the rating; None where none does.

    Raises:
        InputError: for an unknown rater, and for an output that is not in the study.
    """
    if rater not in design.raters:
        raise InputError(f"unknown rater {rater!r}; the study's are {', '.join(design.raters)}")
    screens = design.raters[rater]
    if not 0 < screen <= len(screens) or output not in design.answers_on(screens[screen - 1]):
        raise InputError(f"output {output!r} of screen {screen} is not in the study of {rater!r}")
    shown = design.texts(screens[screen - 1])[LETTERS.index(output[0])]
    if text not in (None, shown, no_formula(shown)):  # spreadsheets get texts without formulas
        raise InputError(
            f"{describe(text)} is not in the study: output {output!r} of screen {screen} of {rater!r} is "
            f"{describe(shown)}"
        )


def check_answer(design: Design, rating: object) -> float:
    """Return an answer as a number; see `Scale.answer`.

    Raises:
        InputError: for one that is not on the scale.
    """
    answer = design.scale.answer(rating)
    if answer is None:
        scale = (
            " or ".join(ANSWERS)
            if design.scale.is_preference
            else f"a whole number from {design.scale.low} to {design.scale.high}"
        )
        raise InputError(f"expected {scale} as a rating, but got {describe(rating)}")
    return answer


def _rows(design: Design, screen: Screen, judgement: Judgement) -> Iterator[Rating | Preference]:
    item = design.items[screen.item]
    if not design.scale.is_preference:
        for system in screen.outputs[LETTERS.index(judgement.output)]:
            yield Rating(
                item=item.item,
                system=design.systems[system],
                rater=judgement.rater,
                rating=judgement.answer,
                text=item.outputs[system],
                repeat=screen.repeat,
                weight=item.weight,
                screen=judgement.screen,
                time=judgement.time,
            )
        return
    for first in screen.outputs[0]:
        for second in screen.outputs[1]:
            yield _preference(
                design, screen.item, (first, second), judgement, judgement.answer, repeat=screen.repeat, identical=False
            )


def _identical(design: Design, raters: set[str]) -> Iterator[Preference]:
    """Yield a tie for each two equal outputs, of each rater of the item whose ratings there are."""
    for place, item in enumerate(design.items):
        for pair in combinations(range(len(design.systems)), 2):
            if item.outputs[pair[0]] == item.outputs[pair[1]]:
                for rater in raters.intersection(item.raters):
                    yield _preference(
                        design, place, pair, Judgement(rater, 0, "AB", 0.5), 0.5, repeat=False, identical=True
                    )


def _preference(
    design: Design,
    place: int,
    pair: tuple[int, int],
    judgement: Judgement,
    share: float,
    *,
    repeat: bool,
    identical: bool,
) -> Preference:
    item = design.items[place]
    if pair[0] > pair[1]:
        pair, share = (pair[1], pair[0]), 1 - share
    return Preference(
        item=item.item,
        system_a=design.systems[pair[0]],
        system_b=design.systems[pair[1]],
        rater=judgement.rater,
        preference=share,
        identical=identical,
        repeat=repeat,
        weight=item.weight,
        screen=judgement.screen,
        time=judgement.time,
    )
