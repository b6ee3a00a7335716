"""Facts on a study, and the paragraph on it for the methods section of a paper."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Collection, Mapping
from dataclasses import dataclass
from pathlib import Path

from referenceless_metrics.human_evaluation.exports.spans import TOLD_WEIGHTS
from referenceless_metrics.human_evaluation.inference.any_time import Looks
from referenceless_metrics.human_evaluation.inference.crossed import FEWEST_RATERS
from referenceless_metrics.human_evaluation.inference.preferences import PREFERENCE_TEST
from referenceless_metrics.human_evaluation.inference.unlike_items import UnlikeItems
from referenceless_metrics.human_evaluation.studies.agreement import OF_MEANS, Coefficient
from referenceless_metrics.human_evaluation.studies.completeness import Completeness, complete_items, completeness
from referenceless_metrics.human_evaluation.studies.criteria import PREFERENCE, Criterion
from referenceless_metrics.human_evaluation.studies.design import SOURCE_LABEL, Design, named_estimates
from referenceless_metrics.human_evaluation.studies.raters import (
    RaterAgreement,
    answers_of,
    check_remarks,
    item_of,
    rater_agreement,
)
from referenceless_metrics.human_evaluation.studies.reading import (
    StudyRatings,
    marked_outputs,
    rating_files,
    read_study,
)
from referenceless_metrics.human_evaluation.studies.span_agreement import ANY, SpanAgreement, span_agreement
from referenceless_metrics.human_evaluation.studies.spans import SPANS
from referenceless_metrics.human_evaluation.wording.phrases import count, listed

_MOST_RATERS = 5  # that are named for missing answers

UNPAID = "none"
"""Payment of raters who are not paid."""

_ANSWERED = "with all outputs answered by all of their raters (rated, or called impossible to judge)"

_RATED = "with all outputs rated by all of their raters (one that a rater could not judge does not count)"


@dataclass(frozen=True, eq=False)
class StudyFacts:
    """Facts that a study's files tell.

    Attributes:
        design: the study's design.
        raters: names of the raters who gave an answer.
        n_asked: number of answers that were asked for, repeats and checks included.
        n_given: number of answers that were given.
        n_timed: number of these with a time: pages note it, and sheets do not.
        n_unjudged: number of outputs that a rater could not judge.
        n_repeats: number of answers about outputs that the rater had judged before.
        repeats_answered: the screens with something that the rater had judged before, of which an answer was given,
            each by rater and number.
        n_checks: number of answers about damaged texts.
        checks: how often damaged texts were rated below the whole ones, a sentence for each criterion.
        agreement: agreement of raters by each criterion, by its name; without those that are not known.
        spans: agreement on marked errors; None if none are marked.
        reached: number of complete items; None without ratings.
        looks: the plan of looks at the findings, if there was more than one; None otherwise. The figures on agreement
            are then of complete items, as those of the analysis are.
        n_rated: number of items with an answer that counts, or a tie between equal outputs, which nobody was shown.
        n_complete_by: number of complete items by each criterion, by its name.
        answers_by: number of answers given, and of answers asked for, by rater.
        left_out: the raters who are left out of the analysis.
        days: the first and the last day on which ratings were given, as `2026-11-27`; "" if they are not known.
    """

    design: Design
    raters: tuple[str, ...]
    n_asked: int
    n_given: int
    n_timed: int
    n_unjudged: int
    n_repeats: int
    repeats_answered: frozenset[tuple[str, int]]
    n_checks: int
    checks: tuple[str, ...]
    agreement: dict[str, RaterAgreement]
    spans: SpanAgreement | None
    reached: Completeness | None
    looks: Looks | None
    n_rated: int
    n_complete_by: dict[str, int]
    answers_by: dict[str, tuple[int, int]]
    left_out: tuple[str, ...]
    days: tuple[str, str]

    @property
    def is_rated(self) -> bool:
        """Whether there are ratings."""
        return bool(self.raters)

    @property
    def is_in_sheets(self) -> bool:
        """Whether there are ratings, and all of them were written into sheets."""
        return self.is_rated and not self.n_timed

    @property
    def is_unfinished(self) -> bool:
        """Whether there are ratings, and answers are missing."""
        return self.reached is not None and not self.reached.is_finished

    @property
    def overlap(self) -> tuple[int, int]:
        """The fewest and the most raters of an item, as the study was drawn."""
        numbers = [len(item.raters) for item in self.design.items]
        return min(numbers), max(numbers)


def study_facts(folder: str | Path, looks: Looks | None = None) -> StudyFacts:
    """Return the facts that a study's files tell; a study without ratings has those of its design.

    Args:
        folder: folder of the study.
        looks: the plan of looks at the findings; None for one look, at the end.

    Raises:
        InputError: like `read_study`.
    """
    study = read_study(folder) if rating_files(folder) else None
    design = Design.read(folder) if study is None else study.design
    judgements = () if study is None else study.judgements
    n_repeats = 0
    repeats_answered = set()
    n_checks = 0
    for judgement in judgements:
        screen = design.raters[judgement.rater][judgement.screen - 1]
        if screen.check:
            n_checks += 1
        elif screen.repeat:
            n_repeats += 1
            repeats_answered.add((judgement.rater, judgement.screen))
    days = sorted(judgement.time[:10] for judgement in judgements if judgement.time)
    given = Counter(judgement.rater for judgement in judgements)
    asked = {
        rater: sum(len(design.asked_on(screen)) for screen in of_rater) for rater, of_rater in design.raters.items()
    }
    complete = {} if study is None else {name: complete_items(study, name) for name in design.asked}
    agreement: dict[str, RaterAgreement] = {}
    spans = None
    if study is not None:
        agreement = _agreement(study, None if looks is None else complete)
        spans = _agreement_on_spans(study, None if looks is None else complete)
    return StudyFacts(
        design=design,
        raters=tuple(sorted({judgement.rater for judgement in judgements})),
        n_asked=sum(asked.values()),
        n_given=len(judgements),
        n_timed=sum(bool(judgement.time) for judgement in judgements),
        n_unjudged=sum(math.isnan(judgement.rating) for judgement in judgements),
        n_repeats=n_repeats,
        repeats_answered=frozenset(repeats_answered),
        n_checks=n_checks,
        checks=() if study is None else tuple(told for name in design.asked for told in check_remarks(study, name)),
        agreement=agreement,
        spans=spans,
        reached=None if study is None else completeness(study),
        looks=looks,
        n_rated=0 if study is None else _n_rated(study),
        n_complete_by={name: len(items) for name, items in complete.items()},
        answers_by={rater: (given[rater], n) for rater, n in asked.items()},
        left_out=() if study is None else study.left_out,
        days=(days[0], days[-1]) if days else ("", ""),
    )


def _n_rated(study: StudyRatings) -> int:
    """Return the number of items with an answer that counts: repeats, checks and *cannot judge* do not."""
    value = PREFERENCE if study.design.are_preferences else "rating"
    counted = study.table[~study.table["repeat"]].dropna(subset=value)
    return int(counted["item"].nunique())


def _agreement(study: StudyRatings, complete: Mapping[str, Collection[int]] | None) -> dict[str, RaterAgreement]:
    """Return the agreement of raters by each criterion that has answers.

    Args:
        study: the study.
        complete: the places of the items that count, by criterion; None if all do.
    """
    found = {}
    for name in study.design.asked:
        answers = answers_of(study, name)
        if complete is not None:
            answers = [answer for answer in answers if item_of(answer.unit) in complete[name]]
        if answers:
            found[name] = rater_agreement(answers, are_preferences=study.design.are_preferences)
    return found


def _agreement_on_spans(study: StudyRatings, complete: Mapping[str, Collection[int]] | None) -> SpanAgreement | None:
    """Return the agreement of raters on marked errors, on the items of `_agreement`; None if none are marked."""
    marked = marked_outputs(study)
    if complete is not None:
        items = study.design.items
        counted = {items[place].item for place in complete.get(SPANS, ())}
        marked = [each for each in marked if each.item in counted]
    return span_agreement(marked) if marked else None


def methods_paragraph(facts: StudyFacts, payment: str = "", *, all_pairs: bool = False) -> str:
    """Return a paragraph on a study for the methods section of a paper.

    Args:
        facts: facts of the study.
        payment: payment of the raters, such as "12 euros an hour"; `none` if they were not paid, "" if that is not
            known.
        all_pairs: whether the analysis compares all pairs of systems, and not only each with the baseline.
    """
    design = facts.design
    outputs = f"the outputs of {count(len(design.systems), 'system')} ({', '.join(design.systems)})"
    more = f" ({len(facts.left_out)} more left out)" if facts.left_out else ""
    judged = f"judged by {count(len(design.raters), 'rater')}{more}, {_overlap(facts)}"
    if len(design.items) == design.n_items:
        opening = f"We had {outputs} for all {count(design.n_items, 'item')} {judged}."
    else:
        drawn = how_drawn(design)
        drawn += "," if "," in drawn else ""
        opening = (
            f"We drew {count(len(design.items), 'item')} {drawn} from {design.n_items} and had {outputs} {judged}."
        )
    sentences = [
        opening,
        how_shown(design),
        _equal_outputs(design),
        *(_asked(criterion, design) for criterion in design.criteria),
        _paid(payment),
    ]
    if design.spans is not None:
        scored = f"An output's score by them is the negative sum of the errors' weights: {TOLD_WEIGHTS} (MQM)."
        sentences.insert(3, f"{marking(design)} {scored}")
    if design.overall:
        sentences.append("The mean of the criteria was chosen for the analysis before the first rating.")
    estimates, _ = named_estimates(design.metric, design.estimates_column)
    if estimates:
        sentences.append(
            f"Before the first rating, estimates of {listed(estimates)} were named for the analysis: they stand beside "
            "the ratings of means and differences (prediction-powered inference), and figures of the ratings alone are "
            "exploratory."
        )
    sentences += analysis_of(design, facts.looks, all_pairs=all_pairs)
    sentences.append(_stopping(facts))
    if facts.is_rated:
        sentences += [_given(facts), *agreement_sentences(facts), *facts.checks, exclusions(facts)]
    else:
        sentences.append("Nobody has rated yet.")
    return " ".join(sentence for sentence in sentences if sentence)


def _overlap(facts: StudyFacts) -> str:
    """Return the number of raters of each item, in words; of those who were asked, if answers are missing."""
    fewest, most = facts.overlap
    if fewest == most == len(facts.design.raters):
        if facts.is_unfinished:
            return "who were each asked to judge all of them" if most > 1 else "who was asked to judge all of them"
        return "who each judged all of them" if most > 1 else "who judged all of them"
    n = str(most) if fewest == most else f"{fewest} to {most}"
    if facts.is_unfinished:
        return f"of whom {n} {'was' if most == 1 else 'were'} asked for each item"
    return f"{n} for each item"


def how_drawn(design: Design) -> str:
    """Say how items were drawn; after a phrase with a comma another one follows."""
    unlike = "" if design.n_unlike is None else f", among the {design.n_unlike} of which outputs differ"
    if design.n_earlier:
        unlike += f", without the {design.n_earlier} of earlier studies"
    along = design.along
    if along is None:
        return f"at random{unlike}"
    if not along.strata:
        return f"systematically along the difference of the systems by {along.metric}{unlike}, with a random start"
    return f"at random within {len(along.strata)} strata of the difference of the systems by {along.metric}{unlike}"


def how_shown(design: Design) -> str:
    """Say how outputs are shown to raters."""
    if design.are_preferences:
        shown = "Two outputs of an item were shown side by side"
    elif design.layout == "apart":
        shown = "Each output was shown alone, those of one item far apart"
    else:
        shown = "All outputs of an item were shown on one screen"
    source = ", beside what they were made from" if any(item.source for item in design.items) else ""
    if source and design.source_label != SOURCE_LABEL:
        source += f" (“{design.source_label}”)"
    order = "in an order drawn anew for each rater"
    if design.blocks > 1:
        order = (
            f"in {design.blocks} blocks of items whose random order was the same for all raters; the order within a "
            "block was drawn anew for each rater"
        )
    return f"{shown}{source}, without the systems' names and {order}."


def _equal_outputs(design: Design) -> str:
    """Describe the treatment of equal outputs of an item; "" if there are none."""
    if all(len(set(item.outputs)) == len(item.outputs) for item in design.items):
        return ""
    if design.are_preferences:
        return "Equal outputs of an item were not shown, and counted as a tie."
    return "Equal outputs of an item were shown once, and the answer counted for each of their systems."


def analysis_of(design: Design, looks: Looks | None, *, all_pairs: bool = False) -> list[str]:
    """Return the test and its correction, in sentences; none of a single system."""
    n = design.n_comparisons(all_pairs=all_pairs)
    if not n:
        return []
    baseline = design.systems[0]
    of = "of all pairs of systems" if all_pairs else f"from {baseline}"
    whom = "raters in general" if len(design.raters) >= FEWEST_RATERS else "these raters"
    if design.are_preferences:
        whose = of if all_pairs else f"against {baseline}"
        test = f"Win rates {whose}, a tie being half a win, are tested for {whom} by {PREFERENCE_TEST}"
    elif looks is not None:
        test = (
            f"Differences of mean ratings {of} have confidence sequences for these raters (Waudby-Smith et "
            f"al. 2024, arXiv 2103.06476), whose p and intervals {looks.held('complete items')}"
        )
    else:
        test = f"Differences of mean ratings {of}, paired by item and rater, are tested by Student's t for {whom}"
    unlike = over_all_of(design, looks)
    scope = []
    if unlike is not None:
        scope = [f"Differences are {unlike.scope}: each is {unlike.factor} of that over the others."]
    if n == 1:
        return [f"{test}, in a single comparison.", *scope]
    figure = "win rate" if design.are_preferences else "difference"
    return [
        f"{test}; p is corrected for {n} comparisons by Holm's procedure, and each interval of a {figure} is at the "
        "level at which this procedure tests it.",
        *scope,
    ]


def over_all_of(design: Design, looks: Looks | None) -> UnlikeItems | None:
    """Return the numbers of items by which differences are put over all items; None if they are over those drawn.

    Confidence sequences are of the items of which outputs differ.
    """
    if design.n_unlike is None or looks is not None:
        return None
    unlike = UnlikeItems(design.n_unlike, design.n_items)
    return unlike if unlike.n_equal else None


def _stopping(facts: StudyFacts) -> str:
    """Say when rating ends, and which items count."""
    n = len(facts.design.items)
    looked = facts.looks is not None
    may_stop = ", or at a look at which a difference is shown" if looked else ""
    if facts.reached is None:
        return f"Rating ends when all {count(n, 'item')} are judged{may_stop}."
    if facts.reached.is_finished:
        return f"The number of items, {n}, was fixed before the first rating, and all of them were judged."
    if looked:
        return f"Rating ended when {_complete(facts)}, {_RATED}; these count."
    counted = "answers" if facts.design.are_preferences else "rated outputs"
    return (
        f"Answers are missing: {_missing(facts)}. All {counted} count, of {count(facts.n_rated, 'item')}, of which "
        f"{facts.reached.n_complete} are complete, {_ANSWERED}."
    )


def _complete(facts: StudyFacts) -> str:
    """Return the number of complete items, in words; by each criterion if the numbers differ."""
    n = len(facts.design.items)
    numbers = facts.n_complete_by
    (first, number), *others = numbers.items()
    if len(set(numbers.values())) == 1:
        return f"{number} of {n} items were complete"
    further = [f"{other} by {name}" for name, other in others]
    return f"{number} of {n} items were complete by {first}, {', '.join(further)}"


def _missing(facts: StudyFacts) -> str:
    """Name the raters who did not give all answers that were asked for, with the numbers."""
    lacking = {rater: answers for rater, answers in facts.answers_by.items() if answers[0] < answers[1]}
    told = [f"{rater} gave {given} of {asked}" for rater, (given, asked) in list(lacking.items())[:_MOST_RATERS]]
    if len(lacking) > _MOST_RATERS:
        told.append(f"{len(lacking) - _MOST_RATERS} more raters did not give all of theirs")
    return ", ".join(told)


def marking(design: Design) -> str:
    """Say how raters mark errors; "" if they mark none."""
    if design.spans is None:
        return ""
    parts = ["Raters first marked errors as minor or major"]
    if design.spans.categories:
        parts.append(f" and gave each of them a category ({', '.join(design.spans.categories)})")
    if design.spans.prefilled:
        parts.append(f"; errors found by {design.spans.origin} were marked beforehand, for raters to accept or reject")
    return f"{''.join(parts)}."


def _asked(criterion: Criterion, design: Design) -> str:
    """Return a criterion's question with its scale, in words."""
    by = f"By {criterion.name}, raters" if criterion.name else "Raters"
    if design.are_preferences:
        return f"{by} chose the better output or a tie (“{criterion.question}”)."
    scale = criterion.scale
    low, high = criterion.label(scale.low), criterion.label(scale.high)
    return f"{by} answered “{criterion.question}” on a scale from {scale.low} ({low}) to {scale.high} ({high})."


def _paid(payment: str) -> str:
    """Say whether raters are paid."""
    if not payment:
        return ""
    return "Raters were not paid." if payment == UNPAID else f"Raters were paid {payment}."


def _given(facts: StudyFacts) -> str:
    """Return the number of answers, who gave them and when, in words."""
    first, last = facts.days
    when = ""
    if first:
        when = f" on {first}" if first == last else f" between {first} and {last}"
    return (
        f"{count(len(facts.raters), 'rater')} gave {facts.n_given} of the {facts.n_asked} answers that were asked for"
        f"{when}."
    )


def agreement_sentences(facts: StudyFacts) -> list[str]:
    """Return the agreement of raters, a sentence for each criterion."""
    sentences = []
    for name, agreed in facts.agreement.items():
        by = f" by {name}" if name else ""
        alpha = agreed.coefficients[f"alpha {OF_MEANS}"]
        if math.isnan(alpha.value):
            sentences.append(f"Agreement{by} is not known: no output was judged twice, or all answers are alike.")
        else:
            orders = ", with each pair in both orders," if facts.design.are_preferences else ""
            sentences.append(f"Krippendorff's α{by} ({OF_MEANS}){orders} was {figure(alpha)}.")
    if facts.spans is not None and facts.spans.f1:
        sentences.append(
            f"On errors, α over characters was {figure(facts.spans.alpha)}, and F1 with partial overlap "
            f"{facts.spans.f1[ANY]:.2f} (characters) and {facts.spans.matched_f1[ANY]:.2f} (matched errors)."
        )
    return sentences


def figure(coefficient: Coefficient) -> str:
    """Return a coefficient with its interval, if it has one."""
    if math.isnan(coefficient.low):
        return f"{coefficient.value:.2f}"
    return f"{coefficient.value:.2f} (95% interval {coefficient.low:.2f} to {coefficient.high:.2f})"


def exclusions(facts: StudyFacts) -> str:
    """Name the raters and answers that do not count in the analysis."""
    left_out = []
    if facts.n_unjudged:
        left_out.append(f"{count(facts.n_unjudged, 'answer')} “cannot judge”")
    if facts.n_repeats:
        left_out.append(f"{count(facts.n_repeats, 'answer')} about outputs that were shown again")
    if facts.n_checks:
        left_out.append(f"{count(facts.n_checks, 'answer')} about damaged texts")
    sentences = ["The analysis leaves out no rater who answered."]
    if facts.left_out:
        sentences = [f"The analysis leaves out {count(len(facts.left_out), 'rater')}: {', '.join(facts.left_out)}."]
    if left_out:
        sentences.append(f"Not counted in the scores: {', '.join(left_out)}.")
    absent = sorted(set(facts.design.raters) - set(facts.raters))
    if absent:
        sentences.append(f"Without any answer: {', '.join(absent)}.")
    return " ".join(sentences)
