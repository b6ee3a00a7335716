"""Time grows in proportion to the text: no kind of text makes any public call quadratic."""

import contextlib
import math
import time

import numpy as np
import pytest
from kinds_of_text import KINDS

from bleu_neighbors_metric import BLEUNeighbors
from bleu_neighbors_metric.explain import highlight
from quality_estimation_metric import QualityEstimator
from quality_estimation_metric.example import RATINGS, SOURCES, TEXTS
from slor_metric import ROUGELM, SLOR, WPSLOR, Fluency, FluencyNgram
from slor_metric.contributions import token_contributions
from slor_metric.fluency.faults import likeliest_fault
from slor_metric.rouge.rouge_lm import rouge_l_mult

#: Largest slope of ln seconds by ln characters; 1 is proportional, 2 quadratic.
STEEPEST = 1.15
#: Shorter times say how busy the machine is.
LEAST_SECONDS = 0.1

#: Kinds that were quadratic, or looked like it; tried in the suite, all others in the long run.
WORST = [
    "marks of two classes",
    "marks of three classes",
    "marks that fall apart into two",
    "half-width marks",
    "full stops without spaces",
    "full stops",
    "mentions",
    "opening brackets",
    "one long word",
    "unknown words",
]


@pytest.fixture(scope="module")
def calls():
    """Public calls that read a text."""
    pool = BLEUNeighbors().fit(TEXTS, RATINGS)
    with_sources = QualityEstimator().fit(TEXTS, RATINGS, sources=SOURCES)
    without = QualityEstimator().fit(TEXTS, RATINGS)
    slor, wpslor, rouge_lm, ngram, small = SLOR(), WPSLOR(), ROUGELM(), FluencyNgram(), Fluency()
    return {
        "BLEUNeighbors.fit": lambda text: BLEUNeighbors(0.08).fit([text, *TEXTS], [1.0, *RATINGS]),
        "BLEUNeighbors.fit of words": lambda text: BLEUNeighbors(0.08, tokenize="13a").fit(
            [text, *TEXTS], [1, *RATINGS]
        ),
        "BLEUNeighbors.predict": lambda text: pool.predict([text]),
        "BLEUNeighbors.kneighbors": pool.kneighbors,
        "highlight": lambda text: highlight(text, TEXTS[:3], tokenizer="char", order=4),
        "QualityEstimator.fit": lambda text: QualityEstimator().fit([text, *TEXTS], [1.0, *RATINGS]),
        "QualityEstimator.predict": lambda text: without.predict([text]),
        "QualityEstimator.predict with sources": lambda text: with_sources.predict([text], sources=[SOURCES[0]]),
        "a source": lambda text: with_sources.predict([TEXTS[0]], sources=[text]),
        "QualityEstimator.explain": without.explain,
        "SLOR": lambda text: slor.predict([text]),
        "WPSLOR": lambda text: wpslor.predict([text]),
        "ROUGELM": lambda text: rouge_lm.predict([text], references=[["the cat sat"]]),
        "a reference of ROUGELM": lambda text: rouge_lm.predict(["the cat sat"], references=[[text]]),
        "rouge_l_mult with stems": lambda text: rouge_l_mult([text], [["the cat sat"]], stem=True),
        "FluencyNgram": lambda text: ngram.predict([text]),
        "Fluency": lambda text: small.predict([text]),
        "Fluency.contributions": lambda text: ngram.contributions([text]),
        "token_contributions": lambda text: token_contributions(wpslor, [text]),
        "likeliest_fault": lambda text: likeliest_fault(ngram, text),
    }


def seconds(call, text):
    """Processor time of a call; a text that is refused is refused in time, too."""
    begin = time.process_time()
    with contextlib.suppress(ValueError):
        call(text)
    return time.process_time() - begin


def slope(call, make, sizes, tries):
    """The least slope of several tries: what else the machine does makes single ones steeper."""
    slopes = []
    for _ in range(tries):
        times = [max(seconds(call, make(size)), 1e-6) for size in sizes]
        if times[-1] < LEAST_SECONDS:
            return 0.0
        slopes.append(float(np.polyfit(np.log(sizes), np.log(times), 1)[0]))
        if slopes[-1] <= STEEPEST:
            break
    return min(slopes, default=math.nan)


def too_steep(calls, kind, sizes, tries):
    found = {name: slope(call, KINDS[kind], sizes, tries) for name, call in calls.items()}
    return {name: steep for name, steep in found.items() if steep > STEEPEST}


@pytest.mark.long
@pytest.mark.filterwarnings("ignore::UserWarning")
@pytest.mark.parametrize("kind", KINDS)
def test_time_is_proportional_to_the_text(calls, kind):
    assert too_steep(calls, kind, (32_000, 64_000, 128_000), tries=5) == {}


@pytest.mark.filterwarnings("ignore::UserWarning")
@pytest.mark.parametrize("kind", WORST)
@pytest.mark.parametrize("name", ["FluencyNgram", "Fluency.contributions", "WPSLOR", "QualityEstimator.predict"])
def test_the_worst_kinds_are_not_quadratic(calls, kind, name):
    short, long = (min(seconds(calls[name], KINDS[kind](size)) for _ in range(3)) for size in (4_000, 16_000))
    assert long < 8 * short + 0.1  # 4 times as long is proportional, 16 times quadratic
