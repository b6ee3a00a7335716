"""The command `score`, killed at twenty random moments and gone on with: the bytes of an unbroken run.

    pytest tests/benchmarks/test_kill_and_resume.py --benchmark-only

One kill in five comes at a moment of the command's first three seconds, the others some time after it has written
more, so that they meet its reading, its writing and its journal. Of the twenty runs, five at least must have gone on
from a record and got to a later one, so that what is tested is going on and not starting anew.
"""

import itertools
import json
import os
import random
import signal
import subprocess
import sys
import time

import pytest
from text_files import ROOT, write

KILLS = 20
SCORE = [sys.executable, "-m", "referenceless_metrics", "score"]


def lines(n):
    source = random.Random(2)
    words = ["".join(source.choices("etaoinshrdlu", k=source.randint(2, 9))) for _ in range(5_000)]
    return [" ".join(source.choices(words, k=12)) for _ in range(n)]


def recorded(journal):
    """Return how many texts the journal knows of, and how many bytes of the output are good."""
    found = json.loads(journal.read_text()) if journal.exists() else {"summary": {"n": 0}, "written": 0}
    return found["summary"]["n"], found["written"]


def changed(partial):
    """Return when an output was written last."""
    return partial.stat().st_mtime_ns if partial.exists() else 0


def size(partial):
    """Return how large an output is, in bytes."""
    return partial.stat().st_size if partial.exists() else 0


@pytest.mark.benchmark(group="scale: kill -9")
@pytest.mark.parametrize(
    "metric, format, n, longest",
    [
        ("wpslor", "csv", 800_000, 2.0),
        ("wpslor", "jsonl", 800_000, 2.0),
        ("wpslor", "parquet", 1_500_000, 0.6),
        ("bleu_neighbors", "csv", 1_000_000, 1.6),
        ("bleu_neighbors", "jsonl", 1_000_000, 1.6),
        ("bleu_neighbors", "parquet", 2_000_000, 1.0),
    ],
)
def test_twenty_kills(benchmark, capsys, tmp_path, metric, format, n, longest):
    texts = lines(n + 2_000)
    write(tmp_path / "in.txt", texts[:n])
    options = ["--metric", metric, "--format", format, "--no-progress"]
    if metric == "bleu_neighbors":
        from bleu_neighbors_metric import BLEUNeighbors

        BLEUNeighbors(progress=False).fit(texts[n:], [i / 2_000 for i in range(2_000)]).save(tmp_path / "pool.index")
        options += ["--pool", str(tmp_path / "pool.index")]
    command = [*SCORE, str(tmp_path / "in.txt"), *options]
    settings = {**os.environ, "PYTHONPATH": str(ROOT), "OMP_NUM_THREADS": "1"}
    whole, out = tmp_path / f"whole.{format}", tmp_path / f"out.{format}"
    journal, partial = tmp_path / f"out.{format}.journal", tmp_path / f"out.{format}.partial"
    subprocess.run([*command, "-o", str(whole)], env=settings, check=True, capture_output=True)
    source, reached = random.Random(7), []

    def kill_and_go_on():
        for kill in range(KILLS):
            before, (_, good) = changed(partial), recorded(journal)
            with subprocess.Popen([*command, "-o", str(out), "--resume"], env=settings, stderr=subprocess.PIPE) as run:
                if kill % 5:
                    while (changed(partial) == before or size(partial) <= good) and run.poll() is None:
                        time.sleep(0.005)
                time.sleep(source.uniform(0, longest if kill % 5 else 3.0))
                over = run.poll()
                os.kill(run.pid, signal.SIGKILL)
                assert over is None, "it came to its end before all kills"
            reached.append(recorded(journal)[0])
        subprocess.run([*command, "-o", str(out), "--resume"], env=settings, check=True, capture_output=True)

    benchmark.pedantic(kill_and_go_on, rounds=1)
    with capsys.disabled():
        print(f"\n    {metric}, {format}: texts in the journal after each of {KILLS} kills: {reached}")
    assert out.read_bytes() == whole.read_bytes()
    assert {path.name for path in tmp_path.glob("*out*")} == {out.name}
    assert sum(later > earlier > 0 for earlier, later in itertools.pairwise(reached)) >= KILLS // 4
