"""The way in which the rows of a table are best understood: as they are, or as rows inside them (`--rows-in`)."""

from __future__ import annotations

import re
from collections.abc import Collection, Sequence
from dataclasses import replace

from referenceless_metrics.advice.look.columns.averaged_ratings import averaged_ratings
from referenceless_metrics.advice.look.columns.choosing import texts_of
from referenceless_metrics.advice.look.columns.column import Column, are_boxes
from referenceless_metrics.advice.look.columns.column_kinds import LABELS
from referenceless_metrics.advice.look.columns.column_parts import names_comment, names_no_rating, names_score
from referenceless_metrics.advice.look.columns.designs import rouge_names
from referenceless_metrics.advice.look.columns.evidence import columns_of
from referenceless_metrics.advice.look.columns.messages import Messages, are_turns_of_users, dialogues_in
from referenceless_metrics.advice.look.columns.metrics import name_metrics
from referenceless_metrics.advice.look.columns.ratings import is_criterion
from referenceless_metrics.advice.look.forms.system_columns import RATED, RATER, lengths_of_lists
from referenceless_metrics.advice.look.lines.parts import Parts
from referenceless_metrics.core.files.nested_rows import (
    ANY,
    KEY,
    alike,
    are_numbered,
    nestings,
    plain_name,
    sample_inside,
)
from referenceless_metrics.core.files.reading import cell_of
from referenceless_metrics.core.files.scales_in_words import usual_scale
from referenceless_metrics.core.files.tables import Table
from referenceless_metrics.core.support.metric_names import names_metric
from referenceless_metrics.core.support.validation import Record
from referenceless_metrics.human_evaluation.ratings.column_grid import are_abbreviated
from referenceless_metrics.human_evaluation.ratings.key_files import pairs_of_sides, systems_of_sides

_SPARSE = 0.5  # share of blank cells of a column that is no column of these rows

_FEWEST = 3  # worth of inner rows: there are ratings, scores or systems

_WORDS = 2.5  # words of a text in the mean; names have fewer

_MOST_PATHS = 12  # that are tried

_MOST_COLUMNS = 400  # of a table in which columns side by side are looked for

_FEWEST_NAMES = 2  # of systems

_MOST_NAMES = 60

_WORDS_OF_TEXT = 4

_SEPARATORS = ("_", ".", "-", " ", ":")

_SEGMENT = re.compile(r"[^_.\- ]+")

_WORD = re.compile(r"\S+")  # which may hold signs, as GPT-4o does

_END = re.compile(r"^[^_]+(?=_[^_]+$)|(?<=_)[^_]+$")  # of a name with one line, as below two rows of names

_TOKEN = re.compile(r"\d+|(?<![A-Za-z])[A-Ha-h](?![A-Za-z])|(?<=[a-z])[A-H](?![a-z])|[A-Za-z]+")


def best_rows(table: Table, columns: Sequence[Column]) -> str | None:
    """Return the value of `--rows-in` that finds most parts of ratings; None if the rows themselves have as many."""
    rows = table.rows
    if {"system_a", "system_b", "preference"} <= {column.part for column in columns}:
        return None
    are_of_sides = systems_of_sides(table) is not None
    paths = [*nestings(rows)[:_MOST_PATHS], *_parallel(table, columns), *_families(table, columns), *_sides(columns)]
    siblings = set(alike(rows[0])) if rows and ANY in paths else set()  # to go into one of them is to leave out others
    best, most = None, _worth(Parts(columns), table)
    for path in paths:
        if path.partition(".")[0] in siblings or _are_scored_candidates(path, columns):
            continue
        inner = sample_inside(rows, path)
        if len(inner) < 2:
            continue
        names = tuple(dict.fromkeys(name for row in inner for name in row))
        told = Table(table.source, names, inner, comma=table.comma)
        inside = columns_of(told)
        if are_of_sides and _hold_both_sides(inside, path):
            continue
        parts = Parts(without_outer(inside, outer_names(rows, path)))
        if are_turns_of_users(inner) and not any(column.part in RATED for column in parts.columns):
            continue
        worth = _worth(parts, told)
        if worth > most and worth >= _FEWEST:
            best, most = path, worth
    return best


def _hold_both_sides(columns: Sequence[Column], path: str) -> bool:
    """Say whether the rows on a path hold the numbers of both sides: these are of a system each, and not the rows."""
    own = [column.name for column in columns if column.is_numeric and column.name.startswith(f"{path}.")]
    return bool(pairs_of_sides([name.rpartition(".")[2] for name in own]))


def rated_turns(table: Table) -> Messages | None:
    """Return the list of turns of which those of an assistant are rated, and others are not; None without ratings."""
    for each in dialogues_in(table):
        if each.are_answers:
            continue
        inner = [row for row in sample_inside(table.rows, each.path) if each.condition.holds(row)]
        names = tuple(dict.fromkeys(name for row in inner for name in row))
        columns = columns_of(Table(table.source, names, inner, comma=table.comma))
        own = without_outer(columns, outer_names(table.rows, each.path))
        if any(column.part in RATED and column.blank < _SPARSE for column in own):
            return each
    return None


def _are_scored_candidates(path: str, columns: Sequence[Column]) -> bool:
    """Say whether a path pairs lists of candidates with a model's numbers alone: they are lists to choose from.

    Numbers that are called ratings are people's, so that each candidate is a rated row.
    """
    named = path.split(",")
    held = [column for column in columns if column.name in named]
    others = [column for column in held if column.part != "candidates"]
    are_numbers = all(column.kind == "lists of numbers" and column.part != "rating" for column in others)
    return len(held) == len(named) and 0 < len(others) < len(held) and are_numbers


def texts_in_lists(table: Table, columns: Sequence[Column]) -> str | None:
    """Return the value of `--rows-in` that makes each text in lists inside objects a row, as turns of answers.

    None if a column tells the content of the rows themselves.
    """
    told = ("text", "rating", "rating of a rater", "score", "preference", "candidates", "criterion")
    if any(column.part in told for column in columns):
        return None
    for column in columns:
        if column.kind not in ("lists", "lists of texts") or "." not in column.name or column.part == "reference":
            continue
        inner = sample_inside(table.rows, column.name)
        cells = [cell_of(row, column.name.rpartition(".")[2]) for row in inner]
        if len(cells) > 1 and all(isinstance(cell, str) for cell in cells):
            n_words = sum(len(cell.split()) for cell in cells)
            if n_words >= _WORDS * len(cells):
                return column.name
    return None


def outer_names(rows: Sequence[Record], path: str) -> set[str]:
    """Return the names of columns beside the innermost rows on a path, whose cells are repeated in each."""
    steps = path.split(".")
    inside = {steps[-1]} if "," not in path else {name.partition(".")[0] for name in path.split(",")}
    if ANY in path and "," in path:
        return set()
    outer = rows if len(steps) == 1 or "," in path else sample_inside(rows, ".".join(steps[:-1]))
    held = {name for row in outer for name in row}
    if steps[-1] == ANY:
        held -= {name for row in outer for name in alike(row)}
    return held - inside


def without_outer(columns: Sequence[Column], outer: Collection[str]) -> list[Column]:
    """Return the columns of inner rows without the ratings and scores of outer rows, which each inner row repeats.

    A preference between the outputs of an outer row is none of the inner rows, unless columns name its systems.
    """
    found = [
        replace(column, part="")
        if column.part in ("rating", "score", "rating of a rater") and column.name.partition(".")[0] in outer
        else column
        for column in columns
    ]
    if not any(column.name == KEY for column in found) or any(column.part == "system_a" for column in found):
        return found
    return [replace(column, part="") if column.part == "preference" else column for column in found]


def _worth(parts: Parts, table: Table) -> float:
    """Rank the parts of columns by their information: ratings or scores, then systems, raters and texts."""
    worth = 0.0
    ratings = [column for column in parts.all("rating") if column.blank < _SPARSE]
    if _is_per_system(table, parts.columns):  # a cell for each item, and not for each rater
        ratings = [column for column in ratings if not column.kind.startswith("lists")]
    scores = [column for column in parts.all("score") if column.blank < _SPARSE]
    if ratings or scores or len(parts.all("rating of a rater")) > 1 or parts.first("preference"):
        worth += 4
    if parts.n_systems > 1:
        worth += 3
    if parts.first("rater"):
        worth += 1.5
    criterion = parts.first("criterion") or ""
    if criterion.endswith(f".{KEY}") and any(column.kind == "lists of numbers" for column in ratings):
        worth += 0.5
    if _are_side_by_side(parts):
        worth -= 2
    sources = {column.name for column in parts.all("source")}
    if parts.text and parts.text not in sources:
        worth += 1
    return worth


def _are_side_by_side(parts: Parts) -> bool:
    """Say whether ratings, scores or texts stand in objects, or columns, that are numbered: one of them is not all."""
    holders: dict[str, list[str]] = {}
    for column in parts.columns:
        holder, _, field = column.name.rpartition(".")
        is_single = not column.kind.startswith("lists")
        if is_single and column.part in ("rating", "score", "text") and (holder or field.isdigit()):
            holders.setdefault(field if holder else "", []).append(holder or field)
    return any(are_numbered(names) and not names_score(names[0]) for names in holders.values())


def _parallel(table: Table, columns: Sequence[Column]) -> list[str]:
    """Return columns of lists of one length in each row, with commas: texts with numbers, or each system's numbers."""
    found = []
    by_lengths: dict[tuple[int, ...], list[Column]] = {}
    for column in columns:
        if column.kind in ("lists of texts", LABELS, "lists of numbers") and column.part != "span":
            by_lengths.setdefault(lengths_of_lists(table, column.name), []).append(column)
    per_system = _is_per_system(table, columns) or _is_per_metric(table, columns)
    for lengths, of_length in by_lengths.items():
        texts = [column for column in of_length if column.kind in ("lists of texts", LABELS)]
        numeric = [column.name for column in of_length if column.kind == "lists of numbers"]
        if len(table.rows) < 2 or max(lengths) < 2 or not numeric:
            continue
        stems = {column.name.rpartition(".")[0] for column in of_length}
        if texts and (len(stems) == 1):
            found.append(",".join([*(column.name for column in texts), *numeric]))
        elif per_system and not texts:
            found.append(",".join(numeric))
    return found


def _is_per_system(table: Table, columns: Sequence[Column]) -> bool:
    """Say whether each row is a system: then lists have a cell for each item."""
    systems = [column for column in columns if column.part == "system"]
    return bool(systems) and systems[0].distinct == len(table.rows)


def _is_per_metric(table: Table, columns: Sequence[Column]) -> bool:
    """Say whether each row is a metric: then lists have a cell for each item, and their columns are systems."""
    named = [column for column in columns if column.kind in ("labels", "ids") and column.distinct == len(table.rows)]
    return any(name_metrics(texts_of(table, column.name)) for column in named)


def _families(table: Table, columns: Sequence[Column]) -> list[str]:
    """Return columns side by side, with stars: texts and numbers whose names differ in the same marks.

    `text_1, score_1, text_2, score_2` are `text_*,score_*`, and `bart_fluency, bart_style, t5_fluency, t5_style` are
    `*_fluency,*_style`. `bart, bart_correct, t5, t5_correct` are `*_correct`. Remarks beside them are left aside.
    """
    if len(columns) > _MOST_COLUMNS or averaged_ratings(table, columns):
        return []
    own = set(table.columns)  # and not places inside objects
    own -= {name for name in own if ANY in name or "," in name}
    by_name = {column.name: column for column in columns if column.name in own}
    texts = {name for name, column in by_name.items() if column.holds_texts}
    marked: dict[str, dict[str, str]] = {}
    for name in by_name:
        spans = {match.span() for form in (_TOKEN, _SEGMENT, _END, _WORD) for match in form.finditer(name)}
        spans |= {(0, len(text)) for text in texts if name.startswith(text) and name[len(text) :][:1] in _SEPARATORS}
        spans |= _beside_metric(name)
        for begin, end in spans:
            pattern = f"{name[:begin]}{ANY}{name[end:]}"
            if len(pattern) > 1:
                marked.setdefault(pattern, {})[name[begin:end]] = name
    families: dict[tuple[bool, frozenset[str]], list[str]] = {}
    for pattern, of_mark in marked.items():
        held_kinds = {by_name[name].kind for name in of_mark.values()}
        kinds = {by_name[name].is_numeric or by_name[name].kind == "labels" for name in of_mark.values()}
        are_held = held_kinds != {"blank"} and not _are_remarks([by_name[name] for name in of_mark.values()])
        if len(of_mark) > 1 and len(kinds) == 1 and are_held:
            families.setdefault((pattern.startswith(ANY), frozenset(of_mark)), []).append(pattern)
    numeric = {name for name, column in by_name.items() if column.is_numeric}
    found = []
    for (_, marks), patterns in families.items():
        if marks <= numeric:  # notes on scores that they are called after, as `fluency_reason` beside `fluency`
            continue
        if marks <= texts:  # values beside the outputs that they are called after
            found.append(",".join(patterns))
            continue
        held = [by_name[next(iter(marked[pattern].values()))] for pattern in patterns]
        both = [(each, column) for each, column in zip(patterns, held, strict=True) if not _are_counts(each, column)]
        patterns, held = [pattern for pattern, _ in both], [column for _, column in both]
        if len(patterns) < 2 or all(column.holds_texts for column in held):
            continue
        has_text = any(column.part == "text" and column.kind == "text" for column in columns if column not in held)
        names_rater = any(column.part == "rater" for column in columns)
        are_slots = _are_slots(table, [list(marked[pattern].values()) for pattern in patterns])
        if are_slots or _are_marks(marks, held, patterns, has_text=has_text, names_rater=names_rater):
            found.append(",".join(patterns))
    return found


def _beside_metric(name: str) -> set[tuple[int, int]]:
    """Return the places of what may stand in a name before or behind that of a metric, such as its system.

    >>> _beside_metric("COMET-22:ours"), _beside_metric("ours BLEU")
    ({(6, 13), (9, 13)}, {(0, 4)})
    """
    apart = [place for place, mark in enumerate(name) if mark in _SEPARATORS]
    behind = {(place + 1, len(name)) for place in apart if names_metric(name[:place])}
    return behind | {(0, place) for place in apart if names_metric(name[place + 1 :])}


def _are_counts(pattern: str, column: Column) -> bool:
    """Say whether columns side by side, of which one is given, count something in each output, as `len_*`."""
    return column.is_numeric and names_no_rating(plain_name(pattern))


def _are_remarks(columns: Sequence[Column]) -> bool:
    """Say whether columns side by side hold words in fewer than half of their rows, as remarks on some outputs do."""
    is_sparse = sum(column.blank for column in columns) > _SPARSE * len(columns)
    return is_sparse and not any(column.is_numeric for column in columns)


def _sides(columns: Sequence[Column]) -> list[str]:
    """Return columns side by side of two outputs in a row, if two columns name their systems: `style_a` and `style_b`.

    They may be fields of several objects, as `answers.style_a` beside `meta.model_a`.
    """
    systems = [column.name for column in columns if column.part in ("system_a", "system_b")]
    if len(systems) != 2 or any(column.part == "preference" for column in columns):
        return []
    marks = [name[-1] for name in systems]
    by_name = {column.name: column for column in columns}
    if systems[0][:-1] != systems[1][:-1] or marks[0] == marks[1]:
        return []
    rated = [
        name[:-1]
        for name, column in by_name.items()
        if name.endswith(f"_{marks[0]}") and f"{name[:-1]}{marks[1]}" in by_name and column.kind == "whole numbers"
    ]
    return [",".join(f"{stem}{ANY}" for stem in (*rated, systems[0][:-1]))] if rated else []


def _are_slots(table: Table, families: Sequence[Sequence[str]]) -> bool:
    """Say whether numbered columns are slots: a few names, no numbers, stand now in one and now in another of them.

    So do the names of systems in `sys1` to `sys3` beside their ratings in `quality1` to `quality3`.
    """
    return any(_share_names([set(texts_of(table, name)) - {""} for name in family]) for family in families)


def _share_names(columns: Sequence[set[str]]) -> bool:
    names = set[str]().union(*columns)
    are_words = all(re.search(r"[^\W\d_]", name) and len(name.split()) < _WORDS_OF_TEXT for name in names)
    are_names = are_words and not _are_answers(names)
    several = sum(sum(name in column for column in columns) > 1 for name in names)
    return are_names and _FEWEST_NAMES <= len(names) <= _MOST_NAMES and several == len(names)


def _are_answers(words: Collection[str]) -> bool:
    """Say whether words are those of check boxes, or of a usual scale, as yes and no, and no names."""
    return are_boxes(words) or usual_scale(sorted(words)) is not None


def _are_marks(
    marks: frozenset[str], held: Sequence[Column], patterns: Sequence[str], *, has_text: bool, names_rater: bool
) -> bool:
    """Say whether marks are of outputs: numbers or letters beside texts, or systems beside criteria, metrics or raters.

    Numbers and letters beside several criteria are of outputs, too, if a column names the raters, whose they are not.

    A name that stands with a criterion in the place of it is a criterion, too, in whatever language, if no mark is one.
    Names of systems may mark their texts, too, and answers beside these, as in check boxes. Beside raters, names are no
    systems if each row has one rated text.

    Args:
        marks: the marks.
        held: a column of each pattern.
        patterns: the names of the columns, with a star for the mark.
        has_text: whether a row has a rated text beside these columns.
        names_rater: whether a column names the rater of each row.
    """
    are_short = all(len(mark) == 1 or mark.isdigit() for mark in marks)
    if are_short:
        by_criteria = all(column.is_numeric for column in held) and all(map(is_criterion, map(plain_name, patterns)))
        return any(column.holds_texts for column in held) or (by_criteria and names_rater and not has_text)
    answered = [column for column in held if column.kind == "labels" and _are_answers(column.shown.split(", "))]
    if answered:
        texts = [plain_name(each) for each, column in zip(patterns, held, strict=True) if column.holds_texts]
        are_others = any(is_criterion(mark) or RATER.fullmatch(mark) for mark in marks)
        are_held = len(answered) + len(texts) == len(held)
        return are_held and not are_others and bool(texts) and not any(map(names_comment, texts))
    if not all(column.is_numeric or column.holds_texts for column in held):
        return False
    names = [plain_name(each) for each, column in zip(patterns, held, strict=True) if column.is_numeric]
    are_several = len(names) > 1 or (bool(names) and any(column.holds_texts for column in held))
    if are_several and all(name in rouge_names(names) or names_metric(name) for name in names):
        return not any(map(names_metric, marks))
    are_raters = all(map(RATER.fullmatch, names)) and not any(map(is_criterion, marks))
    are_named = any(map(is_criterion, names)) or are_abbreviated(names)
    are_criteria = are_named and not any(map(is_criterion, marks)) and not are_abbreviated(sorted(marks))
    return bool(names) and ((are_raters and not has_text) or are_criteria)
