"""How far raters agree with one another and with themselves, and who seems not to look at the texts."""

from __future__ import annotations

from collections.abc import Hashable, Sequence
from dataclasses import dataclass
from typing import NamedTuple

from referenceless_metrics.assessment.rater_ceiling import RaterCeiling, rater_ceiling
from referenceless_metrics.core.support.validation import InputError, Record
from referenceless_metrics.human_evaluation.studies.agreement import Coefficient, agreement_coefficients
from referenceless_metrics.human_evaluation.studies.design import LETTERS
from referenceless_metrics.human_evaluation.studies.reading import StudyRatings

FEWEST = 10
"""Ratings below which nobody is flagged."""

ONE_ANSWER = 0.95
"""A rater who gives one answer to at least this share of the texts seems not to look at them."""


class Answer(NamedTuple):
    """What a rater said of something that was rated.

    Attributes:
        rater: who.
        unit: what was rated: an output, or two of them; of a tuple the first element is the item.
        value: the rating; of a preference the share of a win for the same one of the two, however they were shown.
        shown: what the rater chose on the screen.
    """

    rater: str
    unit: Hashable
    value: float
    shown: float


@dataclass(frozen=True)
class Agreement:
    """How far raters agree.

    Attributes:
        coefficients: see `agreement_coefficients`; NaN where nothing was rated twice or all answers are one.
        n_units: how many outputs were rated.
        n_shared: how many by at least two raters.
        raters: of each one, by name: `rater`; `n` ratings, without repeats; their `mean` and `spread` (the standard
            deviation, NaN for one rating); `one_answer`, the share of the answer that the rater chose most often;
            `n_shared` ratings of what others rated too; `correlation` with the other raters, the mean product of two
            raters' standardised ratings of the same (NaN where nobody else rated the same); `n_repeats`, how often the
            rater rated the same again, with the share of the `same` answer and the mean `distance` of the two (NaN
            without repeats); `flags`, what is striking, in words.
        ceiling: what rater noise leaves a metric; None where nothing was rated twice, or all alike.
    """

    coefficients: dict[str, Coefficient]
    n_units: int
    n_shared: int
    raters: list[Record]
    ceiling: RaterCeiling | None


def answers_of(study: StudyRatings) -> list[Answer]:
    """Return a study's answers in the order of the screens, an answer for each thing shown, repeats last."""
    answers = []
    for rater, number, output, rating, *_ in sorted(study.judgements):
        screen, value = study.design.raters[rater][number - 1], rating
        if screen.check or rating != rating:
            continue
        unit: Hashable = tuple(sorted(screen.outputs))
        if not study.design.scale.is_preference:
            unit = screen.outputs[LETTERS.index(output)]
        elif screen.outputs[0] > screen.outputs[1]:
            value = 1 - rating
        answers.append(Answer(rater, (screen.item, unit), value, rating))
    return answers


def remarks_of(study: StudyRatings) -> list[str]:
    """Say who rated damaged texts as high as the whole ones, and who could not judge how many texts."""
    whole: dict[Hashable, float] = {}
    checks: dict[str, list[bool]] = {}
    unjudged: dict[str, int] = {}
    for rater, number, output, rating, *_ in sorted(study.judgements):
        screen = study.design.raters[rater][number - 1]
        text = (rater, screen.item, screen.outputs[LETTERS.index(output[0])])
        if rating != rating:
            unjudged[rater] = unjudged.get(rater, 0) + 1
        elif screen.check:
            if text in whole:
                checks.setdefault(rater, []).append(rating >= whole[text])
        else:
            whole.setdefault(text, rating)
    return [
        *(
            f"{rater} rated {sum(failed)} of {len(failed)} damaged texts as high as the whole ones: look at these "
            "ratings before you use them."
            for rater, failed in checks.items()
            if any(failed)
        ),
        *(
            f"{rater} could not judge {n} text{'s' * (n > 1)}; why stands in the ratings' comments."
            for rater, n in unjudged.items()
        ),
    ]


def rater_agreement(answers: Sequence[Answer]) -> Agreement:
    """Return how far raters agree with one another and with themselves.

    A rater's first answer about a unit counts; later ones are repeats. Nobody is left out; one answer nearly always
    (`ONE_ANSWER`), in at least `FEWEST` ratings, is flagged. A rater's mean correlation with the others is that of the
    products of two raters' standardised ratings of one unit.

    Args:
        answers: of all raters, each one's in the order in which they were given.

    Raises:
        InputError: for no answers.

    Example:
        >>> answers = [Answer(rater, text, text % 5, text % 5) for rater in ("ann", "bob") for text in range(20)]
        >>> rater_agreement(answers).coefficients["alpha nominal"].value
        1.0
    """
    if not answers:
        raise InputError("there are no ratings")
    import pandas as pd

    table = pd.DataFrame(list(answers), columns=Answer._fields)
    later = table.duplicated(["rater", "unit"])
    kept, again = table[~later], table[later].merge(table[~later], on=["rater", "unit"])
    distances = (again.value_x - again.value_y).abs()
    times = kept.unit.value_counts()
    wide = kept.assign(unit=pd.factorize(kept.unit)[0]).pivot(index="unit", columns="rater", values="value")
    known = wide.notna() & (wide.std() > 0)
    scores = ((wide - wide.mean()) / wide.std()).where(known, 0.0)
    pairs = known.mul(known.sum(axis=1) - 1, axis=0).sum()
    products = (scores * (known.mul(scores.sum(axis=1), axis=0) - scores)).sum()  # with the others' of what both rated
    raters: list[Record] = []
    for rater, mine in kept.groupby("rater"):
        most, of_repeats = mine.shown.value_counts(normalize=True), distances[again.rater == rater]
        n, n_shared, correlation = len(mine), int((times[mine.unit] > 1).sum()), float((products / pairs)[rater])
        gives_one = n >= FEWEST and most.iloc[0] >= ONE_ANSWER
        flags = [f"gives {most.index[0]:g} in {most.iloc[0]:.0%} of {n} ratings"] if gives_one else []
        raters.append(
            {"rater": str(rater), "n": n, "mean": float(mine.value.mean()), "spread": float(mine.value.std())}
            | {"one_answer": float(most.iloc[0]), "n_shared": n_shared, "correlation": correlation}
            | {"n_repeats": len(of_repeats), "same": float((of_repeats == 0).mean())}
            | {"distance": float(of_repeats.mean()), "flags": flags}
        )
    items = kept["unit"].map(lambda unit: unit[0] if isinstance(unit, tuple) else unit)
    codes = [pd.factorize(column)[0] for column in (kept["unit"], kept["rater"], items)]
    return Agreement(
        agreement_coefficients(codes[0], codes[1], kept["value"].to_numpy(dtype=float), codes[2]),
        len(times),
        int((times > 1).sum()),
        raters,
        rater_ceiling([repr(unit) for unit in kept.unit], kept.value),
    )
