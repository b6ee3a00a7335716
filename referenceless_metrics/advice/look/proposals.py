"""The shape of a table, from the parts of its columns, and the command lines that fit it."""

from __future__ import annotations

import math
import re
import shlex
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from itertools import chain, pairwise
from pathlib import Path

from referenceless_metrics.advice.look.all_criteria import by_all_criteria
from referenceless_metrics.advice.look.columns import (
    ANSWERS,
    JUDGED_LABEL,
    LABELS,
    LISTED_RATERS,
    LISTS_OF_TEXTS,
    Column,
    answers_shown,
    counts_raters,
    families_of_raters,
    is_of_own_metric,
    is_unnamed,
    names_no_rating,
    names_people,
    part_by_name,
    scale_in_name,
)
from referenceless_metrics.advice.look.compared_pairs import VOTES
from referenceless_metrics.advice.look.designs import names_bleu, rouge_names
from referenceless_metrics.advice.look.evidence import is_criterion, may_judge
from referenceless_metrics.advice.look.marks import values_of_mark
from referenceless_metrics.advice.look.messages import Messages
from referenceless_metrics.advice.look.winners import names_decision, names_worse
from referenceless_metrics.assessment.system_pairs import FEWEST_SYSTEMS
from referenceless_metrics.command_line.proposing import without_options
from referenceless_metrics.core.files.nested_rows import ANY, ITEM, KEY, PLACE, marks_of, plain_name
from referenceless_metrics.core.files.number_words import (
    NotNumbersError,
    column_numbers,
    says_no_answer,
    scale_with_one_more,
    usual_scale,
)
from referenceless_metrics.core.files.reading import names_in
from referenceless_metrics.core.files.turns import is_last_said
from referenceless_metrics.core.support.common_ends import common_ends
from referenceless_metrics.core.support.metric_names import names_metric
from referenceless_metrics.core.support.validation import finite_number
from referenceless_metrics.human_evaluation.inference.output_ratings import FEWEST_RATINGS
from referenceless_metrics.human_evaluation.ratings.model_raters import are_criteria_of_one_judge
from referenceless_metrics.human_evaluation.ratings.model_raters import names_people as tells_people
from referenceless_metrics.human_evaluation.ratings.opponents import names_other
from referenceless_metrics.human_evaluation.ratings.ranks import is_better_if_lower, rank_values
from referenceless_metrics.human_evaluation.scores.columns import are_of_metrics

PROGRAM = "referenceless"
FEWEST_TEXTS = 20
"""Fewest different rated texts for which there is advice other than to rate more."""

MOST_WORST = 10
"""Scores that a line for the worst ones shows, of each metric."""

_WORST = ("--worst", str(MOST_WORST))
"""The option for these."""

FEWEST_OUTPUTS = FEWEST_RATINGS
"""Fewest outputs of a system with which `human-score` gives intervals."""

OTHER = "OTHER"
"""A word of a command line that stands for the file of another system."""

REFERENCES = "REFERENCES"
"""The same for the file of the references."""

TO_FILL_IN = re.compile(r"=(?:NUMBER|SHARE)(?:,|$)")
"""A number of `--values` that is to be filled in."""

MOST_RATINGS = 3
"""Most columns of ratings that get command lines of their own."""

_METRIC = "fluency"
"""The metric that is proposed to be held against ratings of texts."""


LIMIT = -2.0
"""The limit of Fluency that is proposed for texts without scores: about one sentence of edited prose in 70 is below."""

_MOST_SLICES = 12
"""Most data sets that have figures of their own."""

WITH_REFERENCES = ("--with", "bleu,chrf")
"""The option for metrics with references that are proposed beside one without."""

ALONE = ("--metric", "bleu", "--metric", "chrf")
"""The options for metrics with references alone, which read outputs in any language."""

OF_ANY_LANGUAGE = ("--references", REFERENCES, *ALONE)
"""The options for outputs that the packaged models do not know, if no column holds references."""

BY_CHARACTERS = ("--metric", "chrf")
"""The options for the metric that suits short answers, of which several may be right."""

BY_ANSWERS = "chrf, bleu, chrf++ and ter"
"""The metrics that hold a text against several references."""

_OFTEN = 0.1
"""Share of blank cells above which a column of ratings stands behind those that hold more."""

_MOSTLY_BLANK = 0.5
"""Largest share of blank cells in a column of texts that may be outputs; comments stand in fewer rows."""

_FEWEST_OF_A_HUNDRED = 12
"""Fewest different ratings that are taken to be on a scale from 0 to 100, and not on one of a few points."""

_REPEATED = 0.7
"""Largest number of items, as a share of that of the texts, of which texts are left out together."""

_MOST_SYSTEMS = 8
"""Most columns of texts that a command line names."""

EVERY_PAIR = "--all-pairs"
"""The option that compares all pairs of systems."""

_MOST_RANKED = 8
"""Most rated systems of which a command line compares all pairs."""


def command_line(*words: str) -> str:
    """Return a command line to be copied, each word quoted as a shell needs it.

    >>> command_line("score", "my file.txt")
    "referenceless score 'my file.txt'"
    """
    single = [word for place, each in enumerate(words) for word in _of_a_key(words[place - 1] if place else "", each)]
    return " ".join([PROGRAM, *map(shlex.quote, single)])


def _of_a_key(option: str, word: str) -> list[str]:
    """Return a word of a command line; the columns that an item's key joins are each named by itself.

    >>> _of_a_key("--item-column", "doc + seg"), _of_a_key("--where", "a + b")
    (['doc', '--item-column', 'seg'], ['a + b'])
    """
    if option != "--item-column":
        return [word]
    first, *others = names_in(word)
    return [first, *(each for name in others for each in (option, name))]


def every_pair(n_systems: int) -> list[str]:
    """Return the option that compares all pairs of rated systems: of three to a few, which is best is asked.

    >>> every_pair(2), every_pair(3)
    ([], ['--all-pairs'])
    """
    return [EVERY_PAIR] if 2 < n_systems <= _MOST_RANKED else []


@dataclass(frozen=True)
class Parts:
    """The columns of a table by the part that each plays.

    Attributes:
        columns: all columns, in order.
        reading: the options with which the table is read as it was.
        one_criterion: the condition that leaves the rows of one criterion, for commands that do not tell them apart.
        are_unpaired: whether no two systems share an item, so that items have to be assigned at random; or no column
            tells items, and systems differ in the number of rows.
        share_few_items: whether most systems share fewer than half of their items with the first.
        have_other_items: whether systems have outputs of other items than one another, so that not all are in pairs.
        apart: the first system and one that shares no item with it, as others do; none otherwise.
        are_joined: whether cells name several systems that have the same output.
        listed: the columns of systems, if each holds a list of numbers as long as the others in its row: these may be
            of several outputs, or of several raters; none otherwise.
        of_systems: columns of numbers that are of a system each, or of a rater each; none otherwise.
        n_outputs: number of outputs of the first system; 0 without systems.
        begin_again: the column in each value of which the numbers of items begin again; "" for none.
        n_ratings_each: number of rows of each output of a system, if all have the same number, two or more, and nothing
            tells these rows apart: ratings in them are of several raters, maybe; 0 otherwise.
        have_unnamed_raters: whether texts stand in several rows, with a rating in each, and nothing tells these apart.
        ranks: the columns of ratings that are ranks of the systems of each item, with the highest rank of each.
        ties: the ranks of ties that lie between whole numbers, by each of these columns.
        winners: the columns that name the better of two systems in each row, if no two columns name both.
        n_compared: number of systems that these columns name, or two columns of systems.
        deciders: the first of these columns with others of the same names, of several judges; none without a second.
        criteria: the criteria of ratings with a column per rater, by name, with the pattern of each one's columns; none
            for ratings by one criterion.
        of_controls: the column that calls a few rows controls; "" for none.
        dialogues: lists of turns in each row, some of them of an assistant.
        limits: by the column of a metric of this package, the value below which about a tenth of its values are.
        rows_are_items: whether each row holds all ratings of an output, and neither items nor texts tell outputs apart.
        texts_are_no_items: whether a rater rated several rows with the same text of a system, and nothing names items.
        words: the different cells of columns of ratings that hold labels, by the criterion that another column names.
        of_outputs: columns of scores that are the same in all rows of an output, whoever rated it; none without raters.
        are_foreign: whether most texts do not look English, so that the packaged models of Fluency do not know them.
        repeated: columns of ratings that hold those of another column once more.
    """

    columns: Sequence[Column]
    reading: Sequence[str] = field(default=())
    one_criterion: Sequence[str] = field(default=())
    are_unpaired: bool = False
    share_few_items: bool = False
    have_other_items: bool = False
    apart: Sequence[str] = field(default=())
    are_joined: bool = False
    begin_again: str = ""
    listed: Sequence[str] = field(default=())
    of_systems: Sequence[str] = field(default=())
    n_outputs: int = 0
    n_ratings_each: int = 0
    have_unnamed_raters: bool = False
    ranks: Mapping[str, int] = field(default_factory=dict)
    ties: Mapping[str, Sequence[float]] = field(default_factory=dict)
    winners: Sequence[str] = field(default=())
    n_compared: int = 0
    deciders: Sequence[str] = field(default=())
    criteria: Mapping[str, str] = field(default_factory=dict)
    of_controls: str = ""
    dialogues: Sequence[Messages] = field(default=())
    limits: Mapping[str, float] = field(default_factory=dict)
    rows_are_items: bool = False
    texts_are_no_items: bool = False
    words: Mapping[str, Mapping[str, Sequence[str]]] = field(default_factory=dict)
    of_outputs: Sequence[str] = field(default=())
    are_foreign: bool = False
    repeated: Sequence[str] = field(default=())

    def all(self, part: str) -> list[Column]:
        """Return all columns that may play a part."""
        return [column for column in self.columns if column.part == part]

    def first(self, part: str) -> str | None:
        """Return the name of the first column that may play a part."""
        return next((column.name for column in self.all(part)), None)

    @property
    def text(self) -> str | None:
        """The column of texts: the one that is named so, or else the only column of texts that plays no other part."""
        named = self.first("text")
        others = self.unnamed_texts
        are_alone = not (self.first("system") or self.first("gold") or self.has_references or self.dialogues)
        if named is None and not others and are_alone:  # the rated text is itself called a source
            sources = [column for column in self.all("source") if column.kind == "text"]
            others = [column.name for column in sources if not is_last_said(column.name)]
        return named or (others[0] if len(others) == 1 else None)

    @property
    def has_references(self) -> bool:
        """Whether a column holds references: sources beside them are no outputs."""
        return any(column.holds_texts or column.kind == LISTS_OF_TEXTS for column in self.all("reference"))

    @property
    def are_of_candidates(self) -> bool:
        """Whether rows are lists of candidates to choose from, and not outputs that were rated."""
        rated = self.first("rating") or self.first("rating of a rater")
        is_rated = bool(rated and (self.text or self.first("system")))
        are_choices = self.first("gold") is not None  # one of which is right
        return self.first("candidates") is not None and not is_rated and not are_choices

    @property
    def ratings(self) -> list[str]:
        """The columns of ratings: those first whose names say rating or mean, and those last that are often blank."""
        ordered = sorted(self.all("rating"), key=lambda column: (_is_less_plain(column.name), column.blank > _OFTEN))
        return [column.name for column in ordered]

    @property
    def n_systems(self) -> int:
        """The number of systems; 0 without a column of systems."""
        systems = self.all("system")
        return systems[0].distinct if systems else 0

    @property
    def every_pair(self) -> list[str]:
        """The option that compares all pairs of systems, if they are few and intervals can be told."""
        return every_pair(self.n_systems) if self.n_outputs >= FEWEST_OUTPUTS else []

    @property
    def n_texts(self) -> int:
        """The number of different texts."""
        return next((column.distinct for column in self.columns if column.name == self.text), 0)

    @property
    def unnamed_texts(self) -> list[str]:
        """The columns of texts that play no part by their names, if none is named as one of texts."""
        if self.first("text"):
            return []
        texts = [column for column in self.columns if column.kind == "text" and not column.part]
        return [column.name for column in texts if column.blank <= _MOSTLY_BLANK]

    @property
    def anew(self) -> str:
        """The option of the column in which items begin again."""
        return "--slice-column" if self.begin_again == self.first("slice") else "--cluster-column"

    @property
    def better(self) -> str | None:
        """The column that names the better system of each row, beside one that names the worse; None for none."""
        first, second = self.first("system_a"), self.first("system_b")
        named = first is not None and second is not None and names_decision(first) and names_worse(second)
        return first if named and not self.first("preference") else None

    def option(self, part: str, usual: str | None = None, option: str = "") -> list[str]:
        """Return the option that names the column of a part; none if there is none, or if it has the usual name."""
        name = self.first(part)
        return [] if name is None or name == usual else [option or f"--{part}-column", name]

    def lower_of(self, scores: Sequence[str], file: str) -> list[str]:
        """Return those of some columns of scores of which lower values are better."""
        return [column.name for column in self.columns if column.name in scores and column.is_lower_better(file)]


def shape_of(parts: Parts) -> str:
    """Return the shape of a table, in words."""
    if parts.of_systems:
        return "a column of numbers per system"
    if (
        parts.winners
        or parts.better
        or (parts.first("preference") and (parts.first("system_a") or parts.first("text") or len(parts.columns) > 1))
    ):
        return "preferences: one row per comparison of two systems"
    if parts.are_of_candidates:
        return "a list of candidates in each row"
    if parts.dialogues:
        return "dialogues: a list of turns in each row"
    if len(parts.all("rating of a rater")) > 1:
        return "a column per rater"
    rated = bool(parts.first("rating"))
    if rated and parts.first("rater"):
        return "one row per rating"
    if rated and parts.text:
        return "rated texts: one row per text"
    if rated and any(column.holds_texts for column in parts.columns):
        return "ratings, and texts of which none are known to be the outputs"
    if rated:
        return "ratings without texts"
    if parts.first("score") and not parts.text:
        return "scores: one row per item and system" if parts.n_systems > 1 else "scores of one system"
    if parts.first("prediction") and parts.first("gold"):
        return "answers beside the right ones"
    if len(parts.unnamed_texts) > 1 and not parts.first("score"):
        return "several columns of texts: a column per system"
    if parts.first("system") and parts.text:
        systems = "one system" if parts.n_systems == 1 else "several systems"
        return f"outputs of {systems}: one row per output"
    return "texts" if parts.text else "a table without texts, ratings and scores that could be told"


def command_lines(file: str, parts: Parts) -> list[str]:
    """Return the command lines that fit a table, the one that says most first."""
    of_people = _reading_by_criterion(parts)
    reading = [*parts.reading, *parts.one_criterion]
    if parts.of_systems:
        return _of_columns(file, parts)
    if parts.winners:
        return _of_winners(file, parts)
    if parts.better:
        options = ["--preference-column", parts.better, *parts.option("item", "item")]
        options += [
            *parts.option("system_a", option="--system-a-column"),
            *parts.option("system_b", option="--system-b-column"),
        ]
        every = [EVERY_PAIR] if parts.n_compared > 2 else []
        options += [*parts.option("rater", "rater"), *every, *of_people]
        return [command_line("human-score", "--ratings", file, *options)]
    if parts.first("preference"):
        if not (parts.first("system_a") and parts.first("system_b")):
            return [command_line("score", file, *_text(parts), *reading)] if parts.text else []
        pairs = _pairs(parts)
        every = ["--all-pairs"] if parts.n_compared > 2 else []
        scored = [command_line("human-score", "--ratings", file, *pair, *every, *of_people) for pair in pairs]
        are_rated = parts.first("rater") is not None and parts.first("item") is not None and len(pairs) == 1
        return [*scored, *([command_line("agreement", file, *pairs[0], *of_people)] if are_rated else [])]
    if parts.are_of_candidates:
        options = parts.option("candidates", "candidates")
        return [command_line("rerank", file, *options, *reading, "--format", "jsonl")]
    of_scores = parts.reading if parts.first("metric") else reading
    lines: list[str] = []
    raters = parts.all("rating of a rater")
    ratings = parts.ratings
    keys = [*_items(parts), *parts.option("system", "system"), *parts.option("rater", "rater")]
    keys += parts.option(LISTED_RATERS, option="--rater-column")
    if parts.begin_again:
        keys += [parts.anew, parts.begin_again]
    if len(raters) > 1:
        ratings = []
        lines += _of_raters(file, parts, keys)
    lines += _of_unnamed_raters(file, parts)
    lines += _of_lists(file, parts)
    plain = [column.name for column in parts.all("rating") if column.kind != "labels"]
    of_each = {
        rating: _of_ratings(file, parts, rating, keys, is_number=rating in plain) for rating in ratings[:_MOST_SYSTEMS]
    }
    lines += by_all_criteria(of_each, _read_alike(parts), MOST_RATINGS)
    scores = [column.name for column in parts.all("score") if column.kind != ANSWERS]
    may_be_people = parts.n_systems > 1 or any(each.kind == "whole numbers" for each in parts.all("score")[:1])
    are_of_people = bool(scores and not (ratings or raters) and may_be_people)
    are_of_people = are_of_people and _are_of_people(file, parts, scores[0])
    if are_of_people or (scores and not (ratings or raters) and may_be_people and parts.first("rater")):
        lines += _of_ratings(file, parts, scores[0], keys, is_number=True)
    of_judges = _of_judges(file, parts)
    lines = [*of_judges, *lines] if not parts.first("system") else [*lines, *of_judges]
    beside = of_judges or _of_numbers_beside(file, parts)
    lines += [] if of_judges else beside
    of_a_judge = [] if scores else _of_a_judge(parts)
    scores = scores or of_a_judge
    # Beside ratings of one system, its scores need no other.
    if scores and not (beside and parts.n_systems == 0):
        named = scores[0]
        options = [] if named == "score" else ["--score-column", str(named)]
        are_metrics = len(scores) > 1 and not ratings and (_are_mostly_metrics(scores) or are_of_metrics(scores))
        compared = scores[:_MOST_SYSTEMS] if are_metrics else [named]
        if are_metrics:
            options = _each("--score-column", compared)
        more = [*parts.option("item", "item"), *parts.option("system", "system"), *_keys_of_scores(parts)]
        alone = parts.n_systems <= 1
        several = [column.name for column in parts.all("score") if column.is_numeric][:_MOST_SYSTEMS]
        has_metrics = parts.n_systems == 0 and not beside and len(several) > 1
        has_metrics = has_metrics and (are_of_metrics(several) or are_criteria_of_one_judge(several))
        if has_metrics:
            by_metric = [*_each("--score-column", several), *parts.option("item", "item"), *_keys_of_scores(parts)]
            by_metric += _each("--lower-is-better", parts.lower_of(several, file))
            lines.append(command_line("compare", "--scores", file, *by_metric, *of_scores))
            lines.append(command_line("compare", "--scores", file, *by_metric, *of_scores, *_WORST))
        is_unpaired = parts.apart or parts.are_unpaired or (parts.share_few_items and not ratings)
        more += ["--unpaired"] if is_unpaired and not alone else []
        lower = _each("--lower-is-better", parts.lower_of(compared, file))
        options = [*options, *more, *words_of(parts, named), *lower, *of_scores]
        lines += [] if has_metrics else [command_line("compare", "--scores", file, *options)]
        lines += [command_line("compare", "--scores", file, "--scores", OTHER, *options)] if alone else []
    own = [each.name for each in parts.all("score") if is_of_own_metric(each.name, each.kind, each.shown)]
    if own and parts.text and parts.n_systems <= 1:  # no ratings to learn from, but texts to choose
        limited = [name for name in own if name in parts.limits]
        for name in limited[:1]:
            kept = ["--scored", "--keep", f"{name} > {parts.limits[name]:.3g}"]
            lines.append(command_line("filter", file, *_text(parts), *kept, *reading))
    elif (
        scores
        and not ratings
        and parts.text
        and parts.n_texts >= FEWEST_TEXTS
        and parts.n_systems <= 1
        and not parts.lower_of(scores[:1], file)
        and not are_of_metrics(scores[:1])
    ):
        learned = [*_text(parts), "--rating-column", scores[0]]
        lines.append(command_line("advise", file, *learned, *words_of(parts, scores[0]), *reading))
    of_systems = parts.unnamed_texts
    choose = bool(raters) and all(column.kind == "labels" for column in raters)  # one of the texts, as A or B
    if len(of_systems) > 1 and not ratings and not scores and not choose and not parts.first("rater"):
        columns = [*_each("--text-column", of_systems[:_MOST_SYSTEMS]), *_clusters(parts)]
        references = _references_alone(parts) or (list(OF_ANY_LANGUAGE) if parts.are_foreign else [])
        if references:
            by_references = [*references, *every_pair(len(of_systems))]
            lines.append(command_line("compare", file, *columns, *by_references, *reading))
        if not parts.are_foreign:
            lines.append(command_line("compare", file, *columns, *_sources_beside(file, parts), *reading))
            lines += _of_texts_side_by_side(file, parts, of_systems)
    lines = [*_of_judged_labels(file, parts), *_of_predictions(file, parts, of_scores), *lines]
    lines += _of_words(file, parts)
    if parts.text:
        lines += _of_texts(file, parts, reading, are_valued=bool(ratings or scores or raters))
    lines += _of_dialogues(file, parts)
    lines += _of_one_system(file, parts, lines)
    lines += _of_claims(file, parts)
    if 0 < parts.n_outputs < FEWEST_OUTPUTS:  # there are no intervals
        later = ("human-score", "compare") if of_a_judge else ("human-score",)
        lines.sort(key=lambda line: line.split()[1] in later)
    return list(dict.fromkeys(lines))


def _items(parts: Parts) -> list[str]:
    """Return the options that tell the items of ratings: of outputs in several runs the run within each item.

    Outputs of one item depend on one another, whatever run they are of.
    """
    run, item = parts.first("run"), parts.first("item")
    are_told = parts.begin_again or parts.first("rater") or parts.first("rating of a rater")
    if run is None or item is None or are_told or not parts.ratings:
        return parts.option("item", "item")
    return ["--item-column", run, "--cluster-column", item]


def _of_texts(file: str, parts: Parts, reading: Sequence[str], *, are_valued: bool) -> list[str]:
    """Return the command lines that measure a column of texts: systems against one another, and each text by itself.

    Outputs with a rating or a score are compared by metrics with references alone, and texts that the packaged models
    do not know by metrics that read any language.

    Args:
        file: the file.
        parts: the columns, among them one of texts.
        reading: the options with which the texts are read.
        are_valued: whether there are ratings or scores of the texts.
    """
    system = parts.first("system")
    options, references = _text(parts), _references(parts)[:2]
    are_several = parts.n_systems > 1
    are_repeated = any(map(parts.first, ("rater", "rating of a rater", "criterion", "metric", "run")))
    lines = []
    if system is not None and are_several:
        is_unpaired = parts.are_unpaired or parts.have_other_items
        options += ["--system-column", system]
        options += ["--unpaired"] if is_unpaired else [*parts.option("item", "item"), *_clusters(parts)]
        pairs = every_pair(parts.n_systems)
        if references and not is_unpaired and not (are_valued and are_repeated):
            lines.append(command_line("compare", file, *options, *references, *ALONE, *pairs, *reading))
        if not are_valued and not parts.are_foreign:
            lines.append(command_line("compare", file, *options, *reading))
        if not are_valued and parts.are_foreign and not lines and not is_unpaired:
            lines.append(command_line("compare", file, *options, *OF_ANY_LANGUAGE, *pairs, *reading))
    elif parts.are_foreign and (references or not are_valued):
        by_references = [*references, *ALONE] if references else OF_ANY_LANGUAGE
        lines.append(command_line("compare", file, OTHER, *options, *by_references, *reading))
    elif system is not None and not are_valued:
        lines.append(command_line("compare", file, OTHER, *options, *reading))
    if not parts.are_foreign:
        by_references = [] if are_several else _references(parts)  # a BLEU of all systems together says nothing of any
        lines.append(command_line("score", file, *_text(parts), *by_references, *reading))
    return lines


def without_second_tests(file: str, parts: Parts, lines: Sequence[str]) -> list[str]:
    """Return lines without `compare --scores` of ratings that a line of `human-score` tests already, in its own way."""
    rated = {column.name for column in parts.all("rating")}
    rated |= {column.name for column in parts.all("score") if _are_of_people(file, parts, column.name)}
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


def _of_predictions(file: str, parts: Parts, reading: Sequence[str]) -> list[str]:
    """Return the lines that compare systems by their right answers; none without right ones beside them."""
    answers, gold = parts.first("prediction"), [column.name for column in parts.all("gold")[:1]]
    gold = gold or [column.name for column in parts.all("rating of a rater") if column.kind == "labels"]
    if answers is None or not gold:
        return []
    ways = ([], ["--scores", OTHER]) if parts.n_systems < 2 and parts.first("gold") else ([],)
    keys = [*parts.option("item", "item"), *parts.option("system", "system"), *_keys_of_scores(parts)]
    held = ["--score-column", answers, *_each("--gold-column", gold)]
    held += ["--squad"] if any(column.kind == LISTS_OF_TEXTS for column in parts.all("gold")[:1]) else []
    return [command_line("compare", "--scores", file, *others, *held, *keys, *reading) for others in ways]


def _are_of_people(file: str, parts: Parts, score: str) -> bool:
    """Return whether the name of a file, or a column that counts raters, tells that people gave its scores."""
    counted = [column for column in parts.columns if column.kind == "whole numbers" and counts_raters(column.name)]
    return not are_of_metrics([score]) and bool(counted or tells_people(Path(file).stem))


def _of_texts_side_by_side(file: str, parts: Parts, names: Sequence[str]) -> list[str]:
    """Return the command line that scores columns of texts, each text in a row of its own.

    Their names differ in one part alone, as `bart_text` and `t5_text`; of others there is none.
    """
    start, end = common_ends(names)
    first = names[0]
    pattern = f"{first[:start]}{ANY}{first[len(first) - end :]}"
    columns = tuple(column.name for column in parts.columns)
    if parts.reading or pattern == ANY or set(marks_of(pattern, columns).values()) != set(names):
        return []
    text = plain_name(pattern)
    return [command_line("score", file, "--rows-in", pattern, *([] if text == "text" else ["--text-column", text]))]


def _of_winners(file: str, parts: Parts) -> list[str]:
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
        named = _each("--rating-column", parts.deciders)
        lines.append(command_line("agreement", file, *named, *parts.option("item", "item"), *parts.reading))
        return lines
    for name in others:
        both = _each("--rating-column", [first, name])
        lines.append(command_line("agreement", file, *both, *parts.option("item", "item"), *parts.reading))
    return lines


def _of_a_judge(parts: Parts) -> list[str]:
    """Return the column of ratings that may be of one judge, a program, in a table without scores; none of people."""
    if parts.first("rater") or parts.first("rating of a rater") or parts.have_unnamed_raters:
        return []
    rated = [column for column in parts.all("rating") if column.is_numeric and not names_people(column.name)]
    if parts.n_systems > 1:
        return sorted((column.name for column in rated), key=_is_less_plain)[:1]
    return [column.name for column in rated if column.shown == "0–1"][:1]


def _of_raters(file: str, parts: Parts, keys: Sequence[str]) -> list[str]:
    """Return the command lines for a column of ratings per rater: by all criteria, if several have such columns."""
    raters = parts.all("rating of a rater")
    of_people = _reading_by_criterion(parts)
    columns = _each("--rating-column", [column.name for column in raters])
    words = _words_of_raters(raters)
    are_labels = LABELS in {column.kind for column in raters}
    lines = []
    if parts.criteria:
        by_criterion = _words_by_criterion(parts)
        options = [*_each("--rating-column", list(parts.criteria)), "--columns-are", "criteria", "--rater-column", KEY]
        options += [
            *(words if any(map(_has_mark, raters)) else numbers_of_words(list(by_criterion.values()))),
            *keys,
            *_items_by_text(parts),
            "--rows-in",
            ",".join(parts.criteria.values()),
            *of_people,
        ]
        lines.append(command_line("agreement", file, *_of_outputs(options)))
        if parts.first("system"):
            of_intervals = _of_intervals(parts, [column.name for column in raters], keys)
            options += [*of_intervals, *_scales_of_words(by_criterion), *parts.every_pair]
            lines.insert(0, command_line("human-score", "--ratings", file, *options))
    else:
        options = [*columns, *_missing_in(words), *_outputs_rated(parts, keys)]
        lines.append(command_line("agreement", file, *options, *of_people))
        if parts.first("system") and not are_labels:
            named = [*columns, *words, *keys, *_of_intervals(parts, [column.name for column in raters], keys)]
            named += ["--unpaired"] if parts.rows_are_items else []
            scored = command_line("human-score", "--ratings", file, *named, *of_people, *parts.every_pair)
            lines.insert(len(lines) if words else 0, scored)  # labels that stand for no numbers agree or do not
        for names in _further_families(parts)[: MOST_RATINGS - 1]:
            options = [*_each("--rating-column", names), *_outputs_rated(parts, keys)]
            lines.append(command_line("agreement", file, *options, *of_people))
    stand_for_numbers = not any(map(TO_FILL_IN.search, words))
    if parts.text and parts.n_texts >= FEWEST_TEXTS and not are_labels and stand_for_numbers:
        reading = [*parts.reading, *parts.one_criterion]
        groups = [*([] if parts.are_joined else parts.option("system")), *_groups(parts)]
        for of_criterion in [columns, *_of_further_criteria(parts)][:MOST_RATINGS]:
            rated = [*_text(parts), *of_criterion, *words]
            if not parts.are_foreign:
                lines.append(command_line("evaluate", "--metric", _METRIC, file, *rated, *keys, *reading))
            lines.append(command_line("advise", file, *rated, *groups, *_sources(parts), *reading))
    return lines


def _of_further_criteria(parts: Parts) -> list[list[str]]:
    """Return the options for the ratings by each criterion but the first, if each has a column per rater."""
    names = tuple(column.name for column in parts.columns)
    patterns = list(parts.criteria.values())[1:]
    return [_each("--rating-column", list(marks_of(pattern, names).values())) for pattern in patterns]


def _further_families(parts: Parts) -> list[list[str]]:
    """Return the columns per rater of each criterion but the first, which plays the part."""
    first = {column.name for column in parts.all("rating of a rater")}
    return [names for names in families_of_raters(parts.columns).values() if first.isdisjoint(names)]


def _outputs_rated(parts: Parts, keys: Sequence[str]) -> list[str]:
    """Return the options for `agreement` that tell what was rated."""
    return [*_of_outputs(keys), *_items_by_text(parts)]


def _of_words(file: str, parts: Parts) -> list[str]:
    """Return the command lines that count the words of usual scales by which texts are rated, and show the worst."""
    others = ("system", "preference", "system_a", "rating of a rater", "score", "rater", "cluster", "criterion")
    words = [column.name for column in parts.all("rating") if usual_scale(answers_shown(column)) is not None]
    if not parts.text or any(parts.first(part) for part in others):
        return []
    keys = [*parts.option("item", "item"), *parts.reading]
    worst = [command_line("compare", "--scores", file, "--score-column", name, *keys, *_WORST) for name in words[:1]]
    counted = [
        command_line("human-score", "--ratings", file, "--rating-column", name, *keys) for name in words[:MOST_RATINGS]
    ]
    return [*counted, *worst]


def _of_one_system(file: str, parts: Parts, lines: Sequence[str]) -> list[str]:
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
        return [command_line("human-score", "--ratings", file, *rated, *keys, *_reading_by_criterion(parts))]
    if lines or parts.first("item") or parts.first("rater"):
        return []
    if len(plain) == 1:
        others = [column.name for column in parts.columns if column.name != plain[0]]
        rated = [] if plain[0] == "rating" else ["--rating-column", plain[0]]
        is_alone = all(map(is_unnamed, others))
        return [command_line("human-score", "--ratings", file, *rated, *parts.reading)] if is_alone else []
    criteria = [*_each("--rating-column", plain[:_MOST_SYSTEMS]), "--columns-are", "criteria"]
    return [command_line("human-score", "--ratings", file, *criteria, *parts.reading)]


def _of_rated_texts(file: str, parts: Parts, ratings: Sequence[str], lines: Sequence[str]) -> list[str]:
    """Return the lines with the mean rating by each criterion and the worst texts, if each row is a text of its own.

    Nothing names a system, or who rated. Ratings of a judge have a line with their mean already, of `compare --scores`.
    """
    others = ("system", "rater", "criterion", "metric", "preference", "system_a", "rating of a rater", "score", "gold")
    if any(parts.first(part) for part in others) or parts.have_unnamed_raters or parts.dialogues:
        return []
    named = ratings[:_MOST_SYSTEMS]
    item = [*parts.option("item", "item"), *parts.reading, *parts.one_criterion]
    rated = [] if named == ["rating"] else _each("--rating-column", named)
    rated += ["--columns-are", "criteria"] if len(named) > 1 else []
    by_text = [] if parts.first("item") or parts.text in (None, "text") else ["--ratings-text-column", str(parts.text)]
    worst = [*_each("--score-column", named), *_each("--lower-is-better", parts.lower_of(named, file))]
    have_means = any(line.split()[1:3] == ["compare", "--scores"] for line in lines)
    means = [] if have_means else [command_line("human-score", "--ratings", file, *rated, *by_text, *item)]
    return [*means, command_line("compare", "--scores", file, *worst, *item, *_WORST)]


def _of_unnamed_raters(file: str, parts: Parts) -> list[str]:
    """Return the command lines for texts of one system that several raters rated, who are not named."""
    if not parts.have_unnamed_raters or parts.text is None:
        return []
    plain = [column.name for column in parts.all("rating") if column.is_numeric][:_MOST_SYSTEMS]
    rated = _each("--rating-column", plain)
    rated += ["--columns-are", "criteria"] if len(plain) > 1 else []
    of_text = [] if parts.text == "text" else ["--ratings-text-column", parts.text]
    return [
        command_line("human-score", "--ratings", file, *rated, *of_text, *parts.reading),
        command_line("agreement", file, *rated, "--item-column", parts.text, *parts.reading),
    ]


def _of_claims(file: str, parts: Parts) -> list[str]:
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


def without_references(words: Sequence[str]) -> list[str]:
    """Return the words of a command line without metrics that compare texts with a column of references.

    >>> without_references(["score", "a.csv", "--reference-columns", "ref", "--with", "bleu,chrf"])
    ['score', 'a.csv']
    """
    return without_options(words, ("--reference-columns", WITH_REFERENCES[0]))


def _references(parts: Parts) -> list[str]:
    """Return the options for metrics with references beside fluency, if each row has a text that is its reference."""
    named = [column.name for column in parts.all("reference") if column.kind == "text" and not column.blank]
    return ["--reference-columns", named[0], *WITH_REFERENCES] if named else []


def _references_alone(parts: Parts) -> list[str]:
    """Return the options for metrics with references alone, if each row has its reference or a list of references."""
    for kind, metrics in (("text", ALONE), (LISTS_OF_TEXTS, BY_CHARACTERS)):
        named = [column.name for column in parts.all("reference") if column.kind == kind and not column.blank]
        if named:
            return ["--reference-columns", named[0], *metrics]
    return []


def _clusters(parts: Parts) -> list[str]:
    """Return the option that names the outputs' clusters; none without such a column, or if some cells are blank."""
    whole = [column.name for column in parts.all("cluster") if column.blank == 0 and column.distinct > 1]
    return ["--cluster-column", whole[0]] if whole else []


def _groups(parts: Parts) -> list[str]:
    """Return the option that leaves the texts of one item out together; none if most items have a single text.

    Without a column of items, texts of one source are of one item. Items whose numbers begin again tell nothing alone.
    """
    if parts.begin_again or parts.first("item") == PLACE:
        return []
    items = parts.all("item") or [column for column in parts.all("source") if column.kind in ("text", "labels", "ids")]
    told = [column.name for column in items if 1 < column.distinct <= _REPEATED * parts.n_texts and not column.blank]
    return ["--group-column", told[0]] if told and len(names_in(told[0])) == 1 else []


def _of_intervals(parts: Parts, ratings: Sequence[str], keys: Sequence[str]) -> list[str]:
    """Return the options on which intervals of ratings rest: the outputs' clusters, and the scale.

    Crosses are on a scale from 0 to 1, and so are no, partly and yes. Many different ratings up to 100 are on one from
    0 to 100, unless the names of columns tell another; else none is known.

    Args:
        parts: the columns.
        ratings: the columns of ratings.
        keys: the options that the command line has, which may name clusters already.
    """
    clusters = [] if "--cluster-column" in keys else _clusters(parts)
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


def _sources_beside(file: str, parts: Parts) -> list[str]:
    """Return the option that reads sources of each row from a column with the usual name."""
    return ["--sources", file] if any(column.name == "source" for column in parts.columns) else []


def _of_columns(file: str, parts: Parts) -> list[str]:
    """Return the command lines for a column of numbers per system, or per rater; ranks are of systems."""
    item = [*parts.option("item", "item"), *_clusters(parts), *parts.reading]
    columns = [column for column in parts.columns if column.name in parts.of_systems]
    pairs = every_pair(len(parts.of_systems))
    scores = [*_each("--score-column", parts.of_systems), *parts.option("metric", "metric")]
    compared = command_line("compare", "--scores", file, *scores, *item, *pairs)
    if any(column.kind != "whole numbers" for column in columns):
        return [compared]
    ratings = _each("--rating-column", parts.of_systems)
    of_systems = [*ratings, "--columns-are", "systems", *parts.option("rater", "rater"), *item]
    ranks = _turned(parts, parts.of_systems[0])
    scored = command_line("human-score", "--ratings", file, *of_systems, *ranks, *pairs)
    if parts.first("rater"):
        return [scored, command_line("agreement", file, *of_systems, *ranks)]
    return [scored] if ranks else [scored, compared, command_line("agreement", file, *ratings, *item)]


def _turned(parts: Parts, rating: str) -> list[str]:
    """Return the option that turns ranks, of which 1 is the best; none for other ratings."""
    return ["--values", rank_values(parts.ranks[rating], ties=parts.ties[rating])] if rating in parts.ranks else []


def _of_lists(file: str, parts: Parts) -> list[str]:
    """Return the command line for a column of lists per system, whose n-th numbers are of one output or rater."""
    if not parts.listed:
        return []
    options = [
        *_each("--rating-column", parts.listed),
        "--columns-are",
        "systems",
        "--item-column",
        PLACE,
        *parts.reading,
    ]
    options += ["--cluster-column", str(parts.first("item")), "--rows-in", ",".join(parts.listed)]
    options += every_pair(len(parts.listed))
    return [command_line("human-score", "--ratings", file, *options)]


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


def _of_judges(file: str, parts: Parts) -> list[str]:
    """Return the command lines that hold scores against the ratings of people beside them."""
    ratings = [name for name in parts.ratings if any(each.name == name and each.is_numeric for each in parts.columns)]
    raters = [column.name for column in parts.all("rating of a rater") if column.is_numeric]
    if not ratings and not parts.all("rating") and not raters:
        return _of_criteria(file, parts)
    columns = raters if not ratings else [] if ratings[0] == "rating" else ratings[:1]
    ratings = ratings or raters
    if not ratings:
        return _of_groups(file, parts)
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
    keys += [*parts.option("system", "system"), *parts.option("rater", "rater"), *_clusters(parts)]
    rated = _each("--rating-column", columns)
    reading = [*parts.reading, *parts.one_criterion]
    lines = [
        command_line("evaluate", *both, "--score-column", column.name, *rated, *keys, *reading)
        for column in scores[:MOST_RATINGS]
    ]
    if parts.n_systems >= FEWEST_SYSTEMS and not parts.first("rater"):
        several = _each("--score-column", [column.name for column in scores[:_MOST_SYSTEMS]])
        lines.append(command_line("compare", *both, *several, *rated, *keys, *reading))
    return lines


def _of_judged_labels(file: str, parts: Parts) -> list[str]:
    """Return the lines that hold a judge's labels against people's beside them: as labels, and as numbers if known."""
    people = [column for part in ("rating", "rating of a rater") for column in parts.all(part)]
    people = [column for column in people if column.kind == "labels"]
    rated = _each("--rating-column", [column.name for column in people])
    item = parts.option("item", "item")
    keys = [*item, *parts.option("system", "system"), *parts.reading, *parts.one_criterion]
    have_keys = not parts.first("rater") and bool(people)
    lines = []
    for column in parts.all(JUDGED_LABEL)[:MOST_RATINGS] if have_keys else []:
        judged = [*rated, "--rating-column", column.name]
        lines.append(command_line("agreement", file, *judged, *item, *parts.reading, *parts.one_criterion))
        words = _words_of_raters([*people, column])
        if (item or parts.first("item")) and not any(map(TO_FILL_IN.search, words)):
            both = ["--scores", file, "--ratings", file, "--score-column", column.name, *rated]
            lines.append(command_line("evaluate", *both, *words, *keys))
    return lines


def _is_of_outputs(parts: Parts, score: str) -> bool:
    """Say whether a score is one of each output, as it has to be beside ratings by several raters."""
    return parts.first("rater") is None or score in parts.of_outputs


def _of_numbers_beside(file: str, parts: Parts) -> list[str]:
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
    keys += [*parts.option("system", "system"), *parts.option("rater", "rater"), *_clusters(parts)]
    named = _each("--score-column", scores[:_MOST_SYSTEMS])
    reading = [*parts.reading, *parts.one_criterion]
    both = ["--scores", file, "--ratings", file, *named]
    rated = [[] if name == "rating" else ["--rating-column", name] for name in ratings[:MOST_RATINGS]]
    return [command_line("evaluate", *both, *each, *keys, *reading) for each in rated]


def _of_groups(file: str, parts: Parts) -> list[str]:
    """Return the command lines that hold one group's ratings, as lists in cells, against another's by one criterion.

    The name of a column joins group and criterion, as `experts.fluency` and `crowd.fluency`.
    """
    item = parts.first("item") or parts.text
    groups: dict[str, list[str]] = {}
    for column in parts.all("rating"):
        group, _, criterion = column.name.rpartition(".")
        if group and column.kind == "lists of numbers":
            groups.setdefault(criterion, []).append(column.name)
    both = [names for names in groups.values() if len(names) > 1]
    if item is None or not both:
        return []
    keys = [*([] if item == "item" else ["--item-column", item]), *parts.option("system", "system")]
    files = ["--scores", file, "--ratings", file]
    return [
        command_line("evaluate", *files, "--score-column", names[1], "--rating-column", names[0], *keys, *parts.reading)
        for names in both[:MOST_RATINGS]
    ]


def criteria_beside_metrics(parts: Parts) -> list[str]:
    """Return columns of scores that are called as criteria, beside others that are called as metrics: of people, maybe.

    There are none beside ratings, and without metrics.
    """
    scores = [column for column in parts.all("score") if column.is_numeric]
    if parts.all("rating") or not any(names_metric(column.name) for column in scores):
        return []
    others = [column.name for column in scores if not is_of_own_metric(column.name, column.kind, column.shown)]
    return [name for name in others if is_criterion(name) and not names_metric(name)]


def _of_criteria(file: str, parts: Parts) -> list[str]:
    """Return the command lines that hold metrics against scores that are called as criteria which people rate by."""
    criteria = criteria_beside_metrics(parts)
    metrics = [column.name for column in parts.all("score") if column.is_numeric and column.name not in criteria]
    item = parts.first("item")
    if item is None or parts.first("rater"):
        return []
    keys = [] if item == "item" else ["--item-column", item]
    keys += [*parts.option("system", "system"), *parts.reading, *parts.one_criterion]
    scores = _each("--score-column", metrics[:_MOST_SYSTEMS])
    both = ["--scores", file, "--ratings", file]
    return [
        command_line("evaluate", *both, *scores, "--rating-column", name, *keys) for name in criteria[:MOST_RATINGS]
    ]


def _reading_by_criterion(parts: Parts) -> list[str]:
    """Return the options of commands on ratings, which tell each criterion apart.

    Ratings beside scores with a row for each metric stand in several rows: those of one metric count.
    """
    are_repeated = bool(parts.first("metric") and parts.all("score") and not parts.first("criterion"))
    once = parts.one_criterion if are_repeated else ()
    return [*parts.option("criterion", "criterion"), *parts.reading, *once]


def _of_dialogues(file: str, parts: Parts) -> list[str]:
    """Return the command lines that score the assistants' turns in lists of turns with their roles."""
    return [command_line("score", file, *each.options, *parts.reading) for each in parts.dialogues]


def _each(option: str, names: Sequence[str]) -> list[str]:
    """Return an option with each of several columns."""
    return [word for name in names for word in (option, name)]


def _without_maker(name: str) -> str:
    """Return the name of a metric without that of the program which computes it.

    >>> _without_maker("sacre_BLEU"), _without_maker("BLEU")
    ('BLEU', 'BLEU')
    """
    return re.sub(r"^(?:sacre(?:bleu)?|nltk|hf|evaluate)[ _.-]+", "", name, flags=re.IGNORECASE)


def _are_metrics(names: Sequence[str]) -> bool:
    return all(_is_metric(name) or name in rouge_names(names) for name in names)


def _are_mostly_metrics(scores: Sequence[str]) -> bool:
    """Say whether most scores are called as metrics: others beside them are metrics too, and no systems."""
    return 2 * sum(_is_metric(name) for name in scores) > len(scores) or _are_metrics(scores)


def _is_metric(name: str) -> bool:
    return names_metric(_without_maker(name)) or names_bleu(name)


def _is_less_plain(name: str) -> bool:
    """Order names of ratings: those that say rating or mean come first."""
    return not any(word in name.lower() for word in ("rating", "mean", "average", "overall"))


def _text(parts: Parts) -> list[str]:
    return [] if parts.text in (None, "text") else ["--text-column", str(parts.text)]


def _keys_of_scores(parts: Parts) -> list[str]:
    names = [name for name in ("rater", "run", "metric", "cluster") if parts.first(name)]
    named = [word for name in names for word in (f"--{name}-column", str(parts.first(name)))]
    sliced = parts.begin_again if parts.begin_again == parts.first("slice") else ""
    sliced = sliced or _sliced_items(parts)
    return [*named, "--slice-column", sliced] if sliced else named


def _sliced_items(parts: Parts) -> str:
    """Return the column of items if these are a few data sets or tasks, of which runs have figures; "" for others."""
    items = next(iter(parts.all("item")), None)
    if items is None or parts.first("run") is None or items.distinct > _MOST_SLICES:
        return ""
    return items.name if part_by_name(items) == "slice" else ""


_OF_SCALE = re.compile(r"(?:scale|score|rating|rate|grade|level|likert|points?|stars?)[ _.-]?(\d{1,2})", re.IGNORECASE)
"""A word for a number on a scale."""

_OF_RATERS = ("lists of numbers", LABELS)
"""Kinds of columns whose cells hold the ratings of several raters."""


def words_of(parts: Parts, name: str | None, *, of_one_criterion: bool = False) -> list[str]:
    """Return the option for the numbers that a score column's labels stand for, to be filled in if they are not known.

    Args:
        parts: the columns.
        name: the column.
        of_one_criterion: whether the rows of the first criterion alone are read.
    """
    named = next((column for column in parts.columns if column.name == name), None)
    if named is not None and named.mark:
        return ["--values", values_of_mark(named.mark)]
    if named is None or named.kind != "labels":
        return []
    by_criterion = list(parts.words.get(named.name, {}).values())[: 1 if of_one_criterion else None]
    return numbers_of_words(by_criterion or [named.shown.split(", ")])


def _words_by_criterion(parts: Parts) -> dict[str, list[str]]:
    """Return the different words of each criterion whose ratings stand in a column per rater."""
    columns = {column.name: column for column in parts.columns}
    found = {}
    for criterion, pattern in parts.criteria.items():
        of_criterion = [columns[name] for name in marks_of(pattern, tuple(columns)).values()]
        words = {word for column in of_criterion if column.kind == "labels" for word in column.shown.split(", ")}
        found[criterion] = sorted(words)
    return found


def _has_mark(column: Column) -> bool:
    return bool(column.mark)


def _scales_of_words(by_criterion: Mapping[str, Sequence[str]]) -> list[str]:
    """Return the options for the scales of those of several criteria whose ratings are words, as yes and no.

    Args:
        by_criterion: the different words by each criterion.
    """
    options: list[str] = []
    for criterion, words in by_criterion.items() if len(by_criterion) > 1 else ():
        scale = usual_scale(_answers_in(words))
        if scale is not None:
            ends = f"{min(scale.values()):g}-{max(scale.values()):g}"
            options += ["--criterion-scale", f"{criterion}={ends}"]
    return options


def _words_of_raters(raters: Sequence[Column]) -> list[str]:
    """Return the option for the numbers that the labels in several raters' columns stand for, to be filled in."""
    labelled = [column for column in raters if column.kind == "labels"]
    marks = {column.mark for column in labelled}
    if len(marks) == 1 and any(marks):
        return ["--values", values_of_mark(labelled[0].mark)]
    return numbers_of_words([sorted({word for column in labelled for word in column.shown.split(", ")})])


def numbers_of_words(by_criterion: Sequence[Sequence[str]]) -> list[str]:
    """Return the option that gives words numbers, to be filled in; none if not all are shown, or all are read.

    Args:
        by_criterion: the different words by each criterion; a word that stands for several numbers is to be filled in.
    """
    every = list(dict.fromkeys(word for words in by_criterion for word in words))
    if not any(every) or any("…" in word for word in every) or _are_read(every):
        return []
    meanings: dict[str, set[str]] = {}
    for words in by_criterion:
        for word, number in _meanings(words).items():
            meanings.setdefault(word, set()).add(number)
    told = [f"{word}={number.pop() if len(number) == 1 else 'NUMBER'}" for word, number in sorted(meanings.items())]
    return ["--values", ",".join(told)] if told else []


def _meanings(words: Sequence[str]) -> dict[str, str]:
    """Return the number that each word among ratings by one criterion stands for: NUMBER if it is not known.

    It is empty for a word that says that no answer was given. Words of a scale that differ in a number alone, such as
    `scale_1`, stand for it, and so do those of a usual scale, unless numbers stand beside them; one more word, such as
    *partly*, may stand among these. Words that differ in large and small letters are one.

    >>> _meanings(["1", "2", "cannot judge"]), _meanings(["no", "yes"])
    ({'cannot judge': ''}, {'no': '0', 'yes': '1'})
    >>> _meanings(["1", "2", "no", "yes"])
    {'no': 'NUMBER', 'yes': 'NUMBER'}
    >>> _meanings(["N ", "Partly", "y", "n"])
    {'Partly': '0.5', 'y': '1', 'N': '0'}
    """
    plain = [" ".join(word.split()) for word in words]
    words = list({word.casefold(): word for word in reversed(plain)}.values())[::-1]
    answers = _answers_in(words)
    scale = usual_scale(answers) or scale_with_one_more(answers) or {}
    found = {}
    for word in words:
        match = _OF_SCALE.fullmatch(word)
        if finite_number(word) is not None:
            continue
        if word not in answers:
            found[word] = ""
        elif match is not None and all(map(_OF_SCALE.fullmatch, answers)):
            found[word] = match[1]
        else:
            number = scale.get(word.lower(), math.nan)
            found[word] = "NUMBER" if math.isnan(number) else f"{number:g}"
    return found


def _answers_in(words: Sequence[str]) -> list[str]:
    """Return words without those that say that no answer was given; numbers are answers."""
    return [word for word in words if not says_no_answer(word)]


def _missing_in(words: Sequence[str]) -> list[str]:
    """Return the option on words if all are known, and none if they are categories."""
    return [] if any(map(TO_FILL_IN.search, words)) else list(words)


def _are_read(words: Sequence[str]) -> bool:
    """Say whether words are read as numbers without an option, as yes and no are."""
    try:
        column_numbers(words)
    except NotNumbersError:
        return False
    return True


def _pairs(parts: Parts) -> list[list[str]]:
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


def _of_outputs(keys: Sequence[str]) -> list[str]:
    """Return the options of keys as `agreement` takes them: it has no slices, and clusters tell outputs apart, too."""
    return ["--cluster-column" if word == "--slice-column" else word for word in keys]


def _items_by_text(parts: Parts) -> list[str]:
    """Return the option for `agreement` that takes texts for items, if no column holds items."""
    has_other = parts.first("item") or parts.rows_are_items
    return [] if has_other or parts.text is None else ["--item-column", parts.text]


def _sources(parts: Parts) -> list[str]:
    """Return the option for the column of sources, that with the most different ones; none without."""
    sources = parts.all("source")
    return ["--source-column", max(sources, key=lambda column: column.distinct).name] if sources else []


def _of_ratings(file: str, parts: Parts, rating: str, keys: Sequence[str], *, is_number: bool) -> list[str]:
    """Return the command lines for one column of ratings."""
    lines = []
    of_people = _reading_by_criterion(parts)
    of_rating = [] if rating == "rating" else ["--rating-column", rating]
    text = [] if parts.text in (None, "text") else ["--ratings-text-column", str(parts.text)]
    words = words_of(parts, rating)
    kind, mark = next(((column.kind, column.mark) for column in parts.columns if column.name == rating), ("", ""))
    has_items = parts.first("item") or parts.text or parts.rows_are_items
    by_text = text if not parts.first("item") and not parts.rows_are_items else []
    turned = _turned(parts, rating)
    fewer_are_better = is_better_if_lower(rating) and not words and not turned
    if parts.first("system") and has_items and fewer_are_better:  # lower is no worse: only the difference is told
        more = [*parts.option("item", "item"), *parts.option("system", "system"), *_keys_of_scores(parts)]
        more += ["--unpaired"] if parts.apart else []
        more += _each("--lower-is-better", parts.lower_of([rating], file))
        reading = [*parts.reading, *parts.one_criterion]
        lines.append(command_line("compare", "--scores", file, "--score-column", rating, *more, *reading))
    elif parts.first("system") and (has_items or parts.are_unpaired) and kind != LABELS:
        unpaired = ["--unpaired"] if parts.are_unpaired or parts.apart or parts.rows_are_items else []
        of_intervals = _of_intervals(parts, [rating], keys)
        scales = _scales_of_words(parts.words.get(rating, {}))
        options = [*of_rating, *words, *turned, *keys, *by_text, *of_intervals, *scales, *of_people, *unpaired]
        options += ["--slice-column", parts.of_controls] if parts.of_controls and not parts.begin_again else []
        lines.append(command_line("human-score", "--ratings", file, *options, *parts.every_pair))
    are_of_raters = parts.first("rater") or kind in _OF_RATERS or parts.n_ratings_each
    if are_of_raters and has_items and not parts.texts_are_no_items:
        options = [*of_rating, *_missing_in(words), *_outputs_rated(parts, keys)]
        of_labels = bool(words) and not mark  # which agree or do not, whatever numbers they stand for
        lines.insert(0 if of_labels else len(lines), command_line("agreement", file, *options, *of_people))
    is_rated = kind != LABELS and (is_number or bool(words)) and not turned  # ranks tell nothing of a text alone
    if parts.text and is_rated and parts.n_texts >= FEWEST_TEXTS:
        options = [*_text(parts), *of_rating, *words_of(parts, rating, of_one_criterion=True)]
        reading = [*parts.reading, *parts.one_criterion]
        if rating == next(iter(parts.ratings), rating) and not parts.are_foreign:
            lines.append(command_line("evaluate", "--metric", _METRIC, file, *options, *_of_outputs(keys), *reading))
        if parts.first("system") and not parts.are_joined:
            options += ["--system-column", str(parts.first("system"))]
        options += _groups(parts)
        options += _sources(parts)
        lines.append(command_line("advise", file, *options, *reading))
    return lines
