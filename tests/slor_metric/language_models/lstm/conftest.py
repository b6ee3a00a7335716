"""Training that is interrupted after some batches."""

import pytest

from slor_metric.language_models.lstm import training


@pytest.fixture
def interrupted(monkeypatch):
    """Return what runs a training that stops after `stop_at` batches; it returns the sizes of these batches."""
    step = training._Run._step

    def run(train, stop_at=None):
        done = []

        def counted(self, rows):
            if len(done) == stop_at:
                raise KeyboardInterrupt
            done.append(len(rows))
            return step(self, rows)

        with monkeypatch.context() as patch:
            patch.setattr(training._Run, "_step", counted)
            if stop_at is None:
                train()
            else:
                with pytest.raises(KeyboardInterrupt):
                    train()
        return done

    return run
