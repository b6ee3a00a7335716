"""What the web pages of the metrics share: their look, their messages, and a launch that needs no network.

Gradio is imported where it is used: `pip install "referenceless-metrics[app]"`.
"""

from __future__ import annotations

from collections.abc import Mapping
from functools import lru_cache
from importlib.resources import files
from typing import Any

from metric_commons.app.intervals import span
from metric_commons.app.limits import BodyLimit, page_class
from metric_commons.assessment.agreement import VERDICTS
from metric_commons.files.escaping import visible
from metric_commons.support.installation import import_extra

_HEAD = """<style>
@media (max-width: 40rem) { .gradio-container .main.app { padding: .75rem !important; } }
@media print { body { background: none !important; } .gradio-container { min-height: 0 !important; } }
</style>"""
"""What a page's own style sheet cannot reach, since gradio confines that to the page's content."""

MOST_UPLOADED = "20mb"
"""The largest file that a page takes."""

FIRST_ROWS = 20
"""Rows of a table that show at once; the others open below them."""


def import_gradio() -> Any:
    """Return the module `gradio`.

    Raises:
        ImportError: where it is missing or older than 6; the message names the extra to install.
    """
    gradio = import_extra("gradio", "app", "the web page")
    if int(gradio.__version__.split(".")[0]) < 6:
        raise ImportError(
            f"the web page needs gradio 6 or later, but this is {gradio.__version__}: "
            'pip install "referenceless-metrics[app]"'
        )
    return gradio


def blocks(title: str) -> Any:
    """Return an empty page; it reports nothing to anyone, and what a visitor uploads is deleted after an hour.

    What one visitor may ask of it is bounded (see `limits`).
    """
    import_gradio()
    return page_class()(title=title, analytics_enabled=False, delete_cache=(600, 3600), fill_width=False)


def launch_options() -> dict[str, Any]:
    """Return the arguments of `Blocks.launch` that the pages are made for: fonts and styles that are all local."""
    gradio = import_gradio()
    from starlette.middleware import Middleware

    theme = gradio.themes.Default(
        primary_hue="blue",
        neutral_hue="slate",
        font=[gradio.themes.Font(name) for name in ("system-ui", "Segoe UI", "Roboto", "Noto Sans", "sans-serif")],
        font_mono=[gradio.themes.Font(name) for name in ("ui-monospace", "Consolas", "monospace")],
    ).set(
        # what gradio writes in paler colours has less than 4.5:1 contrast
        color_accent="*primary_700",
        body_text_color_subdued="*neutral_600",
        body_text_color_subdued_dark="*neutral_300",
        block_info_text_color="*neutral_600",
        block_info_text_color_dark="*neutral_300",
        block_label_text_color="*neutral_700",
        block_title_text_color="*neutral_700",
        block_title_text_color_dark="*neutral_200",
        button_primary_background_fill="*primary_700",
        button_primary_background_fill_hover="*primary_800",
        button_primary_background_fill_dark="*primary_700",
        button_primary_background_fill_hover_dark="*primary_800",
        button_secondary_text_color="*neutral_900",
    )
    return {
        "theme": theme,
        "css": "\n".join(_template(name) for name in ("app.css", "badge.css", "interval.css", "print.css")),
        "head": f"{_HEAD}<script>{_template('app.js')}</script>",
        "ssr_mode": False,  # would start a server of Node.js beside Python's
        "footer_links": [],
        "max_file_size": MOST_UPLOADED,
        "app_kwargs": {"middleware": [Middleware(BodyLimit)]},
    }


def _template(name: str) -> str:
    return files(__package__).joinpath("templates", name).read_text("utf-8")


def launch(page: Any, **options: Any) -> Any:
    """Serve a page; `options` are those of gradio's `Blocks.launch` and come before our own.

    From here on this process gives each product of matrices one thread. More would gain nothing at a page's sizes, and
    between products they spin on the processors that other visitors wait for.
    """
    import_extra("threadpoolctl", "app", "the web page").threadpool_limits(1, user_api="blas")
    return page.launch(**{**launch_options(), **options})


def environment(package: str, **filters: Any) -> Any:
    """Return the Jinja environment of a package's templates, in which every value is escaped; `filters` are added."""
    from jinja2 import ChoiceLoader, Environment, PackageLoader, StrictUndefined

    found = Environment(
        loader=ChoiceLoader([PackageLoader(package), PackageLoader(__package__)]),
        autoescape=True,
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
    )
    found.globals |= {"first_rows": FIRST_ROWS, "span": span}
    found.filters |= {
        "number": number,
        "signed": signed,
        "percent": percent,
        "shown": shown,
        "apart_from_verdict": apart_from_verdict,
        **filters,
    }
    return found


_environment = lru_cache(maxsize=8)(environment)


def fragment(package: str, template: str, **values: Any) -> str:
    """Return a template's HTML as gradio's HTML component shows it.

    The component has templates of its own, in `${…}` and `{{…}}`. Today it does not look for them in what it is given;
    so that it never can, the braces and dollars of texts are written as character references.
    """
    html: str = _environment(package).get_template(template).render(**values)
    return html.translate({ord(character): f"&#{ord(character)};" for character in "${}`"})


def message(error: Exception | str, kind: str = "error") -> str:
    """Return a message to the visitor as HTML: an `error`, or a `note`."""
    return fragment(__package__, "message.html.j2", text=str(error), kind=kind)


def data_link(content: str, name: str, label: str) -> Mapping[str, str]:
    """Return what a template needs to offer `content` as a file, inside the page itself."""
    from base64 import b64encode

    encoded = b64encode(content.encode("utf-8", "replace")).decode("ascii")
    return {"href": f"data:text/csv;charset=utf-8;base64,{encoded}", "name": name, "label": label}


def number(value: float, digits: int = 3) -> str:
    """Return a number with so many decimals; – where it is undefined.

    >>> number(0.12345), number(float("nan")), number(-0.0001), number(float("-inf"))
    ('0.123', '–', '0.000', '−∞')
    """
    if value != value:
        return "–"
    if value in (float("inf"), float("-inf")):
        return "∞" if value > 0 else "−∞"
    return f"{round(float(value), digits) + 0.0:.{digits}f}".replace("-", "−")


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


def apart_from_verdict(finding: str) -> str:
    """Return what a finding says after its verdict, which stands in a badge beside it.

    >>> apart_from_verdict("Weak: the estimates rank a little."), apart_from_verdict("The pool holds one text.")
    ('The estimates rank a little.', 'The pool holds one text.')
    """
    verdict, separator, rest = finding.partition(": ")
    told = rest if separator and verdict.lower() in VERDICTS else finding
    return told[:1].upper() + told[1:]


def shown(text: str, longest: int = 1200) -> str:
    """Return a text as it can stand in a page: cut where it is very long, with control characters made visible.

    Those that reorder text are visible too: a candidate must not be able to rearrange its estimate.
    """
    if len(text) > longest:
        text = text[: longest - 1] + "…"
    return visible(text, keep="\t\n\r").encode("utf-8", "replace").decode("utf-8")  # a lone surrogate has no UTF-8
