"""The rows of JSON lines, and of JSON in the shapes in which tables are written."""

from __future__ import annotations

import json
import re
from collections.abc import Collection, Iterator, Mapping, Sequence
from typing import Any

from referenceless_metrics.core.files.lines import ByteLines
from referenceless_metrics.core.support.validation import InputError, Record, describe, shortened

TEXT = "text"
"""The name of the one column of texts without a name."""

NUMBER = "number"
"""The name of the one column of numbers without a name."""

INNER_KEY = "inner_key"
"""The column of the keys of objects inside objects that are keyed, too."""

_FEWEST_IDS = 4

_TABLES = frozenset(("rows", "data", "examples", "instances", "samples", "results", "records", "items", "annotations"))
"""Keys of the list that holds the rows, if other lists of objects stand beside it."""

_MOST_COMMENTS = 200  # lines
_TOKENS = re.compile(r'"(?:[^"\\]|\\.)*"|[{}:,\n]', re.DOTALL)


class _TwiceError(ValueError):
    """A key that stands twice in one object."""

    def __init__(self, key: str) -> None:
        super().__init__(f"the key {key!r} stands twice in one object")
        self.key = key


def parse(text: str) -> Any:
    """Return the content of JSON; NaN and infinities are read as Python reads them.

    Raises:
        ValueError: for anything else, a key that stands twice in one object, and JSON beyond what can be read.
    """
    try:
        return json.loads(text, object_pairs_hook=_object)
    except RecursionError as error:
        raise ValueError(f"JSON beyond what can be read ({error})") from None


def _object(pairs: list[tuple[str, Any]]) -> Record:
    content = dict(pairs)
    if len(content) < len(pairs):
        seen: set[str] = set()
        for key, _ in pairs:
            if key in seen:
                raise _TwiceError(key)
            seen.add(key)
    return content


_DECODER = json.JSONDecoder()


def json_line_rows(lines: ByteLines, columns: Record) -> Iterator[tuple[int, Record]]:
    """Yield the rows of JSON lines, each with its line; the names of columns are added to `columns` as they are met.

    Raises:
        InputError: for a line that is no object of JSON; the message names it.
    """
    for line in lines:
        line = line.rstrip("\r\n")
        if not line or line.isspace():
            continue
        try:
            row = _loads(line)
            # As many colons behind quotation marks as keys: no key stands twice, and the slower parser need not look.
            if not isinstance(row, dict) or line.count('":') + line.count('" :') != len(row):
                row = parse(line)
        except _TwiceError as error:
            raise InputError(f"{lines.name}:{lines.number}: {error}") from None
        except json.JSONDecodeError as error:
            message = f"not JSON ({error.msg}, column {error.colno})"
            raise InputError(f"{lines.name}:{lines.number}: {message}") from None
        except (RecursionError, ValueError) as error:  # nested too deeply, or a whole number of thousands of digits
            raise InputError(f"{lines.name}:{lines.number}: JSON beyond what can be read ({error})") from None
        if not isinstance(row, dict):
            raise InputError(f"{lines.name}:{lines.number}: expected a JSON object, but got {describe(row)}")
        if not row.keys() <= columns.keys():
            columns.update(dict.fromkeys(row))
        yield lines.number, row


def _loads(line: str) -> Any:
    """Return the same as `json.loads`, faster: most lines are one value and nothing else."""
    try:
        value, end = _DECODER.raw_decode(line)
    except json.JSONDecodeError:
        return json.loads(line)
    return value if end == len(line) else json.loads(line)


def json_table(
    text: str, name: str, notes: list[str], columns: Sequence[str] = (), rows_in: str | None = None
) -> list[Record]:
    """Return the rows of a JSON text. Lines of comments before it, which begin with # or //, are left out.

    Args:
        text: the content of the file.
        name: the file's name in messages.
        notes: receives the assumptions.
        columns: the names of the columns of rows that are lists.
        rows_in: the column whose lists are the rows, as the user names it: a list that it names stays in its object.

    Raises:
        InputError: for text that is not JSON, or is no table.
    """
    n_comments = _n_comments(text)
    if n_comments:
        text = "\n" * n_comments + text.split("\n", n_comments)[-1]  # lines keep their numbers
        notes.append(f"{name}: {n_comments} lines of comments stand before the JSON, and are left out")
    try:
        content = parse(text)
    except _TwiceError as error:
        raise InputError(f"{name}:{_line_of_second(text, error.key)}: {error}") from None
    except json.JSONDecodeError as error:
        if error.msg == "Extra data" and text.lstrip().startswith("{"):
            raise JSONLinesError(name) from None
        raise InputError(f"{name}:{error.lineno}: not JSON ({error.msg}, column {error.colno})") from None
    except (ValueError, RecursionError) as error:
        raise InputError(f"{name}: not JSON ({error})") from None
    rows, shape = _rows_of(content, (rows_in or "").partition(".")[0])
    if not rows and isinstance(content, list):
        rows, shape = _rows_of_cells(content, columns)
    if isinstance(content, dict) and "results" in content and {"versions", "n-shot", "config_general"} & set(content):
        raise InputError(
            f"{name}: it holds results of an evaluation harness, a mean for each task: these do not tell whether a "
            "difference is more than chance; give the file of samples, which the harness writes beside it"
        )
    if not rows and _are_single_numbers(content):
        if _are_counted(content.values()):
            raise InputError(
                f"{name}: it holds names with a number each, from {min(content.values())} on: a key to numbers in "
                "other files, which no command reads; write the names into a column beside these numbers"
            )
        raise InputError(
            f"{name}: it holds single numbers by names: if these are means of systems, they do not tell whether a "
            "difference is more than chance; give the scores or ratings of each item"
        )
    if not rows:
        expected = 'expected a list of objects, one a row, as [{"text": "…"}, …], or an object of columns'
        raise InputError(f"{name}: {expected}, but got {described(content)}")
    if shape:
        notes.append(f"{name}: {shape}")
    return rows


def _are_counted(values: Collection[Any]) -> bool:
    """Say whether values are the whole numbers from 0 or 1 on, in some order.

    >>> _are_counted([2, 0, 1]), _are_counted([0.5, 1, 2]), _are_counted([1, {}])
    (True, False, False)
    """
    are_whole = all(isinstance(value, int) for value in values)
    return are_whole and sorted(values) in [list(range(start, start + len(values))) for start in (0, 1)]


def _are_single_numbers(content: Any, deepest: int = 3) -> bool:
    """Say whether JSON is an object of numbers, or of such objects with names and texts beside them."""
    if not isinstance(content, dict) or not content or not deepest:
        return False
    values = [value for value in content.values() if not isinstance(value, (str, bool)) and value is not None]
    inside = [isinstance(value, (int, float)) or _are_single_numbers(value, deepest - 1) for value in values]
    return bool(inside) and all(inside)


class JSONLinesError(InputError):
    """A file of JSON lines whose suffix says JSON."""

    def __init__(self, name: str) -> None:
        super().__init__(f"{name}: not JSON (a second value follows the first), but JSON lines: --input-format jsonl")


def described(content: Any) -> str:
    """Describe JSON for a message: the keys of an object, and of a list its first element.

    >>> described({"eval": {}, "samples": []})
    "an object with the keys 'eval', 'samples'"
    """
    if isinstance(content, dict):
        return f"an object with the keys {shortened(', '.join(map(repr, content)), 100)}"
    if isinstance(content, list):
        return f"a list whose first element is {described(content[0])}" if content else "a list without elements"
    return describe(content)


def _rows_of(content: Any, asked: str = "") -> tuple[list[Record], str]:
    """Return the rows in JSON of a known shape, none for others, and a remark if they do not stand as rows.

    Args:
        content: the JSON.
        asked: the list whose objects the user takes for rows; "" for none.
    """
    if isinstance(content, list):
        return _rows_of_list(content)
    if not isinstance(content, dict) or not content:
        return [], ""
    of_tasks = _rows_of_tasks(content)
    if of_tasks:
        return of_tasks, "the rows are the outputs of each of the 'tasks', which is the column 'task'"
    questions = _rows_of_questions(content)
    if questions:
        return questions, "the rows are the questions in 'data', each with what stands beside it, as in SQuAD"
    if _are_texts_by_id(content):
        return [{"id": key, TEXT: value} for key, value in content.items()], (
            f"each key is a row, and its text stands in the column {TEXT!r}; the key stands in the column 'id'"
        )
    values = list(content.values())
    data = content.get("data")
    if (
        isinstance(data, list)
        and isinstance(content.get("columns"), list)
        and all(isinstance(row, list) for row in data)
    ):
        names = [str(name) for name in content["columns"]]
        return [dict(zip(names, row, strict=False)) for row in data], ""
    if all(isinstance(value, list) for value in values):
        return _rows_of_lists(content)
    if all(isinstance(value, dict) for value in values):
        return _rows_of_objects(content)
    tables = {key: value for key, value in content.items() if isinstance(value, list) and value and _is_rows(value)}
    if asked in tables:  # its rows are made elsewhere
        return [content], ""
    if len(tables) > 1:
        named = {key: rows for key, rows in tables.items() if key.lower() in _TABLES}
        tables = named if len(named) == 1 else tables
    if len(tables) == 1:
        [(key, rows)] = tables.items()
        return _with_names_beside(content, key, rows)
    by_name = {key: value for key, value in content.items() if _are_lists_of_rows(value)}
    if len(by_name) == 1 and not tables:  # the rows of which a summary beside them tells the means
        [(key, of_each)] = by_name.items()
        rows, inside = _rows_of_lists(of_each)
        rows, told = _with_names_beside(content, key, rows)
        return rows, f"{told}; in it {inside}" if inside else told
    keyed = {key: rows for key, value in content.items() if len(rows := _keyed_rows(value)) > 1}
    if len(keyed) == 1 and not tables:
        [(key, rows)] = keyed.items()
        told = f"the rows are the objects in {key!r}, each with its key in the column 'key'"
        return rows, f"{told}; what stands beside them is left out"
    return [], ""


def _are_lists_of_rows(value: object) -> bool:
    """Say whether a value is an object of names, such as those of systems, with a list of rows each."""
    lists = list(value.values()) if isinstance(value, dict) else []
    return bool(lists) and all(isinstance(rows, list) and _is_rows(rows) for rows in lists)


_NAMES_KEY = re.compile(
    r"(?:.*[^a-z])?(?:p?id|raters?|annotators?|workers?|participants?|users?|subjects?|judges?|evaluators?)(?:[^a-z].*)?",
    re.IGNORECASE,
)
"""Names of fields that tell whose rows these are, even by a whole number."""

_LONGEST_NAME = 100  # characters


def _with_names_beside(content: Mapping[str, Any], key: str, rows: list[Record]) -> tuple[list[Record], str]:
    """Return the rows in a list, each with the names beside the list, such as that of a participant, and a remark.

    Numbers beside it, such as means and counts, are of the whole list, and no row has them.
    """
    taken = {name for row in rows for name in row}
    beside = {name: cell for name, cell in content.items() if name not in taken and _is_name(name, cell)}
    n_others = len(content) - len(beside) - 1
    told = f"the rows are the list {key!r}"
    if beside:
        told += f", each with {', '.join(map(repr, beside))} beside it"
    if n_others:
        told += f"; what {'else ' if beside else ''}stands beside it is left out"
    return [{**beside, **row} for row in rows], told


def _is_name(field: str, cell: object) -> bool:
    if isinstance(cell, str):
        return 0 < len(cell.strip()) <= _LONGEST_NAME
    return isinstance(cell, int) and not isinstance(cell, bool) and _NAMES_KEY.fullmatch(field) is not None


def _rows_of_tasks(content: Mapping[str, Any]) -> list[Record]:
    """Return the outputs of a submission of several tasks, as benchmarks of generation take them; none for others.

    The form: gem-benchmark.com/submissions, `{"submission_name": …, "tasks": {NAME: {"values": […], "keys": […]}}}`.
    """
    tasks = content.get("tasks")
    if not isinstance(tasks, dict):
        return []
    system = content.get("submission_name", content.get("system"))
    rows: list[Record] = []
    for task, held in tasks.items():
        values = held.get("values") if isinstance(held, dict) else held
        keys = held.get("keys") if isinstance(held, dict) else None
        if not isinstance(values, list) or not values:
            return []
        if not isinstance(keys, list) or len(keys) != len(values):
            keys = list(range(1, len(values) + 1))
        for key, value in zip(keys, values, strict=True):
            fields = value if isinstance(value, dict) else {TEXT: value}
            if TEXT not in fields and "generated" in fields:
                fields = {TEXT if name == "generated" else name: cell for name, cell in fields.items()}
            if not isinstance(fields.get(TEXT), str):
                return []
            rows.append({**({} if system is None else {"system": system}), "task": task, "item": key, **fields})
    return rows


def _rows_of_questions(content: Mapping[str, Any]) -> list[Record]:
    """Return the questions of a data set of questions on paragraphs; none for others.

    The form: rajpurkar.github.io/SQuAD-explorer, `{"data": [{"title": …, "paragraphs": [{"context": …, "qas": […]}]}]}`
    """
    rows: list[Record] = []
    articles = content.get("data")
    for article in articles if isinstance(articles, list) else []:
        paragraphs = article.get("paragraphs") if isinstance(article, dict) else None
        if not isinstance(paragraphs, list) or not _is_rows(paragraphs):
            return []
        beside = {name: cell for name, cell in article.items() if name != "paragraphs"}
        for paragraph in paragraphs:
            questions = paragraph.get("qas")
            if not isinstance(questions, list) or not _is_rows(questions):
                return []
            around = beside | {name: cell for name, cell in paragraph.items() if name != "qas"}
            rows += [{**around, **question, **_texts_of_answers(question)} for question in questions]
    return rows


def _texts_of_answers(question: Mapping[str, Any]) -> Record:
    """Return the answers to a question as lists of their fields; nothing for answers of another form."""
    answers = question.get("answers")
    if not isinstance(answers, list) or not answers or not _is_rows(answers):
        return {}
    names = dict.fromkeys(name for answer in answers for name in answer)
    return {"answers": {name: [answer.get(name) for answer in answers] for name in names}}


def _are_texts_by_id(content: Mapping[str, Any]) -> bool:
    """Say whether an object holds texts by the ids of what they answer, as predictions for SQuAD are written.

    Ids hold digits; an object of fields, as of settings, has names.

    >>> _are_texts_by_id({f"q{n}": "Lyon" for n in range(9)}), _are_texts_by_id({"name": "base", "model": "gpt-4"})
    (True, False)
    """
    are_ids = all(any(sign.isdigit() for sign in key) for key in content)
    return len(content) >= _FEWEST_IDS and are_ids and all(isinstance(value, str) for value in content.values())


def _keyed_rows(value: Any) -> list[Record]:
    """Return the objects in an object as rows with their keys; none unless they have the same fields."""
    if not isinstance(value, dict):
        return []
    rows = {key: row for key, row in value.items() if isinstance(row, dict) and row}
    if len({tuple(row) for row in rows.values()}) != 1:
        return []
    return [{"key": key, **row} for key, row in rows.items()]


def _is_rows(value: list[Any]) -> bool:
    return all(isinstance(row, dict) for row in value)


def _rows_of_list(content: list[Any]) -> tuple[list[Record], str]:
    if _is_rows(content):
        return content, ""
    if all(isinstance(value, str) for value in content):
        return [{TEXT: value} for value in content], ""
    if all(isinstance(value, (int, float)) and not isinstance(value, bool) for value in content):
        return [{NUMBER: value} for value in content], ""
    return [], ""


def _rows_of_cells(content: list[Any], columns: Sequence[str]) -> tuple[list[Record], str]:
    """Return the rows of a list of lists of cells, all of one length, and a remark on the names of their columns."""
    if not all(isinstance(row, list) and row for row in content) or len({len(row) for row in content}) != 1:
        return [], ""
    if any(isinstance(cell, (dict, list)) for row in content for cell in row):
        return [], ""
    n = len(content[0])
    names = list(columns) if len(columns) == n else [f"column{place}" for place in range(1, n + 1)]
    shape = "" if len(columns) == n else f"the rows are lists; their columns are called {', '.join(names)} (--columns)"
    return [dict(zip(names, row, strict=True)) for row in content], shape


def _n_comments(text: str) -> int:
    """Return the number of lines before JSON that are comments, or blank between comments."""
    n = 0
    for number, line in enumerate(text.split("\n", _MOST_COMMENTS)[:_MOST_COMMENTS], 1):
        if line.lstrip().startswith(("#", "//")):
            n = number
        elif line.strip():
            break
    return n


def _rows_of_lists(content: Mapping[str, list[Any]]) -> tuple[list[Record], str]:
    """Return the rows of an object of lists: columns, one list of rows, or a list of rows for each system."""
    if all(_is_rows(rows) and rows for rows in content.values()):
        if len(content) == 1:
            return next(iter(content.values())), ""
        rows = [{"system": system, **row} for system, rows in content.items() for row in rows]
        return rows, "each key is taken for a system, whose rows are its list"
    if len(content) == 1:
        [(key, values)] = content.items()
        rows, shape = _rows_of_list(values)
        if rows and key in ("values", "data"):
            return rows, shape
    if len({len(values) for values in content.values()}) == 1:
        return [dict(zip(content, cells, strict=True)) for cells in zip(*content.values(), strict=True)], ""
    return [], ""


def _rows_of_objects(content: Mapping[str, Record]) -> tuple[list[Record], str]:
    """Return the rows of an object of objects: columns with the rows' keys, as pandas writes them, or rows."""
    keys = [list(each) for each in content.values()]
    are_cells = all(not isinstance(cell, (dict, list)) for each in content.values() for cell in each.values())
    if are_cells and all(each == keys[0] for each in keys) and [*map(str, range(len(keys[0])))] == keys[0]:
        return [{name: cells[key] for name, cells in content.items()} for key in keys[0]], ""
    if are_keyed_by_ids(list(content.values())):
        rows = [{"key": key, INNER_KEY: inner, **row} for key, of in content.items() for inner, row in of.items()]
        return rows, (
            "each key in an object is a row: the outer keys stand in the column 'key', and the inner ones in "
            f"{INNER_KEY!r}"
        )
    return [{"key": key, **row} for key, row in content.items()], "each key is a row; it stands in the column 'key'"


def are_keyed_by_ids(objects: Sequence[Mapping[str, Any]]) -> bool:
    """Say whether the keys of objects are ids, such as those of raters, and no names of fields.

    There are many of them, other ones in each object, and their values are objects with the same fields, but for a few.

    >>> are_keyed_by_ids([{"w1": {"style": 4}, "w2": {"style": 5}}, {"w3": {"style": 4}}, {"w4": {"style": 2}}])
    True
    >>> are_keyed_by_ids([{"base": {"text": "a"}, "ours": {"text": "b"}}] * 3)
    False
    """
    keys = {key for each in objects for key in each}
    values = [value for each in objects for value in each.values()]
    if len(keys) < max(_FEWEST_IDS, 2 * max(map(len, objects), default=0)):
        return False
    if not values or not all(isinstance(value, dict) and value for value in values):
        return False
    fields = [set(value) for value in values]
    common = set.intersection(*fields)
    return bool(common) and 2 * len(common) >= len(set.union(*fields))


def _line_of_second(text: str, key: str) -> int:
    """Return the line on which a key stands for the second time in one object."""
    line, stack, before = 1, [set[str]()], ""
    for match in _TOKENS.finditer(text):
        token = match[0]
        if token == "\n":
            line += 1
        elif token == "{":
            stack.append(set())
        elif token == "}":
            stack.pop()
        elif token == ":" and before.startswith('"'):
            name = json.loads(before)
            if name == key and name in stack[-1]:
                return line
            stack[-1].add(name)
        if token != "\n":
            before = token
    return line
