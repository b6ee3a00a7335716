"""The ratings of a study, read from the raters' files and brought to the outputs that they are of.

A file of ratings is a table (CSV, TSV, JSON lines or Parquet) in the study's folder `ratings/`, with the columns
`study` (the study's name), `rater`, `screen` (counted from 1), `output` (the letter on the screen, or `AB` of a
preference), `criterion` (its name; optional if the study has one criterion), `rating` (a number of the scale or the
word for it, or `A`, `tie`, `B`; of the criterion `spans` the marked errors as JSON; `cannot judge` of a rater who does
not want to guess; nothing if the output is unrated) and, optional, `time`, `comment` and `text`. It names no system:
raters may look into it. Files in the folder `left_out/` are of raters who do not count.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from itertools import combinations, product
from pathlib import Path
from shlex import quote
from typing import TYPE_CHECKING, NamedTuple

from referenceless_metrics.core.files.escaping import no_formula
from referenceless_metrics.core.files.formats import FORMATS
from referenceless_metrics.core.files.left_out_rows import is_blank
from referenceless_metrics.core.files.tables import Table
from referenceless_metrics.core.files.text_io import read_table
from referenceless_metrics.core.support.validation import InputError, Record, describe, finite_number
from referenceless_metrics.human_evaluation.exports.spans import mqm_score
from referenceless_metrics.human_evaluation.ratings.copies import COPY
from referenceless_metrics.human_evaluation.studies.criteria import CANNOT_JUDGE, PREFERENCE
from referenceless_metrics.human_evaluation.studies.design import FILE, LEFT_OUT, LETTERS, RATINGS, Design, Screen
from referenceless_metrics.human_evaluation.studies.spans import (
    SPANS,
    MarkedSpan,
    SpanTask,
    spans_of_json,
    written_spans,
)

if TYPE_CHECKING:
    import pandas as pd

Place = tuple[str, int, str, str]
"""A rater, the number of a screen, the output on it that is rated, and the criterion's name."""

_NEEDED = ("study", "rater", "screen", "output", "rating")


class Judgement(NamedTuple):
    """One answer of a rater, as it was given.

    Attributes:
        rater: the rater.
        screen: the screen's number, from 1.
        output: the letter of the output on it, or `AB`.
        criterion: the criterion's name; "" for one without a name.
        rating: a number of the scale, or the share of a win for A: 1, .5 or 0; NaN if there is none.
        time: the time of the answer, as the file has it; "" if it has none.
        comment: the rater's comment, likewise.
        spans: the errors that were marked, of the criterion `spans`, whose rating is their score (`mqm_score`).
    """

    rater: str
    screen: int
    output: str
    criterion: str
    rating: float
    time: str = ""
    comment: str = ""
    spans: tuple[MarkedSpan, ...] | None = None

    @property
    def place(self) -> Place:
        """The place to which the answer belongs."""
        return self.rater, self.screen, self.output, self.criterion


@dataclass(frozen=True, eq=False)
class StudyRatings:
    """A study's ratings, brought to the systems.

    Attributes:
        design: the study's.
        judgements: answers of raters, one per criterion for each thing that was on a screen; NaN of those who could not
            judge.
        table: the same as a long table, a row for each system's output, or pair of systems of a preference: `item` (its
            place in the systems' files, counted from 0), `system` and `text`, or `system_a` and `system_b` (the pair in
            the design's order), `rater`, `rating` or `preference` (the share of a win for `system_a`; NaN for questions
            that the design asked and nobody answered), `criterion` (if criteria have names), `repeat` (whether the
            rater had rated the same before: such rows are for self-agreement, not for scores), `screen` (counted from
            1; 0 if nothing was shown), `time` ("" if it is not known) and `copy`. An output that several systems wrote
            was shown once, and has a row for each: all but the first are copies, which are no answers of their own. Of
            preferences, two equal outputs are a tie of each rater who rates the item.
        left_out: the raters whose files lie in the folder `left_out/`; none of the others knows of them.
    """

    design: Design
    judgements: tuple[Judgement, ...]
    table: pd.DataFrame
    left_out: tuple[str, ...] = ()


def read_study(folder: str | Path, words: Mapping[str, float] | None = None) -> StudyRatings:
    """Read a study's design and all ratings that there are, brought to the systems.

    Args:
        folder: the study's.
        words: numbers that further words in the ratings stand for, NaN for a missing rating; None for none.

    Raises:
        InputError: for a folder without a study or without ratings, an edited key, ratings of another study, an unknown
            rater, a rating off the scale, an output that is not in the study, one that was rated twice, and ratings of
            one rater in two files.
    """
    import pandas as pd

    drawn = Design.read(folder)
    files = rating_files(folder)
    if not files:
        gather = f"gather them by `referenceless rate {folder}`, or put the raters' files there"
        raise InputError(f"{Path(folder) / RATINGS}: there are no ratings yet: {gather}")
    answers: dict[Place, Judgement] = {}
    sources: dict[str, Path] = {}
    left_out = raters_left_out(folder, drawn, words)
    for file in files:
        in_file = read_ratings(file, drawn, words)
        for rater in {rater for rater, *_ in in_file}:
            if sources.setdefault(rater, file) != file:
                raise InputError(f"{file}: {sources[rater]} holds ratings of {rater!r} too; leave one file a rater")
        twice = sorted({rater for rater, *_ in in_file}.intersection(left_out))
        if twice:
            raise InputError(f"{file}: {twice[0]!r} is left out by a file in {LEFT_OUT}/: leave one of the two files")
        answers |= in_file
    design = drawn.without(left_out)
    if not all(item.raters for item in design.items):
        raise InputError(f"{folder}: without {', '.join(left_out)} ({LEFT_OUT}/) nobody rates some of the items")
    rows = [
        row
        for rater, screens in design.raters.items()
        for number, screen in enumerate(screens, 1)
        for output, criterion in design.asked_on(screen)
        for row in _rows(design, screen, _judgement_at(answers, (rater, number, output, criterion)))
    ]
    if design.are_preferences:
        rows += _identical(design, sources)
    return StudyRatings(design, tuple(answers.values()), pd.DataFrame(rows), left_out)


def raters_left_out(folder: str | Path, design: Design, words: Mapping[str, float] | None = None) -> tuple[str, ...]:
    """Return the raters whose files lie in the folder `left_out/`, by name."""
    files = rating_files(folder, LEFT_OUT)
    return tuple(sorted({rater for file in files for rater, *_ in read_ratings(file, design, words)}))


def left_out_note(study: StudyRatings) -> str:
    """Say which raters are left out; "" if none are."""
    if not study.left_out:
        return ""
    return f"left out: {', '.join(study.left_out)}, whose ratings lie in the study's folder {LEFT_OUT}/"


def _judgement_at(answers: Mapping[Place, Judgement], place: Place) -> Judgement:
    """Return the answer at a place, or one that is missing."""
    return answers.get(place) or Judgement(*place, math.nan)


def rating_files(folder: str | Path, of: str = RATINGS) -> list[Path]:
    """Return the files of ratings in a study's folder, by name; with `LEFT_OUT` those that do not count."""
    return sorted(
        path
        for path in (Path(folder) / of).glob("*.*")
        if path.suffix[1:].lower() in FORMATS and not path.name.startswith(".")
    )


def read_ratings(file: str | Path, design: Design, words: Mapping[str, float] | None = None) -> dict[Place, Judgement]:
    """Return the answers in one file.

    Raises:
        InputError: like `read_study`.
    """
    return read_answers(file, design, words)[0]


def read_answers(
    file: str | Path, design: Design, words: Mapping[str, float] | None = None
) -> tuple[dict[Place, Judgement], dict[Place, Judgement]]:
    """Return the answers in one file, and the comments on outputs that are not rated.

    Args:
        file: a rater's file.
        design: the study's.
        words: see `read_study`.

    Raises:
        InputError: like `read_study`.
    """
    table = read_table(str(file))
    for name in _NEEDED:
        table.column(name, "of the ratings")
    answers: dict[Place, Judgement] = {}
    comments: dict[Place, Judgement] = {}
    for number, read in enumerate(table.rows):
        row = {**read, "rating": _in_numbers(read["rating"], words)} if words else read
        try:
            judgement = judgement_of(design, row)
            if judgement.place in answers:
                by = f" by {judgement.criterion}" if judgement.criterion else ""
                raise InputError(
                    f"{judgement.rater!r} rated output {judgement.output} of screen {judgement.screen} twice{by}"
                )
        except InputError as error:
            raise InputError(f"{table.where(number)}: {error}") from None
        if not is_blank(row["rating"]):
            answers[judgement.place] = judgement
        elif judgement.comment:
            comments[judgement.place] = judgement
    return answers, comments


def check_no_sheet(table: Table) -> None:
    """Check that a table of ratings is no rater's file of a study, whose design alone tells systems and items.

    Raises:
        InputError: for such a file, naming the study's folder if it lies in one.
    """
    if not set(_NEEDED).issubset(table.columns):
        return
    folder = Path(table.source).parent.parent
    place = quote(str(folder)) if (folder / FILE).is_file() else "the study's folder"
    raise InputError(
        f"give {place} in place of {table.source}: this is a rater's file of a study, and only the study's {FILE} "
        "tells which system wrote an output"
    )


def _in_numbers(cell: object, words: Mapping[str, float]) -> object:
    """Return the number that a word stands for, "" for a missing rating; any other cell as it is."""
    number = words.get(" ".join(str(cell).split()).lower())
    if number is None:
        return cell
    return "" if math.isnan(number) else f"{number:g}"


def judgement_of(design: Design, row: Record) -> Judgement:
    """Return the answer that a row of a rater's file holds; see the module's docstring.

    Raises:
        InputError: for another study, an unknown rater, an output or a criterion that is not in the study, or a rating
            off the scale.
    """
    study, rater, screen, output, rating = (row[name] for name in _NEEDED)
    if study != design.study:
        raise InputError(f"this is a rating of study {study!r}, and the study is {design.study!r}")
    if rater not in design.raters:
        raise InputError(f"unknown rater {rater!r}; the study's are {', '.join(design.raters)}")
    screens, number = design.raters[rater], int(finite_number(screen) or 0)
    if not 0 < number <= len(screens) or output not in design.outputs_on(screens[number - 1]):
        raise InputError(f"output {output!r} of screen {screen} is not in the study of {rater!r}")
    shown, text = design.texts(screens[number - 1])[LETTERS.index(output[0])], row.get("text")
    if text not in (None, shown, no_formula(shown)):  # spreadsheets get texts without formulas
        raise InputError(
            f"{describe(text)} is not in the study: output {output!r} of screen {screen} of {rater!r} is "
            f"{describe(shown)}"
        )
    time, comment = (str(row.get(name) or "") for name in ("time", "comment"))
    named = str(row.get("criterion") or "").strip()
    if design.spans is not None and named == SPANS:
        score, spans = _marked(design.spans, rating, shown)
        return Judgement(rater, number, output, SPANS, score, time, comment, spans)
    criterion = design.criterion(named)
    answer = math.nan if is_blank(rating) else criterion.answer(str(rating).strip())
    if answer is None:
        raise InputError(
            f"expected {criterion.expected} as a rating, but got {describe(rating)}; --values WORD=NUMBER tells the "
            "number of a word"
        )
    return Judgement(rater, number, output, criterion.name, answer, time, comment)


def _marked(task: SpanTask, answer: object, text: str) -> tuple[float, tuple[MarkedSpan, ...] | None]:
    """Return the score of the errors that a rater marked in a text, and the errors; NaN and None if there are none yet.

    Raises:
        InputError: for anything but marked errors.
    """
    if is_blank(answer) or str(answer).strip().casefold() == CANNOT_JUDGE:
        return math.nan, None
    spans = spans_of_json(str(answer), text, task)
    return mqm_score(marked.span for marked in spans), spans


def _rows(design: Design, screen: Screen, judgement: Judgement) -> Iterator[Record]:
    if screen.check:  # of no system's output
        return
    item = design.items[screen.item]
    common: Record = {"item": item.item, "rater": judgement.rater, "repeat": screen.repeat}
    common |= {"screen": judgement.screen, "time": judgement.time}
    if design.has_named_criteria:
        common["criterion"] = judgement.criterion
    if not design.are_preferences:
        for place, system in enumerate(screen.outputs[LETTERS.index(judgement.output)]):
            of_system = {"system": design.systems[system], "rating": judgement.rating, "text": item.outputs[system]}
            yield {**of_system, **common, COPY: place > 0}
        return
    for place, (first, second) in enumerate(product(*screen.outputs)):
        share = judgement.rating if first < second else 1 - judgement.rating
        system_a, system_b = (design.systems[each] for each in sorted((first, second)))
        yield {"system_a": system_a, "system_b": system_b, PREFERENCE: share, **common, COPY: place > 0}


def n_unshown_ties(study: StudyRatings) -> int:
    """Return the number of ties by each criterion between equal outputs, which nobody was shown; 0 for ratings."""
    design = study.design
    if not design.are_preferences:
        return 0
    raters = study.table["rater"].unique()
    return sum(1 for _ in _identical(design, raters)) // len(design.criteria)


def _identical(design: Design, raters: Iterable[str]) -> Iterator[Record]:
    """Yield a tie for each two equal outputs, by each criterion, of each rater of the item whose ratings there are."""
    for item in design.items:
        rated_by = sorted(set(item.raters).intersection(raters))
        for (first, text), (second, other) in combinations(zip(design.systems, item.outputs, strict=True), 2):
            if text != other:
                continue
            for rater, criterion in product(rated_by, design.criteria):
                row: Record = {"item": item.item, "repeat": False, "screen": 0, "time": "", COPY: False}
                row |= {"system_a": first, "system_b": second, "rater": rater, PREFERENCE: 0.5}
                if design.has_named_criteria:
                    row["criterion"] = criterion.name
                yield row


def written(design: Design, judgement: Judgement) -> str:
    """Return an answer as it stands in a rater's file."""
    if judgement.rating != judgement.rating:
        return CANNOT_JUDGE
    if judgement.spans is not None:
        return written_spans(judgement.spans)
    return design.criterion(judgement.criterion).scale.written(judgement.rating)


class MarkedOutput(NamedTuple):
    """An output with the errors that one rater marked.

    Attributes:
        item: its place in the systems' files, counted from 0.
        system: the system.
        rater: the rater who marked it.
        text: the output.
        spans: the errors, none if nothing is wrong.
        marked_before: the errors that were marked beforehand.
    """

    item: int
    system: str
    rater: str
    text: str
    spans: tuple[MarkedSpan, ...]
    marked_before: tuple[MarkedSpan, ...]


def marked_outputs(study: StudyRatings) -> list[MarkedOutput]:
    """Return each system's outputs with the errors that raters marked, without repeats and checks."""
    design = study.design
    found = []
    for judgement in sorted(study.judgements, key=lambda each: each.place):
        screen = design.raters[judgement.rater][judgement.screen - 1]
        if judgement.spans is None or design.spans is None or screen.check or screen.repeat:
            continue
        item = design.items[screen.item]
        for system in screen.outputs[LETTERS.index(judgement.output)]:
            text = item.outputs[system]
            before = design.spans.marked_before(text)
            name = design.systems[system]
            found.append(MarkedOutput(item.item, name, judgement.rater, text, judgement.spans, before))
    return found
