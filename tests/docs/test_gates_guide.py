"""The guide's pytest recipe: its tests pass on good outputs, and fail on those of a model that collapsed."""

import subprocess
from types import SimpleNamespace

import pytest
from command_lines import left
from documents import ROOT
from text_files import read, write

from referenceless_metrics.demo import write_example_files


def recipe():
    """The names that the guide's block of tests defines."""
    text = read(ROOT / "docs" / "guides" / "gates.md")
    block = text.split("## pytest")[1].split("```python\n")[1].split("```")[0]
    names = {}
    exec(block, names)
    return [names[name] for name in names if name.startswith("test_")]


def test_the_recipe_fails_if_outputs_collapsed(folder, monkeypatch):
    monkeypatch.setattr(
        subprocess, "run", lambda words: SimpleNamespace(returncode=left(words[1:])[0])
    )  # in this process, which takes less long
    write_example_files(folder)
    tests = recipe()
    assert len(tests) == 2
    for test in tests:
        test()
    texts = read("ours.txt").splitlines()
    write("ours.txt", texts[:5] + [""] * (len(texts) - 5))
    for test in tests:
        with pytest.raises(AssertionError):
            test()
