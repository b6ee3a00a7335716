"""Raters who are told by their roles, as language models or by what all of them rated, and columns of their remarks."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

from referenceless_metrics.advice.look.columns.choosing import first_of, is_function, texts_of, with_parts
from referenceless_metrics.advice.look.columns.column import Column
from referenceless_metrics.advice.look.columns.column_parts import names_comment, part_by_name, parted
from referenceless_metrics.advice.look.columns.designs import are_on_one_scale, crossed_with_items
from referenceless_metrics.advice.look.columns.winners import columns_of_sides, names_decision
from referenceless_metrics.core.files.tables import Table
from referenceless_metrics.core.files.workbooks import SHEET
from referenceless_metrics.core.support.metric_names import names_metric
from referenceless_metrics.core.support.validation import shortened
from referenceless_metrics.human_evaluation.ratings.column_grid import CRITERIA_WORDS
from referenceless_metrics.human_evaluation.ratings.majorities import are_majorities, majority_of
from referenceless_metrics.human_evaluation.ratings.model_raters import are_models

_NEARLY_ALL = 0.9  # share of all pairs of items and roles that are there
_MOST_ROLES = 12
_REASONS = re.compile(r"(?:.*\.)?(?:reasons?|justifications?|remarks?)", re.IGNORECASE)
_FEWEST_RATERS = 3  # of whom most may say one thing
_MOST_POINTS = 12  # of a scale
_ID_OF_A_RATER = re.compile(r"\d{3,}")
"""Names of columns that are numbers of people, and too large to be those of questions."""

_OF_RATERS = re.compile(
    r"(?:.*[^a-z])?(?:rater|annotator|evaluator|reviewer|judge|participant|assessor|expert)s?[ _.-]?"
    r"(?:role|type|group|kind|category|background|profile|expertise|profession)s?"
)


def raters_in_roles(table: Table, columns: Sequence[Column]) -> list[Column]:
    """Tell raters by the column of their roles, if the one that names raters has another name in each row.

    Each item has a row for nearly each role.
    """
    rater = first_of(columns, "rater")
    if rater is None or rater.distinct < len(table.rows) or first_of(columns, "rating") is None:
        return list(columns)
    roles = [column for column in columns if not column.part and _OF_RATERS.fullmatch(parted(column.name))]
    items = [column for column in columns if column.part in ("item", "cluster")]
    items += [column for column in columns if not column.part and column.name.lower().endswith("id")]
    for role in roles:
        if not 1 < role.distinct <= _MOST_ROLES:
            continue
        names = texts_of(table, role.name)
        for item in items:
            pairs = set(zip(texts_of(table, item.name), names, strict=True))
            if len(pairs) == len(table.rows) >= _NEARLY_ALL * item.distinct * role.distinct:
                parts = {column.name: "" for column in columns if column.part == "item"}
                return with_parts(columns, {**parts, rater.name: "", role.name: "rater", item.name: "item"})
    return list(columns)


def raters_of_same_texts(table: Table, columns: Sequence[Column]) -> list[Column]:
    """Tell raters by sheets, or by names crossed with items, under all of which an item has the same text.

    Systems would have written different ones. Sheets are taken for systems as long as nothing speaks for raters.
    """
    item, texts = first_of(columns, "item"), _rated_texts(columns)
    if item is None or not texts:
        return list(columns)
    items = texts_of(table, item.name)
    if not all(is_function(items, texts_of(table, column.name)) for column in texts):
        return list(columns)
    found = _sheets_of_items(table, columns, items) or crossed_with_items(table, columns)
    return with_parts(columns, {found.name: "rater"} if found else {})


def _rated_texts(columns: Sequence[Column]) -> list[Column]:
    """Return the columns of texts that may have been rated: different ones, neither sources nor remarks."""
    texts = [column for column in columns if column.part in ("", "text") and column.holds_texts]
    return [column for column in texts if column.distinct > 1 and not names_comment(column.name) and not column.blank]


def _sheets_of_items(table: Table, columns: Sequence[Column], items: Sequence[str]) -> Column | None:
    """Return the column of sheets if several hold the same items, each once, and no criterion is called so."""
    sheet = next((column for column in columns if column.name == SHEET and column.part == "system"), None)
    if sheet is None or first_of(columns, "rater", "rating of a rater", "preference", "metric") is not None:
        return None
    sheets = texts_of(table, SHEET)
    n_pairs = len(set(zip(items, sheets, strict=True)))
    are_criteria = not CRITERIA_WORDS.isdisjoint(name.lower() for name in sheets)
    return sheet if len(set(items)) < n_pairs == len(items) and not are_criteria else None


def remarks_on_raters(table: Table, columns: Sequence[Column]) -> Iterator[str]:
    """Yield the assumption about raters who are told by the same texts alone."""
    rater, item = first_of(columns, "rater"), first_of(columns, "item")
    if rater is None or item is None or part_by_name(rater) == "rater":
        return
    plain = with_parts(columns, {rater.name: "system" if rater.name == SHEET else ""})
    if first_of(raters_of_same_texts(table, plain), "rater") == rater:
        yield (
            f"column {rater.name!r} is taken to name raters, for each {item.name!r} has the same text under all of its "
            f"names (--rater-column); if it names systems, it is --system-column {rater.name}"
        )


def raters_of_sides(table: Table, columns: Sequence[Column]) -> list[Column]:
    """Tell raters by several columns of sides, as A and B, beside two texts, if nothing names the systems of these.

    Columns that are called as criteria, or as decisions, are of no rater each.
    """
    known = ("system", "system_a", "system_b", "rater", "preference", "rating", "rating of a rater", "score")
    if first_of(columns, *known) is not None or sum(column.holds_texts for column in columns) < 2:
        return list(columns)
    sides = [name for name in columns_of_sides(table, columns) if not names_decision(name)]
    are_criteria = any(not CRITERIA_WORDS.isdisjoint(re.findall("[a-z]+", name.lower())) for name in sides)
    parts = dict.fromkeys(sides, "rating of a rater")
    return with_parts(columns, parts if len(sides) > 1 and not are_criteria else {})


def raters_by_numbers(table: Table, columns: Sequence[Column]) -> list[Column]:
    """Tell raters by columns of answers on one scale that are called by numbers, as people's ids, beside a text.

    A column of what most of them say is then no rating: it would count beside those that it is made of.
    """
    known = ("system", "rater", "rating of a rater")
    if first_of(columns, *known) is not None or not any(column.kind == "text" for column in columns):
        return list(columns)
    plain = [column for column in columns if not column.part and column.kind in ("whole numbers", "labels")]
    numbered = [column for column in plain if _ID_OF_A_RATER.fullmatch(column.name)]
    numbered = [column for column in numbered if 1 < column.distinct <= _MOST_POINTS]
    if len(numbered) < 2 or not are_on_one_scale(numbered):
        return list(columns)
    answers = list(zip(*(texts_of(table, column.name) for column in numbered), strict=True))
    made = [
        column.name
        for column in columns
        if column.part == "rating" and are_majorities(answers, texts_of(table, column.name))
    ]
    return with_parts(columns, dict.fromkeys(made, "") | {each.name: "rating of a rater" for each in numbered})


def remarks_on_sides(table: Table, columns: Sequence[Column]) -> Iterator[str]:
    """Yield what is lacking where several raters chose between two texts whose systems nothing names."""
    raters = [column.name for column in columns if column.part == "rating of a rater"]
    sides = [name for name in columns_of_sides(table, columns) if name in raters]
    if len(sides) < 2 or first_of(columns, "system", "system_a", "system_b") is not None:
        return
    named = shortened(", ".join(map(repr, sides)), 80)
    yield (
        f"{named} each choose one of two outputs, and nothing names their systems: `agreement` needs no names; "
        "for `human-score` write a row for each answer, with the columns item, rater, preference (the side), system_a "
        "and system_b (the system on each side)"
    )


def labels_beside_raters(table: Table, columns: Sequence[Column]) -> list[Column]:
    """Tell predictions by a column of the same labels as those of three raters or more beside it: of a program, maybe.

    There are none if several columns have these labels, and one that is the raters' majority is none.
    """
    raters = [column.name for column in columns if column.part == "rating of a rater" and column.kind == "labels"]
    plain = [column for column in columns if not column.part and column.kind == "labels" and column.distinct > 1]
    if len(raters) < _FEWEST_RATERS or first_of(columns, "prediction", "gold", "rating", "score") is not None:
        return list(columns)
    cells = {name: texts_of(table, name) for name in (*raters, *(column.name for column in plain))}
    labels = {cell for name in raters for cell in cells[name]} - {""}
    alike = [column.name for column in plain if {*cells[column.name]} - {""} == labels]
    if len(alike) != 1 or majority_of({name: cells[name] for name in (*raters, alike[0])}) == alike[0]:
        return list(columns)
    return with_parts(columns, {alike[0]: "prediction"})


def judges_by_name(table: Table, columns: Sequence[Column]) -> list[Column]:
    """Tell raters by columns of whole numbers that are called as language models are, as `scores.gpt-4o`.

    A table with a column of systems, or with one text in each row, has no column of ratings per system.
    """
    if first_of(columns, "system", "text") is None or first_of(columns, "rater", "rating of a rater") is not None:
        return list(columns)
    named = [column for column in columns if column.kind == "whole numbers" and _names_one_model(column.name)]
    ratings = [column for column in columns if column.part == "rating" and column not in named]
    if len(named) < 2 or ratings:  # beside ratings of people, those of judges are scores
        return list(columns)
    return with_parts(columns, {column.name: "rating of a rater" for column in named})


def _names_one_model(name: str) -> bool:
    """Say whether the last part of a dotted name is a language model's, and that of no metric or criterion.

    >>> _names_one_model("scores.gpt-4o"), _names_one_model("gpt4_coherence"), _names_one_model("scores.rouge")
    (True, False, False)
    """
    last = name.rpartition(".")[2] if not re.search(r"\.\d", name) else name
    words = re.findall(r"[a-z]+", last.lower())
    return are_models([last]) and not names_metric(name) and CRITERIA_WORDS.isdisjoint(words)


def remarks_of_raters(table: Table, columns: Sequence[Column]) -> list[Column]:
    """Tell remarks by texts in a column that is called so, if the raters of an item wrote several: no rated texts.

    Reasons beside ratings and raters are theirs in any case; comments, notes or explanations may be rated outputs.
    """
    item = first_of(columns, "item")
    if item is None or first_of(columns, "rater") is None:
        return list(columns)
    keys = [column.name for column in (item, first_of(columns, "system")) if column is not None]
    outputs = list(zip(*(texts_of(table, name) for name in keys), strict=True))
    are_rated = first_of(columns, "rating", "score") is not None
    remarks = [
        column.name
        for column in columns
        if column.kind == "text"
        and column.part in ("", "text")
        and names_comment(column.name)
        and ((are_rated and _REASONS.fullmatch(column.name)) or not is_function(outputs, texts_of(table, column.name)))
    ]
    return with_parts(columns, dict.fromkeys(remarks, "comment"))
