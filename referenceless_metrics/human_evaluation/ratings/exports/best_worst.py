"""Best-worst scaling: the best and the worst of three or more outputs or terms in a row, turned into ratings.

The forms: saifmohammad.com/WebPages/BestWorst.html (`item1` to `item4`, `BestItem`, `WorstItem`), and tables of systems
(`system_a` to `system_d`, `best`, `worst`). The best is 1, the worst −1, the others 0: the mean is the share of times
that one was best, less that of times that it was worst (Orme 2009; Kiritchenko & Mohammad 2016, "Capturing Reliable
Fine-Grained Sentiment Associations by Crowdsourcing and Best-Worst Scaling").
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from typing import NamedTuple

from referenceless_metrics.core.files.left_out_rows import is_blank
from referenceless_metrics.core.files.reading import from_json
from referenceless_metrics.core.support.validation import Record
from referenceless_metrics.human_evaluation.ratings.exports.answers import (
    ITEM,
    NO_ITEMS,
    RATER,
    RATING,
    SAMPLE,
    SYSTEM,
    TEXT,
    Answers,
    Export,
    column_called,
)
from referenceless_metrics.human_evaluation.ratings.exports.pair_columns import words_in

TOOL = "best-worst scaling"

_FEWEST = 3  # members of a tuple
_BEST, _WORST = frozenset(("best", "most")), frozenset(("worst", "least"))
_PLAIN = frozenset(("item", "answer", "choice", "input", "option", "term", "id", "index", "label"))
_SYSTEMS = frozenset(("system", "systems", "sys", "model", "models", "generator", "method"))
_FEW_SYSTEMS = 12
_SHOWN = 20  # terms whose scores a note tells
_MARKED = re.compile(r"(.*?)[ _.-]?(\d+|(?<![a-z])[a-hA-H]|(?<=[a-z])[A-H])")
_RATERS = re.compile(r"(?:.*\.)?(?:annotator|rater|worker|judge|user|participant|turker)(?:_?id)?")
_ITEMS = re.compile(
    r"(?:.*\.)?(?:item|doc|document|prompt|question|source|example|segment|seg|sent|sentence|instance|topic)(?:_?id)?|id"
)


class _Form(NamedTuple):
    """The columns of a table of best and worst.

    Attributes:
        members: the columns of the compared outputs, by their marks; one column alone holds lists.
        names: the columns of the systems of `members`; the same, if there are none.
        texts: the columns of the texts of these systems; none if there are none.
        choices: the columns of the best and of the worst, by criterion ("" for one without a name).
    """

    members: dict[str, str]
    names: dict[str, str]
    texts: dict[str, str]
    choices: dict[str, tuple[str, str]]

    @property
    def columns(self) -> set[str]:
        """All these columns."""
        of_members = {*self.members.values(), *self.names.values(), *self.texts.values()}
        return of_members.union(*self.choices.values())


def recognises(export: Export) -> bool:
    """Say whether rows name the best and the worst of the contents of their other columns."""
    return _form_of(export) is not None


def choices_of(columns: Iterable[str]) -> dict[str, tuple[str, str]]:
    """Return the columns of the best and of the worst, by criterion.

    >>> choices_of(["id", "best", "worst"]), choices_of(["most_fluent", "least_fluent"])
    ({'': ('best', 'worst')}, {'fluent': ('most_fluent', 'least_fluent')})
    """
    best, worst = dict[tuple[str, ...], str](), dict[tuple[str, ...], str]()
    for name in columns:
        tokens = words_in(name)
        rest = tuple(token for token in tokens if token not in _BEST | _WORST | _PLAIN)
        for words, found in ((_BEST, best), (_WORST, worst)):
            if len(words & set(tokens)) == 1:
                found.setdefault(rest, name)
    return {" ".join(rest): (best[rest], worst[rest]) for rest in best if rest in worst and best[rest] != worst[rest]}


def _form_of(export: Export) -> _Form | None:
    choices = choices_of(export.columns)
    if not choices:
        return None
    chosen = {name for both in choices.values() for name in both}
    rows = export.rows[:SAMPLE]
    families = _families([name for name in export.columns if name not in chosen])
    lists = [
        {"": name}
        for name in export.columns
        if all(isinstance(cell := from_json(row.get(name)), list) and len(cell) >= _FEWEST for row in rows)
    ]
    for members in (*families, *lists):
        if all(_are_chosen(rows, members, column) for column in chosen):
            names = _names(members, families)
            beside = [family for family in families if set(family) == set(names) and family != names]
            return _Form(members, names, next(iter(beside), {}), choices)
    return None


def _families(columns: Sequence[str]) -> list[dict[str, str]]:
    """Return the columns whose names differ in a mark, three or more of each kind, by their marks in small letters."""
    found: dict[str, dict[str, str]] = {}
    for name in columns:
        match = _MARKED.fullmatch(name)
        if match is not None:
            found.setdefault(match[1], {})[match[2].lower()] = name
    return [members for members in found.values() if len(members) >= _FEWEST]


def _names(members: Mapping[str, str], families: Sequence[dict[str, str]]) -> dict[str, str]:
    """Return the columns that name the systems of members: others with the same marks, or the same ones."""
    for family in families:
        if set(family) == set(members) and _SYSTEMS & set(words_in(next(iter(family.values())))):
            return family
    return dict(members)


def _members_of(row: Record, members: Mapping[str, str]) -> dict[str, str]:
    """Return the compared outputs of a row, by marks; of a list the places from 0."""
    if set(members) == {""}:
        cell = from_json(row.get(members[""]))
        return {str(place): str(each) for place, each in enumerate(cell if isinstance(cell, list) else [])}
    return {mark: str(cell).strip() for mark, name in members.items() if not is_blank(cell := row.get(name))}


def _are_chosen(rows: Sequence[Record], members: Mapping[str, str], column: str) -> bool:
    """Say whether all filled cells of a column name one of the members of their row."""
    cells = [(row, row.get(column)) for row in rows if not is_blank(row.get(column))]
    shift = _shift(rows, members, column)
    return bool(cells) and all(
        _chosen(cell, _members_of(row, members), members, shift) is not None for row, cell in cells
    )


def _shift(rows: Sequence[Record], members: Mapping[str, str], column: str) -> int:
    """Return the number of the first member: places in lists may be counted from 1, and columns from 0."""
    cells = {str(row.get(column)).strip() for row in rows if not is_blank(row.get(column))}
    if not all(cell.isdigit() for cell in cells):
        return 0
    if set(members) == {""}:
        size = max((len(_members_of(row, members)) for row in rows), default=0)
        return int(str(size) in cells and "0" not in cells)
    return -1 if "0" in cells and "0" not in members else 0


def _chosen(cell: object, held: Mapping[str, str], members: Mapping[str, str], shift: int) -> str | None:
    """Return the mark of the member that a cell names: by its content, its mark or its column."""
    word = str(cell).strip()
    marks = [mark for mark, member in held.items() if member == word]
    if len(marks) == 1:
        return marks[0]
    if word.isdigit() and str(int(word) - shift) in held:
        return str(int(word) - shift)
    named = [mark for mark in held if word.lower() in (mark, members.get(mark, mark).lower())]
    return named[0] if len(named) == 1 else None


def convert(export: Export) -> Answers:
    """Return a row for each member of each row, with the rating 1, 0 or −1."""
    form = _form_of(export)
    assert form is not None
    answers = Answers(questions={RATING: None})
    names = [_members_of(row, form.names) for row in export.rows]
    compared = form.columns
    others = [name for name in export.columns if name not in compared]
    item, rater = column_called(others, _ITEMS), column_called(others, _RATERS)
    key = SYSTEM if _are_systems(names, form, item is not None) else TEXT
    shifts = {name: _shift(export.rows, form.members, name) for both in form.choices.values() for name in both}
    tuples: dict[tuple[str, ...], int] = {}
    for number, (row, of_row) in enumerate(zip(export.rows, names, strict=True), 1):
        held = _members_of(row, form.members)
        kept = {name: cell for name, cell in row.items() if name not in compared}
        ordered = sorted(held.values())
        of_item = number if item is None else row.get(item)
        if key == TEXT:  # the same ones, in any order, are rated again by each rater
            of_item = tuples.setdefault(tuple(ordered), len(tuples) + 1)
        for criterion, both in form.choices.items():
            marks = [_chosen(row.get(name), held, form.members, shifts[name]) for name in both]
            if None in marks or marks[0] == marks[1]:
                answers.leave_out("rows whose best or worst is not told, or is the same")
                continue
            for mark, member in held.items():
                told = {**kept, ITEM: of_item, key: of_row.get(mark, member)}
                if key == TEXT:
                    told[ITEM] = f"tuple {of_item}, term {ordered.index(member) + 1}"
                elif form.texts:
                    told[TEXT] = row.get(form.texts[mark])
                if rater is not None:
                    told[RATER] = row.get(rater)
                if len(form.choices) > 1:
                    told["criterion"] = criterion
                answers.rows.append({**told, RATING: int(mark == marks[0]) - int(mark == marks[1])})
    answers.notes += _notes(answers.rows, form, key, item)
    return answers


def _are_systems(rows: Sequence[Mapping[str, str]], form: _Form, has_item: bool) -> bool:
    """Say whether members are systems: by the names of their columns, or since the same few stand in the rows."""
    words = {word for name in form.names.values() for word in words_in(name)}
    members = {member for row in rows for member in row.values()}
    are_same = len(members) == max((len(row) for row in rows), default=0)
    return bool(words & _SYSTEMS) or are_same or (has_item and len(members) <= _FEW_SYSTEMS)


def _notes(rows: Sequence[Record], form: _Form, key: str, item: str | None) -> list[str]:
    best, worst = next(iter(form.choices.values()))
    notes = [
        f"the best ({best!r}) is 1, the worst ({worst!r}) −1, others are 0: a mean is the share of times that one is "
        "best, less that of times that it is worst (best-worst scaling)"
    ]
    if item is None and key == SYSTEM:
        notes.append(NO_ITEMS)
    if key == TEXT and len(form.choices) == 1:
        notes.append(_told_scores(rows))
    return notes


def _told_scores(rows: Sequence[Record]) -> str:
    """Return the score of each term, the highest first; of many the highest and the lowest ones."""
    sums: Counter[str] = Counter()
    counts: Counter[str] = Counter()
    for row in rows:
        sums[row[TEXT]] += row[RATING]
        counts[row[TEXT]] += 1
    means = {text: sums[text] / n for text, n in counts.items()}
    told = [f"{text} {mean:+.2f}" for text, mean in sorted(means.items(), key=lambda each: -each[1])]
    if len(told) > _SHOWN:
        told = [*told[: _SHOWN // 2], "…", *told[-(_SHOWN // 2) :]]
    return f"scores by these counts, of {len(means)}: {', '.join(told)}"
