"""Options for reading files, and notes on the assumptions made.

One `Reading` travels from a command's options to the rows.
"""

from __future__ import annotations

import ast
import json
import re
import warnings
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from typing import Any, NamedTuple

from referenceless_metrics.core.files.joined_ids import HEAD, TAIL, split_id
from referenceless_metrics.core.support.validation import InputError, Record

WHITE_SPACE = " "
"""The delimiter that stands for any number of blanks and tabs."""

TRIPLE_BAR = "|||"
"""The delimiter of lists of translations and aligned texts; blanks around it are no part of the fields."""

_NUMBERS = re.compile(r"\s*\[\s*-?[\d.]+(?:e[+-]?\d+)?(?:\s+-?[\d.]+(?:e[+-]?\d+)?)*\s*\]\s*")
_LONGEST_LITERAL = 10**6  # characters of a list that Python printed
_TEXT = re.compile(r"'(?:[^'\\]|\\.)*'|\"(?:[^\"\\]|\\.)*\"", re.DOTALL)
_TEXTS = re.compile(rf"\s*\[\s*(?:{_TEXT.pattern})(?:\s+(?:{_TEXT.pattern}))+\s*\]\s*", re.DOTALL)
"""Texts in brackets with nothing but white space between, as NumPy prints them: Python would join them."""

_FEWEST_IDS = 20
"""Fewest keys of objects at one place that are taken for ids."""

ALL_SHEETS = "*"
"""The sheet that stands for all sheets of a workbook, whose names are then the column `sheet`."""


class InputNote(UserWarning):
    """A note on an assumption made as a file was read, with the option that changes it."""


def tell(notes: Iterable[str]) -> None:
    """Tell the user the assumptions: a command prints `note: …` on standard error, above its result."""
    for note in notes:
        warnings.warn(note, InputNote, stacklevel=3)


@contextmanager
def each_note_once() -> Iterator[None]:
    """Tell each note of what runs here once, after it, however often it comes."""
    caught: list[warnings.WarningMessage] = []
    try:
        with warnings.catch_warnings(record=True) as caught:
            warnings.simplefilter("always")
            yield
    finally:
        for note in {(each.category, str(each.message)): each for each in caught}.values():
            warnings.warn_explicit(note.message, note.category, note.filename, note.lineno)


class Condition(NamedTuple):
    """A condition on a row: the cell of a column, as text, is equal to a value, or is another one.

    >>> Condition("language", "de").holds({"language": "de"}), Condition("n", "1").holds({"n": 1})
    (True, True)
    >>> str(Condition("output", "", is_other=True)), Condition("output", "", is_other=True).holds({"input": "a"})
    ('output!=', False)
    """

    column: str
    value: str
    is_other: bool = False

    def holds(self, row: Record) -> bool:
        """Say whether a row meets the condition; that of a row without the column is blank."""
        cell = cell_of(row, self.column)
        text = "" if cell is MISSING else cell_text(cell)
        return (text == self.value) != self.is_other

    def __str__(self) -> str:
        """Return it as `--where` has it."""
        return f"{self.column}{'!=' if self.is_other else '='}{self.value}"

    @property
    def holds_without_column(self) -> bool:
        """Whether rows without the column meet it, so that a name which no column has would be no error."""
        return (self.value == "") != self.is_other


MISSING = object()
"""The cell of a row that has no such column."""


JOIN = " + "
"""The sign between the names of columns whose cells together are one key, such as `doc + seg`."""


def joined_name(names: Sequence[str]) -> str:
    """Return the name of a key that several columns make up together; see `cell_of`.

    >>> joined_name(["doc", "seg"]), joined_name(["item"])
    ('doc + seg', 'item')
    """
    return JOIN.join(names)


def names_in(name: str) -> list[str]:
    """Return the columns that a name joins: itself, for one column.

    >>> names_in("doc + seg"), names_in("item")
    (['doc', 'seg'], ['item'])
    """
    return name.split(JOIN)


def cell_of(row: Record, name: str) -> Any:
    """Return the cell of a column, or of a place inside an object in one, such as `scores.fluency`; else `MISSING`.

    Of a list of objects it is the list of their cells; None for an object without the place. A number is a place in a
    list, from 0, or from its end. Cells of text that hold JSON are read. `NAME.head` and `NAME.tail` are the sides of
    an id that joins two names. `NAME + OTHER` is the key that two columns, or more, make up together: their cells with
    a stroke between, and None if one of them holds nothing.

    >>> cell_of({"scores": {"fluency": 4}}, "scores.fluency")
    4
    >>> cell_of({"scores": {"Claude-3.5": {"fluency": 4}}}, "scores.Claude-3.5.fluency")
    4
    >>> cell_of({"raters": [{"fluency": 4}, {"fluency": 5}]}, "raters.fluency")
    [4, 5]
    >>> cell_of({"turns": [{"content": "Hi"}, {"content": "Hello"}]}, "turns.-1.content")
    'Hello'
    >>> cell_of({"id": "bert_base_12"}, "id.head")
    'bert_base'
    >>> cell_of({"judge": 'My answer: {"score": 3}'}, "judge.score")
    3
    >>> cell_of({"doc": "news", "seg": 1.0}, "doc + seg"), cell_of({"doc": "news", "seg": "news/1"}, "doc + seg")
    ('news/1', 'news/1')
    """
    if name in row:
        return row[name]
    if JOIN in name:
        return _key_of(row, names_in(name))
    whole, _, side = name.rpartition(".")
    if side in (HEAD, TAIL) and isinstance(joined := cell_of(row, whole), str):
        sides = split_id(joined)
        if sides is not None:
            return sides[0] if side == HEAD else sides[1]
    for dot in re.finditer(r"\.", name):  # a key may hold dots itself
        first, rest = name[: dot.start()], name[dot.end() :]
        if rest and first in row and (cell := _cell_inside(row[first], rest)) is not MISSING:
            return cell
    return MISSING


def _cell_inside(outer: object, rest: str) -> Any:
    """Return the cell at a place inside the cell of a column; `MISSING` if there is no such place."""
    inside = from_json(outer)
    inside = _object_within(inside) if isinstance(inside, str) else inside
    if isinstance(inside, dict):
        return cell_of(inside, rest)
    if isinstance(inside, (list, tuple)) and re.fullmatch(r"-?\d+(\..*)?", rest):
        return _in_list(inside, rest)
    if are_objects(inside):
        cells = [cell_of(each, rest) for each in inside]
        if any(cell is not MISSING for cell in cells):
            return [None if cell is MISSING else cell for cell in cells]
    return MISSING


def _object_within(text: str) -> Any:
    """Return the object in JSON that a text holds among words, as the answer of a judge does; the text without one."""
    begin, end = text.find("{"), text.rfind("}")
    inside = from_json(text[begin : end + 1]) if 0 <= begin < end else text
    return inside if isinstance(inside, dict) else text


def _key_of(row: Record, names: Sequence[str]) -> Any:
    """Return the key that several columns make up together; `MISSING` if one is not there, None if one is blank."""
    cells = [cell_of(row, name) for name in names]
    if MISSING in cells:
        return MISSING
    whole = [int(cell) if isinstance(cell, float) and cell.is_integer() else cell for cell in cells]
    parts = ["" if cell is None else str(cell).strip() for cell in whole]
    if not all(parts):
        return None
    key, *others = parts
    for part in others:  # an item that a tool names with its document holds it already
        key = part if part.startswith(f"{key}/") else f"{key}/{part}"
    return key


def _in_list(cells: Sequence[Any], path: str) -> Any:
    """Return the cell at a place of a list, or at a place inside it; `MISSING` behind its end."""
    number, _, rest = path.partition(".")
    if not -len(cells) <= int(number) < len(cells):
        return MISSING
    cell = cells[int(number)]
    return cell if not rest else cell_of(cell, rest) if isinstance(cell, dict) else MISSING


def are_objects(cell: Any) -> bool:
    """Say whether a cell holds a list of objects.

    >>> are_objects([{"fluency": 4}]), are_objects([4]), are_objects([])
    (True, False, False)
    """
    return isinstance(cell, (list, tuple)) and bool(cell) and all(isinstance(each, dict) for each in cell)


_FENCED = re.compile(r"\s*```(?:json)?\s*(\{.*\})\s*```\s*", re.DOTALL)


def from_json(cell: object) -> Any:
    """Return a cell that holds a list or an object as its value, and any other cell as it is.

    It may be written as JSON, as a language model fences it, as Python prints it, or as NumPy prints a row.

    >>> from_json('[{"rating": 4}]'), from_json("fine"), from_json("['a', None]"), from_json("[4. 5.]")
    ([{'rating': 4}], 'fine', ['a', None], [4.0, 5.0])
    >>> from_json("['a cat' 'the cat']")
    ['a cat', 'the cat']
    """
    if not isinstance(cell, str) or cell.lstrip()[:1] not in ("{", "[", "`"):
        return cell
    fenced = _FENCED.fullmatch(cell)
    cell = cell if fenced is None else fenced[1]
    try:
        return json.loads(cell)
    except (ValueError, RecursionError):
        pass
    if _NUMBERS.fullmatch(cell):
        return [float(number) for number in cell.strip(" []\n").split()]
    if len(cell) > _LONGEST_LITERAL:
        return cell
    with suppress(ValueError, SyntaxError, RecursionError, MemoryError, TypeError):
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")  # of a text that is no literal
            if _TEXTS.fullmatch(cell):
                return [ast.literal_eval(text) for text in _TEXT.findall(cell)]
            value = ast.literal_eval(cell.strip())
        if isinstance(value, (list, dict)):
            return value
    return cell


def paths_of(value: Any, closed: Collection[str] = (), place: str = "") -> list[str]:
    """Return the places inside an object, or inside the objects of a list; none for other cells.

    Args:
        value: the cell.
        closed: places that are not looked into.
        place: the place of the cell, as `closed` names it.

    >>> paths_of({"a": 1, "b": {"c": 2}, "d": [{"e": 3}, {"f": 4}]})
    ['a', 'b.c', 'd.e', 'd.f']
    >>> paths_of({"content": '{"score": 3, "reason": "short"}'})
    ['content.score', 'content.reason']
    >>> paths_of({"a": 1, "b": {"c": 2}}, closed=["row.b"], place="row")
    ['a', 'b']
    """
    if place in closed:
        return []
    if are_objects(value):
        return list(dict.fromkeys(path for each in value for path in paths_of(each, closed, place)))
    if not isinstance(value, dict):
        return []
    paths = []
    for name, cell in value.items():
        inside = paths_of(_object_in(cell), closed, f"{place}.{name}")
        paths += [f"{name}.{path}" for path in inside] if inside else [str(name)]
    return paths


def _object_in(cell: object) -> Any:
    """Return the object that a text holds as JSON, and any other cell as it is."""
    return from_json(cell) if isinstance(cell, str) and cell.lstrip()[:1] in ("{", "`") else cell


def places_of_ids(cells: Sequence[Any], place: str) -> list[str]:
    """Return the places of objects whose keys are ids, as those of messages are, and no names of fields.

    There are many keys, other ones in each object: most stand in one object alone, or in two.

    Args:
        cells: the cells of a column.
        place: its name.

    >>> chats = [{"messages": {f"m{row}-{n}": {"role": "user"} for n in range(3)}} for row in range(9)]
    >>> places_of_ids(chats, "chat"), places_of_ids([{"fluency": 3, "style": 4}] * 9, "chat")
    (['chat.messages'], [])
    """
    objects = [each for cell in cells for each in (cell if are_objects(cell) else [cell]) if isinstance(each, dict)]
    held: dict[str, list[Any]] = {}
    for each in objects:
        for name, cell in each.items():
            held.setdefault(str(name), []).append(_object_in(cell))
    if len(held) >= _FEWEST_IDS:
        largest = max(map(len, objects))
        n_cells = sum(map(len, held.values()))
        if len(held) >= 2 * largest and n_cells <= 2 * len(held):
            return [place]
    return [path for name, inside in held.items() for path in places_of_ids(inside, f"{place}.{name}")]


def cell_text(cell: object) -> str:
    """Return a cell as the text that conditions are compared with.

    >>> cell_text(None), cell_text(True), cell_text(2.5)
    ('', 'true', '2.5')
    """
    if cell is None:
        return ""
    if isinstance(cell, bool):
        return str(cell).lower()
    return str(cell)


def condition(text: str) -> Condition:
    """Read a condition as an option gives it.

    >>> condition("language=de")
    Condition(column='language', value='de', is_other=False)
    >>> condition("response!="), condition("language == de") == condition("language=de")
    (Condition(column='response', value='', is_other=True), True)

    Raises:
        InputError: for a text of another form.
    """
    column, equals, value = text.partition("=")
    name = column.removesuffix("!").strip()
    if not name or not equals:
        raise InputError(f"expected COLUMN=VALUE, such as language=de, or COLUMN!=VALUE, but got {text!r}")
    return Condition(name, value.removeprefix("=").strip(), is_other=column.endswith("!"))


@dataclass(frozen=True)
class Reading:
    """The way in which files are to be read; the default goes by each file's suffix and content.

    Attributes:
        format: one of `tables.FORMATS`; None to go by the suffix, or else by the content.
        encoding: encoding of text files, as Python calls it; None for that of a mark at the beginning, else UTF-8.
        delimiter: separator of the fields of a text table: a character, `TRIPLE_BAR`, or `WHITE_SPACE` for any number
            of blanks and tabs; None to go by the first lines.
        columns: the names of the columns of a file without a header; none for a file that has one.
        sheet: the name of a workbook's sheet, or its number from 1, or `ALL_SHEETS`; None for the first.
        where: conditions on rows; a row that does not meet all of them is left out.
        rows_in: the column whose cells are lists of objects that are the rows; None for the rows of the file.
        questions: for a survey, the table that gives the system and the item of each question, or a pattern of the
            questions' names; None for none.
        words: the numbers that words in the answers of a survey stand for; None if they stand for none.
        error_weights: weights of marked errors by severity, and by severity and category, in small letters; None for
            the usual ones.
        counts_errors: whether marked errors are counted alone, so that each severity may lack a weight.
        data_dir: the folder that holds the files of a data set such as `huse:summarization`.
        longest_line: the most bytes of a line that are read.
        most_rows: the most rows that are held at once.
    """

    format: str | None = None
    encoding: str | None = None
    delimiter: str | None = None
    columns: tuple[str, ...] = ()
    sheet: str | None = None
    where: tuple[Condition, ...] = ()
    rows_in: str | None = None
    questions: str | None = None
    words: Mapping[str, float] | None = None
    error_weights: Mapping[str, float] | None = None
    counts_errors: bool = False
    data_dir: str | None = None
    longest_line: int = 2**24
    most_rows: int = 10_000_000

    @property
    def says_table(self) -> bool:
        """Whether the file is said to be a table, and so no export of a tool."""
        return self.format is not None or self.rows_in is not None or bool(self.columns)

    @property
    def says_plain_table(self) -> bool:
        """Whether the file is said to be a table of text, whose rows and columns are what they are called."""
        return self.format in ("csv", "tsv")


BY_SUFFIX = Reading()
"""Reading by each file's suffix and content."""
