"""Rules that find raters: columns of one rater each, or a column that names them."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Sequence
from itertools import combinations

from referenceless_metrics.advice.look.columns.choosing import first_of, texts_of, with_parts
from referenceless_metrics.advice.look.columns.column import LISTED_RATERS, Column, answers_shown, are_on_a_scale
from referenceless_metrics.advice.look.columns.column_kinds import LABELS, are_answers
from referenceless_metrics.advice.look.columns.column_parts import part_by_name
from referenceless_metrics.advice.look.columns.designs import are_called_by_words
from referenceless_metrics.advice.look.columns.metrics import with_part
from referenceless_metrics.advice.look.columns.ratings import ANSWER_NAME, RATINGS, is_criterion, stem
from referenceless_metrics.core.files.reading import cell_of, from_json
from referenceless_metrics.core.files.tables import Table
from referenceless_metrics.human_evaluation.ratings.categories import of_several_raters
from referenceless_metrics.human_evaluation.ratings.lists import are_names, lists_in, names_beside
from referenceless_metrics.human_evaluation.scores.columns import cells_of

_ALIKE = 0.2  # least mean Cohen's κ of columns that several raters may have filled

_RATER = re.compile(
    r"(?:.*[^a-z])?(?:annotator|rater|coder|judge|worker|human|expert|evaluator)(?!s$)[ _.-]?\w{1,3}"
    r"|(?:a|r|h|ann)[ _.-]?\d+",
    re.IGNORECASE,
)


def find_numbered_raters(table: Table, columns: Sequence[Column]) -> list[Column]:
    """Tell raters by numbered columns of one criterion, as `rating_1` and `rating_2`, beside a text or a system.

    The first of them may have no number, as pandas names columns of one name: `rating`, `rating.1`, `rating.2`.
    Numbered texts beside them would be the outputs that each of the ratings is of.
    """
    if first_of(columns, "text", "system") is None or first_of(columns, "rating of a rater") is not None:
        return list(columns)
    families: dict[str, list[Column]] = {}
    texts = set()
    for column in columns:
        match = re.fullmatch(r"(.*?)[ _.-]?(\d+|[A-Ca-c])", column.name)
        if match is None:
            continue
        if column.kind == "text":
            texts.add(match[2])
        elif column.is_numeric and (is_criterion(match[1].rpartition(".")[2]) or _names_rating(match[1])):
            families.setdefault(match[1], []).append(column)
    for column in columns:
        if column.name in families and column.is_numeric:
            families[column.name].insert(0, column)
    several = [of for of in families.values() if len(of) > 1 and not any(each.name[-1] in texts for each in of)]
    parts = {column.name: "" for of in several[1:] for column in of}
    parts |= {column.name: "rating of a rater" for of in several[:1] for column in of}
    return with_parts(columns, parts)


def _names_rating(stem: str) -> bool:
    """Say whether the name of numbered columns without their numbers is one of ratings, as `human_score`.

    >>> _names_rating("human_score"), _names_rating("score")
    (True, False)
    """
    return part_by_name(Column(stem, "whole numbers", "", 0.0, 5)) == "rating"


def lone_rater(table: Table, columns: Sequence[Column]) -> list[Column]:
    """Tell ratings by the one column that is called as a rater's, as `annotator_1`, beside no other ratings."""
    valued = [column for column in columns if column.part in ("rating", "rating of a rater", "score")]
    are_alone = [column.part for column in valued] == ["rating of a rater"]
    return with_parts(columns, {valued[0].name: "rating"} if are_alone else {})


def find_raters_in_words(table: Table, columns: Sequence[Column]) -> list[Column]:
    """Tell raters by columns of words whose names are those of raters, as `annotator_1` and `annotator_2`."""
    if first_of(columns, *RATINGS) is not None:
        return list(columns)
    labels = [column for column in columns if column.kind in ("labels", LABELS) and not _is_in_list(table, column.name)]
    chosen = [column.name for column in labels if _RATER.fullmatch(column.name) or _is_annotation(table, column)]
    return with_parts(columns, dict.fromkeys(chosen if len(chosen) > 1 else [], "rating of a rater"))


_ASKED = re.compile(
    r"((?:annotator|rater|judge|coder|expert|worker|evaluator|reviewer)[ _-]?\d+)\W+(.+)", re.IGNORECASE
)


def find_raters_asked_alike(table: Table, columns: Sequence[Column]) -> list[Column]:
    """Tell raters by columns that name each one before the same question, as `Annotator 1: Fluent?`.

    Of several questions, the columns stay as they are: each question is a criterion.
    """
    asked = {column.name: match for column in columns if (match := _ASKED.fullmatch(column.name))}
    questions = {match[2].lower() for match in asked.values()}
    if len(questions) != 1 or len(asked) < 2 or first_of(columns, "rating of a rater") is not None:
        return list(columns)
    return with_parts(columns, dict.fromkeys(asked, "rating of a rater"))


def _is_annotation(table: Table, column: Column) -> bool:
    """Say whether a column of answers is a field of an object of annotations: who annotated, if it is no criterion."""
    if column.kind == "labels" and not are_answers([cell for cell in texts_of(table, column.name) if cell]):
        return False
    holder, _, field = column.name.rpartition(".")
    named = re.search(r"annotat|label|vote|judge?ment", holder.rpartition(".")[2].lower())
    return named is not None and not is_criterion(field)


def _is_in_list(table: Table, name: str) -> bool:
    """Say whether a column with a dotted name collects cells of the objects of a list."""
    holder = name.partition(".")[0]
    cells = (from_json(row.get(holder)) for row in table.rows if name not in row)
    return any(isinstance(cell, (list, tuple)) for cell in cells)


def find_label_lists(table: Table, columns: Sequence[Column]) -> list[Column]:
    """Tell lists of labels, one of each of several raters, from those of labels that one gave."""
    named = [column for column in columns if column.kind == LABELS and column.part in ("", "rating")]
    parts = {column.name: "" for column in named}
    if first_of((column for column in columns if column.kind != LABELS), *RATINGS, "preference", "score") is None:
        for column in named:
            cells = [from_json(cell_of(row, column.name)) for row in table.rows]
            is_answer = ANSWER_NAME.search(column.name) or re.search(r"annot|rating|error", column.name.lower())
            beside = [each.kind for each in columns if stem(each.name) == stem(column.name)]
            has_values = "lists of numbers" in beside  # each label has a value of its own
            if is_answer and not has_values and not _is_in_list(table, column.name) and of_several_raters(cells):
                parts[column.name] = "rating"
    return with_parts(columns, parts)


def find_raters_of_lists(table: Table, columns: Sequence[Column]) -> list[Column]:
    """Return columns without one of raters, if all ratings stand in lists: several raters' ratings in a cell.

    A column may list the raters themselves.
    """
    rated = [column for column in columns if column.part in RATINGS]
    if not rated or any(column.kind != "lists of numbers" for column in rated):
        return list(columns)
    columns = with_part(columns, "", lambda column: column.part == "rater")
    counts = [len(cell) if isinstance(cell, list) else 0 for cell in lists_in(cells_of(table, rated[0].name))]
    for column in columns:
        listed = names_beside(cells_of(table, column.name), counts) if column.kind.startswith("lists of") else None
        if listed is not None and are_names(listed):
            return with_parts(columns, {column.name: LISTED_RATERS})
    return columns


def find_raters_by_answers(table: Table, columns: Sequence[Column]) -> list[Column]:
    """Tell raters by columns of answers in the words of one scale that are called by a word each, such as a name.

    Such words may be criteria, as a remark says; answers of several raters are alike more often than by chance.
    """
    known = (*RATINGS, "preference", "score", "rater")
    if first_of(columns, *known) is not None or first_of(columns, "system", "text") is None:
        return list(columns)
    answered = [each for each in columns if not each.part and each.distinct > 1 and are_on_a_scale(answers_shown(each))]
    are_criteria = any(is_criterion(each.name) or ANSWER_NAME.search(each.name) for each in answered)
    if are_criteria or not are_called_by_words(answered) or not _are_alike(table, answered):
        return list(columns)
    return with_parts(columns, {column.name: "rating of a rater" for column in answered})


def _are_alike(table: Table, columns: Sequence[Column]) -> bool:
    """Say whether two of several columns have the same answer more often than by chance, by Cohen's κ."""
    cells = [[cell.strip().lower() for cell in texts_of(table, column.name)] for column in columns]
    kappas = []
    for pair in combinations(cells, 2):
        both = [answers for answers in zip(*pair, strict=True) if all(answers)]
        counts = [Counter(answers) for answers in zip(*both, strict=True)]
        by_chance = sum(n * counts[1][answer] for answer, n in counts[0].items()) / len(both) ** 2 if both else 1.0
        if by_chance < 1:
            kappas.append(1 - sum(one != other for one, other in both) / len(both) / (1 - by_chance))
    return bool(kappas) and sum(kappas) >= _ALIKE * len(kappas)
