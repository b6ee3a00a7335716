"""A metric that kills the process that it works in, once."""

from __future__ import annotations

import os
import signal
from pathlib import Path

from toy_metrics import Lengths


class DiesOnce(Lengths):
    """The length of a text; the first process that scores the text "die" ends on the spot."""

    def __init__(self, flag: Path) -> None:
        super().__init__()
        self.flag = flag

    def predict(self, texts, **others):
        if "die" in texts and not self.flag.exists():
            self.flag.touch()
            os.kill(os.getpid(), signal.SIGKILL)
        return super().predict(texts, **others)
