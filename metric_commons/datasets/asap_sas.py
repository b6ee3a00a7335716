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
from dataclasses import dataclass
from typing import Any

import datasets

from metric_commons.datasets.builder import SourceFilesBuilder, SourceFilesConfig
from metric_commons.datasets.files import DelimitedText
from metric_commons.support.errors import InputError

# The highest score of each set, as the competition's descriptions of the sets state it.
MAX_SCORE = {1: 3, 2: 3, 3: 2, 4: 2, 5: 3, 6: 3, 7: 2, 8: 2, 9: 2, 10: 2}
TRAIN_FILE = "train_rel_2.tsv"
TEST_FILE = "public_leaderboard_rel_2.tsv"
TEST_SCORES_FILE = "public_leaderboard_solution.csv"
FILES = (TRAIN_FILE, TEST_FILE, TEST_SCORES_FILE)
VERSION = "1.0.0"  # to be raised with every change of the rows: caches made before it are not read any more

HOMEPAGE = "https://www.kaggle.com/c/asap-sas"
LICENSE = "Competition data of the Hewlett Foundation: redistribution is not allowed; see the rules on Kaggle"

_COLUMNS = {
    "id": "int64",
    "essay_set": "int32",
    "text": "string",
    "score": "int32",
    "second_score": "int32",
    "max_score": "int32",
    "quality": "float64",
}


def read_train(content: bytes, source: str) -> Iterator[dict[str, Any]]:
    """Read the training answers, one row an answer, in the order of the file.

    Args:
        content: the bytes of `train_rel_2.tsv`.
        source: the file's path, for error messages.

    Raises:
        InputError: naming file and line, for a malformed row or a score outside the set's range.
    """
    table = DelimitedText(content, source, delimiter="\t")
    table.require(["Id", "EssaySet", "Score1", "Score2", "EssayText"])
    seen: dict[int, int] = {}
    for line, cells in table:
        essay_set = _essay_set(table, line, cells, "EssaySet")
        score = _score(table, line, cells, "Score1", essay_set)
        second_score = _score(table, line, cells, "Score2", essay_set)
        identifier = _unique_id(table, line, cells, "Id", seen)
        yield _row(identifier, essay_set, table.cell(line, cells, "EssayText"), score, second_score)


def read_test(answers: tuple[bytes, str], scores: tuple[bytes, str]) -> Iterator[dict[str, Any]]:
    """Read the public leaderboard's answers and their scores, one row an answer, in the answers' order.

    Args:
        answers: the bytes of `public_leaderboard_rel_2.tsv`, and its path for error messages.
        scores: the same for `public_leaderboard_solution.csv`.

    Raises:
        InputError: naming file and line, for a malformed row, a score outside the set's range, or an answer
            whose score is missing or belongs to another set.
    """
    solution = DelimitedText(*scores)
    solution.require(["id", "essay_set", "essay_score"])
    solved: dict[int, tuple[int, int]] = {}
    seen: dict[int, int] = {}
    for line, cells in solution:
        essay_set = _essay_set(solution, line, cells, "essay_set")
        identifier = _unique_id(solution, line, cells, "id", seen)
        solved[identifier] = (essay_set, _score(solution, line, cells, "essay_score", essay_set))

    table = DelimitedText(*answers, delimiter="\t")
    table.require(["Id", "EssaySet", "EssayText"])
    seen = {}
    for line, cells in table:
        identifier = _unique_id(table, line, cells, "Id", seen)
        essay_set = _essay_set(table, line, cells, "EssaySet")
        if identifier not in solved:
            raise table.error(line, f"answer {identifier} has no score in {solution.source}")
        solved_set, score = solved[identifier]
        if solved_set != essay_set:
            raise table.error(
                line,
                f"answer {identifier} is of set {essay_set}, but {solution.source} says set {solved_set}",
            )
        yield _row(identifier, essay_set, table.cell(line, cells, "EssayText"), score, None)


def _essay_set(table: DelimitedText, line: int, cells: dict[str, str], column: str) -> int:
    essay_set = table.integer(line, cells, column)
    if essay_set not in MAX_SCORE:
        raise table.error(line, f"expected {column!r} to be a set from 1 to {len(MAX_SCORE)}, but got {essay_set}")
    return essay_set


def _score(table: DelimitedText, line: int, cells: dict[str, str], column: str, essay_set: int) -> int:
    score = table.integer(line, cells, column)
    if not 0 <= score <= MAX_SCORE[essay_set]:
        raise table.error(
            line,
            f"expected {column!r} of set {essay_set} to be from 0 to {MAX_SCORE[essay_set]}, but got {score}",
        )
    return score


def _unique_id(table: DelimitedText, line: int, cells: dict[str, str], column: str, seen: dict[int, int]) -> int:
    identifier = table.integer(line, cells, column)
    earlier = seen.setdefault(identifier, line)
    if earlier != line:
        raise table.error(line, f"{column!r} {identifier} already stands on line {earlier}")
    return identifier


def _row(identifier: int, essay_set: int, text: str, score: int, second_score: int | None) -> dict[str, Any]:
    return {
        "id": identifier,
        "essay_set": essay_set,
        "text": text,
        "score": score,
        "second_score": second_score,
        "max_score": MAX_SCORE[essay_set],
        "quality": score / MAX_SCORE[essay_set],
    }


@dataclass
class AsapSasConfig(SourceFilesConfig):
    """One set of answers, or all of them.

    Attributes:
        essay_set: 1 to 10; None for all.
    """

    essay_set: int | None = None


class AsapSas(SourceFilesBuilder):
    """ASAP-SAS: short answers scored by hand.

    Configurations: `set_1` to `set_10`, and `all`. Splits: `train`, and `test` (the public leaderboard).
        `data_dir` is
    a folder that holds the three files named in `FILES`.
    """

    BUILDER_CONFIG_CLASS = AsapSasConfig
    BUILDER_CONFIGS = [  # noqa: RUF012
        *(
            AsapSasConfig(
                name=f"set_{essay_set}",
                version=datasets.Version(VERSION),
                description=f"The answers to question {essay_set}, scored from 0 to {maximum}.",
                files=FILES,
                essay_set=essay_set,
            )
            for essay_set, maximum in MAX_SCORE.items()
        ),
        AsapSasConfig(
            name="all",
            version=datasets.Version(VERSION),
            description="The answers to all ten questions.",
            files=FILES,
        ),
    ]
    DEFAULT_CONFIG_NAME = "all"

    def _info(self) -> datasets.DatasetInfo:
        return datasets.DatasetInfo(
            description=f"ASAP-SAS, {self.config.name}. {self.config.description}",
            features=datasets.Features({name: datasets.Value(dtype) for name, dtype in _COLUMNS.items()}),
            homepage=HOMEPAGE,
            license=LICENSE,
        )

    def _split_generators(self, dl_manager: Any) -> list[datasets.SplitGenerator]:
        files = self.source_files()
        if files is None:
            raise FileNotFoundError(
                "ASAP-SAS may not be redistributed, so it cannot be downloaded: get it from "
                f"{HOMEPAGE} (accept the competition's rules, then unpack the data) and pass data_dir=, a "
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
        wanted = self.config.essay_set
        found = False
        for row in rows:
            if wanted is None or row["essay_set"] == wanted:
                found = True
                yield row["id"], row
        if not found:
            raise InputError(
                f"{path}: expected answers of {'any set' if wanted is None else f'set {wanted}'}, found none"
            )
