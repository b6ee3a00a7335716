"""Scores and people's ratings of the same outputs, from two files, from one file, or from a metric and rated texts."""

from __future__ import annotations

import warnings
from collections.abc import Collection, Mapping, Sequence
from copy import copy
from dataclasses import dataclass, field, replace
from pathlib import Path
from shlex import quote
from typing import TYPE_CHECKING, Any, cast

from referenceless_metrics.command_line.cluster_files import clusters_by_line, is_cluster_file
from referenceless_metrics.core.files.marked_numbers import told_times
from referenceless_metrics.core.files.names import are_one_file, file_names, metric_of_file, suffixless
from referenceless_metrics.core.files.reading import BY_SUFFIX, Reading, each_note_once, names_in, tell
from referenceless_metrics.core.files.tables import ColumnName, Table
from referenceless_metrics.core.files.text_io import read_table
from referenceless_metrics.core.files.training_logs import check_is_no_training_log
from referenceless_metrics.core.metric import Metric
from referenceless_metrics.core.registry import described, metric_spec
from referenceless_metrics.core.results import RATED_TEXT, MetricResult, warnings_of
from referenceless_metrics.core.support.validation import ContentsError, Floats, InputError, Record
from referenceless_metrics.human_evaluation.commands.conditions import readings_of
from referenceless_metrics.human_evaluation.commands.judged_joins import (
    as_systems,
    called_as_rated,
    joinable,
    systems_in,
    with_file_as_system,
)
from referenceless_metrics.human_evaluation.exports.mt_metrics_eval import files_of_segments
from referenceless_metrics.human_evaluation.exports.reading import read_export
from referenceless_metrics.human_evaluation.exports.rows import Export
from referenceless_metrics.human_evaluation.files_in_order import names_ids
from referenceless_metrics.human_evaluation.inference.unnamed_clusters import cluster_in_key
from referenceless_metrics.human_evaluation.judges.item_numbers import count_from_0, on_first_line
from referenceless_metrics.human_evaluation.judges.judged_outputs import (
    FEWEST_OUTPUTS,
    KEYS,
    JudgedOutputs,
    judged_outputs,
)
from referenceless_metrics.human_evaluation.ratings.columns import RATERS
from referenceless_metrics.human_evaluation.ratings.criteria import by_criterion, each_criterion
from referenceless_metrics.human_evaluation.ratings.cut_scores import cut_of
from referenceless_metrics.human_evaluation.ratings.export_files import number_per_line, read_rating_rows
from referenceless_metrics.human_evaluation.ratings.exports.answers import RATING
from referenceless_metrics.human_evaluation.ratings.model_raters import UNKNOWN, are_of_one_judge
from referenceless_metrics.human_evaluation.ratings.output_column import holds_outputs
from referenceless_metrics.human_evaluation.ratings.rated_places import plain_text
from referenceless_metrics.human_evaluation.ratings.rating_files import read_judged_ratings
from referenceless_metrics.human_evaluation.ratings.rating_table import RatingTable
from referenceless_metrics.human_evaluation.ratings.study_ratings import is_study
from referenceless_metrics.human_evaluation.scores.columns import (
    SCORE,
    metric_columns,
    numeric_columns,
    quoted,
    score_numbers,
    written_scores,
)
from referenceless_metrics.human_evaluation.scores.learned import without_learned
from referenceless_metrics.human_evaluation.wording.phrases import listed

if TYPE_CHECKING:
    import pandas as pd

IN_BOTH = ("item", "system", "cluster")
"""Kinds of columns that either file may have."""

_OF_SCORES = ("text", "slice", "position", "format")
"""Kinds of columns that are read beside scores."""

_CLUSTERS = "cluster by line"
"""The column of clusters that a file with a line for each item tells: they join nothing."""

_ROWS = "there is no column of items: each row is an output of its own (--item-column)"


@dataclass(frozen=True)
class JudgeFiles:
    """The way in which files of scores and of ratings are read.

    Attributes:
        named: the column of each kind; None for those that nobody named.
        ratings: the columns of ratings; none for `rating`.
        words: the numbers that words stand for; None if words stand for none.
        reading: the way to read tables.
        columns_are: whose several columns of ratings are: raters', systems' or criteria's.
    """

    named: Mapping[str, str | None] = field(default_factory=dict)
    ratings: Sequence[str] = ()
    words: Mapping[str, float] | None = None
    reading: Reading = BY_SUFFIX
    columns_are: str = RATERS

    def of(self, kind: str) -> str | None:
        """Return the named column of a kind; None if nobody named one."""
        return None if kind == "cluster" and self.cluster_file is not None else self.named.get(kind)

    @property
    def cluster_file(self) -> str | None:
        """The file with a line for each item, its cluster, that stands in place of a column; None for none."""
        name = self.named.get("cluster")
        return name if is_cluster_file(name) else None


def read_judged(
    scores: Sequence[str], ratings: Sequence[str], earlier: str | None, score_columns: Sequence[str], how: JudgeFiles
) -> list[JudgedOutputs]:
    """Read scores, of a judge or of several, and people's ratings of the same outputs.

    A column that is named counts in each file that has it. Without items in both files, outputs are joined by their
    texts; in one file, the same row is the same output.

    Args:
        scores: tables, exports of a tool, or a folder of metrics' scores of segments. Of several, scores of one column
            are called as their files.
        ratings: tables, exports of annotation tools, or a study; or the file of the scores itself.
        earlier: the judge's scores of the same outputs from before; None without.
        score_columns: the columns of the scores, one for each judge, each in one file or more; none for `score`, or the
            only one of a file that may hold scores.
        how: the way to read them.

    Raises:
        InputError: for a column that no file has, scores that are no numbers, files that do not fit together, and
            earlier scores beside those of several files.
    """
    scores = [each for file in scores for each in files_of_segments(file)]
    if earlier is not None and len(scores) > 1:
        raise InputError("--earlier is of the scores in one file: give --scores once")
    readings = readings_of([scores, ratings], how.reading)
    scored, rating = (replace(how, reading=reading) for reading in readings)
    sources: list[str | Table] | None = None
    tables: list[Table] = []
    for file in scores:
        if len(ratings) == 1 and are_one_file(file, ratings[0]):
            tables.append(_with_items(read_rating_rows(ratings[0], how.reading, _wanted(how, *score_columns)), how))
            sources = [tables[-1]]
        else:
            tables.append(_score_table(file, scored, score_columns if len(scores) == 1 else ()))
    if sources is None:
        sources = _rating_sources(ratings, rating)
        tables, sources = _with_shared_items(tables, sources, how)
    known = [*tables, *(source for source in sources if isinstance(source, Table))]
    _tell_chosen(scores, known, scored)
    _tell_chosen([file for file in ratings if file not in scores], known, rating)
    _check_named(known, how)
    _tell_lacking(known, how)
    _check_clusters(tables, how)
    rated = _ratings(sources, how)
    how = _with_text_column(tables, rated, how)
    of_both = {source.source for source in sources if isinstance(source, Table)}
    tables = [_counted_as_rated(table, rated) for table in tables]
    columns = _columns_of_scores(tables, score_columns, how, of_both)
    earlier_table = None if earlier is None else _score_table(earlier, scored, [column for _, column, _ in columns])
    named = _named_scores(columns, rated, how)
    parts, notes = by_criterion(rated)
    tell(notes)

    def judged_by(criterion: str, ratings_by: RatingTable) -> list[JudgedOutputs]:
        found = []
        for name, column, frame, files in named:
            of_scores, of_ratings, by_text = joinable(frame, ratings_by.frame, _source_of(known))
            before = None
            if earlier_table is not None:
                before, _ = called_as_rated(_scores(earlier_table, column, how), systems_in(rated.frame))
                if by_text and "text" in before:
                    before = before.assign(item=before["text"].map(plain_text))
            judged = judged_outputs(of_scores, of_ratings, before)
            _check_is_no_cut(judged, name, how)
            if _CLUSTERS in judged.frame:
                clusters = judged.frame[_CLUSTERS]
                judged = replace(judged, frame=judged.frame.drop(columns=_CLUSTERS).assign(cluster=clusters))
            are_items = by_text and not ({"cluster", _CLUSTERS} & {*frame, *ratings_by.frame})
            given_by = _giver_beside(column, ratings_by.given_by, how)
            facts: Record = {"criterion": criterion, "name": name, "given_by": given_by, "files": files}
            facts["asked"] = ratings_by.asked
            found.append(replace(judged, **facts, clusters_are_items=are_items))
        return found

    with each_note_once():
        found, left_out = each_criterion(parts, judged_by)
    tell(left_out)
    return [judged for of_criterion in found.values() for judged in of_criterion]


def _giver_beside(score: str, given_by: str, how: JudgeFiles) -> str:
    """Return who gave ratings; nobody knows, with a remark, if columns are called as of the judge of the scores."""
    own = [str(name) for name in how.ratings if are_of_one_judge(score, name)]
    if not own or len(own) < len(how.ratings):
        return given_by
    tell(
        [
            f"{score!r} and {own[0]!r} are called as of one judge: what follows tells how far its scores go together, "
            "and nothing of how good they are; --rating-column names people's ratings, and `compare --scores FILE "
            f"--score-column {score} --score-column {own[0]}` tells the means of both"
        ]
    )
    return UNKNOWN


def _check_is_no_cut(judged: JudgedOutputs, score: str, how: JudgeFiles) -> None:
    """Check that the ratings are not the scores themselves, cut at a value.

    Raises:
        InputError: if a cut of the scores tells all ratings.
    """
    rated = judged.rated
    cut = cut_of(rated["judge"].to_numpy(dtype=float), rated["human"].tolist())
    if cut is not None:
        ratings = str(how.ratings[0]) if how.ratings else RATING
        raise InputError(
            f"{cut.told(ratings, score)}: its agreement with itself says nothing, and it is no rating to hold other "
            "scores against; name the column of people's ratings (--rating-column NAME)"
        )


def _named_scores(
    columns: Sequence[tuple[Table, str, str]], rated: RatingTable, how: JudgeFiles
) -> list[tuple[str, str, pd.DataFrame, tuple[str, ...]]]:
    """Return the name, the column, the rows and the files of each score.

    Files of one score that have other systems are joined.
    """
    systems = systems_in(rated.frame)
    files: dict[str, list[tuple[Table, str]]] = {}
    for table, column, name in columns:
        files.setdefault(str(column), []).append((table, name))
    found = []
    for column, tables in files.items():
        frames = {table.source: _scores(table, column, how) for table, _ in tables}
        together = as_systems(frames, rated.frame)
        if together is not None:
            tell([f"{column}: the scores of {listed(list(frames))} are of {together['system'].nunique()} systems"])
            found.append((column, column, together, tuple(frames)))
            continue
        for source, name in ((table.source, name) for table, name in tables):
            frame = frames[source]
            if len(systems) > 1:
                frame = with_file_as_system(frame, suffixless(source), systems)
            found.append((name, column, frame, (source,)))
    if "text" in rated.frame and any("item" not in frame for _, _, frame, _ in found):
        # Scores that are compared need one name for an item: if one of them has texts alone, all are joined by these.
        found = [(*of, _by_texts_alone(frame), files_of) for *of, frame, files_of in found]
    called = [called_as_rated(frame, systems) for _, _, frame, _ in found]
    tell(dict.fromkeys(note for _, note in called if note))
    return [(*named, frame, of) for (*named, _, of), (frame, _) in zip(found, called, strict=True)]


def _by_texts_alone(frame: pd.DataFrame) -> pd.DataFrame:
    """Return scores without items if they have texts."""
    return frame.drop(columns="item") if {"item", "text"} <= set(frame) else frame


def _columns_of_scores(
    tables: Sequence[Table], score_columns: Sequence[str], how: JudgeFiles, rated: Collection[str]
) -> list[tuple[Table, str, str]]:
    """Return each score: its table, its column and its name.

    Args:
        tables: the files of scores.
        score_columns: the columns that the user names.
        how: the way to read files.
        rated: the files of ratings, in which a column that is called as a metric may be a criterion.

    Raises:
        InputError: for a column that no table has, and a table without any of them.
    """
    columns: list[tuple[int, str]] = []
    for place, table in enumerate(tables):
        of_table = [name for name in score_columns if len(tables) == 1 or table.has(name)]
        if score_columns and not of_table:
            table.column(ColumnName(score_columns[0], "--score-column"), numeric=True)
        columns += [(place, name) for name in of_table or [_score_column(table, how, table.source in rated)]]
    for name in score_columns:
        if all(name != column for _, column in columns):
            tables[-1].column(ColumnName(name, "--score-column"), numeric=True)
    files = file_names([table.source for table in tables])
    named = []
    for place, column in columns:
        of_file = [other for at, other in columns if at == place]
        is_shared = sum(other == column for _, other in columns) > 1
        name = str(column)
        if column == SCORE or (len(tables) > 1 and is_shared):
            name = files[place] if len(of_file) == 1 else f"{files[place]} {column}"
        named.append((tables[place], column, name))
    return named


def _check_clusters(tables: Sequence[Table], how: JudgeFiles) -> None:
    """Check that the column of clusters is in each file of scores or in none: by it their outputs are joined.

    Raises:
        InputError: for one that some of them lack.
    """
    name = how.of("cluster")
    having = [] if name is None else [table for table in tables if table.has_own(name)]
    lacking = [table for table in tables if not any(table is other for other in having)]
    if having and lacking:
        raise InputError(
            f"{lacking[0].source}: there is no column {str(name)!r} (--cluster-column), by which its outputs would be "
            f"joined with those of {having[0].source}: add it, or leave the option out"
        )


def judged_by_metric(
    metric: Metric, ratings: Sequence[str], how: JudgeFiles, left_out_line: str, elsewhere: str
) -> list[JudgedOutputs]:
    """Score rated texts by a metric, and join the scores with the ratings, those of each criterion by themselves.

    Texts that the metric learned from get no score: it would rest on the ratings that it is held against.

    Args:
        metric: the metric, which reads texts alone.
        ratings: tables, exports of annotation tools, or a study, with the texts that people rated.
        how: the way to read them.
        left_out_line: the command that estimates each text from the others, for messages.
        elsewhere: the commands for texts in another file than the ratings, for messages.

    Raises:
        InputError: for files without texts, if the metric learned from all of them, and as `read_judged`.
    """
    sources = _rating_sources(ratings, how, how.of("text"))
    tables = [source for source in sources if isinstance(source, Table)]
    _tell_chosen(ratings, tables, how)
    _check_named(tables, how)
    rated = _ratings(sources, how, takes_file=True)
    frame = rated.frame
    if "text" not in frame:
        raise InputError(
            f"{rated.source}: there is no column of texts to score (--text-column NAME); if another file has them, "
            f"{elsewhere}"
        )
    by_text = "item" not in frame
    if by_text:
        frame = frame.assign(item=frame["text"])
    texts = list(dict.fromkeys(frame["text"]))
    result = _without_own_ratings(metric).predict(texts)
    n_own = result.abstentions[RATED_TEXT]
    if n_own == len(texts):
        raise InputError(
            f"{metric_spec(metric.name).title} learned from all of these texts, and a value that rests on its own "
            f"rating says nothing of it: {left_out_line} estimates each text from the others"
        )
    if n_own:
        tell([f"{n_own} of {len(texts)} texts are left out: the metric learned from them"])
    parts, told = by_criterion(replace(rated, frame=frame))
    tell(told)

    def judged_by(criterion: str, ratings_by: RatingTable) -> JudgedOutputs:
        found = _judged_texts(metric, ratings_by.frame, result, texts)
        merged = _on_equal_texts(ratings_by.frame) if by_text else []
        facts: Record = {"criterion": criterion, "given_by": ratings_by.given_by, "asked": ratings_by.asked}
        return replace(found, **facts, notes=(*merged, *found.notes))

    found, left_out = each_criterion(parts, judged_by)
    tell(left_out)
    return list(found.values())


def _without_own_ratings(metric: Metric) -> Metric:
    """Return a metric that gives no value to the texts that it learned from, if it learns."""
    if not hasattr(metric, "exclude_rated"):
        return metric
    excluding: Any = copy(metric)
    excluding.exclude_rated = True
    return cast(Metric, excluding)


def _on_equal_texts(frame: pd.DataFrame) -> list[str]:
    """Return a note on outputs of one text, which count as one, in a list; none if only several raters rated a text."""
    keys = [name for name in KEYS if name in frame]
    told_apart = [*keys, *(["rater"] if "rater" in frame else [])]
    if not frame.duplicated(told_apart).any():
        return []
    n_texts = len(frame.drop_duplicates(keys))
    return [
        f"{len(frame)} ratings are of {n_texts} different texts: equal texts count as one output, with their mean "
        "rating (--item-column NAME tells outputs apart)."
    ]


def _judged_texts(metric: Metric, frame: pd.DataFrame, result: MetricResult, texts: Sequence[str]) -> JudgedOutputs:
    """Return the outputs that people rated by one criterion, with a metric's scores.

    Args:
        metric: the metric.
        frame: the ratings with their texts and items.
        result: the metric's scores of `texts`.
        texts: the texts of all criteria.
    """
    values = dict(zip(texts, result.values.tolist(), strict=True))
    outputs = frame.drop_duplicates([name for name in KEYS if name in frame])
    outputs = outputs[[name for name in (*IN_BOTH, "text") if name in outputs]]
    scores = outputs.assign(judge=outputs["text"].map(values))
    n_abstained = int(scores["judge"].isna().sum())
    n_scored = len(scores) - n_abstained
    if n_abstained and n_scored < FEWEST_OUTPUTS:
        reasons = ", ".join(f"{reason} ({n} texts)" for reason, n in result.abstentions.most_common())
        raise ContentsError(
            f"{metric.name} gives a score to {n_scored} of {len(scores)} rated outputs, and at least {FEWEST_OUTPUTS} "
            f"are needed: {reasons}"
        )
    found = judged_outputs(scores.dropna(subset="judge"), frame[frame["text"].map(values).notna()])
    notes = [f"Warning: {warning}." for warning in warnings_of(result).values()]
    if n_abstained:
        notes.append(f"{n_abstained} of {len(scores)} outputs have no score, and do not count: {metric.name} abstains.")
    keys = [name for name in KEYS if name in frame]
    unscored = frame[frame["text"].map(values).isna()].groupby(keys)["rating"].mean().dropna()
    found = replace(found, described=described(metric), signature=metric.signature, unscored=tuple(unscored))
    return replace(found, notes=(*notes, *found.notes), name=metric_spec(metric.name).title)


def _source_of(tables: Sequence[Table]) -> str:
    return " and ".join(dict.fromkeys(table.source for table in tables))


def _rating_sources(files: Sequence[str], how: JudgeFiles, *further: str | None) -> list[str | Table]:
    """Return the rows of files of ratings, and the folder of a study."""
    return [file if is_study(file) else read_rating_rows(file, how.reading, _wanted(how, *further)) for file in files]


def _wanted(how: JudgeFiles, *further: str | None) -> list[str]:
    """Return the columns by which rows inside rows are found."""
    return [*how.ratings, *filter(None, further)]


def _check_named(tables: Sequence[Table], how: JudgeFiles) -> None:
    """Check that each named column is in one of the tables.

    Raises:
        InputError: for one that is in none.
    """
    for kind in (*IN_BOTH, *_OF_SCORES, "rater"):
        name = how.of(kind)
        if name is not None and tables and not any(table.has_own(name) for table in tables):
            tables[-1].column(name, f"--{kind}-column")


def _tell_chosen(files: Sequence[str], tables: Sequence[Table], how: JudgeFiles) -> None:
    """Tell how many rows of each file the conditions of `--where` keep: the results hold for these alone."""
    if not how.reading.where:
        return
    asked = " ".join(f"--where {each}" for each in how.reading.where)
    kept = {table.source: len(table.rows) for table in tables}
    for file in dict.fromkeys(files):
        if file in kept and Path(file).is_file():
            with warnings.catch_warnings():  # what is assumed has been told
                warnings.simplefilter("ignore")
                n_rows = len(read_rating_rows(file, replace(how.reading, where=()), [*how.ratings]).rows)
            tell([f"{file}: {asked} keeps {kept[file]} of {n_rows} rows"])


def _tell_lacking(tables: Sequence[Table], how: JudgeFiles) -> None:
    """Tell of named columns of items that a file lacks: there its column `item` counts, if any."""
    name = how.of("item")
    for table in tables if name is not None else ():
        lacking = [part for part in names_in(str(name)) if not table.has_own(part)]
        if lacking:
            instead = "its column 'item' counts there" if "item" in table.columns else "no column tells items there"
            tell([f"{table.source} has no column {quoted(lacking)} (--item-column): {instead}"])


def _score_table(file: str, how: JudgeFiles, score_columns: Sequence[str]) -> Table:
    """Return the rows of a file of scores."""
    export = read_export(file, how.reading)
    if export is not None:
        return _of_export(file, export, how)
    numbers = number_per_line(file, how.reading, metric_of_file(file) or SCORE)
    if numbers is not None:
        # Of which system they are, the ratings may tell.
        return replace(numbers, columns=(numbers.columns[0], "item"), added=frozenset(("item",)))
    named = [name for kind in (*IN_BOTH, *_OF_SCORES) if (name := how.of(kind)) is not None]
    return read_table(file, how.reading, [*score_columns, *named])


def _counted_as_rated(table: Table, rated: RatingTable) -> Table:
    """Return scores of lines that nothing numbers, with lines that are counted from 0 if the ratings' items are."""
    n = len({row["item"] for row in table.rows}) if "item" in table.added else 0
    if "item" not in table.added or "item" not in rated.frame:
        return table
    if not count_from_0(rated.frame["item"], n):
        have_texts = "text" in table.columns and "text" in rated.frame  # these tell whether items are the same
        tell([] if have_texts else on_first_line(table.source, rated.frame["item"], n))
        return table
    tell([f"the lines of {table.source} are counted from 0, as the items of the ratings are"])
    return replace(table, rows=[{**row, "item": str(int(row["item"]) - 1)} for row in table.rows])


def _of_export(file: str, export: Export, how: JudgeFiles) -> Table:
    """Return an export of a tool as a table: an output's scores are averaged over its runs and raters.

    Raises:
        InputError: for an export without scores, and scores that are no numbers.
    """
    import pandas as pd

    export.check_scores(file)
    tell([f"{file} is read as {export.tool}", *export.notes])
    keys = ["item", *(["system"] if export.names_systems else [])]
    names = list(dict.fromkeys(name for row in export.rows for name in row.scores))
    rows = pd.DataFrame(
        [{**row._asdict(), **{f"score:{name}": row.scores.get(name) for name in names}} for row in export.rows]
    )
    rows = rows.assign(**export.further)
    told = [
        *(["text"] if rows["text"].notna().any() else []),
        *export.further,
        *(["cluster"] if rows["cluster"].any() else []),
        *(["slice"] if rows["slice"].nunique() > 1 else []),
    ]
    if rows.duplicated(keys).any():
        tell(["an output's scores of several runs or raters are averaged"])
    numbers: dict[str, Floats] = {}
    for name in names:
        numbers[name], note = score_numbers(file, name, rows[f"score:{name}"].tolist(), how.words)
        tell([note] if note else [])
    rows = rows[[*keys, *told]].assign(**{f"score:{name}": values for name, values in numbers.items()})
    of_output = rows.groupby(keys, sort=False)
    means = (
        of_output[[f"score:{name}" for name in names]].mean().rename(columns={f"score:{name}": name for name in names})
    )
    table = means.join(of_output[told].first()).reset_index()
    records: list[dict[str, Any]] = table.astype(object).where(table.notna(), None).to_dict("records")
    added = frozenset(("item",)) if export.are_lines else frozenset()
    return Table(file, tuple(map(str, table.columns)), records, own_names=export.own_names, added=added)


def _with_items(table: Table, how: JudgeFiles) -> Table:
    """Return a table of scores and ratings with items: its texts if raters have rows of their own, else its rows."""
    if "item" in table.columns or how.of("item") is not None:
        return table
    check_is_no_training_log(table)
    rater, text = how.of("rater") or "rater", how.of("text") or "text"
    if rater in table.columns and text in table.columns:
        items: list[Any] = table.column(text)
    else:
        items = [str(number) for number in range(1, len(table.rows) + 1)]
        tell([_ROWS])
    rows = [{**row, "item": item} for row, item in zip(table.rows, items, strict=True)]
    return replace(table, columns=(*table.columns, "item"), rows=rows)


def _with_shared_items(
    tables: Sequence[Table], sources: Sequence[str | Table], how: JudgeFiles
) -> tuple[list[Table], list[str | Table]]:
    """Return tables of scores, and of ratings, with the items in a column of both that tells them, if nobody named one.

    It is the column that tells them in a tool's file of ratings. Of other files it is the first that has other values
    in each row of a system of the scores, and the same values for all of their systems, or the name of one of ids.
    """
    rated = [source for source in sources if isinstance(source, Table)]
    called = [own for source in rated for own, name in source.own_names.items() if name == "item"]
    if how.of("item") is not None or any("item" in table.columns for table in tables) or len(rated) < len(sources):
        return list(tables), list(sources)
    are_told = any("item" in source.columns for source in rated)
    own = called[0] if called else None if are_told else _key_of_systems([*tables, *rated], len(tables), how)
    if own is None or any(own not in table.columns for table in tables):
        return list(tables), list(sources)
    tell([f"items are told by column {own!r} of both files (--item-column names another)"])
    told: list[str | Table] = [*rated] if are_told else [_with_item(source, own) for source in rated]
    return [_with_item(table, own) for table in tables], told


def _key_of_systems(tables: Sequence[Table], n_of_scores: int, how: JudgeFiles) -> str | None:
    """Return the first column of all tables that tells the rows of each system of the scores, which come first.

    Its values are the same for all systems, unless it is called as one of ids: these may be other ones of each.
    """
    system = how.of("system") or "system"
    for name in tables[0].columns if all(table.has_own(system) for table in tables) else ():
        if not all(name in table.columns for table in tables):
            continue
        rows = [(str(row.get(system)), str(row.get(name))) for table in tables[:n_of_scores] for row in table.rows]
        of_systems: dict[str, list[str]] = {}
        for of_system, key in dict.fromkeys(rows) if n_of_scores > 1 else rows:
            of_systems.setdefault(of_system, []).append(key)
        keys = list(of_systems.values())
        is_known = names_ids(name) or all(set(each) == set(keys[0]) for each in keys)
        if len(keys) > 1 and is_known and all(len(set(each)) == len(each) for each in keys):
            return name
    return None


def _with_item(table: Table, own: str) -> Table:
    """Return a table in which a column is that of the items."""
    columns = tuple("item" if name == own else name for name in table.columns)
    rows = [{"item" if name == own else name: cell for name, cell in row.items()} for row in table.rows]
    return replace(table, columns=columns, rows=rows, own_names={**table.own_names, own: "item"})


def _with_text_column(tables: Sequence[Table], rated: RatingTable, how: JudgeFiles) -> JudgeFiles:
    """Return the way to read scores without items, with the column of rated outputs if exactly one holds these."""
    lacking = [table for table in tables if not table.has_own(how.of("item") or "item")]
    if "text" not in rated.frame or how.of("text") is not None or not lacking:
        return how
    shared = [name for name in lacking[0].columns if all(_holds_rated(table, name, rated) for table in lacking)]
    if len(shared) != 1 or shared[0] == "text":
        return how
    tell([f"column {shared[0]!r} of the scores holds the outputs (--text-column {quote(shared[0])})"])
    return replace(how, named={**how.named, "text": shared[0]})


def _holds_rated(table: Table, name: str, rated: RatingTable) -> bool:
    """Say whether most cells of a column are rated outputs, or the column holds most rated outputs of a system."""
    frame = rated.frame.dropna(subset="text")
    if holds_outputs(table, name, set(frame["text"].map(str))):
        return True
    cells = {str(row.get(name)) for row in table.rows}
    systems = frame["system"].unique() if "system" in frame else []
    of_systems = [set(frame.loc[frame["system"] == system, "text"].map(str)) for system in systems]
    return any(len(texts & cells) > max(FEWEST_OUTPUTS, len(texts) / 2) for texts in of_systems)


def _scores(table: Table, name: str, how: JudgeFiles) -> pd.DataFrame:
    """Return scores with the columns that are known, a row for each output.

    Raises:
        InputError: for a column that is not there, and scores that are no numbers, or times.
    """
    import pandas as pd

    cells = table.column(ColumnName(name, "--score-column"), numeric=True)
    numbers, note = score_numbers(table.source, str(name), cells, how.words, table)
    tell([note] if note else [])
    numbers, note = without_learned(table, str(name), numbers)
    tell([note] if note else [])
    if times := told_times(numbers, str(name)):
        raise InputError(f"{table.source}: {times}")
    held: dict[str, Any] = {"judge": numbers}
    for kind in (*IN_BOTH, *_OF_SCORES):
        column = how.of(kind) or (_cluster_in_key(table, how) if kind == "cluster" else None)
        if column is not None and table.has_own(column):
            held[kind] = table.column(table.called_here(column))
        elif kind in table.columns and (kind != "cluster" or column is not None):
            held[kind] = table.column(kind)
    if how.cluster_file is not None:
        items = held.get("item", range(len(cells)))
        held[_CLUSTERS] = clusters_by_line(how.cluster_file, [str(item) for item in items], table.source)
    frame = pd.DataFrame(held).dropna(subset="judge")
    if {"cluster", "item"} <= set(frame):
        frame = frame.assign(item=list(zip(frame["cluster"].astype(str), frame["item"].astype(str), strict=True)))
    keys = [name for name in (*KEYS, "judge") if name in frame]
    return frame.drop_duplicates(keys).reset_index(drop=True) if "item" in frame else frame.reset_index(drop=True)


def _cluster_in_key(table: Table, how: JudgeFiles) -> str | None:
    """Return the column of clusters that an item's key tells, if nobody named one; a note stands with the ratings."""
    parts = names_in(how.of("item") or "item")
    if len(parts) < 2 or how.named.get("cluster") is not None or not all(map(table.has_own, parts)):
        return None
    return cluster_in_key({name: table.column(table.called_here(name)) for name in parts})[0] or None


def _score_column(table: Table, how: JudgeFiles, has_ratings: bool) -> str:
    """Return the column of scores that nobody named.

    Args:
        table: the file.
        how: the way to read it.
        has_ratings: whether it holds the ratings, too.

    Raises:
        InputError: if several columns may hold scores, or none.
    """
    if SCORE in table.columns:
        return SCORE
    named = [part for name in how.named.values() if name is not None for part in names_in(name)]
    besides = {*named, *how.ratings, RATING, "rater", *IN_BOTH, *_OF_SCORES}
    written = [] if has_ratings else written_scores(table.columns)
    columns = written or metric_columns([name for name in table.columns if name not in besides])
    numeric = numeric_columns(table, besides, 1)
    found = columns if len(columns) == 1 else numeric
    if len(found) == 1:
        tell([f"scores stand in column {found[0]!r} (--score-column)"])
        return found[0]
    told = (
        f"the columns of numbers are {quoted(numeric)}" if numeric else f"the columns are {quoted(table.names(), 20)}"
    )
    raise InputError(
        f"{table.source}: there is no column 'score': name that of the scores (--score-column NAME); {told}"
    )


def _ratings(sources: Sequence[str | Table], how: JudgeFiles, *, takes_file: bool = False) -> RatingTable:
    """Return people's ratings, a row each.

    Args:
        sources: the ratings.
        how: the way to read them.
        takes_file: whether a file of clusters has a line for each item of the ratings, and not of the scores.

    Raises:
        InputError: for files that hold preferences, and as `read_judged_ratings`.
    """
    named = {kind: how.of(kind) for kind in (*IN_BOTH, "rater", "text")}
    told: dict[str, Any] = {"clusters": how.cluster_file is None, "ratings": tuple(how.ratings), "words": how.words}
    told["columns_are"] = how.columns_are
    if takes_file and how.cluster_file is not None:
        told["cluster"] = how.cluster_file
    table = read_judged_ratings(sources, named, how.reading, alone=False, **told)
    if table.are_preferences:
        raise InputError(f"{table.source}: these are preferences, and scores are held against ratings")
    return table
