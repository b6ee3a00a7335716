"""Texts of sentences, which name neither raters nor systems."""

from __future__ import annotations

from collections.abc import Sequence

from referenceless_metrics.core.files.reading import from_json
from referenceless_metrics.core.support.validation import InputError, shortened
from referenceless_metrics.core.support.word_counts import n_words

_WORDS = 5  # of a text, in the mean; names have fewer
_MOST_NAMED = 12  # raters with such long names, as by what they do

RATER_COLUMN, SYSTEM_COLUMN = "--rater-column", "--system-column"
_NAMED_BY = {RATER_COLUMN: "raters", SYSTEM_COLUMN: "systems"}


def are_sentences(names: Sequence[str]) -> bool:
    """Say whether names have as many words as sentences, in the mean.

    >>> are_sentences(["A fire broke out in Leeds.", "The bus was late again today."]), are_sentences(["ann", "bo"])
    (True, False)
    """
    distinct = set(names)
    return bool(distinct) and sum(map(n_words, distinct)) >= _WORDS * len(distinct)


def check_are_no_texts(where: str, column: str, option: str, names: Sequence[str]) -> None:
    """Check that cells that are to name raters or systems are no texts: as long as sentences, and mostly different.

    Several systems may be told by their prompts, each of which stands in many rows; raters never are.

    Args:
        where: the file.
        column: the column.
        option: the option that names it.
        names: its cells, one for each rating, or lists of names for those of each row.

    Raises:
        InputError: for texts.
    """
    named = _NAMED_BY.get(option)
    if named is None:
        return
    names = [str(name) for cell in names for name in _listed(cell)]
    n_distinct = len(set(names))
    are_many = 2 * n_distinct > len(names) or (option == RATER_COLUMN and n_distinct > _MOST_NAMED)
    if n_distinct < 2 or not are_many or not are_sentences(names):
        return
    raise InputError(
        f"{where}: column {column!r} ({option}) holds texts, such as {shortened(names[0], 60)!r}, and no names of "
        f"{named}: {n_distinct} different ones in {len(names)} ratings; leave {option} out, or give it the column of "
        f"{named}"
    )


def _listed(cell: str) -> list[object]:
    found = from_json(cell)
    return found if isinstance(found, list) else [cell]
