"""Training classes: on a made-up language, and on the packaged corpus on request."""

import pickle
from itertools import product

import numpy as np
import pytest
from command_lines import done
from numpy.random import default_rng
from refusals import refused
from text_files import write

from referenceless_metrics.core.support.validation import InputError
from referenceless_metrics.pages.app.explainer import explainer
from referenceless_papers.training.word_classes import CLASS_FILES, ClassRecipe, cluster, train_class_model
from slor_metric.fluency.metric import Fluency, FluencyNgram
from slor_metric.language_models.classes import WordClasses
from slor_metric.language_models.ngram import NgramLanguageModel

SMALL = ClassRecipe(
    min_count=2, n_frequent=1, n_clusters=5, n_neighbours=12, n_dimensions=4, order=3, prune=(0, 0, 0), max_ngrams=200
)


KINDS = {"noun": ["cat", "dog", "cow"], "verb": ["eats", "sees", "wants"], "adjective": ["old", "red"]}


def sentences():
    rng = default_rng(0)
    frames = ["the noun verb very adjective things", "things verb very adjective noun", "the noun verb the noun"]
    return [
        " ".join(str(rng.choice(KINDS[word])) if word in KINDS else word for word in str(rng.choice(frames)).split())
        for _ in range(500)
    ]


def test_words_of_one_kind_have_one_class(tmp_path):
    report = train_class_model(sentences(), tmp_path, SMALL, progress=False)
    assert set(report["bytes"]) == set(CLASS_FILES) == {path.name for path in tmp_path.iterdir()}
    classes = WordClasses.load(tmp_path / "word_classes.safetensors")
    assert classes.words[0] == "the"
    groups = [{int(classes.classes[classes.ids[word]]) for word in words} for words in KINDS.values()]
    assert [len(group) for group in groups] == [1, 1, 1]  # "things" and "very" have classes of their own
    noun, verb, adjective = (group.pop() for group in groups)
    assert len({0, noun, verb, adjective}) == 4
    model = NgramLanguageModel.load(tmp_path / "class_ngrams.safetensors")
    scored = model.token_logprobs([f"c0 c{noun} c{verb}", f"c{verb} c{noun} c0"])
    assert scored[0].logprobs.sum() > scored[1].logprobs.sum()
    again = train_class_model(sentences(), tmp_path / "again", SMALL, progress=False)
    assert again["ngrams"] == report["ngrams"]
    for name in CLASS_FILES:
        assert (tmp_path / name).read_bytes() == (tmp_path / "again" / name).read_bytes()


@pytest.mark.long
def test_one_command_makes_all_that_fluency_reads(tmp_path):
    words = ["".join(pair) for pair in product("bcdfghklmnprst", ("an", "el", "ör", "os"), "aeiouy", "mp")]
    order = default_rng(0).permutation(len(words) * 12) % len(words)
    lines = [" ".join(["das", words[row[0]], "und", *(words[i] for i in row)]) + " ." for row in order.reshape(-1, 9)]
    corpus, folder = write(tmp_path / "corpus.txt", lines), str(tmp_path / "models")
    done("train fluency --language de", corpus, "-o", folder)
    metric = FluencyNgram(models=folder)
    text = lines[0].removesuffix(" .")
    damaged = text.replace("das", "und", 1).replace(" und ", " das ", 1)
    found = metric.predict([text + ".", damaged + ".", text, "The cat sat on the mat, and it slept."])
    assert found.values[0] > found.values[1]
    assert found.note.tolist()[:3] == ["", "", "no final full stop"]
    assert found.reasons[3] is not None
    assert metric.signature != FluencyNgram().signature
    assert f"The models are those of `{folder}`" in explainer(metric).introduction()
    assert pickle.loads(pickle.dumps(metric)).predict([text]).values == found.values[2]
    with refused("small.safetensors", FileNotFoundError):
        Fluency(models=folder)


def test_a_small_corpus_is_refused(tmp_path):
    with refused("too small for these classes", InputError):
        train_class_model(["a b c"] * 10, tmp_path, progress=False)


def test_an_empty_cluster_starts_anew():
    vectors = np.array([[1, 0], [1, 0], [0, 1], [0, 1]], dtype=np.float32)
    assert len(set(cluster(vectors, np.ones(4), 2, 5).tolist())) == 2
