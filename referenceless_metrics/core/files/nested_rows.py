"""Rows that stand inside rows: each context with the responses to it, say, as JSON, Parquet and wide tables hold them.

A path names them, as `responses` or `sentences.answers`. At each step stand objects in a list, or objects under keys
that are data, such as the names of systems or raters. `*` is any field that holds one of several objects alike. Lists
side by side are several columns with commas: the n-th cells are a row. Columns side by side, as `answer_1` and
`answer_2`, are `answer_*`: those with one mark in place of the star are a row.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Iterator, Mapping, Sequence
from functools import lru_cache
from typing import Any, NamedTuple

from referenceless_metrics.core.files.json_rows import are_keyed_by_ids
from referenceless_metrics.core.files.lines import ByteLines
from referenceless_metrics.core.files.reading import MISSING, are_objects, cell_of, from_json
from referenceless_metrics.core.support.metric_names import names_metric
from referenceless_metrics.core.support.validation import InputError, Record, describe, shortened

ITEM = "item"
"""The column that gets the number of the outer row, if no column is called so."""

PLACE = "place"
"""The column that gets the place in the innermost list, or in the lists that stand side by side."""

KEY = "key"
"""The column that gets the part for a star, and the end of the names of columns of keys, as `responses.key`."""

ANY = "*"

_NAMING = frozenset(
    ("system", "system_id", "system_name", "model", "model_id", "model_name", "generator", "policy", "method")
)
"""Fields that name a system: objects with one are outputs for one item, and not items."""

_FIELD = re.compile(
    r"score|rating|annot|metric|label|judg|eval|result|meta|param|config|usage|input|output|token|quote", re.I
)
"""Words in names of fields that hold objects and are no names of systems."""

_SAMPLE = 20  # outer rows in which nested rows are looked for
_MOST_OBJECTS = 200
_DEEPEST = 5  # steps of a path that is looked for


class _Row(NamedTuple):
    """A row inside a row.

    Attributes:
        fields: its cells, with those that stand beside the lists on the way to it.
        places: its place in each list on the way, from 1; None for a step by a key, and in a list of systems' outputs.
    """

    fields: Record
    places: tuple[int | None, ...] = ()


def rows_inside(
    rows: Iterator[tuple[int, Record]], names: str, lines: ByteLines, columns: Record
) -> Iterator[tuple[int, Record]]:
    """Yield the rows inside rows; each has the cells of its outer row, too.

    A field that is called as an outer column is `NAME.FIELD`. A key is the column `NAME.key`. The number of the outer
    row, with the places in lists on the way to the innermost one, is the column `item`, unless there is one; the place
    in the innermost list is the column `place`.

    Args:
        rows: outer rows, each with its line or number.
        names: a path, or several columns of lists or with stars, with commas between them.
        lines: the file; assumptions are added to its notes, and the columns that are made to those that count.
        columns: none yet; the names of columns are added as they are met.

    Raises:
        InputError: for a row without such a column, a cell that holds no rows, and lists of several lengths.
    """
    listed = [name.strip() for name in names.split(",")]
    n_empty = 0
    is_first = True
    for place, (number, outer) in enumerate(rows, 1):
        found = inner_rows(outer, listed, f"{lines.name}, row {number}")
        if not found:
            n_empty += 1
            continue
        is_numbered = ITEM not in found[0].fields
        is_placed = _is_placed(found)
        lines.counted |= {name for name, is_made in ((ITEM, is_numbered), (PLACE, is_placed)) if is_made}
        if is_first:
            shown = ", ".join(map(repr, listed))
            told = f" and its number, {ITEM!r}" if is_numbered else ""
            are_starred = any(ANY in name and not _is_path(name) for name in listed)
            entries = "each name in the place of the star in" if are_starred else "each entry of"
            lines.notes.append(
                f"{lines.name}: {entries} {shown} makes a row, with the other cells of the row that holds it{told} "
                "(--rows-in)"
            )
            is_first = False
        for each in found:
            row = _numbered(place, each) if is_numbered else each.fields
            if is_placed:
                row = {**row, PLACE: each.places[-1]}
            columns.update(dict.fromkeys(row))
            yield number, row
    if n_empty:
        lines.notes.append(f"{lines.name}: left out: {n_empty} rows in which {names!r} is empty")


def inner_rows(outer: Record, listed: Sequence[str], where: str) -> list[_Row]:
    """Return the rows inside a row.

    Raises:
        InputError: as `rows_inside`.
    """
    if any(ANY in name and not _is_path(name) for name in listed):
        return _side_by_side(outer, listed, where)
    if len(listed) > 1:
        return _parallel(outer, listed, where)
    steps = listed[0].split(".")
    if steps[0] != ANY and steps[0] not in outer:
        raise InputError(_refusal(where, outer, listed[0], "a list or objects"))
    try:
        return list(_walk(outer, steps, _Row({})))
    except _NoRowsError as error:
        raise InputError(_refusal(where, outer, listed[0], "a list or objects", error.cell)) from None


class _NoRowsError(Exception):
    """A cell on a path that holds no rows."""

    def __init__(self, cell: object) -> None:
        super().__init__()
        self.cell = cell


def _is_path(name: str) -> bool:
    """Say whether a star in a name is a step of a path, and not a part of a column's name."""
    return all(step == ANY or ANY not in step for step in name.split("."))


def _numbered(place: int, row: _Row) -> Record:
    """Return the cells of a row, preceded by the number of its item."""
    return {ITEM: _number(place, row.places), **row.fields}


def _is_placed(rows: Sequence[_Row]) -> bool:
    """Say whether the rows of an outer one stand in lists, in which nothing but the place tells them apart."""
    return any(each.places and each.places[-1] is not None and PLACE not in each.fields for each in rows)


def _number(place: int, places: Sequence[int | None]) -> int | str:
    """Return the number of a row's item: the outer row, and the places in lists but the innermost one."""
    inner = [str(each) for each in places[:-1] if each is not None]
    return ".".join([str(place), *inner]) if inner else place


def _walk(content: Mapping[str, Any], steps: Sequence[str], so_far: _Row) -> Iterator[_Row]:
    """Yield the rows at the end of a path inside an object."""
    step, rest = steps[0], steps[1:]
    if step == ANY:
        keyed = alike(content) or numbered(content)
        if not keyed:
            raise _NoRowsError(content)
        beside = {name: cell for name, cell in content.items() if name not in keyed}
        for key, cell in keyed.items():
            outer = _joined(so_far.fields, beside, step)
            name = KEY
            while name in outer:
                name = f"{ANY}.{name}"
            fields = {**outer, name: key}
            yield from _elements(cell, step, rest, _Row(fields, (*so_far.places, None)))
        return
    beside = {name: cell for name, cell in content.items() if name != step}
    known = _Row(_joined(so_far.fields, beside, step), so_far.places)
    cell = from_json(content.get(step))
    if isinstance(cell, Mapping) and not (rest and (rest[0] in cell or rest[0] == ANY)):
        for key, each in cell.items():
            fields = {**known.fields, f"{step}.{KEY}": key}
            yield from _elements(each, step, rest, _Row(fields, (*known.places, None)))
    elif isinstance(cell, Mapping):
        yield from _walk(cell, rest, known)
    elif isinstance(cell, (list, tuple)):
        yield from _elements(cell, step, rest, known)
    elif cell is not None and cell != "":
        raise _NoRowsError(cell)


def _elements(cell: Any, step: str, rest: Sequence[str], so_far: _Row) -> Iterator[_Row]:
    """Yield the rows in a cell: in each element of a list of objects, in an object, or the cell itself."""
    if isinstance(cell, (list, tuple)) and (are_objects(cell) or not _is_keyed(so_far, step)):
        for place, each in enumerate(cell, 1):
            alone = each[0] if isinstance(each, (list, tuple)) and len(each) == 1 else each
            names_system = isinstance(each, Mapping) and not _NAMING.isdisjoint(each)
            places = (*so_far.places, None if names_system else place)
            yield from _element(alone, step, rest, _Row(so_far.fields, places))
    else:
        yield from _element(cell, step, rest, so_far)


def _is_keyed(row: _Row, step: str) -> bool:
    """Say whether the last step was by a key: a list of plain values is then one cell."""
    return bool(row.places) and row.places[-1] is None and (step == ANY or f"{step}.{KEY}" in row.fields)


def _element(cell: Any, step: str, rest: Sequence[str], so_far: _Row) -> Iterator[_Row]:
    if rest:
        if not isinstance(cell, Mapping):
            raise _NoRowsError(cell)
        yield from _walk(cell, rest, so_far)
    elif isinstance(cell, Mapping):
        yield _Row(_joined(so_far.fields, cell, step), so_far.places)
    else:
        yield _Row({**so_far.fields, step if step != ANY else "value": cell}, so_far.places)


def _joined(fields: Record, more: Mapping[str, Any], step: str) -> Record:
    """Return fields with more of them; one whose name is taken is `STEP.NAME`."""
    return {**fields, **{f"{step}.{name}" if name in fields else name: cell for name, cell in more.items()}}


def alike(content: Mapping[str, Any]) -> dict[str, Any]:
    """Return the fields of an object that hold objects, or lists of objects, with the same fields; none for one alone.

    Fields that are called as metrics hold figures of one output, and no rows.

    >>> alike({"id": 1, "base": {"text": "a"}, "ours": {"text": "b"}})
    {'base': {'text': 'a'}, 'ours': {'text': 'b'}}
    >>> alike({"rouge1": {"recall": 0.5}, "rougeL": {"recall": 0.4}})
    {}
    >>> alike({"outputs": {"base": "a"}, "ratings": {"base": {"fluency": 4}}})
    {}
    """
    groups: dict[frozenset[tuple[str, bool]], dict[str, Any]] = {}
    for name, cell in content.items():
        first = cell[0] if are_objects(cell) else cell
        if isinstance(first, Mapping) and first:
            fields = frozenset((field, isinstance(inside, Mapping)) for field, inside in first.items())
            groups.setdefault(fields, {})[name] = cell
    largest = max(groups.values(), key=len, default={})
    are_fields = any(map(_FIELD.search, largest)) or all(map(names_metric, largest))
    return largest if len(largest) > 1 and not are_fields else {}


def numbered(content: Mapping[str, Any]) -> dict[str, Any]:
    """Return an object whose keys are numbered alike, and whose cells are plain values of one type; else none.

    >>> numbered({"seg0": 3, "seg1": 4}), numbered({"fluency": 3, "style": 4}), numbered({"id": 1, "seg1": 4})
    ({'seg0': 3, 'seg1': 4}, {}, {})
    """
    types = {type(cell) for cell in content.values() if cell is not None}
    are_plain = bool(types) and (types <= {int, float} or types == {str})
    return dict(content) if are_plain and are_numbered(list(content)) else {}


def are_numbered(names: Sequence[str]) -> bool:
    """Say whether names differ in a number at their end alone, as those of segments do.

    >>> are_numbered(["seg1", "seg2"]), are_numbered(["0", "1"]), are_numbered(["seg1", "doc2"])
    (True, True, False)
    """
    found = [re.fullmatch(r"(.*?)\d+", name) for name in names]
    return len(names) > 1 and all(found) and len({match[1] for match in found if match is not None}) == 1


def _parallel(outer: Record, names: Sequence[str], where: str) -> list[_Row]:
    """Return the rows made of the lists in several columns."""
    cells = [from_json(cell_of(outer, name)) for name in names]
    for name, cell in zip(names, cells, strict=True):
        if cell is MISSING or (cell is not None and not isinstance(cell, (list, tuple))):
            raise InputError(_refusal(where, outer, name, "a list"))
    lists: list[Sequence[Any]] = [cell or [] for cell in cells]
    if len(set(map(len, lists))) > 1:
        lengths = ", ".join(f"{name!r} has {len(each)}" for name, each in zip(names, lists, strict=True))
        raise InputError(f"{where}: the lists in --rows-in differ in length: {lengths}")
    inside = {name.partition(".")[0] for name in names}
    beside = {column: cell for column, cell in outer.items() if column not in inside}
    made = (dict(zip(names, values, strict=True)) for values in zip(*lists, strict=True))
    return [_Row({PLACE: place, **_joined(beside, row, names[0])}, (place,)) for place, row in enumerate(made, 1)]


def _side_by_side(outer: Record, patterns: Sequence[str], where: str) -> list[_Row]:
    """Return the rows made of columns, or of fields of objects, whose names differ in the part for the star."""
    outer = _with_fields(outer, patterns)
    found = {pattern: marks_of(pattern, tuple(outer)) for pattern in patterns}
    for pattern, marked in found.items():
        if not marked:
            known = shortened(", ".join(map(repr, outer)), 100)
            raise InputError(f"{where}: no column is called {pattern!r} (--rows-in); the columns are {known}")
    used = {column for marked in found.values() for column in marked.values()}
    dotted = [name for name in used if "." in name]  # of hundreds of columns mostly none
    beside = {name: _without_fields(name, cell, dotted) for name, cell in outer.items() if name not in used}
    by_name = {plain_name(pattern): marked for pattern, marked in found.items()}
    rows = []
    for mark in dict.fromkeys(mark for marked in found.values() for mark in marked):
        cells = {name: outer.get(marked.get(mark, "")) for name, marked in by_name.items()}
        if any(cell is not None and str(cell).strip() for cell in cells.values()):
            rows.append(_Row({KEY: mark, **_joined(beside, cells, KEY)}, (None,)))
    return rows


def _with_fields(outer: Record, patterns: Sequence[str]) -> Record:
    """Return a row with the fields of those objects whose names stand before a pattern, as `meta` in `meta.model_*`."""
    held: Record = {}
    for pattern in patterns:
        holder = pattern.partition(ANY)[0].rpartition(".")[0]
        content = from_json(outer.get(holder))
        if isinstance(content, Mapping):
            names = (f"{holder}.{name}" for name in content)
            matching = marks_of(pattern, tuple(names)).values()
            held |= {name: content[name.removeprefix(f"{holder}.")] for name in matching}
    return {**outer, **held}


def _without_fields(holder: str, cell: Any, used: Collection[str]) -> Any:
    """Return a cell, without those fields of an object that are in use by their dotted names."""
    if not any(name.startswith(f"{holder}.") for name in used):
        return cell
    content = from_json(cell)
    if not isinstance(content, Mapping):
        return cell
    return {name: value for name, value in content.items() if f"{holder}.{name}" not in used}


@lru_cache  # most rows of a table have the same columns
def marks_of(pattern: str, columns: tuple[str, ...]) -> Mapping[str, str]:
    """Return the columns of a pattern by the part of their name that matches its star.

    The part behind a number that is itself a mark is no mark, but the name of another family.

    >>> marks_of("answer_*", ("question", "answer_1", "answer_2", "answer_2_gold"))
    {'1': 'answer_1', '2': 'answer_2'}
    """
    before, _, after = pattern.partition(ANY)
    form = re.compile(f"{re.escape(before)}(.+){re.escape(after)}")
    found = {match[1]: column for column in columns if (match := form.fullmatch(column))}
    beginnings = {mark: re.split(r"[_.\- ]", mark, maxsplit=1)[0] for mark in found}
    are_other = {mark for mark, first in beginnings.items() if first != mark and first.isdecimal() and first in found}
    return {mark: column for mark, column in found.items() if mark not in are_other}


def plain_name(pattern: str) -> str:
    """Return the name of the column that a pattern becomes.

    >>> plain_name("answer_*"), plain_name("*_fluency"), plain_name("Input.text*")
    ('answer', 'fluency', 'Input.text')
    """
    return re.sub(r"[_\-.: (\[]*\*[_\-.: )\]]*", "_", pattern).strip("_") or KEY


def _refusal(where: str, outer: Record, name: str, expected: str, came: object = MISSING) -> str:
    lists = [column for column, cell in outer.items() if are_objects(from_json(cell))]
    told = f"; lists of objects stand in {', '.join(map(repr, lists))}" if lists else ""
    if came is MISSING:
        came = cell_of(outer, name)
    shown = "no such column" if came is MISSING else describe(came)
    return f"{where}: expected {expected} in column {name!r} (--rows-in), but got {shown}{told}"


def nestings(rows: Sequence[Record]) -> list[str]:
    """Return the paths at which rows stand inside rows, the outer ones first.

    >>> nestings([{"id": 1, "sentences": [{"text": "a", "answers": [{"worker": 1}]}]}])
    ['sentences', 'sentences.answers']
    """
    found: list[str] = []
    _explore(rows[:_SAMPLE], "", found)
    return sorted(found, key=lambda path: path.count("."))


def _explore(objects: Sequence[Mapping[str, Any]], path: str, found: list[str], *, are_values: bool = False) -> None:
    """Add the paths inside objects.

    Args:
        objects: objects at the end of the path.
        path: "" or a path with a dot at its end.
        found: the paths so far.
        are_values: whether the last step was by keys, which no step names: a star is then one for the keys, and a
            second one for the fields of the objects.
    """
    if not objects or path.count(".") >= _DEEPEST:
        return
    objects = objects[:_MOST_OBJECTS]
    groups = [alike(each) or (numbered(each) if path else {}) for each in objects]
    if all(groups):
        stars = f"{path}{ANY}.{ANY}" if are_values else f"{path}{ANY}"
        found.append(stars)
        _explore([inner for group in groups for cell in group.values() for inner in _objects(cell)], f"{stars}.", found)
    for name in dict.fromkeys(name for each in objects for name in each):
        if "," in name or ANY in name or "." in name:
            continue
        cells = [cell for each in objects if (cell := from_json(each.get(name))) not in (None, "", [], {})]
        if not cells:
            continue
        inner = [each for cell in cells for each in _objects(cell)]
        if all(map(are_objects, cells)):
            found.append(path + name)
            _explore(inner, f"{path}{name}.", found)
        elif all(isinstance(cell, Mapping) for cell in cells):
            if are_keyed(cells):
                found.append(path + name)
                values = [each for cell in cells for value in cell.values() for each in _objects(value)]
                _explore(values, f"{path}{name}.", found, are_values=True)
            else:
                _explore(inner, f"{path}{name}.", found)


def _objects(cell: Any) -> list[Mapping[str, Any]]:
    """Return an object, or the objects of a list."""
    if isinstance(cell, Mapping):
        return [cell]
    return list(cell) if are_objects(cell) else []


def are_keyed(cells: Sequence[Mapping[str, Any]]) -> bool:
    """Say whether the keys of objects are data: their values are objects alike, or each object has other keys.

    Names of metrics are fields.

    >>> are_keyed([{"base": {"text": "a"}, "ours": {"text": "b"}}]), are_keyed([{"fluency": 1, "adequacy": 2}] * 2)
    (True, False)
    >>> are_keyed([{"w1": 4, "w2": 5}, {"w2": 3, "w7": 4}])
    True
    """
    values = [value for cell in cells for value in cell.values()]
    keys = {key for cell in cells for key in cell}
    if keys and all(map(names_metric, keys)):
        return False
    vary = len(cells) > 1 and len(keys) > max(map(len, cells))
    if all(isinstance(value, Mapping) or are_objects(value) for value in values):
        fields = {frozenset(each) for value in values for each in _objects(value)}
        return (len(fields) == 1 and (len(keys) > 1 or vary)) or are_keyed_by_ids(cells)
    kinds = {type(value) for value in values}
    return vary and len(kinds) == 1 and len(keys) > 1


def rows_in_proposal(rows: Sequence[Record], field: str) -> str:
    """Return the end of a message on a column that is not there: the option, if rows inside rows have such a field.

    >>> rows_in_proposal([{"responses": [{"model": "a"}]}], "model")
    "; 'model' stands in the rows in 'responses': --rows-in responses"
    """
    path = nesting_with(rows, [field])
    return "" if path is None else f"; {field!r} stands in the rows in {path!r}: --rows-in {path}"


def nesting_with(rows: Sequence[Record], wanted: Sequence[str]) -> str | None:
    """Return the first path at which the rows have all wanted columns, one of which the outer rows lack; or None."""
    for path in nestings(rows):
        inner = sample_inside(rows, path)
        if inner and all(any(cell_of(row, name) is not MISSING for row in inner) for name in wanted):
            return path
    return None


def sample_inside(rows: Sequence[Record], path: str) -> list[Record]:
    """Return the rows inside the first rows; none if one of these cannot be read so."""
    found: list[Record] = []
    for place, outer in enumerate(rows[:_MOST_OBJECTS], 1):
        try:
            inner = inner_rows(outer, path.split(","), "")
        except InputError:
            return []
        is_placed = _is_placed(inner)
        for each in inner:
            row = each.fields if ITEM in each.fields else _numbered(place, each)
            found.append({**row, PLACE: each.places[-1]} if is_placed else row)
    return found


def ways_into_lists(rows: Sequence[Record], name: str, option: str) -> str:
    """Return the end of a message on a column whose cells are lists: the ways that read texts in them, if any.

    Args:
        rows: the first rows.
        name: the column, maybe with a dotted path.
        option: the option that names the column.

    >>> ways_into_lists([{"choices": [{"text": "a"}]}], "choices.text", "--text-column")
    '; one place of the lists is choices.0.text, and --rows-in choices --text-column text makes each text a row'
    >>> ways_into_lists([{"numbers": [1, 2]}], "numbers", "--text-column")
    ''
    """
    steps = name.split(".")
    paths = [(".".join(steps[:end]), ".".join(steps[end:])) for end in range(1, len(steps) + 1)]
    places = (".".join(filter(None, (path, "0", rest))) for path, rest in paths)
    place = next((place for place in places if _are_texts(rows, place)), None)
    ways = [] if place is None else [f"one place of the lists is {place}"]
    for path, rest in paths:
        inner = sample_inside(rows, path)
        column = _name_inside(inner, path, rest)
        if _are_texts(inner, column):
            ways.append(f"--rows-in {path} {option} {column} makes each text a row")
            break
    return "; " + ", and ".join(ways) if ways else ""


def _name_inside(inner: Sequence[Record], path: str, rest: str) -> str:
    """Return the name of a field in the rows at the end of a path: `STEP.NAME`, if an outer field is called so."""
    last = path.rpartition(".")[2]
    if not rest:
        return last
    is_taken = any(f"{last}.{rest.partition('.')[0]}" in row for row in inner)
    return f"{last}.{rest}" if is_taken else rest


def _are_texts(rows: Sequence[Record], name: str) -> bool:
    return bool(rows) and all(isinstance(cell_of(row, name), str) for row in rows)
