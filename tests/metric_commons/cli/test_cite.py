"""What a paper says of a metric, and the file by which the repository is cited."""

import tomllib
from pathlib import Path

import pytest
import yaml
from click.testing import CliRunner
from text_files import read

from metric_commons.registry import load_metric, metric_names, metric_spec, metric_specs
from metric_commons.support.installation import project_version
from referenceless_metrics.cli import cli

ROOT = Path(__file__).resolve().parents[3]
AUTHORS = {"bleu_neighbors": "Ethayarajh and Sadigh, 2020", "quality_estimation": "Dušek et al., 2017"}


@pytest.mark.parametrize("name", metric_names())
def test_cite_prints_signature_sentence_and_bibtex(name):
    done = CliRunner().invoke(cli, ["cite", "--metric", name], catch_exceptions=False)
    signature, sentence, *bibtex = done.stdout.split("\n\n")
    authors = AUTHORS.get(name, "Kann et al., 2018")
    assert sentence.startswith(f"We scored texts with {metric_spec(name).title} (after {authors}), as implemented in ")
    assert sentence.endswith(f"{project_version()}; signature: {signature}.")
    assert bibtex[0] == metric_spec(name).citation.strip()
    assert bibtex[1].startswith("@software{referenceless-metrics,")


def test_a_metric_tells_its_own_and_its_options(tmp_path):
    (tmp_path / "pool.csv").write_text("text,rating\n" + "".join(f"the cat sat {i},{i}\n" for i in range(9)))
    given = ["--metric", "bleu_neighbors", "--pool", str(tmp_path / "pool.csv"), "--min-neighbors", "2"]
    told = CliRunner().invoke(cli, ["cite", *given], catch_exceptions=False).stdout
    assert told == load_metric("bleu_neighbors", pool=tmp_path / "pool.csv", min_neighbors=2).citation
    assert "|a:2|" in told
    assert "|pool:9." in told


def test_the_citation_file_names_the_version_and_the_papers():
    found = yaml.safe_load(read(ROOT / "CITATION.cff"))
    project = tomllib.loads(read(ROOT / "pyproject.toml"))
    assert (found["version"], found["license"]) == (project["project"]["version"], project["project"]["license"])
    assert "/CITATION.cff" in project["tool"]["hatch"]["build"]["targets"]["sdist"]["include"]
    papers = "".join(spec.citation for spec in metric_specs()).replace("{BLEU}", "BLEU")
    assert [paper["title"] for paper in found["references"] if f"title = {{{paper['title']}}}" not in papers] == []
