"""Texts beside others: escapes control characters, Markdown and spreadsheet formulas."""

from __future__ import annotations

import re
from typing import Any

ORDERING = re.compile("[\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069]")
"""Characters that reorder what follows them, up to the end of the line (Unicode's bidirectional controls)."""

_CONTROL = re.compile("[\x00-\x1f\x7f-\x9f]")
_FORMULA = ("=", "+", "-", "@", "\t", "\r", "\n", "＝", "＋", "－", "＠")


def visible(text: str, keep: str = "") -> str:
    r"""Return a text with control characters and those that reorder text made visible.

    Args:
        text: any text.
        keep: control characters that are to stay, such as line ends.

    >>> visible("a\x1bb" + chr(0x202E) + "c" + chr(0x85))
    'a␛b[U+202E]c�'
    """

    def control(match: re.Match[str]) -> str:
        character = match[0]
        if character in keep:
            return character
        return chr(0x2400 + ord(character)) if ord(character) < 0x20 else "\ufffd"

    return _CONTROL.sub(control, ORDERING.sub(lambda match: f"[U+{ord(match[0]):04X}]", text))


def one_line(text: str) -> str:
    r"""Return a text on one line, for a name in a table, a comment or a list.

    >>> one_line("ours\n\\input{other}\u2028second")
    'ours \\input{other} second'
    """
    return visible(" ".join(text.split()))


def no_formula(value: Any) -> Any:
    """Return a cell of a CSV file so that no spreadsheet takes it for a formula; numbers stay as they are.

    >>> no_formula("=1+1"), no_formula("plain"), no_formula(-1.5)
    ("'=1+1", 'plain', -1.5)
    """
    return f"'{value}" if isinstance(value, str) and value.startswith(_FORMULA) else value


def escaped(text: str) -> str:
    r"""Return a text on one line as Markdown shows it, in a cell of a table too.

    >>> escaped("a|b *c* <i>")
    'a\\|b \\*c\\* \\<i>'
    """
    return re.sub(r"([\\|*_`<\[\]])", r"\\\1", one_line(text))


def code(text: str) -> str:
    """Return a text on one line as Markdown's code.

    >>> code("kernel:bleu_star|tau:0.08")
    '`kernel:bleu_star|tau:0.08`'
    """
    return f"`{one_line(text).replace('`', chr(39))}`"
