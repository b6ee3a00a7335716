"""Agreement of raters, as rows of a table and in sentences."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Sequence

from referenceless_metrics.core.registry import implementation
from referenceless_metrics.core.support.validation import Record
from referenceless_metrics.human_evaluation.inference.estimated_means import LEVEL
from referenceless_metrics.human_evaluation.studies.agreement import (
    ENOUGH_ITEMS,
    FEWEST_ITEMS,
    FEWEST_SHARED,
    SUFFICES,
    WHICH_ALPHA,
    Coefficient,
)
from referenceless_metrics.human_evaluation.studies.labels import MOST_LABELS, LabelAgreement
from referenceless_metrics.human_evaluation.studies.raters import Answer, RaterAgreement
from referenceless_metrics.human_evaluation.studies.same_answers import first_answers, same_answers
from referenceless_metrics.human_evaluation.studies.span_agreement import ANY, SpanAgreement
from referenceless_metrics.human_evaluation.studies.spans import SEVERITIES
from referenceless_metrics.human_evaluation.wording.holm_level import percent
from referenceless_metrics.human_evaluation.wording.phrases import listed
from referenceless_metrics.pages.findings import FOR_THE_PAPER
from referenceless_metrics.pages.rendering import number

_TWO = 2

FURTHER_COEFFICIENTS = "Fleiss' κ: "
"""Beginning of the sentence on the coefficients beside α."""


def agreement_rows(agreed: RaterAgreement) -> list[Record]:
    """Return one row per rater."""
    rows = []
    for rater in agreed.raters:
        row = dict(rater)
        row["flags"] = "; ".join(rater["flags"])
        rows.append(row)
    return rows


def rows_for_readers(rows: Sequence[Record], *, are_told: bool = False) -> list[Record]:
    """Return the raters' rows without the columns on repeated outputs, and on flags, if no rater has any.

    Args:
        rows: the rows.
        are_told: whether sentences below the rows tell the flags, to which a short cell points.
    """
    left_out: set[str] = set()
    if not any(row["n_repeats"] for row in rows):
        left_out.update(("n_repeats", "same", "distance"))
    if not any(row["flags"] for row in rows):
        left_out.add("flags")
    if are_told:
        rows = [{**row, "flags": "see below" if row["flags"] else ""} for row in rows]
    return [{name: cell for name, cell in row.items() if name not in left_out} for row in rows]


def agreement_lines(agreed: RaterAgreement, answers: Sequence[Answer], systems: Sequence[str] = ()) -> list[str]:
    """Return the coefficients in sentences, with the basis of their intervals, and the raters to look at.

    Args:
        agreed: the agreement.
        answers: the answers on which they rest.
        systems: the systems in their order if answers are preferences between them; none of ratings.
    """
    things = "pairs of outputs" if systems else "outputs"
    shown = {name: _figure(each) for name, each in agreed.coefficients.items()}
    lines = [
        f"Krippendorff's α: nominal {shown['alpha nominal']}, ordinal {shown['alpha ordinal']}, interval "
        f"{shown['alpha interval']}{_kind_of_intervals(agreed)}.",
        f"{FURTHER_COEFFICIENTS}{shown['fleiss kappa']}. Cohen's κ: {shown['kappa']}, with quadratic weights "
        f"{shown['weighted kappa']}{_on_pairs_of_raters(agreed, things)}.",
        *(_on_pairs(answers) if systems else on_answers(answers)),
        f"{agreed.n_shared} of {agreed.n_units} {things} were rated by two raters or more.",
    ]
    if len(_alphas_that_differ(agreed)) > 1:
        lines.insert(1, WHICH_ALPHA)
    if agreed.n_shared:
        lines.append(_on_intervals(agreed))
    is_told = not math.isnan(agreed.coefficients["alpha nominal"].value)
    if is_told:
        lines.append(SUFFICES)
    of_noise = "" if agreed.ceiling is None else f"{agreed.ceiling}."
    if systems and is_told:
        of_noise = _ON_PAIRS
    lines.append(of_noise or _NOT_KNOWN)
    given = _PREFERENCES if systems else "ratings"
    return lines + _flagged(agreed) + _for_paper(agreed, _alphas_that_differ(agreed), "rated", given, things)


def _on_pairs_of_raters(agreed: RaterAgreement, things: str) -> str:
    """Return the pairs of raters over which Cohen's κ is the mean, behind its value, and why it has no interval.

    Args:
        agreed: the agreement.
        things: the name of what raters rated.
    """
    n_enough, n_all = agreed.n_pairs
    shared = f"who share {FEWEST_SHARED} {things} or more"
    if not n_enough:
        return f" (no two raters {shared.removeprefix('who ')})" if n_all else ""
    of_all = f", of {n_all} who share any" if n_all > n_enough else ""
    is_alone = math.isnan(agreed.coefficients["kappa"].low) and not math.isnan(agreed.coefficients["alpha nominal"].low)
    untold = "; without an interval, for their outputs are too few or all alike" if is_alone else ""
    mean = "of one pair" if n_enough == 1 else f"the mean over {n_enough} pairs"
    return f", {mean} of raters {shared}{of_all}{untold}"


def _on_pairs(answers: Sequence[Answer]) -> list[str]:
    """Return the sentence on pairs of preferences that are the same; none without pairs, and of shares of a scale."""
    if len({answer.value for answer in answers}) > MOST_LABELS:
        return []
    return same_lines(same_answers(answers), len({answer.rater for answer in answers}), "answer", "pair of outputs")


def on_answers(answers: Sequence[Answer]) -> list[str]:
    """Return sentences on answers with few values: how often two raters gave the same, and the share of one of two.

    There are none on other ratings, and on pairs of raters if nothing was rated twice.
    """
    counts = Counter(answer.value for answer in first_answers(answers))
    if len(counts) > MOST_LABELS:
        return []
    lines = same_lines(same_answers(answers), len({answer.rater for answer in answers}), "answer")
    if len(counts) <= _TWO:
        highest = max(counts)
        n_highest, n_all = counts[highest], counts.total()
        lines.append(f"Share of answers {highest:g}: {n_highest / n_all:.1%} ({n_highest} of {n_all}).")
    return lines


def same_lines(same: tuple[int, int], n_raters: int, answer: str, thing: str = "output") -> list[str]:
    """Return the sentence on pairs of answers that are the same; none without pairs.

    Args:
        same: see `same_answers`.
        n_raters: number of raters.
        answer: the name of what raters gave.
        thing: the name of what they rated.
    """
    n_alike, n_pairs = same
    if not n_pairs:
        return []
    share = f"({n_alike / n_pairs:.1%})"
    if n_raters == _TWO:
        things = "outputs" if thing == "output" else "pairs of outputs"
        return [f"Both gave the same {answer} to {n_alike} of {n_pairs} {things} {share}."]
    of_thing, pairs = ("an output", "pairs") if thing == "output" else (f"a {thing}", "cases")
    return [f"Two raters of {of_thing} gave the same {answer} in {n_alike} of {n_pairs} {pairs} {share}."]


_PREFERENCES = "preferences"

_NOT_KNOWN = "No output was rated twice, or all ratings are alike: how far raters agree is not known."

_ON_PAIRS = (
    "α, κ and the correlations of raters count each pair of outputs in both orders, so that the order of the systems "
    "does not matter: 0 is the agreement of raters who prefer either output alike often (Kendall & Babington Smith "
    "1940, Biometrika 31)."
)


def on_columns(rows: Sequence[Record], systems: Sequence[str], *, spaced: bool = False) -> str:
    """Explain the columns of the raters' rows.

    Args:
        rows: the rows, see `agreement_rows`.
        systems: the systems in their order if answers are preferences between them; none of ratings.
        spaced: whether the columns' names have spaces, as in a table for a paper.
    """
    answer, repeats = ("one answer", "n repeats") if spaced else ("one_answer", "n_repeats")
    told = [f"{answer}: share of the rater's most frequent answer"]
    if any(not math.isnan(row.get("correlation", math.nan)) for row in rows):
        told.append("correlation: the rater's mean Pearson's r with each other one, over the outputs that both rated")
    if systems:
        compared = f"{systems[-1]} over {systems[0]}"
        if len(systems) > 2:
            compared = f"the later of two systems in their order ({', '.join(systems)})"
        told.insert(0, f"mean: share of preferences for {compared}, ties half each")
    if any(row["n_repeats"] for row in rows):
        told.append(
            f"{repeats}: outputs that came again, which count here alone; same: share of them with the same answer as "
            "before; distance: the mean distance of the two answers"
        )
    return f"{'; '.join(told)}."


def _alphas_that_differ(agreed: RaterAgreement) -> list[str]:
    """Return the kinds of α for ratings that have values of their own; one of answers with two values alone."""
    shown: dict[str, str] = {}
    for kind in ("ordinal", "interval"):
        shown.setdefault(_figure(agreed.coefficients[f"alpha {kind}"]), kind)
    if list(shown) == [_figure(agreed.coefficients["alpha nominal"])]:
        return ["nominal"]
    return list(shown.values())


def _for_paper(
    agreed: RaterAgreement, kinds: Sequence[str], rated: str, answers: str, things: str = "outputs"
) -> list[str]:
    """Return the sentence to quote on agreement; none if nothing is known of it.

    Args:
        agreed: the agreement.
        kinds: of α.
        rated: verb of the raters.
        answers: the name of what they gave.
        things: the name of what they rated.
    """
    alphas = [agreed.coefficients[f"alpha {kind}"] for kind in kinds]
    if any(math.isnan(alpha.value) for alpha in alphas):
        return []
    told = listed([f"{_figure(alpha)} ({kind})" for kind, alpha in zip(kinds, alphas, strict=True)])
    _, group = _groups(agreed)
    in_both_orders = ", with each pair in both orders," if answers == _PREFERENCES else ""
    intervals = ""
    if not math.isnan(alphas[0].low):
        intervals = f"{percent(LEVEL)} intervals for these raters and further {group}s, by a jackknife over {group}s; "
    return [
        f"{FOR_THE_PAPER}{_counted(agreed, rated, answers, things)}. Krippendorff's α{in_both_orders} was {told} "
        f"({intervals}computed with {implementation()})."
    ]


def _counted(agreed: RaterAgreement, rated: str, answers: str, things: str) -> str:
    """Return the numbers of raters, of their answers and of what several of them rated, in words."""
    n, group = _groups(agreed)
    of_groups = "" if n == agreed.n_shared else f" of {n} {group}{'s' if n > 1 else ''}"
    n_answers = sum(row["n"] for row in agreed.raters)
    return (
        f"{len(agreed.raters)} raters gave {n_answers} {answers}, and {agreed.n_shared} {things}{of_groups} were "
        f"{rated} by two raters or more"
    )


def agreement_basis(agreed: RaterAgreement, systems: Sequence[str] = (), *, are_labels: bool = False) -> list[str]:
    """Return the basis of the coefficients as a caption has it: raters, answers, outputs and the kind of intervals.

    Args:
        agreed: the agreement.
        systems: the systems in their order if answers are preferences between them; none of others.
        are_labels: whether answers are labels.
    """
    rated, answers = ("labelled", "labels") if are_labels else ("rated", _PREFERENCES if systems else "ratings")
    counted = f"{_counted(agreed, rated, answers, 'pairs of outputs' if systems else 'outputs')}."
    return [counted, *([_on_intervals(agreed)] if agreed.n_shared else [])]


def label_lines(found: LabelAgreement) -> list[str]:
    """Return agreement on labels in sentences."""
    agreed = found.agreed
    shown = {name: _figure(each) for name, each in agreed.coefficients.items()}
    lines = [
        f"Krippendorff's α of labels (nominal): {shown['alpha nominal']}. Fleiss' κ: {shown['fleiss kappa']}. Cohen's "
        f"κ: {shown['kappa']}{_on_pairs_of_raters(agreed, 'outputs')}"
        f"{_kind_of_intervals(agreed)}.",
    ]
    lines += same_lines(found.alike, len(agreed.raters), "label")
    if found.alphas:
        each = ", ".join(f"{label} {_figure(alpha)}" for label, alpha in found.alphas.items())
        lines.append(f"α of each label, given or not: {each}.")
    shares = ", ".join(f"{label} {share:.0%}" for label, share in list(found.shares.items())[:MOST_LABELS])
    lines.append(f"Share of answers with each label: {shares}.")
    lines.append(f"{agreed.n_shared} of {agreed.n_units} outputs were labelled by two raters or more.")
    if agreed.n_shared:
        lines.append(_on_intervals(agreed))
    if not math.isnan(agreed.coefficients["alpha nominal"].value):
        lines.append(SUFFICES)
    return lines + _flagged(agreed) + _for_paper(agreed, ["nominal"], "labelled", "labels")


def _flagged(agreed: RaterAgreement) -> list[str]:
    """Say which raters to look at."""
    return [
        f"{rater['rater']} {' and '.join(rater['flags'])}: look at these ratings before you use them."
        for rater in agreed.raters
        if rater["flags"]
    ]


def _kind_of_intervals(agreed: RaterAgreement) -> str:
    """Return what the brackets of a sentence that stands alone hold; "" if it has none."""
    has_interval = any(not math.isnan(each.low) for name, each in agreed.coefficients.items() if "alpha" in name)
    return f" ({percent(LEVEL)} intervals)" if has_interval else ""


def _figure(coefficient: Coefficient) -> str:
    if math.isnan(coefficient.low):
        return number(coefficient.value)
    return f"{number(coefficient.value)} [{number(coefficient.low)}, {number(coefficient.high)}]"


def _groups(agreed: RaterAgreement) -> tuple[int, str]:
    """Return the number of what the intervals leave out one by one, and its name."""
    if agreed.n_shared_clusters:
        return agreed.n_shared_clusters, "cluster"
    return agreed.n_shared_items, "item"


def _on_intervals(agreed: RaterAgreement) -> str:
    """Describe the intervals, or give the reason why there are none."""
    n, group = _groups(agreed)
    if n < FEWEST_ITEMS:
        return (
            f"Only {n} {group}{'s' if n > 1 else ''} had two raters or more: no interval is given below {FEWEST_ITEMS}."
        )
    if math.isnan(agreed.coefficients["alpha nominal"].low):
        return "No two answers about an output differ: how far raters could differ on others is not known."
    what = f"Intervals ({LEVEL:.0%}) are for these raters and further {group}s like these {n}."
    if n < ENOUGH_ITEMS:
        return (
            f"Warning: {what} Over fewer than {ENOUGH_ITEMS} {group}s they can hold less than they say: in 91 % of "
            "simulated studies on a scale of two points."
        )
    return what


def span_lines(agreed: SpanAgreement) -> list[str]:
    """Return sentences on raters' agreement on errors, and on their treatment of errors that were marked beforehand."""
    lines = [
        f"spans: Krippendorff's α over characters (none, {', '.join(SEVERITIES)}): {_figure(agreed.alpha)}.",
    ]
    if agreed.f1:
        of_severity = ", ".join(f"{name} {number(agreed.f1[name])}" for name in SEVERITIES)
        lines.append(
            f"spans: F1 with partial overlap, characters as units: {number(agreed.f1[ANY])} of any severity, "
            f"{of_severity}; the mean over {agreed.n_pairs} pairs of raters of one output. Two raters who find nothing "
            "wrong agree."
        )
        of_severity = ", ".join(f"{name} {number(agreed.matched_f1[name])}" for name in SEVERITIES)
        lines.append(
            f"spans: F1 of errors matched one to one, with partial credit (arXiv 2603.19921, micro-averaged): "
            f"{number(agreed.matched_f1[ANY])} of any severity, {of_severity}."
        )
    if agreed.n_alone:
        lines.append(
            f"spans: {agreed.n_alone} of {agreed.n_outputs} outputs were marked by one rater only and are left out: "
            "they have no partner."
        )
    for each in agreed.prefilled:
        lines.append(
            f"spans: of {each.n} errors marked beforehand {each.rater} accepted {each.accepted}, changed "
            f"{each.changed} and rejected {each.rejected}, and marked {each.added} more in these outputs."
        )
    return lines
