"""The examples of the data sets' cards, on small files in the formats of the sources."""

from documents import run_examples
from text_files import write

from referenceless_metrics.frameworks.hub.cards import card_path


def test_huse(huse_folder):
    assert run_examples(card_path("datasets", "huse"), source=str(huse_folder(task="summarization"))) == 7


def test_asap_sas(asap_folder):
    assert run_examples(card_path("datasets", "asap_sas"), source=str(asap_folder())) == 4


def test_nlg_ratings(tmp_path):
    rows = "dataset,system,mr,sys_ref,informativeness,naturalness,quality\nSFHOT,LOLS,hello(),hi,6,5,4\n"
    write(tmp_path / "emnlp_data_medians.csv", rows)
    assert run_examples(card_path("datasets", "nlg_ratings"), source=str(tmp_path)) == 5
