"""The givers of ratings and scores: people, a judge or a tool, told by names of raters, columns and files."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable, Sequence
from itertools import pairwise
from pathlib import Path
from typing import TYPE_CHECKING

from referenceless_metrics.core.support.validation import shortened

if TYPE_CHECKING:
    from referenceless_metrics.core.files.tables import Table

_MODEL = re.compile(
    r"(?<![a-z])(?:gpt|chatgpt|claude|gemini|gemma|llama|mistral|mixtral|qwen|deepseek|command-r|phi|prometheus|llm|"
    r"autoj|grok|davinci|o[134])(?![a-z])[\w.:/@-]*",
    re.IGNORECASE,
)

PEOPLE, MODELS, JUDGES, TOOLS, UNKNOWN, MEANS = "people", "models", "judges", "tools", "unknown", "means"
"""The givers of ratings and scores: people; raters with names of language models; a judge of some kind; a tool that
writes scores; nobody knows who; or people, nobody knows how many, of whose ratings each number is the mean."""

OF_RATINGS_ALONE = (UNKNOWN, MEANS)
"""Givers of whom too little is known for a finding about people: it speaks of the ratings."""

_HUMAN = frozenset(
    ("human", "humans", "people", "crowd", "annotator", "annotators", "worker", "workers", "participant")
)
_OF_ASSESSORS = re.compile(r"(?:raw|z)[._ -]?scr", re.IGNORECASE)
"""Names of people's scores in the WMT's exports of direct assessment: as they are, and standardised for each."""

_OF_JUDGES = frozenset(("judge", "judges", "judged", "llm", "autorater", "autograder"))
_OF_AUTOMATIC = frozenset(("llm", "ai", "automatic", "auto"))
_OF_FILES_OF_JUDGES = frozenset((*_OF_JUDGES - _OF_AUTOMATIC, "judgment", "judgments", "judgement", "judgements"))

_JUDGE = re.compile(
    r"(?:.*[._ -])?(?:"
    r"(?:judge|grader|evaluator|autorater|annotator|rater|assessor|labell?er)(?:[_ -](?:model|name|id))*|"
    r"(?:judg|grad|evaluat|annotat|rat|assess|labell?)ed[_ -]by)",
    re.IGNORECASE,
)
"""Columns that may name a judge."""

_OF_PROGRAMS = frozenset(("raw_completion", "price_per_example", "time_per_example"))
"""Columns that a program which annotates writes, as AlpacaEval's does."""

_READ = 100  # rows


def given_by(table: Table, answers: Sequence[str], raters: Sequence[str]) -> str:
    """Say who gave ratings or preferences: `PEOPLE`, `MODELS`, `JUDGES`, `UNKNOWN` or `MEANS`.

    They are people's if raters are named, unless these are called as language models; if nobody names raters, if the
    form of the file, its name or that of a column tells so, and means of people's if all columns of ratings are called
    so. They are a judge's if a column that may name one holds language models alone, and if names tell so: a file's
    name does as `llm_judge_results` and `gpt-4_judgments` do. Nothing else is taken for people's, nor are scores that a
    tool wrote: findings then speak of the ratings alone.

    Args:
        table: the table.
        answers: the columns of ratings or preferences.
        raters: the raters; none if they are not known.
    """
    if table.are_scores:
        return UNKNOWN
    if raters:
        return MODELS if are_models(raters) else PEOPLE
    if table.are_of_people:
        return PEOPLE
    of_answers, names = [word for name in answers for word in _words(name)], table.names()
    of_models = _of_models(table)
    every = {word for name in names if name not in of_models for word in _words(name)}
    file = Path(table.source).name
    is_of_judge = is_file_of_judge(file)
    of_file = set() if is_of_judge else set(_words(file))
    if any(map(names_people, answers)) or not _HUMAN.isdisjoint([*every, *of_file]):
        return MEANS if answers and all(map(names_mean, answers)) else PEOPLE
    if of_models:
        return MODELS
    if not _OF_JUDGES.isdisjoint(of_answers) or are_models(answers) or not _OF_PROGRAMS.isdisjoint(names):
        return JUDGES
    return JUDGES if is_of_judge and _HUMAN.isdisjoint(_words(file)) else UNKNOWN


def is_file_of_judge(name: str) -> bool:
    """Say whether a file's name tells that a program judged: a judge beside what is automatic, or a language model.

    >>> [is_file_of_judge(name) for name in ("llm_judge_results.json", "gpt-4_judgments.jsonl", "autorater.csv")]
    [True, True, True]
    >>> [is_file_of_judge(name) for name in ("judges.csv", "llm_outputs.csv", "gpt-4_ratings.csv")]
    [False, False, False]
    """
    words = set(_words(name))
    is_automatic = not _OF_AUTOMATIC.isdisjoint(words) or are_models([name])
    return not {"autorater", "autograder"}.isdisjoint(words) or (
        is_automatic and not _OF_FILES_OF_JUDGES.isdisjoint(words)
    )


def given_by_all(givers: Collection[str]) -> str:
    """Return who gave answers of several files: judges if no file is of people, and else nobody knows, if files differ.

    >>> given_by_all({PEOPLE}), given_by_all({MODELS, TOOLS}), given_by_all({PEOPLE, TOOLS})
    ('people', 'judges', 'unknown')
    """
    if len(givers) == 1:
        return next(iter(givers))
    return JUDGES if {MODELS, JUDGES, TOOLS}.issuperset(givers) else UNKNOWN


def scores_given_by(names: Sequence[str], raters: Collection[str], table: Table | None = None) -> str:
    """Say who gave scores: `PEOPLE`, `MODELS`, `JUDGES` or `UNKNOWN`.

    They are people's if raters are named, as for ratings, or if all names of scores tell so, models' if a column that
    may name a judge holds language models alone, and a judge's if the file's name tells so.

    Args:
        names: the names of the scores; none of columns that are called as systems.
        raters: the raters; none if they are not known.
        table: the table of the scores; None for others.

    >>> scores_given_by(["RAW.SCR", "human_score"], []), scores_given_by(["score"], []), scores_given_by(["s"], ["ann"])
    ('people', 'unknown', 'people')
    """
    if raters:
        return MODELS if are_models(raters) else PEOPLE
    are_peoples = bool(names) and all(names_people(name) and not names_judge(name) for name in names)
    if are_peoples:
        return PEOPLE
    if table is None:
        return UNKNOWN
    if _of_models(table):
        return MODELS
    file = Path(table.source).name
    return JUDGES if is_file_of_judge(file) and _HUMAN.isdisjoint(_words(file)) else UNKNOWN


def names_people(name: str) -> bool:
    """Say whether the name of a rating or score tells that people gave it; HumanEval is a test of programs.

    >>> names_people("human_rating"), names_people("Z.SCR"), names_people("HumanEval"), names_people("rating")
    (True, True, False, False)
    """
    words = _words(name)
    is_test = ("human", "eval") in pairwise(words)
    return _OF_ASSESSORS.fullmatch(name) is not None or (not _HUMAN.isdisjoint(words) and not is_test)


def _of_models(table: Table) -> list[str]:
    """Return the columns that may name a judge and hold language models alone."""
    return [name for name in table.names() if _JUDGE.fullmatch(name) and _holds_models(table, name)]


def _holds_models(table: Table, column: str) -> bool:
    """Say whether the cells of a column that are filled, one at least, name language models alone."""
    cells = [str(cell) for cell in table.column(column)[:_READ] if cell is not None]
    return are_models(dict.fromkeys(cell for cell in cells if cell.strip()))


_OF_MEANS = frozenset(
    (
        "mean",
        "average",
        "avg",
        "mittel",
        "mittelwert",
        "durchschnitt",
        "moyenne",
        "media",
        "promedio",
        "média",
        "gemiddelde",
        "ø",
    )
)


def names_mean(name: str) -> bool:
    """Say whether a column is called as one of means.

    >>> names_mean("Mean"), names_mean("avg_rating"), names_mean("meaning")
    (True, True, False)
    """
    return not _OF_MEANS.isdisjoint(re.split(r"[^a-zà-ÿø]+", _parted(name)))


def _parted(name: str) -> str:
    """Return a name in small letters, with a space before each word that a capital begins."""
    return re.sub(r"(?<=[a-z])(?=[A-Z])", " ", name).lower()


def _words(name: str) -> list[str]:
    """Return the words of a name, in small letters.

    >>> _words("judge.roleFidelity_1")
    ['judge', 'role', 'fidelity']
    """
    return re.findall(r"[a-z]+", _parted(name))


def names_judge(name: str) -> bool:
    """Say whether the name of a column tells that a judge gave its numbers.

    >>> names_judge("judge_score"), names_judge("gpt-4"), names_judge("rating")
    (True, True, False)
    """
    return not _OF_JUDGES.isdisjoint(_words(name)) or are_models([name])


def note_on_own_outputs(raters: Sequence[object], systems: Sequence[Sequence[object]], answers: str) -> list[str]:
    """Return a note on answers of raters about outputs of systems that are called as they are; none without any.

    Args:
        raters: the rater of each answer.
        systems: the system of each one, or its two systems as two columns.
        answers: `ratings` or `preferences`.

    >>> note_on_own_outputs(["gpt-4", "qwen"], [["qwen", "qwen"]], "ratings")[0]
    "1 of 2 ratings are of outputs whose system is called as the rater, 'qwen': raters may favour their own outputs"
    """
    own = [str(rater) for rater, *of in zip(raters, *systems, strict=True) if rater in of]
    if not own:
        return []
    named = shortened(", ".join(map(repr, dict.fromkeys(own))), 80)
    return [
        f"{len(own)} of {len(raters)} {answers} are of outputs whose system is called as the rater, {named}: raters "
        "may favour their own outputs"
    ]


def are_of_one_judge(first: str, second: str) -> bool:
    """Say whether two columns are called as different figures of one judge: words that tell it are in both names.

    Words in one name alone may be those of a criterion, and not those of a model.

    >>> are_of_one_judge("gpt_style_score", "gpt_tone_score"), are_of_one_judge("gpt_style", "claude_style")
    (True, False)
    >>> are_of_one_judge("judge_1", "judge_2"), are_of_one_judge("judge_qwen", "judge_llama")
    (False, False)
    """
    both = [_words(first), _words(second)]
    shared = [word for word in both[0] if word in both[1]]
    own = [[word for word in words if word not in shared] for words in both]
    return names_judge(" ".join(shared)) and all(words and not names_judge(" ".join(words)) for words in own)


def are_criteria_of_one_judge(names: Sequence[str]) -> bool:
    """Say whether several columns are all called as different figures of one judge; False for one alone.

    >>> are_criteria_of_one_judge(["gpt_style", "gpt_tone"]), are_criteria_of_one_judge(["gpt_style"])
    (True, False)
    """
    return len(names) > 1 and all(are_of_one_judge(str(names[0]), str(name)) for name in names[1:])


def are_models(raters: Iterable[str]) -> bool:
    """Say whether all raters are called as language models are; False for none.

    >>> are_models(["gpt-4-1106-preview"]), are_models(["gpt-4", "ann"]), are_models(["phil"])
    (True, False, False)
    """
    names = list(raters)
    return bool(names) and all(_MODEL.search(str(name)) is not None for name in names)
