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


def test_a_space_that_starts(space, monkeypatch):
    monkeypatch.chdir(space.parent)
    assert [*try_space(Path(space.name), "ours", {"pool": "ours.fitted"})] == ["the Space starts"]


def test_a_program_that_fails(space):
    write(space / "app.py", "import numpy")  # which this environment has, and the Space's has not
    assert [*try_space(space, "ours", None)] == [
        "the Space would not start: ModuleNotFoundError: No module named 'numpy'"
    ]


@pytest.mark.long
def test_programs_that_end_or_score_otherwise(space):
    write(space / "app.py", "import os; os._exit(3)")  # ended without a word, as for want of memory
    assert [*try_space(space, "ours", None)] == ["the Space would not start: exit status 3"]
    write(space / "app.py", "")
    assert [*try_space(space, "ours", None)] == ["the Space starts"]  # without ratings nothing is scored
    (told,) = try_space(space, "ours", {"pool": "another"})
    assert told.startswith("the Space would not start: AssertionError")


@pytest.mark.long
def test_a_requirement_that_is_on_no_index(space):
    told = invoke(f"hub publish slor --to me/slor --dry-run {space}/out").stderr.splitlines()
    assert told[1].startswith("the Space would not start: ERROR: No matching distribution found for referenceless-")
    assert told[2].startswith("with a wheel of file://")
    assert "would not start: " in told[2]  # what builds it is on no index either
