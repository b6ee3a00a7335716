"""CPU seconds of whole commands on one core, beside sacrebleu's: `pytest --benchmark-only` runs it."""

import os
import resource
import subprocess
import sys

import pytest
from measuring import say

from referenceless_metrics.demo import write_example_files

COMMANDS = {
    "--help": 2.0,
    "score outputs.txt --metric bleu_neighbors --pool pool.csv": 3.0,
    "score outputs.txt": 5.0,
    "demo": 12.0,
}
"""The commands, and how many times as long as sacrebleu each may take."""

ROUNDS = 5


def cpu_seconds(*words):
    """Return the least user and system seconds of a program in several processes, one thread each."""
    taken = []
    for _ in range(ROUNDS):
        before = resource.getrusage(resource.RUSAGE_CHILDREN)
        environment = {**os.environ, "OPENBLAS_NUM_THREADS": "1"}
        subprocess.run([sys.executable, "-m", *words], check=True, capture_output=True, env=environment)
        after = resource.getrusage(resource.RUSAGE_CHILDREN)
        taken.append(after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime)
    return min(taken)


@pytest.mark.parametrize("command", COMMANDS)
def test_commands_start_as_fast_as_asked(command, tmp_path, monkeypatch, capsys, benchmark):
    monkeypatch.chdir(tmp_path)
    write_example_files(tmp_path)
    peer = cpu_seconds("sacrebleu", "outputs.txt", "-i", "outputs.txt")
    ours = benchmark.pedantic(cpu_seconds, args=("referenceless_metrics", *command.split()), rounds=1)
    say(capsys, f"{command}: {ours:.2f} CPU s, {ours / peer:.1f} x sacrebleu's ({peer:.2f})")
    assert ours <= COMMANDS[command] * peer
