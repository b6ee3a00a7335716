"""Shared by all command lines: exit status, errors in one line, options."""

import subprocess
import sys
import warnings

import click
import pytest

from referenceless_metrics.command_line.running import run
from referenceless_metrics.core.support.validation import InputError, NotFittedError


@pytest.fixture(autouse=True)
def warnings_as_before(monkeypatch):
    monkeypatch.setattr(warnings, "showwarning", warnings.showwarning)


def group_of(work):
    @click.group()
    def group():
        """Work."""

    @group.command()
    @click.option("--count", type=int, default=1)
    def work_command(count):
        """Do it."""
        return work()

    group.add_command(work_command, "work")
    return group


def leave(capsys, work, *arguments):
    with pytest.raises(SystemExit) as stop:
        run(group_of(work), arguments or ("work",))
    out, err = capsys.readouterr()
    assert isinstance(stop.value.code, int)
    return stop.value.code, out, err


def failing(error):
    def work():
        raise error

    return work


def test_an_argument_that_an_option_gave_is_named_as_the_option(capsys):
    work = failing(ValueError("Expected argument `count` to be 1, unlike argument `texts`, but got 3"))
    told = leave(capsys, work, "work", "--count=3")[2]
    assert told == "error: Expected option --count to be 1, unlike argument `texts`, but got 3\n"


@pytest.mark.parametrize("kind", [InputError, TypeError, NotFittedError, FileNotFoundError, ImportError, RuntimeError])
def test_bad_input_is_one_line_and_status_1(capsys, kind):
    told = leave(capsys, failing(kind("pool.csv:3: expected 2 fields,\n  but got 1")))
    assert told == (1, "", "error: pool.csv:3: expected 2 fields, but got 1\n")
    assert leave(capsys, failing(click.FileError("pool.csv", "gone")))[0] == 1  # of click's own


@pytest.mark.parametrize("on_request, error", [("1", InputError("what")), ("", ZeroDivisionError("what"))])
def test_the_traceback_on_request_and_of_our_own_errors(monkeypatch, on_request, error):
    monkeypatch.setenv("METRICS_TRACEBACK", on_request)
    with pytest.raises(type(error), match="what"):
        run(group_of(failing(error)), ["work"])


@pytest.mark.parametrize("error", [KeyboardInterrupt(), click.Abort()])
def test_interrupted_is_130(capsys, error):
    status, out, err = leave(capsys, failing(error))
    assert (status, out, err.strip()) == (130, "", "interrupted")


def test_warnings_are_one_line_on_stderr(capsys):
    def work():
        with warnings.catch_warnings():
            warnings.simplefilter("always")
            warnings.showwarning("no text can be covered", UserWarning, "file.py", 1)

    assert leave(capsys, work) == (0, "", "warning: no text can be covered\n")


def test_a_reader_that_has_left_is_met_without_a_word():
    program = """
import click
from referenceless_metrics.command_line.running import run
from referenceless_metrics.core.files.output import write
@click.group()
def group(): ...
@group.command()
def work():
    input()
    write("line\\n" * 10, None)
run(group, ["work"])
"""
    pipe = subprocess.PIPE
    with subprocess.Popen([sys.executable, "-c", program], stdin=pipe, stdout=pipe, stderr=pipe, text=True) as process:
        process.stdout.close()
        process.stdout = None
        _, err = process.communicate("now\n", timeout=60)
    assert (process.returncode, err) == (1, "")  # as every click command
