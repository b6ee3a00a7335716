"""CPU seconds and peak memory of whole commands on one core, beside sacrebleu's: `pytest --benchmark-only` runs it."""

from functools import partial

import pytest
from measuring import say, used_by

from referenceless_metrics.demo import write_example_files

COMMANDS = {
    "--help": (1.0, 50),
    "score outputs.txt --metric bleu_neighbors --pool pool.csv": (2.5, 100),
    "score outputs.txt --metric slor": (2.5, 100),
    "score outputs.txt --metric fluency_ngram": (3.0, 150),
    "score outputs.txt": (3.0, 150),
    "filter outputs.txt --keep fluency_ngram>-2": (3.0, 150),
    "demo": (7.0, 250),
}
"""The commands, the ratio to sacrebleu's time that each may take, and their MB."""

ROUNDS = 5


@pytest.mark.parametrize("command", COMMANDS)
def test_commands_start_as_fast_as_asked(command, tmp_path, monkeypatch, capsys, benchmark):
    monkeypatch.chdir(tmp_path)
    write_example_files(tmp_path)
    programs = "sacrebleu outputs.txt -i outputs.txt", f"referenceless_metrics {command}"
    calls = [partial(used_by, "-m", *program.split()) for program in programs]
    in_turn = [[call() for call in calls] for _ in range(ROUNDS)]
    peer, ours = (min(side) for side in zip(*in_turn, strict=True))
    benchmark.pedantic(calls[1], rounds=1)
    times, most = COMMANDS[command]
    say(
        capsys,
        f"{command}: {ours[0]:.2f} CPU s, {ours[0] / peer[0]:.1f} x sacrebleu's ({peer[0]:.2f}); {ours[1]:.0f} MB",
    )
    assert ours[0] <= times * peer[0]
    assert ours[1] <= most
