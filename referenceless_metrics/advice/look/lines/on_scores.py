"""Command lines on scores, of metrics and of judges that are language models."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

from referenceless_metrics.advice.look.columns.column import JUDGED_LABEL
from referenceless_metrics.advice.look.columns.column_kinds import ANSWERS
from referenceless_metrics.advice.look.columns.column_parts import counts_raters, names_no_rating, part_by_name
from referenceless_metrics.advice.look.columns.designs import names_bleu, rouge_names
from referenceless_metrics.advice.look.columns.judges import may_judge
from referenceless_metrics.advice.look.lines.on_criteria import MOST_SYSTEMS, of_criteria, of_groups
from referenceless_metrics.advice.look.lines.options_of_parts import (
    MOST_RATINGS,
    clusters_of,
    option_for_each,
    turned_of,
)
from referenceless_metrics.advice.look.lines.parts import Parts, command_line, every_pair
from referenceless_metrics.advice.look.lines.words_of_labels import TO_FILL_IN, words_of_raters
from referenceless_metrics.assessment.system_pairs import FEWEST_SYSTEMS
from referenceless_metrics.core.files.nested_rows import PLACE
from referenceless_metrics.core.support.metric_names import names_metric
from referenceless_metrics.human_evaluation.ratings.model_raters import names_people as tells_people
from referenceless_metrics.human_evaluation.scores.columns import are_of_metrics

MOST_WORST = 10
"""Scores that a line for the worst ones shows, of each metric."""


def may_be_of_people(file: str, parts: Parts, score: str) -> bool:
    """Return whether the name of a file, or a column that counts raters, tells that people gave its scores."""
    counted = [column for column in parts.columns if column.kind == "whole numbers" and counts_raters(column.name)]
    return not are_of_metrics([score]) and bool(counted or tells_people(Path(file).stem))


def of_columns(file: str, parts: Parts) -> list[str]:
    """Return the command lines for a column of numbers per system, or per rater; ranks are of systems."""
    item = [*parts.option("item", "item"), *clusters_of(parts), *parts.reading]
    columns = [column for column in parts.columns if column.name in parts.of_systems]
    pairs = every_pair(len(parts.of_systems))
    scores = [*option_for_each("--score-column", parts.of_systems), *parts.option("metric", "metric")]
    compared = command_line("compare", "--scores", file, *scores, *item, *pairs)
    if any(column.kind != "whole numbers" for column in columns):
        return [compared]
    ratings = option_for_each("--rating-column", parts.of_systems)
    of_systems = [*ratings, "--columns-are", "systems", *parts.option("rater", "rater"), *item]
    ranks = turned_of(parts, parts.of_systems[0])
    scored = command_line("human-score", "--ratings", file, *of_systems, *ranks, *pairs)
    if parts.first("rater"):
        return [scored, command_line("agreement", file, *of_systems, *ranks)]
    return [scored] if ranks else [scored, compared, command_line("agreement", file, *ratings, *item)]


def of_lists(file: str, parts: Parts) -> list[str]:
    """Return the command line for a column of lists per system, whose n-th numbers are of one output or rater."""
    if not parts.listed:
        return []
    options = [
        *option_for_each("--rating-column", parts.listed),
        "--columns-are",
        "systems",
        "--item-column",
        PLACE,
        *parts.reading,
    ]
    options += ["--cluster-column", str(parts.first("item")), "--rows-in", ",".join(parts.listed)]
    options += every_pair(len(parts.listed))
    return [command_line("human-score", "--ratings", file, *options)]


def on_judges(file: str, parts: Parts) -> list[str]:
    """Return the command lines that hold scores against the ratings of people beside them."""
    ratings = [name for name in parts.ratings if any(each.name == name and each.is_numeric for each in parts.columns)]
    raters = [column.name for column in parts.all("rating of a rater") if column.is_numeric]
    if not ratings and not parts.all("rating") and not raters:
        return of_criteria(file, parts)
    columns = raters if not ratings else [] if ratings[0] == "rating" else ratings[:1]
    ratings = ratings or raters
    if not ratings:
        return of_groups(file, parts)
    scores = [
        column
        for column in parts.all("score")
        if column.kind == ANSWERS or (column.is_numeric and may_judge(column.name, ratings[0]))
    ]
    scores = [column for column in scores if _is_of_outputs(parts, column.name)]
    item = parts.first("item") or parts.text
    if not scores or item is None:
        return []
    both = ["--scores", file, "--ratings", file]
    keys = [] if item == "item" else ["--item-column", item]
    keys += [*parts.option("system", "system"), *parts.option("rater", "rater"), *clusters_of(parts)]
    rated = option_for_each("--rating-column", columns)
    reading = [*parts.reading, *parts.one_criterion]
    lines = [
        command_line("evaluate", *both, "--score-column", column.name, *rated, *keys, *reading)
        for column in scores[:MOST_RATINGS]
    ]
    share_items = not (parts.apart or parts.are_unpaired)
    if parts.n_systems >= FEWEST_SYSTEMS and share_items and not parts.first("rater"):
        several = option_for_each("--score-column", [column.name for column in scores[:MOST_SYSTEMS]])
        lines.append(command_line("compare", *both, *several, *rated, *keys, *reading))
    return lines


def of_judged_labels(file: str, parts: Parts) -> list[str]:
    """Return the lines that hold a judge's labels against people's beside them: as labels, and as numbers if known."""
    people = [column for part in ("rating", "rating of a rater") for column in parts.all(part)]
    people = [column for column in people if column.kind == "labels"]
    rated = option_for_each("--rating-column", [column.name for column in people])
    item = parts.option("item", "item")
    keys = [*item, *parts.option("system", "system"), *parts.reading, *parts.one_criterion]
    have_keys = not parts.first("rater") and bool(people)
    lines = []
    for column in parts.all(JUDGED_LABEL)[:MOST_RATINGS] if have_keys else []:
        judged = [*rated, "--rating-column", column.name]
        lines.append(command_line("agreement", file, *judged, *item, *parts.reading, *parts.one_criterion))
        words = words_of_raters([*people, column])
        if (item or parts.first("item")) and not any(map(TO_FILL_IN.search, words)):
            both = ["--scores", file, "--ratings", file, "--score-column", column.name, *rated]
            lines.append(command_line("evaluate", *both, *words, *keys))
    return lines


def _is_of_outputs(parts: Parts, score: str) -> bool:
    """Say whether a score is one of each output, as it has to be beside ratings by several raters."""
    return parts.first("rater") is None or score in parts.of_outputs


def of_numbers_beside(file: str, parts: Parts) -> list[str]:
    """Return the command lines that hold numbers of unknown origin against ratings: the scores, and further ones.

    Numbers that are not whole may be of a metric, or of another way to rate. Outputs of several systems need items.
    """
    item = parts.first("item") or parts.text
    ratings = [name for name in parts.ratings if any(each.name == name and each.is_numeric for each in parts.columns)]
    if not ratings or (item is None and (parts.first("system") or parts.first("rater"))):
        return []
    scores = [column.name for column in parts.all("score") if column.is_numeric]
    further = [column for column in parts.columns if not column.part and column.kind == "numbers"]
    further = [column for column in further if not part_by_name(replace(column, kind="text"))]  # an answer in numbers
    scores += [column.name for column in further if not names_no_rating(column.name)]
    scores = [name for name in scores if _is_of_outputs(parts, name)]
    if not scores or parts.first("rating of a rater"):
        return []
    keys = [] if item in (None, "item") else ["--item-column", str(item)]
    keys += [*parts.option("system", "system"), *parts.option("rater", "rater"), *clusters_of(parts)]
    named = option_for_each("--score-column", scores[:MOST_SYSTEMS])
    reading = [*parts.reading, *parts.one_criterion]
    both = ["--scores", file, "--ratings", file, *named]
    rated = [[] if name == "rating" else ["--rating-column", name] for name in ratings[:MOST_RATINGS]]
    return [command_line("evaluate", *both, *each, *keys, *reading) for each in rated]


def _without_maker(name: str) -> str:
    """Return the name of a metric without that of the program which computes it.

    >>> _without_maker("sacre_BLEU"), _without_maker("BLEU")
    ('BLEU', 'BLEU')
    """
    return re.sub(r"^(?:sacre(?:bleu)?|nltk|hf|evaluate)[ _.-]+", "", name, flags=re.IGNORECASE)


def _are_metrics(names: Sequence[str]) -> bool:
    return all(_is_metric(name) or name in rouge_names(names) for name in names)


def are_mostly_metrics(scores: Sequence[str]) -> bool:
    """Say whether most scores are called as metrics: others beside them are metrics too, and no systems."""
    return 2 * sum(_is_metric(name) for name in scores) > len(scores) or _are_metrics(scores)


def _is_metric(name: str) -> bool:
    return names_metric(_without_maker(name)) or names_bleu(name)
