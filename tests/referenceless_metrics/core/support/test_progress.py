"""Progress bars go to stderr, and only on request or on a terminal."""

import io
import sys

import pytest

from referenceless_metrics.core.support.computing import moving, progress_bar


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


class Noting:
    """A bar that notes its updates."""

    def __init__(self):
        self.updates = []

    def update(self, n):
        self.updates.append(n)


def test_bars_inside_a_block_move_its_bar(monkeypatch):
    monkeypatch.setattr(sys, "stderr", Terminal())
    outer = Noting()
    with moving(outer, 10):
        with progress_bar(200, "reading", True, unit="token") as bar:
            for _ in range(4):
                bar.update(35)
        assert outer.updates == [1, 2, 2, 2]
        with progress_bar(None, "loading", True) as bar:  # nobody knows which share this is
            bar.update(5)
        with progress_bar(1, "again", True) as bar:
            bar.update()
        assert sum(outer.updates) == 10
    assert sum(outer.updates) == 10
    assert sys.stderr.getvalue() == ""
    with progress_bar(1, "afterwards", True) as bar:
        bar.update()
    assert "afterwards" in sys.stderr.getvalue()


def test_a_block_without_bars_counts_when_it_is_done():
    outer = Noting()
    with moving(outer, 7):
        assert outer.updates == []
    assert outer.updates == [7]
    with pytest.raises(ZeroDivisionError), moving(outer, 7):
        1 / 0  # noqa: B018
    assert sum(outer.updates) == 7
