"""The shape of a table, from the parts of its columns, and the command lines that fit it."""

from __future__ import annotations

import shlex
from collections.abc import Sequence
from itertools import chain, pairwise
from pathlib import Path

from referenceless_metrics.advice.look.columns.column import LISTED_RATERS
from referenceless_metrics.advice.look.columns.column_kinds import ANSWERS
from referenceless_metrics.advice.look.columns.column_parts import is_of_own_metric
from referenceless_metrics.advice.look.columns.ratings import is_criterion
from referenceless_metrics.advice.look.lines.all_criteria import by_all_criteria
from referenceless_metrics.advice.look.lines.on_criteria import MOST_SYSTEMS
from referenceless_metrics.advice.look.lines.on_ratings import (
    FEWEST_TEXTS,
    WORST,
    of_claims,
    of_one_judge,
    of_one_system,
    of_raters,
    of_ratings,
    of_unnamed_raters,
    of_winners,
    of_words,
    options_of_pairs,
)
from referenceless_metrics.advice.look.lines.on_scores import (
    are_mostly_metrics,
    may_be_of_people,
    of_columns,
    of_judged_labels,
    of_lists,
    of_numbers_beside,
    on_judges,
)
from referenceless_metrics.advice.look.lines.on_texts import (
    OF_ANY_LANGUAGE,
    of_dialogues,
    of_predictions,
    of_texts,
    of_texts_side_by_side,
    sources_beside,
)
from referenceless_metrics.advice.look.lines.options_of_parts import (
    MOST_RATINGS,
    clusters_of,
    groups_of,
    keys_of_scores,
    option_for_each,
    reading_by_criterion,
    references_alone,
    sources,
    text_of,
)
from referenceless_metrics.advice.look.lines.parts import (
    EVERY_PAIR,
    FEWEST_OUTPUTS,
    OTHER,
    Parts,
    command_line,
    every_pair,
)
from referenceless_metrics.advice.look.lines.systems_in_names import of_systems_in_names
from referenceless_metrics.advice.look.lines.words_of_labels import words_of
from referenceless_metrics.command_line.baselines import NAMES
from referenceless_metrics.human_evaluation.ratings.model_raters import (
    are_criteria_of_one_judge,
    is_file_of_judge,
    names_judge,
)
from referenceless_metrics.human_evaluation.scores.columns import are_of_metrics, is_computed


def command_lines(file: str, parts: Parts) -> list[str]:
    """Return the command lines that fit a table, the one that says most first."""
    if parts.of_systems:
        return of_columns(file, parts)
    if parts.winners:
        return of_winners(file, parts)
    if parts.better:
        return _on_better_ones(file, parts)
    if parts.first("preference"):
        return _on_preferences(file, parts)
    if parts.are_of_candidates:
        options = [*parts.option("candidates", "candidates"), *_reading(parts)]
        return [command_line("rerank", file, *options), command_line("rerank", file, *options, "--mbr", "bleu")]
    lines = _on_ratings(file, parts)
    of_judges = on_judges(file, parts)
    lines = [*of_judges, *lines] if not parts.first("system") else [*lines, *of_judges]
    beside = [] if of_judges else of_numbers_beside(file, parts)
    lines += beside
    of_a_judge = [] if _scores(parts) else of_one_judge(parts)
    scores = _scores(parts) or of_a_judge
    are_held_against_ratings = bool(of_judges or beside)
    of_systems = of_systems_in_names(file, parts, _reading_scores(parts))
    lines += of_systems
    # Beside ratings of one system, its scores need no other.
    if scores and not of_systems and (parts.n_systems or not are_held_against_ratings):
        lines += _on_scores(file, parts, scores)
    lines += _on_scored_texts(file, parts, scores)
    lines += [] if scores else _on_columns_of_texts(file, parts)
    lines = [*of_judged_labels(file, parts), *of_predictions(file, parts, _reading_scores(parts)), *lines]
    lines += of_words(file, parts)
    if parts.text:
        are_valued = bool(parts.ratings or scores or parts.all("rating of a rater"))
        lines += of_texts(file, parts, _reading(parts), are_valued=are_valued)
    lines += of_dialogues(file, parts)
    lines += of_one_system(file, parts, lines)
    lines += of_claims(file, parts)
    if 0 < parts.n_outputs < FEWEST_OUTPUTS:  # there are no intervals
        later = ("human-score", "compare") if of_a_judge else ("human-score",)
        lines.sort(key=lambda line: line.split()[1] in later)
    return list(dict.fromkeys(lines))


def _reading(parts: Parts) -> list[str]:
    """Return the options that read the rows of one criterion, for commands that do not tell criteria apart."""
    return [*parts.reading, *parts.one_criterion]


def _reading_scores(parts: Parts) -> list[str]:
    """Return the options that read scores: those of several metrics in one column are told apart."""
    return list(parts.reading) if parts.first("metric") else _reading(parts)


def _scores(parts: Parts) -> list[str]:
    """Return the columns of scores."""
    return [column.name for column in parts.all("score") if column.kind != ANSWERS]


def _ratings(parts: Parts) -> list[str]:
    """Return the columns of ratings; none beside columns of a rater each."""
    return [] if len(parts.all("rating of a rater")) > 1 else parts.ratings


def _on_better_ones(file: str, parts: Parts) -> list[str]:
    """Return the line on comparisons of which a column names the better system, and another the worse."""
    options = ["--preference-column", str(parts.better), *parts.option("item", "item")]
    options += parts.option("system_a", option="--system-a-column")
    options += parts.option("system_b", option="--system-b-column")
    every = [EVERY_PAIR] if parts.n_compared > 2 else []
    options += [*parts.option("rater", "rater"), *every, *reading_by_criterion(parts)]
    return [command_line("human-score", "--ratings", file, *options)]


def _on_preferences(file: str, parts: Parts) -> list[str]:
    """Return the lines on preferences between the systems that two columns name; on texts alone if none do."""
    if not (parts.first("system_a") and parts.first("system_b")):
        return [command_line("score", file, *text_of(parts), *_reading(parts))] if parts.text else []
    of_people = reading_by_criterion(parts)
    pairs = options_of_pairs(parts)
    every = [EVERY_PAIR] if parts.n_compared > 2 else []
    scored = [command_line("human-score", "--ratings", file, *pair, *every, *of_people) for pair in pairs]
    are_rated = parts.first("rater") is not None and parts.first("item") is not None and len(pairs) == 1
    return [*scored, *([command_line("agreement", file, *pairs[0], *of_people)] if are_rated else [])]


def _on_ratings(file: str, parts: Parts) -> list[str]:
    """Return the lines on ratings: of several raters, in lists, by each criterion; or on scores that people gave."""
    keys = [*_items(parts), *parts.option("system", "system"), *parts.option("rater", "rater")]
    keys += parts.option(LISTED_RATERS, option="--rater-column")
    if parts.begin_again:
        keys += [parts.anew, parts.begin_again]
    lines = of_raters(file, parts, keys) if len(parts.all("rating of a rater")) > 1 else []
    lines += of_unnamed_raters(file, parts)
    lines += of_lists(file, parts)
    plain = [column.name for column in parts.all("rating") if column.kind != "labels"]
    of_each = {
        rating: of_ratings(file, parts, rating, keys, is_number=rating in plain)
        for rating in _ratings(parts)[:MOST_SYSTEMS]
    }
    lines += by_all_criteria(of_each, _read_alike(parts), MOST_RATINGS)
    if _are_of_people(file, parts):
        lines += of_ratings(file, parts, _scores(parts)[0], keys, is_number=True)
    return lines


def _are_of_people(file: str, parts: Parts) -> bool:
    """Say whether people may have given the scores of a table without ratings."""
    scores = _scores(parts)
    if not scores or _ratings(parts) or parts.all("rating of a rater"):
        return False
    are_whole = any(each.kind == "whole numbers" for each in parts.all("score")[:1])
    may_be = parts.n_systems > 1 or are_whole
    return may_be and (parts.first("rater") is not None or may_be_of_people(file, parts, scores[0]))


def _on_scores(file: str, parts: Parts, scores: Sequence[str]) -> list[str]:
    """Return the lines that compare systems by scores: by each metric if scores are of metrics, else by the first."""
    keys = [*parts.option("item", "item"), *parts.option("system", "system"), *keys_of_scores(parts)]
    reading = _reading_scores(parts)
    is_one_system = parts.n_systems <= 1
    ratings = _ratings(parts)
    are_metrics = are_mostly_metrics(scores) or are_of_metrics(scores)
    are_criteria = all(is_criterion(name.rpartition(".")[2]) for name in scores)
    are_told = len(scores) > 1 and not ratings and (are_metrics or are_criteria)
    compared = list(scores[:MOST_SYSTEMS]) if are_told else [scores[0]]
    if not are_told and not ratings:
        compared = _with_metrics_beside(parts, compared)
    options = [] if compared == ["score"] else option_for_each("--score-column", compared)
    is_unpaired = parts.apart or parts.are_unpaired or (parts.share_few_items and not ratings)
    options += [*keys, *(["--unpaired"] if is_unpaired and not is_one_system else [])]
    lower = option_for_each("--lower-is-better", parts.lower_of(compared, file))
    options += [*words_of(parts, scores[0]), *lower, *reading]
    lines = _on_metrics_of_one_system(file, parts) or [command_line("compare", "--scores", file, *options)]
    if is_one_system:
        lines.append(command_line("compare", "--scores", file, "--scores", OTHER, *options))
    return lines


def _with_metrics_beside(parts: Parts, compared: list[str]) -> list[str]:
    """Return the first score, if it is of a metric of this package, with those that `score --with` computes beside it.

    Further figures of such a metric, such as its share of unknown words, do not count.
    """
    own = [each.name for each in parts.all("score") if is_of_own_metric(each.name, each.kind, each.shown)]
    if compared[0] not in own:
        return compared
    metrics = [each.name for each in parts.all("score") if each.name in {*own, *NAMES}]
    return list(dict.fromkeys([*compared, *metrics]))[:MOST_SYSTEMS]


def _on_metrics_of_one_system(file: str, parts: Parts) -> list[str]:
    """Return the lines on several metrics of one system's outputs: all values, and the worst; none without several."""
    several = [column.name for column in parts.all("score") if column.is_numeric][:MOST_SYSTEMS]
    if parts.n_systems or len(several) < 2 or not (are_of_metrics(several) or are_criteria_of_one_judge(several)):
        return []
    options = [*option_for_each("--score-column", several), *parts.option("item", "item"), *keys_of_scores(parts)]
    options += option_for_each("--lower-is-better", parts.lower_of(several, file))
    line = ("compare", "--scores", file, *options, *_reading_scores(parts))
    return [command_line(*line), command_line(*line, *WORST)]


def _on_scored_texts(file: str, parts: Parts, scores: Sequence[str]) -> list[str]:
    """Return the line on texts and their scores.

    Texts with values of a metric of this package are chosen by them, unless they are of several systems; from other
    scores a metric learns.
    """
    own = _own_values(parts)
    limited = [name for name in own if name in parts.limits]
    if parts.text and limited and parts.n_systems <= 1:
        kept = ["--scored", "--keep", f"{limited[0]} > {parts.limits[limited[0]]:.3g}"]
        return [command_line("filter", file, *text_of(parts), *kept, *_reading(parts))]
    if not scores or scores[:1] != ratings_for_all_that_is_known(file, parts):
        return []
    learned = [*text_of(parts), "--rating-column", scores[0], *words_of(parts, scores[0])]
    systems = parts.option("system") if parts.n_systems > 1 and not parts.are_joined else []
    return [command_line("advise", file, *learned, *systems, *groups_of(parts), *sources(parts), *_reading(parts))]


def _own_values(parts: Parts) -> list[str]:
    """Return the columns with values of metrics of this package."""
    return [each.name for each in parts.all("score") if is_of_own_metric(each.name, each.kind, each.shown)]


def ratings_for_all_that_is_known(file: str, parts: Parts) -> list[str]:
    """Return the column of scores of texts that people may have given: neither it nor its file is called otherwise.

    Nothing beside ratings, for few texts, or if several columns of scores are of several systems, as metrics' are.
    """
    scores = _scores(parts)
    are_other = bool(_own_values(parts) or _ratings(parts) or parts.all("rating of a rater"))
    if not parts.text or not scores or are_other or parts.n_texts < FEWEST_TEXTS:
        return []
    are_called_so = are_of_metrics(scores[:1]) or bool(parts.lower_of(scores[:1], file))
    if parts.n_systems > 1:
        are_called_so |= len(scores) > 1 or is_computed(scores[0])
        are_called_so |= names_judge(scores[0]) or is_file_of_judge(Path(file).name)
    return [] if are_called_so else scores[:1]


def _on_columns_of_texts(file: str, parts: Parts) -> list[str]:
    """Return the lines that compare systems whose outputs stand in a column each; none if these are rated."""
    of_systems = parts.unnamed_texts
    raters = parts.all("rating of a rater")
    choose = bool(raters) and all(column.kind == "labels" for column in raters)  # one of the texts, as A or B
    if len(of_systems) < 2 or _ratings(parts) or choose or parts.first("rater"):
        return []
    columns = [*option_for_each("--text-column", of_systems[:MOST_SYSTEMS]), *clusters_of(parts)]
    references = references_alone(parts) or (list(OF_ANY_LANGUAGE) if parts.are_foreign else [])
    lines = []
    if references:
        by_references = [*references, *every_pair(len(of_systems))]
        lines.append(command_line("compare", file, *columns, *by_references, *_reading(parts)))
    if not parts.are_foreign:
        lines.append(command_line("compare", file, *columns, *sources_beside(file, parts), *_reading(parts)))
        lines += of_texts_side_by_side(file, parts, of_systems)
    return lines


def _items(parts: Parts) -> list[str]:
    """Return the options that tell the items of ratings: of outputs in several runs the run within each item.

    Outputs of one item depend on one another, whatever run they are of.
    """
    run, item = parts.first("run"), parts.first("item")
    are_told = parts.begin_again or parts.first("rater") or parts.first("rating of a rater")
    if run is None or item is None or are_told or not parts.ratings:
        return parts.option("item", "item")
    return ["--item-column", run, "--cluster-column", item]


def without_second_tests(file: str, parts: Parts, lines: Sequence[str]) -> list[str]:
    """Return lines without `compare --scores` of ratings that a line of `human-score` tests already, in its own way."""
    rated = {column.name for column in parts.all("rating")}
    rated |= {column.name for column in parts.all("score") if may_be_of_people(file, parts, column.name)}
    words = list(map(shlex.split, lines))
    of_people = [_named(each, "--rating-column", "rating") for each in words if each[1] == "human-score"]
    tested = rated & set(chain.from_iterable(of_people))
    tests = [each[1:4] == ["compare", "--scores", file] and "--worst" not in each for each in words]
    columns = [_named(each, "--score-column", "score") for each in words]
    alone = [of_line[0] if len(of_line) == 1 else "" for of_line in columns]
    seconds = [is_test and name in tested for is_test, name in zip(tests, alone, strict=True)]
    return [line for line, is_second in zip(lines, seconds, strict=True) if not is_second]


def _named(words: Sequence[str], option: str, usual: str) -> list[str]:
    """Return the columns that a line names by an option, the usual one if it names none."""
    return [value for name, value in pairwise(words) if name == option] or [usual]


def _read_alike(parts: Parts) -> dict[str, str]:
    """Return what each column of ratings holds, numbers or its words: columns that hold the same are read alike.

    Numbers below 0, as z-scores are, are other ones. Lists of ratings are read alone, and so are all columns beside one
    that names the criteria.
    """
    rated = (
        [] if parts.first("criterion") else [each for each in parts.all("rating") if each.name not in parts.repeated]
    )
    numbers = [column for column in rated if column.is_numeric]
    are_below_0 = {column.name: column.distinct > 1 and column.ends[0] < 0 for column in numbers}
    held = {name: "numbers below 0" if is_below_0 else "numbers" for name, is_below_0 in are_below_0.items()}
    return held | {column.name: column.shown for column in rated if column.kind == "labels"}
