"""Notes below a table of comparisons."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from referenceless_metrics.comparison.captions import basis_of, methods_sentence, on_two_ways
from referenceless_metrics.comparison.significance import Significance
from referenceless_metrics.comparison.telling import beside_of, intervals_note
from referenceless_metrics.core.files.escaping import one_line
from referenceless_metrics.core.results import FEWEST_FOR_INTERVAL
from referenceless_metrics.human_evaluation.scores.mean_intervals import FEWEST_CLUSTERS
from referenceless_metrics.human_evaluation.wording.phrases import listed
from referenceless_metrics.pages.findings import FOR_THE_PAPER

if TYPE_CHECKING:
    from referenceless_metrics.comparison.comparison import Comparison


NOT_PEOPLE = (
    "p concerns the mean of {metric} and not people: the metric's bias on a system is unknown until outputs of that "
    "system are rated. To claim that people rate a system higher, rate some of its outputs and use `referenceless "
    "human-score`"
)
"""Note on the p of a metric that estimates human ratings."""

MANY_SAME = 0.1
"""Share of segments with the baseline's output from which a note says so: they cannot show a difference."""


def notes_on(comparisons: Sequence[Comparison], significance: Significance, *, with_basis: bool = True) -> list[str]:
    """Return the notes on the figures, in sentences without their ends, each once.

    Args:
        comparisons: the comparisons.
        significance: significance of the differences.
        with_basis: whether the basis of the figures is among them.
    """
    basis = basis_of(comparisons, significance) if with_basis else []
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
    beside = beside_of([comparison])
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
