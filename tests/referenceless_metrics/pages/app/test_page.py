"""Shared by the web pages."""

import html
import re
import sys
from types import SimpleNamespace

import pytest
from hypothesis import given
from hypothesis import strategies as st
from refusals import refused

from referenceless_metrics.pages.app.layout import fragment, import_gradio, message
from referenceless_metrics.pages.app.page import launch, launch_options
from referenceless_metrics.pages.rendering import render, shown

CSS = render("referenceless_metrics.pages.app", "app.css")


@given(st.text())
def test_a_message_holds_any_text_and_no_markup_of_it(text):
    found = message(text)
    assert found.count("<") == 4
    assert not set("${}`") & set(found)
    inside = re.sub(r"<strong>.*?</strong> |</?div.*?>", "", found, flags=re.DOTALL)
    # NUL and carriage returns cannot stand in HTML
    assert html.unescape(inside).replace("\r", "\n") == shown(text, 2000).replace("\r", "\n")


def test_a_missing_template_value_is_an_error():
    from jinja2 import UndefinedError

    with pytest.raises(UndefinedError):
        fragment("message.html.j2")


@pytest.mark.parametrize(
    "gradio, message",
    [
        (None, re.escape('pip install "referenceless-metrics[app]"')),
        (SimpleNamespace(__version__="5.49.1"), r"gradio 6 or later, but this is 5\.49\.1"),
    ],
)
def test_without_a_gradio_of_today_the_extra_is_named(monkeypatch, gradio, message):
    monkeypatch.setitem(sys.modules, "gradio", gradio)
    with refused(message, ImportError):
        import_gradio()


@pytest.mark.long
def test_a_page_is_launched_with_the_caller_s_options():
    pytest.importorskip("gradio")

    class Page:
        def launch(self, **options):
            assert (options["max_file_size"], options["ssr_mode"]) == ("1kb", False)  # the caller's before the page's
            return "served"

    assert launch(Page(), max_file_size="1kb") == "served"


@pytest.mark.long
def test_fonts_are_those_of_the_visitor():
    pytest.importorskip("gradio")
    theme = launch_options()["theme"]
    stylesheets = [sheet for sheet in (*theme._stylesheets, *theme._font_css) if sheet]
    assert stylesheets == []
    assert "http" not in CSS
    assert "@import" not in CSS
