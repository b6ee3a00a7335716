"""Finding a language model by name, path or object."""

import pytest
from numpy.testing import assert_allclose
from refusals import refused

from slor_metric import SLOR
from slor_metric.language_models import load_language_model, load_unigram_model
from slor_metric.language_models.base import packaged_file
from slor_metric.language_models.classes import packaged_class_model
from slor_metric.language_models.lstm.model import SmallLanguageModel, load_small
from slor_metric.language_models.ngram import NgramLanguageModel, packaged, train_ngram
from slor_metric.language_models.unigram import UnigramTable
from tests.support.small_metrics import Bare

CORPUS = ["the cat sat on the mat .", "the dog sat on the rug .", "a cat saw the dog ."] * 3


def test_an_object_is_taken_as_it_is():
    model = Bare()
    assert load_language_model(model) is model
    with refused(r"by name or path.*device", TypeError):
        load_language_model(model, device="cpu")


@pytest.mark.parametrize("lm", [None, 3, Bare, b"x", "", object()])
def test_what_is_no_language_model(lm):
    with refused(r"`lm`.*name, a path or an object", TypeError):
        load_language_model(lm)


def test_ngram_models_and_arpa_files(tmp_path):
    model = train_ngram(CORPUS, tmp_path / "lm.npz", order=2, tokenizer="whitespace", progress=False)
    model.to_arpa(tmp_path / "lm.arpa")
    (tmp_path / "lm").write_bytes((tmp_path / "lm.arpa").read_bytes())  # known by its content
    scores = model.token_logprobs(["the cat sat"])[0].logprobs
    for lm in (tmp_path / "lm.npz", str(tmp_path / "lm.npz"), f"ngram:{tmp_path / 'lm.npz'}"):
        assert load_language_model(lm).signature == model.signature
    for lm in (tmp_path / "lm.arpa", str(tmp_path / "lm"), f"arpa:{tmp_path / 'lm.arpa'}"):
        found = load_language_model(lm)
        assert_allclose(found.token_logprobs(["the cat sat"])[0].logprobs, scores, atol=1e-4)


@pytest.mark.parametrize(
    "name, content, message",
    [
        ("lm.npz", b"", "lm.npz"),
        ("lm", b"", "content is none that is known"),
        ("lm.npz", b"PK\x03\x04 and no more", "holds an n-gram model"),
        ("lm.bin", b"\x7fELF", "content is none that is known"),
        ("lm.arpa", b"nothing of the kind\n", "ARPA"),
        ("lm.binary", b"mmap lm http://kheafield.com/code format version 5", "give the ARPA file"),
    ],
)
def test_foreign_and_damaged_files(tmp_path, name, content, message):
    (tmp_path / name).write_bytes(content)
    with refused(message) as raised:
        load_language_model(tmp_path / name)
    assert name in str(raised.value)
    with refused(r"lm\.binary is a kenlm binary.*give the ARPA file"):
        load_language_model("kenlm:lm.binary")


def test_paths_where_there_is_nothing(tmp_path):
    for lm in (tmp_path / "none.npz", str(tmp_path / "none"), "./none", "none.arpa", "~/none"):
        with refused("none", FileNotFoundError):
            load_language_model(lm)
    with refused(r"folder.*neither lstm\.safetensors nor config\.json"):
        load_language_model(tmp_path)


def test_default_is_no_model_as_every_metric_has_its_own():
    with refused("default of its own: name one of the packaged models, 'wordpiece' or 'word'"):
        load_language_model("default")


def test_unigram_models(tmp_path):
    table = UnigramTable(["a"], [1], tokenizer="words")
    table.save(tmp_path / "unigram.npz")
    assert load_unigram_model(table, Bare()) is table
    assert load_unigram_model(tmp_path / "unigram.npz", Bare()).signature == table.signature
    with refused(r"`unigram`.*Bare.*train unigram"):
        load_unigram_model(None, Bare())
    with refused(r"`unigram`.*int 3", TypeError):
        load_unigram_model(3, Bare())


def test_a_unigram_model_of_another_tokenisation():
    model = train_ngram(CORPUS, order=2, tokenizer="whitespace", progress=False)
    assert load_unigram_model(None, model) is model.unigram
    other = UnigramTable(["a"], [1], tokenizer="words")
    with refused(r"'whitespace'.*'words'"):
        load_unigram_model(other, model)
    unnamed = UnigramTable(["a"], [1])
    assert load_unigram_model(unnamed, model) is unnamed


def test_the_packaged_small_model_is_loaded_once():
    lm = load_language_model("small")
    assert load_language_model("small") is lm is SLOR("small").language_model
    assert packaged_file("small.safetensors").stat().st_size <= 16_000_000


def test_packaged_files_are_whole():
    """They are loaded without a look at their digest and numbers, which takes as long as all else."""
    for name, model in (
        ("word", packaged("word")),
        ("wordpiece", packaged()),
        ("class_ngrams", packaged_class_model()),
    ):
        checked = NgramLanguageModel.load(packaged_file(f"{name}.safetensors"))
        assert checked.signature == model.signature
    assert SmallLanguageModel.load(packaged_file("small.safetensors")).signature == load_small().signature
