"""A distribution of someone else's, which brings a metric with the least entry that there can be."""

import sys
from contextlib import contextmanager

from text_files import write

from referenceless_metrics.core.support.installation import METRICS_GROUP, forget_plug_ins

NAME = "vowels"
MODULE = '''
"""Someone's metric."""

import numpy as np

from referenceless_metrics.core.registry import MetricSpec
from referenceless_metrics.core.results import MetricResult


class Vowels:
    """The number of vowels of a text.

    Args:
        scale: the weight of a vowel.
    """

    name = "vowels"
    needs_references = False
    needs_sources = False

    def __init__(self, scale: float = 1.0) -> None:
        self.scale = scale

    @property
    def signature(self):
        return f"metric:vowels|scale:{self.scale:g}"

    def predict(self, texts, *, references=None, sources=None):
        counts = [sum(letter in "aeiou" for letter in text) for text in texts]
        return MetricResult(self.scale * np.array(counts, dtype=float), (None,) * len(counts), self.signature)


VOWELS = MetricSpec("vowels", "Vowels", lambda: Vowels)
'''


@contextmanager
def installed(folder):
    """Have the distribution installed for a while: its files stand in a folder of `sys.path`, as pip writes them."""
    write(folder / "their_metrics.py", MODULE)
    information = folder / "their_metrics-1.2.dist-info"
    information.mkdir(parents=True)
    write(information / "METADATA", "Metadata-Version: 2.1\nName: their-metrics\nVersion: 1.2\n")
    write(information / "entry_points.txt", f"[{METRICS_GROUP}]\n{NAME} = their_metrics:VOWELS\n")
    sys.path.insert(0, str(folder))
    forget_plug_ins()
    try:
        yield
    finally:
        sys.path.remove(str(folder))
        sys.modules.pop("their_metrics", None)
        forget_plug_ins()
