"""Answers to the Human Evaluation Datasheet (HEDS) 3.0, as far as a study's files know them.

Questions are named by their numbers in Belz & Thomson 2024, "HEDS 3.0: The Human Evaluation Data Sheet Version 3.0"
(arXiv 2412.07940), with short names in plain words. Those of section 4 are answered for each criterion. A question that
the files say nothing about is left open.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import NamedTuple

from referenceless_metrics.core.support.validation import InputError
from referenceless_metrics.human_evaluation.exports.spans import TOLD_WEIGHTS
from referenceless_metrics.human_evaluation.studies.agreement import OF_MEANS
from referenceless_metrics.human_evaluation.studies.criteria import Criterion
from referenceless_metrics.human_evaluation.studies.description import (
    UNPAID,
    StudyFacts,
    exclusions,
    figure,
    how_drawn,
    how_shown,
    marking,
    over_all_of,
)
from referenceless_metrics.human_evaluation.studies.design import Design
from referenceless_metrics.human_evaluation.studies.spans import SEVERITIES, SPANS
from referenceless_metrics.human_evaluation.wording.phrases import count

QUESTIONS: Mapping[str, str] = {
    "1.1.1": "main reference of the experiment",
    "1.1.2": "which experiment of that reference",
    "1.2": "where the resources are",
    "1.3.1.1": "name of who fills in this sheet",
    "1.3.1.2": "affiliation of who fills in this sheet",
    "1.3.1.3": "email address of who fills in this sheet",
    "1.3.2.1": "name of the contact author",
    "1.3.2.2": "affiliation of the contact author",
    "1.3.2.3": "email address of the contact author",
    "2.1": "type of the systems' input",
    "2.2": "type of the systems' output",
    "2.3": "task of the systems",
    "2.4": "input languages",
    "2.5": "output languages",
    "3.1.1": "outputs evaluated per system",
    "3.1.2": "selection of the outputs",
    "3.1.3.1": "method of the power analysis",
    "3.1.3.2": "statistical power of the sample",
    "3.1.3.3": "code of the power analysis",
    "3.2.1": "number of evaluators",
    "3.2.2.1": "expertise of the evaluators",
    "3.2.2.2": "payment of the evaluators",
    "3.2.2.3": "whether evaluators were known to the authors",
    "3.2.2.4": "whether authors are among the evaluators",
    "3.2.3": "recruitment of the evaluators",
    "3.2.4": "training and practice",
    "3.2.5": "other characteristics of the evaluators",
    "3.3.1": "preregistration",
    "3.3.2": "medium of the responses",
    "3.3.3.1": "types of quality assurance",
    "3.3.3.2": "details of the quality assurance",
    "3.3.4.1": "where the interface can be seen",
    "3.3.4.2": "information that evaluators see",
    "3.3.5": "freedom of when and how fast to evaluate",
    "3.3.6": "questions and feedback of evaluators",
    "3.3.7": "conditions of the evaluation",
    "3.3.8": "how conditions vary",
    "4.1.1": "type of quality",
    "4.1.2": "aspect of the output",
    "4.1.3": "frame of reference",
    "4.2.1": "objective or subjective",
    "4.2.2": "absolute or relative",
    "4.2.3": "intrinsic or extrinsic",
    "4.3.1.1": "name of the criterion for evaluators",
    "4.3.1.2": "standardised name of the criterion",
    "4.3.2": "definition given to evaluators",
    "4.3.3": "size of the scale",
    "4.3.4": "values of the scale",
    "4.3.5": "presentation of the scale",
    "4.3.6": "task, if there is no scale",
    "4.3.7": "question to evaluators, verbatim",
    "4.3.8": "form of the response",
    "4.3.9": "aggregation of responses",
    "4.3.10": "effect size and significance",
    "4.3.11.1": "measure of inter-annotator agreement",
    "4.3.11.2": "inter-annotator agreement",
    "4.3.12.1": "measure of intra-annotator agreement",
    "4.3.12.2": "intra-annotator agreement",
    "5.1": "ethics committee",
    "5.2": "personal data",
    "5.3": "special category data",
    "5.4": "impact assessments",
}
"""Short names of the questions, by their numbers."""

_OF_CRITERIA = "4."
"""Beginning of the numbers of questions that each criterion answers."""

_OF_ONE = "/"
"""Separator of the number of a question and the criterion, of an answer for one criterion alone."""

_AGGREGATION = "mean over items of each item's mean rating, for each system"
"""Answer on how ratings are aggregated."""

_INTERVALS = (
    "with 95% intervals; of several comparisons p is corrected by Holm's procedure, and each interval is at the level "
    "at which it tests"
)
"""End of the answer on effects: their intervals and tests."""


class SheetRow(NamedTuple):
    """A question of the data sheet with its answer.

    Attributes:
        number: number of the question.
        name: a short name of it.
        criterion: the criterion that it is about; "" for none, or one without a name.
        answer: "" for a question that is left open.
    """

    number: str
    name: str
    criterion: str
    answer: str


def datasheet(facts: StudyFacts, payment: str = "", further: Mapping[str, str] | None = None) -> list[SheetRow]:
    """Return all questions with the answers that a study's files know.

    Args:
        facts: facts of the study.
        payment: payment of the raters, such as "12 euros an hour"; `none` if they were not paid, "" if that is not
            known.
        further: answers by the number of their question, which stand in place of the study's; with the name of a
            criterion behind it, as in `4.2.1/fluency`, of that criterion alone.

    Raises:
        InputError: for a number that no question has, and a criterion that the study has not, or the question.
    """
    given = dict(further or {})
    for place in given:
        _check_place(place, facts.design)
    own = {number: answer for number, answer in given.items() if _OF_ONE not in number}
    of_study = {**_on_the_study(facts, payment), **own}
    known = [(criterion.name, _on_criterion(facts, criterion)) for criterion in facts.design.criteria]
    if facts.design.spans is not None:
        known.insert(0, (SPANS, _on_spans(facts)))
    by_criterion = []
    for criterion, of_criterion in known:
        of_one = {number: given[place] for number in QUESTIONS if (place := f"{number}{_OF_ONE}{criterion}") in given}
        by_criterion.append((criterion, {**of_criterion, **own, **of_one}))
    rows = []
    for number, name in QUESTIONS.items():
        if number.startswith(_OF_CRITERIA):
            rows += [SheetRow(number, name, criterion, answers.get(number, "")) for criterion, answers in by_criterion]
        else:
            rows.append(SheetRow(number, name, "", of_study.get(number, "")))
    return rows


def _check_place(place: str, design: Design) -> None:
    """Check that a question is in the sheet, and asks about the criterion that is named, if one is.

    Raises:
        InputError: if not.
    """
    number, slash, criterion = place.partition(_OF_ONE)
    names = list(design.asked)
    if number not in QUESTIONS:
        first, _, rest = number.partition(" ")
        section = [each for each in QUESTIONS if each[0] == number[:1]] or list(QUESTIONS)
        form = f"; that of one criterion is answered by {first}{_OF_ONE}{rest}=ANSWER" if first in QUESTIONS else ""
        raise InputError(
            f"there is no question {number!r} in HEDS 3.0: expected one from {section[0]} to {section[-1]}, as the "
            f"sheet lists them{form}"
        )
    if slash and not number.startswith(_OF_CRITERIA):
        raise InputError(f"question {number} is not asked for each criterion: answer it by {number}=ANSWER")
    if slash and criterion not in names:
        told = f"those are {', '.join(names)}" if any(names) else f"its one has no name: {number}=ANSWER"
        raise InputError(f"the study has no criterion {criterion!r} ({number}{_OF_ONE}{criterion}); {told}")


def _on_the_study(facts: StudyFacts, payment: str) -> dict[str, str]:
    """Return the answers to questions about the study, by their numbers."""
    design = facts.design
    answers = {
        "3.1.1": _number_of_outputs(facts),
        "3.1.2": _selection(design),
        "3.2.1": str(len(facts.raters) if facts.is_rated else len(design.raters))
        + (f", and {len(facts.left_out)} more who are left out" if facts.left_out else ""),
        "3.2.4": _training(facts),
        "3.3.2": _medium(facts),
        "3.3.3.1": _quality_assurance(facts),
        "3.3.3.2": exclusions(facts) if facts.is_rated else "",
        "3.3.4.2": _information(facts),
        "3.3.5": "none of the constraints: no time limit; evaluators may stop, and go on later",
        "3.3.6": "evaluators can write a comment on each text, and say that they cannot judge it",
    }
    if payment:
        answers["3.2.2.2"] = "not paid" if payment == UNPAID else f"paid: {payment}"
    return answers


def _medium(facts: StudyFacts) -> str:
    """Say in what evaluators answer; answers on pages have a time, and those in sheets have none."""
    pages, sheets, of_each = "web pages that open in a browser", "sheets (CSV)", "one for each evaluator, made by"
    used = f"{pages}, or {sheets}"
    if facts.is_in_sheets:
        used = sheets
    elif facts.is_rated:
        used = pages if facts.n_timed == facts.n_given else f"{pages}, and {sheets}"
    which = "" if facts.is_rated else " (say which were used)"
    return f"{used}, {of_each} referenceless-metrics{which}"


def _number_of_outputs(facts: StudyFacts) -> str:
    """Return the number of judged outputs of each system; of those that count, if a study lacks answers."""
    n = len(facts.design.items)
    if facts.reached is None or facts.reached.is_finished:
        return str(n)
    n_rated_by_all = facts.reached.n_complete - facts.reached.n_unjudged
    if facts.looks is not None:
        return f"{n_rated_by_all} with all ratings, of {n} that were drawn"
    return f"{facts.n_rated} of {n} that were drawn; {n_rated_by_all} of them with all ratings"


def _selection(design: Design) -> str:
    """Say how outputs were selected."""
    if len(design.items) == design.n_items:
        return f"no selection: all {design.n_items} items, the same for all systems"
    return (
        f"by an automatic random process from a larger set: {len(design.items)} of {design.n_items} items, "
        f"drawn {how_drawn(design)}, without replacement, by a pseudo-random generator "
        f"(seed {design.seed}), the same for all systems"
    )


def _training(facts: StudyFacts) -> str:
    """Describe the instructions of evaluators before they begin."""
    if facts.is_in_sheets:
        return ""  # sheets hold no instructions and no examples
    design = facts.design
    told = f"instructions on the first page: {design.instructions}" if design.instructions else "no instructions"
    n = sum(len(criterion.examples) for criterion in design.criteria)
    return f"{told}; {count(n, 'example')} with ratings; no practice"


def _quality_assurance(facts: StudyFacts) -> str:
    """Describe the checks of whether evaluators read."""
    screens = [screen for of_rater in facts.design.raters.values() for screen in of_rater]
    n_checks = sum(screen.check for screen in screens)
    n_repeats = sum(screen.repeat and not screen.check for screen in screens)
    parts = []
    if n_checks:
        parts.append(f"{count(n_checks, 'screen')} with damaged texts, which attentive evaluators rate below the whole")
    if n_repeats:
        parts.append(f"{count(n_repeats, 'screen')} shown a second time")
        n_answered = len(facts.repeats_answered)
        if facts.is_rated and n_answered < n_repeats:
            parts[-1] = f"{count(n_repeats, 'screen')} planned to be shown a second time, of which {n_answered} were"
    if not parts:
        return "none"
    return f"automatic quality checking during or after the evaluation: {'; '.join(parts)}"


def _information(facts: StudyFacts) -> str:
    """Describe the information that evaluators see while they judge."""
    design = facts.design
    shown = [how_shown(design), marking(design), "Beside the texts stand the question and the possible answers."]
    if not facts.is_in_sheets and any(criterion.examples for criterion in design.criteria):
        shown.append("Examples can be opened.")
    return " ".join(sentence for sentence in shown if sentence)


def _on_criterion(facts: StudyFacts, criterion: Criterion) -> dict[str, str]:
    """Return the answers to the questions about one criterion, by their numbers."""
    design = facts.design
    answers = {
        "4.2.2": _terms(facts),
        "4.2.3": "intrinsic",
        "4.3.1.1": criterion.name or "no name given",
        "4.3.2": design.instructions or "no definition given",
        "4.3.6": "N/A",
        "4.3.7": criterion.question,
        **_on_scale(criterion, in_sheets=facts.is_in_sheets),
        **_on_agreement(facts, criterion.name),
    }
    if design.are_preferences:
        return {**answers, "4.3.8": "relative quality estimation", "4.3.9": "share of wins, a tie being half a win"}
    return {**answers, "4.3.8": "direct quality estimation", "4.3.9": _AGGREGATION}


def _terms(facts: StudyFacts) -> str:
    """Say whether outputs of several systems are shown at once."""
    is_apart = facts.design.layout == "apart" or len(facts.design.systems) == 1
    return "absolute" if is_apart else "relative"


def _on_scale(criterion: Criterion, *, in_sheets: bool) -> dict[str, str]:
    """Return the answers to the questions about the scale, by their numbers."""
    scale = criterion.scale
    in_cells = "possible answers in words, beside an empty cell of the sheet"
    if scale.is_preference:
        presented = in_cells if in_sheets else "multiple-choice options"
        return {"4.3.3": "3", "4.3.4": "A is better, tie, B is better", "4.3.5": presented}
    words = [
        f"{value} ({criterion.label(value)})" for value in range(scale.low, scale.high + 1) if criterion.label(value)
    ]
    presented = "slider" if scale.high > 9 else "multiple-choice options (numbers)"
    if in_sheets:
        presented = in_cells
    return {
        "4.3.3": str(scale.high - scale.low + 1),
        "4.3.4": f"{scale.low} to {scale.high}: {', '.join(words)}",
        "4.3.5": presented,
    }


def _scope(facts: StudyFacts) -> str:
    """Return the items that differences are over, if they are not those that were drawn."""
    unlike = over_all_of(facts.design, facts.looks)
    return "" if unlike is None else f" ({unlike.scope})"


def _on_agreement(facts: StudyFacts, name: str) -> dict[str, str]:
    """Return the answers to the questions about agreement, by their numbers; open without ratings."""
    effect = "win rates" if facts.design.are_preferences else f"differences of means{_scope(facts)}"
    answers = {"4.3.10": f"{effect} {_INTERVALS}"}
    agreed = facts.agreement.get(name)
    if agreed is None:
        return answers
    alpha = agreed.coefficients[f"alpha {OF_MEANS}"]
    answers["4.3.11.1"] = f"Krippendorff's alpha ({OF_MEANS})"
    answers["4.3.11.2"] = "not known" if alpha.value != alpha.value else figure(alpha)
    repeated = [rater for rater in agreed.raters if rater["n_repeats"]]
    if not repeated:
        return {**answers, "4.3.12.1": "IntraAA not assessed", "4.3.12.2": "IntraAA not assessed"}
    answers["4.3.12.1"] = "share of outputs that were shown a second time and got the same answer"
    answers["4.3.12.2"] = ", ".join(f"{rater['rater']} {rater['same']:.2f}" for rater in repeated)
    return answers


def _on_spans(facts: StudyFacts) -> dict[str, str]:
    """Return the answers to the questions about marked errors, by their numbers."""
    answers = {
        "4.2.2": _terms(facts),
        "4.2.3": "intrinsic",
        "4.3.1.1": "no name given",
        "4.3.2": facts.design.instructions or "no definition given",
        "4.3.3": "N/A",
        "4.3.4": "N/A",
        "4.3.5": "N/A",
        "4.3.6": f"{marking(facts.design)} Severities: {', '.join(SEVERITIES)}.",
        "4.3.8": "evaluation through post-editing/annotation",
        "4.3.9": f"negative sum of the errors' weights ({TOLD_WEIGHTS}), the mean of each system",
        "4.3.10": f"difference of means{_scope(facts)} {_INTERVALS}",
    }
    if facts.spans is not None and facts.spans.f1:
        answers["4.3.11.1"] = (
            "Krippendorff's alpha over characters (nominal), F1 with partial overlap of characters, and F1 of matched "
            "errors with partial credit (arXiv 2603.19921)"
        )
        f1 = ", ".join(f"{name} {value:.2f}" for name, value in facts.spans.f1.items())
        matched = ", ".join(f"{name} {value:.2f}" for name, value in facts.spans.matched_f1.items())
        answers["4.3.11.2"] = (
            f"alpha {figure(facts.spans.alpha)}; F1 of characters {f1}; F1 of matched errors {matched}"
        )
    return answers
