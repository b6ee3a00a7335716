"""Formulas in LaTeX, as GitHub shows them too, become MathML, which browsers draw without a script or a network."""

from __future__ import annotations

import re
from typing import Any

#: A formula of its own, and one within a line.
_FORMULA = re.compile(r"^\$\$\n(?P<block>.+?)\n\$\$$|\$`(?P<inline>[^`]+)`\$", re.MULTILINE | re.DOTALL)

_drawn: dict[str, list[str]] = {}


def on_page_markdown(markdown: str, page: Any, **_: Any) -> str:
    """Put a mark in place of each formula, since Markdown would read stars and underscores."""
    drawn = _drawn[page.file.src_uri] = []

    def mark(found: re.Match[str]) -> str:
        mathml = as_mathml(found["block"] or found["inline"], "block" if found["block"] else "inline")
        drawn.append(f'<span class="formula" tabindex="0">{mathml}</span>' if found["block"] else mathml)
        return f"formulahere{len(drawn) - 1}end"

    return _FORMULA.sub(mark, markdown)


def on_page_content(html: str, page: Any, **_: Any) -> str:
    """Put the formulas in place of their marks."""
    drawn = _drawn.pop(page.file.src_uri, [])
    return re.sub(r"formulahere(\d+)end", lambda found: drawn[int(found[1])], html) if drawn else html


def as_mathml(latex: str, display: str) -> str:
    """Return a formula as MathML.

    Args:
        latex: the formula.
        display: `block` or `inline`.
    """
    from latex2mathml.converter import convert

    return str(convert(latex, display=display))
