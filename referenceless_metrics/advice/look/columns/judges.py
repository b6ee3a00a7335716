"""Rules that find columns of judges that are language models."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Collection, Sequence
from pathlib import Path

from referenceless_metrics.advice.look.columns.choosing import first_of, texts_of, with_parts
from referenceless_metrics.advice.look.columns.column import JUDGED_LABEL, Column, answers_shown
from referenceless_metrics.advice.look.columns.column_parts import names_no_rating
from referenceless_metrics.advice.look.columns.ratings import (
    JUDGE_NAME,
    PEOPLE_WORD,
    RATINGS,
    beside_people,
    form_of_criterion,
)
from referenceless_metrics.core.files.joined_ids import split_id
from referenceless_metrics.core.files.nested_rows import KEY
from referenceless_metrics.core.files.tables import Table
from referenceless_metrics.core.support.metric_names import names_metric
from referenceless_metrics.human_evaluation.ratings.column_grid import grid_of
from referenceless_metrics.human_evaluation.ratings.model_raters import are_models, is_file_of_judge

_ROWS_COMPARED = 50  # whose texts are looked for in others


def find_prompts_of_judges(table: Table, columns: Sequence[Column]) -> list[Column]:
    """Return columns without sources that hold the row's output and its source: a judge was asked by them."""
    texts, sources = first_of(columns, "text"), [column for column in columns if column.part == "source"]
    if texts is None or len(sources) < 2:
        return list(columns)
    cells = {column.name: texts_of(table, column.name)[:_ROWS_COMPARED] for column in (texts, *sources)}
    for asked in sources:
        others = [cells[each.name] for each in sources if each is not asked]
        if any(_hold(cells[asked.name], other) and _hold(cells[asked.name], cells[texts.name]) for other in others):
            return with_parts(columns, {asked.name: ""})
    return list(columns)


def models_of_judges(table: Table, columns: Sequence[Column]) -> list[Column]:
    """Return columns of which a language model that is the same in all rows is no system, in a file called a judge's.

    Ratings of several systems stand side by side, as `base_clear` and `ours_clear`, or in rows inside.
    """
    single = [column for column in columns if column.part == "system" and column.distinct == 1]
    named = [column.name for column in single if are_models([column.shown])]
    file = Path(table.source).name
    is_judged = is_file_of_judge(file) or "judge" in re.findall("[a-z]+", file.lower())
    if not named or len(named) < len(single) or not is_judged:
        return list(columns)
    rated = [column.name for column in columns if column.part in ("rating", "score", "") and column.is_numeric]
    are_inside = any(column.name == KEY and column.distinct > 1 for column in columns)
    return with_parts(columns, dict.fromkeys(named if are_inside or _are_in_a_grid(rated) else [], ""))


def _are_in_a_grid(names: Sequence[str]) -> bool:
    """Say whether most names join each of several words with each of several others.

    >>> _are_in_a_grid(["a_x", "a_y", "b_x", "b_y", "n"]), _are_in_a_grid(["fluency", "style"])
    (True, False)
    """
    parted = [name for name in names if split_id(name) is not None]
    return 2 * len(parted) > len(names) and grid_of(parted) is not None


def _hold(cells: Sequence[str], others: Sequence[str]) -> bool:
    """Say whether each text of a column holds that of another beside it, and more."""
    pairs = [(" ".join(cell.split()), " ".join(other.split())) for cell, other in zip(cells, others, strict=True)]
    return all(other and other in cell and len(cell) > len(other) for cell, other in pairs)


def may_judge(score: str, rating: str) -> bool:
    """Say whether names tell that a column holds the scores of a judge or a metric, and another people's ratings.

    >>> may_judge("gpt4_score", "fluency"), may_judge("score", "human_rating"), may_judge("score", "raw")
    (True, True, False)
    """
    return JUDGE_NAME.search(score) is not None or names_metric(score) or PEOPLE_WORD.search(rating) is not None


def find_judges(table: Table, columns: Sequence[Column]) -> list[Column]:
    """Tell a judge's scores from people's ratings beside them, by words in their names."""
    may_be = [column for column in columns if column.is_numeric and column.part in ("rating", "score", "")]
    columns = beside_people(columns, may_be)
    judged = {
        column.name for column in may_be if JUDGE_NAME.search(column.name) and not PEOPLE_WORD.search(column.name)
    }
    people = {column.name for column in may_be if PEOPLE_WORD.search(column.name)}
    rated = {column.name for column in may_be if column.part == "rating"} - judged
    rated |= {column.name for column in columns if _is_of_a_person(column)}
    if judged and not (people or rated):
        return with_parts(columns, dict.fromkeys(_criteria_of_judges(columns, judged), "score"))
    if not judged or not (people or rated):
        return list(columns)
    parts = {name: "score" for name in judged if not names_no_rating(name)}
    return with_parts(columns, {**parts, **({} if rated else dict.fromkeys(people, "rating"))})


def _criteria_of_judges(columns: Sequence[Column], judged: Collection[str]) -> list[str]:
    """Return those of a judge's columns that are its criteria, of one form as `gpt_fluency_score`, `gpt_style_score`.

    One of them would otherwise be taken for people's ratings, by its criterion, and another for a judge's scores.
    """
    of_judges = [column for column in columns if column.name in judged and column.part in ("rating", "score")]
    forms = {column.name: form_of_criterion(column.name) for column in of_judges}
    counts = Counter(form for form in forms.values() if form)
    return [name for name, form in forms.items() if counts[form] > 1]


def _is_of_a_person(column: Column) -> bool:
    """Say whether a column holds one rater's ratings, who is called as no language model."""
    return column.part == "rating of a rater" and column.is_numeric and not JUDGE_NAME.search(column.name)


def find_labels_of_judges(table: Table, columns: Sequence[Column]) -> list[Column]:
    """Tell labels of a judge, by its column's name, from those of people in the same words beside them."""
    labels = [each for each in columns if each.kind == "labels" and each.part in ("", *RATINGS)]
    people = [each for each in labels if each.part and PEOPLE_WORD.search(each.name)]
    words = {word.casefold() for column in people for word in answers_shown(column)}
    judged = [each for each in labels if JUDGE_NAME.search(each.name) and not PEOPLE_WORD.search(each.name)]
    judged = [each for each in judged if {word.casefold() for word in answers_shown(each)} == words]
    return with_parts(columns, dict.fromkeys((column.name for column in judged), JUDGED_LABEL))
