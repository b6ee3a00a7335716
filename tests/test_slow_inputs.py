"""One text of a megabyte, of whatever characters: no metric takes more than seconds for it, in time that is linear."""

import time

import pytest

from bleu_neighbors_metric import BLEUNeighbors
from quality_estimation_metric import QualityEstimator
from quality_estimation_metric.example import RATINGS, SOURCES, TEXTS
from slor_metric import ROUGELM, SLOR, WPSLOR, Fluency

SIZE = 10**6
INPUTS = {
    "one letter": "a" * SIZE,
    "many letters": "".join(chr(97 + (i * i * 7 + i // 13) % 26) for i in range(SIZE)),
    "spaces": " " * SIZE,
    "line ends": "\n" * SIZE,
    "combining marks": "e" + "\u0301" * (SIZE // 2),
    "marks between letters": "e\u0323" * (SIZE // 3),
    "one word": "the " * (SIZE // 4),
    "digits": "9" * SIZE,
    "full stops": "." * SIZE,
    "quotation marks": "'\"" * (SIZE // 2),
    "signs": "🙂" * (SIZE // 4),
    "mentions": "@a " * (SIZE // 3),
    "underscores": "_a" * (SIZE // 2),
    "marks of a list": "1. \n" * (SIZE // 4),
    "fences of code": "```\n" * (SIZE // 4),
    "different signs": "".join(chr(0x4E00 + i % 20_000) for i in range(SIZE // 3)),
}


@pytest.fixture(scope="module")
def metrics():
    pool = BLEUNeighbors().fit(TEXTS, RATINGS)
    with_sources = QualityEstimator().fit(TEXTS, RATINGS, sources=SOURCES)
    without = QualityEstimator().fit(TEXTS, RATINGS)
    return {
        "bleu neighbors": lambda text: pool.predict([text]),
        "nearest rated texts": pool.kneighbors,
        "quality estimator": lambda text: with_sources.predict([text], sources=[SOURCES[0]]),
        "quality estimator without sources": lambda text: without.predict([text]),
        "slor": lambda text: SLOR().predict([text]),
        "wpslor": lambda text: WPSLOR().predict([text]),
        "fluency": lambda text: Fluency().predict([text]),
        "rouge-lm": lambda text: ROUGELM().predict([text], references=[["the cat sat"]]),
        "rouge-lm's reference": lambda text: ROUGELM().predict(["the cat sat"], references=[[text]]),
    }


@pytest.mark.long
@pytest.mark.filterwarnings("ignore::UserWarning")
@pytest.mark.parametrize("name", INPUTS)
def test_a_megabyte_in_one_text_takes_a_second_or_two(metrics, name):
    slow = {}
    for metric, use in metrics.items():
        use(INPUTS[name][:2000])  # which compiles what is needed
        start = time.process_time()
        use(INPUTS[name])
        slow[metric] = time.process_time() - start
    assert {metric: seconds for metric, seconds in slow.items() if seconds > 2.5} == {}
