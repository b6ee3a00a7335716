"""Time grows in proportion to the text: no kind of text makes any public call quadratic.

Processor time says so on a machine that others use, too. Each pair of a kind and a call has sizes of its own, which
take some milliseconds. The time of a text of next to no length is taken off, so that it hides no slope. A pair that is
too steep is tried again, twice as large and twice as often each time, beside plain English that takes about as long.
Memory beyond the processor's caches makes both steeper: `BLEUNeighbors.fit` takes up to twice the time a character
there, and its instructions, as valgrind counts them, have a slope of 1.02. A quadratic call makes one of them steeper.
Memory is kept for the next call: pages that the system has to give anew would be a step, and no slope.
"""

import contextlib
import ctypes
import math
import os
import time

import pytest
from kinds_of_text import KINDS

from bleu_neighbors_metric import BLEUNeighbors
from bleu_neighbors_metric.estimator import LONGEST_RATED
from bleu_neighbors_metric.explain import highlight
from quality_estimation_metric import QualityEstimator
from quality_estimation_metric.estimator import LONGEST
from quality_estimation_metric.example import RATINGS, SOURCES, TEXTS
from slor_metric import ROUGELM, SLOR, WPSLOR, Fluency, FluencyNgram
from slor_metric.contributions import token_contributions
from slor_metric.fluency.faults import likeliest_fault
from slor_metric.rouge.rouge_lm import rouge_l_mult

#: Largest slope of ln seconds by ln characters; 1 is proportional, 2 quadratic.
STEEPEST = 1.15
#: Largest slope of calls whose name begins so: the tables of a pool, which a longer text makes larger, lie in memory
#: further from the processor, so that a character takes up to half as long again, and no more instructions.
STEEPEST_OF = {"BLEUNeighbors.fit": 1.25}
#: Largest slope of plain English, which no other kind excuses: time by the root of the length, too, would give 1.5.
STEEPEST_OF_ENGLISH = 1.45
#: Seconds that a text takes at least, beyond those of a text of next to no length, and times those.
LEAST_SECONDS = 0.02
LEAST_MULTIPLE = 3
#: Seconds of the shorter text, times those of a text of next to no length, from which on these are taken off: below it,
#: what is left would be noise. Sizes grow until it is reached; a call that reads too little for it takes little, too.
LEAST_EXCESS = 1.3
#: Seconds that a character takes at least where slopes count: quicker calls are tried on longer texts. Of the quickest,
#: copies of the text take most of the time, and depend on caches.
LEAST_SECONDS_A_CHARACTER = 25e-9
#: Ratio of a text's length to that of its part, with which it is compared.
FACTOR = 8
#: Number of further tries of a steep pair, and of timings in the first of them; each later one has twice as many.
RETRIES, ROUNDS = 5, 3
#: Most characters that are tried, and that calls read whose name begins so; ends of a kind may add some.
MOST = 4_096_000
MOST_OF = {
    "QualityEstimator.fit": LONGEST - 100,
    "QualityEstimator": LONGEST - 100,
    "BLEUNeighbors.fit": LONGEST_RATED - 100,
}

#: Options of glibc's `mallopt`.
M_MMAP_THRESHOLD, M_TRIM_THRESHOLD = -3, -1

#: Kinds that were quadratic, or looked like it; tried in the suite, all others in the long run.
WORST = [
    "marks of two classes",
    "marks of three classes",
    "marks that fall apart into two",
    "half-width marks",
    "full stops without spaces",
    "items of a list",
    "mentions",
    "opening brackets",
    "unclosed images",
    "one long word",
    "unknown words",
]


@pytest.fixture(scope="module")
def kept_memory():
    """Let the allocator keep what is freed, where it can be told so."""
    set_option = getattr(ctypes.CDLL(None), "mallopt", None) if os.name == "posix" else None
    if set_option is not None:
        for option in (M_MMAP_THRESHOLD, M_TRIM_THRESHOLD):
            set_option(option, 1 << 30)


@pytest.fixture(scope="module")
def calls(kept_memory):
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


def most_characters(name):
    return next((most for begin, most in MOST_OF.items() if name.startswith(begin)), MOST)


def steepest(name):
    return next((slope for begin, slope in STEEPEST_OF.items() if name.startswith(begin)), STEEPEST)


def steepness(size, none, short, long):
    """Return the slope between two times, beyond that of no text; 0 if the longer one tells of the machine alone.

    Args:
        size: number of characters of the longer text.
        none: seconds that a text of next to no length takes.
        short: seconds of a text of an eighth of the characters.
        long: seconds of the longer text.
    """
    base = none if short > LEAST_EXCESS * none else 0.0
    least = max(LEAST_SECONDS / 3, size * LEAST_SECONDS_A_CHARACTER)
    return 0.0 if long - base < least else math.log((long - base) / (short - base), FACTOR)


def first_slope(call, make, most):
    """Time sizes twice as large each until one takes long enough, and return it with the slope from an eighth of it."""
    none = seconds(call, make(10))
    sizes = [most >> halvings for halvings in range(12, -1, -1) if most >> halvings > 1000]
    times = []
    for size in sizes:
        times.append(seconds(call, make(size)))
        least = max(LEAST_SECONDS, LEAST_MULTIPLE * none, size * LEAST_SECONDS_A_CHARACTER)
        if len(times) > 3 and times[-1] > least and times[-4] > LEAST_EXCESS * none:
            break
    return size, steepness(size, none, times[-4], times[-1])


def slopes(call, n_rounds, *texts):
    """Return the slope of each text, given as a function and a size: by the least of several times, taken in turn."""
    given = [make(characters) for make, size in texts for characters in (10, size // FACTOR, size)]
    times = zip(*([seconds(call, text) for text in given] for _ in range(n_rounds)), strict=True)
    least = iter([min(of_text) for of_text in times])
    of_texts = zip(texts, least, least, least, strict=True)
    return [steepness(size, *of_text) for (_, size), *of_text in of_texts]


def excess(name, call, kind):
    """Return the least slope of a kind in several tries; again, less English's excess over 1 in the same minute."""
    make, most = KINDS[kind], most_characters(name)
    size, found = first_slope(call, make, most)
    english, of_english = KINDS["English"], 0
    for retry in range(RETRIES):
        if found <= steepest(name):
            break
        of_english = min(2 * of_english, most) or first_slope(call, english, most)[0]
        of_kind, of_words = slopes(call, ROUNDS << retry, (make, size), (english, of_english))
        found = min(found, of_kind - min(max(of_words, 1), STEEPEST_OF_ENGLISH) + 1)
        size = min(2 * size, most)
    return found


@pytest.mark.long
@pytest.mark.filterwarnings("ignore::UserWarning")
@pytest.mark.parametrize("kind", KINDS)
def test_time_is_proportional_to_the_text(calls, kind):
    found = {name: excess(name, call, kind) for name, call in calls.items()}
    assert {name: steep for name, steep in found.items() if steep > steepest(name)} == {}


@pytest.mark.long
@pytest.mark.filterwarnings("ignore::UserWarning")
def test_no_call_is_quadratic_in_plain_english(calls):
    english = KINDS["English"]
    for name, call in calls.items():
        size, found = first_slope(call, english, most_characters(name))
        while found > STEEPEST_OF_ENGLISH and size < most_characters(name):
            found, size = slopes(call, ROUNDS, (english, size))[0], 2 * size
        assert found <= STEEPEST_OF_ENGLISH, name


@pytest.mark.filterwarnings("ignore::UserWarning")
@pytest.mark.parametrize("kind", WORST)
@pytest.mark.parametrize("name", ["FluencyNgram", "WPSLOR", "QualityEstimator.predict"])
def test_the_worst_kinds_are_not_quadratic(calls, kind, name):
    short, long = (min(seconds(calls[name], KINDS[kind](size)) for _ in range(2)) for size in (4_000, 16_000))
    assert long < 8 * short + 0.1  # 4 times as long is proportional, 16 times quadratic
