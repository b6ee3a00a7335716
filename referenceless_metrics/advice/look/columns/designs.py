"""Parts of columns that the design of a study tells: names crossed with items, and columns side by side."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterator, Sequence
from dataclasses import replace
from itertools import product, takewhile
from shlex import quote

import numpy as np

from referenceless_metrics.advice.look.columns.averaged_ratings import averaged_ratings
from referenceless_metrics.advice.look.columns.choosing import (
    first_of,
    is_circumstance,
    is_function,
    texts_of,
    with_parts,
)
from referenceless_metrics.advice.look.columns.column import NUMBERS, Column, answers_shown, are_boxes, are_on_a_scale
from referenceless_metrics.advice.look.columns.column_kinds import LISTS_OF_TEXTS
from referenceless_metrics.advice.look.columns.column_parts import (
    holds_answers,
    names_comment,
    names_no_rating,
    names_rater,
    names_value,
    part_by_name,
    parted,
)
from referenceless_metrics.core.files.joined_ids import HEAD, TAIL, JoinedIds, joined_ids, split_id
from referenceless_metrics.core.files.left_out_rows import is_blank
from referenceless_metrics.core.files.nested_rows import ANY, ITEM, KEY, marks_of, plain_name
from referenceless_metrics.core.files.reading import MISSING, cell_of, from_json
from referenceless_metrics.core.files.tables import Table
from referenceless_metrics.core.support.metric_names import names_metric
from referenceless_metrics.core.support.validation import finite_number, shortened
from referenceless_metrics.human_evaluation.ratings.column_grid import CRITERIA_WORDS
from referenceless_metrics.human_evaluation.ratings.model_raters import names_mean
from referenceless_metrics.human_evaluation.scores.columns import written_scores

_NEARLY_ALL = 0.9  # share of all pairs of items and systems that are there
_MOST_SYSTEMS = 60
_ROUNDED = 5e-3  # of a mean that is written with two decimals
_FEWEST_SIBLINGS = 3  # columns of ratings, or of scores, beside which another one may be the same
_ROUGE_L = ("rl", "rlsum", "rougel")
_RATED = ("rating", "score", "rating of a rater")
_FEWEST_MEANS = 5  # rows whose means are those of other columns
_OF_DESIGN = re.compile(r"(?:.*[^a-z])?(?:versions?|conditions?|variants?|treatments?|arm)(?:[^a-z].*)?")
"""Names of columns of the versions that a study compares."""
_IN_BRACKETS = re.compile(r"(.*[^\W_])[\s_]*[(\[]([^()\[\]]+)[)\]]")
_OF_VERSIONS = re.compile(r"versions?|conditions?|variants?|treatments?|arm")
_F_MEASURE = re.compile(r"f1?|f[-_]?(?:measure|score)")
_PART_OF_F = re.compile(r"p|r|precision|recall")
_FEWEST_ROWS = 5  # in the mean, of each version of a log


def rouge_figures(table: Table, columns: Sequence[Column]) -> list[Column]:
    """Return columns of which R1 and R2 beside RL are ROUGE figures, and no raters."""
    figures = rouge_names([column.name for column in columns if column.is_numeric])
    return with_parts(columns, dict.fromkeys(figures, "score"))


def f_figures(table: Table, columns: Sequence[Column]) -> list[Column]:
    """Return columns of which a metric's precision and recall are no scores beside the F measure made of them."""
    scored = {column.name for column in columns if column.part == "score"}
    marked = [(name, *name.rpartition(".")[::2]) for name in scored]
    whole = {metric for _, metric, figure in marked if names_metric(metric) and _F_MEASURE.fullmatch(figure.lower())}
    parts = [name for name, metric, figure in marked if metric in whole and _PART_OF_F.fullmatch(figure.lower())]
    return with_parts(columns, dict.fromkeys(parts, ""))


def rouge_names(names: Sequence[str]) -> list[str]:
    """Return the names that are short for ROUGE figures: RL and, beside it, R1 and R2.

    >>> rouge_names(["id", "R-1", "RL"]), rouge_names(["r1", "r2"])
    (['R-1', 'RL'], [])
    """
    plain = {name: re.sub(r"[^a-z0-9]", "", name.lower()) for name in names}
    if not set(plain.values()) & set(_ROUGE_L):
        return []
    return [name for name, word in plain.items() if word in _ROUGE_L or re.fullmatch(r"r\d", word)]


def bleu_figures(table: Table, columns: Sequence[Column]) -> list[Column]:
    """Return columns of which B1 to B4 beside other metrics are BLEU figures."""
    figures = [column.name for column in columns if column.is_numeric and names_bleu(column.name)]
    are_beside = any(names_metric(column.name) for column in columns if column.is_numeric)
    return with_parts(columns, dict.fromkeys(figures if are_beside and len(figures) > 1 else [], "score"))


def names_bleu(name: str) -> bool:
    """Say whether a name is short for BLEU up to some order, as COCO's programs write it.

    >>> names_bleu("B4"), names_bleu("b"), names_bleu("R1")
    (True, False, False)
    """
    return re.fullmatch(r"b_?[1-4]", name.lower()) is not None


def scores_of_score(table: Table, columns: Sequence[Column]) -> list[Column]:
    """Return columns of which those that `score` wrote are scores, and no ratings."""
    return with_parts(columns, dict.fromkeys(written_scores(table.columns), "score"))


def systems_in_ids(table: Table, columns: Sequence[Column]) -> list[Column]:
    """Return columns with those of the sides of ids which join a system and an item, as `bart_12`."""
    for place, column in enumerate(columns):
        joined = _sides(table, columns, column)
        if joined is None or (column.part == "item" and not joined.are_letters):
            continue
        told = [
            _side(table, f"{column.name}.{joined.few}", "system"),
            _side(table, f"{column.name}.{joined.many}", "item"),
        ]
        return [*columns[:place], replace(column, part=""), *told, *columns[place + 1 :]]
    return list(columns)


def _sides(table: Table, columns: Sequence[Column], column: Column) -> JoinedIds | None:
    """Return how the ids of a column join a system and an item; None if they do not, or if other columns tell these.

    Rows with other inputs are of other items, whatever their numbers. What is the same for all rows of a system, as its
    instruction is, is no input.
    """
    others = [each for each in columns if each is not column]
    if column.kind not in ("ids", "labels", "text") or column.part not in ("system", "item", ""):
        return None
    if first_of(others, "system", "item", "preference", "system_a") is not None:
        return None
    cells = texts_of(table, column.name)
    if len(set(cells)) < len(cells):
        return None
    joined = joined_ids(cells, name_systems=column.part == "system")
    if joined is None:
        return None
    sides = [texts_of(table, f"{column.name}.{side}") for side in (joined.many, joined.few)]
    inputs = [texts_of(table, each.name) for each in others if each.part in ("source", "reference")]
    return joined if all(any(is_function(side, cells) for side in sides) for cells in inputs) else None


def _side(table: Table, name: str, part: str) -> Column:
    names = texts_of(table, name)
    distinct = sorted(set(names))
    kind = "whole numbers" if all(each.isdecimal() for each in distinct) else "labels"
    shown = shortened(", ".join(distinct), 60)
    if kind == "whole numbers":
        shown = f"{min(map(int, distinct))}–{max(map(int, distinct))}"
    return Column(name, kind, shown, 0.0, len(distinct), part)


def crossed_systems(table: Table, columns: Sequence[Column]) -> list[Column]:
    """Tell systems by a column of few names that differ between the rows of each item, nearly each name with each item.

    If one column of ratings stands alone, such names may be criteria; if there are several, or names have numbers, they
    are not.
    """
    if first_of(columns, "text") is not None:
        return list(columns)
    crossed = crossed_with_items(table, columns)
    return with_parts(columns, {crossed.name: "system"} if crossed else {})


def systems_of_sources(table: Table, columns: Sequence[Column]) -> list[Column]:
    """Tell systems by ids that are taken for items if each source has a row, with a text, for all of them.

    Sources are then the items. There are no more ids than sources, for they would else number the items; nor do they
    count the rows of each source, as numbers of several outputs of one system do.
    """
    item, text = first_of(columns, "item"), first_of(columns, "text")
    sources = [column for column in columns if column.part == "source"]
    if item is None or text is None or len(sources) != 1 or first_of(columns, *_TELLING_SYSTEMS) is not None:
        return list(columns)
    n_ids, n_sources = item.distinct, sources[0].distinct
    may_be = part_by_name(item) == "item" and 1 < n_ids <= min(n_sources, _MOST_IDS) and first_of(columns, *_RATED)
    if not may_be or n_ids * n_sources != len(table.rows):
        return list(columns)
    pairs = list(zip(texts_of(table, item.name), texts_of(table, sources[0].name), strict=True))
    if (
        len(set(pairs)) < len(table.rows)
        or (item.is_numeric and _are_counted(pairs))
        or is_function(texts_of(table, sources[0].name), texts_of(table, text.name))
    ):
        return list(columns)
    return with_parts(columns, {item.name: "system", sources[0].name: "item"})


def _are_counted(pairs: Sequence[tuple[str, str]]) -> bool:
    """Say whether the numbers of each source stand in their order, as those of several outputs of one system do.

    Args:
        pairs: the number and the source of each row.
    """
    numbers: dict[str, list[float]] = {}
    for number, source in pairs:
        numbers.setdefault(source, []).append(float(number))
    return all(of == sorted(of) for of in numbers.values())


_TELLING_SYSTEMS = ("system", "rater", "criterion", "metric", "run", "preference", "system_a", "rating of a rater")
"""Parts beside which ids are none of systems."""

_MOST_IDS = 30
"""Most ids of systems."""


def crossed_with_items(table: Table, columns: Sequence[Column]) -> Column | None:
    """Return the column of few names, no criteria, each of which stands once with nearly each item; None for none."""
    item = first_of(columns, "item")
    known = ("system", "rater", "criterion", "metric", "run", "preference", "system_a", "rating of a rater")
    if item is None or first_of(columns, *known) is not None or item.distinct >= len(table.rows):
        return None
    n_rated = sum(column.part in _RATED for column in columns)
    for column in columns:
        if _may_be_crossed(column, item, len(table.rows)):
            names = texts_of(table, column.name)
            pairs = set(zip(texts_of(table, item.name), names, strict=True))
            have_numbers = any(re.search(r"\d", name) for name in names)
            if len(pairs) == len(table.rows) and (n_rated > 1 or (n_rated and have_numbers)):
                return column
    return None


def numbered_outputs(table: Table, columns: Sequence[Column]) -> list[Column]:
    """Tell systems by numbers in a column that is called as outputs, as `Summary`, crossed with what they were made of.

    Each number stands once with each number of the other column, which is then that of items.
    """
    known = ("system", "rater", "criterion", "metric", "run", "preference", "system_a", "text", "rating of a rater")
    if first_of(columns, *_RATED) is None or first_of(columns, *known) is not None:
        return list(columns)
    keys = [column for column in columns if column.kind == "whole numbers" and column.part in ("", "item")]
    named = [column for column in keys if part_by_name(replace(column, kind="text")) == "text"]
    if len(named) != 1:
        return list(columns)
    outputs = texts_of(table, named[0].name)
    for column in keys:
        n_all = column.distinct * named[0].distinct
        pairs = set(zip(texts_of(table, column.name), outputs, strict=True))
        if column is not named[0] and len(pairs) == len(table.rows) >= _NEARLY_ALL * n_all and column.distinct > 1:
            return with_parts(columns, {named[0].name: "system", column.name: "item"})
    return list(columns)


def _may_be_crossed(column: Column, item: Column, n_rows: int) -> bool:
    is_named = column.kind == "labels" and not column.part and not is_circumstance(column.name)
    return is_named and 1 < column.distinct <= _MOST_SYSTEMS and n_rows >= _NEARLY_ALL * column.distinct * item.distinct


def is_told_by_crossing(table: Table, columns: Sequence[Column]) -> bool:
    """Say whether systems are told by their crossing with items alone."""
    system = first_of(columns, "system")
    plain = [replace(column, part="" if column is system else column.part) for column in columns]
    found = first_of(crossed_systems(table, numbered_outputs(table, plain)), "system")
    return found is not None and found == system and part_by_name(system) != "system"


def compared_versions(table: Table, columns: Sequence[Column]) -> list[Column]:
    """Tell systems by the names of a study's versions, as `Version` or `Condition`, if most items have several."""
    if first_of(columns, *_RATED) is None or first_of(columns, "system", "preference", "system_a") is not None:
        return list(columns)
    item = first_of(columns, "item")
    for column in columns:
        if (
            column.part
            or column.kind != "labels"
            or column.distinct < 2
            or not _OF_DESIGN.fullmatch(parted(column.name))
        ):
            continue
        if item is None or not is_function(texts_of(table, item.name), texts_of(table, column.name)):
            return with_parts(columns, {column.name: "system"})
    return list(columns)


def versions_of_outputs(table: Table, columns: Sequence[Column]) -> list[Column]:
    """Tell systems by a column that is called as versions alone, as `version`, if its labels stand in many rows each.

    So it is in a log of outputs without ratings, in which nothing else names a system.
    """
    known = (*_RATED, "system", "preference", "system_a")
    if first_of(columns, *known) is not None or not any(column.kind == "text" for column in columns):
        return list(columns)
    for column in columns:
        is_named = (
            column.kind == "labels" and not column.part and _OF_VERSIONS.fullmatch(parted(column.name)) is not None
        )
        if is_named and column.distinct > 1 and _FEWEST_ROWS * column.distinct <= len(table.rows):
            return with_parts(columns, {column.name: "system"})
    return list(columns)


def varied_systems(table: Table, columns: Sequence[Column]) -> list[Column]:
    """Return columns of which those of one system play no part beside one of several, as a model beside versions."""
    systems = [column for column in columns if column.part == "system"]
    single = [column.name for column in systems if column.distinct == 1]
    return with_parts(columns, dict.fromkeys(single if len(single) < len(systems) else [], ""))


_OF_REFERENCES = frozenset(("reference", "references", "ref", "refs", "gold", "golden"))
"""Words for references in the names of texts; a target is one beside two other texts."""


_GOLD = re.compile(
    r"(?:gold|correct|right|true|target|expected|reference)(?:_?(?:answer|label|option|choice|target)s?)?|"
    r"answer(?:_?key)?|label|ground_?truth|solution|y_true"
)
"""Names of columns of right answers, beside those that were predicted."""

_PREDICTED = re.compile(
    r"(?:.*_)?(?:pred|preds|predicted|prediction|predictions)(?:_?(?:answer|label|option|choice))?|y_pred|"
    r"(?:model|extracted|parsed|system)_?(?:answer|label|choice)"
)
_ALIKE = 0.9  # least share of predicted labels that are right ones of other rows
_MOST_LABELS = 12  # of which two are often equal by chance
_OFTEN = 0.1  # least share of free answers that are right
_OF_ANSWERS = ("", "rating", "reference", "text", "score")


def predicted_answers(table: Table, columns: Sequence[Column]) -> list[Column]:
    """Tell labels that were predicted beside the right ones: none are ratings, and whether they are equal is a score.

    Their columns are called so, and hold the same labels, or free answers that are often equal row by row. A whole
    number that tells the same as the right answer, as its index does, is no score. If a score beside them says whether
    they are equal, predictions are not held against the right answers again. Of lists of right answers, one is equal.
    """
    labels = [column for column in columns if column.kind in ("labels", "ids") and column.part in _OF_ANSWERS]
    gold = next((column for column in labels if _GOLD.fullmatch(parted(column.name))), None)
    predicted = next((column for column in labels if _PREDICTED.fullmatch(parted(column.name))), None)
    if gold is None:
        return _answers_in_lists(table, columns)
    if gold is None or predicted is None or gold is predicted or gold.distinct < 2:
        return list(columns)
    right, given = _held_alone(table, gold.name), _held_alone(table, predicted.name)
    answers = [cell for cell in given if cell]
    known = set(right)
    are_labels = bool(answers) and sum(cell in known for cell in answers) >= _ALIKE * len(answers)
    are_equal = [cell == answer != "" for cell, answer in zip(right, given, strict=True)]
    if not are_labels and (len(known) <= _MOST_LABELS or sum(are_equal) < _OFTEN * len(answers)):
        return list(columns)
    same = [
        column.name
        for column in columns
        if column.is_numeric and is_function(right, texts_of(table, column.name)) and column.distinct == gold.distinct
    ]
    is_told = not are_labels and any(column.part == "score" and _says_yes_or_no(column) for column in columns)
    parts = {**dict.fromkeys(same, ""), gold.name: "gold", predicted.name: "" if is_told else "prediction"}
    return with_parts(columns, parts)


def verdicts_on_numbers(table: Table, columns: Sequence[Column]) -> list[Column]:
    """Tell predicted numbers and right ones by a score beside them that says just where they are equal.

    They are neither items nor scores, as the final numbers of arithmetic problems.
    """
    numeric = [column for column in columns if column.kind in NUMBERS]
    gold = next((column.name for column in numeric if _GOLD.fullmatch(parted(column.name))), None)
    predicted = next((column.name for column in numeric if _PREDICTED.fullmatch(parted(column.name))), None)
    verdicts = [column.name for column in columns if column.part == "score" and _says_yes_or_no(column)]
    if gold is None or predicted is None:
        return list(columns)
    both = (map(finite_number, texts_of(table, name)) for name in (gold, predicted))
    are_equal = [right == given for right, given in zip(*both, strict=True)]
    told = ([cell.lower() in ("true", "1") for cell in texts_of(table, name)] for name in verdicts)
    return with_parts(columns, {gold: "gold", predicted: ""}) if are_equal in told else list(columns)


def _answers_in_lists(table: Table, columns: Sequence[Column]) -> list[Column]:
    """Tell predicted answers beside lists of right ones, of which they are often one, whatever their capitals."""
    lists = [column for column in columns if column.kind == LISTS_OF_TEXTS and column.part in _OF_ANSWERS]
    gold = next((column for column in lists if _GOLD.fullmatch(parted(column.name))), None)
    texts = [column for column in columns if column.kind in ("text", "labels", "ids") and column.part in _OF_ANSWERS]
    predicted = next((column for column in texts if _PREDICTED.fullmatch(parted(column.name))), None)
    if gold is None or predicted is None:
        return list(columns)
    rights = (from_json(cell_of(row, gold.name)) for row in table.rows)
    rows = [
        (answer.strip().casefold(), right)
        for answer, right in zip(texts_of(table, predicted.name), rights, strict=True)
        if answer and isinstance(right, (list, tuple))
    ]
    n_equal = sum(answer in [str(each).strip().casefold() for each in right] for answer, right in rows)
    if n_equal < max(1, _OFTEN * len(rows)):
        return list(columns)
    return with_parts(columns, {gold.name: "gold", predicted.name: "prediction"})


def _held_alone(table: Table, name: str) -> list[str]:
    """Return the cells of a column as texts; that of a list of one is what it holds."""
    cells = [cell_of(row, name) for row in table.rows]
    single = [cell[0] if isinstance(cell, (list, tuple)) and len(cell) == 1 else cell for cell in cells]
    return ["" if cell is MISSING or is_blank(cell) else str(cell) for cell in single]


def _says_yes_or_no(column: Column) -> bool:
    """Say whether a column holds two values, such as true and false."""
    return column.distinct == 2 and (column.shown == "0–1" or {*column.shown.lower().split(", ")} == {"false", "true"})


def answers_with_places(table: Table, columns: Sequence[Column]) -> list[Column]:
    """Tell references by the places at which they begin in a source, as `answers.text` beside `answers.answer_start`.

    The form: rajpurkar.github.io/SQuAD-explorer, and its tables at huggingface.co/datasets/rajpurkar/squad.
    """
    del table
    names = {column.name for column in columns}
    placed = {name.removesuffix("answer_start") + "text" for name in names if name.endswith(".answer_start")}
    return with_parts(columns, dict.fromkeys(placed & names, "reference"))


def references_beside(table: Table, columns: Sequence[Column]) -> list[Column]:
    """Tell references by a word in the name of a column of texts, as `reference_summary`, beside other texts.

    The rest of the name is a usual one of texts, or stands in that of another text, as in `gpt2_story`.
    """
    words = {
        column.name: set(parted(column.name).split("_"))
        for column in columns
        if column.kind == "text" and column.part in ("", "text")
    }
    found = []
    for name, own in words.items():
        others = [of_other for of_other in words.values() if not of_other & {*_OF_REFERENCES, "target"}]
        told = _OF_REFERENCES if len(others) < 2 else {*_OF_REFERENCES, "target"}
        rest = own - told
        is_output = part_by_name(Column(" ".join(rest), "text", "", 0.0, 1)) == "text"
        if others and own & told and rest and (is_output or any(rest <= of_other for of_other in others)):
            found.append(name)
    return with_parts(columns, dict.fromkeys(found, "reference"))


_OF_OUTPUTS = frozenset(("prediction", "pred", "predicted", "hypothesis", "hyp", "output", "generated", "generation"))
"""Words that call a text an output, whatever it is."""

_OF_TASKS = re.compile(
    r"(?:.*[^a-z])?(?:summary|highlights?|abstract|answer|translation|headline|title|caption|simplification|paraphrase)"
)
"""Names of texts by what a task asks for: outputs, or references beside texts that are called outputs."""


def right_texts_beside(table: Table, columns: Sequence[Column]) -> list[Column]:
    """Tell references by the name of what was asked for, as `summary`, beside one text that is called as an output."""
    del table
    if first_of(columns, "reference", "system") is not None:
        return list(columns)
    texts = [column for column in columns if column.kind == "text" and column.part in ("", "text")]
    outputs = [column for column in texts if not _OF_OUTPUTS.isdisjoint(parted(column.name).split("_"))]
    others = [column for column in texts if column not in outputs and _OF_TASKS.fullmatch(parted(column.name))]
    if len(outputs) != 1 or len(others) != 1:
        return list(columns)
    return with_parts(columns, {outputs[0].name: "text", others[0].name: "reference"})


def outputs_called_references(table: Table, columns: Sequence[Column]) -> list[Column]:
    """Tell outputs that are called references: each item has one for each system, and no other column holds texts."""
    system, item = first_of(columns, "system"), first_of(columns, "item")
    references = [column for column in columns if column.part == "reference" and column.kind in ("text", "labels")]
    if system is None or item is None or first_of(columns, "text") is not None or len(references) != 1:
        return list(columns)
    cells = texts_of(table, references[0].name)
    items, systems = texts_of(table, item.name), texts_of(table, system.name)
    is_output = is_function(list(zip(items, systems, strict=True)), cells) and not is_function(items, cells)
    return with_parts(columns, {references[0].name: "text"} if is_output else {})


def lists_behind_means(table: Table, columns: Sequence[Column]) -> list[Column]:
    """Tell the ratings of several raters by lists of numbers whose means stand in a column of ratings."""
    ratings = [column for column in columns if column.part == "rating" and column.is_numeric]
    lists = [column for column in columns if column.kind == "lists of numbers" and not column.part]
    parts: dict[str, str] = {}
    for column in lists:
        cells = [from_json(cell_of(row, column.name)) for row in table.rows]
        means = np.array([np.mean(cell) if isinstance(cell, (list, tuple)) and cell else np.nan for cell in cells])
        for rating in ratings:
            numbers = table.as_numbers([cell_of(row, rating.name) for row in table.rows])
            if np.allclose(means, numbers, rtol=_ROUNDED, atol=_ROUNDED):
                parts[column.name] = "rating"
    return with_parts(columns, parts)


def raters_of_criteria(table: Table, columns: Sequence[Column]) -> list[Column]:
    """Return columns of which those of the first criterion that has one per rater, as `Adequacy_Anna`, are of raters.

    Those of further criteria play no part: a rater's column alone would be read as all ratings. Nor do the means of
    ratings that tell their raters.
    """
    averaged = {} if first_of(columns, "rating of a rater") else averaged_ratings(table, columns)
    families = list((ratings_by_criterion(columns) or averaged).values())
    parts = {name: "" for names in families for name in names}
    if averaged:
        parts |= {column.name: "" for column in columns if names_mean(column.name)}
    raters = {side for names in families for name in names for side in split_id(name) or ()}
    parts |= {column.name: "comment" for column in columns if _is_comment_of(column, raters)}
    parts |= dict.fromkeys(families[0] if families else [], "rating of a rater")
    return with_parts(columns, parts)


def _is_comment_of(column: Column, raters: Collection[str]) -> bool:
    """Say whether a column of texts is called as the comments of one of the raters, as `T1_Comment`."""
    sides = split_id(column.name)
    if sides is None or not column.holds_texts:
        return False
    return any(rater in raters and names_comment(word) for rater, word in (sides, sides[::-1]))


def ratings_by_criterion(columns: Sequence[Column]) -> dict[str, list[str]]:
    """Return the columns of each criterion, by its name, if each has one per rater; none for other columns.

    Names join a criterion and a rater, as `Adequacy_Anna` and `Fluency_Anna`, `fluency_r1` and `style_r1`,
    `Fluency (JS)` and `Style (JS)`, or `JS fluency` and `JS style`. All criteria have the same raters. Other names than
    those of raters may be of systems, unless a column names these.
    Words of a usual scale, such as yes and no, are ratings, too, and so are check boxes. The columns of a single
    criterion are whole numbers on one scale, or such words.
    """
    if first_of(columns, "rater") is not None:
        return {}
    may_be = [column for column in columns if column.part in ("rating", "rating of a rater", "")]
    rated = [column for column in may_be if holds_answers(column) or are_boxes(column.shown.split(", "))]
    in_words = {column.name for column in rated if not column.is_numeric}
    for sides_of, before in product((split_id, _sides_of_brackets, _two_words), (True, False)):
        found: dict[str, dict[str, str]] = {}
        for column in rated:
            sides = sides_of(column.name)
            if sides is not None:
                criterion, rater = sides if before else sides[::-1]
                found.setdefault(criterion, {})[rater] = column.name
        found = {name: of for name, of in found.items() if _may_be_criterion(name, set(of.values()) <= in_words)}
        raters = {frozenset(of) for of in found.values()}
        if len(raters) != 1 or (len(found) == 1 and not _are_alike(rated, next(iter(found.values())).values())):
            continue
        names = next(iter(raters))
        are_raters = all(map(names_rater, names))
        may_be_raters = first_of(columns, "system") is not None and not any(map(names_value, names))
        if len(names) > 1 and (are_raters or may_be_raters):
            return {criterion: list(of.values()) for criterion, of in found.items()}
    return {}


def _sides_of_brackets(name: str) -> tuple[str, str] | None:
    """Return the parts of a name before and in brackets; None without these.

    >>> _sides_of_brackets("Fluency (JS)"), _sides_of_brackets("fluency")
    (('Fluency', 'JS'), None)
    """
    match = _IN_BRACKETS.fullmatch(name.strip())
    return None if match is None else (match[1], match[2])


def _two_words(name: str) -> tuple[str, str] | None:
    """Return the two words of a name; None for fewer or more."""
    words = name.split()
    return (words[0], words[1]) if len(words) == 2 else None


def _are_alike(columns: Sequence[Column], names: Collection[str]) -> bool:
    """Say whether the columns of these names hold whole numbers on one scale, or words."""
    named = [column for column in columns if column.name in names]
    return are_on_one_scale(named) or not any(column.is_numeric for column in named)


def _may_be_criterion(name: str, is_in_words: bool) -> bool:
    """Say whether the part that names of columns share may be a criterion, and is no rater.

    Args:
        name: the part.
        is_in_words: whether the columns hold words of a scale, which are answers whatever their name.
    """
    is_value = names_value(name) or name.lower() in CRITERIA_WORDS or (is_in_words and not names_no_rating(name))
    return is_value and not names_rater(name)


def patterns_of_criteria(table: Table, columns: Sequence[Column]) -> dict[str, str]:
    """Return the criteria of ratings with a column per rater, with the pattern of each one's columns for `--rows-in`.

    There are none if patterns do not name these columns and no others. Marks that begin alike, as `T1` and `T2`, may
    stand in the pattern with what they have in common.
    """
    found = {}
    of_criteria = ratings_by_criterion(columns) or averaged_ratings(table, columns)
    for criterion, names in of_criteria.items() if len(of_criteria) > 1 else ():
        first = names[0]
        starts = first.startswith(criterion)
        sign = first[len(criterion)] if starts else first[-len(criterion) - 1]
        pattern = f"{criterion}{sign}{ANY}" if starts else f"{ANY}{sign}{criterion}"
        in_brackets = _sides_of_brackets(first)
        if in_brackets is not None:
            pattern = first.replace(in_brackets[1], ANY) if criterion == in_brackets[0] else pattern
        if not starts and set(marks_of(pattern, tuple(table.columns)).values()) > set(names):
            pattern = f"{_common_start(names)}{pattern}"
            criterion = plain_name(pattern)
        if set(marks_of(pattern, tuple(table.columns)).values()) != set(names) or plain_name(pattern) != criterion:
            return {}
        found[criterion] = pattern
    return found


def _common_start(names: Sequence[str]) -> str:
    """Return what names begin with, without a part of a number.

    >>> _common_start(["T10_C1", "T11_C1"]), _common_start(["ann_C1", "bo_C1"])
    ('T', '')
    """
    signs = takewhile(lambda signs: len(set(signs)) == 1, zip(*names, strict=False))
    return "".join(first for first, *_ in signs).rstrip("0123456789")


def items_of_raters(table: Table, columns: Sequence[Column]) -> list[Column]:
    """Tell items by a column named so if the numbers of outer rows are no items: each is one rater's answers.

    The column has fewer values, and with system and rater it tells the rows apart as they do.
    """
    item, system, rater = (first_of(columns, part) for part in ("item", "system", "rater"))
    if item is None or item.name != ITEM or system is None or rater is None:
        return list(columns)
    items, systems, raters = (texts_of(table, column.name) for column in (item, system, rater))
    if not is_function(items, raters):
        return list(columns)
    for column in columns:
        may_be = column.part in ("", "cluster") and column.name != KEY and part_by_name(column) in ("item", "cluster")
        if not may_be or not 1 < column.distinct < item.distinct:
            continue
        keys = list(zip(texts_of(table, column.name), systems, raters, strict=True))
        if len(set(keys)) == len(keys):
            return with_parts(columns, {item.name: "", column.name: "item"})
    return list(columns)


def whole_families(table: Table, columns: Sequence[Column]) -> list[Column]:
    """Return columns of which those numbered alike, as `quality1` to `quality5`, play one part.

    A column between ratings, or between scores, whose numbers lie within theirs is one of them, too.
    """
    families: dict[str, list[Column]] = {}
    for column in columns:
        match = re.fullmatch(r"(.*?[^\W\d])[ _.-]?\d+", column.name)
        if match is not None and column.is_numeric:
            families.setdefault(match[1], []).append(column)
    parts: dict[str, str] = {}
    for family in families.values():
        told = [column.part for column in family if column.part in ("rating", "score")]
        if len(family) > 2 and 2 * len(told) > len(family):
            parts |= {column.name: told[0] for column in family if not column.part}
    found = with_parts(columns, parts)
    for part in ("rating", "score"):
        found = _with_neighbours(found, part)
    return found


def _with_neighbours(columns: Sequence[Column], part: str) -> list[Column]:
    """Return columns; one beside several of a part plays it, too, if its numbers lie within theirs."""
    sisters = [column for column in columns if column.part == part and column.kind == "numbers"]
    if len(sisters) < _FEWEST_SIBLINGS:
        return list(columns)
    low = min(column.ends[0] for column in sisters)
    high = max(column.ends[1] for column in sisters)
    if low >= 0 and high <= 1:
        low, high = 0.0, 1.0
    found = list(columns)
    for order in (range(1, len(found)), range(len(found) - 2, -1, -1)):
        step = order.step
        for place in order:
            column = found[place]
            is_beside = found[place - step].part == part
            if is_beside and not column.part and column.kind == "numbers" and not names_no_rating(column.name):
                lowest, highest = column.ends
                if low <= lowest and highest <= high:
                    found[place] = replace(column, part=part)
    return found


def remarks_on_design(table: Table, columns: Sequence[Column]) -> Iterator[str]:
    """Yield the assumptions about systems that no name tells, and about ids that may join names."""
    system, item = first_of(columns, "system"), first_of(columns, "item")
    is_side = system is not None and system.name.endswith((f".{HEAD}", f".{TAIL}"))
    are_rated = first_of(columns, "rating", "rating of a rater") is not None
    may_rate = are_rated or (system is not None and system.name != KEY)  # metrics side by side are no raters'
    if system is not None and item is not None and may_rate and not is_side and is_told_by_crossing(table, columns):
        yield (
            f"column {system.name!r} is taken to name systems, for with {item.name!r} it tells each row "
            f"(--system-column); if it says who rated, it is --rater-column {system.name}"
        )
    if system is not None and item is not None and part_by_name(system) == "item" and part_by_name(item) == "source":
        yield (
            f"column {system.name!r} is taken to name systems, for each {item.name!r} has a row for all of its values "
            f"(--system-column); if it names items, it is --item-column {system.name}"
        )
    if system is not None and system.name == KEY and first_of(columns, "rating of a rater") is not None:
        yield (
            f"column {KEY!r} is taken to name systems (--system-column); if it names criteria, it is "
            f"--criterion-column {KEY}"
        )
    of_criteria = ratings_by_criterion(columns)
    if len(of_criteria) == 1 and not any(map(names_rater, of_criteria)):
        (names,) = of_criteria.values()
        yield (
            f"{shortened(', '.join(map(repr, names)), 80)} are taken for the ratings of a rater each; if they are of "
            f"something else, name one: --rating-column {quote(names[0])}"
        )
    for names in list(of_criteria.values())[1:]:
        options = " ".join(f"--rating-column {quote(name)}" for name in names)
        yield f"the ratings by another criterion have a column per rater, too: {options}"
    for column in columns:
        joined = _sides(table, columns, column)
        if joined is not None:
            yield (
                f"ids in {column.name!r} join {len(joined.systems)} names with {joined.n_items} others: if these are "
                f"systems and items, {joined.options(column.name)}"
            )
        if system is not None and system.name.startswith(f"{column.name}.") and system.name != column.name:
            yield (
                f"ids in {column.name!r} join {system.distinct} systems with their items: {system.name!r} and "
                f"{item.name if item else ''!r} are what stands before and behind their separator"
            )


def columns_behind_means(table: Table, columns: Sequence[Column]) -> list[Column]:
    """Tell raters by columns of numbers of any name whose mean stands in a column that is called so, row by row.

    The mean itself is then no rating: it would count beside those that it is made of.
    """
    if first_of(columns, "rater", "rating of a rater") is not None:
        return list(columns)
    means = [each for each in columns if each.part in ("rating", "") and each.is_numeric and names_mean(each.name)]
    plain = [each for each in columns if each.kind == "whole numbers" and not each.part and each.distinct > 1]
    plain = [each for each in plain if not names_no_rating(each.name)]
    if len(means) != 1 or len(plain) < 2:
        return list(columns)
    numbers = np.stack([table.as_numbers([cell_of(row, each.name) for row in table.rows]) for each in plain])
    known = np.isfinite(numbers).any(axis=0)
    made = np.full(len(table.rows), np.nan)
    made[known] = np.nanmean(numbers[:, known], axis=0)
    told = table.as_numbers([cell_of(row, means[0].name) for row in table.rows])
    both = known & np.isfinite(told)
    if both.sum() < _FEWEST_MEANS or not np.allclose(made[both], told[both], rtol=0, atol=_ROUNDED):
        return list(columns)
    return with_parts(columns, {means[0].name: "", **{each.name: "rating of a rater" for each in plain}})


_CODE = re.compile(r"(?=\w*\d)(?=\w*[^\W\d_])[^\W_]{6,}")
"""Names that are no words but codes, as crowd workers have; shorter ones may number questions."""


def are_called_by_words(rated: Sequence[Column]) -> bool:
    """Say whether several columns of answers on one scale are called by a word, or a code, each, and not as raters.

    Args:
        rated: the columns, whose names are not those of criteria.

    >>> are_called_by_words([Column(name, "whole numbers", "1–5", 0.0, 5) for name in ("Jana", "Tim")])
    True
    >>> are_called_by_words([Column(name, "whole numbers", "1–5", 0.0, 5) for name in ("A2XJ3K9QW", "AKS82LQ0Z")])
    True
    """
    are_words = all(column.name.isalpha() for column in rated)
    if len(rated) < 2 or not (are_words or all(_CODE.fullmatch(column.name) for column in rated)):
        return False
    return not any(names_rater(column.name) for column in rated) and are_on_one_scale(rated)


def are_on_one_scale(rated: Sequence[Column]) -> bool:
    """Say whether columns hold whole numbers with about the same ends, or words of a usual scale."""
    if all(column.kind == "labels" for column in rated):
        return are_on_a_scale([word for column in rated for word in answers_shown(column)])
    if any(column.kind != "whole numbers" for column in rated):
        return False
    lows, highs = zip(*(column.ends for column in rated), strict=True)
    return bool(max(lows) - min(lows) <= 1 and max(highs) - min(highs) <= 1)


def remarks_on_words(columns: Sequence[Column]) -> Iterator[str]:
    """Yield the remark on columns that are taken for raters although their names may be those of criteria."""
    raters = [column for column in columns if column.part == "rating of a rater"]
    are_unsure = are_called_by_words(raters) or (len(raters) > 1 and all(each.name.isdecimal() for each in raters))
    if are_unsure and not any(names_mean(each.name) and each.is_numeric for each in columns):
        named = shortened(", ".join(repr(column.name) for column in raters), 80)
        yield (
            f"nothing tells whether {named} are raters or criteria: they are taken for raters (--columns-are criteria, "
            "if each is a criterion)"
        )


def remarks_on_means(columns: Sequence[Column]) -> Iterator[str]:
    """Yield the remark on columns of any name that are taken for raters by the mean beside them."""
    raters = [column.name for column in columns if column.part == "rating of a rater"]
    means = [each.name for each in columns if each.is_numeric and not each.part and names_mean(each.name)]
    if means and raters and not any(map(names_rater, raters)):
        yield (
            f"{means[0]!r} is the mean of {shortened(', '.join(map(repr, raters)), 80)}, which are taken for raters "
            "(--columns-are criteria, if each is a criterion)"
        )
