"""The workflows agree with the project's metadata."""

import os
import re
import runpy
import subprocess
import tomllib

import pytest
import yaml
from text_files import ROOT, read


def workflow(name):
    path = ROOT / ".github" / "workflows" / name
    if not path.is_file():
        pytest.skip("needs a checkout: the sdist holds no workflows")
    return yaml.safe_load(read(path))


def test_tests_run_on_every_python_that_the_metadata_names():
    matrix = workflow("tests.yml")["jobs"]["tests"]["strategy"]["matrix"]
    project = read(ROOT / "pyproject.toml")
    assert matrix["python"] == re.findall(r'"Programming Language :: Python :: (3\.\d+)"', project)


@pytest.mark.parametrize("name", ["tests.yml", "nightly.yml", "release.yml"])
def test_jobs_have_few_rights_and_an_end(name):
    content = workflow(name)
    assert content["permissions"] == {"contents": "read"}
    assert all(job["timeout-minutes"] <= 60 for job in content["jobs"].values())


def test_a_release_is_published_by_identity_and_not_by_a_kept_token():
    publish = workflow("release.yml")["jobs"]["publish"]
    assert publish["permissions"] == {"id-token": "write"}
    assert publish["needs"] == ["build", "try", "try-musl"]
    upload = publish["steps"][-1]
    assert upload["uses"].startswith("pypa/gh-action-pypi-publish@")
    assert "with" not in upload


@pytest.mark.parametrize(
    "left_with, cannot_tell, status", [(0, "fail", 0), (1, "pass", 1), (2, "pass", 2), (3, "fail", 3), (3, "pass", 0)]
)
def test_the_action_hands_on_all_words_and_the_status(tmp_path, left_with, cannot_tell, status):
    (tmp_path / "python").write_text(f'#!/bin/sh\necho "$@"\nexit {left_with}\n')
    (tmp_path / "python").chmod(0o755)
    if not (ROOT / "action.yml").is_file():
        pytest.skip("needs a checkout: the sdist holds no action")
    script = yaml.safe_load(read(ROOT / "action.yml"))["runs"]["steps"][-1]["run"]
    environ = {
        "PATH": f"{tmp_path}:{os.environ['PATH']}",
        "CANNOT_TELL": cannot_tell,
        "ARGUMENTS": "compare a b\n--level .9",
    }
    run = subprocess.run(["bash", "-eo", "pipefail", "-c", script], env=environ, capture_output=True, text=True)
    assert (run.stdout, run.returncode) == ("-m referenceless_metrics compare a b --level .9\n", status)


def test_what_stands_behind_a_mark_has_a_step_of_its_own():
    options = tomllib.loads(read(ROOT / "pyproject.toml"))["tool"]["pytest"]["ini_options"]
    marks = re.findall(r"not (\w+)", options["addopts"])
    assert marks == ["browser", "fuzz", "long", "notebooks", "spark"]
    command = f'--hypothesis-profile=search -m "{" or ".join(["hypothesis", *marks])}"'
    assert f"`pytest {command}`" in read(ROOT / "CONTRIBUTING.md")
    nightly = workflow("nightly.yml")
    assert nightly[True]["schedule"]  # YAML reads `on` as true
    assert nightly["jobs"]["long"]["steps"][-1]["run"] == "bash .ci/long"
    assert read(ROOT / ".ci" / "long").rstrip().endswith(command)


def test_what_a_mutant_changes_stands_in_its_file_once():
    script = ROOT / ".ci" / "mutants"
    if not script.is_file():
        pytest.skip("needs a checkout: the sdist holds no mutants")
    mutants = runpy.run_path(str(script))
    found = {change: read(ROOT / mutants["ROOM"] / change[0]).count(change[1]) for change in mutants["MUTANTS"]}
    assert {change: count for change, count in found.items() if count != 1} == {}
