"""Command lines on people's ratings and preferences."""

from __future__ import annotations

import math
from collections.abc import Sequence

from referenceless_metrics.advice.look.columns.column import Column, answers_shown, scale_in_name
from referenceless_metrics.advice.look.columns.column_kinds import LABELS
from referenceless_metrics.advice.look.columns.column_parts import is_unnamed, names_people
from referenceless_metrics.advice.look.columns.compared_pairs import VOTES
from referenceless_metrics.advice.look.columns.named_columns import families_of_raters
from referenceless_metrics.advice.look.lines.on_criteria import MOST_SYSTEMS
from referenceless_metrics.advice.look.lines.on_scores import MOST_WORST
from referenceless_metrics.advice.look.lines.options_of_parts import (
    MOST_RATINGS,
    clusters_of,
    groups_of,
    items_by_text,
    keys_of_scores,
    of_outputs,
    option_for_each,
    outputs_rated,
    reading_by_criterion,
    sources,
    text_of,
    turned_of,
)
from referenceless_metrics.advice.look.lines.parts import Parts, command_line, is_less_plain
from referenceless_metrics.advice.look.lines.words_of_labels import (
    TO_FILL_IN,
    has_mark,
    missing_in,
    numbers_of_words,
    scales_of_words,
    words_by_criterion,
    words_of,
    words_of_raters,
)
from referenceless_metrics.core.files.nested_rows import ITEM, KEY, PLACE, marks_of
from referenceless_metrics.core.files.scales_in_words import scale_with_one_more, usual_scale
from referenceless_metrics.human_evaluation.ratings.opponents import names_other
from referenceless_metrics.human_evaluation.ratings.ranks import is_better_if_lower

FEWEST_TEXTS = 20
"""Fewest different rated texts for which there is advice other than to rate more."""

WORST = ("--worst", str(MOST_WORST))
"""The option for these."""

_METRIC = "fluency"
"""The metric that is proposed to be held against ratings of texts."""

_FEWEST_OF_A_HUNDRED = 12
"""Fewest different ratings that are taken to be on a scale from 0 to 100, and not on one of a few points."""


def of_winners(file: str, parts: Parts) -> list[str]:
    """Return the command lines for columns that name the better of two systems."""
    keys = [*parts.option("item", "item"), *parts.option("rater", "rater"), *parts.reading]
    keys += parts.option("system_a", "system_a", "--system-a-column")
    keys += parts.option("system_b", "system_b", "--system-b-column")
    pairs = ["--all-pairs"] if parts.n_compared > 2 else []
    lines = [
        command_line("human-score", "--ratings", file, "--preference-column", name, *keys, *pairs)
        for name in parts.winners[: MOST_RATINGS + 1]
    ]
    if parts.first("rater") and parts.first("item"):
        named = ["--preference-column", parts.winners[0]]
        lines.insert(1, command_line("agreement", file, *named, *keys))
    first, *others = parts.deciders or [""]
    if len(others) > 1:
        named = option_for_each("--rating-column", parts.deciders)
        lines.append(command_line("agreement", file, *named, *parts.option("item", "item"), *parts.reading))
        return lines
    for name in others:
        both = option_for_each("--rating-column", [first, name])
        lines.append(command_line("agreement", file, *both, *parts.option("item", "item"), *parts.reading))
    return lines


def of_one_judge(parts: Parts) -> list[str]:
    """Return the column of ratings that may be of one judge, a program, in a table without scores; none of people."""
    if parts.first("rater") or parts.first("rating of a rater") or parts.have_unnamed_raters:
        return []
    rated = [column for column in parts.all("rating") if column.is_numeric and not names_people(column.name)]
    if parts.n_systems > 1:
        return sorted((column.name for column in rated), key=is_less_plain)[:1]
    return [column.name for column in rated if column.shown == "0–1"][:1]


def of_raters(file: str, parts: Parts, keys: Sequence[str]) -> list[str]:
    """Return the command lines for a column of ratings per rater: by all criteria, if several have such columns."""
    raters = parts.all("rating of a rater")
    of_people = reading_by_criterion(parts)
    columns = option_for_each("--rating-column", [column.name for column in raters])
    words = words_of_raters(raters)
    are_labels = LABELS in {column.kind for column in raters}
    lines = []
    if parts.criteria:
        by_criterion = words_by_criterion(parts)
        options = [
            *option_for_each("--rating-column", list(parts.criteria)),
            "--columns-are",
            "criteria",
            "--rater-column",
            KEY,
        ]
        options += [
            *(words if any(map(has_mark, raters)) else numbers_of_words(list(by_criterion.values()))),
            *keys,
            *items_by_text(parts),
            "--rows-in",
            ",".join(parts.criteria.values()),
            *of_people,
        ]
        lines.append(command_line("agreement", file, *of_outputs(options)))
        if parts.first("system") or parts.first("item"):  # without systems, all ratings are of one
            of_intervals = _of_intervals(parts, [column.name for column in raters], keys)
            options += [*of_intervals, *scales_of_words(by_criterion), *parts.every_pair]
            lines.insert(0, command_line("human-score", "--ratings", file, *options))
    else:
        options = [*columns, *missing_in(words), *outputs_rated(parts, keys)]
        lines.append(command_line("agreement", file, *options, *of_people))
        if parts.first("system") and not are_labels:
            named = [*columns, *words, *keys, *_of_intervals(parts, [column.name for column in raters], keys)]
            named += ["--unpaired"] if parts.rows_are_items else []
            scored = command_line("human-score", "--ratings", file, *named, *of_people, *parts.every_pair)
            lines.insert(len(lines) if words else 0, scored)  # labels that stand for no numbers agree or do not
        for names in _further_families(parts)[: MOST_RATINGS - 1]:
            options = [*option_for_each("--rating-column", names), *outputs_rated(parts, keys)]
            lines.append(command_line("agreement", file, *options, *of_people))
    stand_for_numbers = not any(map(TO_FILL_IN.search, words))
    if parts.text and parts.n_texts >= FEWEST_TEXTS and not are_labels and stand_for_numbers:
        reading = [*parts.reading, *parts.one_criterion]
        groups = [*([] if parts.are_joined else parts.option("system")), *groups_of(parts)]
        for of_criterion in [columns, *_of_further_criteria(parts)][:MOST_RATINGS]:
            rated = [*text_of(parts), *of_criterion, *words]
            if not parts.are_foreign:
                lines.append(command_line("evaluate", "--metric", _METRIC, file, *rated, *keys, *reading))
            lines.append(command_line("advise", file, *rated, *groups, *sources(parts), *reading))
    return lines


def _of_further_criteria(parts: Parts) -> list[list[str]]:
    """Return the options for the ratings by each criterion but the first, if each has a column per rater."""
    names = tuple(column.name for column in parts.columns)
    patterns = list(parts.criteria.values())[1:]
    return [option_for_each("--rating-column", list(marks_of(pattern, names).values())) for pattern in patterns]


def _further_families(parts: Parts) -> list[list[str]]:
    """Return the columns per rater of each criterion but the first, which plays the part."""
    first = {column.name for column in parts.all("rating of a rater")}
    return [names for names in families_of_raters(parts.columns).values() if first.isdisjoint(names)]


def of_words(file: str, parts: Parts) -> list[str]:
    """Return the command lines that count the words of usual scales by which texts are rated, and show the worst."""
    others = ("system", "preference", "system_a", "rating of a rater", "score", "rater", "cluster", "criterion")
    words = [column.name for column in parts.all("rating") if usual_scale(answers_shown(column)) is not None]
    if not parts.text or any(parts.first(part) for part in others):
        return []
    keys = [*parts.option("item", "item"), *parts.reading]
    worst = [command_line("compare", "--scores", file, "--score-column", name, *keys, *WORST) for name in words[:1]]
    counted = [
        command_line("human-score", "--ratings", file, "--rating-column", name, *keys) for name in words[:MOST_RATINGS]
    ]
    return [*counted, *worst]


def of_one_system(file: str, parts: Parts, lines: Sequence[str]) -> list[str]:
    """Return the command line that tells the mean rating by each criterion, if nothing names systems.

    Several columns of ratings beside nothing else are criteria; one alone, or beside an index, is of a system.
    """
    known = ("system", "text", "source", "preference", "system_a", "rating of a rater", "score")
    plain = [column.name for column in parts.all("rating") if column.is_numeric]
    may_name = any(column.name.endswith(f".{KEY}") for column in parts.columns)  # systems, for all that is known
    if parts.text and plain and not may_name:
        return _of_rated_texts(file, parts, plain, lines)
    if any(parts.first(part) for part in known) or not plain or may_name:
        return []
    if parts.first("rater") and parts.first("item"):
        keys = [*parts.option("item", "item"), *parts.option("rater", "rater")]
        rated = [] if plain[0] == "rating" else ["--rating-column", plain[0]]
        keys += ["--slice-column", parts.of_controls] if parts.of_controls else []
        return [command_line("human-score", "--ratings", file, *rated, *keys, *reading_by_criterion(parts))]
    if lines or parts.first("item") or parts.first("rater"):
        return []
    if len(plain) == 1:
        others = [column.name for column in parts.columns if column.name != plain[0]]
        rated = [] if plain[0] == "rating" else ["--rating-column", plain[0]]
        is_alone = all(map(is_unnamed, others))
        return [command_line("human-score", "--ratings", file, *rated, *parts.reading)] if is_alone else []
    criteria = [*option_for_each("--rating-column", plain[:MOST_SYSTEMS]), "--columns-are", "criteria"]
    return [command_line("human-score", "--ratings", file, *criteria, *parts.reading)]


def _of_rated_texts(file: str, parts: Parts, ratings: Sequence[str], lines: Sequence[str]) -> list[str]:
    """Return the lines with the mean rating by each criterion and the worst texts, if each row is a text of its own.

    Nothing names a system, or who rated. Ratings of a judge have a line with their mean already, of `compare --scores`.
    """
    others = ("system", "rater", "criterion", "metric", "preference", "system_a", "rating of a rater", "score", "gold")
    if any(parts.first(part) for part in others) or parts.have_unnamed_raters or parts.dialogues:
        return []
    named = ratings[:MOST_SYSTEMS]
    item = [*parts.option("item", "item"), *parts.reading, *parts.one_criterion]
    rated = [] if named == ["rating"] else option_for_each("--rating-column", named)
    rated += ["--columns-are", "criteria"] if len(named) > 1 else []
    by_text = [] if parts.first("item") or parts.text in (None, "text") else ["--ratings-text-column", str(parts.text)]
    worst = [
        *option_for_each("--score-column", named),
        *option_for_each("--lower-is-better", parts.lower_of(named, file)),
    ]
    have_means = any(line.split()[1:3] == ["compare", "--scores"] for line in lines)
    means = [] if have_means else [command_line("human-score", "--ratings", file, *rated, *by_text, *item)]
    return [*means, command_line("compare", "--scores", file, *worst, *item, *WORST)]


def of_unnamed_raters(file: str, parts: Parts) -> list[str]:
    """Return the command lines for texts of one system that several raters rated, who are not named."""
    if not parts.have_unnamed_raters or parts.text is None:
        return []
    plain = [column.name for column in parts.all("rating") if column.is_numeric][:MOST_SYSTEMS]
    rated = option_for_each("--rating-column", plain)
    rated += ["--columns-are", "criteria"] if len(plain) > 1 else []
    of_text = [] if parts.text == "text" else ["--ratings-text-column", parts.text]
    return [
        command_line("human-score", "--ratings", file, *rated, *of_text, *parts.reading),
        command_line("agreement", file, *rated, "--item-column", parts.text, *parts.reading),
    ]


def of_claims(file: str, parts: Parts) -> list[str]:
    """Return the command line that rates one system by what its outputs hold, such as the claims in each.

    Those of one output depend on one another, and the n-th of one has nothing to do with that of another.
    """
    if parts.first("item") != PLACE or parts.first("cluster") != ITEM or parts.first("system") or parts.first("rater"):
        return []
    rated = next((column for column in parts.all("rating") if column.is_numeric or column.kind == "labels"), None)
    if rated is None:
        return []
    options = [] if rated.name == "rating" else ["--rating-column", rated.name]
    options += [*words_of(parts, rated.name), "--item-column", PLACE, "--cluster-column", ITEM, "--unpaired"]
    return [command_line("human-score", "--ratings", file, *options, *parts.reading)]


def _of_intervals(parts: Parts, ratings: Sequence[str], keys: Sequence[str]) -> list[str]:
    """Return the options on which intervals of ratings rest: the outputs' clusters, and the scale.

    Crosses are on a scale from 0 to 1, and so are no, partly and yes. Many different ratings up to 100 are on one from
    0 to 100, unless the names of columns tell another; else none is known.

    Args:
        parts: the columns.
        ratings: the columns of ratings.
        keys: the options that the command line has, which may name clusters already.
    """
    clusters = [] if "--cluster-column" in keys else clusters_of(parts)
    of_ratings = [column for column in parts.columns if column.name in ratings]
    if all(column.mark for column in of_ratings):
        return [*clusters, "--scale", "0-1"]
    further = scale_with_one_more([word for column in of_ratings for word in answers_shown(column)])
    if further is not None and not any(map(math.isnan, further.values())):
        return [*clusters, "--scale", f"{min(further.values()):g}-{max(further.values()):g}"]
    named = {scale_in_name(column, parts.columns) for column in of_ratings}
    if len(named) == 1 and (ends := named.pop()) is not None:
        return [*clusters, "--scale", ends]
    return [*clusters, *(["--scale", "0-100"] if all(map(_is_of_a_hundred, of_ratings)) else [])]


def _is_of_a_hundred(column: Column) -> bool:
    """Return whether numbers are plainly on a scale from 0 to 100: many different ones, none below 0, 100 the highest.

    >>> _is_of_a_hundred(Column("score", "whole numbers", "3–100", 0.0, 80))
    True
    """
    if column.kind not in ("whole numbers", "numbers") or column.distinct < _FEWEST_OF_A_HUNDRED:
        return False
    low, high = column.ends
    return low >= 0 and high == 100


_OF_RATERS = ("lists of numbers", LABELS)
"""Kinds of columns whose cells hold the ratings of several raters."""


def options_of_pairs(parts: Parts) -> list[list[str]]:
    """Return the options with which preferences are read: a list for each way, if nothing tells the better end."""
    options = [*parts.option("preference", "preference"), *parts.option("item", "item")]
    options += parts.option("system_a", "system_a", "--system-a-column")
    options += parts.option("system_b", "system_b", "--system-b-column")
    preferred = parts.all("preference")[0]
    rater = parts.option("rater", "rater")
    other = next(iter(parts.all("system_b")), None)
    if other is not None and other.blank:
        rater += ["--where", f"{other.name}!="]
    if other is not None and names_other(other.name) and preferred.shown == VOTES:
        return [[*options, "--a-is", "high", *rater]]
    if preferred.is_numeric and preferred.shown.startswith("-") and preferred.name != "preference":
        return [[*options, "--a-is", end, *rater] for end in ("high", "low")]
    if preferred.kind == "whole numbers" and not preferred.shown.startswith("-") and preferred.distinct < 4:
        low, _, high = preferred.shown.rpartition("–")
        options += ["--values", ",".join(f"{number}=SHARE" for number in range(int(low), int(high) + 1))]
    return [[*options, *rater]]


def of_ratings(file: str, parts: Parts, rating: str, keys: Sequence[str], *, is_number: bool) -> list[str]:
    """Return the command lines for one column of ratings."""
    lines = []
    of_people = reading_by_criterion(parts)
    of_rating = [] if rating == "rating" else ["--rating-column", rating]
    text = [] if parts.text in (None, "text") else ["--ratings-text-column", str(parts.text)]
    words = words_of(parts, rating)
    kind, mark = next(((column.kind, column.mark) for column in parts.columns if column.name == rating), ("", ""))
    has_items = parts.first("item") or parts.text or parts.rows_are_items
    by_text = text if not parts.first("item") and not parts.rows_are_items else []
    turned = turned_of(parts, rating)
    fewer_are_better = is_better_if_lower(rating) and not words and not turned
    if parts.first("system") and has_items and fewer_are_better:  # lower is no worse: only the difference is told
        more = [*parts.option("item", "item"), *parts.option("system", "system"), *keys_of_scores(parts)]
        more += ["--unpaired"] if parts.apart else []
        more += option_for_each("--lower-is-better", parts.lower_of([rating], file))
        reading = [*parts.reading, *parts.one_criterion]
        lines.append(command_line("compare", "--scores", file, "--score-column", rating, *more, *reading))
    elif parts.first("system") and (has_items or parts.are_unpaired) and kind != LABELS:
        unpaired = ["--unpaired"] if parts.are_unpaired or parts.apart or parts.rows_are_items else []
        of_intervals = _of_intervals(parts, [rating], keys)
        scales = scales_of_words(parts.words.get(rating, {}))
        options = [*of_rating, *words, *turned, *keys, *by_text, *of_intervals, *scales, *of_people, *unpaired]
        options += ["--slice-column", parts.of_controls] if parts.of_controls and not parts.begin_again else []
        lines.append(command_line("human-score", "--ratings", file, *options, *parts.every_pair))
    are_of_raters = parts.first("rater") or kind in _OF_RATERS or parts.n_ratings_each
    if are_of_raters and has_items and not parts.texts_are_no_items:
        options = [*of_rating, *missing_in(words), *outputs_rated(parts, keys)]
        of_labels = bool(words) and not mark  # which agree or do not, whatever numbers they stand for
        lines.insert(0 if of_labels else len(lines), command_line("agreement", file, *options, *of_people))
    is_rated = kind != LABELS and (is_number or bool(words)) and not turned  # ranks tell nothing of a text alone
    if parts.text and is_rated and parts.n_texts >= FEWEST_TEXTS:
        options = [*text_of(parts), *of_rating, *words_of(parts, rating, of_one_criterion=True)]
        reading = [*parts.reading, *parts.one_criterion]
        if rating == next(iter(parts.ratings), rating) and not parts.are_foreign:
            lines.append(command_line("evaluate", "--metric", _METRIC, file, *options, *of_outputs(keys), *reading))
        if parts.first("system") and not parts.are_joined:
            options += ["--system-column", str(parts.first("system"))]
        options += groups_of(parts)
        options += sources(parts)
        lines.append(command_line("advise", file, *options, *reading))
    return lines
