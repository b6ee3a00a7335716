"""Rendering of reports and web pages: Jinja templates in which every value is escaped, and numbers in words.

A package's templates lie in its folder `templates`; they may extend and import those of this package.
"""

from __future__ import annotations

import math
import os
import shlex
from base64 import b64encode
from collections.abc import Callable
from datetime import date
from functools import lru_cache
from hashlib import sha256
from importlib.resources import files
from pathlib import Path
from platform import python_version
from typing import Any, NamedTuple

import numpy as np

from referenceless_metrics.assessment.agreement import VERDICTS
from referenceless_metrics.core.files.atomic import atomic_write
from referenceless_metrics.core.files.escaping import visible
from referenceless_metrics.core.files.paper_tables import true_minus
from referenceless_metrics.core.support.installation import DISTRIBUTION, project_version
from referenceless_metrics.core.support.statistics import fixed, p_text


class Span(NamedTuple):
    """An estimate with the interval of a rating, as places from 0 to 100 on the scale of the ratings."""

    start: float
    end: float
    at: float
    lower: float
    upper: float


def span(estimate: float, lower: float, upper: float, scale: tuple[float, float]) -> Span | None:
    """Draw an interval on a scale, from which it may stick out; None if there is no interval.

    >>> span(0.5, 0.25, 1.5, (0.0, 1.0))
    Span(start=25.0, end=100.0, at=50.0, lower=0.25, upper=1.5)
    """
    low, high = scale
    if not math.isfinite(lower + upper) or not high > low:
        return None
    start, end, at = (round(min(100.0, max(0.0, 100 * (v - low) / (high - low))), 2) for v in (lower, upper, estimate))
    return Span(start, end, at, lower, upper)


def script_hash(script: str) -> str:
    """Return a script's hash, as a page's policy names the scripts that may run."""
    return b64encode(sha256(script.encode()).digest()).decode()


@lru_cache(maxsize=1)
def copying() -> dict[str, str]:
    """Return the script by which a page's tables are copied, and its hash as a policy names it."""
    script = files(__package__).joinpath("templates/copies.js").read_text("utf-8")
    return {"script": script, "hash": script_hash(script)}


@lru_cache(maxsize=16)
def environment(*packages: str) -> Any:
    """Return the Jinja environment of some packages' templates, the first one's before the others'."""
    from jinja2 import ChoiceLoader, Environment, PackageLoader, StrictUndefined

    templates = Environment(
        loader=ChoiceLoader([PackageLoader(package) for package in (*packages, __package__)]),
        autoescape=True,
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
    )
    templates.globals |= {"span": span, "made": made, "copying": copying}
    of_numbers: tuple[Callable[..., str], ...] = (number, signed, percent, p_value, true_minus)
    of_texts: tuple[Callable[..., str], ...] = (shown, apart_from_verdict, shlex.quote)
    templates.filters |= {function.__name__: function for function in (*of_numbers, *of_texts)}
    return templates


def render(package: str, template: str, **values: Any) -> str:
    """Return a package's template with these values."""
    html: str = environment(package).get_template(template).render(**values)
    return html


def write_page(html: str, place: str | os.PathLike[str]) -> Path:
    """Write a page to a file that ends in .html, or as `index.html` of a folder, which is made if it is missing.

    Returns:
        The file's path.

    Raises:
        OSError: if the folder cannot be made or written, or is a file.
    """
    target = Path(place)
    if target.suffix.lower() != ".html" or target.is_dir():
        if target.exists() and not target.is_dir():
            raise NotADirectoryError(f"Cannot write a report to {target}: it is a file, not a folder")
        target.mkdir(parents=True, exist_ok=True)
        target /= "index.html"
    with atomic_write(target, "w") as file:
        file.write(html)
    return target


def made() -> dict[str, str]:
    """Return when and how a page is made: the date, the versions, and the command line, "" if there is none."""
    import click

    context = click.get_current_context(silent=True)
    arguments = None if context is None else context.find_root().obj
    return {
        "date": date.today().isoformat(),
        "versions": f"{DISTRIBUTION} {project_version()}, Python {python_version()}, numpy {np.__version__}",
        "command": "" if arguments is None else shlex.join(["referenceless", *arguments]),
    }


def number(value: float, digits: int = 3) -> str:
    """Return a number with so many decimals; – if it is undefined.

    >>> number(0.12345), number(float("nan")), number(-0.0001), number(float("-inf"))
    ('0.123', '–', '0.000', '−∞')
    """
    if value != value:
        return "–"
    if math.isinf(value):
        return "∞" if value > 0 else "−∞"
    return fixed(float(value), digits).replace("-", "−")


def signed(value: float, digits: int = 2) -> str:
    """Return a number with its sign, plus included.

    >>> signed(1.5), signed(-0.25), signed(0.0)
    ('+1.50', '−0.25', '0.00')
    """
    text = number(value, digits)
    return f"+{text}" if value > 0 and float(text.replace("∞", "1")) != 0 else text


def percent(share: float) -> str:
    """Return a share as a percentage."""
    return "–" if share != share else f"{100 * share:.1f}%"


def p_value(value: float, is_least: bool = False) -> str:
    """Return a p-value with the sign before it; – if it is undefined.

    Args:
        value: the p.
        is_least: see `p_text`.

    >>> p_value(0.02), p_value(0.02, is_least=True), p_value(float("nan"))
    ('= 0.0200', '≤ 0.0200', '–')
    """
    return "–" if value != value else p_text(value, is_least=is_least).removeprefix("p ")


def apart_from_verdict(finding: str) -> str:
    """Return a finding without its verdict, which stands in a badge beside it.

    >>> apart_from_verdict("Weak: the estimates rank a little."), apart_from_verdict("The pool holds one text.")
    ('The estimates rank a little.', 'The pool holds one text.')
    """
    verdict, separator, rest = finding.partition(": ")
    summary = rest if separator and verdict.lower() in VERDICTS else finding
    return summary[:1].upper() + summary[1:]


def shown(text: str, longest: int = 1200) -> str:
    """Return a text as it can stand in a page: cut if it is very long, with control characters made visible.

    Those that reorder text are visible too: a candidate must not be able to rearrange its estimate.
    """
    if len(text) > longest:
        text = text[: longest - 1] + "…"
    return visible(text, keep="\t\n\r").encode("utf-8", "replace").decode("utf-8")  # a lone surrogate has no UTF-8
