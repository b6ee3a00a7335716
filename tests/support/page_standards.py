"""Standards of every web page of the project, as a browser sees it: no scrolling sideways, axe's rules, rings."""

from __future__ import annotations

from functools import lru_cache
from html.parser import HTMLParser
from importlib.resources import files

import pytest

_SERIOUS = ("serious", "critical")
_RUN_AXE = """
axe.run(document, {resultTypes: ['violations']}).then(found => JSON.stringify(
  found.violations.map(v => [v.impact, v.id, v.nodes.map(n => n.html.slice(0, 160))])))
"""
_INNER_SCROLLERS = """
return [...document.querySelectorAll('body *')].filter(e => e.offsetParent && e.scrollHeight > e.clientHeight + 1
  && ['auto', 'scroll'].includes(getComputedStyle(e).overflowY) && e.clientHeight > 0)
  .map(e => e.outerHTML.slice(0, 120))
"""


NASTY = '<img src=x onerror="window.hacked=1"> ${window.hacked=2} {{this}} `&amp;` </q></td><script>hacked=3</script>'


class Tags(HTMLParser):
    """Elements with their attributes, the tags that are open at the end, and the text."""

    VOID = frozenset({"meta", "br", "line", "rect", "path", "img", "input"})

    def __init__(self, html: str) -> None:
        super().__init__()
        self.elements: list[tuple[str, dict[str, str | None]]] = []
        self.open: list[str] = []
        self.text = ""
        self.feed(html)
        self.close()

    def handle_starttag(self, tag, attrs):
        self.handle_startendtag(tag, attrs)
        if tag not in self.VOID:
            self.open.append(tag)

    def handle_startendtag(self, tag, attrs):
        self.elements.append((tag, dict(attrs)))

    def handle_endtag(self, tag):
        assert tag in self.VOID or self.open.pop() == tag

    def handle_data(self, data):
        self.text += data


def check_fragment(html):
    """Check a part of a page: tags are balanced, and nothing that a text holds became markup or a template."""
    tags = Tags(html)
    assert tags.open == []
    assert not {"img", "script"} & {tag for tag, _ in tags.elements}
    assert not set("${}`") & set(html)


def contrast(first, second):
    """Return the contrast of two colours (WCAG 2.2), such as `#fff` and `#0b5bb5`."""
    bright = []
    for colour in (first, second):
        digits = colour.lstrip("#") if len(colour) == 7 else "".join(2 * digit for digit in colour.lstrip("#"))
        parts = (int(digits[i : i + 2], 16) / 255 for i in (0, 2, 4))
        linear = [part / 12.92 if part <= 0.04045 else ((part + 0.055) / 1.055) ** 2.4 for part in parts]
        bright.append(0.2126 * linear[0] + 0.7152 * linear[1] + 0.0722 * linear[2])
    return (max(bright) + 0.05) / (min(bright) + 0.05)


@lru_cache(maxsize=1)
def axe_script():
    """Return axe-core; skips if the package that carries it is missing."""
    pytest.importorskip("axe_core_python")
    return files("axe_core_python").joinpath("axe.min.js").read_text("utf-8")


def serious_findings(browser):
    """Return axe-core's serious and critical findings in the page that a browser shows."""
    return [finding for finding in all_findings(browser) if finding[0] in _SERIOUS]


def all_findings(browser):
    """Return axe-core's findings in the page that a browser shows."""
    import json

    browser.execute_cdp_cmd("Runtime.evaluate", {"expression": axe_script()})
    found = browser.execute_cdp_cmd(
        "Runtime.evaluate", {"expression": _RUN_AXE, "awaitPromise": True, "returnByValue": True}
    )
    return list(json.loads(found["result"]["value"]))


def widest(browser):
    """Return how wide a page is, which shall not be more than the screen."""
    return int(browser.execute_script("return document.documentElement.scrollWidth"))


def inner_scrollers(browser):
    """Return elements that scroll by themselves inside the page."""
    return list(browser.execute_script(_INNER_SCROLLERS))


def check_standards(page, width, *in_view):
    """Check a page that shows an answer: its beginning is on the screen and has the focus; the rest as above.

    Args:
        page: a `web_pages.Page`.
        width: width of the window; on a telephone's nothing scrolls by itself, elsewhere boxes to write in do.
        in_view: elements that the first screen shows.
    """
    for part in in_view:
        page.until(lambda part=part: page.in_view(part))
    page.until(lambda: page.script("return document.activeElement.id") == "summary")
    levels = page.script(
        "return [...document.querySelectorAll('h1, h2, h3')].filter(e => e.offsetParent).map(e => e.tagName)"
    )
    assert levels[0] == "H1"
    assert levels.count("H1") == 1
    assert levels.index("H2") < levels.index("H3")
    page.script("document.querySelectorAll('details').forEach(d => d.open = true)")
    for narrower in (width, 320):
        page.resize(narrower)
        page.until(lambda: page.script("return window.innerWidth") == narrower)  # noqa: B023
        assert widest(page.browser) <= narrower
    page.resize(width)
    boxes = () if width < 600 else ("<textarea",)
    assert [inside for inside in inner_scrollers(page.browser) if not inside.startswith(boxes)] == []
    assert page.complaints() == []
    assert serious_findings(page.browser) == []


def focus_rings(browser, steps):
    """Press the tab key so often, from the top, and return the ring's width in pixels of each element on the way."""
    from selenium.webdriver import ActionChains
    from selenium.webdriver.common.keys import Keys

    browser.execute_script("document.activeElement.blur(); window.scrollTo(0, 0)")
    rings = {}
    for _ in range(steps):
        ActionChains(browser).send_keys(Keys.TAB).perform()
        html, style, width = browser.execute_script(
            "const e = document.activeElement; const s = getComputedStyle(e);"
            "return [e.outerHTML.slice(0, 140), s.outlineStyle, parseFloat(s.outlineWidth)]"
        )
        rings[html] = 0.0 if style == "none" else width
    return {html: width for html, width in rings.items() if not html.startswith(("<body", "<html"))}
