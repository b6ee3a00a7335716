"""Scores of systems on items as one table, whatever tool wrote them."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from shlex import quote
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from referenceless_metrics.core.files.json_rows import TEXT
from referenceless_metrics.core.files.names import file_names
from referenceless_metrics.core.files.reading import BY_SUFFIX, Reading
from referenceless_metrics.core.files.summary_rows import note_on_summaries
from referenceless_metrics.core.support.metric_names import names_metric
from referenceless_metrics.core.support.validation import (
    Booleans,
    ContentsError,
    Floats,
    InputError,
    Integers,
    NoValuesError,
    joined_names,
    shortened,
)
from referenceless_metrics.human_evaluation.exports.spans import MQM_WEIGHTS
from referenceless_metrics.human_evaluation.ratings.model_raters import UNKNOWN, given_by_all
from referenceless_metrics.human_evaluation.ratings.ranks import are_ranks
from referenceless_metrics.human_evaluation.scores.columns import KEYS, ScoreColumns, quoted
from referenceless_metrics.human_evaluation.scores.directions import (
    NONE,
    are_negated,
    is_higher_better,
    is_lower_better,
    named_by,
    tell_lower,
)
from referenceless_metrics.human_evaluation.scores.items import check_once, keyed, one_of_each, with_items
from referenceless_metrics.human_evaluation.scores.mean_intervals import is_binary
from referenceless_metrics.human_evaluation.scores.parts import Part, ScoreReading, metric_told, read_part
from referenceless_metrics.human_evaluation.wording.headline import verdict_told

if TYPE_CHECKING:
    import pandas as pd

    from referenceless_metrics.human_evaluation.judges.limits import Bad


_NO_SCORE = (
    "What has no score, such as an empty output, is left out of the shares: it counts neither as bad nor as good."
)
_PARTIAL = "not scored for all systems; a difference is over the items that both have"


class _NoScoresError(ContentsError, NoValuesError):
    """Files in which a system has no score."""


class ScoredBy(NamedTuple):
    """The metric that scored outputs.

    Attributes:
        described: its title with its source, as a sentence of a paper names it.
        signature: its signature.
    """

    described: str
    signature: str


@dataclass(frozen=True)
class ScoreTable:
    """Scores by system and item.

    Attributes:
        systems: their names, in the order in which they were met.
        items: n of them.
        values: the values of each score by its name, shape (systems, n); the mean over repeated runs and raters, NaN
            without a score.
        has_row: for each score, True if a system has a row of an item, with a score or without, shape (systems, n).
        clusters: the cluster of each item, whole numbers from 0, shape (n,).
        is_single: whether each item is a cluster of its own.
        slice_of: the slice of each item; "" if it has none.
        assumed: assumptions made as the files were read, in sentences, with the option that changes each.
        notes: rows that were left out, in sentences.
        note_on_pairs: a sentence on items without a score for some systems; "" for none.
        scale: the ends of the scores' scale; None if nobody named them.
        lower_is_better: the scores of which lower ones are better.
        untold: the scores of which nothing tells whether higher or lower ones are better; higher ones count as better.
        given_by: who gave the scores, as `ratings.model_raters` tells it.
        estimates: the scores that estimate people's ratings, with the verdict on the estimates; "" for useful ones.
        scored_by: the metric of each score of outputs that this package scored; none of scores that a file holds.
        item_column: the column that tells items, if nobody named it and it is not called so; "" otherwise.
        have_raters: whether a table of them has the column of raters.
        is_by_order: whether nothing but the order of a table's rows tells items.
        are_lines: whether items are the lines that were scored, in their order, and nothing else numbers them.
        texts: the outputs that exports hold, by system and item.
        ends: the ends of the scales of scores, by name, as far as exports tell them.
    """

    systems: tuple[str, ...]
    items: tuple[str, ...]
    values: dict[str, Floats]
    has_row: Mapping[str, Booleans]
    clusters: Integers
    is_single: bool
    slice_of: tuple[str, ...]
    assumed: tuple[str, ...] = ()
    notes: tuple[str, ...] = ()
    note_on_pairs: str = ""
    scale: tuple[float, float] | None = None
    lower_is_better: frozenset[str] = frozenset()
    untold: frozenset[str] = frozenset()
    given_by: str = UNKNOWN
    estimates: Mapping[str, str] = field(default_factory=dict)
    scored_by: Mapping[str, ScoredBy] = field(default_factory=dict)
    item_column: str = ""
    have_raters: bool = False
    is_by_order: bool = False
    are_lines: bool = False
    texts: Mapping[tuple[str, str], str] = field(default_factory=dict)
    ends: Mapping[str, tuple[float, float]] = field(default_factory=dict)

    def with_lower_is_better(self, names: Sequence[str], told: Sequence[str] = ()) -> ScoreTable:
        """Return the same scores, with the names of those of which lower ones are better.

        They are those that the user names, and those whose name, or that of their files, is a usual metric's of this
        kind, with a note. Negative ones were turned already.

        Args:
            names: the scores that the user names; `NONE` alone for none at all.
            told: for each file its path, or the metric that its rows name.

        Raises:
            InputError: for a name that is no score's.
        """
        if tuple(names) == (NONE,) and NONE not in self.values:
            return self
        for name in names:
            if name not in self.values:
                raise InputError(
                    f"--lower-is-better {name}: there is no such score; the scores are {quoted(self.columns)}"
                )
        named = {name: is_lower_better(name) for name in self.values if name not in names}
        by_file = [name for name, is_lower in named.items() if not is_lower and tell_lower(name, told)]
        usual = [name for name in named if (named[name] or name in by_file) and not are_negated(self.values[name])]
        notes = [
            f"lower {name} counts as better, as {_teller(name, by_file, told)} tells (--lower-is-better {NONE} if not)"
            for name in usual
        ]
        notes += [
            f"{name} puts the systems of each item in an order, and higher counts as better here (--lower-is-better "
            f"{quote(name)} if 1 is the best rank)"
            for name, values in self.values.items()
            if name not in (*names, *usual) and _are_ranks(values)
        ]
        lower = frozenset((*map(str, names), *usual))
        end_at_0 = {name for name, ends in self.ends.items() if ends[1] == 0}  # penalties: 0 is best
        known = {*lower, *end_at_0}
        untold = frozenset(name for name in self.values if name not in known and not is_higher_better(name))
        return replace(self, lower_is_better=lower, untold=untold, assumed=(*self.assumed, *notes))

    def with_systems(self, names: Sequence[str]) -> ScoreTable:
        """Return the same scores of systems with other names: those with one name are one, and have a score each."""
        systems = tuple(dict.fromkeys(names))
        values, has_row = {}, {}
        for column, rows in self.has_row.items():
            has_score = [bool(row.any()) for row in rows]
            places = [max(range(len(names)), key=lambda at: (names[at] == one, has_score[at])) for one in systems]
            has_row[column] = rows[places]
            if column in self.values:
                values[column] = self.values[column][places]
        called = dict(zip(self.systems, names, strict=True))
        texts = {(called[system], item): text for (system, item), text in self.texts.items()}
        return replace(self, systems=systems, values=values, has_row=has_row, texts=texts)

    def with_higher_better(self) -> ScoreTable:
        """Return scores of which higher ones are better: those of which lower ones are have the other sign."""
        values = {name: -of if name in self.lower_is_better else of for name, of in self.values.items()}
        return replace(self, values=values, lower_is_better=frozenset())

    def without_copies(self) -> ScoreTable:
        """Return the scores without those that have the values of another one throughout, which are no further tests.

        Harnesses write such scores: on answers of one letter, an exact match and one without marks are the same.
        """
        first_of: dict[bytes, str] = {}
        copies: dict[str, list[str]] = {}
        for column, of_score in self.values.items():
            first = first_of.setdefault(of_score.tobytes(), column)
            if first != column:
                copies.setdefault(first, []).append(column)
        if not copies:
            return self
        notes = [
            f"{quoted(of)} {'has' if len(of) == 1 else 'have'} the values of {first!r} throughout, and "
            f"{'is' if len(of) == 1 else 'are'} left out (--score-column shows {'it' if len(of) == 1 else 'them'})"
            for first, of in copies.items()
        ]
        values = {column: self.values[column] for column in first_of.values()}
        estimates = {column: verdict for column, verdict in self.estimates.items() if column in values}
        return replace(self, values=values, estimates=estimates, assumed=(*self.assumed, *notes))

    def shares_of_bad(self, bad: Bad | Mapping[str, Bad]) -> ScoreTable:
        """Return 1 for each score that is bad and 0 for each other one, whose means are shares; lower is better.

        Args:
            bad: the condition of bad scores; or that of each score that counts, the others being left out.
        """
        conditions = bad if isinstance(bad, Mapping) else dict.fromkeys(self.columns, bad)
        named = {column: f"share with {column} {conditions[column]}" for column in self.columns if column in conditions}
        values = {
            named[column]: np.where(np.isfinite(of), conditions[column].holds(of).astype(float), np.nan)
            for column, of in self.values.items()
            if column in named
        }
        rows = {named[column]: of for column, of in self.has_row.items() if column in named}
        estimates = {named[column]: verdict for column, verdict in self.estimates.items() if column in named}
        scored_by = {
            named[column]: metric._replace(described=f"the {named[column]}, by {metric.described}")
            for column, metric in self.scored_by.items()
            if column in named
        }
        lower = frozenset(values)
        are_lacking = any((np.isnan(values[column]) & rows[column]).any() for column in values)
        return replace(
            self,
            values=values,
            has_row=rows,
            notes=(*self.notes, _NO_SCORE) if are_lacking else self.notes,
            lower_is_better=lower,
            untold=frozenset(),
            estimates=estimates,
            scored_by=scored_by,
        )

    def on_scale(self, scale: tuple[float, float] | None) -> ScoreTable:
        """Return the same scores on a scale with these ends.

        Raises:
            InputError: for a score outside.
        """
        if scale is None:
            return self
        low, high = scale
        for column, values in self.values.items():
            known = values[np.isfinite(values)]
            outside = known[(known < low) | (known > high)]
            if len(outside):
                raise InputError(
                    f"--scale {low:g}-{high:g}: a score of {column!r} is {outside[0]:g}, which lies outside; name the "
                    "ends that scores can have"
                )
        return replace(self, scale=scale)

    @property
    def columns(self) -> tuple[str, ...]:
        """The names of the scores."""
        return tuple(self.values)

    @property
    def slices(self) -> tuple[str, ...]:
        """The names of the slices, sorted."""
        return tuple(sorted(set(self.slice_of) - {""}))

    def rows_of(self, part: str) -> Integers:
        """Return the places of a slice's items; of all items for ""."""
        return np.array([place for place, name in enumerate(self.slice_of) if part in ("", name)], dtype=np.int64)


def read_scores(
    files: Sequence[str],
    *,
    score_columns: Sequence[str] = (),
    system_column: str | None = None,
    item_column: str | None = None,
    cluster_column: str | None = None,
    slice_column: str | None = None,
    run_column: str | None = None,
    rater_column: str | None = None,
    metric_column: str | None = None,
    gold_column: str | None = None,
    words: Mapping[str, float] | None = None,
    mqm_weights: Mapping[str, float] = MQM_WEIGHTS,
    names: Mapping[str, str] | None = None,
    lower_is_better: Sequence[str] = (),
    reading: Reading = BY_SUFFIX,
    unpaired: bool = False,
    are_judged: bool = False,
    squad: bool = False,
) -> ScoreTable:
    """Read scores from tables, from files with a number in each line, or from exports of tools.

    A table has a row for each item and system, and a column for each score; a file that does not name its system is
    that of one, which is named like the file. `exports.reading.SCORE_FORMS` lists the exports that are read.

    Args:
        files: one or more; a folder is one that a tool wrote.
        score_columns: the scores to compare; none for all scores of an export, and for `score` in a table. Without a
            column of systems in the only file, several columns are the scores of a system each.
        system_column: the column with the system's name; None for `system`, if there is one.
        item_column: the column that says which rows are of one item; None for `item`, or another column that all
            systems share, or else the order of each system's rows.
        cluster_column: the column of the larger part on which items depend together, such as their document. Items
            whose numbers begin
                again in each cluster, or slice, are told by both.
        slice_column: the column whose values part the items into slices.
        run_column: the column of repeated runs, whose scores are averaged.
        rater_column: the column of raters or judges, whose scores are averaged.
        metric_column: the column that names the metric of a row; each metric is a score.
        gold_column: the column of right answers: the scores of answers in `score_columns` are then 1 for a right one
            and 0 for any other.
        words: the numbers that words in scores stand for, such as `{"no": 0, "yes": 1}`.
        mqm_weights: weights of marked errors by severity, and by severity and category, in small letters.
        names: names of the systems of files of one system.
        lower_is_better: names of the scores of which lower ones are better, beside those whose own name, file or rows
            name a metric of this kind; `none` for none at all.
        reading: the way to read tables.
        unpaired: whether systems have items of their own, so that rows need not tell which are of one item.
        are_judged: whether the scores are judged by ratings: clusters then count if they are named, and only then, and
            the ratings may hold their column, as that of raters, in place of the scores.
        squad: whether the scores of answers that are held against right ones are SQuAD's exact match and F1.

    Raises:
        ImportError: for a log that only the tool itself can read; the message names the extra.
        InputError: for a file that cannot be read, without items or scores, with a score that is no number, a score
            that stands twice, or an item in two clusters or slices.
    """
    columns = ScoreColumns(
        tuple(score_columns),
        item_column,
        system_column,
        cluster_column,
        slice_column,
        run_column,
        rater_column,
        metric_column,
        gold_column,
    )
    how = ScoreReading(columns, words, mqm_weights, reading, are_judged, squad)
    of_files = dict(zip(files, file_names(files), strict=True))
    given = names or {}
    parts = []
    for file in files:
        part = read_part(file, given.get(file, of_files[file]), how, alone=len(files) == 1)
        parts.append(_renamed(part, given[file]) if file in given else part)
    _check_found(() if gold_column else score_columns, parts)
    may_be_by_order = any(not part.has_items and not part.are_lines for part in parts)
    parts, assumed = with_items(parts, unpaired=unpaired)
    frame = _joined(parts)
    if columns.slice is None and frame["slice"].nunique() == 1:  # one task is no part of anything
        frame = frame.assign(slice="")
    frame, keyed_by = keyed(frame, columns)
    long = _long(frame, parts)
    check_once(parts, long, columns)
    notes = [note for part in parts for note in part.notes]
    told = [note for part in parts for note in part.assumed]
    told += note_on_summaries(frame["item"].unique())
    table = table_of_rows(frame, long, [*told, *assumed, *keyed_by, *_averaged(long)], notes)
    given_by = given_by_all({part.given_by for part in parts})
    of_parts = frozenset().union(*(part.estimates for part in parts))
    estimates = {name: verdict_told(None) for name in table.columns if name in of_parts}
    table = replace(table, given_by=given_by, item_column=parts[0].item_column, texts=_texts(frame))
    is_by_order = may_be_by_order and not table.item_column
    have_raters = any(part.table is not None and part.frame["rater"].ne("").any() for part in parts)
    ends = {**_ends_of_verdicts(long), **_ends(parts)}
    table = replace(table, estimates=estimates, ends=ends, is_by_order=is_by_order, have_raters=have_raters)
    table = replace(table, are_lines=all(part.are_lines for part in parts))
    _check_guessed(table, parts)
    if not score_columns:
        table = table.without_copies()
    return table.with_lower_is_better(lower_is_better, [metric_told(part) or part.file for part in parts])


def _check_found(score_columns: Sequence[str], parts: Sequence[Part]) -> None:
    """Check that each score that is asked for stands in a file: of scores to be judged one file need not have all.

    Raises:
        InputError: for one that no file has.
    """
    found = list(dict.fromkeys(name for part in parts for name in part.scores))
    absent = [name for name in score_columns if name not in found]
    if absent and len(parts) > 1:
        raise InputError(
            f"no file of {joined_names([part.file for part in parts])} has a column {absent[0]!r} (--score-column); "
            f"those that are found are {quoted(found)}"
        )


def _check_guessed(table: ScoreTable, parts: Sequence[Part]) -> None:
    """Check that a score that nobody named differs between systems: what is the same for all may tell of items.

    Raises:
        InputError: for numbers that are the same for all systems on all items, such as those of right answers.
    """
    name = next((part.guessed for part in parts if part.guessed in table.values), "")
    if not name or len(table.systems) < 2:
        return
    values = table.values[name]
    are_known = np.isfinite(values).all()
    if are_known and (values == values[0]).all() and len(np.unique(values[0])) > 1:
        raise InputError(
            f"{parts[0].file}: no column is named as scores, and the only numbers, column {name!r}, are the same for "
            f"all systems on all items: they may tell of the items alone; name the scores (--score-column), or of "
            f"answers the right ones, too (--score-column NAME --gold-column NAME); --score-column {quote(name)} takes "
            "these all the same"
        )


def _ends(parts: Sequence[Part]) -> dict[str, tuple[float, float]]:
    """Return the ends of the scales of scores of which all files tell the same."""
    names = {name for part in parts for name in part.scores}
    told = {name: {part.ends.get(name) for part in parts if name in part.scores} for name in names}
    return {name: ends for name, of_files in told.items() if len(of_files) == 1 and (ends := next(iter(of_files)))}


def _ends_of_verdicts(long: pd.DataFrame) -> dict[str, tuple[float, float]]:
    """Return 0 and 1 as the ends of scores that are all 0 or 1, each run's and rater's by itself: means are shares."""
    of_names = long[long["value"].notna()].groupby("score")["value"]
    return {
        str(name): (0.0, 1.0)
        for name, values in of_names
        if not names_metric(str(name)) and is_binary(values.to_numpy(dtype=float))
    }


def _teller(name: str, by_file: Sequence[str], told: Sequence[str]) -> str:
    """Return what tells that lower ones of a score are better: its own name, or that of the file or metric."""
    return repr(named_by(told[0])) if name in by_file else "its name"


def _are_ranks(values: Floats) -> bool:
    """Say whether the scores of each item are ranks of its systems, shape (systems, items)."""
    import pandas as pd

    items = np.tile(np.arange(values.shape[1]), len(values))
    return are_ranks(pd.DataFrame({"item": items, "score": values.ravel()}), ["item"], "score")


def _renamed(part: Part, name: str) -> Part:
    """Return a part whose one system has another name.

    Raises:
        InputError: for a part of several systems.
    """
    if len(part.systems) > 1:
        raise InputError(f"--name {name}={part.file}: the file holds several systems, {quoted(part.systems)}")
    return replace(part, frame=part.frame.assign(system=name))


def _joined(parts: Sequence[Part]) -> pd.DataFrame:
    """Return the rows of all parts, with the place of each."""
    import pandas as pd

    frames = [part.frame.assign(part=place, row=range(len(part.frame))) for place, part in enumerate(parts)]
    return pd.concat(frames, ignore_index=True)


def _long(frame: pd.DataFrame, parts: Sequence[Part]) -> pd.DataFrame:
    """Return one row per score, without those of parts that have no such score."""
    import pandas as pd

    columns = {column: name for part in parts for name, column in part.scores.items()}
    pieces = []
    for column, name in columns.items():
        rows = frame[np.concatenate([_has_score(part, name) for part in parts])]
        piece = rows[[*KEYS, "part", "row"]].assign(score=name, value=rows[column])
        if rows["metric"].ne("").any():  # each metric is a score
            several = len(columns) > 1
            of_metric = rows["metric"] + (f" {name}" if several else "")
            piece["score"] = of_metric.where(rows["metric"].ne(""), name)
        pieces.append(piece)
    return pd.concat(pieces, ignore_index=True)


def _has_score(part: Part, name: str) -> Booleans:
    """Return which rows of a part have a score of this name, or a missing one."""
    if name in part.has:
        return part.has[name]
    return np.full(len(part.frame), name in part.scores)


def _averaged(long: pd.DataFrame) -> list[str]:
    """Return in words the repetitions over which scores are averaged.

    Args:
        long: one row per score.
    """
    known = long[long["value"].notna()]
    of_raters, runs = known[known["rater"] != ""], known["run"].nunique()
    raters = of_raters["rater"].nunique()
    said = []
    if of_raters.duplicated(["system", "item", "run", "score"]).any():
        said.append(
            f"an output's scores of {raters} raters are averaged (`human-score` also says how far raters differ)"
        )
    if runs > 1 and known.duplicated(["system", "item", "rater", "score"]).any():
        said.append("repeated runs of an item are averaged")
    return said


def table_of_rows(frame: pd.DataFrame, long: pd.DataFrame, assumed: Sequence[str], notes: Sequence[str]) -> ScoreTable:
    """Return a table of scores.

    Args:
        frame: the rows of outputs, with `system`, `item`, `cluster` and `slice`, "" for none.
        long: one row per score, with `system`, `item`, `score` (its name) and `value`, NaN for none.
        assumed: see `ScoreTable`.
        notes: likewise.

    Raises:
        InputError: if there are no items or scores, or a system or a slice has none.
    """
    systems = list(frame["system"].unique())
    left_out = _slices_without_scores(frame, long)
    if left_out:
        frame = frame[~frame["slice"].isin(left_out)]
        long = long[long["item"].isin(frame["item"])]
        told = shortened(", ".join(map(repr, left_out)), 120)
        notes = [*notes, f"slices that hold no score which is a number are left out: {told}."]
    items = list(frame["item"].unique())
    names = list(long["score"].unique())
    values, has_row = {}, {}
    for name in names:
        of_output = long[long["score"] == name].groupby(["system", "item"], sort=False)["value"]
        means = of_output.mean().unstack("item")
        values[name] = means.reindex(index=systems, columns=items).to_numpy(dtype=float)
        sizes = of_output.size().unstack("item")
        has_row[name] = sizes.reindex(index=systems, columns=items).to_numpy(dtype=float) > 0
    clusters = one_of_each(frame, items, "cluster")
    slice_of = one_of_each(frame, items, "slice")
    grouped = [f"in:{clusters[item]}" if clusters[item] else f"alone:{item}" for item in items]
    _check_scores(systems, items, values, list(slice_of.values()))
    unscored = long.loc[long["value"].isna(), "item"]
    known = np.isfinite(np.array(list(values.values())))  # by score, system and item
    is_partial = (known.any(axis=1) & ~known.all(axis=1)).any(axis=0)
    partial = [item for item, is_one in zip(items, is_partial.tolist(), strict=True) if is_one]
    blank = [item for item in items if not clusters[item]] if any(clusters.values()) else []
    counted = [
        _counted(blank, "item belongs to no cluster; it is", "items belong to no cluster; each is", "one of its own"),
        _counted(unscored, "score is missing, and does", "scores are missing, and do", "not count"),
    ]
    return ScoreTable(
        tuple(systems),
        tuple(items),
        values,
        has_row,
        np.unique(grouped, return_inverse=True)[1],
        len(set(grouped)) == len(items),
        tuple(slice_of.values()),
        tuple(assumed),
        (*notes, *filter(None, counted)),
        _counted(partial, "item is", "items are", _PARTIAL),
    )


def _texts(frame: pd.DataFrame) -> dict[tuple[str, str], str]:
    """Return the outputs that exports hold, by system and item: of repeated runs the first."""
    if TEXT not in frame:
        return {}
    told = frame[frame[TEXT].map(lambda cell: isinstance(cell, str))].drop_duplicates(["system", "item"])
    return dict(zip(zip(told["system"], told["item"], strict=True), told[TEXT], strict=True))


def _slices_without_scores(frame: pd.DataFrame, long: pd.DataFrame) -> list[str]:
    """Return the slices of which no item has a score that is a number; none if no slice has one."""
    scored = set(long.loc[np.isfinite(long["value"].to_numpy(dtype=float)), "item"])
    has_score = frame["item"].isin(scored).groupby(frame["slice"], sort=False).any()
    empty = [str(part) for part, has in has_score.items() if part and not has]
    return empty if has_score.any() else []


def _check_scores(
    systems: Sequence[str], items: Sequence[str], values: Mapping[str, Floats], slices: Sequence[str]
) -> None:
    """Check that there are items, and that each system has a score, and a slice, if there are any.

    Raises:
        InputError: for systems, and for all slices, that would be reported without any score.
    """
    if not items or not values:
        raise ContentsError(f"there are no {'scores' if items else 'items'} in the files")
    known = np.isfinite(np.array(list(values.values()))).any(axis=0)
    for system, of_system in zip(systems, known, strict=True):
        if not of_system.any():
            raise _NoScoresError(f"system {system!r} has no score that is a number")
    for part in dict.fromkeys(slices):
        if part and not known[:, [each == part for each in slices]].any():
            raise ContentsError(f"no item of the slice {part!r} has a score that is a number")


def _counted(items: Iterable[str], one: str, several: str, what: str) -> str:
    """Return what is told of some items, with their number and names; "" of none."""
    named = list(items)
    told = f"{len(named)} {one if len(named) == 1 else several} {what}"
    return f"{told}: {joined_names(dict.fromkeys(named), 80)}." if named else ""
