"""A pool and a language model small enough to check by hand, for the adapters of other frameworks."""

import numpy as np

from bleu_neighbors_metric.estimator import BLEUNeighbors
from slor_metric.estimator import ROUGELM, SLOR
from slor_metric.language_models.base import TokenLogprobs

POOL = ["the cat sat on the mat", "the cat sat on a mat", "cat the on mat sat sat", "mat mat mat"]
RATINGS = [0.9, 0.8, 0.2, 0.0]
PARAMETERS = {"min_neighbors": 1, "max_fraction": 1.0}
CANDIDATES = ["a cat sat on the mat", "colourless green ideas", "", "mat mat", "the cat sat", "cat the on mat"]


class LengthModel:
    """ln p(word) = −its length, ln p_u = −5: SLOR is 5 minus the mean length of the words."""

    signature = "length-1"

    def token_logprobs(self, texts):
        return [
            TokenLogprobs(tuple(text.split()), np.array([-float(len(word)) for word in text.split()])) for text in texts
        ]

    @property
    def unigram(self):
        return self

    def logprobs(self, pieces):
        return np.full(len(pieces), -5.0)


class Bare:
    """`LengthModel` without its unigram model."""

    signature = "bare"
    token_logprobs = LengthModel.token_logprobs


FITTED = BLEUNeighbors(**PARAMETERS).fit(POOL, RATINGS)
ESTIMATES = FITTED.predict(CANDIDATES)
FLUENCY = SLOR(LengthModel())
STATISTICS = {"rouge_l_mean": 0.5, "rouge_l_std": 0.2, "wpslor_mean": 1.0, "wpslor_std": 2.0}
ROUGE_LM = ROUGELM(LengthModel(), statistics=STATISTICS)
REFERENCES = [text[::-1] for text in CANDIDATES]

#: Arguments with which a module of BLEU Neighbors is loaded: a pool by which an estimate is 0.75.
SMALL_POOL = {
    "rated_texts": ["the cat sat on the mat", "a cat sat on a mat"] * 3,
    "ratings": [0.5, 1.0] * 3,
    "preset": "published",
    **PARAMETERS,
}
