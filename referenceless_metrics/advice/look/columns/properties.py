"""Columns that are no texts, ratings or raters, whatever their names say: the cells of others tell it."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import replace

from referenceless_metrics.advice.look.columns.choosing import (
    first_of,
    is_circumstance,
    is_function,
    texts_of,
    with_parts,
)
from referenceless_metrics.advice.look.columns.column import Column
from referenceless_metrics.advice.look.columns.column_kinds import are_answers
from referenceless_metrics.advice.look.columns.column_parts import (
    holds_answers,
    names_comment,
    names_people,
    part_by_name,
    parted,
)
from referenceless_metrics.core.files.marked_numbers import marked_numbers
from referenceless_metrics.core.files.nested_rows import KEY
from referenceless_metrics.core.files.reading import joined_name
from referenceless_metrics.core.files.tables import Table
from referenceless_metrics.core.support.metric_names import names_metric
from referenceless_metrics.core.support.validation import finite_number, shortened
from referenceless_metrics.human_evaluation.files_in_order import names_ids
from referenceless_metrics.human_evaluation.ratings.column_grid import CRITERIA_WORDS
from referenceless_metrics.human_evaluation.ratings.cut_scores import cut_column

_VALUED = ("rating", "score")
_MOSTLY = 0.5  # share of texts, or of blank cells
_FEWEST_ITEMS = 3
_MOST_NAMES = 60
_MOST_LETTERS = 4000  # of an answer in which ratings are looked for
_PLACE = re.compile(
    r"(?:turn|utt|utterance|sent|sentence|seg|segment|line|step|round|position|place|paragraph|reply|message)s?"
    r"(?:[ _.-]?(?:id|no|num|number|index|idx|nr))?",
    re.IGNORECASE,
)
"""Names of columns of places in a dialogue or a document."""

_KEYS = ("item", "system", "rater", "criterion", "metric", "run", "cluster", "slice")
_COMMENT = "comment"


def judges_answers(table: Table, columns: Sequence[Column]) -> list[Column]:
    """Return columns of which texts that repeat the ratings of their rows, each behind its name, are a judge's answers.

    So are those that are called as comments, and blank in most rows. Where nothing else is a rating or a score, answers
    that mark a number each, as `Rating: [[7]]`, are scores.
    """
    rated = [column for column in columns if column.part in _VALUED and column.is_numeric]
    parts = {}
    if first_of(columns, *_VALUED) is None:
        others = [column for column in columns if column.holds_texts and column.part in ("", "text")]
        parts = {column.name: "score" for column in others if marked_numbers(texts_of(table, column.name)) is not None}
        if len(parts) == 1:
            return with_parts(columns, parts)
        parts = {}
    for column in columns:
        if not column.holds_texts or column.part not in ("", "text"):
            continue
        if (names_comment(column.name) and column.blank > _MOSTLY) or _repeats(table, column, rated):
            parts[column.name] = _COMMENT
    return with_parts(columns, parts)


def _repeats(table: Table, column: Column, rated: Sequence[Column]) -> bool:
    """Say whether most texts of a column hold a rating of their row behind its name."""
    texts = [text[:_MOST_LETTERS].lower() for text in texts_of(table, column.name)]
    n_filled = sum(map(bool, texts))
    for rating in rated:
        name = re.escape(rating.name.rpartition(".")[2].lower()).replace("_", r"[ _-]")
        behind = re.compile(rf"(?<!\w){name}\W{{0,4}}(\d+(?:\.\d+)?)")
        cells = texts_of(table, rating.name)
        pairs = zip(texts, cells, strict=True)
        n_found = sum(
            (number := finite_number(cell)) is not None and number in map(float, behind.findall(text))
            for text, cell in pairs
        )
        if n_filled and n_found > _MOSTLY * n_filled:
            return True
    return False


_QUESTIONS = frozenset(("question", "prompt", "query", "input", "instruction"))
_REPLIES = frozenset(("answer", "response", "reply", "output", "completion"))
_RIGHT = frozenset(("gold", "correct", "right", "true", "expected", "reference", "target", "truth", "best", "human"))


def questions_and_answers(table: Table, columns: Sequence[Column]) -> list[Column]:
    """Tell sources and outputs by words in the names of two columns of texts, as `Your question` and `Bot's answer`.

    Right answers are no outputs.
    """
    del table
    known = ("text", "source", "reference", "candidates", "system_a")
    if first_of(columns, *known) is not None:
        return list(columns)
    words = {each.name: set(re.findall("[a-z]+", parted(each.name))) for each in columns if each.holds_texts}
    asked = [name for name, own in words.items() if own & _QUESTIONS and not own & _REPLIES]
    given = [name for name, own in words.items() if own & _REPLIES and not own & (_QUESTIONS | _RIGHT)]
    if len(asked) != 1 or len(given) != 1:
        return list(columns)
    return with_parts(columns, {asked[0]: "source", given[0]: "text"})


_OF_SPAN = re.compile(r"(?:.*[^a-z])?(start|begin|end|stop|severity)(?:[^a-z].*)?")
"""Names of fields that tell where a marked span lies, or how bad its error is."""

_TELLS_SPANS = ({"start", "end"}, {"begin", "end"}, {"start", "stop"}, {"severity"})
"""Words of such names that tell spans together."""


def fields_of_spans(table: Table, columns: Sequence[Column]) -> list[Column]:
    """Return columns of which the fields of marked spans, such as their numbers, are no ratings of outputs.

    Lists in one object are of spans if fields of it are called as start and end, or as severity.
    """
    del table
    holders: dict[str, list[Column]] = {}
    for column in columns:
        holder, _, _ = column.name.rpartition(".")
        if holder and column.kind.startswith("lists"):
            holders.setdefault(holder, []).append(column)
    found = []
    for fields in holders.values():
        matches = [_OF_SPAN.fullmatch(parted(each.name.rpartition(".")[2])) for each in fields]
        words = {match[1] for match in matches if match is not None}
        if any(told <= words for told in _TELLS_SPANS):
            found += [each.name for each in fields if part_by_name(each) not in _VALUED]
    return with_parts(columns, dict.fromkeys(found, "span"))


def subjects(table: Table, columns: Sequence[Column]) -> list[Column]:
    """Return columns of which one called `subject` is of no raters beside one that names them."""
    raters = [column for column in columns if column.part == "rater"]
    named = [column.name for column in raters if column.name.rpartition(".")[2].lower() == "subject"]
    return with_parts(columns, dict.fromkeys(named if len(named) < len(raters) else [], ""))


def properties_of_items(table: Table, columns: Sequence[Column]) -> list[Column]:
    """Return columns without ratings and scores that are the same in all rows of each item, beside others that vary.

    Such a number is one of the item, as a grade at school. Ratings that never vary are none beside scores that do.
    """
    item, system = first_of(columns, "item"), first_of(columns, "system")
    valued = [column for column in columns if column.part in _VALUED and column.is_numeric]
    varied = {column.part for column in valued if column.distinct > 1}
    fixed = [column.name for column in valued if column.distinct == 1 and varied == {"score"}]
    if item is not None and system is not None and system.distinct > 1:
        items = texts_of(table, item.name)
        if len(table.rows) > item.distinct >= _FEWEST_ITEMS:
            others = [column for column in valued if column.distinct > 1 and not names_metric(column.name)]
            fixed += [column.name for column in others if is_function(items, texts_of(table, column.name))]
    return with_parts(columns, dict.fromkeys(fixed if len(fixed) < len(valued) else [], ""))


def texts_of_items(table: Table, columns: Sequence[Column]) -> list[Column]:
    """Return columns of which texts that are the same for all systems of an item are references, beside outputs.

    Alone beside rows of systems inside an object, they are what outputs were made from.
    """
    item, system = first_of(columns, "item"), first_of(columns, "system")
    texts = [column for column in columns if column.part == "text"]
    if item is None or system is None or system.distinct < 2 or len(table.rows) <= item.distinct:
        return list(columns)
    items = texts_of(table, item.name)
    same = [column.name for column in texts if is_function(items, texts_of(table, column.name))]
    if len(texts) < 2:
        is_inside = system.name.endswith(f".{KEY}") and first_of(columns, "source") is None
        return with_parts(columns, dict.fromkeys(same if is_inside else [], "source"))
    return with_parts(columns, dict.fromkeys(same if len(same) < len(texts) else [], "reference"))


def texts_of_systems(table: Table, columns: Sequence[Column]) -> list[Column]:
    """Return columns of which a system's texts are outputs if no name tells these, and several rows have each.

    They are the same in all rows of an item and a system, as of several raters, and others in those of another system.
    Texts that all systems of an item have are references if they are the outputs of one of the systems.
    """
    item, system = first_of(columns, "item"), first_of(columns, "system")
    if item is None or system is None or system.distinct < 2 or first_of(columns, "text") is not None:
        return list(columns)
    if first_of(columns, *_VALUED, "rating of a rater") is None:
        return list(columns)
    items, systems = texts_of(table, item.name), texts_of(table, system.name)
    pairs = list(zip(items, systems, strict=True))
    texts = {column.name: texts_of(table, column.name) for column in columns if _may_be_output(column)}
    of_items = {name: cells for name, cells in texts.items() if is_function(items, cells)}
    outputs = [name for name, cells in texts.items() if name not in of_items and is_function(pairs, cells)]
    if len(set(pairs)) == len(pairs) or len(outputs) != 1:
        return list(columns)
    written = texts[outputs[0]]
    repeated = [name for name, cells in of_items.items() if _are_of_a_system(cells, written, systems)]
    return with_parts(columns, {outputs[0]: "text", **dict.fromkeys(repeated, "reference")})


def _may_be_output(column: Column) -> bool:
    """Say whether a column without a part holds texts that are no remarks."""
    return column.holds_texts and not column.part and not column.blank and not names_comment(column.name)


def _are_of_a_system(cells: Sequence[str], written: Sequence[str], systems: Sequence[str]) -> bool:
    """Say whether texts are in all rows of one of the systems its outputs."""
    others = {name for cell, text, name in zip(cells, written, systems, strict=True) if cell != text}
    return not others.issuperset(systems)


def verdicts(table: Table, columns: Sequence[Column], labels: Sequence[Column]) -> list[Column]:
    """Return the columns of labels that may be verdicts on outputs, by their cells: one, or those of a usual scale.

    A word or two stand in most rows, and change from system to system: they are no property of what outputs are made
    from, and none of a system.

    Args:
        table: the table.
        columns: its columns.
        labels: columns of labels that have no part.
    """
    n_rows = len(table.rows)
    filled = [column for column in labels if column.blank <= _MOSTLY and not is_circumstance(column.name)]
    others = [column for column in columns if 1 < column.distinct < n_rows and column not in labels]
    keys = [texts_of(table, column.name) for column in others]
    found = []
    for column in filled:
        cells = texts_of(table, column.name)
        known = [cell for cell in cells if cell]
        if known and are_answers(known) and not any(is_function(key, cells) for key in keys):
            found.append(column)
    return found if len(found) == 1 else [column for column in found if holds_answers(column)]


def clusters_of_one_item(table: Table, columns: Sequence[Column]) -> list[Column]:
    """Return columns of which texts that are called as clusters are sources if each of them is of one item.

    They are what outputs were made from, as the dialogue that was summarised.
    """
    item, cluster = first_of(columns, "item"), first_of(columns, "cluster")
    if item is None or cluster is None or not cluster.holds_texts:
        return list(columns)
    items, clusters = texts_of(table, item.name), texts_of(table, cluster.name)
    if not len(set(items)) == len(set(clusters)) == len(set(zip(items, clusters, strict=True))):
        return list(columns)
    return with_parts(columns, {cluster.name: "source" if first_of(columns, "source") is None else ""})


def clusters_of_one_row(table: Table, columns: Sequence[Column]) -> list[Column]:
    """Return columns of which a cluster that stands in one row each groups nothing: it is the item, if nothing else is.

    Where one file holds some systems, or raters, each document has several rows.
    """
    cluster = first_of(columns, "cluster")
    is_single = cluster is not None and not cluster.holds_texts and not cluster.blank
    if cluster is None or not is_single or not 1 < cluster.distinct == len(table.rows):
        return list(columns)
    return with_parts(columns, {cluster.name: "item" if first_of(columns, "item") is None else ""})


_VERDICT = re.compile(r"(.*[^a-z])?(?:labels?|preds?|predictions?|binary|verdicts?|decisions?|class)", re.IGNORECASE)
_SCORE = re.compile(r"(.*[^a-z])?(?:scores?|probs?|probability|logits?)", re.IGNORECASE)
"""Names of columns of verdicts, and of the scores that tell them, each behind the name of what gives both."""


def verdicts_of_scores(table: Table, columns: Sequence[Column]) -> list[Column]:
    """Return columns of which labels that are a score beside them, cut at a value, are no ratings.

    So are those that are called as such a score, as `m_label` beside `m_score`, if other ratings are left: each part of
    the data may have a cut of its own.
    """
    told = _told_verdicts(table, columns)
    has_others = any(column.part == "rating" and column.name not in told for column in columns)
    return with_parts(columns, {name: "" for name, remark in told.items() if has_others or remark != _SO_CALLED})


def remarks_on_verdicts(table: Table, columns: Sequence[Column]) -> Iterator[str]:
    """Yield the assumption on labels that are taken for the verdicts of scores beside them, and for no ratings."""
    plain = [column.name for column in columns if not column.part and part_by_name(column) == "rating"]
    found = _told_verdicts(table, with_parts(columns, dict.fromkeys(plain, "rating")))
    told = {name: remark for name, remark in found.items() if name in plain}
    if not told:
        return
    cuts = [remark for remark in told.values() if remark != _SO_CALLED]
    so_called = [repr(name) for name, remark in told.items() if remark == _SO_CALLED]
    if so_called:
        cuts.append(f"{shortened(', '.join(so_called), 120)} {'is' if len(so_called) == 1 else 'are'} {_SO_CALLED}")
    taken = "taken for a metric's own verdicts, and for no ratings (--rating-column, if people gave them)"
    yield f"{'; '.join(cuts)}: {taken}"


_SO_CALLED = "called as a score beside it"


def _told_verdicts(table: Table, columns: Sequence[Column]) -> dict[str, str]:
    """Return columns of two labels that a score beside them tells, each with the finding."""
    scores = [column.name for column in columns if column.part == "score"]
    called = [match[1].lower() for name in scores if (match := _SCORE.fullmatch(name)) and match[1]]
    found = {}
    for column in columns:
        if column.part != "rating" or column.distinct != 2:
            continue
        match = _VERDICT.fullmatch(column.name)
        holder = match[1].lower() if match and match[1] else ""
        if cut := cut_column(table, column.name, scores):
            found[column.name] = cut
        elif holder in called and not _is_of_people(holder):
            found[column.name] = _SO_CALLED
    return found


def _is_of_people(name: str) -> bool:
    """Say whether a name tells people, or a criterion by which they rate."""
    return names_people(name) or not CRITERIA_WORDS.isdisjoint(re.findall("[a-z]+", name))


def items_of_clusters(table: Table, columns: Sequence[Column]) -> list[Column]:
    """Tell items by a column of documents, if each rater has one row of each, and nothing else may be the item.

    Documents with a row of scores each, which may be lists of those of their segments, are items, too.
    """
    rater = first_of(columns, "rater")
    clusters = [column for column in columns if column.part == "cluster" and not column.blank and column.distinct > 1]
    if len(clusters) != 1 or first_of(columns, "item", "text", "preference") is not None:
        return list(columns)
    if rater is None:
        has_scores = first_of(columns, "score") is not None and not clusters[0].holds_texts
        is_row = has_scores and clusters[0].distinct == len(table.rows)
        return with_parts(columns, {clusters[0].name: "item"} if is_row else {})
    names = [column.name for column in columns if column.part in _KEYS]
    rows = list(zip(*(texts_of(table, name) for name in names), strict=True))
    is_told = len(set(rows)) == len(rows) > clusters[0].distinct
    return with_parts(columns, {clusters[0].name: "item"} if is_told else {})


def groups_in_ids(table: Table, columns: Sequence[Column]) -> list[Column]:
    """Tell clusters by a column that is called as ids, each of several items: outputs of one may be rated alike.

    Few values are no clusters to reckon with, but parts of the items.
    """
    item, system = first_of(columns, "item"), first_of(columns, "system")
    if item is None or system is None or first_of(columns, "cluster", "preference") is not None:
        return list(columns)
    plain = [column for column in columns if not column.part and not column.blank and names_ids(column.name)]
    items = texts_of(table, item.name)
    for column in plain:
        groups = texts_of(table, column.name)
        are_several = column.distinct >= _FEWEST_CLUSTERS and 2 * column.distinct <= item.distinct
        if are_several and is_function(items, groups):
            return with_parts(columns, {column.name: "cluster"})
    return list(columns)


_FEWEST_CLUSTERS = 10


def numbered_items(table: Table, columns: Sequence[Column]) -> list[Column]:
    """Tell items by a cluster and a number that begins again in each, as a dialogue and its turn, if both tell rows.

    The outputs of several systems, and the rows of several raters, may be of one item.
    """
    cluster = first_of(columns, "cluster")
    if cluster is None or cluster.blank or first_of(columns, "item", "preference", "system_a") is not None:
        return list(columns)
    plain = [column for column in columns if column.kind == "whole numbers" and not column.part and not column.blank]
    place = telling_rows(table, columns, [column for column in plain if _PLACE.fullmatch(column.name)])
    return list(columns) if place is None else [*columns, _joined(table, cluster, place)]


def telling_rows(table: Table, columns: Sequence[Column], candidates: Sequence[Column]) -> Column | None:
    """Return the first of some columns that tells rows apart with the keys; None if these do so alone, or none does."""
    rows = list(zip(*(texts_of(table, column.name) for column in columns if column.part in _KEYS), strict=True))
    if len(set(rows)) == len(rows):
        return None
    for column in candidates:
        if len(set(zip(rows, texts_of(table, column.name), strict=True))) == len(rows):
            return column
    return None


def _joined(table: Table, first: Column, second: Column) -> Column:
    """Return the column of items that two columns make up."""
    name = joined_name([first.name, second.name])
    keys = texts_of(table, name)
    return replace(first, name=name, kind="labels", shown=keys[0], distinct=len(set(keys)), part="item")


def joined_items(table: Table, columns: Sequence[Column]) -> list[Column]:
    """Return columns with the key that the column of items makes up with another one, if only both tell rows apart.

    Raters have to be known: names that tell ratings of one item apart would else be those of raters.
    """
    item, system = first_of(columns, "item"), first_of(columns, "system")
    if item is None or system is None or first_of(columns, "rater") is None:
        return list(columns)
    plain = [column for column in columns if column.kind == "labels" and not column.part and not column.blank]
    most = min(_MOST_NAMES, len(table.rows) / 2)
    named = [column for column in plain if not is_circumstance(column.name) and 1 < column.distinct <= most]
    other = telling_rows(table, columns, named)
    return list(columns) if other is None else [*with_parts(columns, {item.name: ""}), _joined(table, item, other)]
