"""A paper's sentence on a metric, and the file by which the repository is cited."""

import re
import shutil
import subprocess
import tomllib

import pytest
import yaml
from command_lines import as_json, done, typed
from example_fits import POOL_FILE
from text_files import ROOT, read, write

from referenceless_metrics.core.registry import load_metric, metric_names, metric_spec, metric_specs
from referenceless_metrics.core.support.installation import project_version

PAPERS = {"bleu_neighbors": "after Ethayarajh and Sadigh, 2020"}
SUM = "a sum of n-gram scores after Kann et al., 2018"
UNIT = "0 is the mean of edited prose"
PAPERS["fluency"] = f"{SUM}, those of a small neural network and those of a detector of faults; {UNIT}"
PAPERS["fluency_ngram"] = f"{SUM}; {UNIT}"
PAPERS["quality_estimation"] = "the task of Dušek et al., 2017, with the model that the signature names"


@pytest.mark.parametrize("name", metric_names())
def test_cite_prints_signature_sentence_and_bibtex(name):
    signature, sentence, of_comparisons, *bibtex = done(f"cite --metric {name}").stdout.split("\n\n")
    paper = PAPERS.get(name, "after Kann et al., 2018")
    assert sentence.startswith(f"We scored texts with {metric_spec(name).title} ({paper}), as implemented in ")
    assert sentence.endswith(f"{project_version()}; signature: {signature}.")
    assert "`compare` prints" in of_comparisons
    assert bibtex[0] == metric_spec(name).citation.strip()
    assert "\n  doi = {10." in bibtex[0]
    assert "\n  url = {https://" in bibtex[0]
    assert bibtex[1].startswith("@misc{referenceless-metrics,")
    assert f"version {project_version()}" in bibtex[1]


def test_bibtex_takes_what_cite_prints_without_a_warning(tmp_path):
    if shutil.which("bibtex") is None:
        pytest.skip("no bibtex")
    entries = dict.fromkeys(done(f"cite --metric {name}").stdout for name in ("bleu_neighbors", "fluency"))
    methods = done("cite --methods").stdout
    write(tmp_path / "a.bib", [*list(entries)[:1], *(entry.split("\n\n")[3] for entry in list(entries)[1:]), methods])
    write(tmp_path / "a.aux", [r"\citation{*}", r"\bibdata{a}", r"\bibstyle{plain}"])
    told = subprocess.run(["bibtex", "a"], cwd=tmp_path, capture_output=True, text=True).stdout
    assert "Warning" not in told
    assert "developers" in read(tmp_path / "a.bbl")


def test_metrics_with_references_are_cited_with_the_methods():
    assert "`referenceless cite --methods` prints BibTeX of BLEU, chrF and TER" in typed("cite --metric chrf", 2).err


def test_methods_that_outputs_name_have_an_entry_each():
    told = done("cite --methods").stdout
    tests = ("Approximate randomisation", "Paired bootstrap", "Holm's correction")
    further = ("Student's t", "Intervals on a named scale", "Accuracy with ties", "BLEU, chrF and TER")
    for named in ("Krippendorff's alpha", "Fleiss' kappa", "Cohen's kappa", *tests, *further):
        assert f"% {named}" in told
    entries = re.findall(r"^@\w+{(\S+),\n(.*?)^}", told, re.DOTALL | re.MULTILINE)
    assert len({key for key, _ in entries}) == len(entries) == 16
    for key, fields in entries:
        year, author = re.search(r"year = {(\d+)}", fields)[1], re.search(r"author = {(\w+)", fields)[1]
        assert key.startswith(author.lower())
        assert f"-{year}-" in key
    assert "--methods" in done("cite").stdout


@pytest.mark.parametrize("name", ["slor", "fluency_ngram"])
def test_a_comparison_has_the_signature_of_the_metric_inside_its_own(folder, name):
    write("a.txt", ["The cat sat on the mat.", "He go home."] * 5)
    (signature,) = as_json(f"compare a.txt a.txt --metric {name} --n-samples 10")["signatures"].values()
    assert signature.startswith(f"{load_metric(name).signature}|")


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


def test_several_metrics_share_a_sentence_and_each_paper_has_one_entry():
    alone = [done(f"cite --metric {name}").stdout.split("\n\n")[0] for name in ("slor", "wpslor", "fluency")]
    signatures, sentence, _, *bibtex = done("cite --metric slor --metric wpslor --metric fluency").stdout.split("\n\n")
    assert signatures.split("\n") == alone
    assert sentence.startswith(
        "We scored texts with SLOR (after Kann et al., 2018), WPSLOR (after Kann et al., 2018) and "
    )
    assert sentence.endswith(f"; signatures: {'; '.join(alone)}.")
    assert [entry.partition("{")[0] for entry in bibtex] == ["@inproceedings", "@misc"]


def test_a_metric_that_learns_from_no_pool_beside_one_that_does_is_told():
    line = f"cite --metric bleu_neighbors --metric quality_estimation --pool {POOL_FILE}"
    told = "note: quality_estimation does not learn from --pool, and has its packaged model (--model-file FILE"
    assert told in typed(line).err
    assert "--pool" not in typed(f"cite --metric bleu_neighbors --pool {POOL_FILE}").err
    assert "--pool" not in typed("cite --metric quality_estimation").err
