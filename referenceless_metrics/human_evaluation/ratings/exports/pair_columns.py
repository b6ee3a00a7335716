"""Columns of two outputs that stand side by side in a row: their names differ in a number, a letter or a word.

`response_a` and `response_b`, `model1` and `model2`, `winner_model_a` and `winner_model_b`. Two outputs in one list are
such columns, too, called `summaries.0.text` and `summaries.1.text`.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple

from referenceless_metrics.core.files.left_out_rows import is_blank
from referenceless_metrics.core.files.reading import from_json
from referenceless_metrics.core.files.turns import SPEAKERS, tells_who_speaks
from referenceless_metrics.core.support.validation import Record
from referenceless_metrics.human_evaluation.ratings.exports.answers import SAMPLE, fields_of

MARKS = (("0", "1"), ("1", "2"), ("a", "b"), ("left", "right"), ("first", "second"), ("one", "two"))
"""Marks of the first and of the second of two outputs."""

_FURTHER = frozenset("23456789cdef")  # with a third one, columns are no pair
_TOKEN = re.compile(r"[A-Z]?[a-z]+|[A-Z]+(?![a-z])|\d+")
_UNSPACED = re.compile(r"[\u3040-\u30ff\u3400-\u9fff\u0e00-\u0eff]")  # Japanese, Chinese, Thai, Lao
_ASKED = re.compile(r"([A-Za-z]+\d+)[_:.= -]+(.+)", re.DOTALL)  # a question and its answer, as Q1_tie
_WORDS = 2.5  # words of a text in the mean
_TEXTS = frozenset(
    (
        *("response", "output", "answer", "completion", "text", "summary", "candidate", "generation", "translation"),
        *("conversation", "story", "sentence", "hypothesis", "reply", "paraphrase", "simplification"),
    )
)
_SYSTEMS = frozenset(("model", "system", "generator", "source", "policy", "method", "engine", "name"))

_OF_OUTPUTS = re.compile(
    rf"(?P<before>.+)[_ .-](?P<last>{'|'.join(sorted(_TEXTS))})|"
    rf"(?P<first>{'|'.join(sorted(_TEXTS))})[_ .-](?P<behind>.+)",
    re.IGNORECASE,
)
"""Names of columns of outputs by one system."""

_BETWEEN = ("_vs_", "_vs._", " vs ", " vs. ", "-vs-", " - ", "|", ";", "/", ":", "__", "_")
"""Signs between the names of two systems, in the order in which they are tried."""

_OF_COMPARED = re.compile(r"cmp|compar|pair|versus|(?<![a-z])vs(?![a-z])|match", re.IGNORECASE)
_MOST_SYSTEMS = 60


class Pair(NamedTuple):
    """Two columns, of the first output and of the second.

    Attributes:
        pattern: the common part of both names, with a star for the mark.
        columns: their names.
        marks: the mark of each, in small letters.
    """

    pattern: str
    columns: tuple[str, str]
    marks: tuple[str, str]

    @property
    def words(self) -> set[str]:
        """The words of the names, without the mark."""
        return set(words_in(self.pattern))

    @property
    def systems(self) -> tuple[str, str]:
        """The systems by the columns' names alone: these, or their marks if nothing else tells the columns apart.

        >>> Pair("", ("Ours_summary", "base_summary"), ("ours", "base")).systems
        ('Ours', 'base')
        """
        if self.pattern:
            return self.columns
        first, second = (
            column[(start := column.lower().find(mark)) : start + len(mark)]
            for column, mark in zip(self.columns, self.marks, strict=True)
        )
        return first, second


def words_in(name: str) -> list[str]:
    """Return the words and numbers in the name of a column, in small letters.

    >>> words_in("modelA_is_better2")
    ['model', 'a', 'is', 'better', '2']
    """
    return [token.lower() for token in _TOKEN.findall(name)]


def flat_rows(rows: Sequence[Record]) -> list[Record]:
    """Return rows with the fields of objects, and of the two elements of lists, as columns with dotted names.

    A list of two is a pair if none of the first rows has a list of another length there: marked errors, say, are two in
    some rows. So a list of one object stands for that object. If the elements of a list begin with the name of a
    question each, as `Q1_tie`, each question is a column.
    """
    paired = _columns_of_pairs(rows[:SAMPLE])
    single = _columns_of_one(rows[:SAMPLE])
    asked = _columns_of_questions(rows[:SAMPLE])
    return [_flat(_with_questions(row, asked), paired, single) for row in rows]


def _columns_of_one(rows: Sequence[Record]) -> set[str]:
    """Return the columns whose cells are all lists of one object."""
    columns = {name for row in rows for name in row}
    return {name for name in columns if all(_is_one_object(from_json(row.get(name))) for row in rows)}


def _is_one_object(cell: object) -> bool:
    return isinstance(cell, list) and len(cell) == 1 and isinstance(cell[0], Mapping)


def columns_of_questions(rows: Sequence[Record]) -> set[str]:
    """Return the columns that `flat_rows` makes of lists of answers to questions."""
    asked = _columns_of_questions(rows[:SAMPLE])
    return {f"{name}.{question}" for name, questions in asked.items() for question in questions}


def _columns_of_questions(rows: Sequence[Record]) -> dict[str, tuple[str, ...]]:
    """Return the columns of lists of answers, with the question at each place."""
    found: dict[str, tuple[str, ...]] = {}
    for name in dict.fromkeys(name for row in rows for name in row):
        lists = [from_json(row.get(name)) for row in rows if not is_blank(row.get(name))]
        if not lists or not all(isinstance(each, list) and len(each) > 1 for each in lists):
            continue
        told = {tuple(_question(cell) for cell in each) for each in lists}
        questions = next(iter(told))
        if len(told) == 1 and all(questions) and len(set(questions)) == len(questions):
            found[name] = questions
    return found


def _question(cell: object) -> str:
    match = _ASKED.fullmatch(cell) if isinstance(cell, str) else None
    return "" if match is None else match[1]


def _with_questions(row: Record, asked: Mapping[str, tuple[str, ...]]) -> Record:
    """Return a row with a field for each question of lists of answers, `COLUMN.QUESTION`, in place of the lists."""
    cells: Record = {}
    for name, cell in row.items():
        inside = from_json(cell)
        if name in asked and isinstance(inside, list):
            matches = [_ASKED.fullmatch(str(each)) for each in inside]
            cells |= {f"{name}.{match[1]}": match[2] for match in matches if match is not None}
        else:
            cells[name] = cell
    return cells


def _columns_of_pairs(rows: Sequence[Record]) -> set[str]:
    """Return the columns whose filled cells are all lists of two elements alike."""
    lengths: dict[str, set[bool]] = {}
    for row in rows:
        for name, cell in row.items():
            inside = from_json(cell)
            if isinstance(inside, list):
                lengths.setdefault(name, set()).add(len(inside) == 2 and _are_alike(inside))
    return {name for name, told in lengths.items() if told == {True}}


def _flat(row: Record, paired: set[str], single: set[str]) -> Record:
    cells: Record = {}
    for name, cell in row.items():
        inside = from_json(cell)
        if name in paired and isinstance(inside, list) and len(inside) == 2 and _are_alike(inside):
            inside = dict(zip("01", inside, strict=True))
        elif name in single and isinstance(inside, list) and _is_one_object(inside):
            inside = inside[0]
        cells[name] = inside if isinstance(inside, Mapping) else cell
    return fields_of(cells)


def _are_alike(two: Sequence[Any]) -> bool:
    if all(isinstance(each, Mapping) for each in two):
        return set(two[0]) == set(two[1])
    return all(isinstance(each, str) for each in two)


def pairs_of(columns: Sequence[str]) -> list[Pair]:
    """Return the pairs among columns, in their order.

    >>> [pair.columns for pair in pairs_of(["id", "response_a", "response_b", "r1", "r2", "r3"])]
    [('response_a', 'response_b')]
    """
    found: dict[str, dict[str, str]] = {}
    for name in columns:
        for match in _TOKEN.finditer(name):
            mark = match[0].lower()
            if mark in _FURTHER or any(mark in marks for marks in MARKS):
                found.setdefault(f"{name[: match.start()]}*{name[match.end() :]}", {})[mark] = name
    pairs = []
    for pattern, marked in found.items():
        for marks in MARKS:
            if set(marked) == set(marks):
                pairs.append(Pair(pattern, (marked[marks[0]], marked[marks[1]]), marks))
    return pairs


def filled(rows: Sequence[Record], columns: Sequence[str]) -> list[str]:
    """Return the filled cells of columns in the first rows, as texts."""
    return [str(cell).strip() for row in rows[:SAMPLE] for name in columns if not is_blank(cell := row.get(name))]


def are_texts(pair: Pair, rows: Sequence[Record]) -> bool:
    """Say whether two columns hold outputs: by their names, or since they hold several words."""
    cells = filled(rows, pair.columns)
    if not cells or all(re.fullmatch(r"-?[\d.]+", cell) for cell in cells):
        return False
    return _are_long(cells) or (bool(pair.words & _TEXTS) and not pair.words & {*_SYSTEMS, "id"})


def are_turns(pair: Pair, rows: Sequence[Record]) -> bool:
    """Say whether two columns are of messages of one conversation: the fields beside them name two speakers.

    >>> turns = {"chat.0.role": "user", "chat.0.text": "Hi", "chat.1.role": "assistant", "chat.1.text": "Hello"}
    >>> [are_turns(pair, [turns]) for pair in pairs_of(list(turns))]
    [True, True]
    """
    first, second = (name.rpartition(".")[0] for name in pair.columns)
    if not first or first == second:
        return False
    for field in SPEAKERS:
        of_first, of_second = (filled(rows, [f"{holder}.{field}"]) for holder in (first, second))
        if of_first != of_second and tells_who_speaks(field, [*of_first, *of_second]):
            return True
    return False


def _are_long(cells: Sequence[str]) -> bool:
    """Say whether cells hold several words in the mean."""
    return sum(map(_n_words, cells)) / len(cells) >= _WORDS


def _n_words(cell: str) -> float:
    """Return the number of words; two signs of a script without blanks between words count as one."""
    return len(cell.split()) + len(_UNSPACED.findall(cell)) / 2


def are_systems(pair: Pair, rows: Sequence[Record]) -> bool:
    """Say whether two columns hold the names of systems."""
    cells = filled(rows, pair.columns)
    are_named = bool(pair.words & _SYSTEMS) or ("id" in pair.words and _are_few_names(cells))
    if not are_named or not cells:
        return False
    return not are_texts(pair, rows) and not _are_flags(cells)


def _are_few_names(cells: Sequence[str]) -> bool:
    """Say whether cells hold names with letters, each in two places on average: those of systems, and not of texts.

    >>> _are_few_names(["out/bs5.txt", "base", "base", "out/bs5.txt"]), _are_few_names(["a1", "b7"])
    (True, False)
    """
    return 2 * len(set(cells)) <= len(cells) and all(re.search(r"[A-Za-z]{2}", cell) for cell in set(cells))


def are_flags(pair: Pair, rows: Sequence[Record]) -> bool:
    """Say whether two columns hold 1 for the output that is meant, and 0 for the other."""
    return _are_flags(filled(rows, pair.columns))


def _are_flags(cells: Sequence[str]) -> bool:
    return bool(cells) and {cell.lower() for cell in cells} <= {"0", "1", "0.0", "1.0", "true", "false", "yes", "no"}


def unmarked_texts(columns: Sequence[str], rows: Sequence[Record]) -> Pair | None:
    """Return the only two columns of texts, whose names are those of systems; None if there are others.

    Beside others they are the only two whose names say that they hold outputs, `writer_summary` and `bart_summary`:
    the marks are then the names without that word.

    Args:
        columns: the columns, without those of sources.
        rows: the first rows.
    """
    found = []
    for name in columns:
        cells = filled(rows, [name])
        if cells and _are_long(cells):
            found.append(name)
    if len(found) != 2:
        return _called_alike(found)
    first, second = found
    return Pair("", (first, second), (first.lower(), second.lower()))


def _called_alike(columns: Sequence[str]) -> Pair | None:
    """Return the only two columns that are called as outputs by one word, with what else their names say as marks.

    >>> _called_alike(["article_text", "writer_summary", "bart_summary"]).marks
    ('writer', 'bart')
    """
    found: dict[str, list[tuple[str, str]]] = {}
    for name in columns:
        match = _OF_OUTPUTS.fullmatch(name)
        if match is not None:
            word, mark = (match["last"], match["before"]) if match["last"] else (match["first"], match["behind"])
            found.setdefault(word.lower(), []).append((name, mark.lower()))
    alike = [pairs for pairs in found.values() if len(pairs) == 2]
    if len(alike) != 1:
        return None
    (first, of_first), (second, of_second) = alike[0]
    return Pair("", (first, second), (of_first, of_second))


class JoinedSystems(NamedTuple):
    """A column whose cells join the names of both systems, as `llama_opt`.

    Attributes:
        column: its name.
        sign: separator of the names.
    """

    column: str
    sign: str

    def names(self, cell: object) -> tuple[str, str]:
        """Return the names of the first and of the second system."""
        first, _, second = str(cell).strip().partition(self.sign)
        return first.strip(), second.strip()


def joined_systems(columns: Sequence[str], rows: Sequence[Record]) -> JoinedSystems | None:
    """Return the column that joins the names of two systems in each row; None if there is none, or several.

    One sign stands once in each cell, and a few names stand on its sides: fewer than there are different cells, or the
    column's name says that it holds compared systems.
    """
    found = []
    for column in columns:
        cells = set(filled(rows, [column]))
        sign = next((sign for sign in _BETWEEN if cells and all(cell.count(sign) == 1 for cell in cells)), None)
        if sign is None:
            continue
        joined = JoinedSystems(column, sign)
        sides = [joined.names(cell) for cell in cells]
        names = {name for both in sides for name in both}
        is_named = _OF_COMPARED.search(column) is not None
        are_few = 2 < len(names) <= _MOST_SYSTEMS and len(names) < len(cells)
        are_names = all(name and len(name.split()) < 4 and not name.isdigit() for name in names)
        if are_names and all(first != second for first, second in sides) and (are_few or is_named):
            found.append(joined)
    return found[0] if len(found) == 1 else None
