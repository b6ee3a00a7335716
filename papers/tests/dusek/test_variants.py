"""Variants of the network, and word vectors from plain text."""

import lzma

import numpy as np
import pytest
from lazily import lazily

from referenceless_papers.dusek.word_vectors import word_vectors

torch = lazily("torch")
variants = lazily("referenceless_papers.dusek.variants")


def test_classifiers_estimate_the_expected_rating():
    sure = torch.full((1, 11), -50.0)
    sure[0, 4] = 50.0
    assert variants.rating_of(sure, "independent").tolist() == pytest.approx([3.0])
    assert variants.rating_of(torch.tensor([[50.0] * 4 + [-50.0] * 6]), "ordered").tolist() == pytest.approx([3.0])
    for kind, right in (("independent", sure), ("ordered", torch.tensor([[50.0] * 4 + [-50.0] * 6]))):
        losses = [float(variants.loss_of(right, torch.tensor([rating]), kind)) for rating in (3.0, 3.5)]
        assert losses[0] == pytest.approx(0.0, abs=1e-6)
        assert losses[1] > 1.0


def test_words_in_like_places_have_like_vectors(tmp_path):
    (tmp_path / "lm-corpus").mkdir()
    lines = [f"the {animal} {verb} here" for animal in ("cat", "dog") for verb in ("sat", "slept", "ran")] * 5
    lines += [f"{number} {sign} {number} makes much" for number in ("one", "two") for sign in ("plus", "minus")] * 5
    with lzma.open(tmp_path / "lm-corpus" / "english.txt.xz", "wt", encoding="utf-8") as file:
        file.write("\n".join(lines) + "\n")
    vectors = word_vectors(tmp_path, 4)(["cat", "dog", "plus", "unheard"])
    cat, dog, plus, unheard = vectors / np.linalg.norm(vectors, axis=1, keepdims=True)
    assert cat @ dog > 0.9 > cat @ plus + 0.5
    assert np.isnan(unheard).all()
