"""The columns of a table of scores: those that the user names, and those that are found by their names."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from referenceless_metrics.core.files.left_out_rows import is_blank
from referenceless_metrics.core.files.marked_numbers import are_times
from referenceless_metrics.core.files.number_words import NotNumbersError, column_numbers
from referenceless_metrics.core.files.reading import MISSING, cell_of, from_json, names_in
from referenceless_metrics.core.files.tables import ColumnName, Table
from referenceless_metrics.core.registry import metric_names, metric_spec
from referenceless_metrics.core.support.metric_names import METRICS, OF_JUDGES, OF_OVERLAP, OF_TASKS, names_metric
from referenceless_metrics.core.support.validation import Floats, InputError, finite_number
from referenceless_metrics.human_evaluation.ratings.column_grid import CRITERIA_WORDS
from referenceless_metrics.human_evaluation.scores.squad import EXACT_MATCH, F1, exact_match, f1_of_words

KEYS = ("system", "item", "run", "rater", "cluster", "slice")
"""Columns that tell rows of scores apart."""

SCORE = "score"
"""The column of scores if nobody names another."""

ACCURACY = "accuracy"
"""The score of answers that are held against right ones."""

SYSTEM_NAMES = ("system", "model", "system_id", "system_name", "model_id", "model_name")
"""Columns that hold systems, if a table of several systems does not have the column `system`."""


@dataclass(frozen=True)
class ScoreColumns:
    """The columns that the user names; None for each that is not named.

    Attributes:
        scores: the scores to compare; none for `score`, or the only column of numbers.
        item: the item of each row.
        system: the system's name.
        cluster: the larger part on which items depend together, such as their document.
        slice: parts the items into slices.
        run: repeated runs, whose scores are averaged.
        rater: people or judges, whose scores are averaged.
        metric: names the metric of a row; each metric is a score.
        gold: holds the right answers: a score is then whether an answer is one of them.
    """

    scores: tuple[str, ...] = ()
    item: str | None = None
    system: str | None = None
    cluster: str | None = None
    slice: str | None = None
    run: str | None = None
    rater: str | None = None
    metric: str | None = None
    gold: str | None = None

    def named(self, kind: str) -> ColumnName | None:
        """Return the column of a kind with the option that names it, or None."""
        name = getattr(self, kind)
        return None if name is None else ColumnName(name, f"--{kind}-column")

    def in_use(self) -> set[str]:
        """Return the names of the columns that the user gave for anything but scores."""
        names = (getattr(self, kind) for kind in (*KEYS, "metric", "gold"))
        return {part for name in names if name is not None for part in names_in(name)}


_OUTPUTS = re.compile(
    r"(?:.*[^a-z])?(?:texts?|outputs?|responses?|answers?|predictions?|hypothes[ie]s|hyp|translations?|mt|summar(?:y|ies)|"
    r"generations?|completions?|repl(?:y|ies)|essays?)(?:[ _](?:of|by|from)[ _].*)?",
    re.IGNORECASE,
)
"""Names of columns of outputs."""

_NO_OUTPUTS = re.compile(
    r"source|src|orig|ref|gold|target|human|right|correct|expected|true|question|prompt|input|quer|context|article|"
    r"document|user|passage|reason|comment",
    re.IGNORECASE,
)
"""Words in names of columns of other texts."""

_FEWEST_WORDS = 2  # of an output, in the mean


def column_of_outputs(table: Table, read: Collection[str]) -> str | None:
    """Return the only column of texts that is called as outputs are; None for none, and for several.

    Args:
        table: the table.
        read: the columns that hold anything else.
    """
    named = [name for name in table.columns if _OUTPUTS.fullmatch(name) and not _NO_OUTPUTS.search(name)]
    named = [name for name in named if name not in read]
    held = {name: [cell for cell in cells_of(table, name) if isinstance(cell, str)] for name in named}
    found = [
        name
        for name, cells in held.items()
        if sum(len(cell.split()) for cell in cells) >= _FEWEST_WORDS * len(cells) > 0
    ]
    return found[0] if len(found) == 1 else None


_FEWEST_READ = 0.8  # share of a judge's answers that begin with a number
_ANSWER = re.compile(r"\W{0,3}(?:[A-Za-z]+(?: [A-Za-z]+)?\s*[:=]\s*)?([+-]?\d+(?:[.]\d+)?)(?![\d:/-])")
"""A judge's answer: a number, with a word such as `Score:` before it or not, and with anything behind it."""


def cells_of(table: Table, name: str) -> list[Any]:
    """Return the cells of a column, or of a place inside objects; None for each row without it."""
    cells = [cell_of(row, name) for row in table.rows]
    return [None if cell is MISSING else cell for cell in cells]


def score_numbers(
    file: str, name: str, cells: Sequence[object], words: Mapping[str, float] | None, table: Table | None = None
) -> tuple[Floats, str]:
    """Return scores as numbers, and a note on how they were read, without an end; NaN for missing ones.

    Args:
        file: the file that they are from.
        name: name of the score.
        cells: the scores as the file has them.
        words: the numbers that words stand for; None if they stand for none.
        table: the table whose rows the cells are of; None for an export.

    Raises:
        InputError: for a cell that is no number; the message names the row of a table.
    """
    means = _means_of_answers(cells) or _means_of_numbers(cells)
    if means is not None:
        return means[0], f"score {name!r}: {means[1]}"
    try:
        read = column_numbers(cells, words=words, decimal_comma=table is not None and table.comma)
    except NotNumbersError as error:
        where = file if table is None else table.where(error.row)
        raise InputError(f"{where}: score {name!r}: {error}") from None
    note = "; ".join(filter(None, [read.note, "" if words is not None else _on_marks(read.values)]))
    return read.values, f"score {name!r}: {note}" if note else ""


def answers_right(table: Table, name: str, gold: str) -> tuple[Floats, str]:
    """Return 1 for each answer that is the right one, or one of these, and 0 for each other, and a note on that.

    Capitals and spaces around an answer do not count. A blank answer is wrong. The note tells SQuAD's exact match if it
    differs, of right answers of several words.

    Args:
        table: the table.
        name: the column of answers.
        gold: the column of right answers; a cell may hold a list of several. Or several columns, joined, of a person
            each: right is then the answer of more than half of those who gave one, and rows without such a one are NaN.

    Raises:
        InputError: for a column that is not there, and a row without a right answer.
    """
    answers = [_answer(cell) for cell in table.column(ColumnName(name, "--score-column"))]
    if len(names_in(gold)) > 1 and gold not in table.columns:
        return _answers_of_most(table, name, answers, names_in(gold))
    values = np.zeros(len(answers))
    for row, (answer, cell) in enumerate(zip(answers, table.column(ColumnName(gold, "--gold-column")), strict=True)):
        inside = from_json(cell)
        right = {_answer(each) for each in (inside if isinstance(inside, (list, tuple)) else [cell])} - {""}
        if not right:
            raise InputError(f"{table.where(row)}: there is no right answer in column {str(gold)!r} (--gold-column)")
        values[row] = answer in right
    n_blank = answers.count("")
    told = f", also if it is blank ({n_blank} of {len(answers)})" if n_blank else ""
    told += _on_squad(table, name, gold, values)
    counted = (
        f"an answer in column {str(name)!r} counts 1 if it is that in {str(gold)!r}, whatever its capitals, and else"
    )
    return values, f"{counted} 0{told}"


def squad_scores(table: Table, name: str, gold: str) -> tuple[dict[str, Floats], str]:
    """Return SQuAD's exact match and F1 of each answer, and a note on them.

    Args:
        table: the table.
        name: the column of answers.
        gold: the column of right answers; a cell may hold a list of several, or of none to a question without answer.

    Raises:
        InputError: for a column that is not there, several of right answers, and a cell without any.
    """
    if len(names_in(gold)) > 1 and gold not in table.columns:
        raise InputError(
            f"--squad takes one --gold-column, whose cells may hold lists, but got {quoted(names_in(gold))}"
        )
    answers = [_written(cell) for cell in table.column(ColumnName(name, "--score-column"))]
    right = _right_answers(table, gold)
    for row, of_row in enumerate(right):
        if of_row == [""]:
            raise InputError(f"{table.where(row)}: there is no right answer in column {str(gold)!r} (--gold-column)")
    found = {
        EXACT_MATCH: np.array(list(map(exact_match, answers, right))),
        F1: np.array(list(map(f1_of_words, answers, right))),
    }
    return found, (
        f"exact match and F1 of words of answers in column {str(name)!r} are SQuAD's, by the best of those in "
        f"{str(gold)!r}, without capitals, punctuation and the articles a, an and the"
    )


def _right_answers(table: Table, gold: str) -> list[list[str]]:
    """Return the right answers of each row; of an empty list none."""
    cells = map(from_json, table.column(ColumnName(gold, "--gold-column")))
    return [list(map(_written, cell if isinstance(cell, (list, tuple)) else [cell])) for cell in cells]


def _on_squad(table: Table, name: str, gold: str, values: Floats) -> str:
    """Return the end of a note on SQuAD's exact match if it differs from values; "" for right answers of one word."""
    right = _right_answers(table, gold)
    if not any(len(each.split()) > 1 for of_row in right for each in of_row):
        return ""
    answers = map(_written, table.column(name))
    matched = float(np.mean(list(map(exact_match, answers, right))))
    if np.isclose(matched, values.mean()):
        return ""
    return (
        f"; SQuAD's exact match, without punctuation and articles, is {matched:.4g}: --squad tells it, with F1 of words"
    )


def _answers_of_most(table: Table, name: str, answers: Sequence[str], people: Sequence[str]) -> tuple[Floats, str]:
    """Return the same by the answer of most people, who have a column each."""
    given = [[_answer(cell) for cell in table.column(ColumnName(each, "--gold-column"))] for each in people]
    values = np.full(len(answers), np.nan)
    for row, of_row in enumerate(zip(*given, strict=True)):
        counts = Counter(filter(None, of_row))
        most, n_most = counts.most_common(1)[0] if counts else ("", 0)
        if 2 * n_most > counts.total():
            values[row] = answers[row] == most
    n_without = int(np.isnan(values).sum())
    told = f"; {n_without} rows without an answer of most of them are left out" if n_without else ""
    of_most = f"that of more than half of {quoted(people)}"
    return values, f"an answer in column {str(name)!r} counts 1 if it is {of_most}, and else 0{told}"


def _answer(cell: object) -> str:
    return _written(cell).casefold()


def _written(cell: object) -> str:
    """Return an answer as it is written, without spaces around it."""
    if isinstance(cell, float) and cell.is_integer():  # of a column with blanks
        cell = int(cell)
    return "" if is_blank(cell) else str(cell).strip()


_FEWEST_BESIDE_MARKS = 10
"""Fewest other scores beside negative whole numbers that may mark missing ones."""

_MOST_MARKS = 0.2
"""Largest share of scores that may mark missing ones."""

_FEWEST_ALIKE = 2
"""Fewest equal negative numbers that may mark missing scores."""


def _on_marks(values: Floats) -> str:
    """Return a note on a few negative whole numbers among scores that are else from 0 up and no whole numbers; or "".

    Tools write them for a missing score: -1, -2 or -999.

    >>> _on_marks(np.array([-1.0, -1.0, *(n + 0.5 for n in range(12))]))
    '2 of 14 are -1, and all others from 0.5 to 11.5: if they mark missing scores, leave them out (--values "-1=")'
    """
    known = values[np.isfinite(values)]
    is_mark = (known < 0) & (known == np.floor(known))
    others = known[~is_mark]
    if not 0 < is_mark.sum() <= _MOST_MARKS * len(known) or len(others) < _FEWEST_BESIDE_MARKS or others.min() < 0:
        return ""
    marks, counts = np.unique(known[is_mark], return_counts=True)
    if (others == np.floor(others)).all() or counts.max() < _FEWEST_ALIKE:
        return ""
    listed_marks = [f"{mark:g}" for mark in marks.tolist()[::-1]]
    return (
        f"{is_mark.sum()} of {len(known)} are {' or '.join(listed_marks)}, and all others from {others.min():.4g} to "
        f"{others.max():.4g}: if they mark missing scores, leave them out "
        f'(--values "{",".join(f"{mark}=" for mark in listed_marks)}")'
    )


def _means_of_numbers(cells: Sequence[object]) -> tuple[Floats, str] | None:
    """Return the mean of the numbers in each cell's list, and how they were read; None for other cells.

    >>> _means_of_numbers([[1, 2], "[3]", None])[0]
    array([1.5, 3. , nan])
    """
    read = [from_json(cell) for cell in cells]
    lists = [each for each in read if isinstance(each, (list, tuple))]
    if not lists or not all(isinstance(each, (list, tuple)) or is_blank(each) for each in read):
        return None
    numbers = [[finite_number(entry) for entry in each if not is_blank(entry)] for each in lists]
    if any(number is None for of_list in numbers for number in of_list):
        return None
    found = iter(numbers)
    means = []
    for each in read:
        known = [number for number in next(found) if number is not None] if isinstance(each, (list, tuple)) else []
        means.append(float(np.mean(known)) if known else np.nan)
    return np.array(means), "each cell's is the mean of the numbers in its list"


def _means_of_answers(cells: Sequence[object]) -> tuple[Floats, str] | None:
    r"""Return the mean of the numbers in each list of a judge's answers, and how they were read; None for other cells.

    The form: `all_responses` in the results of github.com/nlpyang/geval, in which a judge is asked several times.
    Answers are texts that begin with a number, as "4" and "Score: 4\n\nThe", most of them at least.
    """
    first = next((cell for cell in cells if not is_blank(cell)), None)
    if not isinstance(from_json(first), list):
        return None
    lists = [from_json(cell) for cell in cells if not is_blank(cell)]
    if not all(isinstance(each, list) and len(each) > 1 for each in lists):
        return None
    answers = [answer for each in lists for answer in each]
    if not are_answers_with_numbers(answers):
        return None
    n_read = sum(number_of_answer(answer) is not None for answer in answers)
    means = []
    for cell in cells:
        inside = from_json(cell)
        found = [number_of_answer(answer) for answer in inside] if isinstance(inside, list) else []
        known = [number for number in found if number is not None]
        means.append(float(np.mean(known)) if known else np.nan)
    lost = len(answers) - n_read
    told = f"; {lost} of {len(answers)} answers begin with no number and are left out" if lost else ""
    return np.array(means), f"each cell's is the mean of the numbers with which the answers in its list begin{told}"


def are_answers_with_numbers(answers: Sequence[object]) -> bool:
    """Say whether texts are a judge's answers, which begin with a number, most of them at least; some have words."""
    texts = [answer for answer in answers if isinstance(answer, str)]
    if len(texts) < len(answers) or all(finite_number(text) is None for text in texts):
        return False
    return sum(number_of_answer(text) is not None for text in texts) >= _FEWEST_READ * len(texts)


def number_of_answer(answer: str) -> float | None:
    r"""Return the number with which a judge's answer begins; None if it begins with something else.

    >>> number_of_answer(" 4\n\nThe"), number_of_answer("Score: 3.5"), number_of_answer("The summary has 3 errors")
    (4.0, 3.5, None)
    """
    match = _ANSWER.match(answer)
    return None if match is None else float(match[1])


def numeric_columns(table: Table, besides: set[str], n_systems: int) -> list[str]:
    """Return the columns that hold numbers, blanks and marks of missing values; running numbers and times are none.

    Args:
        table: the table.
        besides: columns that are in use.
        n_systems: number of systems with rows in the table.
    """
    names = [name for name in table.names() if name not in besides]
    return [name for name in names if _has_scores(cells_of(table, name), n_systems, decimal_comma=table.comma)]


def _has_scores(cells: Sequence[Any], n_systems: int, *, decimal_comma: bool) -> bool:
    if any(isinstance(cell, (list, dict)) for cell in cells):
        return False
    try:
        read = column_numbers(cells, decimal_comma=decimal_comma)
    except NotNumbersError:
        return False
    known = read.values[np.isfinite(read.values)]
    if read.note or not len(known) or are_times(known):
        return False
    are_whole = bool((known == np.floor(known)).all())
    numbers_rows = are_whole and len(np.unique(known)) * n_systems == len(cells) > n_systems
    return not numbers_rows


_NAMED_COLUMN = re.compile(r"\b([a-z]\w*)(?=(?:, \w+)*:)")
"""Names of columns in `MetricSpec.results`; those of another metric's values end in `_scores` there."""


def metric_columns(columns: Sequence[str]) -> list[str]:
    """Return the columns that have a metric's name, and are not further columns of another metric among them.

    >>> metric_columns(["text", "fluency", "log_odds_per_word", "slor"])
    ['fluency', 'slor']
    """
    named = [name for name in metric_names() if name in columns]
    further = {column for name in named for column in _columns_beside(name)}
    return [name for name in named if name not in further] or named


def written_scores(columns: Sequence[str]) -> list[str]:
    """Return the columns of scores in a table that `score` wrote, which has further columns of their metric; else none.

    >>> written_scores(["text", "slor", "n_tokens", "reason"]), written_scores(["text", "fluency", "reason"])
    (['slor'], [])
    """
    if "reason" not in columns:
        return []
    return [name for name in metric_columns(columns) if not _columns_beside(name).isdisjoint(columns)]


_OF_METRICS = re.compile(f"{METRICS}|{OF_TASKS}|{OF_JUDGES}|similarity")


def are_of_metrics(names: Sequence[str]) -> bool:
    """Say whether all columns are called as metrics or criteria, so that they are of one system, and none a system.

    A figure of a metric, such as `rouge-1.f`, is one of them.

    >>> are_of_metrics(["faithfulness", "answer_relevancy", "context_recall"]), are_of_metrics(["ours", "base"])
    (True, False)
    """
    return all(any(map(_OF_METRICS.fullmatch, _words_of(name))) or _is_figure_of_metric(name) for name in names)


def is_of_metric(name: str) -> bool:
    """Say whether a column is called as a metric of texts, and not as a criterion by which people rate, too.

    >>> is_of_metric("chrF"), is_of_metric("slor"), is_of_metric("fluency"), is_of_metric("score")
    (True, True, False, False)
    """
    return name.lower() not in CRITERIA_WORDS and (names_metric(name) or name in metric_names())


def is_computed(name: str) -> bool:
    """Say whether a score is called as one that no people give: a metric of texts, or a share of right answers.

    Inside an object, a name that is a criterion of people's, too, tells nothing.

    >>> is_computed("bleu"), is_computed("exact_match"), is_computed("rating"), is_computed("relevance")
    (True, True, False, False)
    >>> is_computed("score.value.acc"), is_computed("annotations.accuracy"), is_computed("BLEURT max")
    (True, False, True)
    """
    holder, _, last = name.lower().rpartition(".")
    may_be_people = bool(holder) and last in CRITERIA_WORDS
    if is_of_metric(name) or _is_summary_of_metric(name):
        return True
    return re.fullmatch(OF_TASKS, last) is not None and not may_be_people


_SUMMARIES = frozenset(("max", "min", "mean", "avg", "diff", "acc", "p", "r", "f", "precision", "recall"))
"""Words behind the name of a metric for a figure that is made of its values."""


def _is_summary_of_metric(name: str) -> bool:
    """Say whether a name is that of a metric with such words behind it.

    >>> _is_summary_of_metric("BLEURT max"), _is_summary_of_metric("parent answer"), _is_summary_of_metric("max")
    (True, False, False)
    """
    first, *others = re.split(r"[\s_-]+", name.lower())
    return bool(others) and is_of_metric(first) and _SUMMARIES.issuperset(others)


def _is_figure_of_metric(name: str) -> bool:
    return names_metric(str(name).rpartition(".")[0])


_SHARES = re.compile(f"{OF_OVERLAP}|{OF_TASKS}|{OF_JUDGES}")


def is_of_shares(name: str) -> bool:
    """Say whether a column is called as a metric that goes from 0 to 1, if its values do not exceed these.

    >>> is_of_shares("context_recall"), is_of_shares("latency")
    (True, False)
    """
    return any(map(_SHARES.fullmatch, _words_of(name)))


def _words_of(name: str) -> list[str]:
    """Return the words of a column's name, and the name as a whole, in small letters."""
    last = str(name).rpartition(".")[2].lower()
    return [last, *re.split(r"[^a-z0-9]+", last)]


def _columns_beside(metric: str) -> set[str]:
    return {column.removesuffix("_scores") for column in _NAMED_COLUMN.findall(metric_spec(metric).results)}


def system_column(table: Table, columns: ScoreColumns, *, alone: bool) -> ColumnName | None:
    """Return the column of systems; None for a table of one system.

    Args:
        table: the table.
        columns: the columns that the user names.
        alone: whether this is the only file: then it should hold several systems, and other names are tried.
    """
    if columns.system is not None:
        return columns.named("system")
    known = SYSTEM_NAMES if alone else SYSTEM_NAMES[:1]
    name = next((name for name in known if name in table.columns and name not in columns.in_use()), None)
    return None if name is None else ColumnName(name, "--system-column")


def quoted(names: Sequence[str], limit: int = 8) -> str:
    """Return names as messages list them, cut if there are many."""
    shown = ", ".join(map(repr, map(str, names[:limit])))
    return shown + (" …" if len(names) > limit else "")
