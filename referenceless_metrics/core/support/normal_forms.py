"""Unicode's normal forms in time that grows with the text, whatever it holds.

Normalising sorts the combining marks after a letter, in time that grows with the square of their number. Unicode's
Stream-Safe Text Format (UAX #15, section 13) allows 30 marks in a row: after each 30 stands a grapheme joiner, which
sorting does not pass. No language has as many; texts with fewer are as `unicodedata` normalises them.
"""

from __future__ import annotations

import re
import unicodedata
from functools import cache
from typing import Literal

_MOST_MARKS = 30
_JOINER = "\u034f"
#: Runs that could be as many marks. All combining marks are beyond U+02FF; Latin text needs no further look.
_MAYBE_MARKS = re.compile(rf"[^\x00-\u02ff]{{{_MOST_MARKS + 1}}}")
_LAST_MARK = 0x1FFFF


def normalise(form: Literal["NFC", "NFKC", "NFKD"], text: str) -> str:
    r"""Return a text in a normal form.

    Args:
        form: the form, by its name in Unicode.
        text: any text. Of more than 30 marks in a row, U+034F follows each 30.

    >>> normalise("NFC", "e\u0301")
    'é'
    >>> marks = "\u0323\u0301" * 30
    >>> len(normalise("NFKD", "a" + marks)) - len("a" + marks)  # a joiner in the middle
    1
    """
    if _MAYBE_MARKS.search(text):
        text = _runs_of_marks().sub(_with_joiners, text)
    return unicodedata.normalize(form, text)


def _with_joiners(run: re.Match[str]) -> str:
    marks = run.group()
    return _JOINER.join(marks[start : start + _MOST_MARKS] for start in range(0, len(marks), _MOST_MARKS))


@cache
def _runs_of_marks() -> re.Pattern[str]:
    """Return the pattern of too many characters in a row that are sorted, or become such by falling apart."""
    marks = "".join(filter(_is_sorted, map(chr, range(0x300, _LAST_MARK + 1))))
    return re.compile(rf"[{marks}]{{{_MOST_MARKS + 1},}}")


def _is_sorted(character: str) -> bool:
    if unicodedata.decomposition(character):
        character = unicodedata.normalize("NFKD", character)[0]
    return unicodedata.combining(character) != 0
