"""The description of a file: its columns, shape, doubts and command lines."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, replace

from referenceless_metrics.advice.look.columns.column import Column
from referenceless_metrics.core.support.validation import Record
from referenceless_metrics.human_evaluation.language_pairs import LanguagePairs


@dataclass(frozen=True)
class Look:
    """Description of a file.

    Attributes:
        file: its name.
        form: its form in words: its format, or the tool that wrote it.
        n_rows: number of its rows; of a file that was read in part, of the rows that were read.
        is_part: whether only a part was read.
        columns: its columns.
        shape: the meaning of rows and columns.
        notes: assumptions, and doubts about a plain reading.
        commands: complete command lines that fit, the one that says most first.
        items: the items of its rows, or the ids of these; none if no column tells them.
        ids: the ids of each column that is called so and has another one in each row.
        repeated_ids: the ids of each column that is called so and has some of them in several rows.
        orders: the hash of the cells of each column with several values but the texts, in the order of the rows.
        text_order: the hash of the texts, in the order of the rows; 0 for none.
        systems: the systems that it names, of ratings.
    """

    file: str
    form: str
    n_rows: int = 0
    is_part: bool = False
    columns: tuple[Column, ...] = ()
    shape: str = ""
    notes: tuple[str, ...] = ()
    commands: tuple[str, ...] = ()
    items: frozenset[str] = field(default=frozenset(), repr=False)
    ids: Mapping[str, frozenset[str]] = field(default_factory=dict, repr=False)
    repeated_ids: Mapping[str, frozenset[str]] = field(default_factory=dict, repr=False)
    orders: Mapping[str, int] = field(default_factory=dict, repr=False)
    text_order: int = field(default=0, repr=False)
    systems: tuple[str, ...] = field(default=(), repr=False)

    def as_dict(self) -> Record:
        """Return it as JSON can hold it."""
        found = {name: getattr(self, name) for name in ("file", "form", "n_rows", "is_part", "shape")}
        columns = [dict(vars(column)) for column in self.columns]
        return {**found, "columns": columns, "notes": list(self.notes), "commands": list(self.commands)}


def of_one_pair(found: Look, pairs: LanguagePairs) -> Look:
    """Return the look at one of several pairs of languages, with a remark on the others."""
    return replace(found, notes=(pairs.told(), f"what follows is of {pairs.where} alone", *found.notes))
