"""Systems compared, reported on and rated by people, from Python: the work of `compare`, `report` and `human-score`."""

from __future__ import annotations

import os
from collections.abc import Mapping, Sequence
from dataclasses import replace
from itertools import zip_longest
from typing import TYPE_CHECKING, Any, TypeAlias

from referenceless_metrics.core.files.reading import tell
from referenceless_metrics.core.metric import Metric, check_metric, check_references
from referenceless_metrics.core.registry import metric_names, metric_spec
from referenceless_metrics.core.support.validation import InputError, PathName, check_texts, describe

if TYPE_CHECKING:
    import pandas as pd

    from referenceless_metrics.comparison.comparison import Comparison
    from referenceless_metrics.core.files.tables import Table
    from referenceless_metrics.human_evaluation.inference.human_score import HumanScores
    from referenceless_metrics.human_evaluation.ratings.rating_table import RatingTable

Ratings: TypeAlias = "PathName | Sequence[PathName] | pd.DataFrame"
"""One file of ratings or several, a study's folder, or a data frame with one row per rating."""

_COLUMNS = ("rating", "text", "system", "item", "rater", "criterion", "cluster", "slice", "estimates", "columns_are")


def compare(
    systems: Mapping[str, Sequence[str]],
    metric: Metric | str,
    *,
    references: Any = None,
    sources: Sequence[Any] | None = None,
    others: Sequence[str] = (),
    **test: Any,
) -> Comparison:
    """Compare systems by a metric with intervals and p-values, as `referenceless compare` does.

    Args:
        systems: each system's outputs for the same n inputs, by its name; two and more, the baseline first.
        metric: any metric of the protocol, with its models or pool bound; or a metric of sacrebleu, by a name of those
            of `others`, which reads outputs in any language.
        references: a reference or a list of them for each input, for metrics that read them.
        sources: the source of each input, for a metric that reads sources.
        others: metrics of sacrebleu to stand beside it: `"bleu"`, `"chrf"`, `"chrf++"` or `"ter"`.
        test: `n_samples`, the shuffles of the paired test (approximate randomisation); `clusters`, the cluster of each
            input, such as its document: inputs of one cluster then count as dependent; and `all_pairs`, True to test
            pairs without the baseline, too.

    Returns:
        The comparison: `rows`, one per system, with `results`, `coverage` and `difference`, and `pairs`.
        `referenceless_metrics.comparison.output.render_comparison` makes a table of it, in every format.

    Raises:
        TypeError: for outputs that are no texts, or a metric that is none.
        InputError: for fewer than two systems, unequal lengths, a system that the metric covers nowhere, or missing
            references.

    >>> from referenceless_metrics import WPSLOR, compare
    >>> texts = [f"the cat sat on the mat , and {n} dogs ran ." for n in range(12)]
    >>> result = compare({"base": [" ".join(reversed(text.split())) for text in texts], "ours": texts}, WPSLOR())
    >>> result.rows[1].results["WPSLOR"].score > result.rows[0].results["WPSLOR"].score
    True
    """
    comparison: Comparison = _measured(systems, [metric], references, sources, others=others, **test)[1][0].comparison
    return comparison


def report(
    systems: Mapping[str, Sequence[str]],
    metrics: Metric | str | Sequence[Metric | str],
    *,
    references: Any = None,
    sources: Sequence[Any] | None = None,
    ratings: Ratings | None = None,
    groups: Sequence[str] | None = None,
    path: PathName | None = None,
    **options: Any,
) -> str:
    """Return a page on systems as HTML that needs nothing but itself, as `referenceless report` writes it.

    Args:
        systems: see `compare`.
        metrics: one metric, or several, of which the first leads.
        references: see `compare`.
        sources: see `compare`.
        ratings: people's ratings of the outputs (see `human_score`); None without.
        groups: the groups of the n inputs, for a table by group; None without.
        path: a file to write the page to as well; None for none.
        options: `others`, `n_samples` and `all_pairs`, as of `compare`.

    Raises:
        TypeError: like `compare`.
        InputError: like `compare`, and for other than n groups.
    """
    from referenceless_metrics.comparison.measuring import with_ratings
    from referenceless_metrics.comparison.page import systems_page
    from referenceless_metrics.human_evaluation.ratings.system_ratings import called_as_outputs
    from referenceless_metrics.pages.rendering import write_page

    several = [metrics] if isinstance(metrics, (Metric, str)) else list(metrics)
    outputs, measures = _measured(systems, several, references, sources, **options)
    if groups is not None and len(groups) != len(outputs[0][1]):
        raise InputError(f"Expected argument `groups` to have one for each input, but got {len(groups)}")
    rated: dict[str, Any] = {}
    if ratings is not None:
        all_pairs = bool(options.get("all_pairs"))
        clusters = options.get("clusters")
        table = _rating_table(ratings, {}, alone=False, clusters=clusters is None)
        table = called_as_outputs(table, outputs)
        rated = with_ratings(table, outputs, measures, all_pairs=all_pairs, clusters=clusters)
    inputs = {**(measures[0].beside or {}), "sources": sources}
    page = systems_page(outputs, rated.pop("measures", measures), groups=groups, inputs=inputs, **rated)
    if path is not None:
        write_page(page, str(path))
    return page


def human_score(
    ratings: Ratings,
    *,
    scale: tuple[float, float] | None = None,
    baseline: str | None = None,
    comparisons: str = "baseline",
    level: float = 0.95,
    unpaired: bool = False,
    **columns: str | Sequence[str],
) -> HumanScores:
    """Say how people rate systems, and which they rate higher, from ratings alone, as `referenceless human-score` does.

    Args:
        ratings: files, a study's folder or a data frame, with one row per rating: its `system`, its `item` (the input
            of the output) or its `text`, the `rating`, and the `rater` if that is known. The outputs must be drawn at
            random, at least ten of each system.
        scale: the ends of the ratings' scale, which intervals over few items need.
        baseline: the system with which the others are compared; None for the first.
        comparisons: `"baseline"`, or `"all"` pairs.
        level: confidence level of the intervals.
        unpaired: whether the outputs of each system are independent samples of items.
        columns: the name of a column that is called otherwise: `rating="score"`, or several of a rater each, `system`,
            `item`, `rater`, `text`, `cluster` (a group of items) or `slice` (the part that items are in; the result's
            `slices` holds the scores on each).

    Returns:
        The scores: `scores`, one per system, and `differences`, with `mean`, `interval()` and `p_adjusted`;
        `to_pandas()` and `plot()` show them.

    Raises:
        TypeError: for an unknown column, or ratings of another kind.
        InputError: for ratings that cannot be read, too few of a system, preferences, and several criteria, for which
            `human_score_by_criterion` is.

    >>> import pandas as pd
    >>> from referenceless_metrics import human_score
    >>> rated = pd.DataFrame({"item": [*range(20)] * 2, "system": ["base"] * 20 + ["ours"] * 20})
    >>> rated["rating"] = [1 + n % 3 for n in range(20)] + [3 + n % 2 for n in range(20)]
    >>> result = human_score(rated, scale=(1, 5))
    >>> result.differences[0].system, result.differences[0].p_adjusted < 0.01
    ('ours', True)
    """
    table = _rating_table(ratings, columns, scale=scale, unpaired=unpaired)
    if "criterion" in table.frame:
        raise InputError(f"{table.source}: these are ratings by criteria: use `human_score_by_criterion`")
    scores = _scores_of(table, baseline, comparisons, level, unpaired=unpaired)
    if "slice" not in table.frame:
        return scores
    slices = {}
    for part in sorted(set(table.frame["slice"])):
        of_part = replace(table, frame=table.frame[table.frame["slice"] == part])
        try:
            slices[str(part)] = _scores_of(of_part, scores.scores[0].system, comparisons, level, unpaired=unpaired)
        except InputError as error:
            tell([f"slice {part!r} is left out: {error}"])
    return replace(scores, slices=slices)


def human_score_by_criterion(
    ratings: Ratings,
    *,
    scale: tuple[float, float] | Mapping[str, tuple[float, float]] | None = None,
    overall: bool = False,
    baseline: str | None = None,
    comparisons: str = "baseline",
    level: float = 0.95,
    unpaired: bool = False,
    **columns: str | Sequence[str],
) -> dict[str, HumanScores]:
    """Say how people rate systems by each of several criteria, with p corrected over criteria times comparisons.

    Args:
        ratings: see `human_score`, with a column `criterion`; or with `columns_are="criteria"` and the names of the
            criteria's columns as `rating`.
        scale: the ends of the scale of all criteria, or of each by its name.
        overall: whether to take the mean of the criteria too, under the name `overall`; choose it before you see
            ratings.
        baseline: like the others, see `human_score`.
        comparisons: `"baseline"`, or `"all"` pairs.
        level: confidence level of the intervals.
        unpaired: whether the outputs of each system are independent samples of items.
        columns: see `human_score`, and `criterion`.

    Returns:
        The scores by each criterion; a criterion without a score is left out, with a note. `p_adjusted` and
        `adjusted_interval` are for all comparisons by all criteria (Holm).

    Raises:
        TypeError: as `human_score`.
        InputError: as `human_score`, and for a criterion of a scale that is not there.

    >>> import pandas as pd
    >>> rows = [(item, system, by, 1 + (item + 2 * (system == "ours")) % 5) for by in ("fluency", "adequacy")
    ...     for item in range(20) for system in ("base", "ours")]
    >>> rated = pd.DataFrame(rows, columns=["item", "system", "criterion", "rating"])
    >>> found = human_score_by_criterion(rated, scale=(1, 5))
    >>> list(found), found["fluency"].differences[0].n_compared
    (['fluency', 'adequacy'], 2)
    """
    from referenceless_metrics.human_evaluation.inference.human_score import scores_by_criterion
    from referenceless_metrics.human_evaluation.ratings.criteria import each_criterion, with_overall

    asked: dict[str, Any] = {"scales": scale} if isinstance(scale, Mapping) else {"scale": scale}
    table = _rating_table(ratings, columns, unpaired=unpaired, **asked)
    tables, notes = with_overall(table, asked=overall)

    def scores_by(_: str, of_criterion: RatingTable) -> HumanScores:
        return _scores_of(of_criterion, baseline, comparisons, level, unpaired=unpaired)

    found, left_out = each_criterion(tables, scores_by)
    tell([*notes, *left_out])
    return dict(zip(found, scores_by_criterion(list(found.values())), strict=True))


def _scores_of(
    table: RatingTable, baseline: str | None, comparisons: str, level: float, *, unpaired: bool
) -> HumanScores:
    """Return the scores of the systems in a table of ratings by one criterion."""
    from referenceless_metrics.human_evaluation.ratings.system_ratings import (
        check_common_items,
        scores_of_draw,
        systems_of_table,
        without_small_systems,
    )

    if table.are_preferences:
        raise InputError(f"{table.source}: these are preferences: use `referenceless human-score`")
    systems, notes = without_small_systems(systems_of_table(table, baseline))
    tell(notes)
    if "item" in table.frame and not unpaired:
        check_common_items(systems, table.source, comparisons)
    return scores_of_draw(systems, table, comparisons=comparisons, level=level)


def _measured(
    systems: Mapping[str, Sequence[str]],
    metrics: Sequence[Metric | str],
    references: Any,
    sources: Sequence[Any] | None,
    *,
    others: Sequence[str] = (),
    **test: Any,
) -> tuple[list[tuple[str, list[str]]], list[Any]]:
    """Return the systems' names and outputs, checked, and each metric's results for them."""
    from referenceless_metrics.command_line.baselines import baseline
    from referenceless_metrics.comparison.comparison import check_systems
    from referenceless_metrics.comparison.corpus_metrics import CorpusMetric
    from referenceless_metrics.comparison.measuring import measured

    if not isinstance(systems, Mapping):
        raise TypeError(
            "Expected argument `systems` to be a mapping from names to lists of outputs, such as "
            f"{{'base': [...], 'ours': [...]}}, but got {describe(systems)}"
        )
    outputs = [(str(name), check_texts(texts, f"systems[{name!r}]", missing=True)) for name, texts in systems.items()]
    check_systems(outputs)
    streams = None
    if references is not None:
        lists = check_references(references, len(outputs[0][1]))
        streams = list(map(list, zip_longest(*lists, fillvalue="")))
    known = metric_names()
    made = [CorpusMetric(metric) if isinstance(metric, str) else check_metric(metric) for metric in metrics]
    with_entries = [(metric_spec(m.name) if m.name in known else None, m) for m in made]
    others_made = list(map(baseline, others))
    return outputs, measured(outputs, with_entries, references=streams, sources=sources, others=others_made, **test)


def _rating_table(
    ratings: Ratings,
    columns: Mapping[str, str | Sequence[str]],
    *,
    alone: bool = True,
    clusters: bool = True,
    **asked: Any,
) -> RatingTable:
    """Return ratings from files or a data frame.

    Args:
        ratings: the files, or the data frame.
        columns: as of `human_score`.
        alone: as of `read_rating_table`, like `clusters`.
        clusters: whether documents that a tool's file tells are clusters.
        asked: further arguments of `human_score`.
    """
    from referenceless_metrics.human_evaluation.ratings.columns import RatingColumns
    from referenceless_metrics.human_evaluation.ratings.rating_files import read_rating_table

    unknown = sorted(columns.keys() - set(_COLUMNS))
    if unknown:
        raise TypeError(f"Expected columns out of {', '.join(sorted(_COLUMNS))}, but got {', '.join(unknown)}")
    named: dict[str, Any] = dict(columns)
    rating = named.pop("rating", ())
    named["ratings"] = (rating,) if isinstance(rating, str) else tuple(rating)
    how: dict[str, Any] = {"alone": alone, "clusters": clusters, **asked}
    return read_rating_table(_sources(ratings), RatingColumns(**named), **how)


def _sources(ratings: Ratings) -> list[str | Table]:
    """Return files by their names, and a data frame as a table."""
    from referenceless_metrics.core.files.tables import Table

    if hasattr(ratings, "to_dict"):
        frame: Any = ratings
        rows = frame.astype(object).where(frame.notna(), None).to_dict("records")
        return [Table("the data frame", tuple(map(str, frame.columns)), rows)]
    files = [ratings] if isinstance(ratings, (str, os.PathLike)) else ratings
    if isinstance(files, Sequence) and all(isinstance(file, (str, os.PathLike)) for file in files):
        return list(map(os.fspath, files))
    raise TypeError(f"Expected argument `ratings` to be files or a data frame, but got {describe(ratings)}")
