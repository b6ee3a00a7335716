"""What a paper says of a metric, and the file by which the repository is cited."""

import tomllib

import pytest
import yaml
from command_lines import done
from text_files import ROOT, read, write

from referenceless_metrics.core.registry import load_metric, metric_names, metric_spec, metric_specs
from referenceless_metrics.core.support.installation import project_version

PAPERS = {"bleu_neighbors": "after Ethayarajh and Sadigh, 2020"}
PAPERS["quality_estimation"] = "the task of Dušek et al., 2017, with the model that the signature names"


@pytest.mark.parametrize("name", metric_names())
def test_cite_prints_signature_sentence_and_bibtex(name):
    signature, sentence, *bibtex = done(f"cite --metric {name}").stdout.split("\n\n")
    paper = PAPERS.get(name, "after Kann et al., 2018")
    assert sentence.startswith(f"We scored texts with {metric_spec(name).title} ({paper}), as implemented in ")
    assert sentence.endswith(f"{project_version()}; signature: {signature}.")
    assert bibtex[0] == metric_spec(name).citation.strip()
    assert "\n  doi = {10." in bibtex[0]
    assert "\n  url = {https://" in bibtex[0]
    assert bibtex[1].startswith("@software{referenceless-metrics,")


def test_a_metric_tells_its_own_and_its_options(folder):
    write("pool.csv", ["text,rating", *(f"the cat sat {i},{i}" for i in range(9))])
    told = done("cite --metric bleu_neighbors --pool pool.csv --min-neighbors 2").stdout
    assert told == load_metric("bleu_neighbors", pool="pool.csv", min_neighbors=2).citation
    assert "|a:2|" in told
    assert "|pool:9." in told


def test_the_citation_file_names_the_version_and_the_papers():
    found = yaml.safe_load(read(ROOT / "CITATION.cff"))
    project = tomllib.loads(read(ROOT / "pyproject.toml"))
    assert (found["version"], found["license"]) == (project["project"]["version"], project["project"]["license"])
    assert "/CITATION.cff" in project["tool"]["hatch"]["build"]["targets"]["sdist"]["include"]
    papers = "".join(spec.citation for spec in metric_specs()).replace("{BLEU}", "BLEU")
    assert [paper["title"] for paper in found["references"] if f"title = {{{paper['title']}}}" not in papers] == []
