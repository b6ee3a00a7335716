"""The givers of ratings: people or a judge, told by names of raters, columns and files; else nobody knows."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from referenceless_metrics.core.files.tables import Table

_MODEL = re.compile(
    r"(?<![a-z])(?:gpt|chatgpt|claude|gemini|gemma|llama|mistral|mixtral|qwen|deepseek|command-r|phi|prometheus|llm|"
    r"autoj|grok|davinci|o[134])(?![a-z])[\w.:/@-]*",
    re.IGNORECASE,
)

PEOPLE, MODELS, JUDGES, UNKNOWN = "people", "models", "judges", "unknown"
"""The givers of ratings: people; raters with names of language models; a judge of some kind; or nobody knows."""

_HUMAN = frozenset(
    ("human", "humans", "people", "crowd", "annotator", "annotators", "worker", "workers", "participant")
)
_OF_JUDGES = frozenset(("judge", "judges", "judged", "llm", "autorater", "autograder"))
_OF_RATINGS = frozenset(("rating", "ratings", "rated", "mqm", "esa", "scr"))
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
    """Say who gave ratings or preferences: `PEOPLE`, `MODELS`, `JUDGES` or `UNKNOWN`.

    They are people's if raters are named, unless these are called as language models; if nobody names raters, if the
    form of the file, its name or that of a column tells so. They are a judge's if a column that may name one holds
    language models alone, and if names tell so. Nothing else is taken for people's, nor are scores that a tool wrote:
    findings then speak of the ratings alone.

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
    of_models = [name for name in names if _JUDGE.fullmatch(name) and _holds_models(table, name)]
    every = {word for name in names if name not in of_models for word in _words(name)}
    of_file = set(_words(Path(table.source).name))
    if not _HUMAN.isdisjoint([*of_answers, *every, *of_file]):
        return PEOPLE
    if of_models:
        return MODELS
    if not _OF_JUDGES.isdisjoint(of_answers) or are_models(answers) or not _OF_PROGRAMS.isdisjoint(names):
        return JUDGES
    return UNKNOWN


def _holds_models(table: Table, column: str) -> bool:
    """Say whether the cells of a column that are filled, one at least, name language models alone."""
    cells = [str(cell) for cell in table.column(column)[:_READ] if cell is not None]
    return are_models(dict.fromkeys(cell for cell in cells if cell.strip()))


def _words(name: str) -> list[str]:
    """Return the words of a name, in small letters.

    >>> _words("judge.roleFidelity_1")
    ['judge', 'role', 'fidelity']
    """
    return re.findall(r"[a-z]+", re.sub(r"(?<=[a-z])(?=[A-Z])", " ", name).lower())


def names_judge(name: str) -> bool:
    """Say whether the name of a column tells that a judge gave its numbers.

    >>> names_judge("judge_score"), names_judge("gpt-4"), names_judge("rating")
    (True, True, False)
    """
    return not _OF_JUDGES.isdisjoint(_words(name)) or are_models([name])


def names_ratings(name: str) -> bool:
    """Say whether the name of a score tells that these are ratings, which people or a judge may have given.

    >>> names_ratings("rating"), names_ratings("en-de.mqm"), names_ratings("judge_rating"), names_ratings("bleu")
    (True, True, False, False)
    """
    return not _OF_RATINGS.isdisjoint(_words(name)) and not names_judge(name)


def are_models(raters: Iterable[str]) -> bool:
    """Say whether all raters are called as language models are; False for none.

    >>> are_models(["gpt-4-1106-preview"]), are_models(["gpt-4", "ann"]), are_models(["phil"])
    (True, False, False)
    """
    names = list(raters)
    return bool(names) and all(_MODEL.search(str(name)) is not None for name in names)
