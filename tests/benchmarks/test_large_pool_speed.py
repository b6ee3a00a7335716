"""Memory and large pools: a million rated texts.

    pytest tests/benchmarks/test_large_pool_speed.py --benchmark-only

Texts are spliced from two sentences of the corpus of `test_speed`, of 60 to 100 characters, in a process of its own,
on one core.
"""

import json

from measuring import IMPORT, say, told

PROGRAM = """
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

n, c = 1_000_000, 4_000
texts = spliced(n + c)
pool, candidates = texts[:n], texts[n:]
ratings = np.random.default_rng(0).random(n)
metric = BLEUNeighbors(progress=False)
metric.fit(pool[:100], ratings[:100]).predict(candidates[:10])
begin = time.process_time()
metric.fit(pool, ratings)
fitted = time.process_time()
metric.predict(candidates)
end = time.process_time()
print(json.dumps({"fit": fitted - begin, "pairs": n * c / (end - fitted) / 1e6,
                  "peak": resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024}))
"""


def test_a_million_rated_texts(benchmark, capsys):
    found = json.loads(benchmark.pedantic(told, (IMPORT + PROGRAM,), rounds=1))
    say(
        capsys,
        f"a million texts: {found['fit']:.0f} CPU s to fit, {found['pairs']:.0f} million pairs/s a core, peak "
        f"{found['peak']:.0f} MB",
    )
    assert found["peak"] <= 2560
