"""Each page of the documentation runs with the core dependencies and exactly the extras and packages that it names."""

import re
from importlib.metadata import packages_distributions

import pytest
from command_lines import python
from documents import ROOT, blocks
from packaging.requirements import Requirement
from packaging.utils import canonicalize_name
from requirements_met import installed_by
from text_files import read

from referenceless_metrics.core.support.installation import DISTRIBUTION
from referenceless_metrics.demo import write_example_files

PAGES = [ROOT / "README.md", *sorted((ROOT / "docs").rglob("*.md"))]
_NAMED = re.compile(r"extras? ((?:`[\w-]+`(?:, | and )?)+)|referenceless-metrics\[([\w,-]+)\]")
_BESIDE = re.compile(r"pip install ([a-z][\w-]+)(?=[`\s])")
#: Runs a page in a process in which forbidden modules cannot be imported, as if they were not installed.
_RUN = """
import sys
from importlib.machinery import PathFinder

class Installed(PathFinder):
    @classmethod
    def find_spec(cls, name, path=None, target=None):
        return None if name.partition(".")[0] in BLOCKED else PathFinder.find_spec(name, path, target)

    @classmethod
    def find_distributions(cls, *args, **kwargs):
        return (one for one in PathFinder.find_distributions(*args, **kwargs) if one.name not in GONE)

BLOCKED, GONE = (set(given.split(",")) for given in sys.argv[1:3])
sys.path.insert(0, sys.argv[3])
sys.meta_path[:] = [Installed if finder is PathFinder else finder for finder in sys.meta_path]
from pathlib import Path
from documents import run_document
from bleu_neighbors_metric.example import example_candidates, example_pool

pool = example_pool()
names = {"outputs": example_candidates(), "rated_texts": pool.texts, "ratings": pool.ratings}
run_document(Path(sys.argv[4]), Path("."), **names)
"""


@pytest.mark.long
@pytest.mark.parametrize("path", PAGES, ids=lambda path: path.stem)
def test_a_page_runs_with_the_extras_that_it_names(path, tmp_path):
    if not blocks(path):
        pytest.skip("no code")
    text = read(path)
    named = {name for found in _NAMED.findall(text) for name in re.findall(r"[\w-]+", " ".join(found)) if name != "and"}
    wanted = [f"{DISTRIBUTION}[{','.join(named)}]", *(["referenceless-papers"] if "papers" in text else [])]
    wanted += _BESIDE.findall(text)
    allowed = installed_by(map(Requirement, wanted)) | {"setuptools", "pip"}
    owners_of = packages_distributions()
    blocked = [
        module
        for module, owners in owners_of.items()
        if allowed.isdisjoint(map(canonicalize_name, owners)) and not module.startswith("_")
    ]
    gone = {owner for module in blocked for owner in owners_of[module]}
    assert "hypothesis" in gone
    write_example_files(tmp_path)
    environ = {"HF_MODULES_CACHE": str(tmp_path / "modules"), "HF_EVALUATE_OFFLINE": "1"}
    words = ",".join(blocked), ",".join(gone), ROOT / "tests" / "support", path
    python(_RUN, *words, cwd=tmp_path, environ=environ)
