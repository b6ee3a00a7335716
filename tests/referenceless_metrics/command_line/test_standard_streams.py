"""Memory that runs out, interrupts, and a standard output that cannot take results: told, and never lost."""

import io
import os
import subprocess
import sys
import threading
from pathlib import Path

import click
import pytest
from command_lines import python

from referenceless_metrics.command_line.streams import Unblocked

PROGRAM = """
import sys
import click, numpy
from referenceless_metrics.command_line.output_options import output_options
from referenceless_metrics.command_line.running import run
from referenceless_metrics.core.files.output import render, write

@click.group()
def group(): ...

@group.command()
@output_options
def work(output, format):
    print("working", file=sys.stderr)
    write(render([{"text": "caf\\u00e9 \\u2192", "n": 1}], {}, format), output)

@group.command()
def note():
    click.echo("caf\\u00e9 \\u2192")

@group.command()
def exhaust():
    numpy.empty((2**29, 2**29))

run(group)
"""


def started(line, redirect="", encoding="utf-8"):
    """Run the program through a shell, which can close its streams."""
    return subprocess.run(
        ["sh", "-c", f'exec "$0" -c "$1" {line} {redirect}', sys.executable, PROGRAM],
        capture_output=True,
        encoding="utf-8",
        timeout=120,
        env={**os.environ, "PYTHONUTF8": "0", "PYTHONIOENCODING": encoding},
    )


@pytest.mark.parametrize("redirect, told", [("", "working\n"), ("2>&-", "")])
def test_a_good_standard_output_whatever_standard_error_is(redirect, told):
    done = started("work --format csv", redirect)
    assert (done.returncode, done.stdout, done.stderr) == (0, "text,n\ncafé →,1\n", told)


@pytest.mark.parametrize(
    "options, message",
    [
        (
            {"encoding": "cp1252"},
            "which cannot hold every text: set PYTHONIOENCODING=utf-8, or write to a file with -o",
        ),
        ({"redirect": ">&-"}, "error: standard output is closed: open it, or write to a file with -o"),
    ],
)
def test_results_need_an_output_that_is_open_and_takes_every_text(options, message, folder):
    done = started("work", **options)
    assert (done.returncode, done.stdout, done.stderr.count("\n")) == (1, "", 1)
    assert message in done.stderr
    assert started("work -o out", **options).returncode == 0
    assert "café" in (folder / "out").read_text("utf-8")


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="needs /dev/full")
def test_a_full_output_is_no_success():
    done = started("work", ">/dev/full")
    assert done.returncode == 1
    assert done.stderr.splitlines()[1:] == ["error: [Errno 28] No space left on device"]


def test_a_destination_is_checked_before_the_work():
    done = started("work -o none/out")
    assert done.returncode == 1
    assert done.stderr.startswith("error: Cannot write ")
    assert "working" not in done.stderr


def test_out_of_memory_is_one_line_and_status_1():
    done = started("exhaust")
    assert (done.returncode, done.stdout, done.stderr.count("\n")) == (1, "", 1)
    assert done.stderr.startswith("error: ")
    assert "ran out of memory (Unable to allocate 2.00 EiB" in done.stderr


INTERRUPTED_IMPORT = """
import builtins, os, signal, sys
found = builtins.__import__
def slow(name, *rest, **named):
    if name == {name!r}:
        os.kill(os.getpid(), signal.SIGINT)
        {then}
    return found(name, *rest, **named)
builtins.__import__ = slow
sys.argv = ["referenceless", "demo"]
from referenceless_metrics.__main__ import main
main()
"""


@pytest.mark.skipif(sys.platform == "win32", reason="signals of POSIX")
@pytest.mark.parametrize("name", ["click", "bleu_neighbors_metric.kernels.kernel"])
def test_an_interrupt_during_imports_leaves_no_traceback(name):
    done = python(INTERRUPTED_IMPORT.format(name=name, then="pass"), status=130)
    assert "Traceback" not in done.stderr
    assert done.stderr.splitlines()[-1] == "interrupted"


@pytest.mark.skipif(sys.platform == "win32", reason="signals of POSIX")
def test_an_interrupt_that_a_library_calls_an_import_error():
    then = "\n        ".join(("try: signal.pause()", "except KeyboardInterrupt: raise ImportError('cannot import it')"))
    program = INTERRUPTED_IMPORT.format(name="bleu_neighbors_metric.example", then=then)
    program = program.replace("os.kill(os.getpid(), signal.SIGINT)", "signal.setitimer(signal.ITIMER_REAL, 0.01)")
    program = "import signal\nsignal.signal(signal.SIGALRM, lambda *_: signal.raise_signal(signal.SIGINT))\n" + program
    assert python(program, status=130).stderr == "interrupted\n"


IN_THE_BACKGROUND = """
import signal, sys
signal.signal(signal.SIGINT, signal.SIG_IGN)
from referenceless_metrics.__main__ import main
try:
    main()
finally:
    assert signal.getsignal(signal.SIGINT) is signal.SIG_IGN
"""


def test_programs_in_the_background_still_ignore_interrupts():
    python(IN_THE_BACKGROUND, "--version")


class _Stuck(io.StringIO):
    """A stream that takes nothing until it is released, as a full pipe does."""

    def __init__(self):
        super().__init__()
        self.released = threading.Event()

    def write(self, text):
        assert self.released.wait(60)
        return super().write(text)


def test_a_program_that_must_not_wait_never_waits_for_a_stream(monkeypatch):
    streams = _Stuck(), _Stuck()
    for name, stream in zip(("stdout", "stderr"), streams, strict=True):
        monkeypatch.setattr(sys, name, stream)
    with Unblocked.standard_streams():
        for n in range(1500):
            click.echo(f"line {n}")
            print(f"line {n}", file=sys.stderr, end="")
        for stream in streams:
            stream.released.set()
    out, err = (stream.getvalue() for stream in streams)
    assert out.startswith("line 0\nline 1\n")
    assert err.startswith("line 0line 1")
    assert 1000 <= out.count("line") <= 1001  # further lines are lost
    assert (sys.stdout, sys.stderr) == streams
