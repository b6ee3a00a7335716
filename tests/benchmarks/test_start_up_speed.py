"""CPU seconds and peak memory of whole commands on one core, beside sacrebleu's: `pytest --benchmark-only` runs it."""

import os
import subprocess
import sys

import pytest
from measuring import say

from referenceless_metrics.demo import write_example_files

COMMANDS = {
    "--help": (2.0, 100),
    "score outputs.txt --metric bleu_neighbors --pool pool.csv": (3.0, 100),
    "score outputs.txt": (5.0, 200),
    "demo": (12.0, 400),
}
"""The commands, how many times as long as sacrebleu each may take, and how many MB."""

ROUNDS = 5
# A small process starts each: to Linux, the peak of a process begins with that of the one that it was forked from.
LAUNCH = """
import os, sys
quiet = [(os.POSIX_SPAWN_OPEN, 1, os.devnull, os.O_WRONLY, 0)]
child = os.posix_spawn(sys.executable, [sys.executable, "-m", *sys.argv[1:]], os.environ, file_actions=quiet)
_, status, usage = os.wait4(child, 0)
print(os.waitstatus_to_exitcode(status), usage.ru_utime + usage.ru_stime, usage.ru_maxrss / 1024)
"""


def measured(*words):
    """Return the user and system seconds of a program in a process of its own with one thread, and its peak in MB."""
    # an installed package has its compiled modules
    settings = {name: value for name, value in os.environ.items() if name != "PYTHONDONTWRITEBYTECODE"}
    command = [sys.executable, "-c", LAUNCH, *words]
    run = subprocess.run(command, check=True, capture_output=True, text=True, env={**settings, "OMP_NUM_THREADS": "1"})
    code, seconds, peak = map(float, run.stdout.split())
    assert code == 0
    return seconds, peak


@pytest.mark.parametrize("command", COMMANDS)
def test_commands_start_as_fast_as_asked(command, tmp_path, monkeypatch, capsys, benchmark):
    monkeypatch.chdir(tmp_path)
    write_example_files(tmp_path)
    programs = ("sacrebleu", "outputs.txt", "-i", "outputs.txt"), ("referenceless_metrics", *command.split())
    in_turn = [[measured(*words) for words in programs] for _ in range(ROUNDS)]
    peer, ours = (min(side) for side in zip(*in_turn, strict=True))
    benchmark.pedantic(measured, args=programs[1], rounds=1)
    times, most = COMMANDS[command]
    say(
        capsys,
        f"{command}: {ours[0]:.2f} CPU s, {ours[0] / peer[0]:.1f} x sacrebleu's ({peer[0]:.2f}); {ours[1]:.0f} MB",
    )
    assert ours[0] <= times * peer[0]
    assert ours[1] <= most
