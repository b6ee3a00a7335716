"""The wheel and the sdist: their content, their requirements, and that the wheel works as it is unpacked."""

import re
import runpy
import sys
import tarfile
import tomllib
import zipfile

import pytest
from command_lines import python
from packaging.requirements import Requirement
from packaging.utils import canonicalize_name
from requirements_met import asked_for, installed_by
from text_files import ROOT, read

from referenceless_metrics.core.registry import metric_names

PACKAGES = (
    "bleu_neighbors_metric",
    "slor_metric",
    "quality_estimation_metric",
    "referenceless_metrics",
)
HEAVY = set("torch transformers matplotlib typst gradio accelerate scikit-learn nltk mlflow lm-eval".split())
DIRECT = set(
    """click datasets evaluate filelock huggingface-hub jinja2 numpy pyarrow pyyaml
    rapidfuzz regex sacrebleu scipy sentencex tabulate threadpoolctl tqdm wcwidth""".split()
)
"""Requirements of a bare installation. One more makes it larger for everybody: can it be an extra?"""
MOST_DISTRIBUTIONS = 60
"""Most distributions that these bring, with their own requirements."""
LARGEST_WHEEL = 40_000_000  # bytes


pytestmark = pytest.mark.skipif(not (ROOT / "pyproject.toml").is_file(), reason="needs the project's source tree")


@pytest.fixture(scope="session")
def wheel_builder():
    """Return hatchling's builder, which tells the content of a wheel."""
    return pytest.importorskip("hatchling.builders.wheel").WheelBuilder(str(ROOT))


@pytest.fixture(scope="session")
def project(wheel_builder):
    """Return the project's metadata as the wheel will have it."""
    return wheel_builder.metadata.core


@pytest.fixture(scope="session")
def built(tmp_path_factory):
    """Build the sdist, and the wheel from it, and return their folder."""
    pytest.importorskip("build")
    folder = tmp_path_factory.mktemp("dist")
    python("-m", "build", "--no-isolation", "--outdir", folder, ROOT)
    return folder


@pytest.fixture(scope="session")
def wheel(built):
    return next(built.glob("*.whl"))


@pytest.fixture(scope="session")
def unpacked(wheel, tmp_path_factory):
    folder = tmp_path_factory.mktemp("site")
    with zipfile.ZipFile(wheel) as archive:
        archive.extractall(folder)
    return folder


def names_below(folder):
    return {str(path.relative_to(ROOT)) for path in (ROOT / folder).rglob("*") if path.suffix in (".py", ".md")}


def listed(builder):
    """Return the paths that hatchling would write, without building anything."""
    return {file.distribution_path for file in builder.recurse_included_files()}


def test_a_wheel_will_hold_metrics_cards_and_models(wheel_builder):
    wanted = {
        f"referenceless_metrics/core/_{name}" for folder in ("metrics", "hub_cards") for name in names_below(folder)
    }
    assert {f"referenceless_metrics/core/_metrics/{name}/{name}.py" for name in metric_names()} <= wanted
    folders = {"py.typed": PACKAGES, "data/README.md": ("slor_metric", "quality_estimation_metric")}
    wanted |= {f"{package}/{file}" for file, packages in folders.items() for package in packages}
    wanted |= {
        f"slor_metric/data/{name}.safetensors"
        for name in ("word", "wordpiece", "word_classes", "class_ngrams", "letters")
    }
    wanted |= {"slor_metric/data/fluency.json", "quality_estimation_metric/data/default.safetensors"}
    wanted |= {"bleu_neighbors_metric/data/example_pool.csv"}
    wanted |= {str(path.relative_to(ROOT)) for package in PACKAGES for path in (ROOT / package).rglob("*.html.j2")}
    held = listed(wheel_builder)
    assert wanted - held == set()
    assert {name.split("/")[0] for name in held} == set(PACKAGES)
    assert not [name for name in held if "__pycache__" in name or name.endswith(".pyc")]


def test_an_sdist_will_hold_what_a_build_and_the_tests_need():
    held = listed(pytest.importorskip("hatchling.builders.sdist").SdistBuilder(str(ROOT)))
    assert not [name for name in held if name.startswith("papers/")]  # a distribution of its own
    wanted = {"README.md", "CHANGELOG.md", "LICENSE", "conftest.py", "tests/test_cards.py"}  # pyproject.toml always is
    wanted |= {str(path.relative_to(ROOT)) for path in (ROOT / "native").rglob("*.*")}
    wanted |= {"hatch_build.py", "slor_metric/data/word.safetensors", "slor_metric/data/wordpiece.safetensors"}
    assert (wanted | names_below("metrics") | names_below("hub_cards")) - held == set()


@pytest.mark.long
def test_the_built_files_hold_what_was_listed(built, wheel, wheel_builder):
    assert wheel.stat().st_size < LARGEST_WHEEL
    with zipfile.ZipFile(wheel) as archive:
        held = set(archive.namelist())
    assert listed(wheel_builder) - held == set()
    assert f"referenceless_metrics/core/support/_kernels.{'dll' if sys.platform == 'win32' else 'so'}" in held
    assert {name.split("/")[0].split("-")[0] for name in held} == set(PACKAGES)
    with tarfile.open(next(built.glob("*.tar.gz"))) as archive:
        assert "tests/test_cards.py" in {name.split("/", 1)[1] for name in archive.getnames() if "/" in name}


ADDRESS = "https://example.org/owner/name"
_RELATIVE = re.compile(r"\]\((?!https?://|#|mailto:)")


def described(monkeypatch, repository):
    """Return the additions of the build hook to the metadata."""
    pytest.importorskip("hatchling")
    monkeypatch.setenv("PROJECT_REPOSITORY", repository)
    hook = runpy.run_path(str(ROOT / "hatch_build.py"))["ProjectMetadata"]
    configured = tomllib.loads(read(ROOT / "pyproject.toml"))
    found = {"version": configured["project"]["version"]}
    hook(str(ROOT), configured["tool"]["hatch"]["metadata"]["hooks"]["custom"]).update(found)
    return found


def test_the_readme_on_pypi_links_to_the_repository(monkeypatch):
    found = described(monkeypatch, ADDRESS + "/")
    text, at = found["readme"]["text"], f"v{found['version']}"
    assert _RELATIVE.search(text) is None
    assert f"]({ADDRESS}/raw/{at}/docs/pictures/report.png)" in text
    assert f"[Start]({ADDRESS}/blob/{at}/docs/start.md)" in text
    here = read(ROOT / "README.md")
    back = re.sub(rf"{ADDRESS}/(raw|blob)/{re.escape(at)}/", "", text)
    assert back == here  # nothing else is changed, code least of all
    assert found["urls"]["Repository"] == ADDRESS
    assert found["urls"]["Issues"] == f"{ADDRESS}/issues"
    assert found["urls"]["Changelog"].endswith("/CHANGELOG.md")
    assert found["urls"]["Paper (BLEU Neighbors)"].startswith("https://arxiv.org/")


def test_without_an_address_the_readme_links_to_no_files(monkeypatch):
    found = described(monkeypatch, "")
    text = found["readme"]["text"]
    assert _RELATIVE.search(text) is None
    assert "![" not in text
    assert "- Start · Questions · all guides, by need" in text
    assert set(found["urls"]) == {"Paper (BLEU Neighbors)", "Paper (SLOR, WPSLOR, ROUGE-LM)"}


def test_what_the_bare_package_pulls_in_is_not_heavy(project):
    """Follow the requirements of the installed distributions, each with the extras that are asked for."""
    waiting = asked_for(map(Requirement, project.dependencies))
    assert {canonicalize_name(line.name) for line in waiting} == DIRECT
    names = installed_by(waiting)
    assert "pyarrow" in names  # of datasets: the walk goes beyond direct requirements
    assert names & HEAVY == set()
    assert len(names) <= MOST_DISTRIBUTIONS


def test_every_extra_that_errors_name_exists(project):
    sources = (read(path) for package in PACKAGES for path in (ROOT / package).rglob("*.py"))
    named = {extra for source in sources for extra in re.findall(r"referenceless-metrics\[([a-z0-9-]+)\]", source)}
    assert named
    assert named <= set(project.optional_dependencies)


@pytest.mark.long
@pytest.mark.parametrize(
    "arguments, said",
    [
        ("demo", "WPSLOR"),
        ("hub publish slor --to a/slor --dry-run out/slor --no-build", "not uploaded"),
    ],
)
def test_the_unpacked_wheel_works(unpacked, tmp_path, arguments, said):
    code = f"from referenceless_metrics import cli; print(cli.__file__); cli.cli({arguments.split()!r})"
    environ = {"PYTHONPATH": str(unpacked), "PYTHONDONTWRITEBYTECODE": "1"}
    done = python(code, cwd=tmp_path, environ=environ, input="The cat sat on the mat.\n")
    assert done.stdout.startswith(str(unpacked))  # the wheel's own files, not the checkout's
    assert said in done.stdout
