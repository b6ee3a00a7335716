"""Columns of scores in files of one system each that are called by it, as `a_correct` and `b_correct`."""

from __future__ import annotations

from collections.abc import Sequence
from shlex import quote

from referenceless_metrics.core.files.nested_rows import ANY, KEY, plain_name
from referenceless_metrics.core.files.tables import Table
from referenceless_metrics.core.support.common_ends import n_common
from referenceless_metrics.core.support.validation import InputError

_SEPARATORS = "_-. :/"


def pattern_of_names(names: Sequence[str]) -> str:
    """Return the pattern of names that end alike, or else begin alike, in whole words; "" if they do neither.

    >>> pattern_of_names(["llama-7b_correct", "llama-13b_correct"]), pattern_of_names(["acc_a", "acc_b"])
    ('*_correct', 'acc_*')
    >>> pattern_of_names(["bleu", "bleurt"])
    ''
    """
    end = _common_words([name[::-1] for name in names])[::-1]
    if end:
        return f"{ANY}{end}"
    start = _common_words(names)
    return f"{start}{ANY}" if start else ""


def _common_words(names: Sequence[str]) -> str:
    """Return what names begin with, up to a mark between words, each going on behind it."""
    common = names[0][: n_common(names)]
    while common and (common[-1] not in _SEPARATORS or common in names):
        common = common[:-1]
    return common


def options_of_pattern(patterns: Sequence[str]) -> list[str]:
    """Return the options that read scores from columns which are called by systems.

    >>> options_of_pattern(["*_correct"])
    ['--rows-in', '*_correct', '--score-column', 'correct', '--system-column', 'key']
    """
    scores = [word for pattern in patterns for word in ("--score-column", plain_name(pattern))]
    return ["--rows-in", ",".join(patterns), *scores, "--system-column", KEY]


def check_called_alike(table: Table, scores: Sequence[str]) -> None:
    """Check that a table which stands beside others has the columns of scores that are asked for.

    Raises:
        InputError: for a column that is not there, if one alone ends like it, and may be the score of another system.
    """
    absent = next((name for name in scores if not table.has(name)), None)
    if absent is None:
        return
    patterns = {other: pattern_of_names([absent, other]) for other in table.names()}
    alike = [other for other, pattern in patterns.items() if pattern.startswith(ANY)]
    if len(alike) == 1:
        options = " ".join(map(quote, options_of_pattern([patterns[alike[0]]])))
        raise InputError(
            f"{table.source}: there is no column {absent!r} (--score-column), but {alike[0]!r}: if these names differ "
            f"in the system's alone, give {options}"
        )
