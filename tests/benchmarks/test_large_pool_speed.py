"""Memory and large pools: a million rated texts.

    pytest tests/benchmarks/test_large_pool_speed.py --benchmark-only

Texts are spliced from two sentences of the corpus of `test_speed`, of 60 to 100 characters; one rating
is 0.0001. Each figure is measured in a process of its own, on one core.
"""

import json
from pathlib import Path

import pytest
from measuring import IMPORT, say, told

pytestmark = pytest.mark.skipif(not Path("/proc/self/smaps_rollup").exists(), reason="reads memory as Linux reports it")

PREAMBLE = """
import json, resource
import numpy as np
from bleu_neighbors_metric import BLEUNeighbors

def spliced(n):
    sentences = english_sentences(50_000)
    rng = random.Random(0)
    seen = dict.fromkeys(sentences)
    while len(seen) < n:
        first, second = rng.choice(sentences).split(), rng.choice(sentences).split()
        cut = rng.randrange(1, len(first) + 1)
        text = " ".join(first[:cut] + second[-max(1, len(second) - cut):])
        if 60 <= len(text) <= 100:
            seen[text] = None
    return list(seen)

def private():
    lines = Path("/proc/self/smaps_rollup").read_text().splitlines()
    return sum(int(line.split()[1]) for line in lines if line.startswith("Private_Dirty:")) / 1024

n, c = {n}, {c}
texts = spliced(n + c)
pool, candidates = texts[:n], texts[n:]
quality = np.random.default_rng(0).random(n)
quality[17] = 1e-4
metric = BLEUNeighbors(progress=False)
metric.fit(pool[:100], quality[:100]).predict(candidates[:10])
"""

ONE_MACHINE = """
begin = time.process_time()
metric.fit(pool, quality)
fitted = time.process_time()
result = metric.predict(candidates)
end = time.process_time()
print(json.dumps({"fit": fitted - begin, "pairs": n * c / (end - fitted) / 1e6,
                  "peak": resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024,
                  "values": [repr(value) for value in result.values.tolist()], "n": result.n_neighbors.tolist()}))
"""


def measured(code):
    return json.loads(told(IMPORT + code).splitlines()[-1])


def test_a_million_rated_texts(benchmark, capsys):
    start = PREAMBLE.format(n=1_000_000, c=4000)
    found = benchmark.pedantic(measured, args=(start + ONE_MACHINE,), rounds=1)
    say(
        capsys,
        f"a million texts: {found['fit']:.0f} CPU s to fit, {found['pairs']:.0f} million pairs/s a core, peak "
        f"{found['peak']:.0f} MB",
    )
    assert found["peak"] <= 2560
