"""Report cards of scores beside people's ratings, as a table with sentences: of one score or of several."""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import asdict, replace
from functools import partial

import numpy as np

from referenceless_metrics.command_line.output_options import Writer
from referenceless_metrics.core.files.output import FOR_PAPERS, FOR_READERS, write_rows
from referenceless_metrics.core.files.paper_tables import with_decimals
from referenceless_metrics.core.registry import implementation
from referenceless_metrics.core.support.statistics import p_text
from referenceless_metrics.core.support.validation import InputError, Record
from referenceless_metrics.human_evaluation.drawings.judged import judged_plots
from referenceless_metrics.human_evaluation.judges.compared_agreement import (
    AgreementDifference,
    agreement_differences,
    is_turned,
)
from referenceless_metrics.human_evaluation.judges.judged_outputs import KEYS, JudgedOutputs, clusters_of
from referenceless_metrics.human_evaluation.judges.limits import Bad, Limits, limits_of
from referenceless_metrics.human_evaluation.judges.report_card import (
    CEILING,
    CORRECTED_MEAN,
    KAPPA,
    MEAN_RATING,
    PEARSON,
    RATING,
    SCORE,
    SPEARMAN,
    WITHIN_SYSTEMS,
    Figure,
    ReportCard,
    on_missing_intervals,
    report_card,
)
from referenceless_metrics.human_evaluation.ratings.model_raters import MEANS, UNKNOWN
from referenceless_metrics.human_evaluation.wording.holm_level import percent
from referenceless_metrics.human_evaluation.wording.on_means import on_lopsided_intervals
from referenceless_metrics.human_evaluation.wording.phrases import listed
from referenceless_metrics.pages.drawing import Plot, drawing
from referenceless_metrics.pages.findings import FOR_THE_PAPER


def cards_writer(judged: Sequence[JudgedOutputs], level: float, bad: Bad | None, plot: str | None = None) -> Writer:
    """Return what writes the report card of scores; of several scores or criteria a row for each, and how they compare.

    Args:
        judged: the scores with people's ratings, those of each criterion one after the other.
        level: confidence level of the intervals, in (0, 1).
        bad: the ratings that count as bad, for limits of the scores; None for no limits.
        plot: the file of a drawing of the ratings over the scores; None for none.

    Raises:
        InputError: if verdicts of 0 and 1 alone are to be drawn.
    """
    cards = [report_card(each, level) for each in judged]
    plots = judged_plots(judged, [_figure_told(_main(card)) for card in cards])
    if plot is not None and not plots:
        raise InputError("--plot draws ratings over scores, and verdicts of 0 and 1 have a table alone: leave it out")
    if plot is not None:
        drawing(plots).save(plot)
    if len(cards) == 1:
        return partial(_write_one, cards[0], judged[0], bad, plots)
    of_criteria: dict[str, list[JudgedOutputs]] = {}
    for each in judged:
        of_criteria.setdefault(each.criterion, []).append(each)
    return partial(_write_several, cards, judged, bad, plots, agreement_differences(of_criteria, level))


def _figure_told(figure: Figure) -> str:
    """Return a figure with its name, and its interval if it has one."""
    return f"{figure.what} {_interval(figure, reason=False)}"


def _write_one(
    card: ReportCard, judged: JudgedOutputs, bad: Bad | None, plots: Sequence[Plot], format: str, output: str | None
) -> None:
    """Write all figures of one score, in a paper those of one unit."""
    if format in FOR_PAPERS:
        card = _of_one_unit(card)
    limits = _limits(judged, bad, card.level)
    of_limits = [] if limits is None else [*limits.lines(), *_of_unscored(judged, bad)]
    further = [*_on_turned([judged]), *_on_systems([judged])]
    lines = [*of_limits, *_lines(card, judged), *further, _for_paper(card, judged)]
    summary: Record = {**_summary(card), "findings": lines}
    if limits is not None:
        summary["limits"] = limits.record()
    rows = _for_format([figure.row for figure in card.figures], format)
    headline = _headline_of_several([card], [judged], [])
    on_figures = [line for line in _lines(card, judged) if line != _on_intervals(card)]
    paper: Record = {"basis": [_on_intervals(card)], "note": [*on_figures, *_signature_note([judged])]}
    paper["rounding"] = partial(with_decimals, n=2)
    write_rows(rows, summary, format, output, lines=["", *lines], headline=headline, page={"plots": plots}, **paper)


def _of_unscored(judged: JudgedOutputs, bad: Bad | None) -> list[str]:
    """Return a sentence on the outputs without a score, which a filter drops at each limit; none without any."""
    n = len(judged.unscored)
    if bad is None or not n:
        return []
    n_bad = int(bad.holds(np.array(judged.unscored)).sum())
    return [f"Of the {n} rated outputs without a score {n_bad} count as bad; `filter` drops all {n} at any limit."]


def _write_several(
    cards: Sequence[ReportCard],
    judged: Sequence[JudgedOutputs],
    bad: Bad | None,
    plots: Sequence[Plot],
    differences: Mapping[str, Sequence[AgreementDifference]],
    format: str,
    output: str | None,
) -> None:
    """Write a row for each score and criterion, or all figures in formats that hold all."""
    level = cards[0].level
    criteria = list(dict.fromkeys(each.criterion for each in judged))
    places_of = {name: [place for place, each in enumerate(judged) if each.criterion == name] for name in criteria}
    of_criterion = {name: {"criterion": name} if len(criteria) > 1 else {} for name in criteria}
    limits = [_limits(each, bad, level) for each in judged]
    rows = _rows_for_readers(cards, judged) if format in FOR_READERS else []
    for name, of in places_of.items() if format not in FOR_READERS else ():
        rows += [{**of_criterion[name], **row} for row in _difference_rows(differences[name])]
        rows += [
            {**of_criterion[name], **row}
            for row in _rows_of_scores([cards[at] for at in of], [judged[at] for at in of])
        ]
    lines = _lines_of_several(cards, judged, differences)
    by_score: dict[str, Record] = {}
    for card, each, told in zip(cards, judged, limits, strict=True):
        facts = _summary(card) | ({} if told is None else {"limits": told.record()})
        of_score = by_score.setdefault(each.name, {})
        of_score.update({each.criterion: facts} if len(criteria) > 1 else facts)
        lines += [] if told is None else told.lines(f"{_called(each, judged)}: ")
    summary = {
        "level": level,
        "scores": by_score,
        "differences": [{**of_criterion[name], **asdict(each)} for name, of in differences.items() for each in of],
    }
    headline = " ".join(
        _headline_of_several([cards[at] for at in of], [judged[at] for at in of], differences[name])
        for name, of in places_of.items()
    )
    compared = [*_on_differences(differences, level, judged[0].givers), *_on_turned(judged)]
    paper: Record = {
        "basis": [*dict.fromkeys(map(_on_intervals, cards)), *_on_correction(differences)],
        "note": [*compared, *_signature_note(judged)],
    }
    write_rows(rows, summary, format, output, lines=["", *lines], headline=headline, page={"plots": plots}, **paper)


def _limits(judged: JudgedOutputs, bad: Bad | None, level: float) -> Limits | None:
    """Return the limits of scores on the rated outputs; None if nobody says which ratings are bad."""
    if bad is None:
        return None
    rated = judged.rated
    judge, human = (rated[name].to_numpy(dtype=float) for name in ("judge", "human"))
    return limits_of(judge, human, clusters_of(rated), bad, level)


LOWER = " (lower is better)"
"""Remark behind the name of a score of which lower is better."""

_MOST_NAMED = 6
"""Most scores that a headline of several names."""


def _headline_of_several(
    cards: Sequence[ReportCard],
    judged: Sequence[JudgedOutputs],
    differences: Sequence[AgreementDifference],
) -> str:
    """Return the main figure of each score in a sentence, the best first, and how the best two differ.

    Verdicts and other scores have different main figures, so that none of them is the best.
    """
    order = _best_first(cards, judged)
    first = judged[order[0]]
    by = f"{first.criterion}: " if first.criterion else ""
    if len(cards) == 1:
        return by + _headline(cards[0], first)
    mains = [_main(card) for card in cards]
    are_alike = len({main.what for main in mains}) == 1
    told = []
    for at in order[:_MOST_NAMED]:
        what = "" if are_alike else f"by {mains[at].what} "
        told.append(f"{_told(judged[at])} {what}{_interval(mains[at])}")
    if len(order) > _MOST_NAMED:
        told.append(f"{len(order) - _MOST_NAMED} others")
    counts = {(card.n_rated, card.n_outputs) for card in cards}
    on = ", on {} of {} outputs".format(*counts.pop()) if len(counts) == 1 else ""
    on += _in_common(judged) if on else ""
    kind = _kind_of_intervals(mains, cards[0].level)
    if not are_alike:
        return f"{by}Scores and {first.givers}{on}: {listed(told)}{kind}."
    sentence = f"{by}Scores and {first.givers}{on}, by {mains[0].what}: {listed(told)}{kind}."
    by_rank = [
        _in_favour(card.of_all[SPEARMAN], of_card)
        for card, of_card in zip(cards, judged, strict=True)
        if SPEARMAN in card.of_all
    ]
    if mains[0].what == PEARSON and len(by_rank) == len(cards) and max(by_rank) > by_rank[order[0]]:
        sentence += f" By {SPEARMAN}, {judged[by_rank.index(max(by_rank))].name} is first."
    pair = {judged[at].name for at in order[:2]}
    of_best = [each for each in differences if {each.first, each.second} == pair and each.what == mains[0].what]
    return " ".join([sentence, *(_difference_line(each, cards[0].level, first.givers) for each in of_best)])


def _in_common(judged: Sequence[JudgedOutputs]) -> str:
    """Return how many rated outputs all scores have, in words; "" if they have the same ones."""
    rated = [each.frame[each.frame["human"].notna()] for each in judged]
    keys = [{tuple(key) for key in frame[[name for name in KEYS if name in frame]].to_numpy()} for frame in rated]
    n_common = len(set.intersection(*keys))
    return f" each, {n_common} of them in common" if any(len(each) > n_common for each in keys) else ""


def _main(card: ReportCard) -> Figure:
    """Return the main figure of a card."""
    return card.of_all[KAPPA if card.are_verdicts else PEARSON]


def _in_favour(figure: Figure, judged: JudgedOutputs) -> float:
    """Return a figure of agreement, the higher the better: of a score of which lower is better with the other sign."""
    return -figure.value if figure.what != KAPPA and is_turned(judged) else figure.value


def _told(judged: JudgedOutputs) -> str:
    """Return the name of a score, with a remark if its correlations count with the other sign."""
    return f"{judged.name}{LOWER}" if not judged.are_verdicts and is_turned(judged) else judged.name


def _best_first(cards: Sequence[ReportCard], judged: Sequence[JudgedOutputs]) -> list[int]:
    """Return the places of cards, the one that agrees best first; in their order if they have other main figures."""
    if len({_main(card).what for card in cards}) > 1:
        return list(range(len(cards)))
    values = [_in_favour(_main(card), each) for card, each in zip(cards, judged, strict=True)]
    return sorted(range(len(cards)), key=lambda at: -math.inf if math.isnan(values[at]) else values[at], reverse=True)


def _rows_for_readers(cards: Sequence[ReportCard], judged: Sequence[JudgedOutputs]) -> list[Record]:
    """Return a row for each score with its agreement with people, by each criterion the best first."""
    criteria = list(dict.fromkeys(each.criterion for each in judged))
    has_scores = len({each.name for each in judged}) > 1
    rows = []
    for name in criteria:
        of = [at for at, each in enumerate(judged) if each.criterion == name]
        for place in _best_first([cards[at] for at in of], [judged[at] for at in of]):
            card, each = cards[of[place]], judged[of[place]]
            row: Record = {"criterion": name} if len(criteria) > 1 else {}
            row |= {"score": _told(each)} if has_scores or not row else {}
            row["n"] = card.n_rated
            rows.append({**row, **{what: _interval(card.of_all[what], reason=False) for what in _told_of_all(card)}})
    columns = list(dict.fromkeys(what for row in rows for what in row))  # verdicts have others than scores
    return [{what: row.get(what, "") for what in columns} for row in rows]


def _told_of_all(card: ReportCard) -> list[str]:
    """Return the names of the figures that say how a score agrees with people over all outputs."""
    told = ["sensitivity", "specificity", KAPPA]
    if not card.are_verdicts:
        told = [PEARSON, f"{PEARSON} {WITHIN_SYSTEMS}", SPEARMAN]
    return [what for what in told if what in card.of_all]


def _on_differences(differences: Mapping[str, Sequence[AgreementDifference]], level: float, givers: str) -> list[str]:
    """Return how scores differ in their agreement with the givers of ratings, by each criterion."""
    lines = []
    n_pairs = _n_pairs(differences)
    for name, of in differences.items():
        main = of[0].what if n_pairs > _MOST_PAIRS else None
        lines += [
            f"{name + ': ' if name else ''}{_difference_line(each, level, givers)}"
            for each in of
            if main in (None, each.what)
        ]
    return lines


def _on_correction(differences: Mapping[str, Sequence[AgreementDifference]]) -> list[str]:
    """Return how p of the differences of several scores is corrected, in a list; none of two scores."""
    n_compared = len(differences) * _n_pairs(differences)
    if n_compared < 2:
        return []
    over = f"{n_compared} pairs of scores"
    if len(differences) > 1:
        over = f"all {n_compared} pairs of scores by {len(differences)} criteria together"
    return [f"p of differences is corrected for {over} (Holm), and so are their intervals."]


def _on_turned(judged: Sequence[JudgedOutputs]) -> list[str]:
    """Return a line on scores of which lower is better, whose correlations count with the other sign; none without."""
    named = dict.fromkeys(each.name for each in judged if not each.are_verdicts and is_turned(each))
    if not named:
        return []
    return [
        f"Lower is better of {', '.join(named)}, by the name: a correlation below 0 is agreement, and the order of "
        "scores and their differences take it with the other sign."
    ]


def _n_pairs(differences: Mapping[str, Sequence[AgreementDifference]]) -> int:
    """Return the number of pairs of scores that are compared by a criterion."""
    return max(len({frozenset((each.first, each.second)) for each in of}) for of in differences.values())


def _lines_of_several(
    cards: Sequence[ReportCard],
    judged: Sequence[JudgedOutputs],
    differences: Mapping[str, Sequence[AgreementDifference]],
) -> list[str]:
    """Return the differences of scores, the meaning of the figures and the notes, in sentences."""
    lines = [*_on_differences(differences, cards[0].level, judged[0].givers), *_on_correction(differences)]
    lines += _on_turned(judged)
    lines.append(
        "Further figures of each score, such as its means, its ceiling and how errors go with length: -f csv, or one "
        "score at a time."
    )
    lines_of = [_lines(card, each, of_agreement=True) for card, each in zip(cards, judged, strict=True)]
    shared = [line for line in lines_of[0] if all(line in others for others in lines_of)]
    lines += shared
    for of_card, own in zip(judged, lines_of, strict=True):
        lines += [f"{_called(of_card, judged)}: {line}" for line in own if line not in shared]
    lines += _on_systems(judged)
    return [*lines, *(_for_paper(card, each) for card, each in zip(cards, judged, strict=True))]


_FEWEST_SYSTEMS = 3
"""Fewest systems whose order by a score is held against that by people."""


def _on_systems(judged: Sequence[JudgedOutputs]) -> list[str]:
    """Return the line that leads to the order of systems, in a list; none for few systems, and without files."""
    n_systems = min(each.rated["system"].nunique() for each in judged)
    if n_systems < _FEWEST_SYSTEMS or not all(each.files for each in judged):
        return []
    by_one = ", by one criterion at a time" if len({each.criterion for each in judged}) > 1 else ""
    return [
        f"Whether scores order the {n_systems} systems as {judged[0].givers} do (pairwise accuracy): `compare` in "
        f"place of `evaluate`, with the same --scores and --ratings{by_one}."
    ]


_MOST_PAIRS = 3
"""Most pairs of scores of which the differences by each figure are told; of more those by the main figure alone."""


def _called(one: JudgedOutputs, judged: Sequence[JudgedOutputs]) -> str:
    """Return what tells judged outputs from others: the score, the criterion or both."""
    has_scores = len({each.name for each in judged}) > 1
    has_criteria = len({each.criterion for each in judged}) > 1
    return ", ".join(filter(None, [one.name if has_scores else "", one.criterion if has_criteria else ""]))


def _difference_rows(differences: Sequence[AgreementDifference]) -> Iterator[Record]:
    """Yield a row for each difference of two scores."""
    for each in differences:
        less = f"{each.first} less {each.second}"
        row: Record = {"score": less, "what": each.what, "of": "all", "n": each.n, "value": each.value}
        yield {**row, "low": each.low, "high": each.high, "p holm": each.p_adjusted, "unit": ""}


def _rows_of_scores(cards: Sequence[ReportCard], judged: Sequence[JudgedOutputs]) -> Iterator[Record]:
    """Yield the rows of each score; those of ratings alone, if all scores have the same, stand once behind them."""
    rows_of = [[{"p holm": math.nan, **figure.row} for figure in card.figures] for card in cards]
    of_people = [row for row in rows_of[0] if row["what"].startswith(CEILING) or row["what"] == MEAN_RATING]
    # As text, in which two values that are not known are alike.
    told = [set(map(str, rows)) for rows in rows_of]
    shared = [row for row in of_people if all(str(row) in rows for rows in told)]
    once = set(map(str, shared))
    for each, rows in zip(judged, rows_of, strict=True):
        for row in rows:
            if str(row) not in once:
                yield {"score": each.name, **row}
    for row in shared:
        yield {"score": judged[0].givers.split()[-1], **row}


def _for_format(rows: Sequence[Record], format: str) -> list[Record]:
    """Return rows without units, which a line below the table tells, in formats that people read."""
    return [{name: cell for name, cell in row.items() if name != "unit" or format not in FOR_READERS} for row in rows]


def _summary(card: ReportCard) -> Record:
    """Return the facts that hold for all figures of a card."""
    return {
        "outputs": card.n_outputs,
        "rated": card.n_rated,
        "level": card.level,
        "verdicts": card.are_verdicts,
        "notes": list(card.notes),
    }


def _difference_line(each: AgreementDifference, level: float, givers: str) -> str:
    """Say which of two scores agrees better with the givers of ratings by a figure."""
    pair = f"{each.first} and {each.second}"
    value = f"difference {each.value:+.2f}"
    if each.missing:
        return f"{each.what}: nothing can be said of {pair} ({value}; no interval: {each.missing})."
    figures = f"{value} [{each.low:.2f}, {each.high:.2f}], {p_text(each.p_adjusted)}"
    figures += f", on the {each.n} outputs that have both scores" if each.are_fewer else ""
    if each.p_adjusted > 1 - level:
        return f"{each.what}: {pair} are not shown to differ in how they agree with {givers} ({figures})."
    return f"{each.what}: {each.first} agrees better with {givers} than {each.second} ({figures})."


def _headline(card: ReportCard, judged: JudgedOutputs) -> str:
    """Return the main figure in a sentence."""
    main = _main(card)
    scored = "outputs with a score" if judged.unscored else "outputs"
    sentence = f"{judged.name} and {judged.givers}, on {card.n_rated} of {card.n_outputs} {scored}: {main.what} "
    sentence += _interval(main)
    within = card.of_all.get(f"{main.what} {WITHIN_SYSTEMS}")
    sentence += "" if within is None else f"; {WITHIN_SYSTEMS} {_interval(within)}"
    return f"{sentence}{_kind_of_intervals([main], card.level)}."


def _lines(card: ReportCard, judged: JudgedOutputs, *, of_agreement: bool = False) -> list[str]:
    """Return the meaning of the figures, in sentences.

    Args:
        card: the card.
        judged: the scores that it is of.
        of_agreement: whether only figures of agreement with people are shown.
    """
    whats = set() if of_agreement else {each.what for each in card.figures}
    lines = [
        "sensitivity: of outputs that are rated 1, the share to which the score says 1; specificity: the same of 0."
    ]
    if not card.are_verdicts:
        lines = []
        if {"mean error", "r of length and error"} & whats:
            lines = [
                "Errors are scores less ratings, both brought to variance 1: above 0 the scores are above the ratings."
            ]
        if f"{SPEARMAN} {WITHIN_SYSTEMS}" in card.of_all:
            lines.append(
                "Over all systems r and ρ also count how the systems' means differ; within systems they are of "
                "differences from each system's mean, and say what a score tells of single outputs."
            )
        if card.ceiling is not None:
            by_rank = _in_favour(card.of_all[SPEARMAN], judged)
            is_passed = by_rank > card.ceiling.by_rank
            is_compared = is_passed or not of_agreement
            lines.append(card.ceiling.summary(by_rank) if is_compared else f"{card.ceiling}.")
        if not of_agreement and any(each.unit == RATING for each in card.figures):
            means = f"{CORRECTED_MEAN}s" if CORRECTED_MEAN in whats else "mean ratings"
            lines.append(f"Mean scores are in the unit of the scores, {means} in that of the ratings.")
            ends = [(each.value, each.low, each.high) for each in card.figures if each.unit == RATING]
            lines += on_lopsided_intervals(ends, has_scale=False)
    return [
        *lines,
        _on_intervals(card),
        *(["Corrected means hold if the rated outputs are a random part."] if CORRECTED_MEAN in whats else []),
        *(_notes_on_agreement(card) if of_agreement else card.notes),
    ]


def _notes_on_agreement(card: ReportCard) -> list[str]:
    """Return the notes of a card of which figures of agreement alone are shown: other intervals are not missed."""
    on_others = on_missing_intervals(card.figures)
    on_shown = on_missing_intervals([card.of_all[what] for what in _told_of_all(card)])
    return [*on_shown, *(note for note in card.notes if note not in on_others)]


def _on_intervals(card: ReportCard) -> str:
    """Return the meaning of the intervals, in a sentence."""
    kind = "cluster" if card.in_clusters else "item"
    of_ceiling = "" if card.ceiling is None else "; that of the ceiling takes outputs as independent"
    return (
        f"Intervals ({percent(card.level)}) take {kind}s as independent, and outputs of one {kind} as "
        f"dependent{of_ceiling}."
    )


def _of_one_unit(card: ReportCard) -> ReportCard:
    """Return a card with the figures of a table for a paper: those without a unit, and of verdicts the shares, too.

    Means of scores, and of ratings, are in units of their own, and do not stand in one column with r.
    """
    return replace(card, figures=tuple(each for each in card.figures if card.are_verdicts or not each.unit))


def _signature_note(judged: Sequence[JudgedOutputs]) -> list[str]:
    """Return the note below a table for a paper: the signatures of the metrics that scored the outputs, if any did."""
    signatures = list(dict.fromkeys(each.signature for each in judged if each.signature))
    named = [f"Signature{'s' if len(signatures) > 1 else ''}: {'; '.join(signatures)}."] if signatures else []
    return [*named, f"Computed with {implementation()}."]


def _for_paper(card: ReportCard, judged: JudgedOutputs) -> str:
    """Return the agreement of scores with people in a sentence to quote."""
    n_parts = len(set(clusters_of(judged.rated).tolist()))
    kind = "cluster" if card.in_clusters else "item"
    parts = "" if n_parts == card.n_rated else f" of {n_parts} {kind}{'s' if n_parts > 1 else ''}"
    criterion = judged.criterion or judged.asked
    of = f" of {criterion!r}" if criterion else ""
    n_raters = judged.ratings["rater"].nunique() if "rater" in judged.ratings else 0
    people = {0: "people", 1: "one person"}.get(n_raters, f"{n_raters} people")
    if judged.are_of_judges:
        people = {0: "judges", 1: "a judge"}.get(n_raters, f"{n_raters} judges")
    by = "" if judged.given_by == UNKNOWN else f" by {people}"
    ratings = "mean ratings" if judged.given_by == MEANS else "ratings"
    on = f"On {card.n_rated} outputs{parts} with {len(judged.ratings)} {ratings}{of}{by}"
    scores = "the scores" if judged.name == SCORE else f"scores of {judged.described or judged.name}"

    def told(names: Sequence[str], suffix: str = "") -> str:
        return listed([f"{name} {_interval(card.of_all[name + suffix])}" for name in names])

    if card.are_verdicts:
        found = f"verdicts of {judged.described or judged.name} had {told(['sensitivity', 'specificity', KAPPA])}"
    else:
        found = f"{scores} had {told([PEARSON, SPEARMAN])} with mean ratings"
        if f"{PEARSON} {WITHIN_SYSTEMS}" in card.of_all:
            within = told([PEARSON, SPEARMAN], f" {WITHIN_SYSTEMS}")
            found += f"; {WITHIN_SYSTEMS}, as differences from each system's mean, {within}"
    intervals = f"{percent(card.level)} intervals take {kind}s as independent, outputs of one {kind} as dependent"
    signature = f"; signature: {judged.signature}" if judged.signature else ""
    return f"{FOR_THE_PAPER}{on}, {found} ({intervals}; computed with {implementation()}{signature})."


def _kind_of_intervals(figures: Sequence[Figure], level: float) -> str:
    """Return what the brackets of a sentence that stands alone hold; "" if it has none."""
    return f" ({percent(level)} intervals)" if any(not math.isnan(each.low) for each in figures) else ""


def _interval(figure: Figure, *, reason: bool = True) -> str:
    if math.isnan(figure.value):
        return "not defined"
    if math.isnan(figure.low):
        return f"{figure.value:.2f}" + (
            f" (no interval{f': {figure.missing}' if figure.missing else ''})" if reason else ""
        )
    return f"{figure.value:.2f} [{figure.low:.2f}, {figure.high:.2f}]"
