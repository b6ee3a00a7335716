"""Metrics of the protocol that need no pool and no model, for code that is written for any metric at all."""

from __future__ import annotations

import numpy as np

from referenceless_metrics.core.results import EMPTY, MetricResult


class Lengths:
    """The length of a text times `scale`; an empty text has none if `strict`.

    Args:
        scale: a factor.
        strict: whether an empty text has no value.
    """

    name = "lengths"
    needs_references = False
    needs_sources = False

    def __init__(self, scale: float = 1, strict: bool = False) -> None:
        if scale < 0:
            raise ValueError("Expected argument `scale` to be at least 0")
        self.scale = scale
        self.strict = strict
        self.fails: BaseException | None = None

    @property
    def signature(self):
        return f"metric:lengths|scale:{self.scale}"

    def predict(self, texts, *, references=None, sources=None):
        if self.fails is not None:
            raise self.fails
        lengths = np.array([len(text) for text in texts], dtype=np.int64)
        undefined = self.strict & (lengths == 0)
        values = np.where(undefined, np.nan, lengths * float(self.scale))
        reasons = tuple(EMPTY if empty else None for empty in undefined)
        return MetricResult(values, reasons, self.signature, {"n_characters": lengths})


class Matches:
    """Whether a text is equal to its reference, or to its source if it reads sources."""

    name = "matches"
    signature = "metric:matches"

    def __init__(self, *, references: bool = True, sources: bool = False) -> None:
        self.needs_references = references
        self.needs_sources = sources

    def predict(self, texts, *, references=None, sources=None):
        texts = list(texts)
        equal = [
            all(text in (own if isinstance(own, list) else [own]) for own in owns)
            for text, *owns in zip(texts, *(given for given in (references, sources) if given is not None), strict=True)
        ]
        return MetricResult(np.array(equal, dtype=np.float64), (None,) * len(texts), self.signature)


class Given:
    """The value of a text is the number that it writes; an empty one has none."""

    name, signature, needs_references, needs_sources = (
        "Given",
        "metric:given|model:hub=org/name;rev|clip:yes",
        False,
        False,
    )

    def __init__(self, mean_rating: float = 0.5) -> None:
        self.mean_rating_ = mean_rating

    def predict(self, texts, *, references=None, sources=None):
        values = np.array([float(text or "nan") for text in texts])
        return MetricResult(values, tuple("empty" if value != value else None for value in values), self.signature)


def texts_of(values):
    """Return the texts that have these values by `Given`."""
    return ["" if np.isnan(value) else repr(float(value)) for value in values]


def matches_of_both():
    """Whether a text is equal to its reference and to its source."""
    return Matches(sources=True)
