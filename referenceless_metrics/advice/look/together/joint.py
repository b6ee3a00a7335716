"""Command lines that read several files together: which of them belong to one another, and the first that fits."""

from __future__ import annotations

import re
import shlex
from collections import Counter
from collections.abc import Sequence
from itertools import chain, pairwise
from pathlib import Path

from referenceless_metrics.advice.look.columns.column_parts import are_called_as_raters
from referenceless_metrics.advice.look.forms.description import Look
from referenceless_metrics.advice.look.forms.exports import WEIGHTS_OPTION
from referenceless_metrics.advice.look.forms.other_languages import is_of_other_language
from referenceless_metrics.advice.look.forms.shapes import OF_SCORES
from referenceless_metrics.advice.look.lines.edited_lines import alone, columns_in, is_on_ratings, on
from referenceless_metrics.advice.look.lines.on_texts import without_references
from referenceless_metrics.advice.look.lines.options_of_parts import ALONE, WITH_REFERENCES
from referenceless_metrics.advice.look.lines.parts import EVERY_PAIR, OTHER, command_line, every_pair
from referenceless_metrics.advice.look.together.keyed_sides import of_keyed_sides
from referenceless_metrics.advice.look.together.rated_systems import of_rated_systems
from referenceless_metrics.advice.look.together.raters import (
    by_raters,
    by_raters_of_scores,
    of_one_rater_each,
    of_rounds,
)
from referenceless_metrics.advice.look.together.ratings import (
    of_lines_and_ratings,
    of_outputs_and_ratings,
    of_scores_and_ratings,
    with_common_criteria,
)
from referenceless_metrics.advice.look.together.scores_by_system import scores_by_system
from referenceless_metrics.advice.look.together.shared_ids import by_shared_ids, of_scores_by_ids, shared_ids
from referenceless_metrics.advice.look.together.texts import (
    of_answers,
    of_numbers_beside,
    of_own_texts,
    of_several_references,
    of_texts,
    with_own_texts,
    with_references,
)
from referenceless_metrics.human_evaluation.inputs_beside import on_other_inputs

LONGEST_LINE = 400  # characters of a command line that is proposed


def joint_lines(looks: Sequence[Look]) -> list[str]:
    """Return the command lines that read several files together: all of one form, or the texts among them.

    Files of plain texts with equally many lines are outputs that may be compared. Behind a line that compares outputs
    with references stands one by metrics that read any language.
    """
    lines = _joint_lines(looks)
    with_references = [line for line in lines if line.split()[1] == "compare" and _AMONG_OTHERS in line]
    return [*lines, *(line.replace(_AMONG_OTHERS, shlex.join(ALONE)) for line in with_references)]


_AMONG_OTHERS = shlex.join(WITH_REFERENCES)


def _joint_lines(looks: Sequence[Look]) -> list[str]:
    """Return the command lines that read several files together, without those by metrics with references alone."""
    if known := scores_by_system(looks) or of_keyed_sides(looks):
        return known
    of_references = of_answers(looks) or of_several_references(looks)
    of_lines = [*of_texts(looks), *of_numbers_beside(looks)]
    of_ratings = [*of_scores_and_ratings(looks), *of_outputs_and_ratings(looks), *of_lines_and_ratings(looks)]
    compared = [*of_lines, *of_ratings, *of_references]
    if compared:
        return compared
    if len(looks) < 2 or len({each.form for each in looks}) > 1:
        return []
    lines = [
        [
            alone(line)
            for line in _without_means_alone(each)
            if line.split()[1] != "compare"
            or f"--scores {OTHER}" in line
            or is_of_other_language(line)
            or each.shape == OF_SCORES
        ]
        for each in looks
    ]
    if len({each.n_rows for each in looks}) > 1 and not _are_apart(looks, 0.5):  # outputs are compared in pairs
        lines = [[line for line in of_file if line.split()[1] != "score"] for of_file in lines]
    lines = with_common_criteria(_with_weights(lines))
    of_raters = by_raters(looks) or by_raters_of_scores(looks)
    joint = joined_lines([each.file for each in looks], _with_lines_of_most(lines, looks))
    if not any("--ratings" in line.split() or "--scores" in line.split() for line in joint):
        joint = [*of_rated_systems(looks), *joint]
    joint = [*joint, *of_one_rater_each(looks), *of_rounds(looks)]
    joint = joint or of_own_texts(looks)
    if of_raters:  # files of the same outputs: there is nothing to compare
        joint = [*of_raters, *(line for line in joint if line.split()[1] != "compare")]
    joint = [by_shared_ids(unpaired(line, looks), looks) for line in joint]
    joint = [with_references(with_own_texts(line, looks), looks) for line in joint]
    if _name_no_systems(looks) and are_called_as_raters([each.file for each in looks]):
        joint = [line for line in joint if line.split()[1] != "human-score"]
    joint = [_with_every_pair(line, looks) for line in joint]
    are_compared = any(line.split()[1] == "human-score" or "--scores" in line.split() for line in joint)
    if not (of_raters or are_compared or are_called_as_raters([each.file for each in looks])):
        joint = [*of_scores_by_ids(looks), *joint]
    shorter = [_with_fewer_scores(line) for line in dict.fromkeys(joint)]
    shorter = [line if len(line) <= LONGEST_LINE else _by_folder(line, looks) for line in shorter]
    return [line for line in shorter if len(line) <= LONGEST_LINE]


def _with_fewer_scores(line: str) -> str:
    """Return a line that is too long without the last ones of its columns of scores; two stay at least."""
    words = shlex.split(line)
    scores = [after for before, after in pairwise(words) if before == "--score-column"]
    while len(line) > LONGEST_LINE and len(scores) > _FEWEST_SCORES:
        left_out = scores.pop()
        places = [place for place, word in enumerate(words) if word == left_out and words[place - 1] in _OF_A_SCORE]
        words = [word for place, word in enumerate(words) if not {place, place + 1} & set(places)]
        line = command_line(*words[1:])
    return line


_OF_A_SCORE = ("--score-column", "--lower-is-better")
"""Options that name a column of scores."""

_FEWEST_SCORES = 2


def _without_means_alone(found: Look) -> list[str]:
    """Return a file's lines without that on the mean rating of its texts, which stands beside one on the worst."""
    has_worst = any("--worst" in line.split() for line in found.commands)
    return [line for line in found.commands if not (has_worst and line.split()[1] == "human-score")]


def _by_folder(line: str, looks: Sequence[Look]) -> str:
    """Return a line on ratings in many files with their folder in place of them, if it holds no others."""
    from referenceless_metrics.human_evaluation.ratings.rating_folders import tables_in

    words = shlex.split(line)
    folder = Path(looks[0].file).parent
    files = [each.file for each in looks]
    if words[1] not in ("human-score", "agreement") or sorted(files) != tables_in(folder):
        return line
    option = [] if words[1] == "agreement" else ["--ratings"]
    further = [word for file in files[1:] for word in (*option, file)]
    at = words.index(files[0])
    if words[at + 1 : at + 1 + len(further)] != further:
        return line
    return command_line(*words[1:at], str(folder), *words[at + 1 + len(further) :])


def _with_weights(each: Sequence[Sequence[str]]) -> list[list[str]]:
    """Return the lines of each file with the weights of errors that those of any file ask for."""
    words = chain.from_iterable(pairwise(shlex.split(line)) for lines in each for line in lines)
    named = [value for option, value in words if option == WEIGHTS_OPTION]
    asked = dict.fromkeys(weight for value in named for weight in value.split(","))
    option = f" {WEIGHTS_OPTION} {','.join(asked)}"
    plain = [[re.sub(rf" {WEIGHTS_OPTION} \S+", "", line) for line in lines] for lines in each]
    if not asked:
        return plain
    return [[line if "--errors" in line.split() else f"{line}{option}" for line in lines] for lines in plain]


def _without_every_pair(line: str) -> str:
    return line.replace(f" {EVERY_PAIR}", "")


def _with_every_pair(line: str, looks: Sequence[Look]) -> str:
    """Return a line on ratings with the option for all pairs, if nothing but the files tells the systems apart."""
    words = line.split()
    n_systems = len(looks) + _prefer_systems(looks)  # one more, if each is compared with the same one
    may_rank = _name_no_systems(looks) or _name_one_each(looks) or n_systems > len(looks)
    if words[1] != "human-score" or EVERY_PAIR in words or "--errors" in words or not may_rank:
        return line
    return " ".join([line, *every_pair(n_systems)])


def _prefer_systems(looks: Sequence[Look]) -> bool:
    """Say whether files hold preferences: the first system of one need not be compared with those of others."""
    return all({"preference", "system_a"} <= {column.part for column in each.columns} for each in looks)


def _name_one_each(looks: Sequence[Look]) -> bool:
    """Say whether each file names one system, and no two the same."""
    return all(len(each.systems) == 1 for each in looks) and len({each.systems for each in looks}) == len(looks)


def _name_no_systems(looks: Sequence[Look]) -> bool:
    """Say whether files hold ratings, and no columns that name systems: the files may be of these."""
    parts = [{column.part for column in each.columns} for each in looks]
    return all("rating" in of_file and not {"system", "preference"} & of_file for of_file in parts)


def _are_apart(looks: Sequence[Look], share: float) -> bool:
    """Say whether no other file has more than a share of the first one's items; False if items are not known.

    Ids that the files share tell items, whatever other ids say, such as those of a run.
    """
    first, *others = (each.items for each in looks)
    if not all((first, *others)) or any(each.is_part for each in looks) or shared_ids(looks):
        return False
    return all(len(first & items) <= share * min(len(first), len(items)) for items in others)


def unpaired(line: str, looks: Sequence[Look]) -> str:
    """Return a line that compares files together with the option for systems of other items, if theirs are others.

    Scores of a few common items can be compared in pairs, and outputs only if nearly all are of the same items. Outputs
    whose files have another column in common, such as the prompts in the same order, are of the same items; those of
    one number, or of one place, with other prompts are not.
    """
    words = shlex.split(line)
    if words[1] != "compare" or "--unpaired" in words:
        return line
    if "--scores" in words:
        are_apart = _are_apart(looks, 0) or on_other_inputs([each.file for each in looks]) != ""
    else:
        common = {name for name, _ in set.intersection(*(set(each.orders.items()) for each in looks))}
        numbers = {column.name for column in looks[0].columns if column.kind == "whole numbers"}
        shared = shared_ids(looks)
        are_told = bool(shared) and shared not in numbers  # numbers count the rows of each file
        have_others = _have_other_sources(looks) and common <= numbers and not are_told
        may_be_moved = not common and all(each.items for each in looks)
        are_apart = (not common and _are_apart(looks, 0.5)) or (have_others and not may_be_moved)
    # References are of texts for the same inputs.
    return command_line(*without_references(words[1:]), "--unpaired") if are_apart else line


def _have_other_sources(looks: Sequence[Look]) -> bool:
    """Say whether the files have columns of sources in common, and other cells in each of them."""
    named = [{column.name for column in each.columns if column.part == "source"} & each.orders.keys() for each in looks]
    common = set.intersection(*named)
    return bool(common) and all(len({each.orders[name] for each in looks}) > 1 for name in common)


_JOINED = {"human-score": "--ratings", "agreement": "", "compare": "--scores"}
"""Commands that take several files of one form, each with the option of files."""


def _with_lines_of_most(each: Sequence[Sequence[str]], looks: Sequence[Look]) -> list[list[str]]:
    """Return the lines of each file, with those on ratings that most files have, if this one has their columns, too.

    The answers of one participant alone may not tell that their column is one of ratings.
    """
    files = [found.file for found in looks]
    plain = [[on(line, file, files[0]) for line in of_file] for file, of_file in zip(files, each, strict=True)]
    counts = Counter(line for of_file in plain for line in dict.fromkeys(of_file) if is_on_ratings(line))
    of_most = [line for line, n in counts.items() if len(files) < 2 * n < 2 * len(files)]
    all_lines = []
    for file, of_file, own, found in zip(files, each, plain, looks, strict=True):
        names = {column.name for column in found.columns}
        further = [line for line in of_most if line not in own and names.issuperset(columns_in(line))]
        all_lines.append([*of_file, *(on(line, files[0], file) for line in further)])
    return all_lines


def joined_lines(files: Sequence[str], each: Sequence[Sequence[str]]) -> list[str]:
    """Return the command lines that read several files of one form together."""
    asked = {_without_every_pair(line) for of_file in each for line in of_file if EVERY_PAIR in line.split()}
    first, *others = ([shlex.split(_without_every_pair(line)) for line in of_file] for of_file in each)
    joint = []
    for words in first:
        option = _JOINED.get(words[1])
        if option is None or files[0] not in words:
            continue
        if option and words[words.index(files[0]) - 1] != option:  # outputs, and no scores or ratings
            continue
        alike = [[files[place] if word == files[0] else word for word in words] for place in range(1, len(files))]
        if all(like in other for like, other in zip(alike, others, strict=True)):
            at = words.index(files[0])
            more = [word for file in files[1:] for word in ([option, file] if option else [file])]
            pairs = [EVERY_PAIR] if command_line(*words[1:]) in asked else []
            joint.append(command_line(*words[1 : at + 1], *more, *words[at + 1 :], *pairs))
    return joint or _of_outputs(files, first, others)


def _of_outputs(
    files: Sequence[str], first: Sequence[Sequence[str]], others: Sequence[Sequence[Sequence[str]]]
) -> list[str]:
    """Return the command line that compares the outputs in files, of a system each; none if they are read otherwise."""
    for words in first:
        if words[1] != "score" and not is_of_other_language(shlex.join(words)):
            continue
        alike = [[files[place] if word == files[0] else word for word in words] for place in range(1, len(files))]
        if all(like in other for like, other in zip(alike, others, strict=True)):
            return [command_line("compare", *files, *(word for word in words[2:] if word not in (files[0], OTHER)))]
    return []
