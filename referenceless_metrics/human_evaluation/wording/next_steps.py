"""Next steps on a page of results: sentences and commands that follow from the finding."""

from __future__ import annotations

import math
import shlex
from collections.abc import Mapping, Sequence
from pathlib import Path

from referenceless_metrics.human_evaluation.inference.crossed import FEWEST_RATERS
from referenceless_metrics.human_evaluation.inference.human_score import Contrast
from referenceless_metrics.human_evaluation.ratings.model_raters import MEANS, PEOPLE, UNKNOWN
from referenceless_metrics.human_evaluation.scores.findings import Findings
from referenceless_metrics.human_evaluation.wording.contrast_phrases import items_of_sample, rated_sample
from referenceless_metrics.human_evaluation.wording.phrases import listed

MORE_OUTPUTS = "Have at least 10 outputs of each system rated, or compared, of the same items and drawn at random."
"""Advice on means, or shares of wins, without intervals."""

_FIRST_STUDY = 50
"""Items of a first study: its page says which difference they find."""

_ENDS = "LOW-HIGH"
"""Words of a command line that stand for the ends of a scale that is not known."""

_TIMES = 4
"""Times as many items of a further study, which finds half the difference."""


OF_SAMPLE = "OUTPUTS stands for what `sample` drew from: the files, with the options that name their columns."
"""Explanation of a command line on a study whose folder does not tell from which files it was drawn."""


def new_folder(name: str) -> str:
    """Return a name of a folder that does not exist yet: the name, or the name with a number."""
    folder = name
    number = 1
    while Path(folder).exists():
        number += 1
        folder = f"{name}-{number}"
    return folder


def study_commands(files: Sequence[str], n_items: int, n_raters: int = 3, asked: Sequence[str] = ()) -> list[str]:
    """Return the commands that draw outputs of systems, have them rated, and read the ratings.

    Args:
        files: the systems' outputs.
        n_items: number of items to draw.
        n_raters: number of raters.
        asked: the options that tell what raters are asked; none for what `sample` asks by itself.
    """
    folder = new_folder("study")
    drawn = shlex.join([*files, "-n", str(n_items), "--raters", str(n_raters), *asked])
    return [
        f"referenceless sample {drawn} -o {folder}",
        f"referenceless rate {folder}",
        f"referenceless human-score {folder}",
    ]


def asked_again(scales: Mapping[str, tuple[float, float] | None]) -> list[str]:
    """Return the options of `sample` with which raters are asked by the same criteria again.

    Args:
        scales: the ends of the scale of each criterion, by its name, "" for one without a name; None if not known.

    >>> asked_again({"": (1.0, 6.0)}), asked_again({"style": None, "form": (1.0, 5.0)})
    (['--scale', '1-6'], ['--criterion', 'style=LOW-HIGH', '--criterion', 'form=1-5'])
    """
    told = {name: _ENDS if scale is None else f"{scale[0]:g}-{scale[1]:g}" for name, scale in scales.items()}
    if "" in told:
        return [] if told[""] == _ENDS else ["--scale", told[""]]
    return [word for name, ends in told.items() for word in ("--criterion", f"{name}={ends}")]


def first_study(files: Sequence[str], n_outputs: int) -> list[str]:
    """Return the next steps for systems that nobody rated.

    Args:
        files: the systems' outputs.
        n_outputs: number of outputs of each system.
    """
    return [
        "To claim that people rate a system higher, draw outputs, have them rated, and read the ratings:",
        *study_commands(files, min(_FIRST_STUDY, n_outputs)),
    ]


def after_ratings(
    contrasts: Mapping[str, Sequence[Contrast]],
    files: Sequence[str] = (),
    unrated: Sequence[str] = (),
    n_outputs: int | None = None,
    scales: Mapping[str, tuple[float, float] | None] | None = None,
) -> list[str]:
    """Return the next steps after ratings or preferences: a report, or more items to show a difference.

    Args:
        contrasts: the differences, or win rates, by each criterion, by its name; "" for one without a name.
        files: the systems' outputs, for commands; none if they are not known.
        unrated: names of systems that have too few ratings for any finding.
        n_outputs: number of outputs of each system; None if it is not known.
        scales: see `asked_again`, of what raters may be asked again; None for nothing.
    """
    steps = []
    if unrated:
        steps.append(
            f"{listed(unrated)} {'has' if len(unrated) == 1 else 'have'} no ratings, or too few: no finding about "
            "people is about them. To claim something of them, have their outputs for the same items rated, too."
        )
    every = [(criterion, each) for criterion, of_criterion in contrasts.items() for each in of_criterion]
    if not every:
        return [*steps, "To compare systems, have outputs of a second one rated, of the same items."]
    not_shown = [(criterion, each) for criterion, each in every if not each.is_shown]
    if not not_shown:
        steps.append(
            f"Every difference{_of_differences(contrasts, are_all_rated=not unrated)} is shown: report the sentences "
            "for the paper, and the table with its caption."
        )
    if any(each.given_by == UNKNOWN for _, each in every):
        steps.append(
            "Nothing tells who gave the answers: name the column of raters (--rater-column NAME), so that the finding "
            "may be about people."
        )
    elif any(each.given_by == MEANS for _, each in every):
        steps.append(
            "Nothing tells how many people each mean is of: give their single ratings, with a column of raters, so "
            "that the finding may be about people."
        )
    elif not all(each.raters.about_others for _, each in every):
        steps.append(
            f"The finding is about these raters. To speak of people in general, have at least {FEWEST_RATERS} raters "
            "rate outputs of each system."
        )
    # For ratings that are looked at as they come in, the size that so many items find is not known.
    of_one_look = [(name, each) for name, each in not_shown if getattr(each, "watched", None) is None]
    open_ones = [
        (name, each) for name, each in of_one_look if items_of_sample(each) > 1 and 0 < _detectable(each) < math.inf
    ]
    if not open_ones:
        return steps
    criterion, most = max(open_ones, key=lambda named: _detectable(named[1]))
    by_more = most.detectable(_TIMES)
    beginning = f"By {criterion}, no" if criterion else "No"
    steps.append(
        f"{beginning} difference is shown between {most.system} and {most.baseline}: one may still exist. Ratings of "
        f"{rated_sample(most)} find a difference of {_detectable(most):.3g} four times in five, and of {_TIMES} times "
        f"as many one of {by_more:.3g}."
    )
    if not files:
        return steps
    n = _TIMES * items_of_sample(most)
    if n_outputs is not None and n > n_outputs:
        n = n_outputs
        steps.append(f"There are outputs of {n_outputs} items alone: have the systems write outputs of more, too.")
        if n <= items_of_sample(most):
            return steps
    asked = asked_again(scales or {})
    to_fill_in = f"{_ENDS} stands for the ends of the scale; " if any(_ENDS in word for word in asked) else ""
    other_basis = "what `sample` foretells rests on public judgements, and the sentence above on these ratings"
    return [*steps, f"To have more rated ({to_fill_in}{other_basis}):", *study_commands(files, n, FEWEST_RATERS, asked)]


def further_items(study: str, n_items: int) -> str:
    """Return the note on a further study of items that a study did not draw.

    Args:
        study: the study's folder.
        n_items: number of items that are left.
    """
    folder = shlex.quote(study)
    further = shlex.quote(new_folder(f"{study.rstrip('/')}-2"))
    return (
        f"{n_items} items were not drawn: to have some of them rated, too, `referenceless sample OUTPUTS -n N --pilot "
        f"{folder} --without-study {folder} -o {further}`, and then `referenceless human-score {folder} {further}`, "
        f"which says that p does not count this look. {OF_SAMPLE}"
    )


def _of_differences(contrasts: Mapping[str, Sequence[Contrast]], *, are_all_rated: bool) -> str:
    """Say which differences were tested: from the baseline, if not all pairs were, and by which criteria."""
    every = [each for of_criterion in contrasts.values() for each in of_criterion]
    baselines = {each.baseline for each in every}
    has_others = len({each.system for each in every}) > 1
    of = f" from {baselines.pop()}" if has_others and len(baselines) == 1 else ""
    if not are_all_rated:
        of += " between rated systems"
    return f"{of} by {listed(list(contrasts))}" if len(contrasts) > 1 else of


def after_unfinished(*, of_looks: bool = False, preferences: bool = False) -> list[str]:
    """Return the next steps for a study that lacks answers, and the outputs that the figures are of.

    Args:
        of_looks: whether the figures are those of `--every-look`.
        preferences: whether raters chose between outputs.
    """
    finish = "The study is not finished: gather the answers that are missing, and read the ratings again."
    if preferences:
        return [finish]
    if of_looks:
        return [
            finish,
            "These figures are of complete items, as it must be if you look in order to stop. If nobody does, and a "
            "rater just never finishes, leave --every-look out: all rated outputs count then.",
        ]
    return [
        finish,
        "These figures are of all rated outputs. They are right if no more answers come and nobody looked in order to "
        "stop, as if a rater never finishes; `referenceless study describe` describes them so. If you looked in order "
        "to stop, take --every-look, for both commands.",
    ]


def described_analysis(study: str, *, of_looks: bool, preferences: bool, all_pairs: bool = False) -> str:
    """Say which of two analyses of a study that lacks answers is described, and when the other one is right.

    Args:
        study: the study's folder.
        of_looks: whether it is that of `--every-look`.
        preferences: whether raters chose between outputs, which has one analysis alone.
        all_pairs: whether all pairs of systems are compared.
    """
    command = f"`referenceless human-score {shlex.quote(study)}{' --all-pairs' if all_pairs else ''}`"
    if preferences:
        return f"answers are missing: this describes {command}, of all answers that were given"
    if of_looks:
        return (
            f"answers are missing: this describes {command[:-1]} --every-look`, of complete items; if nobody looked in "
            "order to stop, leave --every-look out of both commands"
        )
    return (
        f"answers are missing: this describes {command}, of all rated outputs; if you looked in order to stop, add "
        "--every-look to both commands"
    )


def after_scores(findings: Findings) -> list[str]:
    """Return the next steps after a comparison of scores."""
    steps = []
    marked = [each for each in findings.differences if not each.slice and not each.estimates_ratings]
    unlike = [each for each in marked if not each.is_equal]
    open_ones = [each for each in unlike if not each.is_shown(findings.level) and each.detectable > 0]
    if unlike and all(each.is_shown(findings.level) for each in unlike):
        steps.append("Every difference of the scores is shown: report the table with its caption.")
    if open_ones:
        most = max(open_ones, key=lambda each: each.detectable)
        steps.append(
            f"No difference of {most.column} is shown between {most.system} and {most.baseline}: {most.n} items find "
            f"one of {most.detectable:.3g} four times in five, about {4 * most.n} items one of "
            f"{most.detectable_by_more:.3g}."
        )
    if findings.given_by != PEOPLE:
        steps.append(
            "Whether people agree with these scores, ratings of some outputs tell: draw them with "
            "`referenceless sample`."
        )
    return steps


def after_agreement(ratings: Sequence[str], words: Sequence[str] = ()) -> list[str]:
    """Return the next steps after a look at the raters' agreement.

    Args:
        ratings: the files or folders of the ratings.
        words: the options with which they are read.
    """
    files = [word for each in ratings for word in ("--ratings", each)]
    command = f"referenceless human-score {shlex.join([*files, *words])}"
    return ["The intervals of systems' means count the raters' noise:", command]


def _detectable(contrast: Contrast) -> float:
    return contrast.detectable()
