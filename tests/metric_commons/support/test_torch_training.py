"""The training loop: a run goes on from a shorter one, however short that was."""

import pytest

torch = pytest.importorskip("torch", reason="needs torch")
pytest.importorskip("safetensors", reason="needs safetensors")

from metric_commons.support.torch_training import CHECKPOINT_FILE, TrainingRun  # noqa: E402


class Parabola(TrainingRun):
    def batches(self, epoch):
        return [1.0, 2.0]

    def losses(self, batch):
        yield (self.parameters["x"] - batch) ** 2

    def validate(self, bar):
        return float(self.parameters["x"].detach().abs())


def run(folder, steps):
    start = torch.nn.Parameter(torch.zeros(()))
    return Parabola({"x": start}, steps, lr=0.1, decay=0.5, folder=folder, facts={"settings": {}, "corpus": ""})


@pytest.mark.parametrize("steps", [1, 2, 5])
def test_a_longer_run_goes_on_from_a_shorter_one(tmp_path, steps):
    run(tmp_path, steps).train()
    longer, whole = run(tmp_path, 8), run(None, 8)
    longer.restore(tmp_path / CHECKPOINT_FILE)
    assert longer.position.done <= steps
    longer.train()
    whole.train()
    assert longer.position.done == 8
    assert torch.equal(longer.parameters["x"], whole.parameters["x"])
