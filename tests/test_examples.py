"""Every example runs, offline, and prints something."""

import os
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parent.parent
NEEDS = {"grpo_reward": "trl"}
EXAMPLES = sorted(path for path in (ROOT / "examples").glob("*.py") if not path.stem.startswith("trainer"))


@pytest.mark.parametrize("path", EXAMPLES, ids=lambda path: path.stem)
def test_an_example_runs(path, tmp_path):
    if path.stem in NEEDS:
        pytest.importorskip(NEEDS[path.stem])
    environment = {**os.environ, "PYTHONPATH": str(ROOT), "HF_EVALUATE_OFFLINE": "1"}
    done = subprocess.run(
        [sys.executable, str(path)], cwd=tmp_path, env=environment, capture_output=True, text=True, timeout=300
    )
    assert done.returncode == 0, done.stderr
    assert done.stdout.strip()


def test_every_example_is_run():
    trainers = [path.name for path in (ROOT / "examples").glob("trainer*.py")]
    assert trainers == ["trainer_bleu_neighbors.py"]  # run by tests/metric_commons/integrations/test_trainer.py
