"""The parts of columns that cells tell if names do not: shared values, values that go together, rows with answers."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Collection, Sequence
from dataclasses import replace
from itertools import combinations, product

from referenceless_metrics.advice.look.choosing import first_of, is_circumstance, is_function, texts_of, with_parts
from referenceless_metrics.advice.look.columns import (
    JUDGED_LABEL,
    LABELS,
    LISTED_RATERS,
    Column,
    answers_shown,
    are_answers,
    are_on_a_scale,
    is_of_own_metric,
    named_columns,
    names_comment,
    names_no_rating,
    names_rater,
    part_by_name,
    parted,
    scale_in_name,
)
from referenceless_metrics.advice.look.compared_pairs import compared_pairs, votes_against_another
from referenceless_metrics.advice.look.designs import (
    answers_with_places,
    are_called_by_words,
    bleu_figures,
    columns_behind_means,
    compared_versions,
    crossed_systems,
    f_figures,
    items_of_raters,
    lists_behind_means,
    numbered_outputs,
    outputs_called_references,
    predicted_answers,
    raters_of_criteria,
    references_beside,
    rouge_figures,
    scores_of_score,
    systems_in_ids,
    systems_of_sources,
    varied_systems,
    versions_of_outputs,
    whole_families,
)
from referenceless_metrics.advice.look.marks import marked_columns
from referenceless_metrics.advice.look.messages import parts_of_chats
from referenceless_metrics.advice.look.properties import (
    clusters_of_one_item,
    clusters_of_one_row,
    fields_of_spans,
    groups_in_ids,
    items_of_clusters,
    joined_items,
    judges_answers,
    numbered_items,
    properties_of_items,
    questions_and_answers,
    subjects,
    telling_rows,
    texts_of_items,
    texts_of_systems,
    verdicts,
    verdicts_of_scores,
)
from referenceless_metrics.advice.look.replies import (
    judges_in_replies,
    keys_of_requests,
    requests_in_batches,
)
from referenceless_metrics.advice.look.rescaled import RESCALED, rescaled_ratings
from referenceless_metrics.advice.look.roles import (
    judges_by_name,
    labels_beside_raters,
    raters_by_numbers,
    raters_in_roles,
    raters_of_same_texts,
    raters_of_sides,
    remarks_of_raters,
)
from referenceless_metrics.core.files.json_rows import INNER_KEY
from referenceless_metrics.core.files.nested_rows import ANY, ITEM, KEY, PLACE, are_numbered
from referenceless_metrics.core.files.reading import MISSING, Condition, cell_of, cell_text, from_json
from referenceless_metrics.core.files.tables import Table, is_blank
from referenceless_metrics.core.support.metric_names import METRICS, OF_TASKS, names_metric
from referenceless_metrics.human_evaluation.ratings.categories import of_several_raters
from referenceless_metrics.human_evaluation.ratings.column_grid import CRITERIA_WORDS
from referenceless_metrics.human_evaluation.ratings.lists import all_of_lists, are_names, lists_in, names_beside
from referenceless_metrics.human_evaluation.ratings.ranks import are_ranks, is_better_if_lower
from referenceless_metrics.human_evaluation.scores.columns import cells_of
from referenceless_metrics.human_evaluation.scores.directions import is_lower_better

_ROWS_COMPARED = 50  # whose texts are looked for in others
_MOST_POINTS = 12  # different values on a scale of ratings that no name tells
_HIGHEST = 100
_MOST_HALVED = 10  # highest point of a scale with points between whole numbers
_FEW_ANSWERS = 8  # in words
_ALIKE = 0.2  # least mean Cohen's κ of columns that several raters may have filled
_COMMON = 0.6  # share of the range of two columns of ratings that both have
_FEWEST_ROWS = 3  # in the mean, of each system or criterion
_MOST_NAMES = 60
_MOST_GROUPS = 12  # of items
_OF_METRIC = re.compile(rf"(?:^|_)(?:{METRICS}|{OF_TASKS})(?:_|$)")
"""A metric among the words of a name in small letters."""

_RATINGS = ("rating", "rating of a rater")
_MEANS = ("mean", "average", "avg", "median")
_STEM = re.compile(
    r"fluen|adequa|angemess|coheren|natural|gramma|informat|relevan|readab|simpl|understand|engag|consisten|faithful|quality|"
    r"overall|rating|likert|correct|humou?r|funn|creativ|helpful|polite|toxic|truth|honest|clarity|clear|concise|accura|"
    r"meaning|styl|appropriat|interest|specific|satisf|empath|complex|accept|sensib|logic|novel|convinc|persuas|"
    r"formal|divers|cohesi|verst(?:ä|ae)ndlich|inhalt|fl(?:ü|ue)ssig|nat(?:ü|ue)rlich|lesbar|qualit|vocabul|syntax|phras|convention|organi[sz]|mechanic|surpris|complete|useful|trust|human.?like|offens|hallucin|support|attribut|preserv|agree|factu",
    re.IGNORECASE,
)


_RATER = re.compile(
    r"(?:.*[^a-z])?(?:annotator|rater|coder|judge|worker|human|expert|evaluator)(?!s$)[ _.-]?\w{1,3}"
    r"|(?:a|r|h|ann)[ _.-]?\d+",
    re.IGNORECASE,
)
_SEGMENT = re.compile(
    r"(?:seg|segment|sent|sentence|line|turn|utt|utterance|item|question|example|doc|document|paragraph)[ _.-]?\d+",
    re.IGNORECASE,
)
_ANSWER = re.compile(
    r"answer|response|feedback|thumb|reaction|label|judge?ment|verdict|choice|vote|decision|opinion|class|grade",
    re.IGNORECASE,
)


_ANSWERS = re.compile(r"answers?[.:]", re.IGNORECASE)
"""The beginning of the names of columns of answers, as Mechanical Turk writes them."""

_WAY = re.compile(
    r"(?:generation|generator|decoding|decoder|prompting|training|summarization|translation|nlg|mt|llm|language)[ _.-]?"
    r"(?:method|model|strategy|approach|system|name|algorithm)",
    re.IGNORECASE,
)
"""Names of columns of ways to make texts."""

_KEY = re.compile(r"(?:id|no|num|number|index|idx|key|file|file[ _.-]?name)$")
"""The end of the names of columns of keys."""

_CORRECTED = re.compile(r"correction|corrected", re.IGNORECASE)
"""Names of columns of corrections of errors, and of no ratings."""

_JUDGE = re.compile(
    r"judge|^ai(?![a-z])|(?<![a-z])(?:llm|gpt|chatgpt|claude|gemini|llama|mistral|qwen|deepseek|prometheus|auto|automatic|"
    r"automated|machine|predicted|pred|metric|gemba|autorater)(?![a-z])|g.?eval",
    re.IGNORECASE,
)
_OF_PEOPLE = re.compile(
    r"(?:human|expert|crowd|people|manual|gold)[ _.-](?:\w+[ _.-])?(?:score|mqm|da|esa|rating|judge?ment|mean|average)",
    re.IGNORECASE,
)
"""Names of a column that tell that people gave its numbers."""

_PEOPLE = re.compile(r"human|expert|crowd|people|annotator|worker|manual|gold|user|rater", re.IGNORECASE)


def columns_of(table: Table) -> list[Column]:
    """Return the columns of a table, each with its kind and the part that its name, its kind and its cells tell."""
    columns = named_columns(table)
    for rule in (
        _on_named_scales,
        fields_of_spans,
        _metrics_in_lists,
        _verdicts_on_candidates,
        rouge_figures,
        bleu_figures,
        scores_of_score,
        parts_of_chats,
        compared_pairs,
        references_beside,
        questions_and_answers,
        _means_of_others,
        judges_in_replies,
        requests_in_batches,
        systems_in_ids,
        keys_of_requests,
        answers_with_places,
        predicted_answers,
        _numbered_raters,
        raters_of_sides,
        raters_by_numbers,
        _raters_in_words,
        _raters_asked_alike,
        labels_beside_raters,
        _label_lists,
        _all_of_parts,
        _keys,
        verdicts_of_scores,
        _siblings,
        _ratings,
        marked_columns,
        _raters_by_answers,
        _answers,
        _judges,
        _labels_of_judges,
        _beside_ratings,
        _rescaled,
        verdicts_of_scores,  # that stand beside ratings
        _named_values,
        _metrics_in_cells,
        judges_answers,
        subjects,
        systems_of_sources,
        _systems,
        _ways,
        _groups_of_items,
        numbered_outputs,
        raters_of_same_texts,
        crossed_systems,
        compared_versions,
        versions_of_outputs,
        varied_systems,
        _criteria,
        _items,
        _segments,
        items_of_clusters,
        clusters_of_one_item,
        clusters_of_one_row,
        numbered_items,
        properties_of_items,
        _rated_texts,
        _variants,
        _ways_with_an_item,
        _places,
        _items_of_sources,
        texts_of_items,
        texts_of_systems,
        _side_by_side,
        _texts_of_models,
        _raters_of_lists,
        items_of_raters,
        lists_behind_means,
        columns_behind_means,
        raters_of_criteria,
        outputs_called_references,
        whole_families,
        joined_items,
        groups_in_ids,
        raters_in_roles,
        judges_by_name,
        remarks_of_raters,
        _prompts_of_judges,
        f_figures,
        _ranks_of_systems,
        _data_sets,
        _copies,
        votes_against_another,
    ):
        columns = rule(table, columns)
    return columns


def _on_named_scales(table: Table, columns: Sequence[Column]) -> list[Column]:
    """Tell ratings by the scale in their names, as in `correct_0_1`, unless these name a metric."""

    def is_rating(column: Column) -> bool:
        may_be = column.part in ("", "score") and column.kind == "whole numbers" and not names_no_rating(column.name)
        return may_be and scale_in_name(column, columns) is not None and _OF_METRIC.search(parted(column.name)) is None

    return _with_part(columns, "rating", is_rating)


def _metrics_in_lists(table: Table, columns: Sequence[Column]) -> list[Column]:
    """Tell scores by lists of numbers, as of a document's segments, if all of their columns are called as metrics.

    So are lists in one object, most of which are called so.
    """
    listed = [column.name for column in columns if column.kind == "lists of numbers" and column.part in ("", "rating")]
    holders: dict[str, list[str]] = {}
    for name in listed:
        holders.setdefault(name.partition(".")[0] if "." in name else "", []).append(name)
    scores = listed if all(map(names_metric, listed)) and first_of(columns, "system") is None else []
    for holder, names in holders.items():
        if holder and 2 * sum(map(names_metric, names)) > len(names) > 1:
            scores = [*scores, *names]
    return with_parts(columns, dict.fromkeys(scores, "score"))


def _verdicts_on_candidates(table: Table, columns: Sequence[Column]) -> list[Column]:
    """Return columns of which lists of true and false, one for each of a row's candidates, are no raters' answers."""
    candidates = first_of(columns, "candidates")
    if candidates is None:
        return list(columns)
    lengths = [len(from_json(cell)) for cell in cells_of(table, candidates.name) if _is_filled_list(cell)]
    verdicts = []
    for column in columns:
        if column.part != "rating" or column.kind != "lists of numbers":
            continue
        lists = [from_json(cell) for cell in cells_of(table, column.name) if _is_filled_list(cell)]
        if [len(each) for each in lists] == lengths and all(isinstance(each, bool) for of in lists for each in of):
            verdicts.append(column.name)
    return with_parts(columns, dict.fromkeys(verdicts, ""))


def _is_filled_list(cell: object) -> bool:
    """Say whether a cell holds a list, of one element at least."""
    inside = from_json(cell)
    return isinstance(inside, list) and bool(inside)


def _ranks_of_systems(table: Table, columns: Sequence[Column]) -> list[Column]:
    """Tell ratings by a column that is called as ranks, if its numbers put the systems of each item in an order."""
    system, item = first_of(columns, "system"), first_of(columns, "item")
    if system is None or item is None or first_of(columns, *_RATINGS, "score", "preference") is not None:
        return list(columns)
    import pandas as pd

    told = [column for column in columns if column.part in ("item", "rater", "criterion", "cluster", "slice")]
    keys = {column.name: texts_of(table, column.name) for column in told}
    for column in columns:
        if column.is_numeric and not column.part and is_better_if_lower(column.name):
            numbers = table.as_numbers([cell_of(row, column.name) for row in table.rows])
            if are_ranks(pd.DataFrame({**keys, "its number": numbers}), list(keys), "its number"):
                return with_parts(columns, {column.name: "rating"})
    return list(columns)


def _copies(table: Table, columns: Sequence[Column]) -> list[Column]:
    """Return columns of which numbers inside an object play no part if a column of the same name beside it has them."""
    held = {column.name: column for column in columns if column.part in (*_RATINGS, "score")}
    inner = {name: name.rpartition(".")[2] for name in held}
    copied = [
        name
        for name, last in inner.items()
        if last != name and last in held and texts_of(table, name) == texts_of(table, last)
    ]
    return with_parts(columns, dict.fromkeys(copied, ""))


def _data_sets(table: Table, columns: Sequence[Column]) -> list[Column]:
    """Tell slices by a column of few labels that is called a source, beside another one that holds texts: data sets."""
    sources = [column for column in columns if column.part == "source"]
    few = [column for column in sources if column.kind == "labels" and column.distinct <= _MOST_GROUPS]
    has_texts = any(column.kind == "text" for column in sources)
    part = "" if first_of(columns, "slice") is not None else "slice"
    return with_parts(columns, {column.name: part for column in few} if has_texts else {})


def _prompts_of_judges(table: Table, columns: Sequence[Column]) -> list[Column]:
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


def _hold(cells: Sequence[str], others: Sequence[str]) -> bool:
    """Say whether each text of a column holds that of another beside it, and more."""
    pairs = [(" ".join(cell.split()), " ".join(other.split())) for cell, other in zip(cells, others, strict=True)]
    return all(other and other in cell and len(cell) > len(other) for cell, other in pairs)


def _with_part(columns: Sequence[Column], part: str, chosen: Callable[[Column], bool]) -> list[Column]:
    return [replace(column, part=part) if chosen(column) else column for column in columns]


def _means_of_others(table: Table, columns: Sequence[Column]) -> list[Column]:
    """Return columns without ratings that are called means alone, and lie outside the scale of criteria beside them."""
    rated = [column for column in columns if column.part == "rating" and column.is_numeric]
    criteria = [column for column in rated if is_criterion(column.name)]
    if not criteria:
        return list(columns)
    high = max(column.ends[1] for column in criteria)
    others = [column for column in rated if column.name.rpartition(".")[2].lower() in _MEANS]
    outside = [column.name for column in others if column.ends[0] > high or column.ends[1] > 2 * high]
    return with_parts(columns, dict.fromkeys(outside, ""))


def _numbered_raters(table: Table, columns: Sequence[Column]) -> list[Column]:
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


def _raters_in_words(table: Table, columns: Sequence[Column]) -> list[Column]:
    """Tell raters by columns of words whose names are those of raters, as `annotator_1` and `annotator_2`."""
    if first_of(columns, *_RATINGS) is not None:
        return list(columns)
    labels = [column for column in columns if column.kind in ("labels", LABELS) and not _is_in_list(table, column.name)]
    chosen = [column.name for column in labels if _RATER.fullmatch(column.name) or _is_annotation(table, column)]
    return with_parts(columns, dict.fromkeys(chosen if len(chosen) > 1 else [], "rating of a rater"))


_ASKED = re.compile(
    r"((?:annotator|rater|judge|coder|expert|worker|evaluator|reviewer)[ _-]?\d+)\W+(.+)", re.IGNORECASE
)


def _raters_asked_alike(table: Table, columns: Sequence[Column]) -> list[Column]:
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


def _label_lists(table: Table, columns: Sequence[Column]) -> list[Column]:
    """Tell lists of labels, one of each of several raters, from those of labels that one gave."""
    named = [column for column in columns if column.kind == LABELS and column.part in ("", "rating")]
    parts = {column.name: "" for column in named}
    if first_of((column for column in columns if column.kind != LABELS), *_RATINGS, "preference", "score") is None:
        for column in named:
            cells = [from_json(cell_of(row, column.name)) for row in table.rows]
            is_answer = _ANSWER.search(column.name) or re.search(r"annot|rating|error", column.name.lower())
            beside = [each.kind for each in columns if _stem(each.name) == _stem(column.name)]
            has_values = "lists of numbers" in beside  # each label has a value of its own
            if is_answer and not has_values and not _is_in_list(table, column.name) and of_several_raters(cells):
                parts[column.name] = "rating"
    return with_parts(columns, parts)


def _all_of_parts(table: Table, columns: Sequence[Column]) -> list[Column]:
    """Tell scores by a column that is true just where all answers of a list are, each on a part of the output."""
    lists = [column.name for column in columns if column.kind == "lists of numbers" and column.part in ("", "rating")]
    told = {name: each for name in lists if (each := all_of_lists(table, name))}
    return with_parts(columns, {**dict.fromkeys(told, ""), **dict.fromkeys(told.values(), "score")})


def _keys(table: Table, columns: Sequence[Column]) -> list[Column]:
    """Tell the meaning of the keys of objects that hold rows: systems, raters, criteria or items."""
    if INNER_KEY in table.columns:
        return _ids_inside_ids(table, columns)
    if not table.rows or cell_of(table.rows[0], ITEM) is MISSING:
        return list(columns)
    of_segments = _keys_of_segments(table, columns)
    if of_segments:
        return with_parts(columns, of_segments)
    items = texts_of(table, ITEM)
    found = [_plain(column) for column in columns]
    for place, column in enumerate(columns):
        if _is_of_keys(column.name):
            keys = texts_of(table, column.name)
            others = found[:place] + found[place + 1 :]
            text = first_of(columns, "text")
            texts = None if text is None else texts_of(table, text.name)
            part = _part_of_keys(column.name, keys, items, found[:place], others)
            held = column.name.removesuffix(f".{KEY}")
            if held != column.name and keys == texts_of(table, held):  # each key is its value: an answer
                part = ""
            if part == "rater" and _are_of_several(others, held):
                part = "criterion"
            vary = len({*zip(items, keys, strict=True)}) < len(set(items)) * len(set(keys))
            found[place] = replace(column, part=_by_texts(part, table, found[:place], texts, items, vary=vary))
    found = _without_places(table, found, items)
    numbered = [column.name for column in found if _is_of_keys(column.name) and column.part == "item"]
    if len(numbered) > 1:  # items are named anew in each outer one
        return with_parts(found, {**dict.fromkeys(numbered, "cluster"), numbered[-1]: "item", ITEM: ""})
    outer = next((column for column in found if column.name == KEY and column.part == "item"), None)
    inner = next((column for column in found if column.name != KEY and _is_of_keys(column.name)), None)
    if outer is not None and inner is not None and inner.part == "system" and 2 * outer.distinct <= inner.distinct:
        # few systems, each with its items
        return with_parts(found, {outer.name: "system", inner.name: "item", ITEM: ""})
    return _with_numbered_items(table, found, items)


def _without_places(table: Table, columns: Sequence[Column], items: Sequence[str]) -> list[Column]:
    """Return columns without inner keys that number the outputs of an outer row, if it has one of each system."""
    system = next((column for column in columns if column.part == "system" and not _is_of_keys(column.name)), None)
    if system is None or len(set(zip(items, texts_of(table, system.name), strict=True))) < len(items):
        return list(columns)
    inner = [column.name for column in columns if _is_of_keys(column.name) and column.name != KEY]
    places = [name for name in inner if all(key.isdigit() for key in texts_of(table, name))]
    return with_parts(columns, dict.fromkeys(places, ""))


def _ids_inside_ids(table: Table, columns: Sequence[Column]) -> list[Column]:
    """Tell items and their raters by ids that are keys of objects inside one another.

    Inner keys that stand in one outer one each are the items of a cluster, and those of a few outer ones items of
    systems.
    """
    if not {KEY, INNER_KEY} <= {column.name for column in columns}:
        return list(columns)
    outer, inner = texts_of(table, KEY), texts_of(table, INNER_KEY)
    parts = {KEY: "item", INNER_KEY: "rater"}
    if is_function(inner, outer):
        parts = {KEY: "cluster", INNER_KEY: "item"}
    elif 2 * len(set(outer)) <= len(set(inner)) and len(set(outer)) <= _MOST_GROUPS:
        parts = {KEY: "system", INNER_KEY: "item"}
    return with_parts(columns, parts)


def _with_numbered_items(table: Table, columns: Sequence[Column], items: Sequence[str]) -> list[Column]:
    """Return columns of which keys that are numbers, from 0 or 1 in each outer row, are of items there."""
    for column in columns:
        if _is_of_keys(column.name) and column.part in ("system", "item"):
            keys = texts_of(table, column.name)
            are_counted = all(key.isdigit() for key in keys) and min(map(int, keys)) < 2 and len(set(keys)) > 1
            if are_counted and len({*zip(items, keys, strict=True)}) > max(len(set(items)), len(set(keys))) > 1:
                return with_parts(columns, {column.name: "item", ITEM: "cluster"})
    return list(columns)


def _keys_of_segments(table: Table, columns: Sequence[Column]) -> dict[str, str]:
    """Return the parts of keys of systems, documents and segments inside one another; none for other keys.

    Two levels are numbered, as `doc1` and `seg1`, and the third names systems.
    """
    levels = {column.name: set(texts_of(table, column.name)) for column in columns if _is_of_keys(column.name)}
    are_numbers = [
        name for name, keys in levels.items() if all(_SEGMENT.fullmatch(key) or key.isdigit() for key in keys)
    ]
    others = [name for name in levels if name not in are_numbers]
    if len(are_numbers) < 2 or len(others) != 1 or all(map(is_criterion, levels[others[0]])):
        return {}
    parts = {**dict.fromkeys(are_numbers, "cluster"), are_numbers[-1]: "item", others[0]: "system"}
    return {**parts, ITEM: ""}


def _by_texts(
    part: str, table: Table, before: Sequence[Column], texts: Sequence[str] | None, items: Sequence[str], *, vary: bool
) -> str:
    """Return the part of keys, checked by the texts that they tell apart.

    Keys of one text that vary are no systems, and those of several texts of one system no raters: each is an item.
    """
    if texts is None or len(set(texts)) == len(set(items)) == 1:
        return part
    systems = [texts_of(table, column.name) for column in before if column.part == "system"]
    if part == "system" and vary and is_function(items, texts):
        return "rater"
    if part in ("rater", "criterion") and systems:
        outputs = list(zip(items, *systems, strict=True))
        return part if is_function(outputs, texts) else "item"
    return part


def _are_of_several(columns: Sequence[Column], held: str) -> bool:
    """Say whether a column holds lists of numbers: ratings of several raters, so that their keys name no rater."""
    return any(column.name == held and column.kind == "lists of numbers" for column in columns)


def _raters_of_lists(table: Table, columns: Sequence[Column]) -> list[Column]:
    """Return columns without one of raters, if all ratings stand in lists: several raters' ratings in a cell.

    A column may list the raters themselves.
    """
    rated = [column for column in columns if column.part in _RATINGS]
    if not rated or any(column.kind != "lists of numbers" for column in rated):
        return list(columns)
    columns = _with_part(columns, "", lambda column: column.part == "rater")
    counts = [len(cell) if isinstance(cell, list) else 0 for cell in lists_in(cells_of(table, rated[0].name))]
    for column in columns:
        listed = names_beside(cells_of(table, column.name), counts) if column.kind.startswith("lists of") else None
        if listed is not None and are_names(listed):
            return with_parts(columns, {column.name: LISTED_RATERS})
    return columns


def _is_of_keys(name: str) -> bool:
    return name == KEY or name.endswith(f".{KEY}")


def _plain(column: Column) -> Column:
    """Return a column of keys without a part, and that of the outer rows' numbers as one of items."""
    if _is_of_keys(column.name):
        return replace(column, part="")
    return replace(column, part="item") if column.name == ITEM and not column.part else column


def _part_of_keys(
    name: str, keys: Sequence[str], items: Sequence[str], before: Sequence[Column], others: Sequence[Column]
) -> str:
    of_key: dict[str, set[str]] = {}
    for key, item in zip(keys, items, strict=True):
        of_key.setdefault(key, set()).add(item)
    if len(set(items)) > 1 and all(len(of) == 1 for of in of_key.values()):
        return "item"
    if name == KEY and all(key.isdigit() for key in of_key) and any(each.name == f"{ANY}.{KEY}" for each in others):
        return "item"  # each with objects under further keys
    if name == KEY and all(len(key) == 1 or key.isdigit() for key in of_key):
        return ""  # places side by side, which name nothing
    if all(is_criterion(key) for key in of_key):
        return "criterion"
    if all(map(_SEGMENT.fullmatch, of_key)):
        return "item"
    if first_of(others, "system") is None:
        are_sparse = all(2 * len(of) <= len(set(items)) for of in of_key.values())
        are_ids = len(of_key) > _FEWEST_ROWS and all(re.search(r"\d", key) for key in of_key)
        are_raters = all(map(names_rater, of_key)) or (are_sparse and are_ids)
        return "rater" if are_raters else "system"
    if are_numbered(list(of_key)) and all(key.isdigit() for key in of_key):
        return "item"
    if first_of(before, "system") is None:  # the objects name their systems themselves
        return ""
    vary = any(len(of) < len(set(items)) for of in of_key.values())
    return "rater" if vary or all(re.search(r"\d", key) for key in of_key) else "criterion"


def is_criterion(word: str) -> bool:
    """Say whether a word names a criterion by which texts are rated.

    >>> is_criterion("Fluency"), is_criterion("overall_quality"), is_criterion("bart")
    (True, True, False)
    """
    return word.lower() in CRITERIA_WORDS or (_STEM.search(word) is not None and len(word.split()) < 4)


def _siblings(table: Table, columns: Sequence[Column]) -> list[Column]:
    """Tell ratings by ratings beside them in one object, or under names of one form: by accuracy, beside fluency.

    So they are told by two ratings or more whose names begin with the same word, if their ends are the same, too.
    """
    named = _with_part(columns, "rating", lambda column: _is_scale(column) and _STEM.search(column.name) is not None)
    rated = [column.name for column in named if column.part == "rating"]
    begun = Counter(_beginning(column) for column in named if column.part == "rating" and "_" in column.name)
    stems = {_stem(name) for name in rated} - {""}
    forms = {form_of_criterion(name) for name in rated} - {""}

    def is_sibling(column: Column) -> bool:
        is_beside = _stem(column.name) in stems or form_of_criterion(column.name) in forms
        is_beside = is_beside or begun[_beginning(column)] > 1
        return column.part in ("score", "") and is_beside and _is_scale(replace(column, part=""))

    return _beside_answers(_with_part(named, "rating", is_sibling))


def _beginning(column: Column) -> tuple[str, str]:
    """Return the first word of a column's name, and its ends."""
    return column.name.partition("_")[0], column.shown


def _stem(name: str) -> str:
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

    return _with_part(columns, "rating", is_alike)


def _ratings(table: Table, columns: Sequence[Column]) -> list[Column]:
    """Tell ratings by words in the name of a column, or else by a scale of a few whole numbers, if no name does.

    Several columns on one scale that are called by one word each, such as a name, may be of a rater each, or of a
    criterion: they are taken for raters, with a remark.
    """
    if first_of(columns, *_RATINGS, "preference", "score") is not None:
        return list(columns)
    may_be = [column for column in columns if _is_scale(column)]
    if not may_be:
        measured = _with_part(columns, "score", _is_measured)
        if first_of(measured, "score") is None and first_of(columns, "system") and first_of(columns, "item"):
            return _with_part(columns, "score", _counts_errors)
        return measured
    named = [column for column in may_be if _STEM.search(column.name)]
    are_criteria = any(is_criterion(column.name) for column in may_be)
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
    return 1 < column.distinct <= _MOST_POINTS and low >= -_HIGHEST and high <= _HIGHEST


def _is_measured(column: Column) -> bool:
    """Say whether a column holds numbers that are not whole, as metrics give them, and no times or counts."""
    return not column.part and column.kind == "numbers" and not names_no_rating(column.name)


def _counts_errors(column: Column) -> bool:
    counted = re.search(r"error|mistake|omission|edit|addition|hallucination", column.name.lower())
    return not column.part and column.is_numeric and counted is not None


def _raters_by_answers(table: Table, columns: Sequence[Column]) -> list[Column]:
    """Tell raters by columns of answers in the words of one scale that are called by a word each, such as a name.

    Such words may be criteria, as a remark says; answers of several raters are alike more often than by chance.
    """
    known = (*_RATINGS, "preference", "score", "rater")
    if first_of(columns, *known) is not None or first_of(columns, "system", "text") is None:
        return list(columns)
    answered = [each for each in columns if not each.part and each.distinct > 1 and are_on_a_scale(answers_shown(each))]
    are_criteria = any(is_criterion(each.name) or _ANSWER.search(each.name) for each in answered)
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


def _answers(table: Table, columns: Sequence[Column]) -> list[Column]:
    """Tell answers in words by the name of their column, if no column of numbers is one of ratings."""
    numeric = [column for column in columns if column.part in (*_RATINGS, "preference", "score")]
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
        and 1 < column.distinct <= _MOST_POINTS
        and not names_no_rating(column.name)
        and not _CORRECTED.search(column.name)
        and not (column.blank and names_comment(column.name))
        and not (column.holds_texts and column.distinct > _FEW_ANSWERS)
    ]
    named = [column for column in may_be if _STEM.search(column.name) or _ANSWER.search(column.name)]
    if not named:
        graded = [column for column in columns if not column.part and _says_how_good(column)]
        named = graded if len(graded) == 1 else []
    if not named and first_of(columns, "rater") is not None:
        named = [column for column in may_be if not is_circumstance(column.name)]
        named = [column for column in named if are_answers([cell for cell in texts_of(table, column.name) if cell])]
        named = named if len(named) == 1 else []
    if not named and first_of(columns, "system") is not None:
        named = verdicts(table, columns, may_be)
    return with_parts(columns, {column.name: "rating" for column in named})


def _says_how_good(column: Column) -> bool:
    """Say whether a column of any name holds words of a usual scale from bad to good.

    >>> _says_how_good(Column("flag", "labels", "bad, good, okay", 0.0, 3))
    True
    >>> _says_how_good(Column("flag", "labels", "no, yes", 0.0, 2))
    False
    """
    words = answers_shown(column)
    return not {"good", "bad", "poor"}.isdisjoint(map(str.lower, words)) and are_on_a_scale(words)


def may_judge(score: str, rating: str) -> bool:
    """Say whether names tell that a column holds the scores of a judge or a metric, and another people's ratings.

    >>> may_judge("gpt4_score", "fluency"), may_judge("score", "human_rating"), may_judge("score", "raw")
    (True, True, False)
    """
    return _JUDGE.search(score) is not None or names_metric(score) or _PEOPLE.search(rating) is not None


def _judges(table: Table, columns: Sequence[Column]) -> list[Column]:
    """Tell a judge's scores from people's ratings beside them, by words in their names."""
    may_be = [column for column in columns if column.is_numeric and column.part in ("rating", "score", "")]
    columns = _beside_people(columns, may_be)
    judged = {column.name for column in may_be if _JUDGE.search(column.name) and not _PEOPLE.search(column.name)}
    people = {column.name for column in may_be if _PEOPLE.search(column.name)}
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


def form_of_criterion(name: str) -> str:
    """Return the name of a column with a star for the one criterion in it; "" for none, and for nothing else in it.

    >>> form_of_criterion("gpt_fluency_score"), form_of_criterion("fluency"), form_of_criterion("gpt_score")
    ('gpt_*_score', '', '')
    """
    words = re.split(r"([^a-z0-9]+)", parted(name))
    criteria = [word for word in words if is_criterion(word)]
    form = "".join("*" if word in criteria else word for word in words)
    return form if len(criteria) == 1 and form != "*" else ""


def _is_of_a_person(column: Column) -> bool:
    """Say whether a column holds one rater's ratings, who is called as no language model."""
    return column.part == "rating of a rater" and column.is_numeric and not _JUDGE.search(column.name)


def _labels_of_judges(table: Table, columns: Sequence[Column]) -> list[Column]:
    """Tell labels of a judge, by its column's name, from those of people in the same words beside them."""
    labels = [each for each in columns if each.kind == "labels" and each.part in ("", *_RATINGS)]
    people = [each for each in labels if each.part and _PEOPLE.search(each.name)]
    words = {word.casefold() for column in people for word in answers_shown(column)}
    judged = [each for each in labels if _JUDGE.search(each.name) and not _PEOPLE.search(each.name)]
    judged = [each for each in judged if {word.casefold() for word in answers_shown(each)} == words]
    return with_parts(columns, dict.fromkeys((column.name for column in judged), JUDGED_LABEL))


def _beside_people(columns: Sequence[Column], may_be: Sequence[Column]) -> list[Column]:
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


def _beside_ratings(table: Table, columns: Sequence[Column]) -> list[Column]:
    """Tell ratings by ratings on both or one of their sides, with the same range but for a part, or the same words.

    A score beside ratings has to be called as a criterion, and nothing may say that ratings alone are of people.
    """
    rated = [column.name for column in columns if column.part == "rating"]
    if first_of(columns, "rating of a rater") is not None or any(_PEOPLE.search(name) for name in rated):
        return list(columns)
    found = list(columns)
    for order in (range(1, len(found)), range(len(found) - 2, -1, -1)):
        for place in order:
            column, beside = found[place], found[place - order.step]
            if beside.part == "rating" and _is_of_their_scale(column, beside):
                found[place] = replace(column, part="rating")
    return found


def _rescaled(table: Table, columns: Sequence[Column]) -> list[Column]:
    """Tell ratings on another scale, which are no scores to hold against them; a judge's own may equal people's."""
    may_be = [column for column in columns if not _JUDGE.search(column.name)]
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
    if _JUDGE.search(column.name) or is_of_own_metric(column.name, column.kind, column.shown):
        return False
    (low, high), (lowest, highest) = column.ends, beside.ends
    common = min(high, highest) - max(low, lowest)
    return common >= _COMMON * (max(high, highest) - min(low, lowest))


def _named_values(table: Table, columns: Sequence[Column]) -> list[Column]:
    """Tell the names of metrics beside their values, in columns `name` and `value`."""
    value = first_of(columns, "score", "rating")
    if (
        value is None
        or first_of(columns, "metric", "criterion") is not None
        or not value.name.lower().endswith("value")
    ):
        return list(columns)
    beside = f"{value.name[: -len('value')]}name".lower()
    part = "metric" if value.part == "score" else "criterion"
    return _with_part(columns, part, lambda column: column.name.lower() in (beside, "name") and column.kind == "labels")


def _metrics_in_cells(table: Table, columns: Sequence[Column]) -> list[Column]:
    """Tell the names of metrics beside their values by a column of labels that are usual metrics, half of them or more.

    The values of metrics in one column are told apart by it alone.
    """
    if first_of(columns, "score") is None or first_of(columns, "metric", "criterion") is not None:
        return list(columns)
    for column in columns:
        plain = replace(column, part="") if column.part == "item" else column
        if not _may_name(plain, len(table.rows)) or column.blank:
            continue
        if name_metrics(texts_of(table, column.name)):
            return with_parts(columns, {column.name: "metric"})
    return list(columns)


def name_metrics(cells: Sequence[str]) -> bool:
    """Say whether cells name two usual metrics or more, and these are half of the names or more.

    >>> name_metrics(["bleu", "chrf", "bleu"]), name_metrics(["bleu", "bart", "t5", "gpt2"])
    (True, False)
    """
    names = set(cells)
    n_metrics = sum(map(names_metric, names))
    return n_metrics > 1 and 2 * n_metrics >= len(names)


def _may_name(column: Column, n_rows: int) -> bool:
    """Say whether a column may name systems or criteria: a few labels, each in several rows."""
    is_named = column.kind == "labels" and 1 < column.distinct <= _MOST_NAMES and not column.part
    return is_named and _FEWEST_ROWS * column.distinct <= n_rows


def _systems(table: Table, columns: Sequence[Column]) -> list[Column]:
    """Tell systems by their outputs or ratings: an item has several, and with the system only one.

    Without outputs, raters have to be known: one rater's ratings of an item may differ by system alone.
    """
    text = first_of(columns, "text")
    if first_of(columns, "system", "preference", "system_a") is not None:
        return list(columns)
    rater = first_of(columns, "rater")
    by = text or rater
    if by is None or first_of(columns, *_RATINGS, "score") is None:
        return list(columns)
    values = texts_of(table, by.name)
    may_be = [column for column in columns if _may_name(column, len(table.rows)) and not is_circumstance(column.name)]
    keys = [column for column in columns if column.part in ("item", "source")]
    cells = {column.name: texts_of(table, column.name) for column in (*keys, *may_be)}
    for item, column in product(keys, may_be):
        items, names = cells[item.name], cells[column.name]
        pairs = list(zip(items, names, strict=True))
        if all(is_criterion(name) for name in set(names)) or len(set(pairs)) == len(set(items)):
            continue
        if text is not None:
            is_told = is_function(pairs, values) and not is_function(items, values)
        else:
            rated = list(zip(items, values, strict=True))
            is_told = len(set(rated)) < len(rated) == len({*zip(rated, names, strict=True)})
        if is_told:
            return with_parts(columns, {column.name: "system"})
    return list(columns)


def _ways(table: Table, columns: Sequence[Column]) -> list[Column]:
    """Tell systems by a column of few names that is called as a way to make texts, as `Generation Method`."""
    known = ("system", "preference", "system_a", "rating of a rater")
    if first_of(columns, *known) is not None or first_of(columns, "rating", "score") is None:
        return list(columns)
    named = [column.name for column in columns if _may_name(column, len(table.rows)) and _WAY.fullmatch(column.name)]
    return with_parts(columns, {named[0]: "system"} if len(named) == 1 else {})


def _groups_of_items(table: Table, columns: Sequence[Column]) -> list[Column]:
    """Tell systems by a column called a source that holds a few single words, each of several items: whose they are.

    A text that outputs were made from has more words, or stands for one item.
    """
    item, source = first_of(columns, "item"), first_of(columns, "source")
    known = ("system", "text", "preference", "system_a", "rating of a rater")
    if item is None or source is None or first_of(columns, *known) is not None or source.kind != "labels":
        return list(columns)
    if first_of(columns, "rating") is None or not 1 < source.distinct <= _MOST_GROUPS:
        return list(columns)
    names = texts_of(table, source.name)
    are_words = all(len(name.split()) == 1 for name in set(names))
    are_several = item.distinct >= _FEWEST_ROWS * source.distinct
    of_one = is_function(texts_of(table, item.name), names)
    return with_parts(columns, {source.name: "system"} if are_words and are_several and of_one else {})


def _criteria(table: Table, columns: Sequence[Column]) -> list[Column]:
    """Tell criteria: each output, or item, is rated once by each of a few names."""
    rated = first_of(columns, "rating", "score")
    unit = first_of(columns, "text", "item")
    if rated is None or unit is None or first_of(columns, "criterion", "preference") is not None:
        return list(columns)
    others = [column for column in columns if column.part in ("system", "rater", "run", "item", "cluster", "slice")]
    keys = list(zip(*(texts_of(table, column.name) for column in (unit, *others)), strict=True))
    if len(set(keys)) == len(keys):
        return list(columns)
    values = [texts_of(table, column.name) for column in columns if column.part in (*_RATINGS, "score")]
    for column in columns:
        if _may_name(column, len(table.rows)) and not column.blank:
            names = texts_of(table, column.name)
            if any(is_function(numbers, names) for numbers in values):  # parts of a scale, as good and bad
                continue
            if len({*zip(keys, names, strict=True)}) == len(keys) and not any(re.search(r"\d", name) for name in names):
                return with_parts(columns, {column.name: "criterion"})
    return list(columns)


def _items(table: Table, columns: Sequence[Column]) -> list[Column]:
    """Tell items by cells that several systems share.

    A column that numbers each output is none; the outputs' sources, such as prompts, are one if they are shared.
    """
    named = [column for column in columns if column.part == "item"]
    if any(column.distinct > 1 for column in named):
        columns = with_parts(columns, {column.name: "" for column in named if column.distinct == 1 < len(table.rows)})
    system = first_of(columns, "system")
    if system is None or system.distinct < 2:
        return _repeated_items(table, columns)
    systems = texts_of(table, system.name)
    named = [column for column in columns if column.part == "item"]
    places = [column for column in columns if column.name == PLACE and _tells_rows(table, columns, column)]
    places = [column for column in places if _are_places_shared(table, columns, systems)]
    sources = [column for column in columns if column.part in ("source", "cluster", "reference")]
    sources = [column for column in sources if not column.kind.startswith(("lists", "objects"))]
    sources = [column for column in sources if column.part != "reference" or _tells_rows(table, columns, column)]
    others = [column for column in columns if not column.part and not column.blank and _may_be_item(column)]
    others = [column for column in others if not column.holds_texts or _tells_rows(table, columns, column)]
    numbered = [column for column in columns if not column.part and _numbers_things(column)]
    others += [column for column in numbered if column not in others and _tells_rows(table, columns, column)]
    keys = sorted(
        (*places, *sources, *others), key=lambda column: (column.kind == "text", not column.part, not _is_key(column))
    )
    if first_of(columns, "run") is not None and first_of(columns, "text") is None:  # means of runs, over data sets
        keys += [column for column in columns if column.part == "slice" and _tells_rows(table, columns, column)]
    if first_of(columns, *_RATINGS, "score") is None:  # an output stands in one row, so that its item does
        keys = [column for column in keys if _tells_rows(table, columns, column)]
    shared = next((column for column in (*named, *keys) if _is_shared(texts_of(table, column.name), systems)), None)
    if shared is None and not named:  # each output has a name of its own: systems are independent samples
        shared = next((column for column in others if _names_rows(column, len(table.rows))), None)
    return list(columns) if shared is None else _with_item(columns, shared.name)


def _segments(table: Table, columns: Sequence[Column]) -> list[Column]:
    """Tell items by numbers of segments, or their sources, if what was taken for an item holds several: a cluster.

    With them the rows of each system and rater are told apart. A segment is of one document, and of several systems.
    """
    item, system = first_of(columns, "item"), first_of(columns, "system")
    if item is None or system is None or first_of(columns, "cluster") is not None:
        return list(columns)
    documents, systems = texts_of(table, item.name), texts_of(table, system.name)
    finer = [column for column in columns if not column.blank and item.distinct < column.distinct < len(table.rows)]
    numbers = [column for column in finer if column.kind == "whole numbers" and not column.part]
    nested = []
    for column in (*numbers, *(each for each in finer if each.part == "source")):
        cells = texts_of(table, column.name)
        if is_function(cells, documents) and _is_shared(cells, systems):
            nested.append(column)
    segments = telling_rows(table, columns, nested)
    return list(columns) if segments is None else with_parts(columns, {item.name: "cluster", segments.name: "item"})


_THING = re.compile(
    r"(?:.*[^a-z])?(?:doc|document|article|text|sentence|segment|prompt|question|story|dialogue?|passage|source|topic)"
)
"""Names of columns whose whole numbers may tell what outputs were made for."""


def _numbers_things(column: Column) -> bool:
    """Say whether a column holds whole numbers and is called as what outputs are made for, as `source_doc`."""
    return column.kind == "whole numbers" and not column.blank and _THING.fullmatch(parted(column.name)) is not None


def _names_rows(column: Column, n_rows: int) -> bool:
    return column.kind == "ids" and column.distinct == n_rows and _KEY.search(column.name.lower()) is not None


def _rated_texts(table: Table, columns: Sequence[Column]) -> list[Column]:
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


def _ways_with_an_item(table: Table, columns: Sequence[Column]) -> list[Column]:
    """Tell items of a source in several slices, as a sentence under each of some prompts: the source is their cluster.

    Sources are texts of several words: numbers that stand in several slices may number other items in each.
    """
    item, part = first_of(columns, "item"), first_of(columns, "slice")
    if item is None or part is None or first_of(columns, "cluster") is not None:
        return list(columns)
    items = texts_of(table, item.name)
    n_ways = len({*zip(items, texts_of(table, part.name), strict=True)})
    if n_ways == len(set(items)) or not all(len(each.split()) > 2 for each in items):
        return list(columns)
    return with_parts(columns, {part.name: "item", item.name: "cluster"})


def _variants(table: Table, columns: Sequence[Column]) -> list[Column]:
    """Tell slices by a second column of systems, if each item is there in several of them: variants of each system."""
    item = first_of(columns, "item")
    systems = [column for column in columns if column.part == "system"]
    known = ("rater", "slice", "cluster", "run", "criterion", "metric")
    if item is None or len(systems) != 2 or first_of(columns, *known) is not None:
        return list(columns)
    rows = list(zip(texts_of(table, item.name), texts_of(table, systems[0].name), strict=True))
    whole = set(zip(rows, texts_of(table, systems[1].name), strict=True))
    is_told = len(set(rows)) < len(rows) == len(whole)
    return with_parts(columns, {systems[1].name: "slice"} if is_told else {})


def _are_places_shared(table: Table, columns: Sequence[Column], systems: Sequence[str]) -> bool:
    """Say whether a place in the lists of several systems is the same thing: the lists lie in one outer row, or item.

    The n-th edit of one text has nothing to do with that of another. If each system has one list, it is of all items.
    """
    if not any(column.name == ITEM for column in columns) or len(set(texts_of(table, ITEM))) == len(set(systems)):
        return True
    held = [column for column in columns if column.name == ITEM or column.part in ("item", "source", "cluster")]
    return any(_is_outer(table, each) and _is_shared(texts_of(table, each.name), systems) for each in held)


def _items_of_sources(table: Table, columns: Sequence[Column]) -> list[Column]:
    """Tell that numbers inside lists begin again in each outer row, which has a source, or an output, of its own."""
    item = first_of(columns, "item")
    if item is None or first_of(columns, "cluster") is not None or _is_outer(table, item):
        return list(columns)
    held = [column for column in columns if column.part in ("source", "reference", "text") and column.distinct > 1]
    ids = texts_of(table, item.name)
    for column in held:
        if _is_outer(table, column) and len(set(zip(ids, texts_of(table, column.name), strict=True))) > len(set(ids)):
            return with_parts(columns, {ITEM: "cluster"})
    return list(columns)


def _is_outer(table: Table, column: Column) -> bool:
    """Say whether a column has one value in each outer row, or there are no outer rows."""
    if not table.rows or cell_of(table.rows[0], ITEM) is MISSING:
        return True
    rows = texts_of(table, ITEM)
    return len(set(zip(rows, texts_of(table, column.name), strict=True))) == len(set(rows))


def _tells_rows(table: Table, columns: Sequence[Column], item: Column) -> bool:
    """Say whether a column tells the rows of each system, rater and run apart."""
    keys = [column for column in columns if column.part in ("system", "rater", "criterion", "metric", "run")]
    rows = list(zip(*(texts_of(table, column.name) for column in (*keys, item)), strict=True))
    return len(set(rows)) == len(rows)


def _repeated_items(table: Table, columns: Sequence[Column]) -> list[Column]:
    """Return columns of which that of items, rated by several raters, does not number the rows.

    A column of clusters that has another value in each row tells items.
    """
    named = [column for column in columns if column.part == "item"]
    single = [column for column in columns if column.part == "cluster" and column.distinct == len(table.rows) > 1]
    if not named and single:
        return with_parts(columns, {single[0].name: "item"})
    if not named and (
        first_of(columns, "text") is None or first_of(columns, "rating of a rater")
    ):  # a key of the rows, whatever it is called
        keys = [column for column in columns if not column.part and column.name.lower().endswith("id")]
        if first_of(columns, "rating of a rater"):  # each row was rated by all, whatever repeats
            keys = [column for column in keys if _tells_rows(table, columns, column)]
        return with_parts(columns, {keys[0].name: "item"}) if len(keys) == 1 else list(columns)
    rater = first_of(columns, "rater")
    if rater is None or not named:
        return list(columns)
    if named[0].name == ITEM and is_function(texts_of(table, ITEM), texts_of(table, rater.name)):
        raters = texts_of(table, rater.name)  # each outer row is what one rater said
        shared = next((each for each in named[1:] if _is_shared(texts_of(table, each.name), raters)), None)
        return list(columns) if shared is None else _with_item(columns, shared.name)
    if named[0].distinct < len(table.rows):
        return list(columns)
    repeated = next((column for column in named if column.distinct < len(table.rows)), None)
    return list(columns) if repeated is None else _with_item(columns, repeated.name)


def _places(table: Table, columns: Sequence[Column]) -> list[Column]:
    """Tell items by their place in a list, if the rows of one item, system and rater differ in nothing else.

    The column that was taken for the item is then that of a group of items.
    """
    place = first_of((column for column in columns if column.name == PLACE), "", "item")
    item = first_of(columns, "item")
    if place is None or item is None or item is place:
        return list(columns)
    kinds = ("item", "system", "rater", "criterion", "metric", "run", "cluster")
    keys = [texts_of(table, column.name) for column in columns if column.part in kinds]
    without = list(zip(*keys, strict=True))
    placed = [(*key, cell) for key, cell in zip(without, texts_of(table, PLACE), strict=True)]
    if len(set(without)) == len(without) or len(set(placed)) < len(placed):
        return list(columns)
    if item.name != ITEM and not _is_outer(table, item):  # a number that begins again in each outer row
        return with_parts(columns, {ITEM: "cluster"})
    metric = first_of(columns, "metric")
    is_of_metric = metric is not None and is_function(texts_of(table, metric.name), texts_of(table, item.name))
    return with_parts(_with_item(columns, PLACE), {item.name: "" if is_of_metric else "cluster"})


def _side_by_side(table: Table, columns: Sequence[Column]) -> list[Column]:
    """Tell systems by the numbers of columns side by side, if these alone tell the rows of an item and rater apart."""
    key = first_of((column for column in columns if column.name == KEY), "")
    item, rater = first_of(columns, "item"), first_of(columns, "rater")
    if key is None or item is None or rater is None or first_of(columns, "system", "criterion") is not None:
        return list(columns)
    rows = list(zip(texts_of(table, item.name), texts_of(table, rater.name), strict=True))
    numbered = list(zip(rows, texts_of(table, KEY), strict=True))
    return with_parts(columns, {KEY: "system"} if len(set(rows)) < len(rows) == len(set(numbered)) else {})


_MODEL = re.compile(r"(?:model|system)(?:[ _.-]?(?:output|answer|response|text|summary|translation))?")
"""Names of columns that hold a model's text, once the model's mark is taken off."""


def _texts_of_models(table: Table, columns: Sequence[Column]) -> list[Column]:
    """Tell systems by the marks of texts side by side that are called as models, as `Model A` and `Model B`.

    A text beside them, which is repeated with each, is their source.
    """
    texts = [column for column in columns if column.holds_texts and _MODEL.fullmatch(column.name.lower())]
    if len(texts) != 1 or not any(column.name == KEY for column in columns):
        return list(columns)
    if first_of(columns, "system", "criterion", "reference") is not None:
        return list(columns)
    sources = [column.name for column in columns if column.part == "text" and column is not texts[0]]
    return with_parts(columns, {KEY: "system", texts[0].name: "text"} | dict.fromkeys(sources, "source"))


def are_side_by_side(columns: Sequence[Column]) -> bool:
    """Say whether systems are told by the numbers of columns side by side alone."""
    key = first_of((column for column in columns if column.name == KEY), "system")
    return key is not None and key.kind == "whole numbers"


def _with_item(columns: Sequence[Column], name: str) -> list[Column]:
    """Return columns of which that of this name alone is the one of items."""
    return with_parts(columns, {column.name: "" for column in columns if column.part == "item"} | {name: "item"})


def _may_be_item(column: Column) -> bool:
    if column.kind == "whole numbers" and not column.part.startswith("rating"):
        return re.search(r"(?:id|no|num|number|index|idx)$", column.name.lower()) is not None
    is_named = column.kind in ("ids", "labels") and (column.distinct > _MOST_POINTS or _is_key(column))
    return column.holds_texts or is_named


def _is_key(column: Column) -> bool:
    """Say whether a column is called as one of keys, such as `scenario_id`."""
    return re.search(rf"(?:^|[^a-z]){_KEY.pattern}", parted(column.name)) is not None


def _is_shared(values: Sequence[str], systems: Sequence[str]) -> bool:
    """Say whether most values stand in rows of several systems."""
    of_value: dict[str, set[str]] = {}
    for value, system in zip(values, systems, strict=True):
        if value.strip():
            of_value.setdefault(value, set()).add(system)
    several = sum(len(of) > 1 for of in of_value.values())
    return len(of_value) > 1 and 2 * several > len(of_value)


def where_filled(table: Table, columns: Sequence[Column]) -> Condition | None:
    """Return the condition on a column of labels that holds just for the rows with ratings, if some rows have none.

    Trials of other kinds, as instructions, stand between the answers of an experiment.
    """
    ratings = [column for column in columns if column.part in _RATINGS]
    if not ratings or not all(column.blank and not column.mark for column in ratings):
        return None
    filled = [not is_blank(cell) for cell in texts_of(table, ratings[0].name)]
    for column in columns:
        if column.kind != "labels" or column.part in ("system", "rater", "item", *_RATINGS):
            continue
        cells = [cell_text(cell) for cell in cells_of(table, column.name)]
        inside = {cell for cell, is_filled in zip(cells, filled, strict=True) if is_filled}
        outside = {cell for cell, is_filled in zip(cells, filled, strict=True) if not is_filled}
        if len(inside) == 1 and not inside & outside and inside != {""}:
            return Condition(column.name, next(iter(inside)))
    return None
