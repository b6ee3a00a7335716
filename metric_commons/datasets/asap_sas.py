"""ASAP-SAS: pupils' short answers to ten questions, scored by hand (a Kaggle competition of 2012).

The builder reads the files as Kaggle distributes them, tab-separated with minimal quoting: the training
answers with two scores each, and the public leaderboard's answers, whose scores stand in a solution file of
their own and are joined on the answer's id. Quality is the score divided by the highest score of its set, so
that it lies in [0, 1].

The competition's rules forbid redistribution, so that nothing is downloaded: `data_dir` must hold the three
files.

This file also serves as a loading script for `datasets` before version 4, where this package is installed:
`datasets.load_dataset("…/asap_sas.py", "set_3", data_dir="…", trust_remote_code=True)`.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import datasets

from metric_commons.datasets.builder import SourceFilesBuilder, configurations
from metric_commons.datasets.files import DelimitedText, Row

# The highest score of each set, as the competition's descriptions of the sets state it.
MAX_SCORE = {1: 3, 2: 3, 3: 2, 4: 2, 5: 3, 6: 3, 7: 2, 8: 2, 9: 2, 10: 2}
FILES = ("train_rel_2.tsv", "public_leaderboard_rel_2.tsv", "public_leaderboard_solution.csv")

_COLUMNS = {
    "id": "int64",
    "essay_set": "int32",
    "text": "string",
    "score": "int32",
    "second_score": "int32",
    "max_score": "int32",
    "rating": "float64",
}


def read_train(content: bytes, source: str) -> Iterator[dict[str, Any]]:
    """Read the training answers, one row an answer, in the order of the file.

    Args:
        content: the bytes of `train_rel_2.tsv`.
        source: the file's path, for error messages.

    Raises:
        InputError: naming file and line, for a malformed row or a score outside the set's range.
    """
    columns = ["Id", "EssaySet", "Score1", "Score2", "EssayText"]
    seen: dict[int, int] = {}
    for row in DelimitedText(content, source, columns, delimiter="\t"):
        essay_set = _essay_set(row, "EssaySet")
        score, second_score = (_score(row, column, essay_set) for column in ("Score1", "Score2"))
        yield _answer(_unique_id(row, "Id", seen), essay_set, row["EssayText"], score, second_score)


def read_test(answers: tuple[bytes, str], scores: tuple[bytes, str]) -> Iterator[dict[str, Any]]:
    """Read the public leaderboard's answers and their scores, one row an answer, in the answers' order.

    Args:
        answers: the bytes of `public_leaderboard_rel_2.tsv`, and its path for error messages.
        scores: the same for `public_leaderboard_solution.csv`.

    Raises:
        InputError: naming file and line, for a malformed row, a score outside the set's range, or an answer
            whose score is missing or belongs to another set.
    """
    solved: dict[int, tuple[int, int]] = {}
    seen: dict[int, int] = {}
    for row in DelimitedText(*scores, ["id", "essay_set", "essay_score"]):
        essay_set = _essay_set(row, "essay_set")
        solved[_unique_id(row, "id", seen)] = essay_set, _score(row, "essay_score", essay_set)
    seen = {}
    for row in DelimitedText(*answers, ["Id", "EssaySet", "EssayText"], delimiter="\t"):
        identifier, essay_set = _unique_id(row, "Id", seen), _essay_set(row, "EssaySet")
        if identifier not in solved:
            raise row.error(f"answer {identifier} has no score in {scores[1]}")
        solved_set, score = solved[identifier]
        if solved_set != essay_set:
            raise row.error(f"answer {identifier} is of set {essay_set}, but {scores[1]} says set {solved_set}")
        yield _answer(identifier, essay_set, row["EssayText"], score, None)


def _essay_set(row: Row, column: str) -> int:
    essay_set = row.integer(column)
    if essay_set not in MAX_SCORE:
        raise row.error(f"expected {column!r} to be a set from 1 to {len(MAX_SCORE)}, but got {essay_set}")
    return essay_set


def _score(row: Row, column: str, essay_set: int) -> int:
    score, highest = row.integer(column), MAX_SCORE[essay_set]
    if not 0 <= score <= highest:
        raise row.error(f"expected {column!r} of set {essay_set} to be from 0 to {highest}, but got {score}")
    return score


def _unique_id(row: Row, column: str, seen: dict[int, int]) -> int:
    identifier = row.integer(column)
    if seen.setdefault(identifier, row.line) != row.line:
        raise row.error(f"{column!r} {identifier} already stands on line {seen[identifier]}")
    return identifier


def _answer(identifier: int, essay_set: int, text: str, score: int, second_score: int | None) -> dict[str, Any]:
    highest = MAX_SCORE[essay_set]
    values = (identifier, essay_set, text, score, second_score, highest, score / highest)
    return dict(zip(_COLUMNS, values, strict=True))


class AsapSas(SourceFilesBuilder):
    """ASAP-SAS: short answers scored by hand.

    Configurations: `set_1` to `set_10`, and `all`. Splits: `train`, and `test` (the public leaderboard).
    `data_dir` is a folder that holds the three files named in `FILES`.
    """

    BUILDER_CONFIGS = configurations(
        {
            **{
                f"set_{essay_set}": f"The answers to question {essay_set}, scored from 0 to {highest}."
                for essay_set, highest in MAX_SCORE.items()
            },
            "all": "The answers to all ten questions.",
        },
        lambda _: FILES,
    )
    DEFAULT_CONFIG_NAME = "all"
    TITLE = "ASAP-SAS"
    HOMEPAGE = "https://www.kaggle.com/c/asap-sas"
    LICENSE = "Competition data of the Hewlett Foundation: redistribution is not allowed; see the rules on Kaggle"

    def columns(self) -> dict[str, str]:
        """Return the types of the columns, by name."""
        return _COLUMNS

    def _split_generators(self, dl_manager: Any) -> list[datasets.SplitGenerator]:
        files = self.source_files()
        if files is None:
            raise FileNotFoundError(
                "ASAP-SAS may not be redistributed, so it cannot be downloaded: get it from "
                f"{self.HOMEPAGE} (accept the competition's rules, then unpack the data) and pass data_dir=, a "
                f"folder that holds {', '.join(FILES)}"
            )
        train, test, test_scores = files
        return [
            datasets.SplitGenerator(datasets.Split.TRAIN, gen_kwargs={"path": train, "scores_path": None}),
            datasets.SplitGenerator(datasets.Split.TEST, gen_kwargs={"path": test, "scores_path": test_scores}),
        ]

    def _generate_examples(self, path: str, scores_path: str | None) -> Iterator[tuple[int, dict[str, Any]]]:
        if scores_path is None:
            rows = read_train(self.read(path), path)
        else:
            rows = read_test((self.read(path), path), (self.read(scores_path), scores_path))
        return self.numbered(rows, lambda row: f"set_{row['essay_set']}", path)
