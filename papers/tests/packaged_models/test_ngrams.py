"""The packaged n-gram models are made by their recipes."""

import json
import os
from pathlib import Path

import pytest
from command_lines import typed
from refusals import refused
from text_files import write

from referenceless_papers.packaged_models.ngrams import train_packaged
from referenceless_papers.training.word_classes import CLASS_FILES, NGRAMS
from slor_metric.language_models.base import packaged_file
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


def test_shipped_files_are_reproduced_bit_for_bit(data_dir, tmp_path):
    if not os.environ.get("REPRODUCE_PACKAGED"):
        pytest.skip("takes minutes and 9 GB: set REPRODUCE_PACKAGED=1 to train the packaged models anew")
    files = (data_dir("lm-corpus") / f"{name}.txt.xz" for name in ("english", "english-2"))
    corpus = " ".join(f"--corpus {file}" for file in files)
    done = typed(f"reproduce packaged-models {corpus} -o {tmp_path}")
    assert set(json.loads(done.out)) == {*PACKAGED, "classes"}
    for file in (*(f"{name}.safetensors" for name in PACKAGED), *CLASS_FILES):
        assert (tmp_path / file).read_bytes() == packaged_file(file).read_bytes(), file
