"""ASAP-SAS: pupils' short answers to ten questions, scored by hand (a Kaggle competition of 2012).

The builder reads the files of Kaggle, which are tab-separated with minimal quoting: the training answers with two
scores each, and the public leaderboard's answers, whose scores are in a solution file and are joined by the answer's
id. The rating is the score divided by the highest score of its set, in [0, 1].

The competition's rules forbid redistribution. Nothing is downloaded, and `data_dir` must have the three files.
"""

from __future__ import annotations

from collections.abc import Iterator

from referenceless_metrics.core.support.validation import Record
from referenceless_metrics.datasets.builder import SourceFilesBuilder
from referenceless_metrics.datasets.catalogue import MAX_SCORE, SPECS
from referenceless_metrics.datasets.source_tables import Row, delimited_rows

_COLUMNS = {
    "id": "int64",
    "essay_set": "int32",
    "text": "string",
    "score": "int32",
    "second_score": "int32",
    "max_score": "int32",
    "rating": "float64",
}


def read_train(content: bytes, source: str) -> Iterator[Record]:
    """Read the training answers, one row per answer, in the order of the file.

    Args:
        content: the bytes of `train_rel_2.tsv`.
        source: the file's path, for error messages.

    Raises:
        InputError: for a malformed row or a score outside the set's range; the message has file and line.
    """
    columns = ("Id", "EssaySet", "Score1", "Score2", "EssayText")
    for row, identifier, essay_set in _answers(delimited_rows(content, source, columns, delimiter="\t")[1]):
        score, second_score = (_score(row, column, essay_set) for column in ("Score1", "Score2"))
        yield _answer(identifier, essay_set, row["EssayText"], score, second_score)


def read_test(answers: tuple[bytes, str], scores: tuple[bytes, str]) -> Iterator[Record]:
    """Read the public leaderboard's answers and their scores, one row per answer, in the answers' order.

    Args:
        answers: the bytes of `public_leaderboard_rel_2.tsv`, and its path for error messages.
        scores: the same for `public_leaderboard_solution.csv`.

    Raises:
        InputError: for a malformed row, a score outside the set's range, or an answer whose score is missing or belongs
            to another set; the message has file and line.
    """
    _, solution = delimited_rows(*scores, ("id", "essay_set", "essay_score"))
    solved = {
        identifier: (essay_set, _score(row, "essay_score", essay_set))
        for row, identifier, essay_set in _answers(solution, "id", "essay_set")
    }
    _, answered = delimited_rows(*answers, ("Id", "EssaySet", "EssayText"), delimiter="\t")
    for row, identifier, essay_set in _answers(answered):
        if identifier not in solved:
            raise row.error(f"answer {identifier} has no score in {scores[1]}")
        solved_set, score = solved[identifier]
        if solved_set != essay_set:
            raise row.error(f"answer {identifier} is of set {essay_set}, but {scores[1]} says set {solved_set}")
        yield _answer(identifier, essay_set, row["EssayText"], score, None)


def _answers(rows: list[Row], of_id: str = "Id", of_set: str = "EssaySet") -> Iterator[tuple[Row, int, int]]:
    """Yield each row with its unique id, and its set."""
    seen: dict[int, Row] = {}
    for row in rows:
        identifier, essay_set = row.integer(of_id), row.integer(of_set)
        if essay_set not in MAX_SCORE:
            raise row.error(f"expected {of_set!r} to be a set from 1 to {len(MAX_SCORE)}, but got {essay_set}")
        if seen.setdefault(identifier, row) is not row:
            raise row.error(f"{of_id!r} {identifier} already stands in {seen[identifier].where}")
        yield row, identifier, essay_set


def _score(row: Row, column: str, essay_set: int) -> int:
    score, highest = row.integer(column), MAX_SCORE[essay_set]
    if not 0 <= score <= highest:
        raise row.error(f"expected {column!r} of set {essay_set} to be from 0 to {highest}, but got {score}")
    return score


def _answer(identifier: int, essay_set: int, text: str, score: int, second_score: int | None) -> Record:
    highest = MAX_SCORE[essay_set]
    values = (identifier, essay_set, text, score, second_score, highest, score / highest)
    return dict(zip(_COLUMNS, values, strict=True))


class AsapSas(SourceFilesBuilder):
    """ASAP-SAS: short answers scored by hand.

    Configurations: `set_1` to `set_10`, and `all`. Splits: `train`, and `test` (the public leaderboard).
    `data_dir` is a folder that holds the three files of Kaggle.
    """

    spec = SPECS["asap_sas"]

    def columns(self) -> dict[str, str]:
        """Return the types of the columns, by name."""
        return _COLUMNS

    def rows(self, split: str, *paths: str) -> Iterator[Record]:
        """Yield the answers to the configuration's question."""
        train, *test = ((self.read(path), path) for path in paths)
        for row in read_train(*train) if split == "train" else read_test(*test):
            if self.config.name in ("all", f"set_{row['essay_set']}"):
                yield row
