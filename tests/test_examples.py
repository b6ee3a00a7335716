"""Every example runs, offline, and prints something."""

import pytest
from command_lines import python
from text_files import ROOT

EXAMPLES = [
    pytest.param(
        path, marks=[pytest.mark.long] * (path.stem in ("grpo_reward", "trainer_bleu_neighbors")), id=path.stem
    )
    for path in sorted((ROOT / "examples").glob("*.py"))
]


@pytest.mark.parametrize("path", EXAMPLES)
def test_an_example_runs(path, tmp_path):
    environ = {"PYTHONPATH": str(ROOT), "HF_EVALUATE_OFFLINE": "1", "HF_HUB_OFFLINE": "1"}
    assert python(str(path), cwd=tmp_path, environ=environ).stdout.strip()
