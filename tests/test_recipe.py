"""CONTRIBUTING's recipe of a metric, followed to the letter in a copy of the tree, and then used."""

import re
import shutil

import pytest
from command_lines import python
from text_files import ROOT, read, write

PACKAGES = [path.name for path in ROOT.glob("*_metric*") if path.is_dir()]
pytestmark = pytest.mark.skipif(not (ROOT / "CONTRIBUTING.md").is_file(), reason="needs the project's source tree")


@pytest.fixture(scope="module")
def tree(tmp_path_factory):
    """Copy the tree, and write the recipe's blocks into the files that they name."""
    tree = tmp_path_factory.mktemp("tree")
    for name in (*PACKAGES, "metrics", "hub_cards"):
        shutil.copytree(ROOT / name, tree / name, ignore=shutil.ignore_patterns("data", "__pycache__"))
        if (ROOT / name / "data").is_dir():
            (tree / name / "data").symlink_to(ROOT / name / "data")
    shutil.copyfile(ROOT / "pyproject.toml", tree / "pyproject.toml")
    recipe = read(ROOT / "CONTRIBUTING.md").split("**A kernel of")[0]
    blocks = re.findall(r"^```\w+\n# ([\w/.]+)(?:, ([^\n]*))?\n(.*?)^```$", recipe, re.MULTILINE | re.DOTALL)
    assert sum(path.endswith(".py") for path, _, _ in blocks) == 3
    assert len(blocks) == 5
    for path, place, content in blocks:
        file = tree / path
        file.parent.mkdir(exist_ok=True)
        before = read(file) if place else ""
        if place.startswith("under "):
            heading = place.removeprefix("under ") + "\n"
            assert heading in before
            write(file, before.replace(heading, heading + content))
        else:
            assert bool(place) == file.exists()
            write(file, before + content)
    write(tree / "a.txt", "The cat sat on the mat.\nMat the on sat cat the.\n")
    return tree


def run(tree, *words):
    environ = {"PYTHONPATH": str(tree), "HF_HOME": str(tree / "home"), "HF_EVALUATE_OFFLINE": "1"}
    environ["HF_MODULES_CACHE"] = str(tree / "modules")
    return python(*words, cwd=tree, environ=environ).stdout


COMMANDS = """
from referenceless_metrics.cli import cli
for line in (
    "score a.txt --metric mean_slor",
    "score --metric mean_slor --help",
    "hub publish mean_slor --to someone/mean_slor --dry-run space --no-build",
):
    cli(line.split(), standalone_mode=False)
"""


@pytest.mark.long
def test_its_commands(tree):
    shown = run(tree, COMMANDS)
    for wanted in ("metric:mean_slor|", "--max-unknown", "space/app.py"):
        assert wanted in shown


@pytest.mark.long
def test_evaluate_by_path_and_by_name(tree):
    lines = run(
        tree,
        """
import evaluate
from referenceless_metrics.frameworks.hub.modules import register
register("mean_slor")
for place in ("metrics/mean_slor", "mean_slor"):
    module = evaluate.load(place, max_unknown=0.5)
    print(round(module.compute(predictions=["The cat sat on the mat."])["mean_slor"], 3), "max_unknown" in str(module))
""",
    ).splitlines()
    assert len(lines) == 2
    assert lines[0] == lines[1]
    assert lines[0].endswith("True")


@pytest.mark.long
def test_its_page(tree):
    pytest.importorskip("gradio")
    program = "from referenceless_metrics.pages.app.page import build_app; print(build_app('mean_slor').title)"
    assert run(tree, program) == "Mean SLOR\n"
