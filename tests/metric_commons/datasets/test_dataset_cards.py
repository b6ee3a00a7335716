"""The examples of the data sets' cards, on small files in the formats of the sources."""

from documents import run_examples
from text_files import read, write

from metric_commons.datasets import export
from metric_commons.hub.modules import card_path


def test_huse(huse_folder, tmp_path, monkeypatch):
    source = huse_folder(task="summarization")
    configs = ["summarization", "summarization_judgements"]
    folder = export("huse", configs, tmp_path / "export", data_dir=source)
    assert run_examples(card_path("datasets", "huse"), folder=str(folder), source=str(source)) == 8


def test_asap_sas(asap_folder):
    assert run_examples(card_path("datasets", "asap_sas"), source=str(asap_folder())) == 4


def test_nlg_ratings(tmp_path):
    rows = "dataset,system,mr,sys_ref,informativeness,naturalness,quality\nSFHOT,LOLS,hello(),hi,6,5,4\n"
    write(tmp_path / "emnlp_data_medians.csv", rows)
    assert run_examples(card_path("datasets", "nlg_ratings"), source=str(tmp_path)) == 5


def test_the_exported_card_has_the_same_body(huse_folder, tmp_path):
    folder = export("huse", "summarization", tmp_path / "export", data_dir=huse_folder(task="summarization"))
    body = read(card_path("datasets", "huse")).split("---\n", 2)[2]
    assert read(folder / "README.md").endswith(body)
