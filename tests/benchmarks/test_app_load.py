"""Forty visitors of a page at once, and three who ask too much of it.

    pytest tests/benchmarks/test_app_load.py --benchmark-only -s

A visitor scores twelve candidates of her own against a pool of 96, looks at another order of the table and at two
candidates' neighbours, and thinks one to three seconds between. Meanwhile others paste 20 MB, a lone surrogate, and a
pool as large as the page takes, again and again.
"""

import random
import threading
import time

import numpy as np
import pytest
from page_visitors import Visitor
from web_pages import serve

from bleu_neighbors_metric.example import example_candidates, example_pool
from metric_commons.app.limits import MOST_CHARACTERS

USERS = 40
ROUNDS = 2
THINKING = (1.0, 3.0)
BAR = 3.0


def pool_lines(most):
    pool = example_pool()
    lines = []
    size = 0
    while size < most:
        for text, rating in zip(pool.texts, pool.ratings, strict=True):
            lines.append(f"{text} {len(lines)}\t{rating}")
            size += len(lines[-1]) + 1
            if size > most:
                return "\n".join(lines[:-1])
    return "\n".join(lines)


def visit(address, seed, taken, failed):
    source = random.Random(seed)
    time.sleep(source.uniform(0, THINKING[1]))
    one = Visitor(address)
    small = pool_lines(8_000)

    def act(elem_id, event="click"):
        begin = time.perf_counter()
        answer = one.act(elem_id, event)
        taken.append(time.perf_counter() - begin)
        if not answer["success"]:
            failed.append(answer["output"])
        time.sleep(source.uniform(*THINKING))
        return answer

    for _ in range(ROUNDS):
        one.fill("texts", "\n".join(f"{text} {source.random():.2f}" for text in example_candidates()))
        one.fill("pool", small)
        act("score")
        for place in source.sample(range(12), 2):
            one.fill("chosen", place)
            act("chosen", "input")


def trouble(address, kind, stop, answers):
    one = Visitor(address)
    one.fill("texts", "\n".join(example_candidates()))
    one.fill("pool", pool_lines(8_000))
    if kind == "paste":
        one.fill("texts", "some text or other\n" * 1_100_000)
    elif kind == "surrogate":
        one.fill("texts", "ha\ud83dlf")
    else:
        one.fill("pool", pool_lines(MOST_CHARACTERS))
    while not stop.is_set():
        begin = time.perf_counter()
        answer = one.act("score")
        answers.append((kind, time.perf_counter() - begin, answer["success"]))
        stop.wait(4)


@pytest.mark.parametrize("troubled", [False, True], ids=["visitors alone", "beside three who ask too much"])
def test_forty_visitors(benchmark, capsys, tmp_path, troubled):
    with serve("bleu_neighbors", tmp_path) as page:
        visit(page.address, 0, [], [])  # compiles what is not yet
        taken = []
        failed = []
        answers = []
        stop = threading.Event()
        kinds = ("paste", "surrogate", "pool") if troubled else ()
        others = [threading.Thread(target=trouble, args=(page.address, kind, stop, answers)) for kind in kinds]
        users = [threading.Thread(target=visit, args=(page.address, n, taken, failed)) for n in range(1, USERS + 1)]

        def run():
            for thread in (*others, *users):
                thread.start()
            for thread in users:
                thread.join()

        benchmark.pedantic(run, rounds=1)
        stop.set()
        for thread in others:
            thread.join()
        log = page.log.read_text()
    p50, p95, most = np.percentile(taken, [50, 95, 100])
    benchmark.extra_info.update(requests=len(taken), p50=p50, p95=p95, longest=most)
    with capsys.disabled():
        print(
            f"\n    {USERS} visitors, {len(taken)} requests: p50 {p50:.2f} s, p95 {p95:.2f} s, longest {most:.2f} s; "
            f"{len(failed)} failed (bar: p95 {BAR:g} s)"
        )
        for kind in kinds:
            own = [seconds for other, seconds, _ in answers if other == kind]
            print(f"    beside them {kind}: {len(own)} requests, the longest {max(own):.1f} s")
    assert not failed
    assert "Traceback" not in log
    assert len(taken) == USERS * ROUNDS * 3
    assert p95 < BAR
