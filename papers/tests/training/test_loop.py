"""The training loop: a run goes on from a shorter one, or from where it was interrupted, bit for bit."""

import pytest

torch = pytest.importorskip("torch", reason="needs torch")
pytest.importorskip("safetensors", reason="needs safetensors")

from referenceless_papers.training.loop import CHECKPOINT_FILE, TrainingRun  # noqa: E402


class Parabola(TrainingRun):
    interrupted_at = None

    def batches(self, epoch):
        return [1.0, 2.0]

    def losses(self, batch):
        if self.position.done == self.interrupted_at:
            raise KeyboardInterrupt
        yield (self.parameters["x"] - batch + torch.rand(())) ** 2

    def validate(self, bar):
        return float(self.parameters["x"].detach().abs())


def run(folder, steps, decay=0.5):
    torch.manual_seed(3)
    start = torch.nn.Parameter(torch.zeros(()))
    return Parabola({"x": start}, steps, lr=0.1, decay=decay, folder=folder, facts={"settings": {}, "corpus": ""})


@pytest.mark.parametrize("steps", [1, 2, 5])
def test_a_longer_run_goes_on_from_a_shorter_one(tmp_path, steps):
    run(tmp_path, steps).train()
    longer = run(tmp_path, 8)
    longer.restore(tmp_path / CHECKPOINT_FILE)
    assert longer.position.done <= steps
    longer.train()
    whole = run(None, 8)
    whole.train()
    assert longer.position.done == 8
    assert torch.equal(longer.parameters["x"], whole.parameters["x"])


@pytest.mark.parametrize("stop_at", [1, 2, 5])
def test_an_interrupted_run_goes_on_where_it_was(tmp_path, stop_at):
    cut = run(tmp_path, 8, decay=0.0)
    cut.interrupted_at = stop_at
    with pytest.raises(KeyboardInterrupt):
        cut.train(checkpoint_seconds=0)
    resumed = run(tmp_path, 8, decay=0.0)
    resumed.restore(tmp_path / CHECKPOINT_FILE)
    assert resumed.position.done == stop_at
    resumed.train()
    whole = run(None, 8, decay=0.0)
    whole.train()
    assert torch.equal(resumed.parameters["x"], whole.parameters["x"])
