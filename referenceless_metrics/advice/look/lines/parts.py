"""The columns of a table by the part that each plays, its shape, and words of command lines."""

from __future__ import annotations

import shlex
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

from referenceless_metrics.advice.look.columns.column import Column
from referenceless_metrics.advice.look.columns.column_kinds import LISTS_OF_TEXTS
from referenceless_metrics.advice.look.columns.messages import Messages
from referenceless_metrics.advice.look.columns.winners import names_decision, names_worse
from referenceless_metrics.core.files.reading import names_in
from referenceless_metrics.core.files.turns import is_last_said
from referenceless_metrics.human_evaluation.inference.output_ratings import FEWEST_RATINGS

PROGRAM = "referenceless"

FEWEST_OUTPUTS = FEWEST_RATINGS
"""Fewest outputs of a system with which `human-score` gives intervals."""

OTHER = "OTHER"
"""A word of a command line that stands for the file of another system."""

REFERENCES = "REFERENCES"
"""The same for the file of the references."""

_OFTEN = 0.1
"""Share of blank cells above which a column of ratings stands behind those that hold more."""

_MOSTLY_BLANK = 0.5
"""Largest share of blank cells in a column of texts that may be outputs; comments stand in fewer rows."""

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
        ordered = sorted(self.all("rating"), key=lambda column: (is_less_plain(column.name), column.blank > _OFTEN))
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


def is_less_plain(name: str) -> bool:
    """Order names of ratings: those that say rating or mean come first."""
    return not any(word in name.lower() for word in ("rating", "mean", "average", "overall"))
