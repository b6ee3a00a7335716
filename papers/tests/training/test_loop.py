"""The training loop: a run goes on from a shorter one, or from where it was interrupted, bit for bit."""

import pytest
from lazily import lazily

from referenceless_papers.training.loop import CHECKPOINT_FILE, TrainingRun

torch = lazily("torch")
lazily("safetensors")


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


def run(folder, steps, decay):
    torch.manual_seed(3)
    start = torch.nn.Parameter(torch.zeros(()))
    return Parabola({"x": start}, steps, lr=0.1, decay=decay, folder=folder, facts={"settings": {}, "corpus": ""})


@pytest.mark.parametrize("interrupted", [False, True])
@pytest.mark.parametrize("steps", [1, 2, 5])
def test_a_run_goes_on_from_a_shorter_one_and_from_where_it_was_interrupted(tmp_path, steps, interrupted):
    decay = 0.0 if interrupted else 0.5
    first = run(tmp_path, 8 if interrupted else steps, decay)
    if interrupted:
        first.interrupted_at = steps
        with pytest.raises(KeyboardInterrupt):
            first.train(checkpoint_seconds=0)
    else:
        first.train()
    going_on = run(tmp_path, 8, decay)
    going_on.restore(tmp_path / CHECKPOINT_FILE)
    assert going_on.position.done == steps if interrupted else going_on.position.done <= steps
    going_on.train()
    whole = run(None, 8, decay)  # which begins the random numbers anew
    whole.train()
    assert going_on.position.done == 8
    assert torch.equal(going_on.parameters["x"], whole.parameters["x"])
