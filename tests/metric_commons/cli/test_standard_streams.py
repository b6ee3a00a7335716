"""Memory that runs out, interrupts, and a standard output that cannot take results: told, and never lost."""

import os
import signal
import subprocess
import sys
from pathlib import Path

import click
import numpy as np
import pytest

from metric_commons.cli.base import check_standard_output, out_of_memory
from metric_commons.support.errors import InputError

PROGRAM = """
import sys
import click, numpy
from metric_commons.cli.base import output_options, run
from metric_commons.files.output import render, write

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


def started(*arguments, redirect="", **environment):
    """Run the program through a shell, which can close its streams."""
    command = f'exec "$0" -c "$1" {" ".join(arguments)} {redirect}'
    return subprocess.run(
        ["sh", "-c", command, sys.executable, PROGRAM],
        capture_output=True,
        encoding="utf-8",
        timeout=120,
        env={**os.environ, "PYTHONUTF8": "0", **environment},
    )


def test_a_good_standard_output():
    done = started("work", "--format", "csv", PYTHONIOENCODING="utf-8")
    assert (done.returncode, done.stdout, done.stderr) == (0, "text,n\ncafé →,1\n", "working\n")


@pytest.mark.parametrize("encoding", ["ascii", "latin-1", "cp1252"])
def test_results_need_an_output_that_takes_every_text(encoding, tmp_path):
    done = started("work", PYTHONIOENCODING=encoding)
    assert (done.returncode, done.stdout, done.stderr.count("\n")) == (1, "", 1)
    assert "which cannot hold every text: set PYTHONIOENCODING=utf-8, or write to a file with -o" in done.stderr
    assert started("work", "-o", str(tmp_path / "out"), PYTHONIOENCODING=encoding).returncode == 0
    assert "café" in (tmp_path / "out").read_text("utf-8")
    assert started("note", PYTHONIOENCODING="ascii").returncode == 0


def test_results_need_an_output_that_is_open(tmp_path):
    done = started("work", redirect=">&-")
    assert (done.returncode, done.stderr.count("\n")) == (1, 1)
    assert "error: standard output is closed: open it, or write to a file with -o" in done.stderr
    assert started("work", "-o", str(tmp_path / "out"), redirect=">&-").returncode == 0
    assert "café" in (tmp_path / "out").read_text("utf-8")
    note = started("note", redirect=">&-")
    assert note.returncode == 1
    assert "standard output is closed" in note.stderr


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="needs /dev/full")
def test_a_full_output_is_no_success():
    done = started("work", redirect=">/dev/full", PYTHONIOENCODING="utf-8")
    assert done.returncode == 1
    assert done.stderr.splitlines()[1:] == ["error: [Errno 28] No space left on device"]


def test_closed_standard_error_changes_nothing():
    done = started("work", "--format", "csv", redirect="2>&-", PYTHONIOENCODING="utf-8")
    assert (done.returncode, done.stdout) == (0, "text,n\ncafé →,1\n")


def test_a_destination_is_checked_before_the_work(tmp_path):
    done = started("work", "-o", str(tmp_path / "none" / "out"))
    assert done.returncode == 1
    assert done.stderr.startswith("error: Cannot write ")
    assert "working" not in done.stderr


def test_a_test_s_own_output_passes(capsys, monkeypatch):
    check_standard_output()
    monkeypatch.setattr(sys, "stdout", None)
    with pytest.raises(InputError, match="is closed"):
        check_standard_output()


def test_out_of_memory_tells_what_needed_how_much():
    with pytest.raises(MemoryError) as error:
        np.empty((2**29, 2**29))
    with click.Context(click.Command("score"), info_name="referenceless score"):
        told = out_of_memory(error.value)
    assert told.startswith("referenceless score ran out of memory (Unable to allocate 2.00 EiB for an array")
    assert "fewer or shorter texts" in told
    assert "nothing was left" in out_of_memory(MemoryError())


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
@pytest.mark.parametrize("name", ["click", "csv", "numpy", "numba", "bleu_neighbors_metric.kernels.base"])
def test_an_interrupt_during_imports_leaves_no_traceback(name):
    program = INTERRUPTED_IMPORT.format(name=name, then="pass")
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, timeout=120)
    assert done.returncode == 130
    assert "Traceback" not in done.stderr
    assert done.stderr.splitlines()[-1] == "interrupted"


@pytest.mark.skipif(sys.platform == "win32", reason="signals of POSIX")
def test_an_interrupt_that_a_library_calls_an_import_error():
    then = "\n        ".join(("try: signal.pause()", "except KeyboardInterrupt: raise ImportError('cannot import it')"))
    program = INTERRUPTED_IMPORT.format(name="bleu_neighbors_metric.example", then=then)
    program = program.replace("os.kill(os.getpid(), signal.SIGINT)", "signal.setitimer(signal.ITIMER_REAL, 0.01)")
    program = "import signal\nsignal.signal(signal.SIGALRM, lambda *_: signal.raise_signal(signal.SIGINT))\n" + program
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, timeout=120)
    assert (done.returncode, done.stderr) == (130, "interrupted\n")


def test_programs_in_the_background_still_ignore_interrupts():
    program = (
        "import signal, sys\nsignal.signal(signal.SIGINT, signal.SIG_IGN)\nsys.argv = ['referenceless', '--version']\n"
        "from referenceless_metrics.__main__ import main\n"
        "try:\n    main()\n"
        "finally:\n    assert signal.getsignal(signal.SIGINT) is signal.SIG_IGN\n"
    )
    assert subprocess.run([sys.executable, "-c", program], capture_output=True, timeout=120).returncode == 0


def test_an_interrupt_at_any_time_is_130(tmp_path):
    """Real signals at various times of a real command; Python's own start is beyond reach."""
    program = (
        "import sys\nfrom referenceless_metrics.__main__ import main\nprint('begun', flush=True)\n"
        "sys.argv = ['referenceless', 'demo']\nmain()\n"
    )
    for delay in (0.0, 0.05, 0.2, 0.5):
        with subprocess.Popen(
            [sys.executable, "-c", program], stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True
        ) as process:
            assert process.stdout is not None
            assert process.stdout.readline() == "begun\n"
            try:
                process.wait(0.02 + delay)
            except subprocess.TimeoutExpired:
                process.send_signal(signal.SIGINT)
            _, err = process.communicate(timeout=120)
            assert "Traceback" not in err
            assert process.returncode in (0, 130)
