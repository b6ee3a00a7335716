"""The constants of docs/scoring_1e8_texts.md: CPU seconds and memory of whole processes, and of Spark beside one.

Figures are CPU seconds (user and system, all threads), which other work on the machine disturbs less than the clock.
The texts are random words of a Zipfian vocabulary, about 80 characters each.
"""

import filecmp
import json
import os
import random
import shutil
import subprocess
import sys
import time
from functools import partial
from pathlib import Path

import numpy as np
import pytest
from text_files import ROOT, write

TEXTS = int(os.environ.get("SCALE_TEXTS", "2000000"))


def texts(n, seed):
    source = random.Random(1)
    words = np.array(["".join(source.choices("etaoinshrdlu", k=source.randint(2, 9))) for _ in range(30_000)], object)
    shares = 1 / np.arange(1, len(words) + 1)
    drawing, drawn = np.random.default_rng(seed), []
    for begin in range(0, n, 100_000):
        size = (min(100_000, n - begin), 12)
        drawn += map(" ".join, words[drawing.choice(len(words), size, p=shares / shares.sum())].tolist())
    return drawn


LAUNCH = """
import os, sys
child = os.posix_spawn(sys.executable, [sys.executable, *sys.argv[1:]], os.environ)
_, status, usage = os.wait4(child, 0)
print(os.waitstatus_to_exitcode(status), usage.ru_utime + usage.ru_stime, usage.ru_maxrss / 1024)
"""


def process(*arguments, user=None, **environment):
    """Run Python, and return its CPU seconds and its peak memory in MB.

    A small process starts it: to Linux, the peak of a process begins with that of the one that it was forked from.
    """
    settings = {**os.environ, "PYTHONPATH": str(ROOT), "OMP_NUM_THREADS": "1", **environment}
    # Elsewhere than here: what is imported is what PYTHONPATH says.
    options = {"env": settings, "stderr": subprocess.DEVNULL, "user": user, "cwd": "/"}
    told = subprocess.run([sys.executable, "-c", LAUNCH, *arguments], stdout=subprocess.PIPE, text=True, **options)
    code, seconds, peak = map(float, told.stdout.splitlines()[-1].split())
    assert code == 0
    return seconds, peak


AT_ONCE = """
import sys
from pathlib import Path
from metric_commons.cli.score import at_once, scored_rows
from metric_commons.files.output import render
from metric_commons.files.text_io import read_text_blocks
from referenceless_metrics import load
source, target, metric = sys.argv[1:4]
table, texts = at_once(read_text_blocks(source))
result = load(metric, **({"pool": sys.argv[4]} if sys.argv[4:] else {})).predict(texts)
Path(target).write_text(render(scored_rows(table, metric, result), {}, "csv"), encoding="utf-8", newline="")
"""


@pytest.mark.benchmark(group="scale: score")
@pytest.mark.parametrize("metric", ["wpslor", "bleu_neighbors"])
def test_memory_does_not_grow_with_the_file(benchmark, tmp_path, metric):
    from bleu_neighbors_metric import BLEUNeighbors

    index = str(tmp_path / "pool.index")
    BLEUNeighbors(progress=False).fit(texts(2_000, 1), np.linspace(0, 1, 2_000)).save(index)
    of_pool = ["--pool", index] if metric == "bleu_neighbors" else []
    source, target, found = str(tmp_path / "in.txt"), str(tmp_path / "out.csv"), {}
    for n in (100_000, 1_000_000):
        write(source, texts(n, 2))
        command = ("-m", "referenceless_metrics", "score", source, "--metric", metric, *of_pool)
        options = ("--format", "csv", "-o", target, "--no-progress")
        run = partial(process, *command, *options)
        found[n] = benchmark.pedantic(run, rounds=1) if n == 1_000_000 else run()
        benchmark.extra_info[f"{n} lines"] = f"{found[n][0]:.1f} CPU s, peak {found[n][1]:.0f} MB"
    (few_cpu, few), (many_cpu, many) = found.values()
    benchmark.extra_info["texts per CPU second"] = round(900_000 / (many_cpu - few_cpu))
    assert many <= few + 20
    whole = str(tmp_path / "whole.csv")
    cpu, peak = process("-c", AT_ONCE, source, whole, metric, *of_pool[1:])
    benchmark.extra_info["the same at once"] = f"{cpu:.1f} CPU s, peak {peak:.0f} MB"
    assert filecmp.cmp(target, whole, shallow=False)


@pytest.mark.benchmark(group="scale: BLEU Neighbors")
@pytest.mark.parametrize("size", [2_000, 20_000])
def test_matching(benchmark, size):
    from bleu_neighbors_metric import BLEUNeighbors

    metric = BLEUNeighbors(progress=False).fit(texts(size, 1), np.linspace(0, 1, size))
    candidates = texts(40_000_000 // size, 2)
    metric.predict(candidates[:10])
    before = time.process_time()
    benchmark.pedantic(metric.predict, (candidates,), rounds=1)
    seconds = time.process_time() - before
    benchmark.extra_info["texts per CPU second"] = round(len(candidates) / seconds)
    benchmark.extra_info["million pairs per CPU second"] = round(len(candidates) * size / seconds / 1e6)


WORKER = """
import json, sys
from referenceless_metrics import BatchScorer
scorer = BatchScorer(**json.loads(sys.argv[1]))
scorer({"text": ["the mayor opened the bridge ."]})
"""


@pytest.mark.benchmark(group="scale: a worker")
@pytest.mark.parametrize("metric", ["bleu_neighbors, 2000", "bleu_neighbors, 20000", "wpslor"])
def test_the_start_of_a_worker(benchmark, tmp_path, metric):
    """From the process's begin to its first value."""
    given, size = {"metric": metric}, 0
    if metric != "wpslor":
        from bleu_neighbors_metric import BLEUNeighbors

        size = int(metric.split()[1])
        given = {"pool": str(tmp_path / "pool.index")}
        BLEUNeighbors(progress=False).fit(texts(size, 1), np.linspace(0, 1, size)).save(given["pool"])
        benchmark.extra_info["index, kB"] = round(Path(given["pool"]).stat().st_size / 1000)
    run = partial(process, "-c", WORKER, json.dumps(given))
    run()
    seconds, peak = benchmark.pedantic(run, rounds=3)
    benchmark.extra_info |= {"CPU s": round(seconds, 2), "peak MB": round(peak)}


PLAIN = """
import sys, pyarrow as pa, pyarrow.parquet as pq
from referenceless_metrics import BatchScorer
source, target, index = sys.argv[1:]
scorer, writer = BatchScorer(pool=index, columns=["n_neighbors"]), None
for batch in pq.ParquetFile(source).iter_batches(10_000):
    scored = scorer({"text": batch.column("text").to_pylist()})
    table = pa.table({"id": batch.column("id"), "text": batch.column("text"), **scored})
    writer = writer or pq.ParquetWriter(target, table.schema)
    writer.write_table(table)
writer.close()
"""
SPARK = """
import os, random, signal, sys, threading, time
from pyspark.sql import SparkSession
from referenceless_metrics.spark import score_column
source, target, index, kill = sys.argv[1:]
builder = SparkSession.builder.master("local[2,4]").config("spark.ui.enabled", "false")
builder = builder.config("spark.sql.files.maxPartitionBytes", os.path.getsize(source) // 16 + 1)
spark = builder.config("spark.sql.files.openCostInBytes", 0).getOrCreate()
spark.sparkContext.setLogLevel("OFF")
def processes():  # this one, the JVM and the Python workers: CPU seconds, with those of children that ended
    found, parents = {}, {}
    for pid in filter(str.isdigit, os.listdir("/proc")):
        try:
            head, _, tail = open(f"/proc/{pid}/stat").read().rpartition(")")
        except OSError:
            continue
        fields, name = tail.split(), head.partition("(")[2]
        parents[int(pid)] = int(fields[1])
        found[int(pid)] = name, sum(map(int, fields[11:13 if name == "java" else 15])) / os.sysconf("SC_CLK_TCK")
    own = {os.getpid()}
    while more := {pid for pid, parent in parents.items() if parent in own} - own:
        own |= more
    return {pid: (*found[pid], parents[pid]) for pid in own}
def cpu():
    of = processes().values()
    return [sum(seconds for name, seconds, _ in of if (name == "java") == java) for java in (False, True)]
def kill_one():
    workers = []
    while len(workers) < 2:
        time.sleep(0.5)
        now = processes()
        below = [pid for pid, (name, _, _) in now.items() if name != "java" and pid != os.getpid()]
        workers = [pid for pid in below if now[pid][2] in below]  # the others are the daemon
    time.sleep(4)
    os.kill(random.choice(workers), signal.SIGKILL)
    print("killed one of", len(workers), flush=True)
if kill == "kill":
    threading.Thread(target=kill_one).start()
before = cpu()
rows = spark.read.parquet(source)
scored = rows if kill == "copy" else score_column(rows, pool=index, columns=["n_neighbors"])
scored.write.parquet(target)
print(*before, *(after - earlier for after, earlier in zip(cpu(), before)))
"""


@pytest.mark.benchmark(group="scale: Spark")
@pytest.mark.parametrize("n, kill", [(TEXTS, "none"), (400_000, "kill")])
def test_spark_beside_one_process(benchmark, tmp_path, n, kill):
    import pyarrow as pa
    import pyarrow.parquet as pq

    pytest.importorskip("pyspark")
    if shutil.which("java") is None:
        pytest.skip("Spark needs Java 17")
    from bleu_neighbors_metric import BLEUNeighbors

    source, index = str(tmp_path / "texts.parquet"), str(tmp_path / "pool.index")
    BLEUNeighbors(progress=False).fit(texts(2_000, 1), np.linspace(0, 1, 2_000)).save(index)
    pq.write_table(pa.table({"id": np.arange(n), "text": texts(n, 2)}), source, row_group_size=n // 16)
    plain, _ = process("-c", PLAIN, source, str(tmp_path / "plain"), index)
    settings = {**os.environ, "PYTHONPATH": str(ROOT), "OMP_NUM_THREADS": "1", "PYSPARK_PYTHON": sys.executable}

    def in_spark(name, how):
        command = [sys.executable, "-c", SPARK, source, str(tmp_path / name), index, how]
        return subprocess.run(command, env=settings, capture_output=True, text=True, check=True).stdout

    told = benchmark.pedantic(in_spark, ("spark", kill), rounds=1)
    assert ("killed one of" in told) == (kill == "kill")
    *start, python, java = map(float, told.split()[-4:])
    if kill == "none":
        copying = float(in_spark("copy", "copy").split()[-1])
        benchmark.extra_info["Spark's JVM CPU s to copy the file alone"] = round(copying, 1)
    benchmark.extra_info |= {"texts": n, "plain CPU s": round(plain, 1), "session's start, CPU s": round(sum(start), 1)}
    benchmark.extra_info |= {"Spark's Python CPU s": round(python, 1), "Spark's JVM CPU s": round(java, 1)}
    benchmark.extra_info |= {"Python ratio": round(python / plain, 2), "ratio": round((python + java) / plain, 2)}
    expected, found = pq.read_table(tmp_path / "plain"), pq.read_table(tmp_path / "spark").sort_by("id")
    for name in ("id", "bleu_neighbors", "n_neighbors", "reason"):
        assert found[name].combine_chunks().equals(expected[name].combine_chunks()), name
    print("\n   ", benchmark.extra_info)
