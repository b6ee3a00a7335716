"""Lists of the best candidates of each input, as Moses, Marian and fairseq write them, without a header.

A line is `INPUT ||| TEXT ||| FEATURES ||| SCORE`: the number of the input, a candidate, what the model's parts give it,
and the model's score; one of the last two may be absent, and an alignment may follow. The candidates of an input stand
together, the best by the model first.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from referenceless_metrics.core.files.reading import TRIPLE_BAR
from referenceless_metrics.core.support.validation import InputError, Record, finite_number

RANK = "rank"
"""The column with the place of a candidate among those of its input, from 1."""

N_BEST = ("item", "text", "features", "score", "alignment")
"""The columns of a list, as far as its lines have them."""


def fields_of(line: str) -> list[str]:
    """Return the fields of a line, without blanks around them."""
    return [field.strip() for field in line.split(TRIPLE_BAR)]


def are_n_best(sample: Sequence[str]) -> bool:
    """Say whether lines are of such a list: numbers of inputs that grow, some several times, and numbers at the end.

    >>> are_n_best(["0 ||| a cat ||| LM= -2", "0 ||| cats ||| LM= -3", "1 ||| dogs ||| LM= -1"])
    True
    >>> are_n_best(["1 ||| a cat ||| 4", "2 ||| a dog ||| 5"])
    False
    """
    rows = [fields_of(line) for line in sample if line.strip()]
    if len(rows) < 2 or not all(3 <= len(row) <= len(N_BEST) and row[0].isdecimal() for row in rows):
        return False
    numbers = [int(row[0]) for row in rows]
    are_grown = numbers == sorted(numbers) and len(set(numbers)) < len(numbers)
    return are_grown and len({len(row) for row in rows}) == 1 and all(_are_features(row[2]) for row in rows)


def _are_features(field: str) -> bool:
    """Say whether a field holds numbers, each of them with or without a name before it.

    >>> _are_features("LM0= -20.5 WordPenalty0= -4"), _are_features("Alignment -0.5, -2"), _are_features("a cat")
    (True, True, False)
    """
    for mark, parted in (("=", "= "), (":", ": "), (",", " "), (";", " ")):
        field = field.replace(mark, parted)
    words = field.split()
    are_names = [word.endswith(("=", ":")) for word in words]
    are_parts = [is_name or finite_number(word) is not None for word, is_name in zip(words, are_names, strict=True)]
    if are_parts and not are_parts[0]:  # one name without a mark may come first
        are_parts = are_parts[1:]
    return bool(are_parts) and all(are_parts)


def n_best_rows(lines: Iterator[str], name: str, columns: Record) -> Iterator[tuple[int, Record]]:
    """Yield a row for each candidate, with its number of a line and its rank.

    Args:
        lines: the text.
        name: the file, for messages.
        columns: receives the names of the columns.

    Raises:
        InputError: for a line with another number of fields, and a number of an input that is none.
    """
    names: tuple[str, ...] = ()
    before, rank = "", 0
    for number, line in enumerate(lines, 1):
        if not line.strip():
            continue
        fields = fields_of(line)
        if not names:
            names = N_BEST[: len(fields)]
            if len(fields) == 3 and all(finite_number(part) is not None for part in fields[2:]):
                names = ("item", "text", "score")
            columns.update(dict.fromkeys((*names, RANK)))
        if len(fields) != len(names) or not fields[0].isdecimal():
            raise InputError(f"{name}:{number}: expected {' ||| '.join(names)}, but got {len(fields)} fields")
        rank = rank + 1 if fields[0] == before else 1
        before = fields[0]
        yield number, {**dict(zip(names, fields, strict=True)), RANK: str(rank)}
