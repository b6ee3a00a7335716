"""How every metric of fluency agrees with people, on all data: the figures that the cards state.

    pytest tests/benchmarks/test_fluency_agreement.py --benchmark-only -s

takes a quarter of an hour of two cores: SmolLM2 reads 9,000 texts. Without its weights only the packaged models are
measured.
"""

from __future__ import annotations

import warnings
from typing import Any

import numpy as np
import pytest

from slor_metric import SLOR, WPSLOR, Fluency
from slor_metric.language_models.base import TokenLogprobs
from slor_metric.language_models.hf.smollm2 import load_smollm2
from slor_metric.language_models.prose import ForeignTextWarning
from tests.support import rated_sentences as rated


class Remembered:
    """A language model that reads each text once."""

    def __init__(self, model: Any) -> None:
        self.model = model
        self.unigram, self.signature = model.unigram, model.signature
        self.found: dict[str, TokenLogprobs] = {}

    def token_logprobs(self, texts):
        new = [text for text in dict.fromkeys(texts) if text not in self.found]
        self.found.update(zip(new, self.model.token_logprobs(new), strict=True))
        return [self.found[text] for text in texts]


def metrics():
    found = {"Fluency": Fluency(), "Fluency, ngram": Fluency("ngram"), "SLOR": SLOR(), "WPSLOR": WPSLOR()}
    try:
        model = Remembered(load_smollm2())
    except ImportError:
        return found
    both = Fluency("smollm2")
    both._reader.neural.model = model
    return found | {
        "Fluency, smollm2": both,
        "SLOR, smollm2": SLOR(model),
        "PenLP, smollm2": SLOR(model, measure="penlp"),
    }


@pytest.mark.benchmark
def test_agreement_with_people(benchmark, data_dir):
    sets = {
        "GUG train + dev": rated.gug(data_dir, "train", "dev"),
        "GUG test": rated.gug(data_dir, "test"),
        "Simplicity-DA fluency": rated.simplicity_da(data_dir),
        "nlg-ratings naturalness": rated.nlg_naturalness(data_dir),
        "WebNLG 2020 fluency": rated.webnlg_fluency(data_dir),
        "USR naturalness": rated.usr_naturalness(data_dir),
        "HUSE typicality": rated.huse_typicality(data_dir),
    }
    measured = {}

    def measure():
        for name, metric in metrics().items():
            for texts, ratings in sets.values():
                measured.setdefault(name, []).append(rated.correlation(metric.score(texts).values, ratings))

    with warnings.catch_warnings():
        warnings.simplefilter("error", ForeignTextWarning)
        benchmark.pedantic(measure, rounds=1)
    lengths = [rated.correlation(-np.array([len(t.split()) for t in texts]), r) for texts, r in sets.values()]
    print("\n| | " + " | ".join(f"{name} ({len(texts)})" for name, (texts, _) in sets.items()) + " |")
    for name, row in {**measured, "shortness": lengths}.items():
        print(f"| {name} | " + " | ".join(f"{r:.3f}" for r in row) + " |")
    if "PenLP, smollm2" in measured:
        assert measured["PenLP, smollm2"][1] >= 0.59
        assert measured["Fluency, smollm2"][1] >= 0.59
