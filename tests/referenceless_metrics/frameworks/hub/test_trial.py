"""A Space tried on the machine of its author: missing packages, errors of its programs, and that it starts."""

import sys
from pathlib import Path

import pytest
from command_lines import invoke
from text_files import write

from referenceless_metrics.frameworks.hub.trial import _trouble, try_space

MODULE = """
class Module:
    inputs = ("references",)

    def compute(self, predictions, references):
        assert len(predictions) == len(references)
"""


@pytest.fixture
def space(tmp_path, monkeypatch):
    """The folder of a Space that needs nothing, and starts; pip has no index."""
    monkeypatch.setenv("PIP_NO_INDEX", "1")
    for name, content in (("app.py", "import ours"), ("ours.py", MODULE), ("requirements.txt", "")):
        write(tmp_path / name, content)
    return tmp_path


def verdict(space, *, is_scored=False):
    """Return the last sentence on a Space, after the steps."""
    return [*try_space(space, "ours", is_scored=is_scored)][-1]


@pytest.mark.long
def test_a_space_that_starts(space, monkeypatch):
    monkeypatch.chdir(space.parent)
    assert [*try_space(Path(space.name), "ours", is_scored=True)] == [
        "making an environment, and installing what the Space requires: some minutes",
        "starting its app, and scoring a text",
        "the Space starts",
    ]


@pytest.mark.long
def test_a_program_that_fails(space):
    write(space / "app.py", "import numpy")  # which this environment has, and the Space's has not
    assert verdict(space) == "the Space would not start: ModuleNotFoundError: No module named 'numpy' (exit status 1)"


@pytest.mark.long
def test_programs_that_end_or_score_otherwise(space):
    write(space / "app.py", "import os; os._exit(3)")  # ended without a word, as for want of memory
    assert verdict(space) == "the Space would not start: exit status 3"
    write(space / "app.py", "")
    write(space / "ours.py", MODULE.replace("==", "!="))
    assert verdict(space) == "the Space starts"  # without ratings nothing is scored
    assert verdict(space, is_scored=True).startswith("the Space would not start: AssertionError")


@pytest.mark.long
def test_a_requirement_that_is_on_no_index(space):
    told = invoke(f"hub publish slor --to me/slor --dry-run {space}/out").stderr.splitlines()
    assert told[0].startswith("making an environment")
    assert told[1].startswith("the Space would not start: ERROR: No matching distribution found for referenceless-")
    assert told[2].startswith("building a wheel of file://")
    assert told[3].startswith("with a wheel of file://")
    assert "would not start: " in told[3]  # its build backend is on no index either


def test_the_cause_is_no_aside_of_pip_and_a_signal_has_its_name(tmp_path):
    def trouble(program):
        return _trouble([sys.executable, "-c", f"import os, sys, signal; {program}"], tmp_path)

    aside = "print('ERROR: no room on the disk', file=sys.stderr); print('WARNING: retrying', file=sys.stderr);"
    assert trouble(f"{aside} sys.exit(2)") == "ERROR: no room on the disk (exit status 2)"
    assert trouble("print('WARNING: retrying', file=sys.stderr); sys.exit(1)") == "exit status 1"
    assert trouble("os.kill(os.getpid(), signal.SIGKILL)") == "killed by SIGKILL"
    assert trouble(aside) == ""
