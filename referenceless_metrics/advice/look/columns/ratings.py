"""Rules that find columns of ratings, their criteria and scales."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Sequence
from dataclasses import replace

from referenceless_metrics.advice.look.columns.choosing import (
    first_of,
    is_circumstance,
    is_function,
    texts_of,
    with_parts,
)
from referenceless_metrics.advice.look.columns.column import Column, answers_shown, are_on_a_scale, scale_in_name
from referenceless_metrics.advice.look.columns.column_kinds import are_answers
from referenceless_metrics.advice.look.columns.column_parts import (
    is_of_own_metric,
    names_comment,
    names_no_rating,
    parted,
)
from referenceless_metrics.advice.look.columns.designs import are_called_by_words
from referenceless_metrics.advice.look.columns.metrics import may_name, with_part
from referenceless_metrics.advice.look.columns.properties import verdicts
from referenceless_metrics.advice.look.columns.rescaled import RESCALED, rescaled_ratings
from referenceless_metrics.core.files.tables import Table
from referenceless_metrics.core.support.metric_names import METRICS, OF_TASKS, names_metric
from referenceless_metrics.human_evaluation.ratings.column_grid import CRITERIA_WORDS, are_abbreviated
from referenceless_metrics.human_evaluation.ratings.lists import all_of_lists
from referenceless_metrics.human_evaluation.scores.directions import is_lower_better

MOST_POINTS = 12  # different values on a scale of ratings that no name tells

_HIGHEST = 100

_MOST_HALVED = 10  # highest point of a scale with points between whole numbers

_FEW_ANSWERS = 8  # in words

_COMMON = 0.6  # share of the range of two columns of ratings that both have

_OF_METRIC = re.compile(rf"(?:^|_)(?:{METRICS}|{OF_TASKS})(?:_|$)")
"""A metric among the words of a name in small letters."""

RATINGS = ("rating", "rating of a rater")

_STEM = re.compile(
    r"fluen|adequa|angemess|coheren|natural|gramma|informat|relevan|readab|simpl|understand|engag|consisten|faithful|quality|"
    r"overall|rating|likert|correct|humou?r|funn|creativ|helpful|polite|toxic|truthful|honest|clarity|clear|concise|accura|"
    r"meaning|styl|appropriat|interest|specific|satisf|empath|complex|accept|sensib|logic|novel|convinc|persuas|"
    r"formal|divers|cohesi|verst(?:ä|ae)ndlich|inhalt|fl(?:ü|ue)ssig|nat(?:ü|ue)rlich|lesbar|qualit|vocabul|syntax|phras|convention|organi[sz]|mechanic|surpris|complete|useful|trust|human.?like|offens|hallucin|support|attribut|preserv|agree|factu|harmless|safety|plausib|originality|lik(?:e)?ab|comprehens|grounded",
    re.IGNORECASE,
)

ANSWER_NAME = re.compile(
    r"answer|response|feedback|thumb|reaction|label|judge?ment|verdict|choice|vote|decision|opinion|class|grade",
    re.IGNORECASE,
)

_ANSWERS = re.compile(r"answers?[.:]", re.IGNORECASE)
"""The beginning of the names of columns of answers, as Mechanical Turk writes them."""

_CORRECTED = re.compile(r"correction|corrected", re.IGNORECASE)
"""Names of columns of corrections of errors, and of no ratings."""

JUDGE_NAME = re.compile(
    r"judge|^ai(?![a-z])|(?<![a-z])(?:llm|gpt|chatgpt|claude|gemini|llama|mistral|qwen|deepseek|prometheus|auto|automatic|"
    r"automated|machine|predicted|pred|metric|gemba|autorater)(?![a-z])|g.?eval",
    re.IGNORECASE,
)

_OF_PEOPLE = re.compile(
    r"(?:human|expert|crowd|people|manual|gold)[ _.-](?:\w+[ _.-])?(?:score|mqm|da|esa|rating|judge?ment|mean|average)",
    re.IGNORECASE,
)
"""Names of a column that tell that people gave its numbers."""

PEOPLE_WORD = re.compile(r"human|expert|crowd|people|annotator|worker|manual|gold|user|rater", re.IGNORECASE)


def find_on_named_scales(table: Table, columns: Sequence[Column]) -> list[Column]:
    """Tell ratings by the scale in their names, as in `correct_0_1`, unless these name a metric."""

    def is_rating(column: Column) -> bool:
        may_be = column.part in ("", "score") and column.kind == "whole numbers" and not names_no_rating(column.name)
        return may_be and scale_in_name(column, columns) is not None and _OF_METRIC.search(parted(column.name)) is None

    return with_part(columns, "rating", is_rating)


def find_called_criteria(table: Table, columns: Sequence[Column]) -> list[Column]:
    """Tell ratings from 0 to 100 at most by their names, if these are those of criteria, as `Helpfulness`."""

    def is_rating(column: Column) -> bool:
        is_called_so = re.sub(r"[ _]*[(\[].*", "", column.name).lower() in CRITERIA_WORDS
        if column.part or column.kind != "whole numbers" or not is_called_so:
            return False
        low, high = column.ends
        return low >= 0 and 1 <= high <= _HIGHEST

    return with_part(columns, "rating", is_rating)


def find_all_of_parts(table: Table, columns: Sequence[Column]) -> list[Column]:
    """Tell scores by a column that is true just where all answers of a list are, each on a part of the output."""
    lists = [column.name for column in columns if column.kind == "lists of numbers" and column.part in ("", "rating")]
    told = {name: each for name in lists if (each := all_of_lists(table, name))}
    return with_parts(columns, {**dict.fromkeys(told, ""), **dict.fromkeys(told.values(), "score")})


def is_criterion(word: str) -> bool:
    """Say whether a word names a criterion by which texts are rated.

    >>> is_criterion("Fluency"), is_criterion("overall_quality"), is_criterion("bart"), is_criterion("ground_truth")
    (True, True, False, False)
    """
    return word.lower() in CRITERIA_WORDS or (_STEM.search(word) is not None and len(word.split()) < 4)


def find_siblings(table: Table, columns: Sequence[Column]) -> list[Column]:
    """Tell ratings by ratings beside them in one object, or under names of one form: by accuracy, beside fluency.

    So they are told by two ratings or more whose names begin with the same word, if their ends are the same, too.
    """
    named = with_part(columns, "rating", lambda column: _is_scale(column) and _STEM.search(column.name) is not None)
    rated = [column.name for column in named if column.part == "rating"]
    begun = Counter(_beginning(column) for column in named if column.part == "rating" and "_" in column.name)
    stems = {stem(name) for name in rated} - {""}
    forms = {form_of_criterion(name) for name in rated} - {""}

    def is_sibling(column: Column) -> bool:
        is_beside = stem(column.name) in stems or form_of_criterion(column.name) in forms
        is_beside = is_beside or begun[_beginning(column)] > 1
        return column.part in ("score", "") and is_beside and _is_scale(replace(column, part=""))

    return _beside_answers(with_part(named, "rating", is_sibling))


def _beginning(column: Column) -> tuple[str, str]:
    """Return the first word of a column's name, and its ends."""
    return column.name.partition("_")[0], column.shown


def stem(name: str) -> str:
    """Return a name without what stands behind its last dot, and "" without a dot."""
    return name.rpartition(".")[0]


def _beside_answers(columns: Sequence[Column]) -> list[Column]:
    """Tell ratings by answers beside them, as `Answer.style` beside `Answer.fluency`, on their scale or within it."""
    rated = [column for column in columns if column.part == "rating" and column.kind == "whole numbers"]
    answers = [column for column in rated if _ANSWERS.match(column.name)]
    if not answers:
        return list(columns)
    low, high = min(column.ends[0] for column in answers), max(column.ends[1] for column in answers)

    def is_alike(column: Column) -> bool:
        is_answer = _ANSWERS.match(column.name) and column.kind == "whole numbers" and not names_no_rating(column.name)
        return bool(is_answer) and not column.part and low <= column.ends[0] and column.ends[1] <= high

    return with_part(columns, "rating", is_alike)


def find_ratings(table: Table, columns: Sequence[Column]) -> list[Column]:
    """Tell ratings by words in the name of a column, or else by a scale of a few whole numbers, if no name does.

    Several columns on one scale that are called by one word each, such as a name, may be of a rater each, or of a
    criterion: they are taken for raters, with a remark.
    """
    if first_of(columns, *RATINGS, "preference", "score") is not None:
        return list(columns)
    may_be = [column for column in columns if _is_scale(column)]
    if not may_be:
        measured = with_part(columns, "score", _is_measured)
        if first_of(measured, "score") is None and first_of(columns, "system") and first_of(columns, "item"):
            return with_part(columns, "score", _counts_errors)
        return measured
    named = [column for column in may_be if _STEM.search(column.name)]
    names = [column.name for column in may_be]
    are_criteria = any(map(is_criterion, names)) or are_abbreviated(names)
    has_texts = any(column.kind == "text" for column in columns)  # without texts, the columns may be systems
    are_free = has_texts and not are_criteria and first_of(columns, "rater") is None
    if not named and are_free and are_called_by_words(may_be):
        return with_parts(columns, {column.name: "rating of a rater" for column in may_be})
    return with_parts(columns, {column.name: "rating" for column in named or may_be})


def _is_scale(column: Column) -> bool:
    """Say whether a column holds a few whole numbers that are no keys, counts or times, or halves among these."""
    if column.part or not column.is_numeric or names_no_rating(column.name):
        return False
    low, high = column.ends
    if column.kind == "numbers":
        are_halves = (2 * low).is_integer() and (2 * high).is_integer()
        if not (are_halves and low >= 0 and 1 < high <= _MOST_HALVED):
            return False
    return 1 < column.distinct <= MOST_POINTS and low >= -_HIGHEST and high <= _HIGHEST


def _is_measured(column: Column) -> bool:
    """Say whether a column holds numbers that are not whole, as metrics give them, and no times or counts."""
    return not column.part and column.kind == "numbers" and not names_no_rating(column.name)


def _counts_errors(column: Column) -> bool:
    counted = re.search(r"error|mistake|omission|edit|addition|hallucination", column.name.lower())
    return not column.part and column.is_numeric and counted is not None


def find_answers(table: Table, columns: Sequence[Column]) -> list[Column]:
    """Tell answers in words by the name of their column, if no column of numbers is one of ratings."""
    numeric = [column for column in columns if column.part in (*RATINGS, "preference", "score")]
    if any(column.kind != "labels" for column in numeric):  # words beside numbers say the same
        return [
            replace(column, part="") if column.part in ("rating", "score") and column.kind == "labels" else column
            for column in columns
        ]
    if numeric:
        return list(columns)
    may_be = [
        column
        for column in columns
        if not column.part
        and column.kind == "labels"
        and 1 < column.distinct <= MOST_POINTS
        and not names_no_rating(column.name)
        and not _CORRECTED.search(column.name)
        and not (column.blank and names_comment(column.name))
        and not (column.holds_texts and column.distinct > _FEW_ANSWERS)
    ]
    named = [column for column in may_be if _STEM.search(column.name) or ANSWER_NAME.search(column.name)]
    named += [column for column in may_be if column not in named and _are_on_their_scale(column, named)]
    if not named:
        graded = [column for column in columns if not column.part and _says_how_good(column)]
        named = graded if len(graded) == 1 else []
    if not named and first_of(columns, "rater") is not None:
        named = [column for column in may_be if not is_circumstance(column.name)]
        named = [column for column in named if are_answers([cell for cell in texts_of(table, column.name) if cell])]
        named = named if len(named) == 1 else _of_several_raters(table, columns, named)
    if not named and first_of(columns, "system") is not None:
        named = verdicts(table, columns, may_be)
    return with_parts(columns, {column.name: "rating" for column in named})


def _are_on_their_scale(column: Column, named: Sequence[Column]) -> bool:
    """Say whether a column holds words of the usual scale of one that is named, and shares some with it.

    >>> agreed = Column("is it clear", "labels", "Agree, Disagree", 0.0, 2)
    >>> _are_on_their_scale(Column("b", "labels", "Agree, Strongly agree", 0.0, 2), [agreed])
    True
    >>> _are_on_their_scale(Column("b", "labels", "no, yes", 0.0, 2), [agreed])
    False
    """
    words = answers_shown(column)
    scales = [answers_shown(each) for each in named]
    return any(not set(words).isdisjoint(of) and are_on_a_scale(sorted({*words, *of})) for of in scales)


def _of_several_raters(table: Table, columns: Sequence[Column], labels: Sequence[Column]) -> list[Column]:
    """Return the columns of labels in which raters differ on one output, if an item and a system tell this.

    Each is answered in most rows, and no rater has the same label in all of them.
    """
    item, system, rater = (first_of(columns, part) for part in ("item", "system", "rater"))
    if item is None or system is None or rater is None:
        return []
    items, systems, raters = (texts_of(table, each.name) for each in (item, system, rater))
    outputs = list(zip(items, systems, strict=True))
    cells = {column.name: texts_of(table, column.name) for column in labels if 2 * column.blank < 1}
    return [
        column
        for column in labels
        if column.name in cells
        and not is_function(outputs, cells[column.name])
        and not is_function(raters, cells[column.name])
    ]


def _says_how_good(column: Column) -> bool:
    """Say whether a column of any name holds words of a usual scale from bad to good.

    >>> _says_how_good(Column("flag", "labels", "bad, good, okay", 0.0, 3))
    True
    >>> _says_how_good(Column("flag", "labels", "no, yes", 0.0, 2))
    False
    """
    words = answers_shown(column)
    return not {"good", "bad", "poor"}.isdisjoint(map(str.lower, words)) and are_on_a_scale(words)


def form_of_criterion(name: str) -> str:
    """Return the name of a column with a star for the one criterion in it; "" for none, and for nothing else in it.

    >>> form_of_criterion("gpt_fluency_score"), form_of_criterion("fluency"), form_of_criterion("gpt_score")
    ('gpt_*_score', '', '')
    """
    words = re.split(r"([^a-z0-9]+)", parted(name))
    criteria = [word for word in words if is_criterion(word)]
    form = "".join("*" if word in criteria else word for word in words)
    return form if len(criteria) == 1 and form != "*" else ""


def beside_people(columns: Sequence[Column], may_be: Sequence[Column]) -> list[Column]:
    """Return columns of which numbers that are not whole are scores, beside one whose name says that people gave it.

    People's own means are called so, too.
    """
    people = [column.name for column in may_be if _OF_PEOPLE.fullmatch(column.name)]
    if len(people) != 1:
        return list(columns)
    programs = [
        column.name
        for column in may_be
        if column.kind == "numbers"
        and column.name not in people
        and _STEM.search(column.name)
        and "disagree" not in column.name
    ]
    return with_parts(columns, {people[0]: "rating", **dict.fromkeys(programs, "score")})


def find_beside_ratings(table: Table, columns: Sequence[Column]) -> list[Column]:
    """Tell ratings by ratings on both or one of their sides, with the same range but for a part, or the same words.

    A score beside ratings has to be called as a criterion, and nothing may say that ratings alone are of people.
    """
    rated = [column.name for column in columns if column.part == "rating"]
    if first_of(columns, "rating of a rater") is not None or any(PEOPLE_WORD.search(name) for name in rated):
        return list(columns)
    found = list(columns)
    for order in (range(1, len(found)), range(len(found) - 2, -1, -1)):
        for place in order:
            column, beside = found[place], found[place - order.step]
            if beside.part == "rating" and _is_of_their_scale(column, beside):
                found[place] = replace(column, part="rating")
    return found


def find_rescaled(table: Table, columns: Sequence[Column]) -> list[Column]:
    """Tell ratings on another scale, which are no scores to hold against them; a judge's own may equal people's."""
    may_be = [column for column in columns if not JUDGE_NAME.search(column.name)]
    return with_parts(columns, dict.fromkeys(rescaled_ratings(table, may_be), RESCALED))


def _is_of_their_scale(column: Column, beside: Column) -> bool:
    """Say whether a column that no name tells from ratings has numbers of the kind and the range of ratings beside."""
    if column.kind == beside.kind == "labels":  # the same few answers, as True and False
        is_alike = not column.part and column.shown == beside.shown and column.distinct < _FEW_ANSWERS
        return is_alike and not names_no_rating(column.name) and not is_circumstance(column.name)
    if not (column.is_numeric and column.kind == beside.kind and column.distinct > 1):
        return False
    if column.part not in ("", "score") or (column.part == "score" and not is_criterion(column.name)):
        return False
    if names_no_rating(column.name) or names_metric(column.name) or is_lower_better(column.name):
        return False
    if JUDGE_NAME.search(column.name) or is_of_own_metric(column.name, column.kind, column.shown):
        return False
    (low, high), (lowest, highest) = column.ends, beside.ends
    common = min(high, highest) - max(low, lowest)
    return common >= _COMMON * (max(high, highest) - min(low, lowest))


def find_criteria(table: Table, columns: Sequence[Column]) -> list[Column]:
    """Tell criteria: each output, or item, is rated once by each of a few names."""
    rated = first_of(columns, "rating", "score")
    unit = first_of(columns, "text", "item")
    if rated is None or unit is None or first_of(columns, "criterion", "preference") is not None:
        return list(columns)
    others = [column for column in columns if column.part in ("system", "rater", "run", "item", "cluster", "slice")]
    keys = list(zip(*(texts_of(table, column.name) for column in (unit, *others)), strict=True))
    if len(set(keys)) == len(keys):
        return list(columns)
    values = [texts_of(table, column.name) for column in columns if column.part in (*RATINGS, "score")]
    for column in columns:
        if may_name(column, len(table.rows)) and not column.blank:
            names = texts_of(table, column.name)
            if any(is_function(numbers, names) for numbers in values):  # parts of a scale, as good and bad
                continue
            if len({*zip(keys, names, strict=True)}) == len(keys) and not any(re.search(r"\d", name) for name in names):
                return with_parts(columns, {column.name: "criterion"})
    return list(columns)


def find_rated_texts(table: Table, columns: Sequence[Column]) -> list[Column]:
    """Tell items by texts that each stand in several rows, of raters who are not named, if items hold several of them.

    What was taken for the items is then what the texts are about, such as their story.
    """
    texts_there = [column for column in columns if column.kind == "text" and column.part in ("text", "")]
    item, text = first_of(columns, "item"), first_of(columns, "text") or first_of(texts_there, "")
    if item is None or text is None or len(texts_there) > 1 or first_of(columns, "rating") is None:
        return list(columns)
    if first_of(columns, "system", "rater", "rating of a rater", "criterion", "metric", "cluster") is not None:
        return list(columns)
    texts = texts_of(table, text.name)
    are_parts = is_function(texts, texts_of(table, item.name)) and item.distinct < text.distinct
    counts = Counter(texts).values()
    return with_parts(columns, {item.name: "cluster"} if are_parts and min(counts) > 1 else {})
