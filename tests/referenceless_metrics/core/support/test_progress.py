"""Progress bars go to stderr, and only where they are wanted."""

import io
import sys

import pytest

from referenceless_metrics.core.support.computing import progress_bar


class Terminal(io.StringIO):
    def isatty(self):
        return True


def drawn(monkeypatch, stream, progress):
    monkeypatch.setattr(sys, "stderr", stream)
    with progress_bar(3, "matching", progress) as bar:
        bar.update(3)
    return stream.getvalue()


def test_asked_for(monkeypatch, capsys):
    shown = drawn(monkeypatch, io.StringIO(), True)
    assert "matching" in shown
    assert "3/3" in shown
    assert capsys.readouterr().out == ""


@pytest.mark.parametrize("stream", [io.StringIO(), Terminal()])
def test_switched_off(monkeypatch, stream):
    assert drawn(monkeypatch, stream, False) == ""


def test_by_default_on_a_terminal_for_long_work_only(monkeypatch):
    terminal = Terminal()
    assert drawn(monkeypatch, terminal, None) == ""  # done within the second before a bar shows
    monkeypatch.setattr(sys, "stderr", terminal)
    with progress_bar(2, "matching", None) as bar:
        bar.start_t -= 2.0  # as if two seconds had passed
        bar.update(2)
    assert "matching" in terminal.getvalue()
