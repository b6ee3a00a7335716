"""Agreement on labels that stand for no numbers: of all labels, and of each one against the others."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, replace

from referenceless_metrics.human_evaluation.ratings.categories import JOIN
from referenceless_metrics.human_evaluation.studies.agreement import Coefficient
from referenceless_metrics.human_evaluation.studies.raters import (
    Answer,
    RaterAgreement,
    coefficients_of,
    rater_agreement,
)
from referenceless_metrics.human_evaluation.studies.same_answers import same_answers

MOST_LABELS = 12
"""Most labels with an agreement of their own: the most frequent ones."""

_NOMINAL = ("alpha nominal", "fleiss kappa", "kappa")
_OF_NUMBERS = ("mean", "spread", "correlation", "distance")


@dataclass(frozen=True)
class LabelAgreement:
    """Agreement on labels.

    Attributes:
        agreed: agreement on categories, as `rater_agreement` returns it, without the figures for numbers.
        shares: the share of answers with each label, the most frequent first.
        alphas: Krippendorff's α of each label, given or not; of the most frequent `MOST_LABELS`.
        alike: see `same_answers`.
    """

    agreed: RaterAgreement
    shares: dict[str, float]
    alphas: dict[str, Coefficient]
    alike: tuple[int, int]


def label_agreement(answers: Sequence[Answer], categories: Sequence[str]) -> LabelAgreement:
    """Return the agreement of raters on labels.

    Args:
        answers: answers whose values are the numbers of categories.
        categories: the categories.

    Raises:
        InputError: for no answers.

    Example:
        >>> answers = [Answer(rater, text, text % 3, text % 3) for rater in ("ann", "bob") for text in range(20)]
        >>> label_agreement(answers, ["a", "b", "c"]).alphas["b"].value
        1.0
    """
    agreed = rater_agreement(answers, labels=categories)
    raters = [{name: cell for name, cell in row.items() if name not in _OF_NUMBERS} for row in agreed.raters]
    coefficients = {name: agreed.coefficients[name] for name in _NOMINAL}
    parts = [set(category.split(JOIN)) for category in categories]
    counts = Counter(label for answer in answers for label in parts[int(answer.value)])
    shares = {label: count / len(answers) for label, count in counts.most_common()}
    alphas = {}
    n_labels = len(set().union(*parts))
    for label in list(shares)[:MOST_LABELS] if n_labels > 2 else []:
        given = [answer._replace(value=float(label in parts[int(answer.value)])) for answer in answers]
        alphas[label] = coefficients_of(given)["alpha nominal"]
    plain = replace(agreed, coefficients=coefficients, raters=raters)
    return LabelAgreement(plain, shares, alphas, same_answers(answers))
