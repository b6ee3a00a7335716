"""A Space tried where it was written: what its environment lacks, what its programs raise, and that it starts."""

from pathlib import Path

import pytest
from command_lines import invoke
from text_files import write

from referenceless_metrics.frameworks.hub.trial import try_space

MODULE = """
class Module:
    inputs = ("references",)

    def __init__(self, pool):
        assert pool == "ours.fitted"

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


def verdict(space, bound):
    """Return the last sentence on a Space, after the steps."""
    return [*try_space(space, "ours", bound)][-1]


@pytest.mark.long
def test_a_space_that_starts(space, monkeypatch):
    monkeypatch.chdir(space.parent)
    assert [*try_space(Path(space.name), "ours", {"pool": "ours.fitted"})] == [
        "making an environment, and installing what the Space requires: some minutes",
        "starting its app, and scoring a text",
        "the Space starts",
    ]


@pytest.mark.long
def test_a_program_that_fails(space):
    write(space / "app.py", "import numpy")  # which this environment has, and the Space's has not
    assert verdict(space, None) == "the Space would not start: ModuleNotFoundError: No module named 'numpy'"


@pytest.mark.long
def test_programs_that_end_or_score_otherwise(space):
    write(space / "app.py", "import os; os._exit(3)")  # ended without a word, as for want of memory
    assert verdict(space, None) == "the Space would not start: exit status 3"
    write(space / "app.py", "")
    assert verdict(space, None) == "the Space starts"  # without ratings nothing is scored
    assert verdict(space, {"pool": "another"}).startswith("the Space would not start: AssertionError")


@pytest.mark.long
def test_a_requirement_that_is_on_no_index(space):
    told = invoke(f"hub publish slor --to me/slor --dry-run {space}/out").stderr.splitlines()
    assert told[0].startswith("making an environment")
    assert told[1].startswith("the Space would not start: ERROR: No matching distribution found for referenceless-")
    assert told[2].startswith("building a wheel of file://")
    assert told[3].startswith("with a wheel of file://")
    assert "would not start: " in told[3]  # what builds it is on no index either
