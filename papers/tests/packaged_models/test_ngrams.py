"""The packaged n-gram models are made by their recipes."""

from pathlib import Path

from refusals import refused
from text_files import write

from referenceless_papers.packaged_models.ngrams import train_packaged
from referenceless_papers.training.word_classes import NGRAMS
from slor_metric.language_models.ngram import PACKAGED, NgramLanguageModel, packaged

LINES = ["The cat sat on the mat.", "", "the dog sat", "   ", "The cat ran, didn't it?"]


def test_train_packaged_on_a_small_corpus(tmp_path, monkeypatch):
    small = {
        "wordpiece": {"vocab_size": 60, "order": 3, "prune": (0, 0, 1), "max_ngrams": 100},
        "word": {"vocab_size": 10, "order": 3, "prune": (0, 0, 1), "max_ngrams": 50},
    }
    for name, options in small.items():
        monkeypatch.setitem(NGRAMS, name, NGRAMS[name] | options)
    corpus = tmp_path / "corpus.txt"
    write(corpus, "\n".join(LINES * 100))
    report = train_packaged(corpus, tmp_path / "models")
    for name in PACKAGED:
        model = NgramLanguageModel.load(report[name]["file"])
        assert report[name]["ngrams"] == list(model.trie.sizes)
        assert report[name]["bytes"] == Path(report[name]["file"]).stat().st_size
        assert 1 < report[name]["held_out_perplexity"] < 100
    with refused("too small"):
        train_packaged(LINES, tmp_path / "none")


def test_the_shipped_models_are_those_of_the_recipes():
    assert tuple(NGRAMS) == PACKAGED
    for name, recipe in NGRAMS.items():
        model = packaged(name)
        assert (model.tokenizer_name, model.order) == (recipe["tokenizer"], recipe["order"])
        assert sum(model.trie.sizes[1:]) <= recipe["max_ngrams"]
