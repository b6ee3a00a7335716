"""Comparisons of systems as a table for the terminal, Markdown, LaTeX, JSON or CSV.

If a compared metric estimates human ratings, no format marks significance of it.
"""

from __future__ import annotations

import copy
import math
import operator
from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING, Any

from referenceless_metrics.comparison.corpus_metrics import RESAMPLES
from referenceless_metrics.comparison.headline import metrics_headline
from referenceless_metrics.comparison.significance import SIGNIFICANT, Corrected, Significance, significance_of
from referenceless_metrics.core.files.escaping import one_line
from referenceless_metrics.core.files.output import (
    FOR_PAPERS,
    OUTPUT_FORMATS,
    PARQUET,
    fitted_table,
    paper_table,
    paragraphs,
    render,
    terminal_width,
    write,
    write_rows,
)
from referenceless_metrics.core.files.paper_tables import (
    UNDEFINED,
    Column,
    filled_columns,
    interval_cells,
    transposed,
)
from referenceless_metrics.core.registry import implementation
from referenceless_metrics.core.results import FEWEST_FOR_INTERVAL
from referenceless_metrics.core.support.statistics import fixed, p_text
from referenceless_metrics.core.support.validation import Record
from referenceless_metrics.human_evaluation.inference.estimated_means import Inference
from referenceless_metrics.human_evaluation.scores.mean_intervals import FEWEST_CLUSTERS
from referenceless_metrics.human_evaluation.wording.holm_level import HEADING
from referenceless_metrics.human_evaluation.wording.phrases import listed
from referenceless_metrics.pages.findings import FOR_THE_PAPER

if TYPE_CHECKING:
    from sacrebleu.significance import Result

    from referenceless_metrics.comparison.comparison import Comparison, Pair, SystemRow
    from referenceless_metrics.human_evaluation.commands.gates import Gate

COMPARISON_FORMATS = OUTPUT_FORMATS
NOT_PEOPLE = (
    "p concerns the mean of {metric} and not people: the metric's bias on a system is unknown until outputs of that "
    "system are rated. To claim that people rate a system higher, rate some of its outputs and use `referenceless "
    "human-score`"
)
"""Note on the p of a metric that estimates human ratings."""


RATED_TEXTS_FIXED = "the rated texts are as they are: others would give other figures"
"""Note on the rated texts behind estimates of ratings, of which intervals and p tell nothing."""


def intervals_note(comparison: Comparison) -> str:
    """Return the meaning of a comparison's intervals: the draw of the segments, or clusters, and of nothing else."""
    return (
        f"intervals and p cover the draw of the {'clusters' if comparison.n_clusters else 'segments'}; "
        f"{RATED_TEXTS_FIXED if comparison.estimates_ratings else 'the metric is held fixed'}"
    )


def intervals_by(comparisons: Sequence[Comparison]) -> str:
    """Return the kind of the scores' intervals, of the metrics that have any."""
    if not comparisons[0].n_clusters:
        return "bootstrap resamples"
    own, beside = _with_any(comparisons, _has_interval)
    resampled = "resampled clusters"
    if not own:
        return resampled
    return f"cluster-robust errors, that of others of {resampled}" if beside else "cluster-robust errors"


def tests_by(comparisons: Sequence[Comparison]) -> str:
    """Return the tests behind p, of the metrics that have one."""
    shuffled = f"approximate randomisation ({comparisons[0].n_samples:,} shuffles)"
    if not comparisons[0].n_clusters:
        return shuffled
    own, beside = _with_any(comparisons, _has_p)
    if not own:
        return f"{shuffled} of whole clusters"
    of_others = f", that of {listed(beside)} by {shuffled} of whole clusters" if beside else ""
    return f"the paired t test with cluster-robust errors{of_others}"


def differences_by(comparisons: Sequence[Comparison]) -> str:
    """Return how the intervals of differences are made, in words; "" if there are none."""
    known = []
    for each in comparisons:
        differences = [one.differences for one in each.rows] + [one.differences for one in each.pairs]
        known += [(name, each.is_mean(name)) for name in each.signatures if any(name in of for of in differences)]
    robust = " with cluster-robust errors" if comparisons[0].n_clusters else ""
    ways = [f"the paired t test{robust}"] if any(is_mean for _, is_mean in known) else []
    beside = list(dict.fromkeys(name for name, is_mean in known if not is_mean))
    if beside:
        of = f"that of {listed(beside)} by " if ways else ""
        ways.append(f"{of}paired bootstrap ({RESAMPLES:,} resamples{' of clusters' if robust else ''})")
    return ", ".join(ways)


def _has_p(result: Result) -> bool:
    return result.p_value is not None


def _has_interval(result: Result) -> bool:
    return not math.isnan(result.ci)


def _with_any(comparisons: Sequence[Comparison], has: Callable[[Result], bool]) -> tuple[list[str], list[str]]:
    """Return the compared metrics, and those beside them, of which any system's result has something."""
    names = [
        (name, each.is_mean(name))
        for each in comparisons
        for name in each.signatures
        if any(has(row.results[name]) for row in each.rows)
    ]
    own, beside = ([name for name, is_own in names if is_own == kind] for kind in (True, False))
    return own, list(dict.fromkeys(beside))


def _untested(comparisons: Sequence[Comparison]) -> list[str]:
    """Return the metrics without a test."""
    tested = {name for names in _with_any(comparisons, _has_p) for name in names}
    names = dict.fromkeys(name for each in comparisons for name in each.signatures)
    return [name for name in names if name not in tested]


def _beside(comparisons: Sequence[Comparison]) -> list[str]:
    """Return sacrebleu's metrics, which are compared themselves or beside others."""
    return list(dict.fromkeys(name for each in comparisons for name in each.signatures if not each.is_mean(name)))


def _counted(comparisons: Sequence[Comparison]) -> str:
    """Return the number of segments on which systems are compared, and of the clusters that they lie in.

    If metrics compare on different numbers, it is that of all segments, and those of fewer stand behind it.
    """
    n = comparisons[0].n_segments
    n_clusters = sorted({each.n_clusters for each in comparisons})
    in_clusters = f" in {' to '.join(map(str, n_clusters))} clusters" if n_clusters[-1] else ""
    compared = {name: each.n_compared(name) for each, name in _each_score(comparisons)}
    numbers = set(compared.values())
    if numbers == {n}:
        return f"{n} segments{in_clusters}"
    if len(numbers) == 1:
        return f"{numbers.pop()} of {n} segments{in_clusters} (those with a value for all systems)"
    fewer = [f"{name} on the {n_own} with a value for all systems" for name, n_own in compared.items() if n_own < n]
    return f"{n} segments{in_clusters} ({listed(fewer)})"


MANY_SAME = 0.1
"""Share of segments with the baseline's output from which a note says so: they cannot show a difference."""


def write_comparisons(
    comparisons: Sequence[Comparison],
    format: str,
    path: str | None,
    *,
    significance: Significance | None = None,
    gate: Gate | None = None,
    transpose: bool = False,
    of_outputs: Sequence[str] = (),
) -> None:
    """Write comparisons to a file or standard output in any of `COMPARISON_FORMATS`; see `render_comparisons`."""
    if format == PARQUET:
        write_rows(all_rows(comparisons, significance), {}, format, path)
    else:
        width = terminal_width(path)
        how: Record = {"significance": significance, "gate": gate, "transpose": transpose, "of_outputs": of_outputs}
        text = render_comparisons(comparisons, format, width=width, **how)
        write(text, path)


def render_comparison(comparison: Comparison, format: str = "table", *, columns_of_terminal: int | None = None) -> str:
    """Return a comparison as text.

    Args:
        comparison: the result of `compare_systems`.
        format: see `render_comparisons`.
        columns_of_terminal: the width that a table is to fit, in characters; None for no limit.
    """
    return render_comparisons([comparison], format, width=columns_of_terminal)


def render_comparisons(
    comparisons: Sequence[Comparison],
    format: str = "table",
    *,
    significance: Significance | None = None,
    gate: Gate | None = None,
    transpose: bool = False,
    of_outputs: Sequence[str] = (),
    width: int | None = None,
) -> str:
    """Return comparisons of the same systems, by one metric each, as text.

    Args:
        comparisons: the result of `compare_systems` for each metric.
        format: `table`, as sacrebleu prints a paired test; `markdown`; `latex` (booktabs, siunitx); or as of
            `output.render`, with a row for each system and metric.
        significance: significance of the differences; None for that of all metrics together.
        gate: the verdicts of a gate on these comparisons, which stand with the findings; None without.
        transpose: whether a table has a column for each system.
        of_outputs: notes on the outputs themselves, which a table for the terminal leaves to standard error.
        width: width of the terminal that a table is to fit; None for no limit.
    """
    marks = significance or significance_of(comparisons)
    headline = one_line(metrics_headline(comparisons, marks))
    *notes, to_quote = _notes(comparisons, marks, with_basis=format not in FOR_PAPERS)  # whose caption tells it
    notes += [*(of_outputs if format != "table" else ()), to_quote]
    if gate is not None:
        headline = f"{headline} {one_line(gate.headline)}"
        notes = [*map(one_line, gate.findings), *notes]
    of_rows = list(map(_alone, comparisons)) if marks.of_pairs else comparisons
    if format in FOR_PAPERS:
        columns = _paper_columns(of_rows, marks)
        said: Record = {"basis": _caption(comparisons, marks)}
        if format == "latex":  # in Markdown the sentence to quote has them, and in LaTeX that is a comment
            said["note"] = [f"Signature: {'; '.join(_signatures(comparisons))}."]
        of_systems = transposed(columns) if transpose else columns
        if not marks.of_pairs:
            return paper_table(format, of_systems, headline, notes, **said)
        tables = [
            paper_table(format, of_systems, headline, [], **said),
            paper_table(
                format,
                _paper_pairs(comparisons, marks),
                "",
                notes,
                basis=[_caption_of_pairs(comparisons, marks)],
                part="pairs",
            ),
        ]
        return "\n".join(tables)
    if format != "table":
        rows = all_rows(comparisons, marks)
        summary = _summary(comparisons, marks, notes)
        summary |= {} if gate is None else {"gate": gate.record}
        return render(rows, summary, format, lines=notes, headline=headline)
    columns = _columns(of_rows, marks)
    tables = [_grid(transposed(columns) if transpose else columns, width)]
    if marks.of_pairs:
        tables.append(_grid(_pair_columns(comparisons, marks), width))
    shown = "".join(f"{table}\n\n" for table in tables)
    return f"{paragraphs([headline, ''], width)}{shown}" + paragraphs(notes, width)


def _alone(comparison: Comparison) -> Comparison:
    """Return a comparison without differences from the baseline, which stand among all pairs."""
    rows = []
    for row in comparison.rows:
        results = {name: copy.copy(result) for name, result in row.results.items()}
        for result in results.values():
            result.p_value = None
        rows.append(replace(row, results=results, differences={}))
    return replace(comparison, rows=tuple(rows))


def _grid(columns: Sequence[Column], width: int | None) -> str:
    """Return columns as a table for the terminal."""
    alignment = {**dict.fromkeys([column.name for column in columns], "center"), columns[0].name: "right"}
    return fitted_table({column.name: column.cells for column in columns}, alignment, width, "fancy_grid")


def _summary(comparisons: Sequence[Comparison], significance: Significance, notes: Sequence[str]) -> Record:
    """Return the facts that hold for all rows: for one metric its own figures, for several a list of them."""
    metrics = [
        {name: getattr(comparison, name) for name in ("metric", "n_segments", "n_common", "n_samples")}
        for comparison in comparisons
    ]
    summary: Record = dict(metrics[0]) if len(metrics) == 1 else {"metrics": metrics}
    signatures = {name: signature for each in comparisons for name, signature in each.signatures.items()}
    if comparisons[0].n_clusters:
        summary["clusters"] = comparisons[0].n_clusters
    if significance.of_pairs:
        summary["comparisons"] = "all"
    summary |= {"baseline": comparisons[0].rows[0].system, "p_concerns": "metric", "correction": significance.family}
    return {**summary, "notes": list(notes), "signatures": signatures}


def _signatures(comparisons: Sequence[Comparison]) -> list[str]:
    signatures = [(name, signature) for each in comparisons for name, signature in each.signatures.items()]
    return list(dict.fromkeys(named_signature(name, signature) for name, signature in signatures))


def named_signature(name: str, signature: str) -> str:
    """Return a signature with the name of its metric before it, unless it tells the metric itself."""
    return one_line(signature if signature.startswith("metric:") else f"{name}|{signature}")


def _columns(comparisons: Sequence[Comparison], significance: Significance) -> list[Column]:
    """Return the columns of a table for the terminal: a score with its interval and p stands in one cell."""
    columns = [Column("System", _names(comparisons))]
    for comparison, name, results, tests in _scores(comparisons, significance):
        digits = decimals(comparison, name)
        of_rows = zip(results, _differences(comparison, name), tests, strict=True)
        cells = [
            _cell(result, difference, digits, test, _p_text(comparison, name, result.p_value, test))
            for result, difference, test in of_rows
        ]
        columns.append(Column(_heading(comparison, name, significance), cells))
    return [*columns, *_coverage(comparisons)]


def _paper_columns(comparisons: Sequence[Comparison], significance: Significance) -> list[Column]:
    """Return the columns of a table for a paper: score, interval and p apart."""
    columns = [Column("system", _names(comparisons))]
    for comparison, name, results, tests in _scores(comparisons, significance):
        digits = decimals(comparison, name)
        group = _title(comparison, name)
        ends = [[_shown(end, digits) for end in interval_of(result)] for result in results]
        intervals = interval_cells([low for low, _ in ends], [high for _, high in ends])
        p_texts = [_p_text(comparison, name, result.p_value, test) for result, test in zip(results, tests, strict=True)]
        p_values = [_p_cell(p, test) for p, test in zip(p_texts, tests, strict=True)]
        columns.append(Column("score", [_shown(result.score, digits) for result in results], group))
        columns.append(Column("95% interval", intervals, group))
        columns += _paper_differences(comparison, name, group, significance)
        columns.append(Column(_heading_of_p(name, significance), p_values, group))
    return filled_columns([*columns, *_coverage(comparisons)])


def _pair_columns(comparisons: Sequence[Comparison], significance: Significance) -> list[Column]:
    """Return the columns of all pairs for the terminal: a difference with its interval and p stands in one cell."""
    columns = [Column("Pair", _names_of_pairs(comparisons[0]))]
    for comparison, name in _each_score(comparisons):
        cells = []
        for pair in comparison.pairs:
            value, interval, p = _pair_cells(comparison, name, pair, significance)
            signed = value if value.startswith("-") else f"+{value}"
            star = _star(significance.of(name, pair.system, pair.baseline))
            cells.append("\n".join(filter(None, [f"{signed} {interval}".strip(), p and f"({p}){star}"])))
        heading = f"{_title(comparison, name)}: difference"
        if any(name in pair.differences for pair in comparison.pairs):
            heading += f" [{_kind_of_interval(name, significance)}]"
        columns.append(Column(heading, cells))
    return columns


def _paper_pairs(comparisons: Sequence[Comparison], significance: Significance) -> list[Column]:
    """Return the columns of all pairs for a paper."""
    columns = [Column("pair", _names_of_pairs(comparisons[0]))]
    for comparison, name in _each_score(comparisons):
        cells = [_pair_cells(comparison, name, pair, significance) for pair in comparison.pairs]
        values, intervals, told = map(list, zip(*cells, strict=True))
        group = _title(comparison, name)
        columns.append(Column("difference", values, group))
        kind = _kind_of_interval(name, significance)
        columns.append(Column(kind, [interval or UNDEFINED for interval in intervals], group))
        stars = [_star(significance.of(name, pair.system, pair.baseline)) for pair in comparison.pairs]
        p_values = [_p_cell(p, None) for p in told]
        columns.append(Column(_heading_of_p(name, significance), list(map(operator.add, p_values, stars)), group))
    return filled_columns(columns)


def _star(test: Corrected | None) -> str:
    return "*" if test is not None and test.is_significant else ""


def _kind_of_interval(name: str, significance: Significance) -> str:
    return HEADING if significance.corrects(name) else "95% interval"


def _heading_of_p(name: str, significance: Significance) -> str:
    return "p holm" if significance.corrects(name) else "p"


def _each_score(comparisons: Sequence[Comparison]) -> Iterator[tuple[Comparison, str]]:
    """Yield each score: its comparison and its name."""
    for comparison in comparisons:
        for name in comparison.signatures:
            yield comparison, name


def _names_of_pairs(comparison: Comparison) -> list[str]:
    """Return the names of the pairs' differences."""
    return [one_line(f"{pair.system} less {pair.baseline}") for pair in comparison.pairs]


def _pair_cells(comparison: Comparison, name: str, pair: Pair, significance: Significance) -> tuple[str, str, str]:
    """Return a pair's difference, its interval and its p by a metric; "" for an unknown one."""
    digits = decimals(comparison, name)
    test = significance.of(name, pair.system, pair.baseline)
    _, low, high = with_interval(pair.differences.get(name), test)
    interval = "" if math.isnan(low) else f"[{_shown(low, digits)}, {_shown(high, digits)}]"
    return _shown(pair.leads[name], digits), interval, _p_text(comparison, name, pair.p_values[name], test)


def _scores(
    comparisons: Sequence[Comparison], significance: Significance
) -> Iterator[tuple[Comparison, str, list[Result], list[Corrected | None]]]:
    """Yield each score: its comparison, its name, the systems' results, and their tests as corrected."""
    for comparison, name in _each_score(comparisons):
        results = [row.results[name] for row in comparison.rows]
        tests = [
            None if row.results[name].p_value is None else significance.of(name, row.system) for row in comparison.rows
        ]
        yield comparison, name, results, tests


def _differences(comparison: Comparison, name: str) -> list[Inference | None]:
    """Return each system's difference from the baseline by a metric; None if there is none."""
    return [row.differences.get(name) for row in comparison.rows]


def with_interval(difference: Inference | None, test: Corrected | None) -> tuple[float, float, float]:
    """Return a difference and the ends of its interval, at the level of its test; NaN if there is none."""
    if difference is None:
        return (math.nan,) * 3
    return difference.value, *(difference.interval() if test is None else difference.interval(test.level))


def _paper_differences(comparison: Comparison, name: str, group: str, significance: Significance) -> list[Column]:
    """Return the columns of the differences from the baseline with their intervals, for a paper."""
    digits = decimals(comparison, name)
    differences = [
        with_interval(difference, significance.of(name, row.system))
        for row, difference in zip(comparison.rows, _differences(comparison, name), strict=True)
    ]
    shown, lows, highs = ([_shown(each[part], digits) for each in differences] for part in range(3))
    interval = f"its {_kind_of_interval(name, significance)}"
    return [Column("difference", shown, group), Column(interval, interval_cells(lows, highs), group)]


def _coverage(comparisons: Sequence[Comparison]) -> list[Column]:
    """Return the coverage: one column if it is the same for all metrics, else one for each."""
    of_metrics = {each.metric: [f"{row.coverage:.3f}" for row in each.rows] for each in comparisons}
    if len(set(map(tuple, of_metrics.values()))) == 1:
        return [Column("coverage", next(iter(of_metrics.values())))]
    return [Column(f"coverage of {metric}", cells) for metric, cells in of_metrics.items()]


def _names(comparisons: Sequence[Comparison]) -> list[str]:
    """Return the systems' names, the baseline marked unless its name does."""
    first, *others = [one_line(row.system) for row in comparisons[0].rows]
    if comparisons[0].pairs:
        return [first, *others]
    return [first if first.casefold() == "baseline" else f"{first} (baseline)", *others]


def decimals(comparison: Comparison, name: str) -> int:
    """Return the decimals of a score: sacrebleu's are percentages."""
    return 4 if comparison.is_mean(name) else 2


def _title(comparison: Comparison, name: str) -> str:
    """Return the title of a score: its name, and the number of segments if not all."""
    n = comparison.n_compared(name)
    return name if n == comparison.n_segments else f"{name} on {n} of {comparison.n_segments}"


def _heading(comparison: Comparison, name: str, significance: Significance) -> str:
    """Return the heading of a column whose cells are scores with their intervals."""
    heading = f"{_title(comparison, name)} [95% interval]"
    if any(_differences(comparison, name)):
        heading += f"\nless baseline [{_kind_of_interval(name, significance)}]"
    return heading


def interval_of(result: Result) -> tuple[float, float]:
    """Return the ends of a score's 95 % interval of bootstrap resamples; NaN without one."""
    # The bootstrap's mean is a little off the score, and an interval must not end on the wrong side of its score.
    low = min(result.mean - result.ci, result.score)
    high = max(result.mean + result.ci, result.score)
    return (low, high) if result.ci == result.ci else (math.nan, math.nan)


def _shown(figure: float, digits: int) -> str:
    """Return a figure with so many decimals; – if it is unknown."""
    if math.isnan(figure):
        return UNDEFINED
    return fixed(figure, digits)


def _cell(result: Result, difference: Inference | None, digits: int, test: Corrected | None, p: str) -> str:
    """Return a score with its interval, the difference from the baseline with its own, and p."""
    cell = _shown(result.score, digits)
    low, high = interval_of(result)
    if not math.isnan(low):
        cell += f" [{_shown(low, digits)}, {_shown(high, digits)}]"
    if difference is not None:
        value, low, high = with_interval(difference, test)
        signed = f"{float(fixed(value, digits)):+.{digits}f}"
        cell += f"\n{signed} [{_shown(low, digits)}, {_shown(high, digits)}]"
    if p:
        cell += f"\n({p})"
    return f"{cell}{_star(test)}"


def _p_cell(p: str, test: Corrected | None) -> str:
    return p.removeprefix("p ").removeprefix("= ") + _star(test) if p else UNDEFINED


def _p_text(comparison: Comparison, name: str, p_value: float | None, test: Corrected | None) -> str:
    """Return the p that is shown, in words; "" without a test."""
    p = p_told(p_value, test)
    return "" if p is None else p_text(p, is_least=comparison.is_least_p(name, p_value))


def p_told(p_value: float | None, test: Corrected | None) -> float | None:
    """Return the p that is shown: the corrected one of a test that is corrected; None without a test."""
    return p_value if test is None else test.p_value


def _basis(comparisons: Sequence[Comparison], significance: Significance) -> list[str]:
    """Return the basis of the figures: the segments, the intervals, and the tests that were made, with correction."""
    first = comparisons[0].rows[0].system
    own, beside = _with_any(comparisons, _has_interval)
    if not own and not beside:
        return [_too_few(comparisons)]
    names = dict.fromkeys(name for _, name in _each_score(comparisons))
    scores = "each score" if {*own, *beside} == names.keys() else listed([*own, *beside])
    basis = f"{_counted(comparisons)}; {scores} with the 95% confidence interval of {intervals_by(comparisons)}"
    at_level = ", at Holm's level," if significance.n_tests > 1 else ""
    by = differences_by(comparisons)
    if by:
        of = "difference" if significance.of_pairs else f"less {first}"
        mean = "" if _beside(comparisons) else "mean "
        basis += f"; {of}: the {mean}difference with its interval{at_level} by {by}"
    if not _has_test(comparisons):
        return [basis]
    marked = significance.marked
    corrected = f" after Holm's correction over {significance.n_tests} comparisons" if at_level else ""
    if at_level and significance.counted:
        corrected += f" ({significance.counted})"
    elif at_level and significance.of_pairs:
        corrected += " (all pairs)"
    asked = "as great as this is if two systems do not differ"
    if not significance.of_pairs:
        asked = f"from {first} as great as this is where the two do not differ"
    marks = f"; * marks p < {SIGNIFICANT} of {', '.join(marked)}{corrected}" if marked else ""
    shown = f"; p is that{corrected}" if at_level else ""
    if at_level and marked:
        shown = "; p is so corrected, too"
    return [basis, f"p: how probable a difference {asked}, by {tests_by(comparisons)}{marks}{shown}"]


def _too_few(comparisons: Sequence[Comparison]) -> str:
    return f"{_counted(comparisons)}, too few for intervals and a test"


def _caption(comparisons: Sequence[Comparison], significance: Significance) -> list[str]:
    """Return the basis of the figures, as short as a caption has it; the headline before it tells the correction."""
    if not _has_test(comparisons):
        return [f"{_too_few(comparisons)}."]
    if significance.of_pairs:
        return [f"{_counted(comparisons)}; intervals by {intervals_by(comparisons)}."]
    first = comparisons[0].rows[0].system
    at_level, corrected = (" at Holm's level", ", so corrected") if significance.n_tests > 1 else ("", "")
    marks = f"; * marks p < {SIGNIFICANT}" if significance.marked else ""
    untested = f"; {without_test(comparisons)}" if _untested(comparisons) else ""
    of_scores = f"{_counted(comparisons)}; intervals of scores by {intervals_by(comparisons)}"
    by = differences_by(comparisons)
    of_differences = f"; those of differences from {first}{at_level} by {by}" if by else ""
    of_p = f"; p against {first} by {tests_by(comparisons)}{corrected}"
    return [f"{of_scores}{of_differences}{of_p}{marks}{untested}.", *on_two_ways(comparisons, significance)]


def _caption_of_pairs(comparisons: Sequence[Comparison], significance: Significance) -> str:
    """Return the findings and the basis of the table of all pairs, as a caption has them."""
    corrected, at_level = "", ""
    if significance.n_tests > 1:
        corrected, at_level = f", after Holm's correction over {significance.n_tests} comparisons,", " at Holm's level"
    intervals = ""
    by = differences_by(comparisons)
    if by:
        intervals = f", with intervals{at_level} by {by}"
    marks = f"; * marks p < {SIGNIFICANT}" if significance.marked else ""
    tests = f"; p{corrected} by {tests_by(comparisons)}{marks}" if _has_test(comparisons) else ""
    untested = f"; {without_test(comparisons)}" if tests and _untested(comparisons) else ""
    differences = f"Differences of all pairs of systems on {_counted(comparisons)}{intervals}{tests}{untested}."
    return " ".join([differences, *on_two_ways(comparisons, significance)])


def on_two_ways(comparisons: Sequence[Comparison], significance: Significance) -> list[str]:
    """Return a sentence on the differences whose interval and p say otherwise, in a list; none without such ones.

    An interval by a bootstrap or a t test and a p by shuffles are two ways: near the limit the one may show a
    difference that the other does not show.
    """
    told = []
    for comparison in comparisons:
        for name, (system, baseline), difference, p_value in _tested(comparison):
            test = significance.of(name, system, baseline)
            level, p = (None, p_value) if test is None else (test.level, test.p_value)
            low, high = difference.interval() if level is None else difference.interval(level)
            if math.isnan(low) or (p < SIGNIFICANT) == (low > 0 or high < 0):
                continue
            holds = "holds" if low <= 0 <= high else "leaves out"
            told.append(f"that of {system} less {baseline} by {name} {holds} 0 beside {p_text(p)}")
    if not told:
        return []
    return [
        f"Intervals of differences and p are made in two ways, and say otherwise near p = {SIGNIFICANT}: "
        f"{listed(told)}; the findings go by p."
    ]


def _tested(comparison: Comparison) -> Iterator[tuple[str, tuple[str, str], Inference, float]]:
    """Yield the differences with an interval and a p: the metric, the two systems, the difference and its p."""
    first, *others = comparison.rows
    for name in comparison.signatures:
        if comparison.pairs:
            of = [(pair.system, pair.baseline, pair.differences, pair.p_values[name]) for pair in comparison.pairs]
        else:
            of = [(row.system, first.system, row.differences, row.results[name].p_value) for row in others]
        for system, baseline, differences, p_value in of:
            if name in differences and p_value is not None:
                yield name, (system, baseline), differences[name], p_value


def methods_sentence(comparisons: Sequence[Comparison], significance: Significance) -> str:
    """Return a sentence on how the systems were compared, for the methods section of a paper."""
    first, *others = [row.system for row in comparisons[0].rows]
    means = [each.described or each.metric for each in comparisons if not each.is_of_corpus]
    metrics = [f"by {listed(means)}, as implemented in {implementation()}"] if means else []
    beside = _beside(comparisons)
    if beside:
        metrics.append(f"by {listed(beside)} of sacrebleu")
    tests = f"with paired approximate randomisation ({comparisons[0].n_samples:,} shuffles)"
    by = differences_by(comparisons)
    if comparisons[0].n_clusters:
        tests = f"with {tests_by(comparisons)}"
    if by and by not in tests:
        tests += f", intervals of differences by {by}"
    if significance.n_tests > 1:
        tests += f" and Holm's correction over {significance.n_tests} comparisons"
    compared = f"{listed(others)} with {first}"
    if significance.of_pairs:
        compared = f"all pairs of {listed([first, *others])}"
    if not _has_test(comparisons):
        tests = f"without a test, for which there are fewer than {FEWEST_FOR_INTERVAL} scored segments"
        if comparisons[0].n_clusters:
            needed = FEWEST_CLUSTERS if means else FEWEST_FOR_INTERVAL
            tests = f"without a test, for which there are fewer than {needed} clusters of segments"
    elif _untested(comparisons):
        tests += f" ({without_test(comparisons)})"
    signatures = _signatures(comparisons)
    condition = f"{comparisons[0].condition}: " if comparisons[0].condition else ""
    return (
        f"{condition}We compared {compared} on {_counted(comparisons)} {', and '.join(metrics)}, {tests}; "
        f"signature{'s' if len(signatures) > 1 else ''}: "
        f"{'; '.join(signatures)}."
    )


def without_test(comparisons: Sequence[Comparison]) -> str:
    """Return the metrics without a test, and the reason, in words; "" if each has one."""
    untested = _untested(comparisons)
    if not untested:
        return ""
    n_clusters = max(each.n_clusters for each in comparisons)
    if 0 < n_clusters < FEWEST_FOR_INTERVAL:
        needed = FEWEST_CLUSTERS if n_clusters < FEWEST_CLUSTERS else FEWEST_FOR_INTERVAL
        why = f"{n_clusters} clusters, and {needed} are needed"
    elif not n_clusters and min(each.n_common for each in comparisons) < FEWEST_FOR_INTERVAL:
        why = f"fewer than {FEWEST_FOR_INTERVAL} segments"
    else:
        why = "no difference varies"
    return f"no test of {listed(untested)}: {why}"


def _has_test(comparisons: Sequence[Comparison]) -> bool:
    """Return whether any difference was tested."""
    results = [result for each in comparisons for row in each.rows for result in row.results.values()]
    return any(result.p_value is not None for result in results)


def _notes(comparisons: Sequence[Comparison], significance: Significance, *, with_basis: bool = True) -> list[str]:
    """Return the notes on the figures, in sentences without their ends, each once.

    Args:
        comparisons: the comparisons.
        significance: significance of the differences.
        with_basis: whether the basis of the figures is among them.
    """
    basis = _basis(comparisons, significance) if with_basis else []
    notes, tests = basis[:1], basis[1:]
    for comparison in comparisons:
        if comparison.estimates_ratings:
            notes.append(NOT_PEOPLE.format(metric=comparison.metric))
            of = f" of {comparison.metric}" if len(comparisons) > 1 else ""
            notes.append(f"{intervals_note(comparison)}; significance{of} is not marked")
            if comparison.worth is not None:
                notes.append(comparison.worth)
    notes += [*tests, *_notes_on_least_p(comparisons)]
    notes += [sentence.removesuffix(".") for sentence in on_two_ways(comparisons, significance)]
    first, *others = comparisons[0].rows
    if len(others) > 1 and not significance.of_pairs:
        notes.append(f"pairs without {first.system} are not tested: --all-pairs tests them, too")
    notes += _notes_on_outputs(comparisons[0])
    for comparison in comparisons:
        notes += _notes_on_values(comparison)
    for comparison in comparisons:
        if comparison.scale:
            notes.append(f"scale of {comparison.metric}: {comparison.scale}")
    notes.append(f"{FOR_THE_PAPER}{methods_sentence(comparisons, significance)}")
    return list(dict.fromkeys(one_line(note) for note in notes))


def _notes_on_least_p(comparisons: Sequence[Comparison]) -> list[str]:
    """Return the meaning of the least p that shuffles can give, in a list, if a difference has it."""
    found = [
        comparison.is_least_p(name, p_value)
        for comparison in comparisons
        for p_values in (
            *({name: result.p_value for name, result in row.results.items()} for row in comparison.rows),
            *(pair.p_values for pair in comparison.pairs),
        )
        for name, p_value in p_values.items()
    ]
    if not any(found):
        return []
    n_samples = comparisons[0].n_samples
    return [
        f"{n_samples:,} shuffles give no p below {1 / (n_samples + 1):.2g} before correction, and a difference here "
        "has it: its p is an upper limit, which more shuffles may lower (--n-samples)"
    ]


def _notes_on_outputs(comparison: Comparison) -> list[str]:
    """Return the number of segments with the baseline's output, if many, and its effect on intervals."""
    first, *others = comparison.rows
    many = [row for row in others if row.n_same >= MANY_SAME * comparison.n_segments]
    if not many:
        return []
    counts = ", ".join(f"{row.system} {row.n_same} of {comparison.n_segments}" for row in many)
    notes = [f"outputs that are the same as those of {first.system}: {counts}"]
    if any(row.n_same == comparison.n_segments for row in many):
        notes.append(
            "intervals of the same outputs differ a little: the baseline has resamples of its own, as in sacrebleu"
        )
    return notes


def _notes_on_values(comparison: Comparison) -> list[str]:
    """Return notes on the segments on which a metric compares, and its warnings."""
    notes = []
    if comparison.n_common < comparison.n_segments:
        counts = ", ".join(f"{row.system} {row.n_covered}" for row in comparison.rows)
        notes.append(
            f"{comparison.metric} compares the systems on the {comparison.n_common} of {comparison.n_segments} "
            f"segments that it covers for all ({counts})"
        )
    n = comparison.n_clusters
    if 0 < n < FEWEST_CLUSTERS and not comparison.is_of_corpus:
        notes.append(
            f"{n} clusters: fewer than {FEWEST_CLUSTERS} give no interval and no p of {comparison.metric}; without "
            "--cluster-column segments count as independent, which those of a document hardly are"
        )
    beside = _beside([comparison])
    if 0 < n < FEWEST_FOR_INTERVAL and beside:
        notes.append(f"{n} clusters: fewer than {FEWEST_FOR_INTERVAL} give no interval and no p of {listed(beside)}")
    few = [comparison.metric] if not n and comparison.n_common < FEWEST_FOR_INTERVAL else []
    few += beside if not n and comparison.n_segments < FEWEST_FOR_INTERVAL else []
    if few:
        of = listed(list(dict.fromkeys(few)))
        notes.append(f"fewer than {FEWEST_FOR_INTERVAL} values of {of} give no interval and no p")
    if any(row.n_rated_texts for row in comparison.rows):
        counts = ", ".join(f"{row.system} {row.n_rated_texts}" for row in comparison.rows)
        notes.append(f"outputs that are rated texts themselves: {counts} of {comparison.n_segments}")
    return notes + [f"{row.system}: {warning}" for row in comparison.rows for warning in row.warnings]


def all_rows(comparisons: Sequence[Comparison], significance: Significance | None = None) -> list[Record]:
    """Return the rows of all comparisons; see `comparison_rows`."""
    marks = significance or significance_of(comparisons)
    return [row for comparison in comparisons for row in comparison_rows(comparison, marks)]


def comparison_rows(comparison: Comparison, significance: Significance) -> list[dict[str, Any]]:
    """Return a row for each system and metric: the score of the segments that count, with its interval and p.

    `n` is the number of these segments; `coverage` is the share of the system's own outputs that have a value. If all
    pairs are compared, each has a row behind those of the systems, and `baseline` names its other system. The interval
    of a difference is at the level at which Holm's procedure tests it, as `p_holm` is.
    """
    of_pairs = bool(comparison.pairs)
    rows = []
    for row in (_alone(comparison) if of_pairs else comparison).rows:
        for name, result in row.results.items():
            test = None if of_pairs else significance.of(name, row.system)
            own = row.differences.get(name), result.p_value, test, "" if of_pairs else None
            rows.append(_score_row(comparison, row, name, *own))
    row_of = {row.system: row for row in comparison.rows}
    for pair in comparison.pairs:
        for name, p_value in pair.p_values.items():
            test = significance.of(name, pair.system, pair.baseline)
            of_pair = pair.differences.get(name), p_value, test, pair.baseline
            rows.append(_score_row(comparison, row_of[pair.system], name, *of_pair))
    return rows


def _score_row(
    comparison: Comparison,
    row: SystemRow,
    name: str,
    difference: Inference | None,
    p_value: float | None,
    test: Corrected | None,
    baseline: str | None,
) -> Record:
    """Return a row on a system's score by a metric.

    Args:
        comparison: the comparison.
        row: the system's row.
        name: name of the metric.
        difference: difference from the other system, by this metric.
        p_value: p of no difference from it.
        test: the same as corrected; None without a test.
        baseline: the name of the other system; None if it is the same in all rows.
    """
    is_compared = name == comparison.metric
    low, high = interval_of(row.results[name])
    less = with_interval(difference, test)
    return {
        "system": row.system,
        **({} if baseline is None else {"baseline": baseline}),
        "metric": name,
        "score": row.results[name].score,
        "low": low,
        "high": high,
        "difference": less[0],
        "difference_low": less[1],
        "difference_high": less[2],
        "p_value": p_value,
        "p_holm": None if test is None else test.p_value,
        "n": comparison.n_compared(name),
        "coverage": row.coverage if is_compared else 1.0,
        "p_concerns": "" if p_value is None else "metric",
    }
